//! Holm's correction for a table of tests.

/// The p-values of a table, corrected so that the chance of even one false alarm among all of them stays at
/// the level that a corrected value is compared with. They keep their places.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![1.0; p_values.len()];
    let mut so_far = 0f64;
    for (rank, place) in order.into_iter().enumerate() {
        so_far = so_far.max((p_values.len() - rank) as f64 * p_values[place]).min(1.0);
        corrected[place] = so_far;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_textbooks_example() {
        // Wikipedia's: p = 0.01, 0.04, 0.03, 0.005 become 0.03, 0.06, 0.06, 0.02.
        let found = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expected) in found.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }

    #[test]
    fn it_rejects_what_the_step_down_procedure_rejects() {
        let p_values = [0.001, 0.2, 0.013, 0.013, 0.6, 0.009];
        let mut sorted = p_values;
        sorted.sort_by(f64::total_cmp);
        let rejected = sorted.iter().enumerate().take_while(|(i, p)| **p <= 0.05 / (6 - i) as f64).count();
        assert_eq!(holm(&p_values).iter().filter(|p| **p <= 0.05).count(), rejected);
    }

    #[test]
    fn nothing_stays_nothing_and_one_stays_itself() {
        assert_eq!(holm(&[]), Vec::<f64>::new());
        assert_eq!(holm(&[0.3]), [0.3]);
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    }
}
