//! What is believed of another player's strength: how likely each rank is, given what was seen of its play.

use crate::{Ladder, Softmax};

/// Ranks that are told apart, to each whole one.
const STEPS: usize = 4;

/// How often anybody plays anything, for reasons that no judge sees.
const LAPSE: f64 = 0.03;

/// How likely each rank is, whatever was believed: it may be somebody else who plays now.
const ANYBODY: f64 = 0.02;

/// A probability for each rank from 0, which plays anything, to the top.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Belief {
    ranks: Vec<Believed>,
    /// What was seen to be given away in all decisions so far.
    given: f64,
}

/// What goes with a rank.
#[derive(Clone, Debug, PartialEq)]
struct Believed {
    /// The logarithm of how likely it is.
    log: f64,
    /// How it errs.
    errs: Softmax,
    /// How its errors look.
    seen: Softmax,
    /// What it would have given away in all decisions so far, and what that would look like, on average.
    gives: [f64; 2],
}

/// How well decisions are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Eyes {
    /// One's own, where something is hidden from others: all that counted is known.
    Sure,
    /// Everything lies open.
    Open,
    /// What the other knew is not known.
    Guessing,
}

/// A decision of the other player in one of the worlds that are possible.
pub(crate) struct Seen {
    /// What each action gave away.
    pub(crate) losses: Vec<f64>,
    /// The action that was taken.
    pub(crate) place: usize,
}

impl Belief {
    /// What is believed before the first action: a rank, give or take a doubt.
    pub(crate) fn new(ladder: &Ladder, rank: f64, doubt: f64) -> Belief {
        let believed = |step: usize| {
            let at = step as f64 / STEPS as f64;
            let apart = (at - rank) / doubt;
            Believed {
                log: libm::log(libm::exp(-0.5 * apart * apart) / doubt + ANYBODY),
                errs: ladder.believed(at),
                seen: ladder.seen(at),
                gives: [0.0; 2],
            }
        };
        Belief { ranks: (0..=STEPS * ladder.rank.len()).map(believed).collect(), given: 0.0 }
    }

    /// Learns from a decision, as it looks in some worlds that are equally likely.
    pub(crate) fn learn(&mut self, worlds: &[Seen]) {
        let Some(choices) = worlds.iter().map(|seen| seen.losses.len()).max().filter(|&n| n > 1) else {
            return;
        };
        for rank in &mut self.ranks {
            let chance: f64 = worlds.iter().map(|seen| rank.seen.weights(&seen.losses)[seen.place]).sum();
            let chance = (1.0 - LAPSE) * chance / worlds.len() as f64 + LAPSE / choices as f64;
            rank.log += libm::log(chance);
            for (gives, softmax) in rank.gives.iter_mut().zip([rank.errs, rank.seen]) {
                let all: f64 = worlds.iter().map(|seen| softmax.mean_loss(&seen.losses)).sum();
                *gives += all / worlds.len() as f64;
            }
        }
        let given: f64 = worlds.iter().map(|seen| seen.losses[seen.place]).sum();
        self.given += given / worlds.len() as f64;
    }

    /// What was given away so far. What is seen of single errors is too much where the judge is not sure of itself: it is
    /// taken in the proportion in which the believed ranks' errors look larger than they are. Where not everything is seen,
    /// the ranks alone tell.
    pub(crate) fn gave(&self, eyes: Eyes) -> f64 {
        let mean = |of: usize| -> f64 {
            self.probabilities()
                .zip(&self.ranks)
                .map(|(probability, rank)| probability * rank.gives[of])
                .sum()
        };
        match eyes {
            Eyes::Sure => self.given,
            Eyes::Open => self.given * (mean(0) / mean(1).max(f64::MIN_POSITIVE)).min(1.0),
            Eyes::Guessing => mean(0),
        }
    }

