//! What a bot has had of the processors, and how long it waited for one: on a loaded machine the clock on the wall says
//! little about who thought too long.

use std::collections::HashMap;
use std::time::Duration;

/// What each process and each thread has had, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    processes: HashMap<u32, Had>,
    /// How long each thread has waited for a processor.
    waited: HashMap<u32, Duration>,
}

/// Processor time of a process.
#[derive(Clone, Copy, Debug, Default)]
struct Had {
    /// Of its own threads.
    own: Duration,
    /// Of those of its children that have ended, with theirs.
    ended: Duration,
}

/// The unit in which Linux tells of processor time, whatever its own clock is.
const TICK: Duration = Duration::from_millis(10);

/// What was used between two accounts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::stdio) struct Spent {
    /// Processor time of all threads together.
    pub(in crate::stdio) used: Duration,
    /// How long the thread that waited longest was ready to run and had no processor.
    pub(in crate::stdio) waited: Duration,
}

impl Account {
    /// The account of a process and all that descend from it, as far as the system tells.
    pub(super) fn of(process: u32) -> Account {
        let mut account = Account::default();
        let mut open = vec![process];
        while let Some(process) = open.pop() {
            let mut had = told(process);
            let mut threads = Duration::ZERO;
            for thread in std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
                let Some(number) = thread.file_name().to_str().and_then(|name| name.parse().ok()) else {
                    continue;
                };
                let read = |name: &str| std::fs::read_to_string(thread.path().join(name)).unwrap_or_default();
                let schedule = read("schedstat");
                let mut nanos = schedule.split(' ').map(|word| word.trim().parse().map(Duration::from_nanos));
                if let (Some(Ok(used)), Some(Ok(waited))) = (nanos.next(), nanos.next()) {
                    threads += used;
                    account.waited.insert(number, waited);
                }
                // A loop is not to be expected, but what is read here changes while we read.
                let children = read("children");
                let children = children.split_whitespace().filter_map(|child| child.parse().ok());
                open.extend(children.filter(|child| !account.processes.contains_key(child)));
            }
            // Threads tell it more exactly, but only those that live.
            had.own = had.own.max(threads);
            account.processes.insert(process, had);
        }
        account
    }

    /// What was used since an earlier account.
    pub(super) fn since(&self, earlier: &Account) -> Spent {
        let mut spent = Spent::default();
        let mut ended = Duration::ZERO;
        for (process, now) in &self.processes {
            let then = earlier.processes.get(process).copied().unwrap_or_default();
            spent.used += now.own.saturating_sub(then.own);
            ended += now.ended.saturating_sub(then.ended);
        }
        // Whoever has ended since then brings along what it had used before.
        let gone = earlier.processes.iter().filter(|(process, _)| !self.processes.contains_key(process));
        spent.used += ended.saturating_sub(gone.map(|(_, then)| then.own + then.ended).sum());
        for (thread, waited) in &self.waited {
            let then = earlier.waited.get(thread).copied().unwrap_or_default();
            spent.waited = spent.waited.max(waited.saturating_sub(then));
        }
        spent
    }
}

/// What the system tells of a process in one line: after its name, which may contain anything, the 12th word and the next
/// three are the processor time in its own and the system's code, and the same of its ended children.
fn told(process: u32) -> Had {
    let line = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let words = line.rsplit_once(')').map_or("", |(_, words)| words);
    let mut ticks = words.split_whitespace().skip(11).map(|word| word.parse().unwrap_or(0));
    let mut both = || TICK * (ticks.next().unwrap_or(0) + ticks.next().unwrap_or(0));
    Had { own: both(), ended: both() }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::os::unix::process::CommandExt as _;
    use std::process::{Command, Stdio};
    use std::time::Instant;

    /// What a shell command spends in a while; in a longer one, up to a minute, where that is not enough.
    fn spent_by(script: &str, enough: impl Fn(&Spent) -> bool) -> Spent {
        let mut shell = Command::new("sh");
        let mut child =
            shell.args(["-c", script]).stdin(Stdio::null()).process_group(0).spawn().expect("a shell");
        let (before, begun) = (Account::of(child.id()), Instant::now());
        let spent = loop {
            std::thread::sleep(Duration::from_millis(400));
            let spent = Account::of(child.id()).since(&before);
            if enough(&spent) || begun.elapsed() > Duration::from_secs(60) {
                break spent;
            }
        };
        // With all that it started.
        kill_process_group(Pid::from_child(&child), Signal::KILL).expect("it runs");
        child.wait().expect("it ended");
        spent
    }

    #[test]
    fn who_thinks_spends_and_who_sleeps_does_not() {
        let begun = Instant::now();
        let thinks = spent_by("while :; do :; done", |_| true);
        // On a loaded machine it waits instead: together they make up the time.
        let both = thinks.used + thinks.waited;
        assert!(both > Duration::from_millis(250) && thinks.used <= begun.elapsed(), "{thinks:?}");
        let sleeps = spent_by("exec sleep 2", |_| true);
        assert!(sleeps.used < Duration::from_millis(100), "{sleeps:?}");
    }

    #[test]
    fn children_are_counted() {
        // The shell itself only waits, but on a loaded machine it takes a while until its child comes to work.
        let works = |spent: &Spent| spent.used > Duration::from_millis(100);
        let spent = spent_by("sh -c 'while :; do :; done'; true", works);
        assert!(works(&spent), "{spent:?}");
    }

    #[test]
    fn children_that_have_ended_are_counted() {
        // A child that works, and then nobody but one who sleeps.
        let script = "sh -c 'n=0; while [ $n -lt 100000 ]; do n=$((n+1)); done'; exec sleep 60";
        let mut child =
            Command::new("sh").args(["-c", script]).stdin(Stdio::null()).spawn().expect("a shell");
        let (before, begun) = (Account::of(child.id()), Instant::now());
        let name = || std::fs::read_to_string(format!("/proc/{}/comm", child.id())).unwrap_or_default();
        while name().trim() != "sleep" {
            assert!(begun.elapsed() < Duration::from_secs(60), "the child does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
        let spent = Account::of(child.id()).since(&before);
        child.kill().and_then(|()| child.wait()).expect("it runs");
        assert!(spent.used > Duration::from_millis(20), "{spent:?}");
    }
}
