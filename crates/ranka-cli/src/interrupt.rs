//! Ctrl-C: the first asks for a clean end, the second ends at once. Bots are never left behind.

use crate::failure::{Done, Failure};
use crate::print;
use std::process;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static AT_ONCE: AtomicBool = AtomicBool::new(false);
static LISTENING: Once = Once::new();

/// The exit code of a program that Ctrl-C has ended.
pub(crate) const EXIT_CODE: u8 = 130;

/// The flag that Ctrl-C sets. From the first call on the program no longer ends by itself.
pub(crate) fn flag() -> &'static AtomicBool {
    LISTENING.call_once(|| {
        let heard = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) || AT_ONCE.load(Ordering::Relaxed) {
                ranka_bots::stdio::end_all();
                process::exit(i32::from(EXIT_CODE));
            }
            ranka_bots::stdio::hurry();
        });
        if let Err(error) = heard {
            print::note!("ranka: Ctrl-C will end the program at once: {error}");
        }
    });
    &INTERRUPTED
}

/// For commands that have nothing to put away: the first Ctrl-C ends them, and their bots.
pub(crate) fn ends_at_once() {
    AT_ONCE.store(true, Ordering::Relaxed);
    flag();
}

/// Whether Ctrl-C was pressed.
pub(crate) fn happened() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// An error once Ctrl-C was pressed, for commands whose games are kept in the store.
pub(crate) fn check() -> Done {
    check_and_say("stopped; what was played is kept, and the same command goes on")
}

/// An error once Ctrl-C was pressed, for commands that have no store: the same command begins again.
pub(crate) fn check_without_store() -> Done {
    check_and_say("stopped; nothing is kept, and the same command begins again")
}

/// An error that says so once Ctrl-C was pressed.
pub(crate) fn check_and_say(message: &str) -> Done {
    if happened() { Err(Failure::Interrupted(message.to_owned())) } else { Ok(()) }
}
