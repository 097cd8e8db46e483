//! The bots that run just now, for a program that must leave in a hurry: nothing is dropped then.

use super::orphans::Mark;
use crate::net::held;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::io;
use std::process::Child;
use std::sync::{Arc, Mutex};

static LIVE: Mutex<Vec<(Pid, Arc<Mark>)>> = Mutex::new(Vec::new());

/// Starts a bot and remembers it. In one step, so that none is born unseen while all are ended.
pub(super) fn start(mark: &Arc<Mark>, spawn: impl FnOnce() -> io::Result<Child>) -> io::Result<Child> {
    let mut live = held(&LIVE);
    let child = spawn()?;
    live.push((Pid::from_child(&child), Arc::clone(mark)));
    Ok(child)
}

/// Forgets a bot, before its number may be given to somebody else.
pub(super) fn forget(pid: Pid) {
    held(&LIVE).retain(|(other, _)| *other != pid);
}

/// Ends all bots with everything that they started: for a program that exits right after. Whoever would begin a bot, or go on
/// without one, waits from now on for that exit.
pub fn end_all() {
    let mut live = held(&LIVE);
    for (pid, mark) in live.drain(..) {
        // Either may have gone already, or have left its group.
        let _ = kill_process_group(pid, Signal::KILL);
        let _ = kill_process(pid, Signal::KILL);
        mark.sweep();
    }
    // Never given back.
    std::mem::forget(live);
}
