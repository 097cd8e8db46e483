//! Intervals of a proportion.

use super::binomial::Binomial;
use super::distributions::{bisect, z_of};

/// Wilson's score interval of the probability behind `successes` among `trials`.
pub fn wilson(successes: u64, trials: u64, level: f64) -> [f64; 2] {
    let share = successes as f64 / trials as f64;
    wilson_of(share.min(1.0), trials as f64, level)
}

/// Wilson's interval of a share that was found among `trials`, which need not be a whole number.
pub(super) fn wilson_of(share: f64, trials: f64, level: f64) -> [f64; 2] {
    if trials <= 0.0 {
        return [0.0, 1.0];
    }
    let z = z_of(level);
    let z2 = z * z;
    let centre = (share + z2 / (2.0 * trials)) / (1.0 + z2 / trials);
    let half =
        z / (1.0 + z2 / trials) * (share * (1.0 - share) / trials + z2 / (4.0 * trials * trials)).sqrt();
    // Where all was won or lost the end is 1 or 0 itself, which rounding would miss.
    let low = if share <= 0.0 { 0.0 } else { centre - half };
    let high = if share >= 1.0 { 1.0 } else { centre + half };
    [low.max(0.0), high.min(1.0)]
}

/// The exact interval of Clopper and Pearson, which holds the probability at least as often as it says.
pub fn clopper_pearson(successes: u64, trials: u64, level: f64) -> [f64; 2] {
    let successes = successes.min(trials);
    if trials == 0 {
        return [0.0, 1.0];
    }
    let outside = (1.0 - level.clamp(0.0, 1.0)) / 2.0;
    let law = |share| Binomial::new(trials, share);
    let low = match successes {
        0 => 0.0,
        k => bisect(0.0, 1.0, |share| law(share).at_least(k) < outside),
    };
    let high = match successes {
        k if k == trials => 1.0,
        k => bisect(0.0, 1.0, |share| law(share).at_most(k) > outside),
    };
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::super::testing::near;
    use super::*;

    #[test]
    fn the_published_intervals() {
        // Newcombe (1998), Statistics in Medicine 17, table I: Wilson without correction, and Clopper–Pearson.
        for (k, n, score, exact) in [
            (81, 263, [0.2553, 0.3662], [0.2527, 0.3676]),
            (15, 148, [0.0624, 0.1605], [0.0578, 0.1617]),
            (0, 20, [0.0000, 0.1611], [0.0000, 0.1684]),
            (1, 29, [0.0061, 0.1718], [0.0009, 0.1776]),
        ] {
            for (found, published) in [(wilson(k, n, 0.95), score), (clopper_pearson(k, n, 0.95), exact)] {
                near(found[0], published[0], 5.1e-5);
                near(found[1], published[1], 5.1e-5);
            }
        }
    }

    #[test]
    fn long_matches_and_rare_events() {
        // As SciPy computes it.
        let [low, high] = clopper_pearson(123_456, 1_000_000, 0.95);
        near(low, 0.122_811_841_629_630, 1e-12);
        near(high, 0.124_102_340_276_803, 1e-12);
        // The tables' exact limits of a Poisson count of 5.
        let [low, high] = clopper_pearson(5, 1_000_000_000_000, 0.95).map(|share| share * 1e12);
        near(low, 1.6235, 5.1e-5);
        near(high, 11.6683, 5.1e-5);
    }

    #[test]
    fn the_exact_interval_covers_what_it_promises() {
        // By listing all results: how often does the interval hold the true share?
        for share in [0.03, 0.2, 0.5, 0.77] {
            for trials in [1, 5, 23] {
                let law = Binomial::new(trials, share);
                let covered: f64 = (0..=trials)
                    .filter(|&k| {
                        let [low, high] = clopper_pearson(k, trials, 0.9);
                        low <= share && share <= high
                    })
                    .map(|k| law.at_least(k) - if k < trials { law.at_least(k + 1) } else { 0.0 })
                    .sum();
                assert!(covered >= 0.9, "{covered} of {share} in {trials}");
            }
        }
    }

    #[test]
    fn the_ends_answer_sensibly() {
        assert_eq!((wilson(0, 0, 0.95), clopper_pearson(0, 0, 0.95)), ([0.0, 1.0], [0.0, 1.0]));
        assert_eq!((wilson(9, 9, 0.95)[1], clopper_pearson(9, 9, 0.95)[1]), (1.0, 1.0));
        near(clopper_pearson(9, 9, 0.95)[0], 0.025f64.powf(1.0 / 9.0), 1e-12);
        for (k, n) in [(1, u64::MAX), (u64::MAX / 2, u64::MAX), (u64::MAX, u64::MAX), (3_000_000, 1 << 40)] {
            let ([low, high], [exact_low, exact_high]) = (wilson(k, n, 0.95), clopper_pearson(k, n, 0.95));
            let share = k as f64 / n as f64;
            assert!(low <= share && share <= high, "{k} of {n}");
            assert!(exact_low <= share && share <= exact_high, "{k} of {n}: {exact_low} {exact_high}");
        }
        assert_eq!(clopper_pearson(0, u64::MAX, 0.95)[0], 0.0);
    }

    #[test]
    fn more_confidence_is_wider() {
        for interval in [wilson, clopper_pearson] {
            let widths = [0.5, 0.8, 0.95, 0.999].map(|level| {
                let [low, high] = interval(30, 70, level);
                high - low
            });
            assert!(widths.is_sorted() && widths[0] < widths[3], "{widths:?}");
        }
    }
}
