//! The parameters of the agent `bot`.

use super::launch::Launch;
use super::made_of;
use super::process::ResourceLimits;
use super::sandbox::{SandboxKind, SandboxPolicy};
use ranka_core::{Error, Param, Params};
use std::path::Path;
use std::time::Duration;

pub(super) fn params() -> Vec<Param> {
    vec![
        Param::program("cmd", "the program and its arguments, as in cmd=\"python3 my_bot.py\""),
        Param::switch("shell", false, "leave cmd to sh -c"),
        Param::text("name", "", "what it is called; otherwise what it calls itself").label(),
        Param::file("folder", &["here"], "the folder that it runs in"),
        Param::file(
            "files",
            &["auto"],
            "files and folders that it is made of; otherwise the program and its folder",
        ),
        Param::int("start", 1, 3_600_000, "10000", "milliseconds to be ready for a game"),
        Param::int("move", 0, 86_400_000, "10000", "milliseconds for an action; 0 leaves it to the match"),
        Param::int("grace", 0, 60_000, "500", "milliseconds more after `stop`, and to leave after `quit`"),
        Param::int("memory", 0, 1 << 24, MEMORY, "MiB of address space of each process; 0 for no limit"),
        Param::int("cpu", 0, 1 << 24, "0", "seconds of processor time of each process; 0 for no limit"),
        Param::choice(
            "sandbox",
            &["off", "on", "bubblewrap", "namespaces", "landlock"],
            "keep the network, other files and other processes from it (Linux), by the best means or this one",
        ),
        Param::int("scratch", 1, 1 << 20, "64", "MiB of its scratch folder, in a sandbox"),
        Param::int("processes", 1, 1 << 16, "64", "processes and threads that it may have, in a sandbox"),
        Param::file("read", &["system"], "more files and folders that it may read, in a sandbox"),
        Param::choice(
            "restart",
            &["game", "keep"],
            "a new process for each game, or one for game after game",
        ),
        Param::choice(
            "seed",
            &["sealed", "open"],
            "the seed it is told: one of its own, or the match's, from which it could compute what is hidden",
        ),
        Param::int("stderr", 0, 1024, "4", "KiB of its standard error that are kept for the record"),
    ]
}

/// Limits can be set on Linux alone.
const MEMORY: &str = if cfg!(target_os = "linux") { "4096" } else { "0" };

/// What was chosen.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) launch: Launch,
    /// A digest of what it is made of.
    pub(super) made_of: String,
    /// What it is called, if that was said.
    pub(super) name: Option<String>,
    pub(super) start: Duration,
    pub(super) limit: Option<Duration>,
    pub(super) grace: Duration,
    pub(super) keep: bool,
    pub(super) sealed: bool,
}

impl Settings {
    pub(super) fn read(params: &Params) -> Result<Settings, Error> {
        let number = |key| u64::try_from(params.int(key)).unwrap_or(0);
        let above_zero = |key| Some(number(key)).filter(|&n| n > 0);
        let (memory, cpu) = (above_zero("memory").map(|mib| mib << 20), above_zero("cpu"));
        if !cfg!(target_os = "linux") && (memory.is_some() || cpu.is_some()) {
            return Err(Error::input("memory and cpu can be limited on Linux alone"));
        }
        let given = |key, word| Some(params.text(key)).filter(|value| *value != word);
        let folder = given("folder", "here").map(Path::new);
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(Error::input("folder: there is no such folder").in_file(folder));
        }
        let mut launch = Launch::within(params.text("cmd"), params.on("shell"), folder)?;
        launch.limits = ResourceLimits { memory, cpu, stderr: (number("stderr") as usize) << 10 };
        let read = match given("sandbox", "off").and(given("read", "system")) {
            Some(named) => made_of::listed("read", named)?,
            None => Vec::new(),
        };
        if let Some(means) = given("sandbox", "off") {
            let means = SandboxKind::named(means)?;
            let read = read.iter().map(std::path::absolute).collect::<Result<_, _>>();
            launch = launch.fenced(SandboxPolicy {
                means,
                read: read.map_err(|error| Error::input(format!("read: {error}")))?,
                scratch: number("scratch") << 20,
                processes: number("processes"),
                memory,
                cpu,
            });
        }
        Ok(Settings {
            made_of: made_of::identity(&launch.words, given("files", "auto"), folder, &read)?,
            launch,
            name: given("name", "").map(str::to_owned),
            start: Duration::from_millis(number("start")),
            limit: above_zero("move").map(Duration::from_millis),
            grace: Duration::from_millis(number("grace")),
            keep: params.text("restart") == "keep",
            sealed: params.text("seed") == "sealed",
        })
    }
}
