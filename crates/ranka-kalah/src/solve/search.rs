//! A zero-window search with a table of bounds.

use super::endgame::{Endgame, settled};
use super::table::{Bounds, Table};
use crate::board::{Board, Row};
use crate::rules::{Kalah, MOST_HOUSES};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How often a search looks whether it should stop.
const LOOK_UP_EVERY: u64 = 1 << 13;

pub(super) struct Search<R> {
    game: Kalah,
    endgame: Option<Arc<Endgame>>,
    table: Table,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    rows: PhantomData<R>,
}

/// A move, tried out.
#[derive(Clone, Copy, Default)]
struct Child<R> {
    board: Board<R>,
    key: u64,
    gain: i32,
    again: bool,
    house: u8,
    /// How early to look at it.
    rank: i32,
}

impl<R: Row> Search<R> {
    pub(super) fn new(game: Kalah, endgame: Option<Arc<Endgame>>, table_bits: u32) -> Search<R> {
        Search { game, endgame, table: Table::new(table_bits), nodes: 0, stopped: false, rows: PhantomData }
    }

    /// The exact value, by zero windows that close in on it from `guess`. All values of a board have the parity
    /// of its seeds, so every second window would tell nothing new.
    pub(super) fn value(&mut self, board: &Board<R>, guess: i32, cancel: &AtomicBool) -> i32 {
        let (key, seeds) = (board.key(), (board.own.total() + board.other.total()) as i32);
        let Bounds { mut lower, mut upper, .. } = self.known(board, key, seeds);
        let mut value = guess;
        while lower < upper && !self.stopped {
            let bound = value.clamp(lower + 1, upper);
            value = self.probe(board, key, seeds, bound, cancel);
            if value < bound { upper = value } else { lower = value }
        }
        lower
    }

    /// What is known of a board without searching it.
    #[inline]
    fn known(&self, board: &Board<R>, key: u64, seeds: i32) -> Bounds {
        if let Some(value) = settled(board, &self.game.rules) {
            return Bounds::exactly(value);
        }
        if let Some(endgame) = self.endgame.as_deref().filter(|endgame| seeds as u32 <= endgame.most()) {
            return Bounds::exactly(endgame.value(board));
        }
        self.table.get(key).unwrap_or(Bounds::within(seeds))
    }

    /// A bound of an unsettled board's value on one side of `bound`: the value is at least the result if that is
    /// `≥ bound`, and at most the result otherwise.
    fn probe(&mut self, board: &Board<R>, key: u64, seeds: i32, bound: i32, cancel: &AtomicBool) -> i32 {
        let before = self.known(board, key, seeds);
        if before.lower >= bound {
            return before.lower;
        }
        if before.upper < bound {
            return before.upper;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK_UP_EVERY) && cancel.load(Ordering::Relaxed) {
            self.stopped = true;
        }
        if self.stopped {
            return bound;
        }

        // Look at all children before going into any: one that is known well enough saves the search.
        let mut children = [Child::default(); MOST_HOUSES];
        let mut count = 0;
        let mut best = i32::MIN;
        let mut best_house = before.best;
        for house in (0..self.game.houses).rev().filter(|&house| board.own.seeds(house) > 0) {
            let (next, gain, again) = board.after(self.game.houses, house, &self.game.rules);
            let next_key = next.key();
            let known = self.known(&next, next_key, seeds - gain).for_mover(gain, again);
            if known.lower >= bound {
                self.table.put(key, seeds, Bounds { lower: known.lower, best: house as u8, ..before });
                return known.lower;
            }
            if known.upper < bound {
                best = best.max(known.upper);
                continue;
            }
            let mut rank = 4 * gain + if again { 1000 } else { 0 };
            if house as u8 == before.best {
                rank = i32::MAX;
            }
            let mut place = count;
            while place > 0 && children[place - 1].rank < rank {
                children[place] = children[place - 1];
                place -= 1;
            }
            children[place] = Child { board: next, key: next_key, gain, again, house: house as u8, rank };
            count += 1;
        }

        for child in &children[..count] {
            let left = seeds - child.gain;
            let value = if child.again {
                child.gain + self.probe(&child.board, child.key, left, bound - child.gain, cancel)
            } else {
                child.gain - self.probe(&child.board, child.key, left, child.gain - bound + 1, cancel)
            };
            if value > best {
                (best, best_house) = (value, child.house);
                if best >= bound {
                    break;
                }
            }
        }
        if !self.stopped {
            let after = if best >= bound {
                Bounds { lower: best, best: best_house, ..before }
            } else {
                Bounds { upper: best, best: best_house, ..before }
            };
            self.table.put(key, seeds, after);
        }
        best
    }
}
