//! The sowing itself, on houses packed side by side into one word.
//!
//! A row keeps each house in a lane of nine bits, enough for the 480 seeds of the largest board, so that
//! sowing is an addition of ones and no house can spill into the next. A row of up to seven houses fits into
//! 64 bits, which is what the solver uses; 128 bits hold all twelve.

use std::hash::Hash;
use std::ops::{Add, Sub};

/// Bits of a lane.
const LANE: usize = 9;

/// The most seeds a board may hold: what one lane can count.
pub(crate) const MOST_SEEDS: u32 = (1 << LANE) - 1;

/// The houses of one side.
pub(crate) trait Row:
    Copy + Eq + Hash + Default + Send + Sync + Add<Output = Self> + Sub<Output = Self> + Into<u128>
{
    /// How many houses fit.
    const HOUSES: usize;

    /// The row from one that may be wider; its houses must fit.
    fn narrowed(row: u128) -> Self;
    /// The row with these seeds.
    fn packed(seeds: &[u32]) -> Self;
    /// The seeds of a house, counted from 0.
    fn seeds(self, house: usize) -> u32;
    /// The row with a house emptied.
    fn emptied(self, house: usize) -> Self;
    /// The row with one seed in each house below this one; the difference of two is a range.
    fn ones(below: usize) -> Self;
    /// The row with `laps` seeds more in each of its first `houses`.
    fn lapped(self, laps: u32, houses: usize) -> Self;
    /// The row as two words, for hashing.
    fn words(self) -> (u64, u64);
    /// All seeds in the row.
    fn total(self) -> u32;
}

macro_rules! row {
    ($word:ty, $houses:literal, $power_of_two:literal) => {
        impl Row for $word {
            const HOUSES: usize = $houses;

            #[inline]
            fn narrowed(row: u128) -> $word {
                row as $word
            }

            fn packed(seeds: &[u32]) -> $word {
                seeds.iter().rev().fold(0, |row, &n| (row << LANE) | <$word>::from(n))
            }

            #[inline]
            fn seeds(self, house: usize) -> u32 {
                (self >> (LANE * house)) as u32 & MOST_SEEDS
            }

            #[inline]
            fn emptied(self, house: usize) -> $word {
                self & !((MOST_SEEDS as $word) << (LANE * house))
            }

            #[inline]
            fn ones(below: usize) -> $word {
                /// A mask replaces the bounds check.
                const ONES: [$word; $power_of_two] = {
                    let mut ones = [0; $power_of_two];
                    let mut i = 0;
                    while i < $houses {
                        ones[i + 1] = ones[i] | 1 << (LANE * i);
                        i += 1;
                    }
                    ones
                };
                ONES[below & ($power_of_two - 1)]
            }

            #[inline]
            fn lapped(self, laps: u32, houses: usize) -> $word {
                self + <$word as Row>::ones(houses) * laps as $word
            }

            #[inline]
            fn words(self) -> (u64, u64) {
                let wide = u128::from(self);
                (wide as u64, (wide >> 64) as u64)
            }

            #[inline]
            fn total(self) -> u32 {
                (0..$houses).map(|house| self.seeds(house)).sum()
            }
        }
    };
}

row!(u64, 7, 8);
row!(u128, 14, 16);

/// The houses of a narrow row that are not empty, for a quick random choice.
#[derive(Clone, Copy)]
pub(crate) struct Filled(usize);

impl Filled {
    #[inline]
    pub(crate) fn of(row: u64) -> Filled {
        /// The lowest bit of each lane.
        const LOW: u64 = 0o001_001_001_001_001_001_001;
        // Fill each lane's highest bit if the lane holds anything, then gather the seven bits: multiplying
        // moves bit 9i to bit 56 + i, and no two products meet.
        const GATHER: u64 = 0x0101_0101_0101_0100;
        let rest = LOW * 0xff;
        let marks = ((((row & rest) + rest) | row) >> 8) & LOW;
        Filled((marks.wrapping_mul(GATHER) >> 56) as usize & 0x7f)
    }

    #[inline]
    pub(crate) fn count(self) -> u32 {
        u32::from(FILLED[self.0][7])
    }

    /// The house with `n` others before it.
    #[inline]
    pub(crate) fn nth(self, n: u32) -> usize {
        usize::from(FILLED[self.0][n as usize & 7])
    }
}

