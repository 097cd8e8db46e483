//! Small square matrices.

/// Rows of numbers.
pub(super) type Matrix = Vec<Vec<f64>>;

/// A square matrix of zeros.
pub(super) fn zeros(size: usize) -> Matrix {
    vec![vec![0.0; size]; size]
}

/// The inverse (Gauss and Jordan, with the largest pivots); none if there is none.
pub(super) fn inverse(matrix: Matrix) -> Option<Matrix> {
    let size = matrix.len();
    // The unit matrix beside it becomes the inverse.
    let beside = |(i, mut row): (usize, Vec<f64>)| {
        row.extend((0..size).map(|j| if i == j { 1.0 } else { 0.0 }));
        row
    };
    let mut rows: Matrix = matrix.into_iter().enumerate().map(beside).collect();
    for column in 0..size {
        let largest = |a: &usize, b: &usize| rows[*a][column].abs().total_cmp(&rows[*b][column].abs());
        let best = (column..size).max_by(largest)?;
        rows.swap(column, best);
        let scale = rows[column][column];
        if scale == 0.0 || !scale.is_finite() {
            return None;
        }
        let pivot: Vec<f64> = rows[column].iter().map(|x| x / scale).collect();
        for row in &mut rows {
            let factor = row[column];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
        rows[column] = pivot;
    }
    Some(rows.into_iter().map(|mut row| row.split_off(size)).collect())
}

/// The product of a matrix and a vector.
pub(super) fn times(matrix: &Matrix, vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_takes_back() {
        let matrix = vec![vec![0.0, 2.0, 1.0], vec![1.0, -3.0, 0.5], vec![4.0, 0.0, 7.0]];
        let vector = [1.0, -2.0, 3.0];
        let back = times(&inverse(matrix.clone()).unwrap(), &times(&matrix, &vector));
        for (found, expected) in back.iter().zip(vector) {
            assert!((found - expected).abs() < 1e-12, "{back:?}");
        }
    }

    #[test]
    fn a_singular_matrix_has_none() {
        assert_eq!(inverse(vec![vec![1.0, 2.0], vec![2.0, 4.0]]), None);
        assert_eq!(inverse(vec![vec![f64::NAN]]), None);
        assert_eq!(inverse(Vec::new()), Some(Vec::new()));
    }
}
