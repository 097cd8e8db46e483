//! Whether two figures of the same games rise together.

use super::distributions::student_beyond;
use serde::Serialize;

/// A correlation by ranks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RankCorrelation {
    /// Spearman's ρ: 1 where the one always rises with the other, −1 where it always falls.
    pub rho: f64,
    /// How probable so strong a correlation is, to either side, if there is none (Student's approximation).
    pub p: f64,
}

/// Spearman's rank correlation; equal values share their ranks. Of fewer than three pairs, or of values that are all the
/// same, nothing is known.
pub fn rank_correlation(pairs: &[(f64, f64)]) -> RankCorrelation {
    let [x, y] = [ranks(pairs.iter().map(|pair| pair.0)), ranks(pairs.iter().map(|pair| pair.1))];
    let count = pairs.len() as f64;
    let middle = (count - 1.0) / 2.0;
    let product =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - middle) * (b - middle)).sum::<f64>();
    let rho = product(&x, &y) / (product(&x, &x) * product(&y, &y)).sqrt();
    if pairs.len() < 3 || rho.is_nan() {
        return RankCorrelation { rho: 0.0, p: 1.0 };
    }
    let rho = rho.clamp(-1.0, 1.0);
    let freedom = count - 2.0;
    RankCorrelation { rho, p: student_beyond(rho * (freedom / (1.0 - rho * rho)).sqrt(), freedom) }
}

/// The rank of each value from 0, the mean of their ranks for equal ones.
fn ranks(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let values: Vec<f64> = values.collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for equals in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let mean = before as f64 + (equals.len() - 1) as f64 / 2.0;
        equals.iter().for_each(|&place| ranks[place] = mean);
        before += equals.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::super::testing::near;
    use super::*;

    #[test]
    fn a_textbook_example() {
        // Intelligence and hours before the television: ρ = −29/165, t = −0.506 with 8 degrees of freedom.
        let iq = [106.0, 100.0, 86.0, 101.0, 99.0, 103.0, 97.0, 113.0, 112.0, 110.0];
        let hours = [7.0, 27.0, 2.0, 50.0, 28.0, 29.0, 20.0, 12.0, 6.0, 17.0];
        let found = rank_correlation(&iq.into_iter().zip(hours).collect::<Vec<_>>());
        near(found.rho, -29.0 / 165.0, 1e-12);
        near(found.p, 0.627188, 1e-6);
    }

    #[test]
    fn only_the_order_counts_and_equals_share_a_rank() {
        let rising: Vec<(f64, f64)> = (0..9).map(|i| (f64::from(i), f64::from(i).exp())).collect();
        let found = rank_correlation(&rising);
        assert_eq!((found.rho, found.p), (1.0, 0.0));
        let falling: Vec<(f64, f64)> = rising.iter().map(|&(x, y)| (x, -y)).collect();
        assert_eq!(rank_correlation(&falling).rho, -1.0);
        assert_eq!(ranks([5.0, 1.0, 5.0, 9.0].into_iter()), [1.5, 0.0, 1.5, 3.0]);
        let nothing = RankCorrelation { rho: 0.0, p: 1.0 };
        assert_eq!(rank_correlation(&[(1.0, 2.0), (3.0, 4.0)]), nothing);
        assert_eq!(rank_correlation(&[(1.0, 2.0), (1.0, 4.0), (1.0, 3.0)]), nothing);
    }
}
