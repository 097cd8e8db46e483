//! The one runner of games: on several threads, as they come or in order of their numbers.

use crate::shards::{Ahead, Job, Shard, Shards};
use ranka_core::{Error, Finished};
use rayon::iter::{ParallelBridge, ParallelIterator};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Instant;

/// Who plays the games of jobs: threads of this program ([`Runner`]), or whoever takes shards from an
/// [`Exchange`](crate::Exchange). Match, sequential test, tournament and experiment all play by it, and what comes of
/// them is the same for any.
pub trait Executor: Copy {
    /// Whether it was told to stop from outside.
    fn cancelled(&self) -> bool;

    /// Plays all games of `jobs`. `sink` gets each job's place and its games, shard by shard in whatever order they are
    /// done, and may stop the rest.
    fn play(
        &self,
        jobs: &[Job<'_>],
        sink: impl FnMut(usize, Vec<(u64, Finished)>) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error>;

    /// Plays the games of `job` and tells `each` of all games in order of their numbers, without a gap: those that are
    /// `known` already, and what `keep` makes of those that were played, which it gets as they come. So a game is kept
    /// before one that takes longer is done, and yet decisions depend on the order alone. `each` may stop the rest.
    fn play_in_order<T>(
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

/// How long a shard should take: short enough that little is lost when the program is killed, long enough that
/// handing it over costs nothing.
const SHARD_NANOS: u64 = 50_000_000;

/// Plays games on threads of this program.
#[derive(Clone, Copy)]
pub struct Runner<'a> {
    /// How many games at a time. Changes nothing but the speed.
    pub threads: usize,
    /// Set from outside to stop. Games that it cuts off never reach anybody.
    pub cancel: &'a AtomicBool,
}

impl Runner<'_> {
    /// Its threads.
    pub(crate) fn pool(&self) -> Result<rayon::ThreadPool, Error> {
        let threads = self.threads.clamp(1, MOST_THREADS);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map_err(|e| Error::internal(format!("{threads} threads: {e}")))
    }
}

impl Executor for Runner<'_> {
    fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    fn play(
        &self,
        jobs: &[Job<'_>],
        mut sink: impl FnMut(usize, Vec<(u64, Finished)>) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        let (pool, cancel) = (self.pool()?, self.cancel);
        // Nanoseconds a game, by job; 0 while nothing is known.
        let paces: Vec<AtomicU64> = jobs.iter().map(|_| AtomicU64::new(0)).collect();
        let pace_of = |ahead: Ahead| paces[ahead.job].load(Ordering::Relaxed);
        let shards = Shards::new(jobs, |ahead| SHARD_NANOS.checked_div(pace_of(ahead)).unwrap_or(1));
        let stop = AtomicBool::new(false);
        let go_on = || !stop.load(Ordering::Relaxed) && !cancel.load(Ordering::Relaxed);
        let shards = shards.take_while(|_| go_on());
        // A full channel holds the players back when the sink is slower than they are.
        let (finished, arrivals) = mpsc::sync_channel(4 * pool.current_num_threads());
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
}

/// The most threads that a program is asked for: more would only cost memory.
pub const MOST_THREADS: usize = 1024;
