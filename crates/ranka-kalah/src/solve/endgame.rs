//! Endgame tables: the value of every board with few seeds.
//!
//! A row is an arrangement of seeds in N houses. Read as a combination with repetition it has a rank (the
//! combinatorial number system) in which rows with fewer seeds come first. For each own row the table holds one
//! byte per other row that leaves the board with few enough seeds: those are the first so many ranks, so there
//! are no keys and no gaps.

use super::rows::{Ranks, Sowing, Sowings, binomial};
use crate::board::{Board, Row};
use crate::rules::{End, Kalah, Leftover, Rules};

/// The most seeds a table may hold, so that values fit into a byte.
const MOST_SEEDS: u32 = 60;

/// The exact value of every board with at most so many seeds.
#[derive(Debug)]
pub struct Endgame {
    most: u32,
    ranks: Ranks,
    /// Where the values of each own row begin.
    starts: Vec<u32>,
    values: Vec<i8>,
}

impl Endgame {
    /// Computes the table for boards of `game`'s size and rules with up to `most` seeds.
    ///
    /// # Panics
    /// If the table would hold more than 2³¹ boards; [`size`](Endgame::size) tells beforehand.
    pub fn build(game: &Kalah, most: u32) -> Endgame {
        let size =
            Endgame::size(game.houses, most).filter(|&size| size < 1 << 31).expect("a table that fits");
        let ranks = Ranks::new(game.houses, most);
        let mut starts = Vec::with_capacity(ranks.below(most + 1));
        let mut start = 0;
        for own in 0..=most {
            for _ in ranks.of(own) {
                starts.push(start as u32);
                start += ranks.below(most - own + 1);
            }
        }
        let mut table = Endgame { most, ranks, starts, values: vec![0; size as usize] };
        if game.houses <= u64::HOUSES {
            table.fill(&Sowings::<u64>::new(game, most))
        } else {
            table.fill(&Sowings::<u128>::new(game, most))
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
        self.at(self.ranks.rank(board.own), self.ranks.rank(board.other))
    }

    /// The value for the owner of the first row, who is to move.
    #[inline]
    fn at(&self, own: usize, other: usize) -> i32 {
        i32::from(self.values[self.starts[own] as usize + other])
    }

    /// Solves all boards, each after those it can lead to.
    ///
    /// A sowing that gains leads to fewer seeds. Any other moves seeds towards the store, which lowers the rank of
    /// the row, and hands the move over. So with the boards on which `low` waits before those on which a higher
    /// row of as many seeds waits, and for each `low` first those on which it is to move, all is known in time.
    fn fill<R: Row>(&mut self, sowings: &Sowings<R>) {
        for seeds in 0..=self.most {
            for fewer in 0..=seeds / 2 {
                let same = 2 * fewer == seeds;
                for low in self.ranks.of(fewer) {
                    let mut highs = self.ranks.of(seeds - fewer);
                    if same {
                        highs.start = low;
                    }
                    for high in highs.clone() {
                        self.solve(low, high, sowings);
                    }
                    for high in highs {
                        self.solve(high, low, sowings);
                    }
                }
            }
        }
    }

    #[inline]
    fn solve<R: Row>(&mut self, own: usize, other: usize, sowings: &Sowings<R>) {
        let board = sowings.board(own, other);
        let value = settled(&board, &sowings.game.rules).unwrap_or_else(|| {
            let values = sowings.of(own).iter().map(|sowing| self.value_of(sowing, &board, other, sowings));
            values.max().expect("a row that is not empty can be sown")
        });
        self.values[self.starts[own] as usize + other] = value as i8;
    }

    #[inline]
    fn value_of<R: Row>(&self, sowing: &Sowing, board: &Board<R>, other: usize, sowings: &Sowings<R>) -> i32 {
        let (own, other, gain) = sowings.after(sowing, board, other);
        gain + if sowing.again { self.at(own, other) } else { -self.at(other, own) }
    }
}

/// The value of a board on which the game is over.
#[inline]
pub(super) fn settled<R: Row>(board: &Board<R>, rules: &Rules) -> Option<i32> {
    let nothing = R::default();
    let over = board.own == nothing || (rules.end == End::EitherEmpty && board.other == nothing);
    over.then(|| match rules.leftover {
        Leftover::None => 0,
        _ => board.own.total() as i32 - board.other.total() as i32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Capture;

    /// The definition itself.
    fn value(board: &Board<u64>, game: &Kalah) -> i32 {
        settled(board, &game.rules).unwrap_or_else(|| {
            let filled = (0..game.houses).filter(|&house| board.own.seeds(house) > 0);
            let values = filled.map(|house| {
                let (next, gain, again) = board.after(game.houses, house, &game.rules);
                gain + if again { value(&next, game) } else { -value(&next, game) }
            });
            values.max().expect("a row that is not empty can be sown")
        })
    }

    #[test]
    fn every_value_is_what_its_moves_make_it() {
        for capture in [Capture::Nonempty, Capture::Always] {
            for end in [End::EitherEmpty, End::MoverEmpty] {
                for leftover in [Leftover::Owner, Leftover::None] {
                    let rules = Rules { capture, end, leftover, ..Rules::STANDARD };
                    // Nine seeds go round a board of two houses almost twice.
                    let game = Kalah::with(2, 2, rules).expect("a small board");
                    let table = Endgame::build(&game, 9);
                    let rows: Vec<u64> = (0..100)
                        .map(|n| u64::packed(&[n / 10, n % 10]))
                        .filter(|row| row.total() <= 9)
                        .collect();
                    let mut count = 0;
                    for (&own, &other) in
                        rows.iter().flat_map(|own| rows.iter().map(move |other| (own, other)))
                    {
                        if own.total() + other.total() <= 9 {
                            let board = Board { own, other };
                            assert_eq!(table.value(&board), value(&board, &game), "{board:?} by {rules:?}");
                            count += 1;
                        }
                    }
                    assert_eq!(Endgame::size(2, 9), Some(count));
                }
            }
        }
    }

    #[test]
    fn affordable_is_the_largest_that_fits() {
        let most = Endgame::affordable(6, 10_000_000);
        assert!(Endgame::size(6, most).unwrap() <= 10_000_000);
        assert!(Endgame::size(6, most + 1).unwrap() > 10_000_000);
    }
}
