//! The command that starts a bot.

use ranka_core::Error;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words(Vec<String>);

impl Words {
    /// Takes a command line apart as a shell would, but without one: quotes hold words together, nothing else is special.
    /// With `shell` the whole line is left to `sh -c`. It will be started in `folder`, if one is named.
    pub(super) fn read(line: &str, shell: bool, folder: Option<&Path>) -> Result<Words, Error> {
        if line.trim().is_empty() {
            return Err(Error::input("cmd: name the program to start, as in cmd=\"python3 my_bot.py\""));
        }
        if shell {
            return Ok(Words(["sh", "-c", line].map(str::to_owned).to_vec()));
        }
        let words = shlex::split(line).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| Error::input(format!("cmd {line:?}: a quote is not closed")))?;
        if find(&words[0], folder).is_none() {
            return Err(Error::input("cmd: there is no such program").in_file(&words[0]));
        }
        Ok(Words(words))
    }

    /// Ready to be started in `folder`. A path is taken from there, whatever the system would do.
    #[cfg(unix)]
    pub(super) fn command(&self, folder: Option<&Path>) -> Command {
        let program = folder.filter(|_| self.0[0].contains('/')).and_then(|folder| {
            let path = folder.join(&self.0[0]);
            std::path::absolute(path).ok()
        });
        let mut command = Command::new(program.unwrap_or_else(|| PathBuf::from(&self.0[0])));
        command.args(&self.0[1..]);
        command
    }

    /// All words.
    #[cfg(unix)]
    pub(super) fn all(&self) -> &[String] {
        &self.0
    }

    /// The program and its arguments as the person wrote them, whoever takes them apart.
    pub(super) fn commanded(&self) -> Vec<String> {
        match self.0.as_slice() {
            [sh, c, line] if sh == "sh" && c == "-c" => shlex::split(line).unwrap_or_default(),
            words => words.to_vec(),
        }
    }
}

/// A text as one word of a command line, for shells and for `cmd`.
pub fn quoted(text: &str) -> String {
    // Only a text with a NUL cannot be quoted, and that can be typed nowhere.
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), Cow::into_owned)
}

/// Where the program is that would be started in `folder`.
pub(super) fn find(program: &str, folder: Option<&Path>) -> Option<PathBuf> {
    if program.contains('/') {
        let path = folder.map_or_else(|| PathBuf::from(program), |folder| folder.join(program));
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
        Words::read(line, false, None).unwrap().0
    }

    #[test]
    fn words_are_split_without_a_shell() {
        assert_eq!(words("sh a  'b c' \"d, $E=1\""), ["sh", "a", "b c", "d, $E=1"]);
        assert_eq!(words("sh *.py | cat"), ["sh", "*.py", "|", "cat"]);
        assert_eq!(Words::read("a | b", true, None).unwrap().0, ["sh", "-c", "a | b"]);
    }

    #[test]
    fn what_cannot_be_started_is_refused_at_once() {
        let message = |line| Words::read(line, false, None).unwrap_err().to_string();
        assert_eq!(message("sh 'x"), "cmd \"sh 'x\": a quote is not closed");
        assert_eq!(message("no-such-thing x"), "no-such-thing: cmd: there is no such program");
        assert!(message(" ").starts_with("cmd: name the program"));
    }
}
