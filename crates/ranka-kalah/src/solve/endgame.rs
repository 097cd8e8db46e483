//! Endgame tables: the value of every board with few seeds.
//!
//! A board is an arrangement of seeds in 2N houses. Read as a combination with repetition it has a rank (the
//! combinatorial number system), the boards of fewer seeds come first, and the value of a board is a byte at
//! its rank: no keys, no gaps.

use crate::board::{Board, Row};
use crate::rules::{End, Kalah, Leftover, MOST_HOUSES, Rules};

/// No value is this large: a table holds far fewer seeds.
const UNKNOWN: i8 = i8::MIN;

/// The most seeds a table may hold, so that values fit into a byte.
const MOST_SEEDS: u32 = 60;

/// The exact value of every board with at most so many seeds.
#[derive(Debug)]
pub struct Endgame {
    houses: usize,
    rules: Rules,
    most: u32,
    values: Vec<i8>,
    /// `choose[i][n]` = C(n, i + 1).
    choose: Vec<Vec<u32>>,
}

impl Endgame {
    /// Computes the table for boards of `game`'s size and rules with up to `most` seeds.
    ///
    /// # Panics
    /// If the table would hold more than 2³¹ boards; [`size`](Endgame::size) tells beforehand.
    pub fn build(game: &Kalah, most: u32) -> Endgame {
        let cells = 2 * game.houses;
        let size =
            Endgame::size(game.houses, most).filter(|&size| size < 1 << 31).expect("a table that fits");
        let choose = (0..cells)
            .map(|i| {
                (0..=most as usize + i)
                    .map(|n| binomial(n as u64, i as u64 + 1).unwrap_or(0) as u32)
                    .collect()
            })
            .collect();
        let values = vec![UNKNOWN; size as usize];
        let mut table = Endgame { houses: game.houses, rules: game.rules, most, values, choose };
        if game.houses <= u64::HOUSES {
            table.fill::<u64>()
        } else {
            table.fill::<u128>()
        }
        table
    }

    /// How many boards a table of up to `most` seeds holds; nothing if that is beyond counting.
    pub fn size(houses: usize, most: u32) -> Option<u64> {
        if most > MOST_SEEDS {
            return None;
        }
        binomial(u64::from(most) + 2 * houses as u64, 2 * houses as u64)
    }

    /// The most seeds for which a table of this size stays below `boards` boards.
    pub fn affordable(houses: usize, boards: u64) -> u32 {
        let fits = |&most: &u32| Endgame::size(houses, most).is_some_and(|size| size <= boards);
        (1..=MOST_SEEDS).take_while(fits).last().unwrap_or(0)
    }

    /// The most seeds that it knows.
    pub fn most(&self) -> u32 {
        self.most
    }

    /// The value of a board with no more than [`most`](Endgame::most) seeds.
    #[inline]
    pub(crate) fn value<R: Row>(&self, board: &Board<R>) -> i32 {
        i32::from(self.values[self.rank(board)])
    }

    #[inline]
    fn rank<R: Row>(&self, board: &Board<R>) -> usize {
        let mut seeds = 0;
        let mut rank = 0;
        for house in 0..self.houses {
            seeds += board.own.seeds(house) as usize;
            rank += self.choose[house][seeds + house];
        }
        for house in self.houses..2 * self.houses {
            seeds += board.other.seeds(house - self.houses) as usize;
            rank += self.choose[house][seeds + house];
        }
        rank as usize
    }

    /// Visits all boards, those with fewer seeds first, and solves each.
    fn fill<R: Row>(&mut self) {
        let cells = 2 * self.houses;
        let mut seeds = [0u32; 2 * MOST_HOUSES];
        for _ in 0..self.values.len() {
            let board =
                Board { own: R::packed(&seeds[..self.houses]), other: R::packed(&seeds[self.houses..cells]) };
            self.solve(&board);
            // The next arrangement: carry a seed of the first filled house over into the following one.
            let first = seeds[..cells].iter().position(|&n| n > 0);
            match first {
                None => seeds[0] = 1,
                Some(i) if i + 1 < cells => {
                    let carried = std::mem::take(&mut seeds[i]) - 1;
                    seeds[0] = carried;
                    seeds[i + 1] += 1;
                }
                Some(i) => {
                    let all = std::mem::take(&mut seeds[i]);
                    seeds[0] = all + 1;
                }
            }
        }
    }

    fn solve<R: Row>(&mut self, board: &Board<R>) -> i32 {
        let rank = self.rank(board);
        if self.values[rank] != UNKNOWN {
            return i32::from(self.values[rank]);
        }
        let value = match settled(board, &self.rules) {
            Some(value) => value,
            None => {
                let mut best = i32::MIN;
                for house in 0..self.houses {
                    if board.own.seeds(house) > 0 {
                        let (next, gain, again) = board.after(self.houses, house, &self.rules);
                        let value = self.solve(&next);
                        best = best.max(gain + if again { value } else { -value });
                    }
                }
                best
            }
        };
        self.values[rank] = value as i8;
        value
    }
}

/// The value of a board on which the game is over.
#[inline]
pub(crate) fn settled<R: Row>(board: &Board<R>, rules: &Rules) -> Option<i32> {
    let nothing = R::default();
    let over = board.own == nothing || (rules.end == End::EitherEmpty && board.other == nothing);
    over.then(|| match rules.leftover {
        Leftover::None => 0,
        _ => board.own.total() as i32 - board.other.total() as i32,
    })
}

fn binomial(n: u64, k: u64) -> Option<u64> {
    (0..k.min(n))
        .try_fold(1u64, |c, i| Some(c.checked_mul(n - i)? / (i + 1)))
        .map(|c| if k > n { 0 } else { c })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_its_rank() {
        let game = Kalah::standard(3, 3);
        let table = Endgame::build(&game, 7);
        assert_eq!(table.values.len() as u64, binomial(13, 6).unwrap());
        assert!(table.values.iter().all(|&value| value != UNKNOWN));
        let last = Board { own: u64::packed(&[7, 0, 0]), other: 0 };
        assert_eq!(table.rank(&last), table.values.len() - 1);
    }

    #[test]
    fn affordable_is_the_largest_that_fits() {
        let most = Endgame::affordable(6, 10_000_000);
        assert!(Endgame::size(6, most).unwrap() <= 10_000_000);
        assert!(Endgame::size(6, most + 1).unwrap() > 10_000_000);
    }
}
