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

        let (mut best, mut best_house) = (i32::MIN, before.best);
        // The move that was best before often is again, and then the others need not even be ordered.
        if usize::from(before.best) < self.game.houses {
            best = self.try_house(board, usize::from(before.best), seeds, bound, cancel);
        }
        if best < bound {
            let (order, count) = self.order(board, before.best);
            for &ranked in &order[..count] {
                let house = ranked as u8;
                let value = self.try_house(board, usize::from(house), seeds, bound, cancel);
                if value > best {
                    (best, best_house) = (value, house);
                    if best >= bound {
                        break;
                    }
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

    /// A bound of the value of sowing `house`, on one side of `bound`.
    #[inline]
    fn try_house(
        &mut self,
        board: &Board<R>,
        house: usize,
        seeds: i32,
        bound: i32,
        cancel: &AtomicBool,
    ) -> i32 {
        let (next, gain, again) = board.after(self.game.houses, house, &self.game.rules);
        let (key, left) = (next.key(), seeds - gain);
        if again {
            gain + self.probe(&next, key, left, bound - gain, cancel)
        } else {
            gain - self.probe(&next, key, left, gain - bound + 1, cancel)
        }
    }

    /// The houses to sow but `known`, the most promising first, each in the lowest byte of its rank: extra turns
    /// from the house nearest the store on, then captures by their size. All of that can be seen without sowing.
    #[inline]
    fn order(&self, board: &Board<R>, known: u8) -> ([u32; MOST_HOUSES], usize) {
        let houses = self.game.houses;
        let mut order = [0; MOST_HOUSES];
        let mut count = 0;
        for house in 0..houses {
            let seeds = board.own.seeds(house) as usize;
            if seeds == 0 || house as u8 == known {
                continue;
            }
            let to_store = houses - house;
            let promise = if seeds == to_store {
                1000
            } else if seeds < to_store && board.own.seeds(house + seeds) == 0 {
                board.other.seeds(to_store - 1 - seeds)
            } else {
                0
            };
            let ranked = promise << 16 | (house as u32) << 8 | house as u32;
            let mut place = count;
            while place > 0 && order[place - 1] < ranked {
                order[place] = order[place - 1];
                place -= 1;
            }
            order[place] = ranked;
            count += 1;
        }
        (order, count)
    }
}
