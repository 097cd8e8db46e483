//! Random play ends and keeps its invariants, and what is legal is exactly what is listed.

use crate::Battery;
use crate::battery::{legal, listed};
use crate::fit::{assert_fits, assert_same_mean};
use crate::mutate::mutate;
use ranka_core::{Actor, Notation, Outcome, Position, Rng};
use std::collections::HashSet;

/// Random games end within the bound, keep the invariant and list their actions properly: appended to what
/// is in the list, each once, always in the same order, and none exactly when the game is over. The scores
/// at the end are shares of one point.
pub fn play_ends<G: Notation>(b: &Battery<'_, G>) {
    b.at_every_position(|place| {
        let state = place.state();
        (b.invariant)(state);
        assert_eq!(state.seats(), b.game.seats(), "state and game disagree about the number of seats");
        if let Actor::Seat(seat) = state.actor() {
            assert!(seat.index() < state.seats(), "{seat:?} is to act, which nobody has");
        }

        let list = listed(state);
        let mut twice = list.clone();
        state.actions(&mut twice);
        assert_eq!(
            twice,
            [&list[..], &list[..]].concat(),
            "a second call does not append the same actions to the list"
        );
        assert_eq!(list.is_empty(), state.actor().is_over(), "no actions exactly when over: {list:?}");
        let mut once = HashSet::new();
        for action in legal(state) {
            assert!(once.insert(action), "{} is listed twice", b.game.write_action(action));
        }
        if state.actor().is_over() {
            assert!(once.is_empty(), "there are unlisted actions although the game is over");
            is_a_shared_point(&state.outcome(), state.seats());
        }
    });
}

fn is_a_shared_point(outcome: &Outcome, seats: usize) {
    let scores = outcome.scores();
    assert_eq!(scores.len(), seats, "one score per seat: {scores:?}");
    assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)), "scores are 0 to 1: {scores:?}");
    let sum: f64 = scores.iter().sum();
    assert!((sum - 1.0).abs() < 1e-9, "scores add up to one: {scores:?}");
}

/// How many actions from elsewhere are tried in each position.
const FOREIGN: usize = 64;

/// Every listed and unlisted action is legal, and actions from other positions, or read from mutated
/// notation, are legal exactly when they are among these.
pub fn legal_is_what_applies<G: Notation>(b: &Battery<'_, G>) {
    let mut rng = Rng::new(b.root().child("foreign actions"));
    let mut pool = HashSet::new();
    for state in b.lines().flat_map(|line| line.states) {
        pool.extend(legal(&state));
    }
    // In a fixed order, so that a failure comes again.
    let mut foreign: Vec<G::Action> = pool.into_iter().collect();
    foreign.sort();
    for i in 0..foreign.len() {
        let text = mutate(&b.game.write_action(foreign[i]), &mut rng);
        foreign.extend(b.game.read_action(&text));
    }

    b.at_every_position(|place| {
        let state = place.state();
        let legal = legal(state);
        for &action in &legal {
            assert!(state.is_legal(action), "{} is listed but not legal", b.game.write_action(action));
        }
        for _ in 0..FOREIGN.min(foreign.len()) {
            let action = rng.pick(&foreign);
            assert_eq!(
                state.is_legal(action),
                legal.contains(&action),
                "is_legal({}) and the list disagree",
                b.game.write_action(action)
            );
        }
    });
}

/// `random_action` gives the listed actions, each as often as any other.
pub fn random_actions_are_uniform<G: Notation>(b: &Battery<'_, G>) {
    b.at_some_positions(
        12,
        |state| state.actor().seat().is_some(),
        |place| {
            let (state, list, mut rng) = (place.state(), listed(place.state()), place.rng());
            let mut counts = vec![0; list.len()];
            let mut scratch = list.clone();
            for _ in 0..100 * list.len() {
                let action = state.random_action(&mut rng, &mut scratch);
                let i = list.iter().position(|&a| a == action);
                let i = i.unwrap_or_else(|| {
                    panic!("random_action gives {}, which is not listed", b.game.write_action(action))
                });
                counts[i] += 1;
            }
            assert_fits("random actions", &counts, &vec![1.0 / list.len() as f64; list.len()]);
        },
    );
}

/// How many playouts are compared.
const PLAYOUTS: usize = 300;

/// `playout` ends the game, and its outcomes and lengths are on average those of random play step by step.
pub fn playouts_are_random_play<G: Notation>(b: &Battery<'_, G>) {
    b.at_some_positions(
        4,
        |state| !state.actor().is_over(),
        |place| {
            let (mut rng, mut scratch) = (place.rng(), Vec::new());
            let mut sample = |play: &dyn Fn(&mut G::State, &mut Rng, &mut Vec<G::Action>) -> u32| {
                let ends = (0..PLAYOUTS).map(|_| {
                    let mut state = place.state().clone();
                    let plies = play(&mut state, &mut rng, &mut scratch);
                    assert!(state.actor().is_over(), "a playout stops before the game is over");
                    (f64::from(plies), state.outcome())
                });
                ends.collect::<Vec<_>>()
            };
            let fast = sample(&|state, rng, scratch| state.playout(rng, scratch));
            let plain = sample(&|state, rng, _| random_play(state, rng));
            let lengths = |ends: &[(f64, Outcome)]| ends.iter().map(|end| end.0).collect::<Vec<_>>();
            assert_same_mean("length of playouts", &lengths(&fast), &lengths(&plain));
            for seat in place.seats() {
                let scores =
                    |ends: &[(f64, Outcome)]| ends.iter().map(|end| end.1.score(seat)).collect::<Vec<_>>();
                assert_same_mean(&format!("playout score of {seat:?}"), &scores(&fast), &scores(&plain));
            }
        },
    );
}

/// The plainest random play, by nothing but lists and probabilities.
fn random_play<P: Position>(state: &mut P, rng: &mut Rng) -> u32 {
    let mut plies = 0;
    loop {
        let list = listed(state);
        let action = match state.actor() {
            Actor::Over => return plies,
            Actor::Seat(_) => rng.pick(&list),
            Actor::Chance => {
                let mut rest = rng.unit();
                let drawn = list.iter().find(|&&action| {
                    rest -= state.probability(action);
                    rest < 0.0
                });
                *drawn.or(list.last()).expect("chance has an outcome")
            }
        };
        state.apply(action);
        plies += 1;
    }
}
