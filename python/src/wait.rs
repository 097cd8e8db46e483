//! Long work that Ctrl-C ends.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How often whoever waits looks up. Ctrl-C should be answered within 200 ms.
const TICK: Duration = Duration::from_millis(40);

/// Does `work` on a thread of its own, without holding Python. Meanwhile `tick` is called now and then; when it raises, or a
/// signal arrives, the flag that `work` was given is set, and the exception is raised once the work has ended.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
    tick: impl FnMut() -> PyResult<()>,
) -> PyResult<T> {
    interruptible_by(py, &AtomicBool::new(false), work, tick)
}

/// The same by a flag that is the caller's.
pub(crate) fn interruptible_by<T: Send>(
    py: Python<'_>,
    cancel: &AtomicBool,
    work: impl FnOnce(&AtomicBool) -> T + Send,
    mut tick: impl FnMut() -> PyResult<()>,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (done, waiting) = channel::<()>();
        // Only this thread waits, but it does so where Python wants to know that any could.
        let waiting = Mutex::new(waiting);
        let wait = || waiting.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(TICK);
        let worker = scope.spawn(|| {
            let _done = done;
            work(cancel)
        });
        let mut stopped = Ok(());
        // The worker may need Python, so it is not waited for while holding it.
        while py.detach(wait) == Err(RecvTimeoutError::Timeout) {
            if stopped.is_ok() {
                stopped = py.check_signals().and_then(|()| tick());
                cancel.store(stopped.is_err(), Ordering::Relaxed);
            }
        }
        let result = py.detach(|| worker.join());
        stopped?;
        py.check_signals()?;
        result.map_err(|_| PyRuntimeError::new_err("the work broke off"))
    })
}
