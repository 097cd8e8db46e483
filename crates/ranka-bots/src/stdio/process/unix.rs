//! The process in a group of its own, spoken to over pipes that never block.

use super::spent::{Account, Spent};
use super::{Dismissal, Heard, ResourceLimits, live, orphans};
use crate::stdio::launch::Launch;
use crate::stdio::tail::Tail;
use ranka_core::Fault;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A bot that sends a longer line is cut off.
const MAX_LINE: usize = 64 << 10;
/// A bot that sends more than this for one answer is cut off.
const MAX_ANSWER: usize = 1 << 20;
/// A bot that leaves more than this unread is cut off.
const MAX_UNREAD: usize = 4 << 20;

/// How often somebody who waits asks whether it was cancelled, and whether the bot still lives.
const TICK: Duration = Duration::from_millis(20);
/// How long a bot that closed its output may take to end, so that we learn how it ended.
const FAREWELL: Duration = Duration::from_millis(500);

/// A running bot. Dropping it ends it, with everything that it started.
pub(in crate::stdio) struct Process {
    child: Child,
    pid: Pid,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    unsent: Vec<u8>,
    /// What came and is not yet taken; `searched` bytes of it have no line end.
    came: Vec<u8>,
    searched: usize,
    /// How much came for the present answer.
    answer: usize,
    tail: Tail,
    mark: Arc<orphans::Mark>,
    /// How much memory it may take, and whether it was ended because it had taken more.
    memory: Option<u64>,
    greedy: Arc<AtomicBool>,
    /// What it had spent soon after the present answer was asked for; not known while it is quick.
    account: Option<Account>,
}

impl Process {
    /// Starts a bot, in a process group of its own.
    pub(in crate::stdio) fn start(launch: &Launch) -> io::Result<Process> {
        let mark = Arc::new(orphans::Mark::new());
        let (mut command, limits) = (launch.command()?, launch.limits);
        command.process_group(0).env(orphans::VARIABLE, mark.text());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (mut child, greedy) = live::start(&mark, limits.memory, || command.spawn())?;
        #[cfg(target_os = "linux")]
        if limits.memory.is_some() {
            super::memory::watch();
        }
        let pid = Pid::from_child(&child);
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (unsent, came) = (Vec::new(), Vec::new());
        let tail = Tail::new(limits.stderr);
        // From here on dropping it ends the child.
        let process = Process {
            child,
            pid,
            stdin,
            stdout,
            stderr,
            unsent,
            came,
            searched: 0,
            answer: 0,
            tail,
            mark,
            memory: limits.memory,
            greedy,
            account: None,
        };
        let fds = [
            process.stdin.as_ref().map(std::os::fd::AsFd::as_fd),
            process.stdout.as_ref().map(std::os::fd::AsFd::as_fd),
            process.stderr.as_ref().map(std::os::fd::AsFd::as_fd),
        ];
        for fd in fds.into_iter().flatten() {
            rustix::io::ioctl_fionbio(fd, true)?;
        }
        if launch.fence.is_none() {
            restrict(pid, limits)?;
        }
        Ok(process)
    }

    /// Says a line, as soon as the bot reads it.
    pub(in crate::stdio) fn say(&mut self, line: &str) {
        self.unsent.extend_from_slice(line.as_bytes());
        self.unsent.push(b'\n');
    }

    /// Sends what was said, as far as the bot reads it without waiting.
    pub(in crate::stdio) fn send(&mut self) -> Result<(), Fault> {
        let Some(stdin) = &mut self.stdin else {
            self.unsent.clear();
            return Ok(());
        };
        let mut sent = 0;
        while sent < self.unsent.len() {
            match stdin.write(&self.unsent[sent..]) {
                Ok(written) => sent += written,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => return Err(self.farewell("it closed its input")),
            }
        }
        self.unsent.drain(..sent);
        if self.unsent.len() > MAX_UNREAD {
            return Err(Fault::Protocol(format!("it left {} bytes unread", self.unsent.len())));
        }
        Ok(())
    }

    /// Begins a new answer: what comes from now on counts towards its size.
    pub(in crate::stdio) fn ask(&mut self) {
        self.answer = self.came.len();
        self.account = None;
    }

