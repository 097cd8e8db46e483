//! A bot's process: spoken to without ever waiting for it unasked, limited, and ended with all that it started.
//!
//! That takes process groups and pipes that can be polled, so bots run on Unix systems; elsewhere they are refused when they
//! would start, and all else works.

#[cfg(not(unix))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod family;
#[cfg(unix)]
mod live;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(unix)]
mod orphans;
#[cfg(unix)]
mod spent;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use elsewhere::end_all;
#[cfg(not(unix))]
pub(super) use elsewhere::{Process, Spent};
#[cfg(target_os = "linux")]
pub(super) use family::end_descendants;
#[cfg(unix)]
pub use live::end_all;
#[cfg(unix)]
pub(super) use spent::Spent;
#[cfg(unix)]
pub(super) use unix::Process;

/// The variable that marks a bot and all that it starts.
#[cfg(target_os = "linux")]
pub(super) const MARK: &str = orphans::VARIABLE;

use ranka_core::Fault;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the program is about to leave, so that no bot is waited for that is not ready yet.
pub(super) static LEAVING: AtomicBool = AtomicBool::new(false);

/// From now on nobody waits for a bot to get ready: the program wants to leave.
pub fn hurry() {
    LEAVING.store(true, Ordering::Relaxed);
}

/// What a process may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ResourceLimits {
    /// Address space of each process, and memory of all of them together, in bytes.
    pub(super) memory: Option<u64>,
    /// Processor time of each process, in seconds.
    pub(super) cpu: Option<u64>,
    /// How many bytes of its standard error are kept.
    pub(super) stderr: usize,
}

impl Default for ResourceLimits {
    fn default() -> ResourceLimits {
        ResourceLimits { memory: None, cpu: None, stderr: 4 << 10 }
    }
}

/// What came of listening.
#[cfg_attr(not(unix), allow(dead_code))] // nobody is listened to there
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// A line, without its end.
    Line(Vec<u8>),
    /// Nothing, and the time is over.
    Late,
    /// Nobody waits any more.
    Cancelled,
    /// Nothing, and nothing will come: it left, or must be cut off.
    Broken(Fault),
}

/// How a bot learns that it may leave.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dismissal {
    /// By `quit`.
    Told,
    /// By the end of its input.
    Closed,
    /// By both.
    ToldAndClosed,
}
