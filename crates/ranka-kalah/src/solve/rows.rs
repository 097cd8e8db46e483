//! Rows by number: the order of all rows with as many seeds, and what sowing does to them, worked out once per row
//! instead of once per board.

use crate::board::Row;
use crate::rules::Kalah;
use std::ops::Range;

/// Rows of `houses` houses with equally many seeds, by the combinatorial number system, the house nearest the store
/// weighing most. Seeds that move towards the store without reaching it lower the rank.
#[derive(Debug)]
pub(super) struct Ranks {
    houses: usize,
    most: u32,
    /// At `i << 5 | n`: C(n + i, i + 1), how many rows of i + 1 houses have fewer than n seeds.
    choose: Vec<u32>,
}

/// The most seeds that can be ranked.
pub(super) const MOST_SEEDS: u32 = 31;

impl Ranks {
    /// The order of rows with up to `most` seeds.
    pub(super) fn new(houses: usize, most: u32) -> Ranks {
        let row =
            |i: u64| (0..=u64::from(MOST_SEEDS)).map(move |n| binomial(n + i, i + 1).unwrap_or(0) as u32);
        Ranks { houses, most, choose: (0..houses as u64).flat_map(row).collect() }
    }

    /// How many rows have fewer than so many seeds.
    pub(super) fn below(&self, seeds: u32) -> usize {
        binomial(u64::from(seeds) + self.houses as u64 - 1, self.houses as u64).unwrap_or(0) as usize
    }

    /// How many rows have so many seeds.
    pub(super) fn count(&self, seeds: u32) -> usize {
        self.below(seeds + 1) - self.below(seeds)
    }

    /// The rank of a row among those with as many seeds, and the seeds.
    #[inline]
    pub(super) fn rank<R: Row>(&self, row: R) -> (usize, u32) {
        let (mut seeds, mut rank) = (0, 0);
        for house in 0..self.houses - 1 {
            seeds += row.seeds(house) as usize;
            rank += self.choose[house << 5 | seeds & 31];
        }
        (rank as usize, seeds as u32 + row.seeds(self.houses - 1))
    }
}

/// The sowing of one house, as far as the own row tells.
pub(super) struct Sowing {
    pub(super) house: u8,
    /// The house opposite the one where a capture would take place; no house if none can.
    pub(super) opposite: u8,
    /// How many of the other's houses get a seed.
    pub(super) beyond: u8,
    pub(super) gain: u8,
    /// Whether the last seed falls into the store.
    pub(super) again: bool,
    /// Whether it comes round to the own row, which only the whole board can tell the end of.
    pub(super) round: bool,
    /// The own row's rank without a capture, and with one.
    pub(super) left: u32,
    pub(super) robbing: u32,
}

/// No house.
pub(super) const NO_HOUSE: u8 = u8::MAX;

/// All sowings of all rows with few seeds. Rows are numbered through, those with fewer seeds first.
pub(super) struct Sowings<R> {
    pub(super) ranks: Ranks,
    pub(super) rows: Vec<R>,
    sowings: Vec<Sowing>,
    /// Where the sowings of each row begin, and behind the last row where they end.
    starts: Vec<u32>,
    /// For each house and row, the rank of the row with that house emptied.
    robbed: Vec<u32>,
    /// For each number of houses, none included, and row: the rank of the row with a seed more in the first so many.
    filled: Vec<u32>,
}

impl<R: Row> Sowings<R> {
    /// The sowings of rows with up to `most` seeds.
    pub(super) fn new(game: &Kalah, most: u32) -> Sowings<R> {
        let houses = game.houses;
        let ranks = Ranks::new(houses, most);
        let rows: Vec<R> = in_order(&ranks);
        let rank = |row: R| ranks.rank(row).0 as u32;
        // Room for all at once: to grow would take up to three times as much.
        let mut sowings = Vec::with_capacity(houses * rows.len());
        let mut starts = Vec::with_capacity(rows.len() + 1);
        for &row in &rows {
            starts.push(sowings.len() as u32);
            sowings.extend((0..houses).filter_map(|house| sowing(row, house, houses, &rank)));
        }
        starts.push(sowings.len() as u32);
        let mut robbed = Vec::with_capacity(houses * rows.len());
        let mut filled = Vec::with_capacity((houses + 1) * rows.len());
        for house in 0..houses {
            robbed.extend(rows.iter().map(|row| rank(row.emptied(house))));
        }
        for houses in 0..=houses {
            let more = rows.iter().map(|&row| row + R::ones(houses));
            // A row that would get too many seeds is never asked for.
            filled.extend(more.map(|row| if row.total() > most { 0 } else { rank(row) }));
        }
        Sowings { ranks, rows, sowings, starts, robbed, filled }
    }

