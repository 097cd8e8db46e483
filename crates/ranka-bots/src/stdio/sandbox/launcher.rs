//! From the launcher to the bot.

use super::{Cell, SandboxKind, fence, landlocked, root};
use nix::sched::{CloneFlags, unshare};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use rustix::thread::{CapabilitySet, CapabilitySets, remove_capability_from_bounding_set, set_capabilities};
use std::fs;
use std::os::fd::RawFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, exit};
use std::time::{Duration, Instant};

/// Where the bot finds its folder.
pub(super) const HOME: &str = "/bot";
/// Where its scratch folder is.
pub(super) const SCRATCH: &str = "/tmp";

/// What every bot may read: programs and libraries of the system, and what programs ask for when they start.
pub(super) const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
];
pub(super) const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Restricts this process and becomes the bot; the reason if that fails.
pub(super) fn become_bot(cell: &Cell) -> String {
    if let Err(why) = close_inherited() {
        return why;
    }
    let done = match cell.fence.means {
        SandboxKind::Bubblewrap => bubblewrap(cell),
        SandboxKind::Namespaces if cell.inside => inside(cell),
        SandboxKind::Namespaces => namespaces(cell),
        SandboxKind::Landlock if cell.inside => landlock(cell),
        SandboxKind::Landlock => watched(cell),
    };
    match done {
        Ok(never) => match never {},
        Err(why) => why,
    }
}

/// Nobody: whoever has become the bot does not come back.
pub(super) enum Never {}

type Became = Result<Never, String>;

pub(super) fn told<E: std::fmt::Display>(what: &str) -> impl Fn(E) -> String {
    move |error| format!("{what}: {error}")
}

/// Closes all but the three pipes: whatever the referee was given by whoever started it is not the bot's.
fn close_inherited() -> Result<(), String> {
    let open = fs::read_dir("/proc/self/fd").map_err(told("open files"))?;
    let open = open.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<RawFd>().ok());
    for file in open.filter(|&file| file > 2).collect::<Vec<_>>() {
        // One of them was the list itself, which is closed by now.
        let _ = nix::unistd::close(file);
    }
    Ok(())
}

/// Waits for the bot to end, or for the referee: the bot ends with it, even with one that was killed. It is the process
/// that counts, not the thread that started us, which may end in the middle of a game.
fn wait_beside(referee: u32, mut bot: Child) -> std::io::Result<ExitStatus> {
    let handle = |process: u32| {
        let process = i32::try_from(process).ok().and_then(Pid::from_raw)?;
        // An old kernel cannot tell.
        pidfd_open(process, PidfdFlags::empty()).ok()
    };
    if let (Some(own), Some(referee)) = (handle(bot.id()), handle(referee)) {
        let mut watched = [PollFd::new(&own, PollFlags::IN), PollFd::new(&referee, PollFlags::IN)];
        while poll(&mut watched, None) == Err(Errno::INTR) {}
        if !watched[0].revents().contains(PollFlags::IN) {
            bot.kill()?;
        }
    }
    bot.wait()
}

