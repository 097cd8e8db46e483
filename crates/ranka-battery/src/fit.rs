//! Do counts fit probabilities? Bounds are wide: with fixed seeds a fair source never fails.

/// Panics if `counts` do not fit `probabilities` by χ².
pub(crate) fn assert_fits(what: &str, counts: &[u64], probabilities: &[f64]) {
    let draws = counts.iter().sum::<u64>() as f64;
    // χ² means nothing where few are expected: the rare ones are counted as one.
    let (mut chi2, mut cells) = (0.0, 0);
    let (mut rare, mut rare_expected) = (0.0, 0.0);
    for (&count, &p) in counts.iter().zip(probabilities) {
        let (count, expected) = (count as f64, p * draws);
        if expected < 5.0 {
            (rare, rare_expected) = (rare + count, rare_expected + expected);
        } else {
            chi2 += (count - expected).powi(2) / expected;
            cells += 1;
        }
    }
    if rare_expected >= 5.0 {
        chi2 += (rare - rare_expected).powi(2) / rare_expected;
        cells += 1;
    }
    let freedom = f64::from((cells - 1).max(0));
    let bound = freedom + 8.0 * (2.0 * freedom).sqrt() + 12.0;
    assert!(chi2 <= bound, "{what} are unfair: χ² = {chi2:.1} with {freedom} degrees of freedom, {counts:?}");
}

/// Panics if the means of two samples differ by more than chance allows.
pub(crate) fn assert_same_mean(what: &str, a: &[f64], b: &[f64]) {
    let [(mean_a, error_a), (mean_b, error_b)] = [a, b].map(|sample| {
        let n = sample.len() as f64;
        let mean = sample.iter().sum::<f64>() / n;
        (mean, sample.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n * n))
    });
    let bound = 6.0 * (error_a + error_b).sqrt() + 1e-9;
    assert!((mean_a - mean_b).abs() <= bound, "{what}: {mean_a} against {mean_b}, at most {bound} apart");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fair_counts_pass() {
        assert_fits("coins", &[520, 480], &[0.5, 0.5]);
        assert_fits("rare things", &[998, 1, 1], &[0.996, 0.002, 0.002]);
        assert_same_mean("values", &[0.0, 1.0, 1.0, 0.0], &[1.0, 0.0, 1.0, 1.0]);
    }

    #[test]
    #[should_panic(expected = "coins are unfair")]
    fn loaded_coins_fail() {
        assert_fits("coins", &[600, 400], &[0.5, 0.5]);
    }

    #[test]
    #[should_panic(expected = "values: 1 against 0")]
    fn other_means_fail() {
        assert_same_mean("values", &[1.0, 1.0], &[0.0, 0.0]);
    }
}
