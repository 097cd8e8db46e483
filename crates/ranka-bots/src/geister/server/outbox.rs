//! What a client is told, one line at a time.
//!
//! Many clients of this protocol take one `recv` for one line: of two lines that arrive together they lose the second, and
//! then wait for ever. So a line leaves only when the one before it was taken. Each client has a thread that waits for
//! that, so nobody waits for another's client.

use crate::net::{SocketProbe, Transit, send};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// How long a line may be under way before the next one leaves all the same.
const LONGEST: Duration = Duration::from_millis(250);

/// How long a line is given where the system does not tell whether it was taken.
const BLIND: Duration = Duration::from_millis(50);

/// How often to look.
const TICK: Duration = Duration::from_millis(1);

/// How long the last lines may take once the table has parted from the client.
const LAST_WORDS: Duration = Duration::from_secs(1);

enum Word {
    Line(String),
    /// Nothing follows.
    Close,
}

/// Where the table puts what a client is to be told.
pub(super) struct Outbox {
    words: Sender<Word>,
    parted: Arc<OnceLock<Instant>>,
}

impl Outbox {
    /// An outbox, and the clerk that empties it into `stream`.
    pub(super) fn new(stream: TcpStream, pace: Duration, probe: &SocketProbe) -> (Outbox, Clerk<'_>) {
        let (words, waiting) = mpsc::channel();
        let parted = Arc::new(OnceLock::new());
        let clerk = Clerk { stream, waiting, parted: parted.clone(), pace, probe };
        (Outbox { words, parted }, clerk)
    }

    /// Whoever cannot be told is gone, and its own thread will notice.
    pub(super) fn line(&self, line: &str) {
        let _ = self.words.send(Word::Line(format!("{line}\r\n")));
    }

    pub(super) fn close(&self) {
        let _ = self.words.send(Word::Close);
    }
}

impl Drop for Outbox {
    fn drop(&mut self) {
        let _ = self.parted.set(Instant::now());
    }
}

/// Who sends what is in an outbox.
pub(super) struct Clerk<'a> {
    stream: TcpStream,
    waiting: Receiver<Word>,
    parted: Arc<OnceLock<Instant>>,
    /// How long after a line was taken the next one leaves; nothing waits for anything if it is zero.
    pace: Duration,
    probe: &'a SocketProbe,
}

impl Clerk<'_> {
    /// Works until the outbox is gone and empty, or the client is.
    pub(super) fn work(self) {
        let mut last: Option<Instant> = None;
        while let Ok(word) = self.waiting.recv() {
            if let (Some(sent), false) = (last, self.pace.is_zero()) {
                self.wait_until_taken(sent);
            }
            let done = match word {
                Word::Line(line) => send(&self.stream, line.as_bytes()),
                Word::Close => self.stream.shutdown(Shutdown::Write),
            };
            if done.is_err() {
                return;
            }
            last = Some(Instant::now());
        }
    }

    fn wait_until_taken(&self, sent: Instant) {
        let latest = sent + LONGEST;
        loop {
            let latest = self.parted.get().map_or(latest, |parted| latest.min(*parted + LAST_WORDS));
            let left = latest.saturating_duration_since(Instant::now());
            let nap = match self.probe.transit(&self.stream) {
                Transit::Under => TICK,
                Transit::Read => return thread::sleep(self.pace.saturating_sub(sent.elapsed()).min(left)),
                // The machine has it; the program needs a moment from now on, as far as we know.
                Transit::Acknowledged => return thread::sleep(self.pace.min(left)),
                Transit::Unknown => return thread::sleep(BLIND.saturating_sub(sent.elapsed()).min(left)),
            };
            if left.is_zero() {
                return;
            }
            thread::sleep(nap);
        }
    }
}
