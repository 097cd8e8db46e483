//! How far a search is, for those who wait for it.

use super::solver::Interval;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};

/// How far a search is. It can be read from another thread at any time.
#[derive(Debug)]
pub struct SolverProgress {
    pub(super) nodes: AtomicU64,
    lower: AtomicI32,
    upper: AtomicI32,
}

impl Default for SolverProgress {
    fn default() -> SolverProgress {
        let (nodes, lower, upper) = (AtomicU64::new(0), AtomicI32::new(0), AtomicI32::new(0));
        SolverProgress { nodes, lower, upper }
    }
}

impl SolverProgress {
    /// Positions searched so far, a few thousand too few at most.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// What is proven of the final margin that is now searched for, for the seat that it is asked for.
    pub fn proven(&self) -> Interval {
        Interval { lower: self.lower.load(Relaxed), upper: self.upper.load(Relaxed) }
    }

    pub(super) fn prove(&self, known: Interval) {
        self.lower.store(known.lower, Relaxed);
        self.upper.store(known.upper, Relaxed);
    }
}
