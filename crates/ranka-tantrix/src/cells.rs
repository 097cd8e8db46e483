//! The known cells of the table: their places, their neighbours, and sets of them.

use crate::hex::{Hex, opposite};
use crate::tiles::TILES;

/// The number of a known cell.
pub(crate) type Id = u8;

/// A cell that is not known.
pub(crate) const NOWHERE: Id = u8::MAX;

/// The first tile makes itself and six neighbours known, every other at most three more.
pub(crate) const MOST_CELLS: usize = 7 + 3 * (TILES - 1);

/// The known cells and how they lie.
#[derive(Clone)]
pub(crate) struct Cells {
    count: u8,
    at: [Hex; MOST_CELLS],
    near: [[Id; 6]; MOST_CELLS],
    /// Where to look for a cell: by the low bits of its place, or in the slots that follow. There are more
    /// slots than cells, so every search ends.
    slots: [Id; 256],
}

impl Cells {
    pub(crate) fn new() -> Cells {
        Cells {
            count: 0,
            at: [Hex::ORIGIN; MOST_CELLS],
            near: [[NOWHERE; 6]; MOST_CELLS],
            slots: [NOWHERE; 256],
        }
    }

    #[inline]
    pub(crate) fn at(&self, cell: Id) -> Hex {
        self.at[usize::from(cell)]
    }

    /// All of them.
    pub(crate) fn places(&self) -> &[Hex] {
        &self.at[..usize::from(self.count)]
    }

    /// The neighbours of a cell; those of a tile are all known.
    #[inline]
    pub(crate) fn near(&self, cell: Id) -> &[Id; 6] {
        &self.near[usize::from(cell)]
    }

    #[inline]
    fn slot(&self, place: Hex) -> u8 {
        let mut slot = (place.q as u8) << 4 | (place.r as u8) & 15;
        loop {
            let cell = self.slots[usize::from(slot)];
            if cell == NOWHERE || self.at(cell) == place {
                return slot;
            }
            slot = slot.wrapping_add(1);
        }
    }

    #[inline]
    pub(crate) fn find(&self, place: Hex) -> Option<Id> {
        let cell = self.slots[usize::from(self.slot(place))];
        (cell != NOWHERE).then_some(cell)
    }

    /// The cell of the first tile.
    pub(crate) fn origin(&mut self) -> Id {
        self.learn(Hex::ORIGIN)
    }

    /// Makes all neighbours of a cell known.
    #[inline]
    pub(crate) fn surround(&mut self, cell: Id) {
        for side in 0..6 {
            if self.near[usize::from(cell)][side] == NOWHERE {
                self.learn(self.at(cell).step(side));
            }
        }
    }

    /// Makes a new cell known, to its neighbours too.
    fn learn(&mut self, place: Hex) -> Id {
        let cell = self.count;
        self.count += 1;
        self.at[usize::from(cell)] = place;
        let slot = self.slot(place);
        self.slots[usize::from(slot)] = cell;
        for side in 0..6 {
            if let Some(neighbour) = self.find(place.step(side)) {
                self.near[usize::from(cell)][side] = neighbour;
                self.near[usize::from(neighbour)][opposite(side)] = cell;
            }
        }
        cell
    }
}

/// A set of known cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CellSet([u64; 3]);

impl CellSet {
    pub(crate) const NONE: CellSet = CellSet([0; 3]);

    #[inline]
    pub(crate) fn has(self, cell: Id) -> bool {
        self.0[usize::from(cell >> 6)] >> (cell & 63) & 1 == 1
    }

    #[inline]
    pub(crate) fn insert(&mut self, cell: Id) {
        self.0[usize::from(cell >> 6)] |= 1 << (cell & 63);
    }

    #[inline]
    pub(crate) fn remove(&mut self, cell: Id) {
        self.0[usize::from(cell >> 6)] &= !(1 << (cell & 63));
    }

    #[inline]
    pub(crate) fn minus(self, other: CellSet) -> CellSet {
        CellSet([0, 1, 2].map(|i| self.0[i] & !other.0[i]))
    }

    #[inline]
    pub(crate) fn or(self, other: CellSet) -> CellSet {
        CellSet([0, 1, 2].map(|i| self.0[i] | other.0[i]))
    }

    #[inline]
    pub(crate) fn filter(self, keep: impl Fn(Id) -> bool) -> CellSet {
        let mut kept = CellSet::NONE;
        self.iter().filter(|&cell| keep(cell)).for_each(|cell| kept.insert(cell));
        kept
    }

    /// The cells in the order in which they became known.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = Id> {
        let (mut words, mut word) = (self.0, 0);
        std::iter::from_fn(move || {
            while words[word] == 0 {
                if word == 2 {
                    return None;
                }
                word += 1;
            }
            let bit = words[word].trailing_zeros() as u8;
            words[word] &= words[word] - 1;
            Some((word as u8) << 6 | bit)
        })
    }
}
