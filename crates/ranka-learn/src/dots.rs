//! Sums of products of whole numbers, many at a time. They add up to the same in any order, so every machine may use
//! the widest instructions it has.

/// Channels come in multiples of this.
pub(crate) const LANES: usize = 16;

/// Rows of weights that are gone through together, so that what comes in is loaded once for all of them.
pub(crate) const ROWS: usize = 4;

/// A way to add products.
pub(crate) trait Dots: Copy {
    /// The sum of products of `a` with each row of weights; all have the same length, a multiple of [`LANES`].
    fn dots(self, a: &[[i16; LANES]], rows: [&[[i16; LANES]]; ROWS]) -> [i32; ROWS];
}

/// Plain code, which the compiler makes the best of.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl Dots for Plain {
    #[inline(always)]
    fn dots(self, a: &[[i16; LANES]], rows: [&[[i16; LANES]]; ROWS]) -> [i32; ROWS] {
        rows.map(|b| {
            let products = a.as_flattened().iter().zip(b.as_flattened());
            products.map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
        })
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Dots, LANES, ROWS};
    use pulp::cast;
    use pulp::x86::V3;
    use std::array::from_fn;

    /// Sixteen products and eight sums in two instructions.
    impl Dots for V3 {
        #[inline(always)]
        fn dots(self, a: &[[i16; LANES]], rows: [&[[i16; LANES]]; ROWS]) -> [i32; ROWS] {
            let mut sums = [self.avx._mm256_setzero_si256(); ROWS];
            let rows = rows.map(|row| &row[..a.len()]);
            for (i, &lanes) in a.iter().enumerate() {
                let lanes = cast(lanes);
                sums = from_fn(|k| {
                    let products = self.avx2._mm256_madd_epi16(lanes, cast(rows[k][i]));
                    self.avx2._mm256_add_epi32(sums[k], products)
                });
            }
            sums.map(|sum| cast::<_, [i32; LANES / 2]>(sum).into_iter().sum())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_core::{Rng, Seed};

    /// Every way to add gives the same, up to the largest numbers that occur.
    #[test]
    fn all_ways_add_up_to_the_same() {
        let mut rng = Rng::new(Seed::new(3));
        for chunks in [1, 3, 9 * 224 / LANES] {
            let mut row = |most: u32| -> Vec<[i16; LANES]> {
                (0..chunks)
                    .map(|_| [(); LANES].map(|()| rng.below(2 * most + 1) as i16 - most as i16))
                    .collect()
            };
            let (a, rows) = (row(8191), [row(127), row(127), row(127), vec![[127; LANES]; chunks]]);
            let rows = [0, 1, 2, 3].map(|k| &rows[k][..]);
            let plain = Plain.dots(&a, rows);
            let by_hand = rows.map(|row| {
                let products = a.as_flattened().iter().zip(row.as_flattened());
                products.map(|(&a, &b)| i64::from(a) * i64::from(b)).sum::<i64>()
            });
            assert_eq!(plain.map(i64::from), by_hand);
            #[cfg(target_arch = "x86_64")]
            if let Some(simd) = pulp::x86::V3::try_new() {
                assert_eq!(simd.vectorize(|| simd.dots(&a, rows)), plain);
            }
        }
    }
}