    /// The bytes of the sowings of all rows that can be ranked, at most.
    pub(super) fn bytes(ranks: &Ranks) -> u64 {
        let each = size_of::<R>() + size_of::<u32>() * 2 * (ranks.houses + 1);
        (ranks.below(ranks.most + 1) * (each + ranks.houses * size_of::<Sowing>())) as u64
    }

    /// The numbers of the rows with so many seeds.
    pub(super) fn numbers(&self, seeds: u32) -> Range<usize> {
        self.ranks.below(seeds)..self.ranks.below(seeds + 1)
    }

    #[inline]
    pub(super) fn of(&self, row: usize) -> &[Sowing] {
        &self.sowings[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// The ranks of these rows with a seed more in the first `houses` houses.
    pub(super) fn filled(&self, houses: u8, rows: Range<usize>) -> &[u32] {
        let start = usize::from(houses) * self.rows.len();
        &self.filled[start + rows.start..start + rows.end]
    }

    /// The ranks of these rows with a house emptied.
    pub(super) fn robbed(&self, house: u8, rows: Range<usize>) -> &[u32] {
        let start = usize::from(house) * self.rows.len();
        &self.robbed[start + rows.start..start + rows.end]
    }
}

/// All rows, by number.
fn in_order<R: Row>(ranks: &Ranks) -> Vec<R> {
    let count = ranks.below(ranks.most + 1);
    let mut rows = vec![R::default(); count];
    let mut seeds = vec![0; ranks.houses];
    for _ in 0..count {
        let row = R::packed(&seeds);
        let (rank, total) = ranks.rank(row);
        rows[ranks.below(total) + rank] = row;
        // The next arrangement: carry a seed of the first filled house over into the following one.
        let first = seeds.iter().position(|&n| n > 0).unwrap_or(ranks.houses - 1);
        let carried = std::mem::take(&mut seeds[first]);
        if first + 1 < ranks.houses {
            seeds[first + 1] += 1;
            seeds[0] = carried - 1;
        } else {
            seeds[0] = carried + 1;
        }
    }
    rows
}

fn sowing<R: Row>(row: R, house: usize, houses: usize, rank: &impl Fn(R) -> u32) -> Option<Sowing> {
    let seeds = row.seeds(house) as usize;
    if seeds == 0 {
        return None;
    }
    let to_store = houses - house;
    let last = house + seeds;
    let left = row.emptied(house) + R::ones((last + 1).min(houses)) - R::ones(house + 1);
    let robs = seeds < to_store && row.seeds(last) == 0;
    Some(Sowing {
        house: house as u8,
        opposite: if robs { (to_store - 1 - seeds) as u8 } else { NO_HOUSE },
        beyond: seeds.saturating_sub(to_store).min(houses) as u8,
        gain: u8::from(seeds >= to_store),
        again: seeds % (2 * houses + 1) == to_store,
        round: seeds > to_store + houses,
        left: rank(left),
        robbing: if robs { rank(left.emptied(last)) } else { 0 },
    })
}

pub(super) fn binomial(n: u64, k: u64) -> Option<u64> {
    (0..k.min(n))
        .try_fold(1u64, |c, i| Some(c.checked_mul(n - i)? / (i + 1)))
        .map(|c| if k > n { 0 } else { c })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_in_the_order_of_their_ranks() {
        let ranks = Ranks::new(3, 7);
        let rows: Vec<u64> = in_order(&ranks);
        assert_eq!(rows.len() as u64, binomial(10, 3).unwrap());
        for (number, &row) in rows.iter().enumerate() {
            let (rank, seeds) = ranks.rank(row);
            assert_eq!(ranks.below(seeds) + rank, number);
            assert_eq!(seeds, row.total());
        }
        assert_eq!(rows.last(), Some(&u64::packed(&[7, 0, 0])));
    }
}
