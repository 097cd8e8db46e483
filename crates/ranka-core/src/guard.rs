//! What stands between an agent and the match: its panics are caught, and its time is watched.

use crate::Fault;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often a watched agent's match is asked whether it was cancelled.
const TICK: Duration = Duration::from_millis(20);

/// Does an agent's work. Its panic is its own fault, not ours.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| Fault::Crash(message(panic.as_ref())))
}

/// Hands `work` a flag that is raised when `cancel` is, or when `limit` has passed.
pub(crate) fn within<T>(
    limit: Option<Duration>,
    cancel: &AtomicBool,
    work: impl FnOnce(&AtomicBool) -> T,
) -> T {
    let Some(limit) = limit else { return work(cancel) };
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let (done, waiting) = channel::<()>();
        scope.spawn(|| {
            let waiting = waiting;
            let begun = Instant::now();
            loop {
                let left = limit.saturating_sub(begun.elapsed());
                if left.is_zero() || cancel.load(Ordering::Relaxed) {
                    return stop.store(true, Ordering::Relaxed);
                }
                if waiting.recv_timeout(left.min(TICK)) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        });
        let answer = work(&stop);
        drop(done);
        answer
    })
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("panicked").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work_until(stop: &AtomicBool) -> bool {
        let begun = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            assert!(begun.elapsed() < Duration::from_secs(60), "never stopped");
            thread::yield_now();
        }
        true
    }

    #[test]
    fn time_and_cancelling_both_stop_the_work() {
        let cancel = AtomicBool::new(false);
        assert!(within(Some(Duration::from_millis(1)), &cancel, work_until));
        cancel.store(true, Ordering::Relaxed);
        assert!(within(Some(Duration::from_secs(3600)), &cancel, work_until));
        assert!(within(None, &cancel, work_until));
        assert_eq!(within(Some(Duration::from_secs(3600)), &AtomicBool::new(false), |_| 7), 7);
    }

    #[test]
    fn panics_become_faults() {
        let crash: Result<(), Fault> = guarded(|| panic!("out of {}", "ideas"));
        assert_eq!(crash, Err(Fault::Crash("out of ideas".to_owned())));
    }
}
