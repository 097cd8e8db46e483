//! What was measured against a reference figure, or against another measurement.

use super::binomial::binomial_test;
use super::distributions::{beyond, student_beyond, t_of};
use super::proportion::wilson;
use serde::Serialize;

/// The difference between two figures, and whether there is one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The first figure less the second.
    pub difference: f64,
    /// From where to where it may be.
    pub interval: [f64; 2],
    /// The test's statistic: normal deviations for proportions, Student's t for means.
    pub statistic: f64,
    /// How probable so large a difference is, to either side, if there is none.
    pub p: f64,
}

/// Compares two proportions, each `(successes, trials)`: the score test, which pools the two, and Newcombe's
/// interval of the difference, which joins their Wilson intervals (his method 10).
pub fn proportions(one: (u64, u64), other: (u64, u64), level: f64) -> Comparison {
    let [(k1, n1), (k2, n2)] = [one, other].map(|(k, n)| (k.min(n) as f64, n as f64));
    if n1 == 0.0 || n2 == 0.0 {
        return UNKNOWN_PROPORTIONS;
    }
    let (p1, p2) = (k1 / n1, k2 / n2);
    let [[low1, high1], [low2, high2]] = [one, other].map(|(k, n)| wilson(k, n, level));
    let difference = p1 - p2;
    let pooled = (k1 + k2) / (n1 + n2);
    let error = (pooled * (1.0 - pooled) * (1.0 / n1 + 1.0 / n2)).sqrt();
    let statistic = ratio(difference, error);
    let interval = [difference - (p1 - low1).hypot(high2 - p2), difference + (high1 - p1).hypot(p2 - low2)];
    Comparison { difference, interval, statistic, p: beyond(statistic) }
}

const UNKNOWN_PROPORTIONS: Comparison =
    Comparison { difference: 0.0, interval: [-1.0, 1.0], statistic: 0.0, p: 1.0 };

/// Compares a measured proportion with a share that is known exactly: the exact binomial test, and Wilson's
/// interval less that share.
pub fn proportion_against(successes: u64, trials: u64, share: f64, level: f64) -> Comparison {
    if trials == 0 {
        return Comparison { interval: [-share, 1.0 - share], ..UNKNOWN_PROPORTIONS };
    }
    let difference = successes.min(trials) as f64 / trials as f64 - share;
    Comparison {
        difference,
        interval: wilson(successes, trials, level).map(|end| end - share),
        statistic: ratio(difference, (share * (1.0 - share) / trials as f64).sqrt()),
        p: binomial_test(successes, trials, share).two_sided,
    }
}

/// What is known of a mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// How many values there were.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// Their variance, the sum of squares divided by one less than their number.
    pub variance: f64,
}

impl Sample {
    /// The sample of these values.
    pub fn of(values: &[f64]) -> Sample {
        Sample::over(values.iter().copied())
    }

    /// Of values that are gone through several times and not held.
    pub fn over(values: impl Iterator<Item = f64> + Clone) -> Sample {
        let number = values.clone().count() as u64;
        if number == 0 {
            return Sample::default();
        }
        let count = number as f64;
        let mean = values.clone().sum::<f64>() / count;
        let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
        Sample { count: number, mean, variance: squares / (count - 1.0).max(1.0) }
    }

    /// The variance of the mean.
    fn of_mean(&self) -> f64 {
        self.variance / self.count as f64
    }
}

/// Compares two means by Welch's test, which does not take their variances for equal.
///
/// With fewer than two values on a side nothing is known. Values that are all the same are taken at their
/// word: compare shares of wins by [`proportions`], which knows better.
pub fn means(one: Sample, other: Sample, level: f64) -> Comparison {
    let (a, b) = (one.of_mean(), other.of_mean());
    let parts = a * a / (one.count as f64 - 1.0) + b * b / (other.count as f64 - 1.0);
    let freedom = (a + b).powi(2) / parts;
    by_student(one.mean - other.mean, (a + b).sqrt(), freedom, one.count.min(other.count), level)
}

/// Compares a mean with a constant that is known exactly, by Student's test.
pub fn mean_against(sample: Sample, constant: f64, level: f64) -> Comparison {
    let freedom = sample.count as f64 - 1.0;
    by_student(sample.mean - constant, sample.of_mean().sqrt(), freedom, sample.count, level)
}

fn by_student(difference: f64, error: f64, freedom: f64, fewest: u64, level: f64) -> Comparison {
    if fewest < 2 {
        let interval = [f64::NEG_INFINITY, f64::INFINITY];
        return Comparison { difference, interval, statistic: 0.0, p: 1.0 };
    }
    let statistic = ratio(difference, error);
    if error == 0.0 {
        let p = if difference == 0.0 { 1.0 } else { 0.0 };
        return Comparison { difference, interval: [difference; 2], statistic, p };
    }
    let half = t_of(level, freedom) * error;
    let interval = [difference - half, difference + half];
    Comparison { difference, interval, statistic, p: student_beyond(statistic, freedom) }
}

