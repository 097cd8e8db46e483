//! How endgame tables are made: layer by layer of seeds, the groups of a layer in parallel.

use super::endgame::{Endgame, PER_WORD, read};
use super::rows::{NO_HOUSE, Ranks, Sowing, Sowings};
use super::steps::Steps;
use crate::board::{Board, Row};
use crate::rules::{Capture, Kalah};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Solves all boards, each after those it can lead to, and counts them in `solved`. Nothing if cancelled.
///
/// A sowing that gains leads to fewer seeds. Any other hands the move over and leaves both rows with as many seeds
/// as before, so boards with `few` seeds on one side and `many` on the other are a task of their own.
pub(super) fn fill<R: Row>(
    table: &mut Endgame,
    threads: usize,
    cancel: &AtomicBool,
    solved: &AtomicU64,
) -> Option<()> {
    let sowings = Sowings::<R>::new(&table.game, table.most);
    let steps = Steps::<R>::new(&table.game, table.most);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
    let mut words = vec![0; table.word_count()];
    let mut known = 0;
    for seeds in 0..=table.most {
        let (known_words, mut rest) = words.split_at_mut(known);
        // Groups stand in order of the mover's seeds. Each is written where it will be read: no layer is ever held twice.
        let groups = (0..=seeds).map(|mover| {
            let boards = sowings.ranks.count(mover) * sowings.ranks.count(seeds - mover);
            let (group, more) = std::mem::take(&mut rest).split_at_mut(boards.div_ceil(PER_WORD));
            rest = more;
            known += group.len();
            group
        });
        let mut groups = groups.collect::<Vec<_>>().into_iter();
        let mut tasks = Vec::new();
        while let Some(low_group) = groups.next() {
            tasks.push((tasks.len() as u32, low_group, groups.next_back()));
        }
        // The largest first, so that no thread is left with it at the end.
        tasks.reverse();
        let (table, known) = (&*table, &*known_words);
        pool.install(|| {
            tasks.into_par_iter().with_max_len(1).try_for_each(|(few, low_group, high_group)| {
                let pair = Pair::new(table, known, &sowings, &steps, few, seeds - few);
                pair.solve(low_group, high_group, cancel, solved)
            })
        })?;
    }
    table.words = words;
    Some(())
}

/// The bytes that [`fill`] takes beside the table's own, on so many threads at most.
pub(super) fn buffers<R: Row>(game: &Kalah, most: u32, threads: usize) -> u64 {
    let ranks = Ranks::new(game.houses, most);
    // The tasks that come first are the largest, and no more than one a thread is at work.
    let pairs = (0..=most / 2).rev().take(threads);
    let pairs = pairs.map(|few| 2 * ranks.count(few) as u64 * ranks.count(most - few) as u64);
    Sowings::<R>::bytes(&ranks) + pairs.sum::<u64>()
}

/// The boards with `few` seeds on one side and `many` on the other.
///
/// Any sowing without gain lowers the rank of the sown row. So with the rows of `few` seeds one after the other, and
/// for each first the boards on which it is to move, then those on which it waits, all is known in time.
struct Pair<'a, R> {
    table: &'a Endgame,
    /// The words of all boards with fewer seeds.
    known: &'a [u64],
    sowings: &'a Sowings<R>,
    steps: &'a Steps<R>,
    few: u32,
    many: u32,
    /// How many rows there are of each.
    lows: usize,
    highs: usize,
    /// At `low * highs + high`: the low row moves, and the high row moves. As they are written in the table.
    low_moves: Vec<u8>,
    high_moves: Vec<u8>,
}

