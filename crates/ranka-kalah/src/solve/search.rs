//! A zero-window search with a table of bounds.

use super::endgame::{Endgame, settled};
use super::order::{Order, look_ahead, promising};
use super::table::{Bounds, Table};
use crate::board::{Board, Row};
use crate::rules::Kalah;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How often a search looks whether it should stop.
const LOOK_UP_EVERY: u64 = 1 << 13;

/// From so many seeds on, moves are ordered by looking ahead, a sowing farther for each seed more. There a wrong
/// first move costs more nodes than looking; below, the moves that seem promising at sight are as good.
const MANY_SEEDS: i32 = 37;

/// How far it looks at most.
const FARTHEST: i32 = 10;

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

    /// The exact value, by zero windows that close in on it from `guess`.
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
        let first = self.nodes;
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
            let order: Order = if seeds < MANY_SEEDS {
                promising(board, &self.game)
            } else {
                look_ahead(board, &self.game, (seeds - MANY_SEEDS + 1).min(FARTHEST))
            };
            for house in order.houses().filter(|&house| house != before.best) {
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
            self.table.put(key, self.nodes - first + 1, after);
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
}