/// How many errors a difference is; 0 if there is none, whatever the error.
fn ratio(difference: f64, error: f64) -> f64 {
    if difference == 0.0 { 0.0 } else { difference / error }
}

#[cfg(test)]
mod tests {
    use super::super::testing::near;
    use super::*;

    #[test]
    fn newcombes_own_examples() {
        // Newcombe (1998), Statistics in Medicine 17, 873–890, table II, method 10.
        for (one, other, low, high) in [
            ((56, 70), (48, 80), 0.0524, 0.3339),
            ((9, 10), (3, 10), 0.1705, 0.8090),
            ((5, 56), (0, 29), -0.0381, 0.1926),
            ((0, 10), (0, 20), -0.1611, 0.2775),
            ((10, 10), (0, 10), 0.6075, 1.0000),
        ] {
            let found = proportions(one, other, 0.95);
            near(found.interval[0], low, 5.1e-5);
            near(found.interval[1], high, 5.1e-5);
        }
    }

    #[test]
    fn the_score_test_is_the_chi_square_of_the_table() {
        // χ² of a 2×2 table: n(ad − bc)²/…
        let found = proportions((56, 70), (48, 80), 0.95);
        let (a, b, c, d) = (56f64, 14f64, 48f64, 32f64);
        let chi = 150.0 * (a * d - b * c).powi(2) / (70.0 * 80.0 * 104.0 * 46.0);
        near(found.statistic.powi(2), chi, 1e-12);
        near(found.p, 0.00816, 2e-4);
    }

    const SLEEP: [[f64; 10]; 2] = [
        [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
        [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
    ];

    #[test]
    fn students_sleep_data_as_r_tests_them() {
        let [one, other] = SLEEP.map(|values| Sample::of(&values));
        let found = means(one, other, 0.95);
        near(found.statistic, -1.8608, 5e-5);
        near(found.p, 0.07939, 5e-6);
        near(found.interval[0], -3.3654832, 1e-6);
        near(found.interval[1], 0.2054832, 1e-6);
        let paired: Vec<f64> = SLEEP[0].iter().zip(SLEEP[1]).map(|(a, b)| a - b).collect();
        let found = mean_against(Sample::of(&paired), 0.0, 0.95);
        near(found.statistic, -4.0621, 5e-5);
        near(found.p, 0.002833, 5e-7);
        near(found.interval[0], -2.4598858, 1e-6);
        near(found.interval[1], -0.7001142, 1e-6);
    }

    #[test]
    fn deals_of_two_matches_as_scipy_tests_them() {
        // scipy 1.17.1: r = scipy.stats.ttest_ind(one, other, equal_var=False), where
        // one = numpy.repeat([0, .25, .5, .75, 1], [21, 9, 38, 12, 20]) and other the same of [8, 7, 31, 19, 35];
        // r.statistic, r.pvalue, r.confidence_interval(0.95)
        let deals = |counts: [usize; 5]| {
            let of = |(quarters, count)| std::iter::repeat_n(0.25 * f64::from(quarters), count);
            Sample::of(&(0u8..).zip(counts).flat_map(of).collect::<Vec<_>>())
        };
        let found = means(deals([21, 9, 38, 12, 20]), deals([8, 7, 31, 19, 35]), 0.95);
        near(found.statistic, -3.510_393_824_452_973, 1e-12);
        near(found.p, 0.000_554_896_783_303_723_9, 1e-12);
        near(found.interval[0], -0.253_791_410_410_405, 1e-9);
        near(found.interval[1], -0.071_208_589_589_595_21, 1e-9);
    }

    #[test]
    fn a_known_share_is_in_or_out() {
        let found = proportion_against(682, 925, 0.75, 0.95);
        near(found.p, 0.3825, 5e-5);
        assert!(found.interval[0] < 0.0 && 0.0 < found.interval[1]);
        assert!(proportion_against(600, 1000, 0.5, 0.95).interval[0] > 0.0);
    }

    #[test]
    fn little_is_known_of_little() {
        assert_eq!(proportions((0, 0), (3, 4), 0.95).interval, [-1.0, 1.0]);
        assert_eq!(proportion_against(0, 0, 0.25, 0.95).interval, [-0.25, 0.75]);
        let one = Sample::of(&[3.0]);
        assert_eq!((means(one, one, 0.95).p, mean_against(Sample::of(&[]), 1.0, 0.95).p), (1.0, 1.0));
        let same = Sample::of(&[2.0, 2.0, 2.0]);
        assert_eq!((means(same, same, 0.95).p, mean_against(same, 1.0, 0.95).p), (1.0, 0.0));
        assert_eq!(mean_against(same, 2.0, 0.95).interval, [0.0, 0.0]);
        assert_eq!(proportions((5, 5), (7, 7), 0.95).p, 1.0);
        assert_eq!(proportion_against(5, 5, 1.0, 0.95).p, 1.0);
        let huge = proportions((u64::MAX, u64::MAX), (0, u64::MAX), 0.95);
        assert!(huge.p == 0.0 && huge.difference == 1.0);
    }
}
