//! What the commands for servers and clients ask for: where to tell what happens, and where to keep records.

use ranka_bots::net::Log;
use ranka_core::{Error, Record};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Where to tell what happens.
#[derive(clap::Args)]
pub(super) struct LogArgs {
    /// Tell what happens in this file [default: stderr]
    #[arg(long, value_name = "FILE", conflicts_with = "quiet")]
    log: Option<PathBuf>,
    /// Tell nothing of what happens
    #[arg(long)]
    quiet: bool,
}

impl LogArgs {
    pub(super) fn open(&self) -> Result<Log, Error> {
        match &self.log {
            Some(path) => Log::file(path),
            None if self.quiet => Ok(Log::silent()),
            None => Ok(Log::stderr()),
        }
    }
}

/// A file to which records are added as games end: a server may run for days, so nothing waits for its end.
pub(super) struct RecordsFile(Option<Mutex<(PathBuf, Result<File, Error>)>>);

impl RecordsFile {
    /// Opens the file, if one is wanted.
    pub(super) fn open(path: Option<&Path>) -> Result<RecordsFile, Error> {
        let Some(path) = path else { return Ok(RecordsFile(None)) };
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|e| Error::writing(path, e).at("records"))?;
        Ok(RecordsFile(Some(Mutex::new((path.to_owned(), Ok(file))))))
    }

    /// Adds a record. The first failure is kept for [`check`](RecordsFile::check).
    pub(super) fn add(&self, record: &Record) {
        let Some(file) = &self.0 else { return };
        let mut held = file.lock().unwrap_or_else(PoisonError::into_inner);
        let (path, file) = &mut *held;
        let mut line = serde_json::to_vec(record).expect("a record is made of text and numbers");
        line.push(b'\n');
        let written = file.as_mut().map(|file| file.write_all(&line));
        if let Ok(Err(error)) = written {
            *file = Err(Error::writing(path, error).at("records"));
        }
    }

    /// Whether everything could be written.
    pub(super) fn check(self) -> Result<(), Error> {
        let file = self.0.map(|file| file.into_inner().unwrap_or_else(PoisonError::into_inner).1);
        file.map_or(Ok(()), |file| file.map(|_| ()))
    }
}

/// What strangers are told that an agent is called. A bot's command line is none of their business.
pub(super) fn public_name(agent: &str) -> String {
    let name = agent.split(':').next().unwrap_or_default().trim();
    if name == "bot" { name.to_owned() } else { agent.to_owned() }
}

/// Reads a number of seconds, which need not be whole.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let refuse = || "expected seconds, more than 0 and at most 1000000".to_owned();
    let seconds = text.parse::<f64>().ok().filter(|&seconds| seconds > 0.0 && seconds <= 1e6);
    seconds.map(Duration::from_secs_f64).ok_or_else(refuse)
}
