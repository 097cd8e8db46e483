//! How much memory a bot takes, all its processes together: the system's own limit is of each of them. A thread looks at all
//! bots now and then and ends who has taken too much.

use super::family::family;
use super::live;
use std::sync::Once;
use std::time::Duration;

/// How often it is looked.
const PAUSE: Duration = Duration::from_millis(100);

/// From now on somebody looks.
pub(super) fn watch() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        let begun = std::thread::Builder::new().name("bots' memory".to_owned()).spawn(|| {
            loop {
                std::thread::sleep(PAUSE);
                live::end_greedy(|process, most| taken(process) > most);
            }
        });
        // Where no thread can be had each process has its own limit still.
        drop(begun);
    });
}

/// Bytes of memory that a process and all that descend from it have. What several of them share counts once.
fn taken(process: u32) -> u64 {
    let family = family(process);
    let resident: u64 = family.iter().map(|&process| resident(process)).sum();
    // Telling what is shared takes the system longer, so only where it may matter.
    if family.len() == 1 { resident } else { resident.min(family.iter().map(|&process| own(process)).sum()) }
}

/// What of it is in memory.
fn resident(process: u32) -> u64 {
    told(process, "status", "VmRSS:").unwrap_or(0)
}

/// The same with its part of what it shares with others; all of that, where the system does not tell.
fn own(process: u32) -> u64 {
    told(process, "smaps_rollup", "Pss:").unwrap_or_else(|| resident(process))
}

/// Bytes that the system tells of a process in a line of a file.
fn told(process: u32, file: &str, key: &str) -> Option<u64> {
    let told = std::fs::read_to_string(format!("/proc/{process}/{file}")).ok()?;
    let kilobytes = told.lines().find_map(|line| line.strip_prefix(key)?.trim().strip_suffix("kB"))?;
    kilobytes.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}
