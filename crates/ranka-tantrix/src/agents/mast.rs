//! Move-average sampling: playouts prefer the placements that have done well for the player so far, whatever the
//! position.

use crate::Action;
use ranka_core::{MAX_SEATS, Rng, Seat};
use rustc_hash::FxHashMap;

/// How a playout chooses by the averages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Preference {
    /// With weights exp(average/τ).
    Gibbs {
        /// The τ; infinite means that all are alike.
        tau: f64,
    },
    /// The best average, but any placement with probability ε.
    Greedy {
        /// The ε.
        epsilon: f64,
    },
}

#[derive(Clone, Copy, Debug)]
struct Average {
    count: f32,
    mean: f32,
    /// exp(mean/τ), so that choosing needs no exponential; 1 where that is not how it is chosen.
    weight: f32,
}

/// Below this τ, exp(mean/τ) would not fit into an `f32`, and only differences of means can be weighed.
const COLD: f64 = 1.0 / 80.0;

/// The table of averages for each seat and placement.
#[derive(Clone, Debug)]
pub(crate) struct Mast {
    preference: Preference,
    /// What a placement that was never made counts for.
    unseen: f64,
    unseen_weight: f32,
    averages: [FxHashMap<u32, Average>; MAX_SEATS],
    weights: Vec<f32>,
}

impl Mast {
    pub(crate) fn new(preference: Preference, unseen: f64) -> Mast {
        let unseen_weight = weight(preference, unseen);
        Mast { preference, unseen, unseen_weight, averages: Default::default(), weights: Vec::new() }
    }

    /// Keeps a share of what was learnt: with 0 nothing, with 1 everything.
    pub(crate) fn decay(&mut self, share: f64) {
        for table in &mut self.averages {
            if share == 0.0 {
                table.clear();
            } else {
                table.values_mut().for_each(|average| average.count *= share as f32);
                table.retain(|_, average| average.count > 0.01);
            }
        }
    }

    /// How many placements it remembers, each as far as it has not faded.
    #[cfg(test)]
    pub(crate) fn remembered(&self) -> f32 {
        self.averages.iter().flat_map(FxHashMap::values).map(|average| average.count).sum()
    }

    /// The average of a placement by a seat.
    pub(crate) fn average(&self, seat: Seat, action: Action) -> f64 {
        self.averages[seat.index()].get(&action.code()).map_or(self.unseen, |average| f64::from(average.mean))
    }

    /// A placement for a playout.
    pub(crate) fn choose(&mut self, seat: Seat, actions: &[Action], rng: &mut Rng) -> Action {
        if let [only] = actions {
            return *only;
        }
        match self.preference {
            Preference::Gibbs { tau } if tau < COLD => {
                let averages = || actions.iter().map(|&action| self.average(seat, action));
                let highest = averages().fold(f64::NEG_INFINITY, f64::max);
                let mut sum = 0.0;
                let weights = averages().map(|average| {
                    sum += libm::exp((average - highest) / tau) as f32;
                    sum
                });
                self.weights = weights.collect();
                draw(actions, &self.weights, rng)
            }
            Preference::Gibbs { .. } => {
                let table = &self.averages[seat.index()];
                self.weights.clear();
                let mut sum = 0.0;
                for action in actions {
                    sum += table.get(&action.code()).map_or(self.unseen_weight, |average| average.weight);
                    self.weights.push(sum);
                }
                draw(actions, &self.weights, rng)
            }
            Preference::Greedy { epsilon } => {
                if rng.chance(epsilon) {
                    return rng.pick(actions);
                }
                // Equal ones are equally likely: most were never tried.
                let (mut best, mut highest, mut equals) = (actions[0], f64::NEG_INFINITY, 0);
                for &action in actions {
                    let average = self.average(seat, action);
                    if average > highest {
                        (best, highest, equals) = (action, average, 1);
                    } else if average == highest {
                        equals += 1;
                        if rng.below(equals) == 0 {
                            best = action;
                        }
                    }
                }
                best
            }
        }
    }

    /// Learns that a placement led to this value for the seat.
    pub(crate) fn learn(&mut self, seat: Seat, action: Action, value: f64) {
        let fresh = Average { count: 0.0, mean: 0.0, weight: 0.0 };
        let average = self.averages[seat.index()].entry(action.code()).or_insert(fresh);
        average.count += 1.0;
        average.mean += (value as f32 - average.mean) / average.count;
        average.weight = weight(self.preference, f64::from(average.mean));
    }
}

