//! What a bot has had of the processors, and how long it waited for one: on a loaded machine the clock on the wall says
//! little about who thought too long.

use std::collections::HashMap;
use std::time::Duration;

/// Time on a processor, and time spent waiting for one, of each thread by its number.
#[derive(Clone, Debug, Default)]
pub(super) struct Account(HashMap<u32, [Duration; 2]>);

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
            let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
            for thread in threads {
                let Some(number) = thread.file_name().to_str().and_then(|name| name.parse().ok()) else {
                    continue;
                };
                let read = |name: &str| std::fs::read_to_string(thread.path().join(name)).unwrap_or_default();
                let schedule = read("schedstat");
                let mut nanos = schedule.split(' ').map(|word| word.trim().parse().map(Duration::from_nanos));
                if let (Some(Ok(used)), Some(Ok(waited))) = (nanos.next(), nanos.next()) {
                    account.0.insert(number, [used, waited]);
                }
                // A loop is not to be expected, but what is read here changes while we read.
                let children = read("children");
                let children = children.split_whitespace().filter_map(|child| child.parse().ok());
                open.extend(children.filter(|child| !account.0.contains_key(child)));
            }
        }
        account
    }

    /// What was used since an earlier account.
    pub(super) fn since(&self, earlier: &Account) -> Spent {
        let mut spent = Spent::default();
        for (thread, [used, waited]) in &self.0 {
            let [used_then, waited_then] = earlier.0.get(thread).copied().unwrap_or_default();
            spent.used += used.saturating_sub(used_then);
            spent.waited = spent.waited.max(waited.saturating_sub(waited_then));
        }
        spent
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::os::unix::process::CommandExt as _;
    use std::process::{Command, Stdio};
    use std::time::Instant;

    /// What a shell command spends in a while.
    fn spent_by(script: &str) -> Spent {
        let mut shell = Command::new("sh");
        let mut child =
            shell.args(["-c", script]).stdin(Stdio::null()).process_group(0).spawn().expect("a shell");
        let before = Account::of(child.id());
        std::thread::sleep(Duration::from_millis(400));
        let spent = Account::of(child.id()).since(&before);
        // With all that it started.
        kill_process_group(Pid::from_child(&child), Signal::KILL).expect("it runs");
        child.wait().expect("it ended");
        spent
    }

    #[test]
    fn who_thinks_spends_and_who_sleeps_does_not() {
        let begun = Instant::now();
        let thinks = spent_by("while :; do :; done");
        // On a loaded machine it waits instead: together they make up the time.
        let both = thinks.used + thinks.waited;
        assert!(both > Duration::from_millis(250) && thinks.used <= begun.elapsed(), "{thinks:?}");
        let sleeps = spent_by("exec sleep 2");
        assert!(sleeps.used < Duration::from_millis(100), "{sleeps:?}");
    }

    #[test]
    fn children_are_counted() {
        // The shell itself only waits.
        let spent = spent_by("sh -c 'while :; do :; done'; true");
        assert!(spent.used + spent.waited > Duration::from_millis(200), "{spent:?}");
    }
}
