//! The command that starts a bot.

use ranka_core::{Error, digest};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(Vec<String>);

impl Words {
    /// Takes a command line apart as a shell would, but without one: quotes hold words together, nothing else is special.
    /// With `shell` the whole line is left to `sh -c`.
    pub fn read(line: &str, shell: bool) -> Result<Words, Error> {
        if line.trim().is_empty() {
            return Err(Error::input("cmd: name the program to start, as in cmd=\"python3 my_bot.py\""));
        }
        if shell {
            return Ok(Words(["sh", "-c", line].map(str::to_owned).to_vec()));
        }
        let words = shlex::split(line).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| Error::input(format!("cmd {line:?}: a quote is not closed")))?;
        if find(&words[0]).is_none() {
            return Err(Error::input("cmd: there is no such program").in_file(&words[0]));
        }
        Ok(Words(words))
    }

    /// Ready to be started.
    #[cfg(unix)]
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.0[0]);
        command.args(&self.0[1..]);
        command
    }

    /// A digest of each file that the command names: with another program the bot is another.
    pub(super) fn identity(&self) -> String {
        let mut out = String::new();
        for word in self.0.iter().filter(|word| word.contains(['/', '.'])) {
            if let Some(content) = is_file(Path::new(word)).then(|| std::fs::read(word).ok()).flatten() {
                let _ = write!(out, ";{word} is {}", digest(&content));
            }
        }
        out
    }
}

/// A text as one word of a command line, for shells and for `cmd`.
pub fn quoted(text: &str) -> String {
    // Only a text with a NUL cannot be quoted, and that can be typed nowhere.
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), Cow::into_owned)
}

/// Where the program is that would be started.
fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        let path = PathBuf::from(program);
        return is_file(&path).then_some(path);
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| is_file(path))
}

fn is_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        Words::read(line, false).unwrap().0
    }

    #[test]
    fn words_are_split_without_a_shell() {
        assert_eq!(words("sh a  'b c' \"d, $E=1\""), ["sh", "a", "b c", "d, $E=1"]);
        assert_eq!(words("sh *.py | cat"), ["sh", "*.py", "|", "cat"]);
        assert_eq!(Words::read("a | b", true).unwrap().0, ["sh", "-c", "a | b"]);
    }

    #[test]
    fn what_cannot_be_started_is_refused_at_once() {
        let message = |line| Words::read(line, false).unwrap_err().to_string();
        assert_eq!(message("sh 'x"), "cmd \"sh 'x\": a quote is not closed");
        assert_eq!(message("no-such-thing x"), "no-such-thing: cmd: there is no such program");
        assert!(message(" ").starts_with("cmd: name the program"));
    }

    #[test]
    fn a_changed_program_is_another_bot() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("bot.sh");
        let line = format!("sh {}", script.display());
        let mut seen = ["one", "two"].map(|content| {
            std::fs::write(&script, content).unwrap();
            Words::read(&line, false).unwrap().identity()
        });
        seen.sort();
        assert_ne!(seen[0], seen[1]);
        assert_eq!(Words::read("sh", false).unwrap().identity(), "");
    }
}
