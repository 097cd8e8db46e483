//! The fast battles against the plain ones: the same policies, so the same results on average.

use ranka_core::{Position, Rng, Seat, Seed};
use ranka_tubstap::{Plain, Rules, State, Tactics, maps};

const BATTLES: usize = 1500;

/// Mean and standard error of the first seat's score, the actions, and the HP left.
fn measure(mut battle: impl FnMut(&mut State) -> u32, start: &State) -> [(f64, f64); 3] {
    let mut sums = [[0.0; 2]; 3];
    for _ in 0..BATTLES {
        let mut state = start.clone();
        let acts = battle(&mut state);
        let left: u32 = state.units().map(|unit| u32::from(unit.hp)).sum();
        let score = if state.actor().is_over() { state.outcome().score(Seat::FIRST) } else { 0.5 };
        for (sum, x) in sums.iter_mut().zip([score, f64::from(acts), f64::from(left)]) {
            sum[0] += x;
            sum[1] += x * x;
        }
    }
    let n = BATTLES as f64;
    sums.map(|[sum, squares]| (sum / n, ((squares / n - (sum / n).powi(2)) / n).max(0.0).sqrt()))
}

#[test]
fn fast_battles_are_plain_ones() {
    for (name, until) in [("duel", u32::MAX), ("bridge", u32::MAX), ("sky", 6), ("coast", 4)] {
        for tactics in [Tactics::AUTHOR, Tactics::AttackFirst, Tactics::Uniform] {
            for effective_only in [false, true] {
                let start =
                    maps::find(name).unwrap().state(Rules { effective_only, ..Rules::default() }).unwrap();
                let mut rng = Rng::new(Seed::new(7));
                let fast = measure(|state| state.battle(tactics, until, &mut rng), &start);
                let plain = measure(|state| Plain::battle(state, tactics, until, &mut rng), &start);
                for (what, (a, b)) in ["score", "actions", "HP"].iter().zip(fast.iter().zip(&plain)) {
                    let error = (a.1.powi(2) + b.1.powi(2)).sqrt();
                    assert!(
                        (a.0 - b.0).abs() <= 4.5 * error + 1e-9,
                        "{name}, {tactics:?}: {what} {a:?} is not {b:?}"
                    );
                }
            }
        }
    }
}
