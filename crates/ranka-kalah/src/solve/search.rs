//! A zero-window search with a table of bounds.

use super::endgame::{Endgame, Place};
use super::progress::SolverProgress;
use super::steps::{Next, Steps};
use super::table::{Bounds, NONE, Table};
use crate::board::{Board, Row};
use crate::rules::MOST_HOUSES;
use ranka_search::Limits;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// How often a search looks whether it should stop.
const LOOK_UP_EVERY: u64 = 1 << 11;

/// Boards with so many seeds more than the endgame tables know are large enough to be shared among threads.
const SHARED_BEYOND: i32 = 5;

/// What all threads of a search share.
pub(super) struct Common<'a, R> {
    pub(super) steps: &'a Steps<R>,
    pub(super) endgame: Option<&'a Endgame>,
    pub(super) table: &'a Table,
    /// The keys of boards that some thread is searching; nothing for a search on its own.
    pub(super) busy: Option<&'a Busy>,
    /// Set by the first thread that is done.
    pub(super) done: &'a AtomicBool,
    pub(super) limits: Limits<'a>,
    pub(super) progress: &'a SolverProgress,
}

/// Boards being searched, so that other threads take up other boards first. A lost mark costs time, nothing else.
pub(super) struct Busy([AtomicU64; 1 << 12]);

impl Busy {
    pub(super) fn new() -> Box<Busy> {
        Box::new(Busy([const { AtomicU64::new(0) }; 1 << 12]))
    }

    fn place(&self, key: u64) -> &AtomicU64 {
        &self.0[key as usize & ((1 << 12) - 1)]
    }
}

/// One thread of a search.
pub(super) struct Search<'a, R> {
    common: &'a Common<'a, R>,
    /// Up to this many seeds a board is looked up in the endgame tables.
    known: i32,
    shared: i32,
    pub(super) nodes: u64,
    /// After how many positions the limits are looked at again, and of how many others have heard.
    look_up_at: u64,
    told: u64,
    pub(super) lookups: Lookups,
    pub(super) stopped: bool,
}

/// How often the table of bounds was asked for a board that can follow, and how often it knew something of it.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Lookups {
    /// Times asked.
    pub all: u64,
    /// Times that something was known.
    pub hits: u64,
}

impl std::ops::AddAssign for Lookups {
    fn add_assign(&mut self, other: Lookups) {
        self.all += other.all;
        self.hits += other.hits;
    }
}

/// A board that can follow.
#[derive(Clone, Copy, Default)]
struct Child<R> {
    next: Next<R>,
    /// Its place in the endgame tables or its key.
    place: Place,
    key: u64,
    left: i32,
    score: i32,
    house: u8,
}