    /// What it has spent on the present answer, or a little less.
    pub(in crate::stdio) fn spent(&self) -> Spent {
        let now = Account::of(self.child.id());
        self.account.as_ref().map_or_else(Spent::default, |then| now.since(then))
    }

    /// The next line; meanwhile what was said is sent.
    pub(in crate::stdio) fn hear(&mut self, deadline: Option<Instant>, cancel: &AtomicBool) -> Heard {
        loop {
            match self.next_line() {
                Ok(Some(line)) => return Heard::Line(line),
                Ok(None) => {}
                Err(fault) => return Heard::Broken(fault),
            }
            let left = deadline.map_or(TICK, |deadline| deadline.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Heard::Late;
            }
            if cancel.load(Ordering::Relaxed) {
                return Heard::Cancelled;
            }
            if let Err(fault) = self.pump(left.min(TICK)) {
                return Heard::Broken(fault);
            }
            if self.came.is_empty() && self.account.is_none() {
                self.account = Some(Account::of(self.child.id()));
            }
        }
    }

    /// A line that has already come, if there is one.
    pub(in crate::stdio) fn overhear(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        if self.came.is_empty() {
            self.read_stdout()?;
        }
        self.next_line()
    }

    /// What the bot printed last to its standard error since this was asked before.
    pub(in crate::stdio) fn printed(&mut self) -> String {
        // A flood has no end: what comes in a moment is enough.
        for _ in 0..64 {
            if !self.read_stderr() {
                break;
            }
        }
        self.tail.take()
    }

    /// Tells the bot to quit, closes its input or does both, and lets it put its things away for at most `grace`.
    /// Whether it left by itself; what it printed can still be asked for.
    pub(in crate::stdio) fn dismiss(&mut self, how: Dismissal, grace: Duration) -> bool {
        if how != Dismissal::Closed {
            self.say("quit");
        }
        let deadline = Instant::now() + grace;
        while self.exited().is_none() {
            let left = deadline.saturating_duration_since(Instant::now());
            let sent = self.send().is_ok();
            if sent && self.unsent.is_empty() && how != Dismissal::Told {
                self.stdin = None;
            }
            self.came.clear();
            self.searched = 0;
            if left.is_zero() || !sent {
                return false;
            }
            // An error tells that its output is closed: then only its end remains to be awaited.
            if self.pump(left.min(TICK)).is_err() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        true
    }

    /// The next line that has come whole, unless it is too much for one line or one answer.
    fn next_line(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        if self.answer > MAX_ANSWER {
            return Err(Fault::Protocol(format!("more than {MAX_ANSWER} bytes for one answer")));
        }
        let end = self.came[self.searched..].iter().position(|&byte| byte == b'\n');
        let end = end.map(|end| self.searched + end);
        if end.unwrap_or(self.came.len()) > MAX_LINE {
            return Err(Fault::Protocol(format!("a line of more than {MAX_LINE} bytes")));
        }
        let Some(end) = end else {
            self.searched = self.came.len();
            return Ok(None);
        };
        let rest = self.came.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.came, rest);
        self.searched = 0;
        line.pop();
        Ok(Some(line))
    }

    /// Waits until something can be sent or has come, and sends or takes it.
    fn pump(&mut self, wait: Duration) -> Result<(), Fault> {
        let mut fds = Vec::with_capacity(3);
        let unsent = !self.unsent.is_empty();
        fds.extend(self.stdout.as_ref().map(|out| PollFd::new(out, PollFlags::IN)));
        fds.extend(self.stderr.as_ref().map(|err| PollFd::new(err, PollFlags::IN)));
        fds.extend(self.stdin.as_ref().filter(|_| unsent).map(|input| PollFd::new(input, PollFlags::OUT)));
        let wait = Timespec { tv_sec: wait.as_secs() as i64, tv_nsec: i64::from(wait.subsec_nanos()) };
        let ready = match poll(&mut fds, Some(&wait)) {
            Ok(ready) => ready,
            Err(Errno::INTR) => return Ok(()),
            Err(error) => return Err(Fault::Crash(format!("its pipes cannot be watched: {error}"))),
        };
        let quiet = ready == 0 && self.exited().is_some();
        if unsent {
            self.send()?;
        }
        self.read_stderr();
        let came = self.read_stdout()?;
        // Somebody else may hold the pipe open after the bot itself has ended.
        if quiet && !came { Err(self.farewell("it ended")) } else { Ok(()) }
    }

