//! The bootstrap by deal: intervals for figures of games that hang together.
//!
//! Games of the same deal are not independent, nor are the scores of several seats in one game. So whole
//! deals are drawn again, with everything that was counted in them.

use super::distributions::LEVEL;
use ranka_core::{Rng, Seed};
use serde::Serialize;

/// How to draw again.
#[derive(Clone, Copy, Debug)]
pub struct Resampling {
    /// How often.
    pub times: u32,
    /// The confidence of the interval.
    pub level: f64,
    /// What the draws follow from.
    pub seed: Seed,
}

impl Resampling {
    /// The usual resampling: 95 % from 2000 draws.
    pub fn new(seed: Seed) -> Resampling {
        Resampling { times: 2000, level: LEVEL, seed }
    }
}

/// A figure with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bootstrapped {
    /// The figure.
    pub value: f64,
    /// From where to where it may be; unbounded if too little is known.
    pub interval: [f64; 2],
}

/// A statistic of all deals, with the percentile interval of the same statistic of deals drawn again.
///
/// Draws whose statistic is no number (such as a mean of nothing) are left out.
pub fn bootstrap<T>(deals: &[T], statistic: impl Fn(&[&T]) -> f64, how: &Resampling) -> Bootstrapped {
    let mut drawn: Vec<&T> = deals.iter().collect();
    let value = statistic(&drawn);
    let mut rng = Rng::new(how.seed.child("bootstrap"));
    let again = |_| {
        for place in &mut drawn {
            *place = &deals[rng.index(deals.len())];
        }
        statistic(&drawn)
    };
    let values: Vec<f64> = (0..how.times).map(again).filter(|value| !value.is_nan()).collect();
    Bootstrapped { value, interval: percentiles(values, how.level) }
}

/// The ratio of two sums over deals, each `(sum, count)`: a mean per game, seat or move.
pub fn bootstrap_ratio(deals: &[(f64, f64)], how: &Resampling) -> Bootstrapped {
    let ratio = |drawn: &[&(f64, f64)]| {
        let (sum, count) = drawn.iter().fold((0.0, 0.0), |(sum, count), (s, c)| (sum + s, count + c));
        sum / count
    };
    bootstrap(deals, ratio, how)
}

/// The ends between which the middle share of the values lies.
fn percentiles(mut values: Vec<f64>, level: f64) -> [f64; 2] {
    if values.is_empty() {
        return [f64::NEG_INFINITY, f64::INFINITY];
    }
    values.sort_by(f64::total_cmp);
    let outside = (1.0 - level.clamp(0.0, 1.0)) / 2.0;
    [outside, 1.0 - outside].map(|share| {
        let place = share * (values.len() - 1) as f64;
        let (below, above) = (values[place.floor() as usize], values[place.ceil() as usize]);
        // Equal neighbours may be infinite, and their difference no number.
        if below == above { below } else { below + (above - below) * place.fract() }
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::near;
    use super::*;

    fn how(seed: u64) -> Resampling {
        Resampling::new(Seed::new(seed))
    }

    /// Scores of many deals, as random as games are.
    fn deals(count: usize) -> Vec<(f64, f64)> {
        let mut rng = Rng::new(Seed::new(3));
        (0..count).map(|_| (f64::from(rng.below(5)) / 2.0, 2.0)).collect()
    }

    #[test]
    fn it_agrees_with_all_resamples_listed() {
        // Three deals: 27 equally probable resamples.
        let three = [(0.0, 1.0), (3.0, 2.0), (1.0, 4.0)];
        let mut all = Vec::new();
        for i in 0..27usize {
            let drawn = [three[i / 9], three[i / 3 % 3], three[i % 3]];
            all.push(drawn.iter().map(|d| d.0).sum::<f64>() / drawn.iter().map(|d| d.1).sum::<f64>());
        }
        let level = 0.7; // its ends are not at a jump of the 27 values
        let expected = percentiles(all.repeat(1000), level);
        let found = bootstrap_ratio(&three, &Resampling { times: 20_000, level, ..how(1) });
        near(found.value, 4.0 / 7.0, 1e-12);
        near(found.interval[0], expected[0], 1e-9);
        near(found.interval[1], expected[1], 1e-9);
    }

    #[test]
    fn of_independent_deals_it_is_the_normal_interval() {
        let deals = deals(1000);
        let found = bootstrap_ratio(&deals, &how(1));
        let per_game: Vec<f64> = deals.iter().map(|(sum, count)| sum / count).collect();
        let sample = crate::stats::Sample::of(&per_game);
        let half = 1.96 * (sample.variance / 1000.0).sqrt();
        near(found.value, sample.mean, 1e-12);
        near(found.interval[0], sample.mean - half, 0.1 * half);
        near(found.interval[1], sample.mean + half, 0.1 * half);
    }

    #[test]
    fn what_hangs_together_counts_once() {
        // Four games with always the same result say no more than one.
        let once = deals(300);
        let fourfold: Vec<(f64, f64)> = once.iter().map(|(sum, count)| (4.0 * sum, 4.0 * count)).collect();
        assert_eq!(bootstrap_ratio(&once, &how(5)), bootstrap_ratio(&fourfold, &how(5)));
    }

    #[test]
    fn the_seed_decides() {
        let deals = deals(50);
        assert_eq!(bootstrap_ratio(&deals, &how(1)), bootstrap_ratio(&deals, &how(1)));
        assert_ne!(bootstrap_ratio(&deals, &how(1)), bootstrap_ratio(&deals, &how(2)));
    }

    #[test]
    fn any_statistic_will_do() {
        let scores: Vec<Vec<f64>> = deals(99).iter().map(|deal| vec![deal.0; 3]).collect();
        let largest =
            |drawn: &[&Vec<f64>]| drawn.iter().flat_map(|v| v.iter()).fold(0.0, |a: f64, b| a.max(*b));
        let found = bootstrap(&scores, largest, &how(1));
        assert_eq!((found.value, found.interval[1]), (2.0, 2.0));
    }

    #[test]
    fn nothing_is_known_of_nothing() {
        let found = bootstrap_ratio(&[], &how(1));
        assert!(found.value.is_nan());
        assert_eq!(found.interval, [f64::NEG_INFINITY, f64::INFINITY]);
        let never = Resampling { times: 0, ..how(1) };
        assert_eq!(bootstrap_ratio(&deals(3), &never).interval, [f64::NEG_INFINITY, f64::INFINITY]);
        let rare = bootstrap_ratio(&[(0.0, 0.0), (1.0, 2.0)], &how(1));
        assert_eq!(rare.interval, [0.5, 0.5], "means of nothing are left out");
    }
}
