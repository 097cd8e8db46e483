//! Rows by number: the order of all rows with few seeds, and what sowing does to them, worked out once per row
//! instead of once per board.

use crate::board::{Board, Row};
use crate::rules::{Capture, Kalah};
use std::ops::Range;

/// The order of the rows: fewer seeds first, then by the combinatorial number system, the house nearest the
/// store weighing most. Seeds that move towards the store without reaching it lower the rank.
#[derive(Debug)]
pub(super) struct Ranks {
    houses: usize,
    /// `choose[i][n]` = C(n + i, i + 1): how many rows of i + 1 houses have fewer than n seeds.
    choose: Vec<Vec<u32>>,
}

impl Ranks {
    /// The order of rows with up to `most` seeds.
    pub(super) fn new(houses: usize, most: u32) -> Ranks {
        let row = |i: u64| (0..=u64::from(most) + 1).map(move |n| binomial(n + i, i + 1).unwrap_or(0) as u32);
        Ranks { houses, choose: (0..houses as u64).map(|i| row(i).collect()).collect() }
    }

    /// How many rows have fewer than so many seeds.
    pub(super) fn below(&self, seeds: u32) -> usize {
        self.choose[self.houses - 1][seeds as usize] as usize
    }

    /// The ranks of the rows with so many seeds.
    pub(super) fn of(&self, seeds: u32) -> Range<usize> {
        self.below(seeds)..self.below(seeds + 1)
    }

    #[inline]
    pub(super) fn rank<R: Row>(&self, row: R) -> usize {
        let mut seeds = 0;
        let mut rank = 0;
        for (house, choose) in self.choose.iter().enumerate() {
            seeds += row.seeds(house) as usize;
            rank += choose[seeds];
        }
        rank as usize
    }
}

/// The sowing of one house, as far as the own row tells.
pub(super) struct Sowing {
    house: u8,
    /// The house opposite the one where a capture would take place; no house if none can.
    opposite: u8,
    /// How many of the other's houses get a seed.
    beyond: u8,
    gain: u8,
    /// Whether the last seed falls into the store.
    pub(super) again: bool,
    /// Whether it comes round to the own row, which only the whole board can tell the end of.
    round: bool,
    /// The own row's rank without a capture, and with one.
    left: u32,
    robbing: u32,
}

/// No house.
const NONE: u8 = u8::MAX;

/// All sowings of all rows with few seeds.
pub(super) struct Sowings<R> {
    pub(super) game: Kalah,
    ranks: Ranks,
    rows: Vec<R>,
    sowings: Vec<Sowing>,
    /// Where the sowings of each row begin, and behind the last row where they end.
    starts: Vec<u32>,
    /// For each row and house, the rank of the row with that house emptied.
    robbed: Vec<u32>,
    /// For each row and number of houses, none included, the rank of the row with a seed more in the first so many.
    filled: Vec<u32>,
}

impl<R: Row> Sowings<R> {
    /// The sowings of rows with up to `most` seeds.
    pub(super) fn new(game: &Kalah, most: u32) -> Sowings<R> {
        let ranks = Ranks::new(game.houses, most);
        let rows: Vec<R> = in_order(&ranks, ranks.below(most + 1));
        let (mut sowings, mut starts, mut robbed, mut filled) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for &row in &rows {
            starts.push(sowings.len() as u32);
            sowings.extend((0..game.houses).filter_map(|house| sowing(row, house, &ranks)));
            robbed.extend((0..game.houses).map(|house| ranks.rank(row.emptied(house)) as u32));
            // A row that would get too many seeds is never asked for.
            let room = (most - row.total()) as usize;
            filled.extend((0..=game.houses).map(|n| ranks.rank(row + R::ones(n.min(room))) as u32));
        }
        starts.push(sowings.len() as u32);
        Sowings { game: *game, ranks, rows, sowings, starts, robbed, filled }
    }

    #[inline]
    pub(super) fn of(&self, row: usize) -> &[Sowing] {
        &self.sowings[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    #[inline]
    pub(super) fn board(&self, own: usize, other: usize) -> Board<R> {
        Board { own: self.rows[own], other: self.rows[other] }
    }

    /// Both rows after a sowing on `board`, still the mover's first, and the gain. `other` is the other row's rank.
    #[inline]
    pub(super) fn after(&self, sowing: &Sowing, board: &Board<R>, other: usize) -> (usize, usize, i32) {
        let (houses, always) = (self.game.houses, self.game.rules.capture == Capture::Always);
        if sowing.round {
            let mut next = *board;
            let sown = next.sow(houses, usize::from(sowing.house), always);
            return (self.ranks.rank(next.own), self.ranks.rank(next.other), sown.gain as i32);
        }
        if sowing.opposite != NONE {
            let opposite = usize::from(sowing.opposite);
            let prize = board.other.seeds(opposite) as i32;
            if prize > 0 || always {
                return (sowing.robbing as usize, self.robbed[other * houses + opposite] as usize, prize + 1);
            }
        }
        let filled = self.filled[other * (houses + 1) + usize::from(sowing.beyond)];
        (sowing.left as usize, filled as usize, i32::from(sowing.gain))
    }
}

/// The first `count` rows by rank.
fn in_order<R: Row>(ranks: &Ranks, count: usize) -> Vec<R> {
    let mut rows = vec![R::default(); count];
    let mut seeds = vec![0; ranks.houses];
    for _ in 0..count {
        let row = R::packed(&seeds);
        rows[ranks.rank(row)] = row;
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

fn sowing<R: Row>(row: R, house: usize, ranks: &Ranks) -> Option<Sowing> {
    let seeds = row.seeds(house) as usize;
    if seeds == 0 {
        return None;
    }
    let to_store = ranks.houses - house;
    let last = house + seeds;
    let left = row.emptied(house) + R::ones((last + 1).min(ranks.houses)) - R::ones(house + 1);
    let robs = seeds < to_store && row.seeds(last) == 0;
    Some(Sowing {
        house: house as u8,
        opposite: if robs { (to_store - 1 - seeds) as u8 } else { NONE },
        beyond: seeds.saturating_sub(to_store).min(ranks.houses) as u8,
        gain: u8::from(seeds >= to_store),
        again: seeds % (2 * ranks.houses + 1) == to_store,
        round: seeds > to_store + ranks.houses,
        left: ranks.rank(left) as u32,
        robbing: if robs { ranks.rank(left.emptied(last)) as u32 } else { 0 },
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
        let rows: Vec<u64> = in_order(&ranks, ranks.below(8));
        assert_eq!(rows.len() as u64, binomial(10, 3).unwrap());
        for (rank, &row) in rows.iter().enumerate() {
            assert_eq!(ranks.rank(row), rank);
        }
        assert_eq!(rows.last(), Some(&u64::packed(&[7, 0, 0])));
    }
}
