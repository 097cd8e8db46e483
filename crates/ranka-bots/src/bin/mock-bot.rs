//! A bot that misbehaves in the way that its first argument names, for the tests. The second argument is a file that it
//! may write to. Until something goes wrong it always takes the first action; `script=ACTION+ACTION…` takes these, and
//! `say=LINE` says that line before its second action, `_` for a blank and `%XX` for a byte.
#![allow(clippy::print_stdout)]

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    if mode == "hold" {
        // A child of the mode `family`.
        let memory = vec![1u8; 100 << 20];
        std::hint::black_box(&memory);
        forever();
    }
    let file = arguments.next().map(|path| File::create(path).expect("the file can be written"));
    let mut mock = Mock { mode, file, actions: Vec::new(), turns: 0, games: 0, crumbs: Vec::new() };
    mock.begin();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        mock.hear(&line);
    }
}

/// How a mode begins that says what is played.
const SCRIPT: &str = "script=";

/// How a mode begins that says what is said.
const SAY: &str = "say=";

struct Mock {
    mode: String,
    file: Option<File>,
    actions: Vec<String>,
    turns: u32,
    games: u32,
    /// What is still to be said.
    crumbs: Vec<u8>,
}

impl Mock {
    /// Before the first word.
    fn begin(&mut self) {
        match self.mode.as_str() {
            "crash-at-start" => {
                eprintln!("mock: no opening book");
                exit(3);
            }
            "never-ready" => forever(),
            #[cfg(unix)]
            "join-our-group" => join_our_group(),
            #[cfg(unix)]
            "leave-children" => {
                let pids = leave_children();
                let file = self.file.as_mut().expect("a file for the children's numbers");
                file.write_all(pids.join("\n").as_bytes()).expect("the file can be written");
            }
            _ => {}
        }
    }

