//! Whether something rises or falls along an ordered series of conditions.

use super::distributions::normal_below;
use serde::Serialize;

/// What a test for a trend says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Trend {
    /// In standard deviations: above 0 where the values rise with the level, below where they fall.
    pub z: f64,
    /// How probable so strong a trend is, to either side, if there is none.
    pub p: f64,
}

/// Mantel's test for a trend: in each stratum values, each with the level that it was observed at.
///
/// If the level makes no difference, the values of a stratum could as well have come in any other order. Of all orders,
/// the sum of level × value has the mean Σx Σy / n and the variance Σ(x − x̄)² Σ(y − ȳ)² / (n − 1); the strata's sums
/// are added up. With one stratum of games that are won or lost it is the test of Cochran and Armitage (but for n − 1
/// in place of n), with two levels and a pair of such games in each stratum McNemar's. A stratum with one value, one
/// level, or the same value throughout says nothing.
pub fn trend_test<S: AsRef<[(f64, f64)]>>(strata: impl IntoIterator<Item = S>) -> Trend {
    let (mut excess, mut variance) = (0.0, 0.0);
    for stratum in strata {
        let stratum = stratum.as_ref();
        let n = stratum.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| stratum.iter().map(of).sum::<f64>() / n;
        let (x, y) = (mean(|value| value.0), mean(|value| value.1));
        let sum = |of: &dyn Fn(f64, f64) -> f64| stratum.iter().map(|&(a, b)| of(a - x, b - y)).sum::<f64>();
        if stratum.len() > 1 {
            excess += sum(&|x, y| x * y);
            variance += sum(&|x, _| x * x) * sum(&|_, y| y * y) / (n - 1.0);
        }
    }
    if variance <= 0.0 {
        return Trend { z: 0.0, p: 1.0 };
    }
    let z = excess / variance.sqrt();
    Trend { z, p: (2.0 * normal_below(-z.abs())).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::super::testing::near;
    use super::*;

    /// Values that are 1 so often of so many, level by level.
    fn shares(counts: &[(usize, usize)]) -> Vec<(f64, f64)> {
        let level = |(level, &(ones, of)): (usize, &(usize, usize))| {
            (0..of).map(move |i| (level as f64, if i < ones { 1.0 } else { 0.0 }))
        };
        counts.iter().enumerate().flat_map(level).collect()
    }

    #[test]
    fn one_stratum_is_cochran_and_armitages() {
        // R's example of smokers among patients: `prop.trend.test` gives X² = 8.2249, with n where Mantel has n − 1.
        let smokers = [(83, 86), (90, 93), (129, 136), (70, 82)];
        let n: usize = smokers.iter().map(|(_, of)| of).sum();
        let found = trend_test([shares(&smokers)]);
        assert!(found.z < 0.0, "there are fewer and fewer");
        near(found.z.powi(2) * n as f64 / (n - 1) as f64, 8.2249, 5e-5);
        // As statsmodels' `Table.test_ordinal_association` has it, by sums over the contingency table.
        near(found.z, -2.864_298_273_019_39, 1e-12);
        near(found.p, 0.004_179_342_628_533_94, 1e-12);
    }

    #[test]
    fn two_levels_in_pairs_are_mcnemars() {
        // Agresti's example, approval of a prime minister: 150 and 86 changed their minds, McNemar's z² = 64²/236 = 17.36.
        let pair = |before: f64, after: f64, times: usize| vec![vec![(0.0, before), (1.0, after)]; times];
        let strata =
            [pair(1.0, 1.0, 794), pair(1.0, 0.0, 150), pair(0.0, 1.0, 86), pair(0.0, 0.0, 570)].concat();
        let found = trend_test(&strata);
        near(found.z, -64.0 / 236f64.sqrt(), 1e-12);
        // As statsmodels' `mcnemar` without a correction has it.
        near(found.p, 3.099_293_441_045e-5, 1e-14);
    }

    #[test]
    fn strata_of_three_levels_as_all_orders_have_it() {
        // The mean and the variance over all 6³ ways to order the values within strata, counted out.
        let strata = [[0.0, 0.5, 1.0], [0.5, 0.5, 1.0], [0.25, 0.0, 0.75]];
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let sum = |of: [usize; 3]| -> f64 {
            let weighted = |(stratum, &order): (&[f64; 3], &usize)| -> f64 {
                (0..3).map(|level| level as f64 * stratum[orders[order][level]]).sum()
            };
            strata.iter().zip(&of).map(weighted).sum()
        };
        let all: Vec<f64> = (0..216).map(|i| sum([i / 36, i / 6 % 6, i % 6])).collect();
        let mean = all.iter().sum::<f64>() / 216.0;
        let variance = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 216.0;
        let found = trend_test(strata.map(|values| [0, 1, 2].map(|level| (level as f64, values[level]))));
        near(found.z, (sum([0, 0, 0]) - mean) / variance.sqrt(), 1e-12);
    }

    #[test]
    fn what_is_shared_within_strata_does_not_hide_a_trend() {
        // Deals that are good or bad for everybody, and a little more at each level.
        let deal = |i: usize| if i.is_multiple_of(2) { 0.1 } else { 0.8 };
        let wobble = |i: usize, level: usize| 0.02 * ((7 * i + 3 * level) % 5) as f64;
        let value = |i: usize, level: usize| (level as f64, deal(i) + 0.02 * level as f64 + wobble(i, level));
        let matched: Vec<Vec<(f64, f64)>> =
            (0..30).map(|i| (0..4).map(|level| value(i, level)).collect()).collect();
        let mixed: Vec<(f64, f64)> = matched.concat();
        assert!(trend_test(&matched).p < 1e-4);
        assert!(trend_test([mixed]).p > 0.3);
    }

    #[test]
    fn nothing_says_nothing() {
        let nothing = Trend { z: 0.0, p: 1.0 };
        assert_eq!(trend_test(Vec::<Vec<(f64, f64)>>::new()), nothing);
        assert_eq!(
            trend_test([vec![(1.0, 1.0)], vec![(2.0, 0.5); 3], vec![(1.0, 0.0), (2.0, 0.0)]]),
            nothing
        );
    }
}
