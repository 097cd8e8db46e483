//! A client as the server sees it: it is asked, and answers.

use super::{LONGEST_LINE, Reply};
use crate::net::{self, Ending, LineBuffer, LineReader, Loss, TokenBucket, Trouble};
use ranka_core::EndReason;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How many empty lines a client may send that belong to no answer: so many at once, and so many a second. Of an answer's own
/// lines there are only so many.
const IDLE_AT_ONCE: u32 = 1000;
const IDLE_A_SECOND: u32 = 100;

/// A client.
pub(super) struct Peer<'a> {
    pub(super) address: SocketAddr,
    pub(super) name: String,
    /// How many connected before it.
    pub(super) number: u64,
    stream: TcpStream,
    reader: LineReader<'a>,
    /// Whether an answer is still owed: then nothing that comes can be trusted to belong to the next question.
    owes: bool,
    idle: TokenBucket,
}

impl<'a> Peer<'a> {
    pub(super) fn new(
        stream: TcpStream,
        (number, address): (u64, SocketAddr),
        stop: &'a AtomicBool,
    ) -> io::Result<Peer<'a>> {
        let lines = LineBuffer::new(Ending::Lf, LONGEST_LINE);
        let reader = LineReader::new(stream.try_clone()?, lines, stop);
        let idle = TokenBucket::new(IDLE_A_SECOND, IDLE_AT_ONCE);
        Ok(Peer { address, name: String::new(), number, stream, reader, owes: false, idle })
    }

    /// Sends a command and waits for its answer.
    pub(super) fn ask(&mut self, command: &str, limit: Duration) -> Result<String, Loss> {
        if self.owes {
            return Err(Loss::new(EndReason::Protocol, "an answer is still owed"));
        }
        self.nothing_unasked()?;
        let lost = |error: io::Error| Loss::new(EndReason::Disconnected, error.to_string());
        net::send(&self.stream, format!("{command}\r\n").as_bytes()).map_err(lost)?;
        self.owes = true;
        let (deadline, mut reply) = (Instant::now() + limit, Reply::default());
        loop {
            let line = self.reader.line(Some(deadline))?;
            if reply.is_empty() && line.is_empty() {
                self.count_idle()?;
            }
            let answer =
                reply.push(&line).map_err(|error| Loss::new(EndReason::Protocol, error.to_string()))?;
            if let Some(answer) = answer {
                self.owes = false;
                return Ok(answer);
            }
        }
    }

    /// Asks for the name, and keeps it.
    pub(super) fn introduce(&mut self, limit: Duration) -> Result<(), Loss> {
        let answer = self.ask("name", limit)?;
        self.name = answer.chars().filter(|c| !c.is_control()).take(80).collect();
        Ok(())
    }

    /// Answers without a question would be taken for those to the next ones.
    fn nothing_unasked(&mut self) -> Result<(), Loss> {
        loop {
            match self.reader.waiting() {
                Ok(None) => return Ok(()),
                Ok(Some(line)) if line.is_empty() => self.count_idle()?,
                Ok(Some(line)) => {
                    let shown: String = line.chars().take(80).collect();
                    return Err(Loss::new(EndReason::Protocol, format!("nobody asked for {shown:?}")));
                }
                Err(trouble) => return Err(trouble.into()),
            }
        }
    }

    fn count_idle(&mut self) -> Result<(), Loss> {
        if self.idle.allows(Instant::now()) { Ok(()) } else { Err(Trouble::TooFast.into()) }
    }

    /// Whether it is still there, as far as can be told without asking.
    pub(super) fn is_here(&self) -> bool {
        let brief = Duration::from_millis(1);
        if self.stream.set_read_timeout(Some(brief)).is_err() {
            return false;
        }
        match self.stream.peek(&mut [0]) {
            Ok(count) => count > 0,
            Err(error) => {
                matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
            }
        }
    }

    /// Ends the connection.
    pub(super) fn end(&self) {
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
    }
}
