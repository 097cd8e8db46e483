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
