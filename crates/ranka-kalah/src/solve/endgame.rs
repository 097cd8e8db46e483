//! Endgame tables: the value of every board with few seeds.
//!
//! A row is an arrangement of seeds in N houses and has a rank among those with as many seeds (the combinatorial
//! number system). Boards are grouped by the seeds of the mover's row and of the other, and within a group the ranks
//! of both rows are the place of a value: there are no keys and no gaps. Values have the parity of the seeds, so
//! five bits hold one for up to 31 seeds; twelve of them make a word.

use super::build;
use super::rows::{MOST_SEEDS, Ranks, binomial};
use crate::board::{Board, Row};
use crate::rules::{Kalah, Leftover};
use crate::state::State;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// Values in a word.
pub(super) const PER_WORD: usize = 12;

/// Tables of more boards than this are beyond any memory, and beyond the numbers that their places are counted in.
const COUNTABLE: u64 = 1 << 40;

/// The exact value of every board with at most so many seeds.
#[derive(Debug)]
pub struct Endgame {
    pub(super) game: Kalah,
    pub(super) most: u32,
    pub(super) ranks: Ranks,
    /// Where each group begins, by the mover's seeds and the other's: `mover << 5 | other`.
    starts: Vec<u64>,
    /// How many rows have so many seeds.
    counts: Vec<u32>,
    pub(super) words: Vec<u64>,
}

/// Where a board's value stands.
#[derive(Clone, Copy, Default)]
pub(super) struct Place(pub(super) u64);

impl Endgame {
    /// Computes the table for boards of `game`'s size and rules with up to `most` seeds, on so many threads.
    ///
    /// # Panics
    /// If there are more than [`most_seeds`](Endgame::most_seeds), or more boards than can be counted.
    pub fn build(game: &Kalah, most: u32, threads: usize) -> Endgame {
        let never = AtomicBool::new(false);
        Endgame::build_unless(game, most, threads, &never, &AtomicU64::new(0)).expect("nobody stops it")
    }

    /// The same, unless it is cancelled. How many boards are solved can be read from `solved` meanwhile.
    pub fn build_unless(
        game: &Kalah,
        most: u32,
        threads: usize,
        cancel: &AtomicBool,
        solved: &AtomicU64,
    ) -> Option<Endgame> {
        let mut table = Endgame::empty(game, most);
        if game.houses <= u64::HOUSES {
            build::fill::<u64>(&mut table, threads, cancel, solved)?;
        } else {
            build::fill::<u128>(&mut table, threads, cancel, solved)?;
        }
        Some(table)
    }

    /// The bytes that are taken up at most while a table is built on so many threads, its own included; nothing if that
    /// is beyond counting.
    pub fn build_bytes(game: &Kalah, most: u32, threads: usize) -> Option<u64> {
        Endgame::size(game.houses, most).filter(|&boards| boards <= COUNTABLE)?;
        let buffers = if game.houses <= u64::HOUSES { build::buffers::<u64> } else { build::buffers::<u128> };
        Some(8 * Endgame::empty(game, most).word_count() as u64 + buffers(game, most, threads))
    }

    /// The table before it holds anything.
    pub(super) fn empty(game: &Kalah, most: u32) -> Endgame {
        assert!(most <= Endgame::most_seeds(game), "too many seeds for a table");
        let ranks = Ranks::new(game.houses, most);
        let counts: Vec<u32> = (0..=most).map(|seeds| ranks.count(seeds) as u32).collect();
        let mut starts = vec![0; 32 * 32];
        let mut start = 0;
        for seeds in 0..=most {
            for mover in 0..=seeds {
                starts[((mover << 5) | (seeds - mover)) as usize] = start;
                let size = u64::from(counts[mover as usize]) * u64::from(counts[(seeds - mover) as usize]);
                // Groups begin at a word, so that threads fill them on their own.
                start += size.next_multiple_of(PER_WORD as u64);
            }
        }
        Endgame { game: *game, most, ranks, starts, counts, words: Vec::new() }
    }

    /// How many words it has when it is complete.
    pub(super) fn word_count(&self) -> usize {
        let rows = self.counts[self.most as usize] as usize;
        // The last group is that in which the mover has all the seeds.
        (self.starts[(self.most << 5) as usize] as usize + rows).div_ceil(PER_WORD)
    }

    /// The most seeds that a table of this game can hold: a value takes five bits.
    pub fn most_seeds(game: &Kalah) -> u32 {
        // Where leftovers count for nobody, values have both parities.
        if game.rules.leftover == Leftover::None { MOST_SEEDS / 2 } else { MOST_SEEDS }
    }

    /// How many boards a table of up to `most` seeds holds; nothing if that is beyond counting.
    pub fn size(houses: usize, most: u32) -> Option<u64> {
        binomial(u64::from(most) + 2 * houses as u64, 2 * houses as u64)
    }

