//! A win that purple search or df-pn claims is a win in the real game: against every colouring and all replies,
//! and as soon as claimed. And the two find the same.

use crate::common::{endgame, evaluation, game, values};
use ranka_core::{Actor, Game, Notation, Position, Rng, Seat, Seed, View as _};
use ranka_geister::duel::{Duel, Hop, Purple, PurpleEvaluation, WIN};
use ranka_geister::{Action, State};
use ranka_search::{AlphaBeta, DepthUnit, DfPn, Forced, Limits, Root, Transpositions};

/// Chooses a hop for a position of thought; it has claimed a win.
type Choose<'a> = &'a mut dyn FnMut(&Duel<Purple>) -> Hop;

/// Plays on from `state` against all replies; `seat` must win within `plies`.
fn wins(state: &State, seat: Seat, plies: i32, choose: Choose<'_>) {
    let text = || game().write_state(state);
    let actor = match state.actor() {
        Actor::Over => {
            assert_eq!(state.outcome().score(seat), 1.0, "lost: {}", text());
            return;
        }
        Actor::Seat(actor) => actor,
        Actor::Chance => unreachable!("Geister knows no chance"),
    };
    assert!(plies > 0, "not won in time: {}", text());
    let mut actions = Vec::new();
    state.actions(&mut actions);
    if actor == seat {
        let escape = actions.iter().copied().find(|action| matches!(action, Action::Escape { .. }));
        let purple = || Duel::purple(&game().view(state, seat));
        let action = escape.unwrap_or_else(|| choose(&purple()).on_board(seat));
        assert!(actions.contains(&action), "{action:?} is not legal: {}", text());
        actions = vec![action];
    }
    for action in actions {
        let mut next = *state;
        next.apply(action);
        wins(&next, seat, plies - 1, choose);
    }
}

/// The same from every state that looks like this one.
fn wins_in_all_worlds(state: &State, seat: Seat, plies: i32, choose: Choose<'_>) {
    for world in game().view(state, seat).worlds().unwrap() {
        wins(&world, seat, plies, choose);
    }
}

const DEPTH: u32 = 5;

fn forced(duel: &Duel<Purple>, depth: u32) -> Forced<Hop> {
    DfPn::new(evaluation(true), 1 << 20).solve(duel, 1..=depth, Limits::NONE)
}

#[test]
fn claimed_wins_are_wins_against_all_colourings_and_replies() {
    let mut rng = Rng::new(Seed::new(7));
    let mut search: AlphaBeta<Duel<Purple>, PurpleEvaluation> =
        AlphaBeta::new(evaluation(true), DepthUnit::Action, Transpositions::with_entries(1 << 10));
    search.lines = false;
    let mut proved = 0;
    for _ in 0..400 {
        let state = endgame(&mut rng, 2);
        let seat = state.actor().seat().unwrap();
        let duel = Duel::purple(&game().view(&state, seat));
        if duel.actor().is_over() {
            continue;
        }
        let best = values(&duel, DEPTH, evaluation(true)).iter().map(|step| step.2).max().unwrap();
        let by_dfpn = forced(&duel, DEPTH);
        assert_eq!(by_dfpn.stopped, None);
        assert_eq!(by_dfpn.win.is_some(), best > WIN / 2, "{}", game().write_state(&state));
        let Some((_, depth)) = by_dfpn.win else { continue };
        proved += 1;
        // A win by the exit rule is seen one ply before the value says.
        let claimed = WIN - best;
        assert!([claimed - 1, claimed].contains(&(depth as i32)), "{depth} and WIN@{claimed}");
        // A ghost that stands on its exit at depth d leaves with ply d + 1.
        wins_in_all_worlds(&state, seat, claimed + 1, &mut |duel| {
            let found = search.search(duel, Root::Best, DEPTH..=DEPTH, Limits::NONE, &mut |_| ()).unwrap();
            assert!(found.best().value > WIN / 2, "a claimed win is forgotten");
            found.best().action
        });
        wins_in_all_worlds(&state, seat, claimed + 1, &mut |duel| {
            forced(duel, DEPTH).win.expect("a claimed win is forgotten").0
        });
    }
    assert!(proved > 40, "only {proved} endgames were won");
}

#[test]
fn deeper_claims_of_df_pn_hold_too() {
    let mut rng = Rng::new(Seed::new(8));
    let mut deep = 0;
    for i in 0..1500 {
        let state = endgame(&mut rng, 1 + i % 2);
        let seat = state.actor().seat().unwrap();
        let duel = Duel::purple(&game().view(&state, seat));
        if duel.actor().is_over() {
            continue;
        }
        let Some((_, depth)) = forced(&duel, 7).win else { continue };
        deep += u32::from(depth > DEPTH);
        // The exit rule may be the last thing seen: then two more plies lead out.
        wins_in_all_worlds(&state, seat, depth as i32 + 2, &mut |duel| {
            forced(duel, 7).win.expect("a claimed win is forgotten").0
        });
    }
    assert!(deep > 10, "only {deep} wins lay deeper than {DEPTH}");
}
