//! Sets of cells: bits in `W` words.
//!
//! Cells are numbered down the columns, so that a set is listed in the game's canonical order (x, then y). One
//! word holds every map of the competitions; [`WIDE`] words hold the largest board that is accepted.

/// The words of the widest set.
pub(crate) const WIDE: usize = 8;
/// The most cells inside the ring of walls.
pub(crate) const MOST_CELLS: usize = 64 * WIDE;

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cells<const W: usize>([u64; W]);

impl<const W: usize> Cells<W> {
    pub(crate) const NONE: Cells<W> = Cells([0; W]);

    #[inline]
    pub(crate) fn only(cell: usize) -> Cells<W> {
        let mut cells = Cells::NONE;
        cells.insert(cell);
        cells
    }

    #[inline]
    pub(crate) fn insert(&mut self, cell: usize) {
        self.0[if W == 1 { 0 } else { cell / 64 }] |= 1 << (cell % 64);
    }

    #[inline]
    pub(crate) fn remove(&mut self, cell: usize) {
        self.0[if W == 1 { 0 } else { cell / 64 }] &= !(1 << (cell % 64));
    }

    #[inline]
    pub(crate) fn has(&self, cell: usize) -> bool {
        self.0[if W == 1 { 0 } else { cell / 64 }] >> (cell % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0 == [0; W]
    }

    #[inline]
    pub(crate) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    pub(crate) fn or(self, other: Cells<W>) -> Cells<W> {
        self.join(other, |a, b| a | b)
    }

    #[inline]
    pub(crate) fn and(self, other: Cells<W>) -> Cells<W> {
        self.join(other, |a, b| a & b)
    }

    #[inline]
    pub(crate) fn without(self, other: Cells<W>) -> Cells<W> {
        self.join(other, |a, b| a & !b)
    }

    #[inline]
    fn join(self, other: Cells<W>, with: impl Fn(u64, u64) -> u64) -> Cells<W> {
        Cells(std::array::from_fn(|i| with(self.0[i], other.0[i])))
    }

    /// Every cell's number raised by `by`, which is 1 to 63. What goes beyond the last word is lost.
    #[inline]
    pub(crate) fn up(self, by: u32) -> Cells<W> {
        Cells(std::array::from_fn(|i| {
            let carried = if i > 0 { self.0[i - 1] >> (64 - by) } else { 0 };
            self.0[i] << by | carried
        }))
    }

    /// Every cell's number lowered by `by`, which is 1 to 63.
    #[inline]
    pub(crate) fn down(self, by: u32) -> Cells<W> {
        Cells(std::array::from_fn(|i| {
            let carried = if i + 1 < W { self.0[i + 1] << (64 - by) } else { 0 };
            self.0[i] >> by | carried
        }))
    }

    /// The `n`-th cell of the set, counted from 0.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub(crate) fn nth(&self, mut n: u32) -> usize {
        for (i, &word) in self.0.iter().enumerate() {
            let count = word.count_ones();
            if n < count {
                let mut word = word;
                for _ in 0..n {
                    word &= word - 1;
                }
                return 64 * i + word.trailing_zeros() as usize;
            }
            n -= count;
        }
        panic!("there are not so many cells");
    }

    /// The cells in order.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        (0..W).flat_map(move |i| {
            let mut word = self.0[i];
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                word &= word.wrapping_sub(1);
                (bit < 64).then_some(64 * i + bit as usize)
            })
        })
    }
}

impl Cells<WIDE> {
    /// The same set in fewer words. The cells beyond them are lost.
    #[inline]
    pub(crate) fn narrow<const W: usize>(&self) -> Cells<W> {
        Cells(std::array::from_fn(|i| self.0[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_shift_across_words_and_list_in_order() {
        let cells = [0, 5, 63, 64, 130, 511];
        let mut set = Cells::<WIDE>::NONE;
        cells.iter().for_each(|&cell| set.insert(cell));
        assert_eq!(set.iter().collect::<Vec<_>>(), cells);
        assert_eq!(set.up(7).iter().collect::<Vec<_>>(), [7, 12, 70, 71, 137]);
        assert_eq!(set.down(60).iter().collect::<Vec<_>>(), [3, 4, 70, 451]);
        assert_eq!((0..6).map(|n| set.nth(n)).collect::<Vec<_>>(), cells);
        assert_eq!((set.count(), set.narrow::<1>().count()), (6, 3));
        set.remove(63);
        assert!(!set.has(63) && set.has(64));
    }
}
