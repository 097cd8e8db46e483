//! Panics of threads that are not ours: servers have threads and tasks of their own, and nobody may take theirs for granted.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a thread is called that hands out inputs. A panic there is caught, and its input named.
pub(crate) const OURS: &str = "fuzz";

static PANICS: AtomicU64 = AtomicU64::new(0);

/// Counts panics from now on.
pub(crate) fn count() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() != Some(OURS) {
            PANICS.fetch_add(1, Ordering::Relaxed);
        }
        usual(panic);
    }));
}

/// Panics if a thread that is not ours has.
pub(crate) fn none_elsewhere() {
    assert_eq!(PANICS.load(Ordering::Relaxed), 0, "a thread of a server panicked");
}