    fn hear(&mut self, line: &str) {
        self.note('>', line);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "ranka" => {
                let name = if self.mode == "long-name" { "Mock ".repeat(10_000) } else { "Mock".to_owned() };
                self.say(&format!("name {name}"));
                self.say("author the tests");
                if self.mode == "only-chess" {
                    self.say("games chess");
                }
            }
            "isready" => self.say("ready"),
            "newgame" => {
                self.games += 1;
                match self.mode.as_str() {
                    "act-unasked" => self.say("action 1"),
                    "resign-unasked" => self.say("resign"),
                    _ => {}
                }
            }
            "actions" => self.actions = rest.split(' ').map(str::to_owned).collect(),
            "go" => {
                self.turns += 1;
                self.go();
            }
            "did" if self.mode == "crash-between" && self.turns == 2 => {
                eprintln!("mock: what was that?");
                exit(5);
            }
            "stop" if self.mode == "wait-for-stop" => self.act(),
            "quit" if self.mode != "ignore-quit" => exit(0),
            _ => {}
        }
    }

    fn go(&mut self) {
        // The first turn is always a good one.
        let from_the_first = ["show", "show-all", "wait-for-stop"].contains(&self.mode.as_str());
        if self.turns == 1 && !from_the_first && !self.mode.starts_with(SCRIPT) {
            return self.act();
        }
        match self.mode.as_str() {
            "join-our-group" => forever(),
            "crash" => {
                eprintln!("mock: division by zero");
                exit(7);
            }
            "abort" => std::process::abort(),
            "leave" => exit(0),
            "hang" => forever(),
            "late" => {
                sleep(Duration::from_secs(4));
                self.act();
            }
            "flood" => loop {
                println!("this is no answer");
            },
            "flood-info" => loop {
                println!("info nodes 1");
            },
            "no-end-of-line" | "last-breath" => {
                let _ = io::stdout().write_all(format!("action {}", self.actions[0]).as_bytes());
                let _ = io::stdout().flush();
                if self.mode == "last-breath" {
                    exit(0);
                }
                forever();
            }
            #[cfg(unix)]
            "stop-itself" => {
                use rustix::process::{Signal, getpid, kill_process};
                let _ = kill_process(getpid(), Signal::STOP);
            }
            "endless-line" => loop {
                let _ = io::stdout().write_all(&[b'x'; 4096]);
            },
            "flood-stderr" => {
                eprint!("{}", "still thinking ".repeat(100_000));
                self.act();
            }
            "binary" => {
                let _ = io::stdout().write_all(b"\xff\xfe\x00action\n");
                let _ = io::stdout().flush();
                forever();
            }
            "illegal" => {
                let other =
                    (1..=6).map(|house| house.to_string()).find(|house| !self.actions.contains(house));
                match other {
                    Some(other) => self.say(&format!("action {other}")),
                    None => self.act(),
                }
            }
            "unreadable" => self.say("action up and away"),
            "no-notation" => self.say("action banana"),
            // In one piece, so that both are there before the next question.
            "twice" => {
                let lines = format!("action {0}\naction {0}\n", self.actions[0]);
                let _ = io::stdout().write_all(lines.as_bytes());
            }
            "chatter" | "crumbs" => {
                self.say("well, let me see …");
                self.say("info temper hot nodes 12");
                self.act();
            }
            // Whether its end comes with the rest of it or later must not matter.
            "long-line" => {
                let line = format!("info string {}\n", "x".repeat(69_989));
                let _ = io::stdout().write_all(line.as_bytes());
                self.act();
            }
            "late-once" if self.turns == 2 => {
                sleep(Duration::from_millis(1500));
                self.say("action banana");
            }
            "illegal-info" => {
                self.say("info action zz value 0.5 pv zz");
                self.act();
            }
            "resign" => self.say("resign"),
            "misspelt" => self.say("acton 1"),
            "memory" => {
                let mut hoard = Vec::new();
                loop {
                    hoard.push(vec![1u8; 16 << 20]);
                }
            }
            "family" => {
                let own = std::env::current_exe().expect("our program is there");
                let hold = || std::process::Command::new(&own).arg("hold").spawn();
                let _children: Vec<_> = (0..4).map(|_| hold().expect("it runs")).collect();
                forever();
            }
            "spin" => loop {
                std::hint::spin_loop();
            },
            "wait-for-stop" => {}
            script if script.starts_with(SCRIPT) => {
                let mut actions = script[SCRIPT.len()..].split('+');
                let action =
                    actions.nth(self.turns as usize - 1).expect("the script is long enough").to_owned();
                self.say(&format!("action {action}"));
            }
            line if line.starts_with(SAY) && self.turns == 2 => {
                let line = bytes(&line[SAY.len()..]);
                let _ = io::stdout().write_all(&[&line[..], b"\n"].concat());
                self.act();
            }
            "show" if self.turns > 2 => self.say("resign"),
            "show" | "show-all" => {
                let first = self.actions[0].clone();
                let last = self.actions[self.actions.len() - 1].clone();
                self.say("info nodes 2 depth 1 scale score");
                self.say(&format!("info action {first} value 0.25"));
                self.say(&format!("info action {last} value 0.5 pv {last}"));
                self.say(&format!("action {last}"));
            }
            _ => self.act(),
        }
    }

    fn act(&mut self) {
        let action = self.actions[0].clone();
        self.say(&format!("action {action}"));
    }

    fn say(&mut self, line: &str) {
        self.note('<', line);
        if self.mode == "crumbs" {
            return self.crumble(line);
        }
        println!("{line}");
        let _ = io::stdout().flush();
    }

    /// In pieces: what is left of one line arrives with the beginning of the next, and only an answer arrives whole.
    fn crumble(&mut self, line: &str) {
        self.crumbs.extend(line.bytes().chain([b'\n']));
        let keep =
            if line.starts_with("action") || line.starts_with("ready") { 0 } else { self.crumbs.len() / 3 };
        while self.crumbs.len() > keep {
            let piece = (self.crumbs.len() - keep).min(1 + self.crumbs.len() % 5);
            let piece: Vec<u8> = self.crumbs.drain(..piece).collect();
            let _ = io::stdout().write_all(&piece);
            let _ = io::stdout().flush();
            sleep(Duration::from_micros(200));
        }
    }

    /// Writes the dialogue down, where that is wanted.
    fn note(&mut self, side: char, line: &str) {
        let notes = ["listen", "show", "show-all", "late-once"].contains(&self.mode.as_str());
        if let Some(file) = self.file.as_mut().filter(|_| notes || self.mode.starts_with(SCRIPT)) {
            writeln!(file, "{side} {line}").expect("the file can be written");
        }
    }
}

/// A line as it stands in a mode.
fn bytes(line: &str) -> Vec<u8> {
    let mut pieces = line.split('%');
    let mut bytes = pieces.next().unwrap_or_default().replace('_', " ").into_bytes();
    for piece in pieces {
        let (byte, rest) = piece.split_at(2);
        bytes.push(u8::from_str_radix(byte, 16).expect("two digits"));
        bytes.extend(rest.replace('_', " ").into_bytes());
    }
    bytes
}

fn forever() -> ! {
    loop {
        sleep(Duration::from_secs(1000));
    }
}

#[cfg(unix)]
fn join_our_group() {
    use rustix::process::{getpgid, getppid, setpgid};
    let ours = getpgid(getppid()).expect("our parent has a group");
    setpgid(None, Some(ours)).expect("a group of our session can be joined");
}

/// One in our group, one in a group of its own, one in a session of its own.
#[cfg(unix)]
fn leave_children() -> Vec<String> {
    use std::os::unix::process::CommandExt as _;
    use std::process::{Command, Stdio};
    let start = |(group, program)| {
        let mut command = Command::new(program);
        command.args(if program == "setsid" { &["sleep", "1000"][..] } else { &["1000"] });
        command.stdin(Stdio::null());
        if let Some(group) = group {
            command.process_group(group);
        }
        command.spawn().expect("sleep runs").id().to_string()
    };
    [(None, "sleep"), (Some(0), "sleep"), (None, "setsid")].into_iter().map(start).collect()
}
