//! The sowing itself, on houses packed side by side into one word.
//!
//! A row keeps each house in a lane of nine bits, enough for the 480 seeds of the largest board, so that
//! sowing is an addition of ones and no house can spill into the next. A row of up to seven houses fits into
//! 64 bits, which is what the solver uses; 128 bits hold all twelve.

use std::hash::Hash;

/// Bits of a lane.
const LANE: usize = 9;

/// The most seeds a board may hold: what one lane can count.
pub(crate) const MOST_SEEDS: u32 = (1 << LANE) - 1;

/// The houses of one side.
pub(crate) trait Row: Copy + Eq + Hash + Default {
    /// How many houses fit.
    const HOUSES: usize;

    /// The seeds of a house, counted from 0.
    fn seeds(self, house: usize) -> u32;
    /// The row with a house emptied.
    fn emptied(self, house: usize) -> Self;
    /// The row with one seed more in each house `from..to`.
    fn sown(self, from: usize, to: usize) -> Self;
    /// The row with `laps` seeds more in each of its first `houses`.
    fn lapped(self, laps: u32, houses: usize) -> Self;
    /// All seeds in the row.
    fn total(self) -> u32;
    /// Bit `9·house + 8` for every house that is not empty.
    fn filled(self) -> Self;
}

macro_rules! row {
    ($word:ty, $houses:literal) => {
        impl Row for $word {
            const HOUSES: usize = $houses;

            #[inline]
            fn seeds(self, house: usize) -> u32 {
                (self >> (LANE * house)) as u32 & MOST_SEEDS
            }

            #[inline]
            fn emptied(self, house: usize) -> $word {
                self & !((MOST_SEEDS as $word) << (LANE * house))
            }

            #[inline]
            fn sown(self, from: usize, to: usize) -> $word {
                /// A one in each lane below the index, so that a difference of two is a range.
                const BELOW: [$word; $houses + 1] = {
                    let mut below = [0; $houses + 1];
                    let mut i = 0;
                    while i < $houses {
                        below[i + 1] = below[i] | (1 << (LANE * i));
                        i += 1;
                    }
                    below
                };
                self + (BELOW[to] - BELOW[from])
            }

            #[inline]
            fn lapped(self, laps: u32, houses: usize) -> $word {
                let ones = <$word as Row>::sown(0, 0, houses);
                self + ones * laps as $word
            }

            #[inline]
            fn total(self) -> u32 {
                (0..$houses).map(|house| self.seeds(house)).sum()
            }

            #[inline]
            fn filled(self) -> $word {
                let ones = <$word as Row>::sown(0, 0, $houses);
                let low = ones * (MOST_SEEDS >> 1) as $word;
                (((self & low) + low) | self) & (ones << (LANE - 1))
            }
        }
    };
}

row!(u64, 7);
row!(u128, 14);

/// The house of a bit that [`Row::filled`] sets.
#[inline]
pub(crate) const fn house_of_bit(bit: u32) -> usize {
    bit as usize / LANE
}

/// Both rows, seen by the one who moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Board<R> {
    pub(crate) own: R,
    pub(crate) other: R,
}

/// What a sowing brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sown {
    /// Seeds into the own store, captures included.
    pub(crate) gain: u32,
    /// The last seed fell into the own store.
    pub(crate) again: bool,
}

impl<R: Row> Board<R> {
    /// Sows the own `house` of a board with `houses` a side and carries out the capture. `bank_alone` takes
    /// the last seed also when the opposite house is empty.
    #[inline]
    pub(crate) fn sow(&mut self, houses: usize, house: usize, bank_alone: bool) -> Sown {
        let mut seeds = self.own.seeds(house) as usize;
        self.own = self.own.emptied(house);
        let mut gain = 0;
        let ring = 2 * houses + 1;
        if seeds >= ring {
            let laps = (seeds / ring) as u32;
            seeds %= ring;
            self.own = self.own.lapped(laps, houses);
            self.other = self.other.lapped(laps, houses);
            gain = laps;
        }

        let to_store = houses - house;
        if seeds < to_store {
            let last = house + seeds;
            self.own = self.own.sown(house + 1, last + 1);
            gain += self.capture(houses, last, bank_alone);
            return Sown { gain, again: false };
        }
        self.own = self.own.sown(house + 1, houses);
        gain += 1;
        let beyond = seeds - to_store;
        if beyond <= houses {
            self.other = self.other.sown(0, beyond);
            return Sown { gain, again: beyond == 0 };
        }
        let last = beyond - houses - 1;
        self.other = self.other.sown(0, houses);
        self.own = self.own.sown(0, last + 1);
        gain += self.capture(houses, last, bank_alone);
        Sown { gain, again: false }
    }

    /// What the last seed, fallen into the own house `last`, takes with it.
    #[inline]
    fn capture(&mut self, houses: usize, last: usize, bank_alone: bool) -> u32 {
        if self.own.seeds(last) != 1 {
            return 0;
        }
        let opposite = houses - 1 - last;
        let prize = self.other.seeds(opposite);
        if prize == 0 && !bank_alone {
            return 0;
        }
        self.own = self.own.emptied(last);
        self.other = self.other.emptied(opposite);
        prize + 1
    }
}
