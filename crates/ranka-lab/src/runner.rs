//! The one runner of games: on several threads, as they come or in order of their numbers.

use crate::Pairing;
use ranka_core::{EndReason, Error, Finished};
use rayon::iter::{ParallelBridge, ParallelIterator};
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Instant;

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

/// How long a shard should take: short enough that little is lost when the program is killed, long enough that
/// handing it over costs nothing.
const SHARD_NANOS: u64 = 50_000_000;

/// The shards of some jobs in order, each as long as the pace of its job's earlier ones suggests. A deal is never
/// divided, so that pairs come whole.
struct Shards<'a> {
    jobs: &'a [Job<'a>],
    job: usize,
    range: usize,
    done: u64,
    /// Nanoseconds a game, by job; 0 while nothing is known.
    paces: &'a [AtomicU64],
    stop: &'a AtomicBool,
    cancel: &'a AtomicBool,
}

impl<'a> Iterator for Shards<'a> {
    type Item = (usize, Shard<'a>);

    fn next(&mut self) -> Option<(usize, Shard<'a>)> {
        if self.stop.load(Ordering::Relaxed) || self.cancel.load(Ordering::Relaxed) {
            return None;
        }
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
            let deal = job.pairing.games_of_a_deal();
            let pace = self.paces[self.job].load(Ordering::Relaxed);
            let wanted = SHARD_NANOS.checked_div(pace).unwrap_or(1).max(1);
            let end = ((first + wanted).div_ceil(deal) * deal).min(range.end);
            self.done += end - first;
            return Some((self.job, Shard { pairing: job.pairing, first, count: end - first }));
        }
    }
}

/// Plays games. Match, sequential test, tournament and experiment all play by it.
#[derive(Clone, Copy)]
pub struct Runner<'a> {
    /// How many games at a time. Changes nothing but the speed.
    pub threads: usize,
    /// Set from outside to stop. Games that it cuts off never reach anybody.
    pub cancel: &'a AtomicBool,
}

impl Runner<'_> {
    /// Plays all games of `jobs`. `sink` gets each job's place and its games, shard by shard in whatever order they are
    /// done, and may stop the rest.
    pub fn play(
        &self,
        jobs: &[Job<'_>],
        mut sink: impl FnMut(usize, Vec<(u64, Finished)>) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        let (threads, cancel) = (self.threads.clamp(1, MOST_THREADS), self.cancel);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|e| Error::internal(format!("{threads} threads: {e}")))?;
        let paces: Vec<AtomicU64> = jobs.iter().map(|_| AtomicU64::new(0)).collect();
        let stop = AtomicBool::new(false);
        let shards = Shards { jobs, job: 0, range: 0, done: 0, paces: &paces, stop: &stop, cancel };
        // A full channel holds the players back when the sink is slower than they are.
        let (finished, arrivals) = mpsc::sync_channel(4 * threads);
        std::thread::scope(|scope| {
            let (pool, paces) = (&pool, &paces);
            scope.spawn(move || {
                let work = |(job, shard): (usize, Shard<'_>)| {
                    let begun = Instant::now();
                    let games = shard.run(cancel);
                    let pace = begun.elapsed().as_nanos() as u64 / shard.count;
                    paces[job].store(pace.max(1), Ordering::Relaxed);
                    // Nobody listens any more once the sink has stopped.
                    let _ = finished.send((job, games));
                };
                pool.install(|| shards.par_bridge().for_each(work));
            });
            for (job, games) in &arrivals {
                let told = sink(job, games);
                if !matches!(told, Ok(ControlFlow::Continue(()))) {
                    stop.store(true, Ordering::Relaxed);
                    // Whoever waits to hand over a shard is let go.
                    drop(arrivals);
                    return told.map(|_| ());
                }
            }
            Ok(())
        })
    }

    /// Plays the games of `job` and tells `each` of all games in order of their numbers, without a gap: those that are
    /// `known` already, and what `keep` makes of those that were played, which it gets as they come. So a game is kept
    /// before one that takes longer is done, and yet decisions depend on the order alone. `each` may stop the rest.
    pub fn play_in_order<T>(
        &self,
        job: Job<'_>,
        known: impl IntoIterator<Item = (u64, T)>,
        mut keep: impl FnMut(Vec<(u64, Finished)>) -> Result<Vec<(u64, T)>, Error>,
        mut each: impl FnMut(T) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        // Games are begun in order, so few ever wait.
        let mut waiting: BTreeMap<u64, T> = known.into_iter().collect();
        let mut next = 0;
        let mut tell = |waiting: &mut BTreeMap<u64, T>| {
            while let Some(game) = waiting.remove(&next) {
                next += 1;
                if each(game)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        };
        if tell(&mut waiting)?.is_break() {
            return Ok(());
        }
        self.play(&[job], |_, played| {
            waiting.extend(keep(played)?);
            tell(&mut waiting)
        })
    }
}

/// More would only cost memory.
const MOST_THREADS: usize = 1024;
