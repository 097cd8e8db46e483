//! A server of a community's protocol, run as a person would.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A server that is killed if the test forgets it.
pub(crate) struct Listening {
    child: Child,
    /// Where it listens, one after the other.
    pub(crate) addresses: Vec<String>,
}

impl Listening {
    /// Runs `ranka bot` with these arguments.
    pub(crate) fn start(args: &[&str]) -> Listening {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ranka"))
            .arg("bot")
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let words = line.split_whitespace().filter(|word| word.starts_with("127.0.0.1:"));
        let addresses: Vec<String> = words.map(|word| word.trim_end_matches('.').to_owned()).collect();
        assert!(!addresses.is_empty(), "{line}");
        Listening { child, addresses }
    }

    /// What it says when it ends.
    pub(crate) fn ends(mut self) -> String {
        let out = self.child.stdout.take().unwrap();
        assert!(self.child.wait().unwrap().success());
        std::io::read_to_string(out).unwrap()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
