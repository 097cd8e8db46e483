//! Chance: its probabilities add up, and it draws by them.

use crate::Battery;
use crate::battery::listed;
use crate::fit::assert_fits;
use ranka_core::{Actor, Notation, Position};

/// Wherever chance acts, every outcome has a positive probability, they add up to one, and what is drawn
/// is one of them.
pub fn chance_adds_up<G: Notation>(b: &Battery<'_, G>) {
    b.at_every_position(|place| {
        let (state, mut rng) = (place.state(), place.rng());
        if state.actor() != Actor::Chance {
            return;
        }
        let list = listed(state);
        let mut sum = 0.0;
        for &action in &list {
            let p = state.probability(action);
            assert!(p > 0.0 && p <= 1.0, "the probability of {} is {p}", b.game.write_action(action));
            sum += p;
        }
        assert!((sum - 1.0).abs() <= 1e-9, "the probabilities add up to {sum}");
        for _ in 0..8 {
            let drawn = state.draw(&mut rng);
            assert!(
                list.contains(&drawn),
                "chance draws {}, which is not listed",
                b.game.write_action(drawn)
            );
        }
    });
}

/// Chance draws as often as its probabilities say.
pub fn draws_are_fair<G: Notation>(b: &Battery<'_, G>) {
    b.at_some_positions(
        12,
        |state| state.actor() == Actor::Chance,
        |place| {
            let (state, list, mut rng) = (place.state(), listed(place.state()), place.rng());
            let mut counts = vec![0; list.len()];
            for _ in 0..100 * list.len() {
                let drawn = state.draw(&mut rng);
                counts[list.iter().position(|&a| a == drawn).expect("chance draws what is listed")] += 1;
            }
            let probabilities: Vec<f64> = list.iter().map(|&action| state.probability(action)).collect();
            assert_fits("draws", &counts, &probabilities);
        },
    );
}