    /// Takes what the bot has said, if anything; tells of its end.
    fn read_stdout(&mut self) -> Result<bool, Fault> {
        let Some(stdout) = &mut self.stdout else { return Err(self.farewell("it closed its output")) };
        let mut buffer = [0; 16 << 10];
        match stdout.read(&mut buffer) {
            Ok(0) => {
                self.stdout = None;
                Err(self.farewell("it closed its output"))
            }
            Ok(read) => {
                self.came.extend_from_slice(&buffer[..read]);
                self.answer += read;
                Ok(true)
            }
            Err(_) => Ok(false),
        }
    }

    /// Takes what the bot has printed to its standard error, if anything.
    fn read_stderr(&mut self) -> bool {
        let Some(stderr) = &mut self.stderr else { return false };
        let mut buffer = [0; 16 << 10];
        match stderr.read(&mut buffer) {
            Ok(0) => {
                self.stderr = None;
                false
            }
            Ok(read) => {
                self.tail.push(&buffer[..read]);
                true
            }
            Err(_) => false,
        }
    }

    /// How the process ended, if it has. It stays a zombie, so that its number, which is also its group's, is given to
    /// nobody else before the group is killed.
    fn exited(&self) -> Option<WaitIdStatus> {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(self.pid), look).ok().flatten()
    }

    /// What it means that the bot cannot be reached any more.
    fn farewell(&self, seen: &str) -> Fault {
        let deadline = Instant::now() + FAREWELL;
        let status = loop {
            match self.exited() {
                None if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
                status => break status,
            }
        };
        if self.greedy.load(Ordering::Relaxed) {
            let most = self.memory.unwrap_or(0) >> 20;
            return Fault::Crash(format!("its processes together took more than {most} MiB of memory"));
        }
        let Some(status) = status else { return Fault::Disconnected(seen.to_owned()) };
        match (status.exit_status(), status.terminating_signal()) {
            (Some(0), _) => {
                Fault::Disconnected("it ended (exit code 0) in the middle of the game".to_owned())
            }
            (Some(code), _) => Fault::Crash(format!("it ended with exit code {code}")),
            (None, Some(signal)) if signal == Signal::XCPU.as_raw() => {
                Fault::Crash("its processor time was used up".to_owned())
            }
            (None, Some(signal)) => Fault::Crash(format!("it was ended by signal {signal}")),
            (None, None) => Fault::Disconnected(seen.to_owned()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Who was waited for has no number of its own any more, and none of its children are known by it.
        if matches!(self.child.try_wait(), Ok(None)) {
            live::end(self.pid);
        }
        // Fails only when nobody is left in the group.
        let _ = kill_process_group(self.pid, Signal::KILL);
        // It may have left its group. Who cannot be killed is not waited for: that might never end.
        let killed = self.child.kill();
        live::forget(self.pid);
        if killed.is_ok() {
            let _ = self.child.wait();
        }
        self.mark.sweep();
    }
}

#[cfg(target_os = "linux")]
fn restrict(pid: Pid, limits: ResourceLimits) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
    let set = |resource, current: u64, maximum: u64| {
        // Under a stricter limit of our own it stays at that: nobody may raise it.
        let most = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let limit = Rlimit { current: Some(current.min(most)), maximum: Some(maximum.min(most)) };
        match prlimit(Some(pid), resource, limit) {
            // It has ended already.
            Ok(_) | Err(Errno::SRCH) => Ok(()),
            Err(error) => Err(io::Error::from(error)),
        }
    };
    set(Resource::Core, 0, 0)?;
    if let Some(bytes) = limits.memory {
        set(Resource::As, bytes, bytes)?;
    }
    // The soft limit's signal tells why; the hard one's would not.
    limits.cpu.map_or(Ok(()), |seconds| set(Resource::Cpu, seconds, seconds + 1))
}

/// Elsewhere limits are refused when the agent is prepared.
#[cfg(not(target_os = "linux"))]
fn restrict(_pid: Pid, _limits: ResourceLimits) -> io::Result<()> {
    Ok(())
}
