//! A process and all that descend from it.

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::time::Duration;

/// Their numbers, the process itself first, as far as the system tells; who has just been born may be missing.
pub(in crate::stdio) fn family(process: u32) -> Vec<u32> {
    let mut family = vec![process];
    let mut at = 0;
    while let Some(parent) = family.get(at).copied() {
        at += 1;
        for thread in std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten() {
            let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            let children = children.split_whitespace().filter_map(|child| child.parse().ok());
            // A loop is not to be expected, but what is read here changes while we read.
            let new: Vec<u32> = children.filter(|child| !family.contains(child)).collect();
            family.extend(new);
        }
    }
    family
}

/// Ends all that descend from a process, which is not ended itself and must not have been waited for: its number is its own
/// until then. To be called before it is ended, for its children have another parent afterwards.
pub(in crate::stdio) fn end_descendants(process: u32) {
    // Who is born while we look is found the next time; there can only be as many as the limits allow.
    for _ in 0..20 {
        let handle = |number: u32| {
            let pid = Pid::from_raw(i32::try_from(number).ok()?)?;
            Some((number, pidfd_open(pid, PidfdFlags::empty()).ok()?))
        };
        let found: Vec<_> = family(process).into_iter().skip(1).filter_map(handle).collect();
        // Looked at once more, now that no later process of the same number can take its place.
        let still = family(process);
        let ours = found.iter().filter(|(number, _)| still.contains(number));
        let ended = ours.filter(|(_, handle)| pidfd_send_signal(handle, Signal::KILL).is_ok()).count();
        if ended == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