    /// What was given away so far and may be held against somebody: where not everything is seen, what a rank somewhat above
    /// the believed would have given away.
    pub(crate) fn surely_gave(&self, eyes: Eyes) -> f64 {
        match eyes {
            Eyes::Sure | Eyes::Open => self.gave(eyes),
            Eyes::Guessing => {
                let mean = self.gave(eyes);
                let apart = |rank: &Believed| (rank.gives[0] - mean) * (rank.gives[0] - mean);
                let variance: f64 =
                    self.probabilities().zip(&self.ranks).map(|(p, rank)| p * apart(rank)).sum();
                mean - variance.sqrt()
            }
        }
    }

    fn probabilities(&self) -> impl Iterator<Item = f64> {
        let top = self.ranks.iter().map(|rank| rank.log).fold(f64::NEG_INFINITY, f64::max);
        let weight = move |rank: &Believed| libm::exp(rank.log - top);
        let sum: f64 = self.ranks.iter().map(weight).sum();
        self.ranks.iter().map(move |rank| weight(rank) / sum)
    }

    /// The mean rank, and its standard deviation.
    pub(crate) fn estimate(&self) -> (f64, f64) {
        let ranks = || (0u32..).map(|step| f64::from(step) / STEPS as f64).zip(self.probabilities());
        let mean: f64 = ranks().map(|(rank, probability)| probability * rank).sum();
        let variance: f64 =
            ranks().map(|(rank, probability)| probability * (rank - mean) * (rank - mean)).sum();
        (mean, variance.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rank;
    use crate::level::drawn;
    use ranka_core::{Rng, Seed};

    fn ladder() -> Ladder {
        let rank = |i: u32| Rank {
            temperature: if i == 9 { 0.0 } else { 0.4 / f64::from(1 << i) },
            bound: 1.0,
            elo: 200.0 * f64::from(i),
            error: 1.0,
            seen: None,
        };
        Ladder::of_ranks((0..10).map(rank))
    }

    /// What eight actions give away: many of them little.
    fn losses(rng: &mut Rng) -> Vec<f64> {
        let one = |i| if i == 0 { 0.0 } else { 0.3 * rng.unit() * rng.unit() * rng.unit() };
        (0..8).map(one).collect()
    }

    #[test]
    fn the_rank_is_found_that_was_played() {
        let ladder = ladder();
        let mut rng = Rng::new(Seed::new(3));
        for rank in [2.0, 4.0, 6.0] {
            let (softmax, mut belief) = (ladder.believed(rank), Belief::new(&ladder, 5.0, 3.0));
            for _ in 0..400 {
                let losses = losses(&mut rng);
                let place = drawn(&softmax.weights(&losses), &mut rng);
                belief.learn(&[Seen { losses, place }]);
            }
            let (mean, doubt) = belief.estimate();
            assert!((mean - rank).abs() < 0.7 && doubt < 0.7, "rank {rank} looks like {mean} ± {doubt}");
        }
    }

    /// Ten games of a weak player, and then somebody else sits there.
    #[test]
    fn somebody_else_is_noticed() {
        let ladder = ladder();
        let mut rng = Rng::new(Seed::new(4));
        let mut belief = Belief::new(&ladder, 3.0, 1.0);
        for _ in 0..60 {
            let losses = losses(&mut rng);
            let place = drawn(&ladder.believed(8.0).weights(&losses), &mut rng);
            belief.learn(&[Seen { losses, place }]);
        }
        assert!(belief.estimate().0 > 6.5, "{:?}", belief.estimate());
    }

    #[test]
    fn a_forced_action_tells_nothing() {
        let mut belief = Belief::new(&ladder(), 4.0, 1.0);
        let before = belief.clone();
        belief.learn(&[Seen { losses: vec![0.0], place: 0 }]);
        belief.learn(&[]);
        assert_eq!(belief, before);
        let (mean, doubt) = belief.estimate();
        assert!((mean - 4.0).abs() < 0.2 && (1.0..1.5).contains(&doubt), "{mean} ± {doubt}");
    }
}
