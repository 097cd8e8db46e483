//! Shards: stretches of a pairing's games, cut to fit whoever plays them.

use crate::Pairing;
use ranka_core::{EndReason, Finished};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Games `first .. first + count` of a pairing: a pure function of these, wherever and whenever it is run.
#[derive(Clone, Copy)]
pub struct Shard<'a> {
    /// Whose games.
    pub pairing: &'a Pairing,
    /// The number of the first.
    pub first: u64,
    /// How many.
    pub count: u64,
}

impl Shard<'_> {
    /// Plays the games. Those that `cancel` cut off are left out, and with them the rest of their deal.
    pub fn run(&self, cancel: &AtomicBool) -> Vec<(u64, Finished)> {
        let numbers = (self.first..self.first + self.count).take_while(|_| !cancel.load(Ordering::Relaxed));
        let games = numbers.map(|number| (number, self.pairing.play(number, cancel)));
        let whole = |(_, game): &(u64, Finished)| game.record.end.reason != EndReason::Cancelled;
        let mut games: Vec<_> = games.filter(whole).collect();
        if (games.len() as u64) < self.count {
            let deal = self.pairing.games_of_a_deal();
            while games.last().is_some_and(|(number, _)| (number + 1) % deal != 0) {
                games.pop();
            }
        }
        games
    }
}

/// Games of a pairing that are still to be played.
pub struct Job<'a> {
    /// Whose games.
    pub pairing: &'a Pairing,
    /// Their numbers, in order.
    pub missing: Vec<Range<u64>>,
}

/// Where the next shard begins.
pub(crate) struct Ahead {
    /// The place of its job.
    pub(crate) job: usize,
    /// The number of its first game.
    pub(crate) first: u64,
    /// How many games of all jobs are not handed out yet.
    pub(crate) left: u64,
}

/// The shards of some jobs in order, each about as many games long as `size` says. A deal is never divided, so that
/// pairs come whole.
pub(crate) struct Shards<'a, S> {
    jobs: &'a [Job<'a>],
    size: S,
    job: usize,
    range: usize,
    done: u64,
    left: u64,
}

impl<'a, S: Fn(Ahead) -> u64> Shards<'a, S> {
    pub(crate) fn new(jobs: &'a [Job<'a>], size: S) -> Shards<'a, S> {
        let left = jobs.iter().flat_map(|job| &job.missing).map(|range| range.end - range.start).sum();
        Shards { jobs, size, job: 0, range: 0, done: 0, left }
    }
}

impl<'a, S: Fn(Ahead) -> u64> Iterator for Shards<'a, S> {
    type Item = (usize, Shard<'a>);

    fn next(&mut self) -> Option<(usize, Shard<'a>)> {
        loop {
            let job = self.jobs.get(self.job)?;
            let Some(range) = job.missing.get(self.range) else {
                (self.job, self.range, self.done) = (self.job + 1, 0, 0);
                continue;
            };
            let first = range.start + self.done;
            if first >= range.end {
                (self.range, self.done) = (self.range + 1, 0);
                continue;
            }
            let wanted = (self.size)(Ahead { job: self.job, first, left: self.left }).max(1);
            let deal = job.pairing.games_of_a_deal();
            let end = (first.saturating_add(wanted).div_ceil(deal).saturating_mul(deal)).min(range.end);
            self.done += end - first;
            self.left -= end - first;
            return Some((self.job, Shard { pairing: job.pairing, first, count: end - first }));
        }
    }
}
