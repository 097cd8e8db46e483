//! The distributions that the tests need, on top of the special functions of `statrs`.

use libm::erfc; // that of statrs has eleven digits only
use statrs::distribution::{ChiSquared, ContinuousCDF, StudentsT};
use statrs::function::erf::erfc_inv;
use std::f64::consts::SQRT_2;

/// The usual confidence of an interval.
pub const LEVEL: f64 = 0.95;

/// How probable a standard normal number is to be at most `z`.
pub fn normal_below(z: f64) -> f64 {
    erfc(-z / SQRT_2) / 2.0
}

/// The number that a standard normal one stays below with probability `share`.
pub fn normal_quantile(share: f64) -> f64 {
    -SQRT_2 * erfc_inv(2.0 * share.clamp(0.0, 1.0))
}

/// How many standard deviations an interval of this confidence reaches to either side.
pub(super) fn z_of(level: f64) -> f64 {
    // Written so that levels very near to 1 keep their digits.
    -normal_quantile((1.0 - level.clamp(0.0, 1.0 - 1e-15)) / 2.0)
}

/// How probable a standard normal number is to be as far from 0 as `z`, to either side.
pub(super) fn beyond(z: f64) -> f64 {
    (2.0 * normal_below(-z.abs())).min(1.0)
}

/// How probable a χ² of so many degrees of freedom is to exceed `x`; 1 without freedom.
pub(super) fn chi_square_above(x: f64, freedom: usize) -> f64 {
    if x == f64::INFINITY {
        return 0.0;
    }
    ChiSquared::new(freedom as f64).map_or(1.0, |chi| chi.sf(x.max(0.0)))
}

/// How probable a Student's t of so many degrees of freedom is to be as far from 0 as `t`, to either side.
pub(super) fn student_beyond(t: f64, freedom: f64) -> f64 {
    if t.is_infinite() {
        return 0.0;
    }
    // Here both are right to seven digits; beyond, the gamma functions lose theirs.
    if freedom > 1e7 {
        return beyond(t);
    }
    StudentsT::new(0.0, 1.0, freedom).map_or(1.0, |student| (2.0 * student.sf(t.abs())).min(1.0))
}

/// How far an interval of this confidence reaches to either side in Student's distribution.
pub(super) fn t_of(level: f64, freedom: f64) -> f64 {
    let wanted = 1.0 - level.clamp(0.0, 1.0 - 1e-15);
    let mut high = 1.0;
    // A t of one degree of freedom has the heaviest tail that matters; even there this ends soon.
    while student_beyond(high, freedom) > wanted && high < 1e300 {
        high *= 2.0;
    }
    bisect(0.0, high, |t| student_beyond(t, freedom) > wanted)
}

/// Where `below` stops being true between two ends, as exactly as numbers allow.
pub(super) fn bisect(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> f64 {
    // 200 halvings are more than the digits there are, so this is a bound and not a precision.
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if below(middle) { low = middle } else { high = middle }
    }
    low + (high - low) / 2.0
}

#[cfg(test)]
mod tests {
    use super::super::testing::near;
    use super::*;

    #[test]
    fn the_printed_tables() {
        near(normal_below(1.0), 0.841_344_746_068_543, 1e-13);
        near(normal_below(-3.0), 0.001_349_898_031_630_095, 1e-15);
        near(normal_below(-6.0) / 9.865_876_450_376_946e-10, 1.0, 1e-12);
        near(normal_quantile(0.975), 1.959_963_984_540_054, 1e-13);
        near(normal_quantile(0.8), 0.841_621_233_572_914, 1e-13);
        near(z_of(0.99), 2.575_829_303_548_901, 1e-13);
        near(chi_square_above(3.841_458_820_694_124, 1), 0.05, 1e-12);
        near(chi_square_above(18.307_038_053_275_14, 10), 0.05, 1e-12);
        near(t_of(0.95, 1.0), 12.706_204_736_432_1, 1e-8);
        near(t_of(0.95, 10.0), 2.228_138_851_964_94, 1e-9);
        near(t_of(0.99, 30.0), 2.749_995_653_567_23, 1e-9);
    }

    #[test]
    fn much_freedom_is_normal() {
        near(t_of(0.95, 1e9), z_of(0.95), 1e-6);
        near(student_beyond(2.0, 9.9e6), beyond(2.0), 1e-6);
        near(student_beyond(2.0, 1e12), beyond(2.0), 1e-6);
    }

    #[test]
    fn the_ends_are_finite_or_plain() {
        assert_eq!((normal_quantile(0.0), normal_quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert!(z_of(1.0).is_finite() && z_of(0.0).abs() < 1e-15);
        assert_eq!((beyond(0.0), beyond(f64::INFINITY)), (1.0, 0.0));
        assert_eq!(chi_square_above(f64::INFINITY, 3), 0.0);
        assert_eq!(chi_square_above(0.0, 0), 1.0);
        assert_eq!(chi_square_above(1e18, 1), 0.0);
    }
}
