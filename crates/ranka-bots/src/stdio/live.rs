//! The bots that run just now, for a program that must leave in a hurry: nothing is dropped then.

use super::orphans::Mark;
use crate::net::held;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::io;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Whether the program is about to leave, so that no bot is waited for that is not ready yet.
pub(super) static LEAVING: AtomicBool = AtomicBool::new(false);

struct Live {
    bots: Vec<(Pid, Arc<Mark>)>,
    ended: bool,
}

static LIVE: Mutex<Live> = Mutex::new(Live { bots: Vec::new(), ended: false });

fn live() -> MutexGuard<'static, Live> {
    held(&LIVE)
}

/// Starts a bot and remembers it. In one step, so that none is born unseen while all are ended.
pub(super) fn start(mark: &Arc<Mark>, spawn: impl FnOnce() -> io::Result<Child>) -> io::Result<Child> {
    let mut live = live();
    if live.ended {
        return Err(io::Error::other("the program ends"));
    }
    let child = spawn()?;
    live.bots.push((Pid::from_child(&child), Arc::clone(mark)));
    Ok(child)
}

/// Forgets a bot, before its number may be given to somebody else.
pub(super) fn forget(pid: Pid) {
    live().bots.retain(|(other, _)| *other != pid);
}

/// From now on nobody waits for a bot to get ready: the program wants to leave.
pub fn hurry() {
    LEAVING.store(true, Ordering::Relaxed);
}

/// Ends all bots with everything that they started, and lets no new one begin: for a program that exits at once.
pub fn end_all() {
    let mut live = live();
    live.ended = true;
    for (pid, mark) in live.bots.drain(..) {
        // Either may have gone already, or have left its group.
        let _ = kill_process_group(pid, Signal::KILL);
        let _ = kill_process(pid, Signal::KILL);
        mark.sweep();
    }
}