/// Leaves all that to `bwrap`.
fn bubblewrap(cell: &Cell) -> Became {
    let mut command = Command::new("bwrap");
    command.args(["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]);
    command.args(["--size", &cell.fence.scratch.to_string(), "--tmpfs", SCRATCH]);
    command.args(["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]);
    for path in SYSTEM.iter().map(Path::new).chain(cell.fence.read.iter().map(std::path::PathBuf::as_path)) {
        match fs::read_link(path) {
            Ok(target) => command.arg("--symlink").arg(target).arg(path),
            Err(_) => command.arg("--ro-bind-try").arg(path).arg(path),
        };
    }
    command.arg("--ro-bind").arg(&cell.folder).args([HOME, "--chdir", HOME, "--remount-ro", "/"]);
    command.arg("--").args(&cell.words);
    fence::limit(&cell.fence, fence::processes_of_this_user())?;
    clean(&mut command, SCRATCH);
    Err(told("bwrap")(command.exec()))
}

/// Makes the namespaces, and starts in them the process that will be the bot: whoever makes a namespace of processes is
/// not in it.
fn namespaces(cell: &Cell) -> Became {
    let root = super::is_root();
    let user = rustix::process::geteuid().as_raw();
    let group = rustix::process::getegid().as_raw();
    let mut spaces = CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS;
    if !root {
        spaces |= CloneFlags::CLONE_NEWUSER;
    }
    unshare(spaces).map_err(told("namespaces"))?;
    if !root {
        fs::write("/proc/self/setgroups", "deny").map_err(told("groups"))?;
        fs::write("/proc/self/uid_map", format!("0 {user} 1")).map_err(told("users"))?;
        fs::write("/proc/self/gid_map", format!("0 {group} 1")).map_err(told("groups"))?;
    }
    // A user whom nobody else is, so that its processes can be counted.
    let own = 1_000_000_000 + std::process::id();
    let user = if root { own } else { 0 };
    // The namespace ends with its first process, and all in it with that.
    let ended = wait_beside(cell.referee, start_inside(cell, user)?).map_err(told("the launcher"))?;
    end_like(ended)
}

/// Stays outside and watches over a bot that no namespace ends: all that it starts comes to us when its parent ends, also
/// who leaves its group and forgets its mark, and ends with the bot or with the referee.
fn watched(cell: &Cell) -> Became {
    nix::sys::prctl::set_child_subreaper(true).map_err(told("the launcher"))?;
    let ended = wait_beside(cell.referee, start_inside(cell, 0)?).map_err(told("the launcher"))?;
    end_descendants();
    end_like(ended)
}

/// Starts the process that will be the bot, which does the rest.
fn start_inside(cell: &Cell, user: u32) -> Result<Child, String> {
    let cell = Cell { inside: true, user, ..cell.clone() };
    let program = std::env::current_exe().map_err(told("the launcher"))?;
    let text = serde_json::to_string(&cell).map_err(told("the launcher"))?;
    let mut given: Vec<_> = std::env::args_os().skip(1).collect();
    given.pop();
    Command::new(program).args(given).arg(text).spawn().map_err(told("the launcher"))
}

/// How the bot ended is how we end.
fn end_like(ended: ExitStatus) -> Became {
    if let Some(signal) = ended.signal() {
        let signal = nix::sys::signal::Signal::try_from(signal).map_err(told("a signal"))?;
        let _ = nix::sys::signal::kill(nix::unistd::Pid::this(), signal);
    }
    exit(ended.code().unwrap_or(1))
}

/// Ends whoever descends from this process, until nobody does, or nobody more can be found.
fn end_descendants() {
    use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        crate::stdio::process::end_descendants(std::process::id());
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => std::thread::sleep(Duration::from_millis(1)),
            Ok(_) => {}
            Err(_) => return,
        }
    }
}

/// How long those who were ended may take to be gone.
const PATIENCE: Duration = Duration::from_secs(5);

/// In the namespaces: builds the root, becomes nobody, and then the bot.
fn inside(cell: &Cell) -> Became {
    root::build(cell)?;
    if cell.user != 0 {
        let (user, group) = (nix::unistd::Uid::from_raw(cell.user), nix::unistd::Gid::from_raw(cell.user));
        nix::unistd::setgroups(&[]).map_err(told("groups"))?;
        nix::unistd::setresgid(group, group, group).map_err(told("group"))?;
        nix::unistd::setresuid(user, user, user).map_err(told("user"))?;
    }
    drop_capabilities()?;
    // Only now: whoever becomes another forgets it. The namespace ends with its first process, which is this.
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL).map_err(told("parent"))?;
    // The launcher outside is the same user, unless the bot has one of its own.
    fence::limit(&cell.fence, if cell.user == 0 { 2 } else { 0 })?;
    fence::deny(fence::Denied::Dangerous)?;
    exec(cell, Path::new(HOME), SCRATCH)
}

/// Gives up what root may do in its own namespaces, for good: the bot has no use for it.
fn drop_capabilities() -> Result<(), String> {
    for capability in CapabilitySet::all().iter() {
        // An older kernel does not know them all, and whoever is nobody already may not, nor need.
        let _ = remove_capability_from_bounding_set(capability);
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    set_capabilities(None, sets).map_err(told("capabilities"))
}

/// Below the watcher: gives up all but its own folder, and becomes the bot.
fn landlock(cell: &Cell) -> Became {
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL).map_err(told("parent"))?;
    fence::limit(&cell.fence, fence::processes_of_this_user())?;
    let all = landlocked::restrict(cell)?;
    fence::deny(if all { fence::Denied::Sockets } else { fence::Denied::SocketsAndSignals })?;
    exec(cell, &cell.folder, "/nowhere")
}

fn exec(cell: &Cell, folder: &Path, scratch: &str) -> Became {
    let (program, arguments) = cell.words.split_first().ok_or("no program")?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    clean(&mut command, scratch);
    Err(told(program)(command.exec()))
}

/// Only what a program cannot do without: the environment may tell of this machine and its secrets.
fn clean(command: &mut Command, scratch: &str) {
    let kept = ["PATH", "LANG", "LC_ALL", "TZ", crate::stdio::process::MARK];
    let kept: Vec<_> = kept.iter().filter_map(|key| Some((key, std::env::var_os(key)?))).collect();
    command.env_clear().envs(kept);
    command.env("HOME", scratch).env("TMPDIR", scratch).env("PYTHONDONTWRITEBYTECODE", "1");
}
