//! What a bot started and did not end itself. Its process group is killed as a whole; whoever left the group still
//! carries the bot's mark in its environment.

use std::sync::atomic::{AtomicU64, Ordering};

/// The variable that bots inherit to all that they start.
pub(super) const VARIABLE: &str = "RANKA_BOT";

/// A text that only one bot has, and all that it started. A bot that runs bots of its own passes its mark on to them.
pub(super) struct Mark(String);

impl Mark {
    pub(super) fn new() -> Mark {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let born = std::time::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
        let ours = std::env::var(VARIABLE).map_or_else(|_| String::new(), |ours| ours + "/");
        Mark(format!("{ours}{}-{number}-{born}", std::process::id()))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Kills everybody who carries the mark.
    #[cfg(target_os = "linux")]
    pub(super) fn sweep(&self) {
        // Somebody may be born while we look; who is born and killed faster than this is not ours to win against.
        for _ in 0..20 {
            if !self.sweep_once() {
                return;
            }
        }
    }

    #[cfg(target_os = "linux")]
    fn sweep_once(&self) -> bool {
        use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
        let carried = format!("{VARIABLE}={}", self.0);
        let mut found = false;
        for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            let environment = entry.path().join("environ");
            let carries = || {
                let variables = std::fs::read(&environment).unwrap_or_default();
                variables.split(|&byte| byte == 0).any(|variable| {
                    let rest = variable.strip_prefix(carried.as_bytes());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
                })
            };
            if !carries() {
                continue;
            }
            // Looked at once more through a handle that no later process of the same number can take over.
            let Some(Ok(handle)) = Pid::from_raw(pid).map(|pid| pidfd_open(pid, PidfdFlags::empty())) else {
                continue;
            };
            if carries() {
                found |= pidfd_send_signal(&handle, Signal::KILL).is_ok();
            }
        }
        found
    }

    /// Elsewhere there is no way to find them.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn sweep(&self) {}
}
