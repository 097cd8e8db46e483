//! The one source of randomness: a named generator with our own sampling on top.
//!
//! The generator is xoshiro256++ seeded through SplitMix64. Bounded numbers, shuffles and reals are
//! written here and pinned by tests, so that a library's change of method can never change a result.

use crate::Seed;
use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A seeded, portable random source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The stream that belongs to a seed.
    #[inline]
    pub fn new(seed: Seed) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed.value()))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number below `n`, without bias: the high half of a 32×32-bit product, drawn again in
    /// the few cases that would favour some numbers.
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "there is no number below 0");
        let mut product = (self.bits() >> 32) * u64::from(n);
        if (product as u32) < n {
            let biased = n.wrapping_neg() % n;
            while (product as u32) < biased {
                product = (self.bits() >> 32) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// A uniform index into something of length `len`.
    #[inline]
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u32) as usize
    }

    /// A uniform element.
    ///
    /// # Panics
    /// If `items` is empty.
    #[inline]
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.index(items.len())]
    }

    /// A uniform real in `0..1`, a multiple of 2⁻⁵³.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True with probability `p`.
    #[inline]
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// Puts the items into a uniformly random order (Fisher and Yates, from the back).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.index(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Computed independently, in another language, from the generators' published definitions.
    // Whoever changes one of these outputs changes every published result: raise the rules' versions.
    #[test]
    fn the_streams_are_pinned() {
        let mut rng = Rng::new(Seed::new(2026));
        assert_eq!(
            [rng.bits(), rng.bits(), rng.bits()],
            [7876778575317408663, 11327947559129167783, 13317806937878235853]
        );
        let numbers: Vec<u32> = (0..12).map(|_| rng.below(6)).collect();
        assert_eq!(numbers, [5, 0, 5, 4, 5, 4, 2, 5, 3, 5, 5, 2]);
        let mut deck: Vec<u8> = (0..10).collect();
        rng.shuffle(&mut deck);
        assert_eq!(deck, [7, 3, 9, 0, 5, 8, 1, 4, 6, 2]);
        assert_eq!(rng.unit(), 0.9364761202823346);
    }

    #[test]
    fn bounded_numbers_are_uniform() {
        let mut rng = Rng::new(Seed::new(1));
        for n in [1, 2, 3, 7, 44, 1000] {
            let draws = 2000 * n;
            let mut counts = vec![0u32; n as usize];
            (0..draws).for_each(|_| counts[rng.below(n) as usize] += 1);
            let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - 2000.0).powi(2) / 2000.0).sum();
            let freedom = f64::from(n - 1);
            assert!(chi2 <= freedom + 5.0 * (2.0 * freedom).sqrt(), "n = {n}: χ² = {chi2}");
        }
    }
}
