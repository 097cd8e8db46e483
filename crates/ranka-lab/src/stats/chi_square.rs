//! The χ² test of goodness of fit.

use super::distributions::chi_square_above;
use ranka_core::Error;
use serde::Serialize;

/// What a χ² test finds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ChiSquare {
    /// The statistic: the sum of `(observed − expected)²/expected`.
    pub statistic: f64,
    /// The degrees of freedom: one less than the cells in which something is expected.
    pub freedom: usize,
    /// How probable so large a statistic is if the expected shares are the true ones.
    pub p: f64,
}

/// Tests counts against expected shares, which need not add up to 1.
pub fn chi_square(observed: &[u64], shares: &[f64]) -> Result<ChiSquare, Error> {
    let refuse = |why: String| Err(Error::input(format!("χ² test: {why}")));
    if observed.len() != shares.len() {
        return refuse(format!("{} counts but {} expected shares", observed.len(), shares.len()));
    }
    if let Some(bad) = shares.iter().find(|share| !share.is_finite() || **share < 0.0) {
        return refuse(format!("an expected share of {bad}"));
    }
    let whole: f64 = shares.iter().sum();
    if whole <= 0.0 || !whole.is_finite() {
        return refuse(format!("the expected shares add up to {whole}"));
    }
    let total: f64 = observed.iter().map(|&count| count as f64).sum();
    let terms = observed.iter().zip(shares).map(|(&count, share)| {
        let expected = total * share / whole;
        match (count, expected == 0.0) {
            (0, true) => 0.0,
            (_, true) => f64::INFINITY,
            _ => (count as f64 - expected).powi(2) / expected,
        }
    });
    let statistic = terms.sum();
    let freedom = shares.iter().filter(|&&share| share > 0.0).count() - 1;
    Ok(ChiSquare { statistic, freedom, p: chi_square_above(statistic, freedom) })
}

#[cfg(test)]
mod tests {
    use super::super::testing::near;
    use super::*;

    #[test]
    fn published_examples() {
        // Mendel's dihybrid cross, 315 : 108 : 101 : 32 against 9 : 3 : 3 : 1.
        let found = chi_square(&[315, 108, 101, 32], &[9.0, 3.0, 3.0, 1.0]).unwrap();
        near(found.statistic, 0.470, 5e-4);
        near(found.p, 0.9254, 5e-5);
        assert_eq!(found.freedom, 3);
        // 33 : 17 against even.
        let found = chi_square(&[33, 17], &[1.0, 1.0]).unwrap();
        near(found.statistic, 5.12, 1e-12);
        near(found.p, 0.0237, 5e-5);
    }

    #[test]
    fn cells_without_expectation() {
        let found = chi_square(&[5, 5, 0], &[0.5, 0.5, 0.0]).unwrap();
        assert_eq!((found.statistic, found.freedom, found.p), (0.0, 1, 1.0));
        let found = chi_square(&[5, 5, 1], &[0.5, 0.5, 0.0]).unwrap();
        assert_eq!((found.statistic, found.p), (f64::INFINITY, 0.0));
        let nothing = chi_square(&[0, 0], &[1.0, 1.0]).unwrap();
        assert_eq!((nothing.statistic, nothing.p), (0.0, 1.0));
        assert_eq!(chi_square(&[7], &[1.0]).unwrap().p, 1.0);
    }

    #[test]
    fn nonsense_is_refused() {
        for (observed, shares) in [
            (&[1, 2][..], &[1.0][..]),
            (&[], &[]),
            (&[1, 2], &[0.0, 0.0]),
            (&[1, 2], &[-1.0, 2.0]),
            (&[1, 2], &[f64::NAN, 2.0]),
            (&[1, 2], &[f64::INFINITY, 2.0]),
        ] {
            assert!(chi_square(observed, shares).is_err(), "{observed:?} {shares:?}");
        }
    }
}