impl<'a, R: Row> Pair<'a, R> {
    fn new(
        table: &'a Endgame,
        known: &'a [u64],
        sowings: &'a Sowings<R>,
        steps: &'a Steps<R>,
        few: u32,
        many: u32,
    ) -> Pair<'a, R> {
        let (lows, highs) = (sowings.ranks.count(few), sowings.ranks.count(many));
        let (low_moves, high_moves) = (vec![0; lows * highs], vec![0; lows * highs]);
        Pair { table, known, sowings, steps, few, many, lows, highs, low_moves, high_moves }
    }

    fn seeds(&self) -> i32 {
        (self.few + self.many) as i32
    }

    /// Writes the group in which the row of few seeds moves, and the other if it is another. Nothing if cancelled.
    fn solve(
        mut self,
        low_group: &mut [u64],
        high_group: Option<&mut [u64]>,
        cancel: &AtomicBool,
        solved: &AtomicU64,
    ) -> Option<()> {
        let mut best = vec![0; self.highs];
        let sides = if self.few == self.many { 1 } else { 2 };
        for low in 0..self.lows {
            self.solve_low(low, &mut best);
            self.write(low, &best, true);
            self.solve_high(low, &mut best);
            self.write(low, &best, false);
            solved.fetch_add((sides * self.highs) as u64, Relaxed);
            if cancel.load(Relaxed) {
                return None;
            }
        }
        let (lows, highs) = (self.lows, self.highs);
        let high_waits = |high: usize, low: usize| self.low_moves[low * highs + high];
        let low_waits = |low: usize, high: usize| self.high_moves[low * highs + high];
        if let Some(high_group) = high_group {
            pack(low_group, highs, lows, high_waits);
            pack(high_group, lows, highs, low_waits);
        } else {
            // Of each two rows only the lower is `low`.
            let both = |waiting, mover| {
                if mover >= waiting { low_waits(waiting, mover) } else { high_waits(waiting, mover) }
            };
            pack(low_group, lows, lows, both);
        }
        Some(())
    }

    fn write(&mut self, low: usize, best: &[i8], low_moves: bool) {
        let (seeds, unit, highs) = (self.seeds(), self.table.unit(), self.highs);
        let out = if low_moves { &mut self.low_moves } else { &mut self.high_moves };
        for (out, &value) in out[low * highs..][..highs].iter_mut().zip(best) {
            *out = ((i32::from(value) + seeds) / unit) as u8;
        }
    }

    /// The value of a board of this very pair, from what was written of it.
    #[inline]
    fn here(&self, written: u8) -> i32 {
        i32::from(written) * self.table.unit() - self.seeds()
    }

    /// The boards on which `low` is to move, sowing by sowing: all of it but the other row is then fixed.
    fn solve_low(&self, low: usize, best: &mut [i8]) {
        let number = self.sowings.numbers(self.few).start + low;
        let rows = self.sowings.numbers(self.many);
        let over = Board { own: self.sowings.rows[number], other: self.sowings.rows[rows.start] };
        if let Some(value) = self.steps.settled(&over, self.seeds()) {
            best.fill(value as i8);
            return;
        }
        best.fill(i8::MIN);
        for sowing in self.sowings.of(number) {
            if sowing.round {
                for (best, &other) in best.iter_mut().zip(&self.sowings.rows[rows.clone()]) {
                    let board = Board { own: over.own, other };
                    *best = (*best).max(self.sown(&board, sowing) as i8);
                }
                continue;
            }
            if sowing.opposite != NO_HOUSE {
                self.rob(sowing, best);
                continue;
            }
            let (few, many) =
                (self.few - u32::from(sowing.gain + sowing.beyond), self.many + u32::from(sowing.beyond));
            if sowing.gain == 0 {
                let written = &self.high_moves[sowing.left as usize * self.highs..][..self.highs];
                for (best, &written) in best.iter_mut().zip(written) {
                    *best = (*best).max(-self.here(written) as i8);
                }
                continue;
            }
            let (gain, left) = (i32::from(sowing.gain), self.seeds() - i32::from(sowing.gain));
            let filled = self.sowings.filled(sowing.beyond, rows.clone());
            if sowing.again {
                for (best, &other) in best.iter_mut().zip(filled) {
                    let place = self.table.row(few, many, other as usize) + u64::from(sowing.left);
                    *best = (*best).max((gain + self.known(place, left)) as i8);
                }
            } else {
                let row = self.table.row(many, few, sowing.left as usize);
                for (best, &other) in best.iter_mut().zip(filled) {
                    *best = (*best).max((gain - self.known(row + u64::from(other), left)) as i8);
                }
            }
        }
    }

    /// Sowings of `low` that take what lies opposite.
    fn rob(&self, sowing: &Sowing, best: &mut [i8]) {
        let always = self.table.game.rules.capture == Capture::Always;
        let rows = self.sowings.numbers(self.many);
        let robbed = self.sowings.robbed(sowing.opposite, rows.clone());
        let others = &self.sowings.rows[rows];
        let written = &self.high_moves[sowing.left as usize * self.highs..][..self.highs];
        for (high, best) in best.iter_mut().enumerate() {
            let prize = others[high].seeds(usize::from(sowing.opposite));
            let value = if prize > 0 || always {
                let gain = prize as i32 + 1;
                let row = self.table.row(self.many - prize, self.few - 1, sowing.robbing as usize);
                gain - self.known(row + u64::from(robbed[high]), self.seeds() - gain)
            } else {
                -self.here(written[high])
            };
            *best = (*best).max(value as i8);
        }
    }

    /// The boards on which `low` waits.
    fn solve_high(&self, low: usize, best: &mut [i8]) {
        let always = self.table.game.rules.capture == Capture::Always;
        let number = self.sowings.numbers(self.few).start + low;
        let numbers = self.sowings.numbers(self.many);
        let waiting = self.sowings.rows[number];
        let over = Board { own: self.sowings.rows[numbers.start], other: waiting };
        if let Some(value) = self.steps.settled(&over, self.seeds()) {
            best.fill(value as i8);
            return;
        }
        let rank = |ranks: &[u32]| ranks[0] as usize;
        let filled: Vec<usize> = (0..=self.table.game.houses as u8)
            .map(|n| rank(self.sowings.filled(n, number..number + 1)))
            .collect();
        let first = if self.few == self.many { low } else { 0 };
        for (high, best) in best.iter_mut().enumerate().skip(first) {
            let mut most = i32::MIN;
            for sowing in self.sowings.of(numbers.start + high) {
                let value = if sowing.round {
                    let board = Board { own: self.sowings.rows[numbers.start + high], other: waiting };
                    self.sown(&board, sowing)
                } else {
                    let prize = if sowing.opposite == NO_HOUSE {
                        0
                    } else {
                        waiting.seeds(usize::from(sowing.opposite))
                    };
                    if prize > 0 || (always && sowing.opposite != NO_HOUSE) {
                        let robbed = rank(self.sowings.robbed(sowing.opposite, number..number + 1));
                        let gain = prize as i32 + 1;
                        let row = self.table.row(self.few - prize, self.many - 1, sowing.robbing as usize);
                        gain - self.known(row + robbed as u64, self.seeds() - gain)
                    } else if sowing.gain == 0 {
                        -self.here(self.low_moving(low, sowing.left as usize))
                    } else {
                        let gain = i32::from(sowing.gain);
                        let many = self.many - u32::from(sowing.gain + sowing.beyond);
                        let few = self.few + u32::from(sowing.beyond);
                        let other = filled[usize::from(sowing.beyond)];
                        let left = self.seeds() - gain;
                        if sowing.again {
                            let place = self.table.row(many, few, other) + u64::from(sowing.left);
                            gain + self.known(place, left)
                        } else {
                            let place = self.table.row(few, many, sowing.left as usize) + other as u64;
                            gain - self.known(place, left)
                        }
                    }
                };
                most = most.max(value);
            }
            *best = most as i8;
        }
    }

    /// The board on which `low` is to move and `high` waits, as written.
    #[inline]
    fn low_moving(&self, low: usize, high: usize) -> u8 {
        if self.few == self.many && high < low {
            self.high_moves[high * self.highs + low]
        } else {
            self.low_moves[low * self.highs + high]
        }
    }

    /// A board of fewer seeds.
    #[inline]
    fn known(&self, place: u64, seeds: i32) -> i32 {
        read(self.known, place) * self.table.unit() - seeds
    }

    /// A sowing that goes all the way round, which always gains.
    #[cold]
    fn sown(&self, board: &Board<R>, sowing: &Sowing) -> i32 {
        let next = self.steps.after(board, usize::from(sowing.house));
        let value = self.known(self.table.place(&next.board).0, self.seeds() - next.gain);
        next.gain + if next.again { value } else { -value }
    }
}

/// Writes a group's values into its words, waiting row by waiting row.
fn pack(words: &mut [u64], waiting: usize, moving: usize, value: impl Fn(usize, usize) -> u8) {
    let (mut word, mut shift) = (0, 0);
    for row in 0..waiting {
        for column in 0..moving {
            words[word] |= u64::from(value(row, column)) << shift;
            shift += 5;
            if shift == 5 * PER_WORD {
                (word, shift) = (word + 1, 0);
            }
        }
    }
}
