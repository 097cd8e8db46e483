//! The log: one line for each thing that somebody did.

use ranka_core::{Error, printable};
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

/// Where a server or client tells what happens, a line with the time for each event. Threads may share it.
pub struct Log(Option<Mutex<Box<dyn Write + Send>>>);

impl Log {
    /// Tells nobody.
    pub const fn silent() -> Log {
        Log(None)
    }

    /// Tells stderr.
    pub fn stderr() -> Log {
        Log::to(io::stderr())
    }

    /// Adds to the end of a file.
    pub fn file(path: &Path) -> Result<Log, Error> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.map(Log::to).map_err(|e| Error::writing(path, e).at("log"))
    }

    /// Writes to `out`.
    pub fn to(out: impl Write + Send + 'static) -> Log {
        Log(Some(Mutex::new(Box::new(out))))
    }

    /// Notes what `who` (a peer, a table) did. What cannot be written is lost: a full disk must not stop a game.
    pub fn note(&self, who: impl Display, what: impl Display) {
        let Some(out) = &self.0 else { return };
        let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ");
        let text = format!("{now} {who} {what}");
        // Whatever a peer has sent stays on its own line.
        let line: String = text.chars().flat_map(printable).chain(['\n']).collect();
        if let Ok(mut out) = out.lock() {
            let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_event_is_one_line_whatever_was_sent() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.txt");
        for _ in 0..2 {
            let log = Log::file(&path).unwrap();
            log.note("127.0.0.1:9", "sent \"a\r\nb\u{7}\" 爛柯");
        }
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        for line in lines {
            assert_eq!(line.split_once(' ').unwrap().1, r#"127.0.0.1:9 sent "a\r\nb\u{7}" 爛柯"#);
            assert!(line.split(' ').next().unwrap().parse::<jiff::Timestamp>().is_ok(), "{line}");
        }
        let error = Log::file(folder.path()).err().unwrap();
        assert!(error.to_string().contains("log: it cannot be written"), "{error}");
    }
}
