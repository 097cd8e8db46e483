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
    /// What was seen to be given away in all decisions so far that were seen as who took them saw them.
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
    /// What it would have given away on average in those decisions, and what that would look like.
    gives: [f64; 2],
    /// What it would have given away on average in all others.
    unseen: f64,
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
                unseen: 0.0,
            }
        };
        Belief { ranks: (0..=STEPS * ladder.rank.len()).map(believed).collect(), given: 0.0 }
    }

    /// Learns from a decision, as it looks in some worlds that are equally likely, or in the one that is `known`.
    pub(crate) fn learn(&mut self, worlds: &[Seen], known: bool) {
        let Some(choices) = worlds.iter().map(|seen| seen.losses.len()).max().filter(|&n| n > 1) else {
            return;
        };
        let mean = |of: &dyn Fn(&Seen) -> f64| worlds.iter().map(of).sum::<f64>() / worlds.len() as f64;
        for rank in &mut self.ranks {
            let chance = mean(&|seen| rank.seen.weights(&seen.losses)[seen.place]);
            rank.log += libm::log((1.0 - LAPSE) * chance + LAPSE / choices as f64);
            let errs = mean(&|seen| rank.errs.mean_loss(&seen.losses));
            if known {
                rank.gives[0] += errs;
                rank.gives[1] += mean(&|seen| rank.seen.mean_loss(&seen.losses));
            } else {
                rank.unseen += errs;
            }
        }
        if known {
            self.given += mean(&|seen| seen.losses[seen.place]);
        }
    }

    /// What was given away so far. What is seen of single errors is too much where the judge is not sure of itself: it is
    /// taken in the proportion in which the believed ranks' errors look larger than they are. Of decisions that were not
    /// seen well the ranks alone tell.
    pub(crate) fn gave(&self) -> f64 {
        let [errs, seen] = [0, 1].map(|of| self.mean(|rank| rank.gives[of]));
        self.given * (errs / seen.max(f64::MIN_POSITIVE)).min(1.0) + self.mean(|rank| rank.unseen)
    }

    fn mean(&self, of: impl Fn(&Believed) -> f64) -> f64 {
        self.probabilities().zip(&self.ranks).map(|(probability, rank)| probability * of(rank)).sum()
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
                belief.learn(&[Seen { losses, place }], true);
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
            belief.learn(&[Seen { losses, place }], true);
        }
        assert!(belief.estimate().0 > 6.5, "{:?}", belief.estimate());
    }

    #[test]
    fn a_forced_action_tells_nothing() {
        let mut belief = Belief::new(&ladder(), 4.0, 1.0);
        let before = belief.clone();
        belief.learn(&[Seen { losses: vec![0.0], place: 0 }], true);
        belief.learn(&[], true);
        assert_eq!(belief, before);
        let (mean, doubt) = belief.estimate();
        assert!((mean - 4.0).abs() < 0.2 && (1.0..1.5).contains(&doubt), "{mean} ± {doubt}");
    }
}