fn weight(preference: Preference, mean: f64) -> f32 {
    match preference {
        Preference::Gibbs { tau } if tau >= COLD => libm::exp(mean / tau) as f32,
        _ => 1.0,
    }
}

/// An action by the running sums of their weights.
fn draw(actions: &[Action], sums: &[f32], rng: &mut Rng) -> Action {
    let all = sums.last().copied().unwrap_or(0.0);
    let drawn = rng.unit() as f32 * all;
    let place = sums.partition_point(|&sum| sum <= drawn);
    actions[place.min(actions.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hex, Tile};
    use ranka_core::Seed;

    fn actions() -> Vec<Action> {
        (1..=6).map(|number| Action::place(Tile::new(number), 0, Hex::ORIGIN)).collect()
    }

    fn counts(mast: &mut Mast, actions: &[Action]) -> Vec<u32> {
        let mut rng = Rng::new(Seed::new(4));
        let mut counts = vec![0; actions.len()];
        for _ in 0..60_000 {
            let chosen = mast.choose(Seat::FIRST, actions, &mut rng);
            counts[actions.iter().position(|&action| action == chosen).expect("a listed action")] += 1;
        }
        counts
    }

    /// Learns the value i/10 for the i-th action but the last, which stays unseen.
    fn taught(preference: Preference) -> Mast {
        let mut mast = Mast::new(preference, 0.25);
        for (i, &action) in actions().iter().enumerate().take(5) {
            mast.learn(Seat::FIRST, action, i as f64 / 10.0 + 0.1);
            mast.learn(Seat::FIRST, action, i as f64 / 10.0 - 0.1);
        }
        mast
    }

    #[test]
    fn choices_follow_the_averages() {
        let mut mast = taught(Preference::Gibbs { tau: 0.1 });
        let values = [0.0, 0.1, 0.2, 0.3, 0.4, 0.25];
        let weights = values.map(|value: f64| (value / 0.1).exp());
        let sum: f64 = weights.iter().sum();
        for (count, weight) in counts(&mut mast, &actions()).into_iter().zip(weights) {
            let share = f64::from(count) / 60_000.0;
            assert!((share - weight / sum).abs() < 0.01, "{share}, not {}", weight / sum);
        }
        // Another seat has learnt nothing.
        assert_eq!(mast.average(Seat::SECOND, actions()[4]), 0.25);
    }

    /// However cold, near averages still share the choices, and far ones have none.
    #[test]
    fn the_coldest_playouts_take_the_best() {
        for tau in [0.001, 0.004, 0.0124, 0.0126] {
            let mut mast = taught(Preference::Gibbs { tau });
            let near = 0.4 + tau / 2.0;
            mast.learn(Seat::FIRST, actions()[5], near);
            let counts = counts(&mut mast, &actions());
            let best = 0.5f64.exp() / (1.0 + 0.5f64.exp());
            let share = f64::from(counts[5]) / 60_000.0;
            assert!((share - best).abs() < 0.01, "τ {tau}: {counts:?}");
            assert_eq!(counts[..3], [0; 3], "τ {tau}");
        }
    }

    #[test]
    fn at_an_infinite_temperature_all_are_alike() {
        let counts = counts(&mut taught(Preference::Gibbs { tau: f64::INFINITY }), &actions());
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 500), "{counts:?}");
    }

    #[test]
    fn the_greedy_one_takes_the_best_but_now_and_then_any() {
        let counts = counts(&mut taught(Preference::Greedy { epsilon: 0.3 }), &actions());
        assert!(counts[4].abs_diff(45_000) < 600, "{counts:?}");
        assert!(counts[..4].iter().all(|count| count.abs_diff(3_000) < 300), "{counts:?}");
    }

    #[test]
    fn what_is_learnt_fades() {
        let mut mast = taught(Preference::Gibbs { tau: 0.1 });
        mast.decay(0.5);
        // Two old values now weigh as much as one new.
        mast.learn(Seat::FIRST, actions()[4], 1.0);
        assert!((mast.average(Seat::FIRST, actions()[4]) - 0.7).abs() < 1e-6);
        mast.decay(0.0);
        assert_eq!(mast.average(Seat::FIRST, actions()[4]), 0.25);
    }
}
