//! Other people's programs, held safely: what a bot may see and use on this machine.
//!
//! A bot in a sandbox sees its own folder, which it cannot write, a scratch folder in memory and the system's programs and
//! libraries: no network, no other process, no other file. Nothing of this can be set up between fork and exec without
//! unsafe code, so a launcher is started instead, which restricts itself and then becomes the bot: [`confine`].

#[cfg(target_os = "linux")]
mod fence;
#[cfg(target_os = "linux")]
mod landlocked;
#[cfg(target_os = "linux")]
mod launcher;
#[cfg(target_os = "linux")]
mod root;

use ranka_core::Error;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// By what means a bot is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxKind {
    /// The program `bwrap`, which also works where only it may make namespaces.
    Bubblewrap,
    /// Namespaces and a root of its own, made by ourselves.
    Namespaces,
    /// Landlock and seccomp: files and sockets are denied, but other processes can be seen to be there, and there is no
    /// scratch folder.
    Landlock,
}

impl SandboxKind {
    const ALL: [SandboxKind; 3] = [SandboxKind::Bubblewrap, SandboxKind::Namespaces, SandboxKind::Landlock];

    /// Its name, as the agent `bot` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            SandboxKind::Bubblewrap => "bubblewrap",
            SandboxKind::Namespaces => "namespaces",
            SandboxKind::Landlock => "landlock",
        }
    }

    /// The means of this name, or the best that works here for `on`. Refused where it does not work.
    pub fn named(name: &str) -> Result<SandboxKind, Error> {
        match SandboxKind::ALL.into_iter().find(|means| means.name() == name) {
            Some(means) => means.works().map(|()| means).map_err(|why| none(&format!("{name}: {why}"))),
            None => SandboxKind::find(),
        }
    }

    /// The best means that works here, found by trying.
    pub fn find() -> Result<SandboxKind, Error> {
        static FOUND: OnceLock<Result<SandboxKind, Error>> = OnceLock::new();
        FOUND.get_or_init(SandboxKind::search).clone()
    }

    fn search() -> Result<SandboxKind, Error> {
        let mut tried = SandboxKind::ALL;
        if is_root() {
            // Whoever may do everything sets up its own root, and can then become somebody who may do nothing.
            tried.swap(0, 1);
        }
        let mut why = Vec::new();
        for means in tried {
            match means.works() {
                Ok(()) => return Ok(means),
                Err(reason) => why.push(format!("{}: {reason}", means.name())),
            }
        }
        Err(none(&why.join("; ")))
    }

    /// Lets the launcher hold a program that does nothing.
    fn works(self) -> Result<(), String> {
        if !cfg!(target_os = "linux") {
            return Err("that takes Linux".to_owned());
        }
        let cell = Cell::new(Path::new("/usr"), &SandboxPolicy::by(self));
        let mut command = cell.command(&["true".to_owned()]).map_err(|error| error.to_string())?;
        let done = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
        if done.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&done.stderr).trim().replace('\n', " ");
        Err(if said.is_empty() { done.status.to_string() } else { said })
    }
}

fn none(why: &str) -> Error {
    Error::outside(format!("no sandbox is to be had ({why})"))
}

#[cfg(target_os = "linux")]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(target_os = "linux"))]
fn is_root() -> bool {
    false
}

/// What a bot in a sandbox may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxPolicy {
    /// What holds it.
    pub means: SandboxKind,
    /// Files and folders that it may read beside its own and the system's.
    pub read: Vec<PathBuf>,
    /// Bytes of its scratch folder, and so of its largest file.
    pub scratch: u64,
    /// How many processes and threads it may have.
    pub processes: u64,
    /// Bytes of address space of each process.
    pub memory: Option<u64>,
    /// Seconds of processor time of each process.
    pub cpu: Option<u64>,
}

impl SandboxPolicy {
    /// The usual one, held by these means.
    pub const fn by(means: SandboxKind) -> SandboxPolicy {
        SandboxPolicy { means, read: Vec::new(), scratch: 64 << 20, processes: 64, memory: None, cpu: None }
    }
}

/// All that the launcher must know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Cell {
    /// Whether the namespaces are there already, and we are in them.
    inside: bool,
    folder: PathBuf,
    fence: SandboxPolicy,
    /// The process that ends the bot, and that the bot ends with.
    referee: u32,
    /// The user that a bot of root's becomes.
    user: u32,
    words: Vec<String>,
}

impl Cell {
    fn new(folder: &Path, fence: &SandboxPolicy) -> Cell {
        let (folder, fence) = (folder.to_owned(), fence.clone());
        Cell { inside: false, folder, fence, referee: std::process::id(), user: 0, words: Vec::new() }
    }

    fn command(mut self, words: &[String]) -> std::io::Result<Command> {
        words.clone_into(&mut self.words);
        let mut command = launcher_command()?;
        command.arg(serde_json::to_string(&self).expect("a cell is made of text and numbers"));
        Ok(command)
    }
}

/// The command that starts a bot in a sandbox; it runs in its `folder`.
#[cfg(unix)]
pub(super) fn command(words: &[String], folder: &Path, fence: &SandboxPolicy) -> std::io::Result<Command> {
    Cell::new(&std::path::absolute(folder)?, fence).command(words)
}

/// A program that calls [`confine`] with its last argument.
static LAUNCHER: OnceLock<(PathBuf, Vec<String>)> = OnceLock::new();

/// Says which program, with which arguments before its last, is the launcher: usually the own one. The first to say so
/// is heard.
pub fn set_launcher(program: PathBuf, arguments: &[&str]) {
    let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
    // Said twice it is the same program.
    let _ = LAUNCHER.set((program, arguments));
}

fn launcher_command() -> std::io::Result<Command> {
    let (program, arguments) =
        LAUNCHER.get().ok_or_else(|| std::io::Error::other("this program cannot be a launcher"))?;
    let mut command = Command::new(program);
    command.args(arguments);
    Ok(command)
}

/// The launcher's whole work: restricts this process as the text says, and becomes the bot. It returns only with the reason
/// why that failed.
pub fn confine(text: &str) -> Error {
    #[cfg(target_os = "linux")]
    let failed = match serde_json::from_str::<Cell>(text) {
        Ok(cell) => launcher::become_bot(&cell),
        Err(error) => error.to_string(),
    };
    #[cfg(not(target_os = "linux"))]
    let failed = format!("{text}: that takes Linux");
    Error::outside(format!("the sandbox cannot be set up: {failed}"))
}
