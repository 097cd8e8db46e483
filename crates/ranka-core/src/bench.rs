//! Speed: what a game's room `bench.rs` declares and `ranka bench` measures.

use crate::Game;
use cpu_time::ThreadTime;
use std::time::Duration;

/// The speeds that a game promises.
pub trait Speed: Game {
    /// What to measure, quickest first.
    fn benches() -> Vec<Bench>;

    /// What takes minutes, and is measured only when asked for.
    fn long_benches() -> Vec<Bench> {
        Vec::new()
    }
}

/// Something to measure, on one thread and in processor time, so that a busy machine matters little.
#[derive(Clone, Copy)]
pub struct Bench {
    /// What is measured.
    pub name: &'static str,
    /// The unit of the figure.
    pub unit: &'static str,
    /// What it should reach.
    pub goal: BenchGoal,
    /// Does the work, checks that its result is right, and gives the figure.
    pub run: fn() -> f64,
    /// The same work done in the plainest way, as a yardstick.
    pub naive: Option<fn() -> f64>,
}

/// What a figure should reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BenchGoal {
    /// More is better.
    AtLeast(f64),
    /// Less is better.
    AtMost(f64),
}

impl BenchGoal {
    /// Whether the figure reaches it.
    pub fn reached(self, figure: f64) -> bool {
        match self {
            BenchGoal::AtLeast(least) => figure >= least,
            BenchGoal::AtMost(most) => figure <= most,
        }
    }

    /// How many times better `figure` is than `other`.
    pub fn ratio(self, figure: f64, other: f64) -> f64 {
        match self {
            BenchGoal::AtLeast(_) => figure / other,
            BenchGoal::AtMost(_) => other / figure,
        }
    }
}

/// How often a second `work` does what it counts: repeated for at least half a second of processor time, the
/// best of three such runs.
pub fn per_second(mut work: impl FnMut() -> u64) -> f64 {
    (0..3)
        .map(|_| {
            let begun = ThreadTime::now();
            let mut done = 0;
            while begun.elapsed() < Duration::from_millis(500) {
                done += work();
            }
            done as f64 / begun.elapsed().as_secs_f64()
        })
        .fold(0.0, f64::max)
}

/// The processor seconds that `work` takes, the least of `times` runs.
pub fn seconds(times: u32, mut work: impl FnMut()) -> f64 {
    (0..times)
        .map(|_| {
            let begun = ThreadTime::now();
            work();
            begun.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}
