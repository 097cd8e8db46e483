//! The bots that run just now, for a program that must leave in a hurry: nothing is dropped then.

use super::orphans::Mark;
use crate::net::held;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::io;
use std::process::Child;
use std::sync::atomic::AtomicBool;
#[cfg(target_os = "linux")]
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

/// A bot that runs.
struct Live {
    pid: Pid,
    mark: Arc<Mark>,
    /// How many bytes of memory it may take.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))] // limits are set on Linux alone
    memory: Option<u64>,
    /// Whether it was ended because it had taken more.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    greedy: Arc<AtomicBool>,
}

static LIVE: Mutex<Vec<Live>> = Mutex::new(Vec::new());

/// Starts a bot and remembers it. In one step, so that none is born unseen while all are ended. Also answers where it will
/// be said that it was ended for taking more than `memory`.
pub(super) fn start(
    mark: &Arc<Mark>,
    memory: Option<u64>,
    spawn: impl FnOnce() -> io::Result<Child>,
) -> io::Result<(Child, Arc<AtomicBool>)> {
    let mut live = held(&LIVE);
    let child = spawn()?;
    let greedy = Arc::new(AtomicBool::new(false));
    let pid = Pid::from_child(&child);
    live.push(Live { pid, mark: Arc::clone(mark), memory, greedy: Arc::clone(&greedy) });
    Ok((child, greedy))
}

/// Forgets a bot, before its number may be given to somebody else.
pub(super) fn forget(pid: Pid) {
    held(&LIVE).retain(|bot| bot.pid != pid);
}

#[cfg(target_os = "linux")]
fn number(pid: Pid) -> u32 {
    pid.as_raw_nonzero().get().unsigned_abs()
}

/// Ends a bot that nobody has waited for with its group and its descendants, first those who could get away.
pub(super) fn end(pid: Pid) {
    #[cfg(target_os = "linux")]
    super::family::end_descendants(number(pid));
    // Either may have gone already, or have left its group.
    let _ = kill_process_group(pid, Signal::KILL);
    let _ = kill_process(pid, Signal::KILL);
}

/// Ends the bots that have taken more memory than they may, which `is_greedy` says.
#[cfg(target_os = "linux")]
pub(super) fn end_greedy(is_greedy: impl Fn(u32, u64) -> bool) {
    // Looking takes time, in which others begin and end.
    let limited: Vec<_> = held(&LIVE).iter().filter_map(|bot| Some((bot.pid, bot.memory?))).collect();
    for (pid, _) in limited.into_iter().filter(|&(pid, memory)| is_greedy(number(pid), memory)) {
        let live = held(&LIVE);
        if let Some(bot) = live.iter().find(|bot| bot.pid == pid) {
            bot.greedy.store(true, Ordering::Relaxed);
            end(pid);
        }
    }
}

/// Ends all bots with everything that they started: for a program that exits right after. Whoever would begin a bot, or go on
/// without one, waits from now on for that exit.
pub fn end_all() {
    let mut live = held(&LIVE);
    for Live { pid, mark, .. } in live.drain(..) {
        end(pid);
        mark.sweep();
    }
    // Never given back.
    std::mem::forget(live);
}