impl<'a, R: Row> Search<'a, R> {
    pub(super) fn new(common: &'a Common<'a, R>) -> Search<'a, R> {
        let known = common.endgame.map_or(-1, |endgame| endgame.most() as i32);
        let shared = if common.busy.is_some() { known.max(14) + SHARED_BEYOND } else { i32::MAX };
        Search {
            common,
            known,
            shared,
            nodes: 0,
            look_up_at: common.limits.count.min(LOOK_UP_EVERY),
            told: 0,
            lookups: Lookups::default(),
            stopped: false,
        }
    }

    /// What is known of a board without searching it.
    pub(super) fn known(&self, board: &Board<R>, seeds: i32) -> Bounds {
        if let Some(value) = self.common.steps.settled(board, seeds) {
            return Bounds::exactly(value);
        }
        if let Some(endgame) = self.common.endgame.filter(|_| seeds <= self.known) {
            return Bounds::exactly(endgame.value(board));
        }
        self.common.table.get(board.short_key(), seeds).unwrap_or(Bounds::within(seeds))
    }

    /// A bound of an unsettled board's value on one side of `bound`: the value is at least the result if that is
    /// `≥ bound`, and at most the result otherwise. Means nothing once the search has stopped.
    pub(super) fn probe(&mut self, board: &Board<R>, key: u64, seeds: i32, bound: i32) -> i32 {
        let table = self.common.table;
        let mut known = table.get(key, seeds).unwrap_or(Bounds::within(seeds));
        if known.lower >= bound {
            return known.lower;
        }
        if known.upper < bound {
            return known.upper;
        }
        self.nodes += 1;
        let first = self.nodes;
        if self.nodes >= self.look_up_at {
            self.look_up();
        }
        if self.stopped {
            return bound;
        }
        let mut found = Found { best: i32::MIN, house: NONE, bound };
        let mut children = [Child::default(); MOST_HOUSES];
        let mut count = self.spread(board, seeds, &mut children, &mut found);
        if !found.enough() {
            count = self.recall(&mut children[..count], known.best, &mut found);
        }
        if !found.enough() {
            self.descend(&mut children[..count], &mut found);
        }
        if !self.stopped {
            if found.enough() {
                known.lower = found.best
            } else {
                known.upper = found.best
            }
            known.best = found.house;
            table.put(key, seeds, self.nodes - first + 1, known);
        }
        found.best
    }

    #[cold]
    fn look_up(&mut self) {
        let limits = &self.common.limits;
        self.common.progress.nodes.fetch_add(self.nodes - self.told, Relaxed);
        self.told = self.nodes;
        self.look_up_at = limits.count.min(self.nodes + LOOK_UP_EVERY);
        self.stopped = self.common.done.load(Relaxed)
            || limits.cancel.load(Relaxed)
            || self.nodes >= limits.count
            || limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    }

    /// Sows every house. What is decided at sight goes into `found`; the rest becomes children.
    #[inline]
    fn spread(
        &self,
        board: &Board<R>,
        seeds: i32,
        children: &mut [Child<R>; MOST_HOUSES],
        found: &mut Found,
    ) -> usize {
        let steps = self.common.steps;
        let mut count = 0;
        for house in (0..steps.game.houses).rev() {
            if board.own.seeds(house) == 0 {
                continue;
            }
            let next = steps.after(board, house);
            let left = seeds - next.gain;
            if let Some(value) = steps.settled(&next.board, left) {
                found.learn(next.seen(value), house as u8);
            } else if next.gain - left >= found.bound {
                // Even if the other got all that is left.
                found.learn(next.gain - left, house as u8);
            } else if next.gain + left < found.bound {
                found.learn(next.gain + left, house as u8);
                continue;
            } else {
                let child = &mut children[count];
                count += 1;
                *child = Child {
                    next,
                    left,
                    score: promise(&next, house, steps.game.houses),
                    house: house as u8,
                    ..*child
                };
                match self.common.endgame {
                    Some(endgame) if left <= self.known => {
                        child.place = endgame.place(&next.board);
                    }
                    _ => {
                        child.key = next.board.short_key();
                    }
                }
            }
            if found.enough() {
                break;
            }
        }
        count
    }

    /// Looks all children up before any is searched: one that is known to be good enough spares the others.
    #[inline]
    fn recall(&mut self, children: &mut [Child<R>], best: u8, found: &mut Found) -> usize {
        // Nearly all time is spent waiting for memory here, so the waits shall overlap: one trip for all, not each.
        for child in &*children {
            match self.common.endgame {
                Some(endgame) if child.left <= self.known => endgame.touch(child.place),
                _ => self.common.table.touch(child.key),
            }
        }
        let mut count = 0;
        for i in 0..children.len() {
            let child = &mut children[i];
            let bounds = match self.common.endgame {
                Some(endgame) if child.left <= self.known => {
                    Some(Bounds::exactly(endgame.at(child.place, child.left)))
                }
                _ => {
                    let bounds = self.common.table.get(child.key, child.left);
                    self.lookups.all += 1;
                    self.lookups.hits += u64::from(bounds.is_some());
                    bounds
                }
            };
            if let Some(bounds) = bounds {
                let (lower, upper) = child.next.seen_bounds(bounds);
                if lower >= found.bound {
                    found.learn(lower, child.house);
                    return 0;
                }
                if upper < found.bound {
                    found.learn(upper, child.house);
                    continue;
                }
            }
            if child.house == best {
                child.score = i32::MAX;
            }
            children[count] = children[i];
            count += 1;
        }
        count
    }

    /// Searches the children, the most promising first and those last that another thread is at.
    fn descend(&mut self, children: &mut [Child<R>], found: &mut Found) {
        children.sort_unstable_by_key(|child| -child.score);
        let mut put_off = 0u32;
        for (i, child) in children.iter().enumerate() {
            if let Some(busy) = self.common.busy.filter(|_| child.left >= self.shared) {
                let mark = busy.place(child.key);
                if i > 0 && mark.load(Relaxed) == child.key {
                    put_off |= 1 << i;
                    continue;
                }
                mark.store(child.key, Relaxed);
                self.search(child, found);
                mark.store(0, Relaxed);
            } else {
                self.search(child, found);
            }
            if found.enough() || self.stopped {
                return;
            }
        }
        for child in
            children.iter().enumerate().filter(|(i, _)| put_off >> i & 1 == 1).map(|(_, child)| child)
        {
            self.search(child, found);
            if found.enough() || self.stopped {
                return;
            }
        }
    }

    #[inline]
    fn search(&mut self, child: &Child<R>, found: &mut Found) {
        let next = &child.next;
        let bound = if next.again { found.bound - next.gain } else { next.gain - found.bound + 1 };
        let value = self.probe(&next.board, child.key, child.left, bound);
        found.learn(next.seen(value), child.house);
    }
}

/// Which sowings to search first: extra turns, then those that gain much and leave few replies, and among equals the
/// house nearest the store. What is quick to refute counts as much as what is good.
#[inline]
fn promise<R: Row>(next: &Next<R>, house: usize, houses: usize) -> i32 {
    if next.again {
        return 1000 + house as i32;
    }
    let replies = (0..houses).filter(|&house| next.board.own.seeds(house) > 0).count() as i32;
    8 * next.gain + house as i32 - 4 * replies
}

impl<R> Next<R> {
    /// The value of the board for the one who sowed, from its value for whoever moves there.
    #[inline]
    fn seen(&self, value: i32) -> i32 {
        self.gain + if self.again { value } else { -value }
    }

    #[inline]
    fn seen_bounds(&self, bounds: Bounds) -> (i32, i32) {
        if self.again {
            (self.gain + bounds.lower, self.gain + bounds.upper)
        } else {
            (self.gain - bounds.upper, self.gain - bounds.lower)
        }
    }
}

/// The best so far.
struct Found {
    best: i32,
    house: u8,
    bound: i32,
}

impl Found {
    #[inline]
    fn learn(&mut self, value: i32, house: u8) {
        if value > self.best {
            (self.best, self.house) = (value, house);
        }
    }

    #[inline]
    fn enough(&self) -> bool {
        self.best >= self.bound
    }
}
