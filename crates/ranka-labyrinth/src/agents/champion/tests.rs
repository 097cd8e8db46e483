//! The fast looks ahead against the rules, played out action by action.

use super::beliefs::Beliefs;
use super::ground::{BESIDE, Ground};
use super::outlook::Outlook;
use super::standings;
use super::table::Table;
use crate::action::Action;
use crate::maze::Cell;
use crate::naive::Naive;
use crate::rules::Labyrinth;
use crate::state::State;
use crate::tile::Treasure;
use ranka_core::{Game as _, Params, Position, Rng, Seat, Seed};

fn game(rules: &str) -> Labyrinth {
    Labyrinth::new(&Params::parse(rules, Labyrinth::options()).expect("options")).expect("a game")
}

/// A position after some random turns, in which somebody is to push.
fn position(game: &Labyrinth, turns: usize, rng: &mut Rng) -> State {
    let mut state = game.start(rng);
    for _ in 0..2 * turns {
        state.apply(state.random_action(rng, &mut Vec::new()));
    }
    state
}

fn actions(position: &impl Position<Action = Action>) -> Vec<Action> {
    let mut actions = Vec::new();
    position.actions(&mut actions);
    actions
}

/// Whether the mover can end this turn on its target.
fn can_find(state: &State) -> bool {
    actions(state).into_iter().any(|push| leads_to_target(state, push))
}

fn leads_to_target(state: &State, push: Action) -> bool {
    let mut after = *state;
    after.apply(push);
    after.target(after.mover()).is_some_and(|target| after.reach() & target.bit() != 0)
}

/// What one push brings in reach, by the plainest rules there are, for every pawn and every tile.
#[test]
fn a_turns_reach_is_what_the_naive_rules_say() {
    let game = game("");
    let mut rng = Rng::new(Seed::new(1));
    let mut reached_beside = 0;
    for round in 0..12 {
        let mut state = position(&game, round, &mut rng);
        let ground = Ground::new(state.board(), state.last());
        // For each cell the treasures that can be reached from there, a bit each.
        let mut plain = [0u32; 49];
        let pushes = actions(&state);
        for from in Cell::all() {
            state.pawns[state.mover.index()] = from;
            for &push in &pushes {
                let (mut after, mut naive) = (state, Naive::of(&state));
                after.apply(push);
                naive.apply(push);
                for action in actions(&naive) {
                    let Action::Move(cell) = action else { unreachable!("a push was made") };
                    let treasure = after.board().tile(cell).treasure();
                    plain[from.index()] |= treasure.map_or(0, |treasure| 1 << treasure.index());
                }
            }
        }
        for treasure in Treasure::all() {
            let place = state.board().find(treasure).map_or(BESIDE, Cell::index);
            reached_beside += usize::from(place == BESIDE);
            let near = ground.a_turn_from(place);
            for from in Cell::all() {
                let expected = plain[from.index()] >> treasure.index() & 1;
                assert_eq!(ground.within_a_turn(from) >> place & 1, u64::from(expected), "{state:?} {from}");
                assert_eq!(near >> from.index() & 1, u64::from(expected), "{state:?} {from} {treasure:?}");
            }
        }
    }
    assert!(reached_beside > 0, "no treasure was ever beside the board");
}

/// How likely each push of the mover is, if it knows what it wants: one of those that lead there, or else any.
fn likely(state: &State) -> Vec<(Action, f64)> {
    let pushes = actions(state);
    let leading: Vec<Action> = pushes.iter().copied().filter(|&push| leads_to_target(state, push)).collect();
    let likely = if leading.is_empty() { pushes } else { leading };
    let share = 1.0 / likely.len() as f64;
    likely.into_iter().map(|push| (push, share)).collect()
}

/// The chance that `own` finds something in its next turn, and the chances of those who push before, all pushes of whom
/// are tried. They stay where they are: where they walk changes nothing for `own`.
fn next(state: &State, own: Seat, theirs: &mut [f64], weight: f64) -> f64 {
    if state.mover() == own {
        return f64::from(can_find(state));
    }
    theirs[0] += weight * f64::from(can_find(state));
    let mut sum = 0.0;
    for (push, chance) in likely(state) {
        let mut after = *state;
        after.apply(push);
        // Nobody collects here, so that everybody's card stays the one that is thought of.
        after.mover = after.mover.next(after.seats());
        after.phase = crate::state::Phase::Push;
        sum += chance * next(&after, own, &mut theirs[1..], weight * chance);
    }
    sum
}

/// With open hands everything is known, and with two players every reply is looked at: the chances are exact.
#[test]
fn chances_of_two_are_those_of_all_replies() {
    let game = game("open-hands=on,ply-cap=0");
    let mut rng = Rng::new(Seed::new(2));
    let (mut compared, mut arrived) = (0, 0);
    for round in 0..10 {
        let state = position(&game, 2 * round, &mut rng);
        compare(&game, &state, 7, &mut rng, 1e-9, &mut compared, &mut arrived);
    }
    assert!(compared > 150 && arrived > 5, "{compared} {arrived}");
}

/// With three, sequences are drawn: the chances come near.
#[test]
fn chances_of_three_come_near() {
    let game = game("players=3,open-hands=on,ply-cap=0");
    let mut rng = Rng::new(Seed::new(3));
    let (mut compared, mut arrived) = (0, 0);
    for round in 0..3 {
        let state = position(&game, 3 * round, &mut rng);
        compare(&game, &state, 40, &mut rng, 0.06, &mut compared, &mut arrived);
    }
    assert!(compared > 3, "{compared} {arrived}");
}

/// Compares every `step`th push with what its replies lead to.
fn compare(
    game: &Labyrinth,
    state: &State,
    step: usize,
    rng: &mut Rng,
    tolerance: f64,
    compared: &mut usize,
    arrived: &mut usize,
) {
    let own = state.mover();
    let table = Table::new(&game.view(state, own), &Beliefs::new());
    let mut outlook = Outlook::new(&table, standings(&table), rng);
    for (line, push) in actions(state).into_iter().enumerate().step_by(step) {
        for _ in 0..2000 {
            if !outlook.is_done(line) {
                outlook.look(line, rng);
            }
        }
        let mut pushed = *state;
        pushed.apply(push);
        for action in actions(&pushed).into_iter().step_by(if state.seats() == 2 { 1 } else { 9 }) {
            let Action::Move(cell) = action else { unreachable!("a push was made") };
            let mut after = pushed;
            let arrives = after.target(own) == Some(cell);
            after.apply(action);
            let mut theirs = [0.0; 3];
            let chance = next(&after, own, &mut theirs, 1.0);
            let (own_chance, their_chances) = outlook.chances(line, cell);
            assert!(
                (own_chance - chance).abs() <= tolerance,
                "{own_chance} for {chance}: {state:?} {push:?} {cell}"
            );
            for (one, two) in their_chances.iter().zip(theirs).take(state.seats() - 1) {
                assert!((one - two).abs() <= tolerance, "{one} for {two}: {state:?} {push:?}");
            }
            *compared += 1;
            *arrived += usize::from(arrives);
        }
    }
}
