//! How much a search may do, and how it notices that this is used up.

use ranka_core::Budget;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static NEVER: AtomicBool = AtomicBool::new(false);

/// How much a search may do. What is counted is positions or playouts, as the search says.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// The most positions or playouts.
    pub count: u64,
    /// When to stop. Results then depend on the machine.
    pub deadline: Option<Instant>,
    /// Set from outside when nobody waits for the answer any more.
    pub cancel: &'a AtomicBool,
}

impl Limits<'static> {
    /// No limits.
    pub const NONE: Limits<'static> = Limits { count: u64::MAX, deadline: None, cancel: &NEVER };

    /// So many positions or playouts.
    pub const fn count(count: u64) -> Limits<'static> {
        Limits { count, ..Limits::NONE }
    }
}

impl<'a> Limits<'a> {
    /// The limits that a budget sets; a time starts to run now. Positions and playouts both count as what
    /// the search counts.
    pub fn new(budget: Option<Budget>, cancel: &'a AtomicBool) -> Limits<'a> {
        let limits = Limits { cancel, ..Limits::NONE };
        match budget {
            None => limits,
            Some(Budget::Nodes(count) | Budget::Playouts(count)) => Limits { count, ..limits },
            Some(Budget::Millis(ms)) => {
                Limits { deadline: Instant::now().checked_add(Duration::from_millis(ms)), ..limits }
            }
        }
    }
}

/// Why a search stopped before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It had looked at as many positions or playouts as it may.
    Count,
    /// Its time was up.
    Deadline,
    /// It was cancelled.
    Cancelled,
}

/// Counts, and looks at the clock and the cancel flag now and then.
pub(crate) struct LimitChecker<'a> {
    limits: Limits<'a>,
    every: u64,
    lenient: bool,
    look_at: u64,
    count: u64,
    stopped: Option<Stop>,
}

impl<'a> LimitChecker<'a> {
    /// A checker that looks at the clock once in `every` counts.
    pub(crate) fn new(limits: Limits<'a>, every: u64) -> LimitChecker<'a> {
        LimitChecker { limits, every, lenient: false, look_at: 0, count: 0, stopped: None }
    }

    /// While lenient, only cancelling stops: for the part of a search without which it has no answer.
    pub(crate) fn lenient(&mut self, lenient: bool) {
        self.lenient = lenient;
        self.look_at = self.count;
    }

    /// Counts one more; false when it may not be done any more.
    #[inline]
    pub(crate) fn go_on(&mut self) -> bool {
        if self.count >= self.look_at && self.look() {
            return false;
        }
        self.count += 1;
        true
    }

    #[cold]
    fn look(&mut self) -> bool {
        let limits = &self.limits;
        self.stopped = if limits.cancel.load(Ordering::Relaxed) {
            Some(Stop::Cancelled)
        } else if self.lenient {
            None
        } else if self.count >= limits.count {
            Some(Stop::Count)
        } else if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Stop::Deadline)
        } else {
            None
        };
        let soon = self.count.saturating_add(self.every);
        self.look_at = match self.stopped {
            Some(_) => 0,
            None if self.lenient => soon,
            None => soon.min(limits.count),
        };
        self.stopped.is_some()
    }

    /// How much was done.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Why no more may be done, once that is so.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_counts_exactly_and_notices_the_rest_soon() {
        let mut checker = LimitChecker::new(Limits::count(5000), 1024);
        while checker.go_on() {}
        assert_eq!((checker.count(), checker.stopped()), (5000, Some(Stop::Count)));

        let cancel = AtomicBool::new(false);
        let mut checker = LimitChecker::new(Limits::new(Some(Budget::Millis(1)), &cancel), 16);
        checker.lenient(true);
        std::thread::sleep(Duration::from_millis(3));
        assert!((0..100).all(|_| checker.go_on()), "lenient");
        checker.lenient(false);
        assert!(!checker.go_on());
        assert_eq!(checker.stopped(), Some(Stop::Deadline));

        let mut checker = LimitChecker::new(Limits::new(None, &cancel), 16);
        assert!((0..20).all(|_| checker.go_on()));
        cancel.store(true, Ordering::Relaxed);
        assert!((0..100).any(|_| !checker.go_on()));
        assert!(checker.count() <= 36);
        assert_eq!(checker.stopped(), Some(Stop::Cancelled));
    }
}