    /// The most seeds for which a table of this game stays below `boards` boards.
    pub fn affordable(game: &Kalah, boards: u64) -> u32 {
        let fits = |&most: &u32| Endgame::size(game.houses, most).is_some_and(|size| size <= boards);
        (1..=Endgame::most_seeds(game)).take_while(fits).last().unwrap_or(0)
    }

    /// The most seeds that it knows.
    pub fn most(&self) -> u32 {
        self.most
    }

    /// The bytes that it takes up.
    pub fn bytes(&self) -> u64 {
        8 * self.words.len() as u64
    }

    /// The place of a board with no more than [`most`](Endgame::most) seeds.
    #[inline]
    pub(super) fn place<R: Row>(&self, board: &Board<R>) -> Place {
        let ((own, mover), (other, waiting)) = (self.ranks.rank(board.own), self.ranks.rank(board.other));
        Place(self.row(mover, waiting, other) + own as u64)
    }

    /// Where the values of boards begin on which a row with `waiting` seeds and rank `other` waits.
    #[inline]
    pub(super) fn row(&self, mover: u32, waiting: u32, other: usize) -> u64 {
        self.starts[(mover << 5 | waiting) as usize & 1023]
            + other as u64 * u64::from(self.counts[mover as usize])
    }

    /// The value at a place, for a board with so many seeds.
    #[inline]
    pub(super) fn at(&self, place: Place, seeds: i32) -> i32 {
        self.read(place.0) * self.unit() - seeds
    }

    /// What is written at a place: how far a value is from losing everything, in steps of [`unit`](Endgame::unit).
    #[inline]
    fn read(&self, place: u64) -> i32 {
        read(&self.words, place)
    }

    /// Values of boards with equally many seeds differ by a multiple of it.
    #[inline]
    pub(super) fn unit(&self) -> i32 {
        if self.game.rules.leftover == Leftover::None { 1 } else { 2 }
    }

    /// Has a value's cache line on its way from memory while there is other work to do.
    #[inline]
    pub(super) fn touch(&self, place: Place) {
        std::hint::black_box(self.words[(place.0 / PER_WORD as u64) as usize]);
    }

    /// What the houses of a position are worth to its mover, if it has few enough seeds.
    pub(crate) fn worth(&self, state: &State) -> Option<i32> {
        let seeds = state.in_houses();
        if seeds > self.most {
            return None;
        }
        let board = state.board();
        let place = if self.game.houses <= u64::HOUSES {
            self.place(&Board { own: board.own as u64, other: board.other as u64 })
        } else {
            self.place(&board)
        };
        Some(self.at(place, seeds as i32))
    }

    /// The value of a board with no more than [`most`](Endgame::most) seeds.
    pub(super) fn value<R: Row>(&self, board: &Board<R>) -> i32 {
        self.at(self.place(board), (board.own.total() + board.other.total()) as i32)
    }
}

/// What is written at a place of a table's words.
#[inline]
pub(super) fn read(words: &[u64], place: u64) -> i32 {
    let (word, rest) = (place / PER_WORD as u64, place % PER_WORD as u64);
    (words[word as usize] >> (5 * rest)) as i32 & 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Capture, EndRule, Rules};
    use crate::solve::steps::Steps;

    /// The definition itself.
    fn value(board: &Board<u64>, steps: &Steps<u64>) -> i32 {
        let seeds = (board.own.total() + board.other.total()) as i32;
        steps.settled(board, seeds).unwrap_or_else(|| {
            let filled = (0..steps.game.houses).filter(|&house| board.own.seeds(house) > 0);
            let values = filled.map(|house| {
                let (next, gain, again) = board.after(steps.game.houses, house, &steps.game.rules);
                gain + if again { value(&next, steps) } else { -value(&next, steps) }
            });
            values.max().expect("a row that is not empty can be sown")
        })
    }

    #[test]
    fn every_value_is_what_its_moves_make_it() {
        for capture in [Capture::Nonempty, Capture::Always] {
            for end in [EndRule::EitherEmpty, EndRule::MoverEmpty] {
                for leftover in [Leftover::Owner, Leftover::None] {
                    let rules = Rules { capture, end, leftover, ..Rules::STANDARD };
                    // Nine seeds go round a board of two houses almost twice.
                    let game = Kalah::with(2, 2, rules).expect("a small board");
                    let table = Endgame::build(&game, 9, 2);
                    let steps = Steps::new(&game, 9);
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
                            assert_eq!(table.value(&board), value(&board, &steps), "{board:?} by {rules:?}");
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
        let game = Kalah::standard(6, 4);
        let most = Endgame::affordable(&game, 10_000_000);
        assert!(Endgame::size(6, most).unwrap() <= 10_000_000);
        assert!(Endgame::size(6, most + 1).unwrap() > 10_000_000);
    }
}