/// For each set of seven houses: its members in order, and behind them how many they are.
static FILLED: [[u8; 8]; 128] = {
    let mut table = [[0; 8]; 128];
    let mut set = 0;
    while set < 128 {
        let (mut house, mut count) = (0, 0);
        while house < 7 {
            if set >> house & 1 == 1 {
                table[set][count] = house as u8;
                count += 1;
            }
            house += 1;
        }
        table[set][7] = count as u8;
        set += 1;
    }
    table
};

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

        // No branches here: where a seed falls is what a processor cannot predict.
        let to_store = houses - house;
        let beyond = seeds.saturating_sub(to_store);
        let round = beyond.saturating_sub(houses);
        self.own = self.own + R::ones((house + seeds + 1).min(houses)) - R::ones(house + 1) + R::ones(round);
        self.other = self.other + R::ones(beyond.min(houses));
        gain += u32::from(seeds >= to_store);
        // Lane `houses` is always empty, so it stands for "not in an own house".
        let last = if seeds < to_store { house + seeds } else { round.wrapping_sub(1).min(houses) };
        let prize = self.other.seeds((houses - 1).wrapping_sub(last).min(houses));
        if (self.own.seeds(last) == 1) & ((prize > 0) | bank_alone) {
            self.own = self.own.emptied(last);
            self.other = self.other.emptied(houses - 1 - last);
            gain += prize + 1;
        }
        Sown { gain, again: seeds == to_store }
    }

    /// The board after sowing, seen by whoever moves next, with the gain and whether that is the same player.
    #[cfg(test)]
    pub(crate) fn after(&self, houses: usize, house: usize, rules: &crate::Rules) -> (Board<R>, i32, bool) {
        let mut next = *self;
        let sown = next.sow(houses, house, rules.capture == crate::Capture::Always);
        if !sown.again {
            std::mem::swap(&mut next.own, &mut next.other);
        }
        (next, sown.gain as i32, sown.again)
    }

    /// A key of 60 bits. No two boards of up to six houses with up to 31 seeds in each share one: five bits a house
    /// are moved about without loss. Other boards get 60 bits of their [`key`](Board::key).
    #[inline]
    pub(crate) fn short_key(&self) -> u64 {
        /// Lanes of nine bits, beginning with the lowest, every other one.
        const EVEN: u64 = 0o000_777_000_777_000_777;
        /// What no lane of up to 31 has, and all lanes beyond the sixth.
        const LARGE: u64 = !0o037_037_037_037_037_037;
        const ALL: u64 = (1 << 60) - 1;
        let ((own, high_own), (other, high_other)) = (self.own.words(), self.other.words());
        if (own | other) & LARGE | high_own | high_other != 0 {
            return self.key() & ALL;
        }
        let pack = |row: u64| {
            let pairs = (row & EVEN) | (row >> 4 & EVEN << 5);
            (pairs & 0x3ff) | (pairs >> 8 & 0x3ff << 10) | (pairs >> 16 & 0x3ff << 20)
        };
        let mut key = pack(own) | pack(other) << 30;
        // Odd factors and shifted sums can be undone, so nothing is lost.
        key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) & ALL;
        key ^= key >> 30;
        key = key.wrapping_mul(0xd6e8_feb8_6659_fd93) & ALL;
        key ^ key >> 27
    }

    /// A key whose every bit depends on every house. Rows are far from random, so both halves of a wide product
    /// are folded: the low half alone would let the last houses of one row cancel the first of the other.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        let fold = |x: u64, y: u64| {
            let product = u128::from(x) * u128::from(y);
            product as u64 ^ (product >> 64) as u64
        };
        let ((a, b), (c, d)) = (self.own.words(), self.other.words());
        let mut key = fold(a ^ 0x9e37_79b9_7f4a_7c15, c ^ 0xd6e8_feb8_6659_fd93);
        if R::HOUSES > u64::HOUSES {
            key ^= fold(b ^ 0xbf58_476d_1ce4_e5b9, d ^ 0x94d0_49bb_1331_11eb).rotate_left(32);
        }
        fold(key ^ 0x5851_f42d_4c95_7f2d, 0xa076_1d64_78bd_642f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn short_keys_of_small_boards_differ() {
        // All boards of three houses with up to six seeds in each, placed in either half of six houses.
        let rows = |shift: usize| {
            (0..343u32).map(move |n| {
                let mut seeds = [0; 6];
                seeds[shift..shift + 3].copy_from_slice(&[n % 7, n / 7 % 7, n / 49]);
                // Up to 31 in the last, so that every bit of a lane is in use.
                seeds[shift + 2] *= 5;
                u64::packed(&seeds)
            })
        };
        for (own, other) in [(0, 0), (3, 3), (0, 3)] {
            let boards = rows(own).flat_map(|own| rows(other).map(move |other| Board { own, other }));
            let keys: HashSet<u64> = boards.map(|board| board.short_key()).collect();
            assert_eq!(keys.len(), 343 * 343);
            assert!(keys.iter().all(|key| key >> 60 == 0));
        }
    }
}
