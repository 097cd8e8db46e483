//! Lines from a peer that nobody vouches for.

use super::TokenBucket;
use std::fmt;
use std::io::{self, Read};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// LF, or CR LF.
    Lf,
    /// CR LF and nothing else: a lone LF or CR is a part of the line.
    CrLf,
}

/// Why there is no line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The peer has closed, or the connection broke.
    Gone(String),
    /// Nothing came before the deadline.
    Late,
    /// We ourselves are stopping.
    Stopped,
    /// The line is longer than allowed; the rest of it is skipped and one may go on.
    TooLong,
    /// The line is not UTF-8; one may go on with the next.
    NotText,
    /// More lines than allowed.
    TooFast,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Gone(why) => f.write_str(why),
            Trouble::Late => f.write_str("no answer in time"),
            Trouble::Stopped => f.write_str("stopped"),
            Trouble::TooLong => f.write_str("the line is too long"),
            Trouble::NotText => f.write_str("the line is not text"),
            Trouble::TooFast => f.write_str("too many lines"),
        }
    }
}

/// Cuts what arrives into lines. It keeps at most one line that is too long and what arrived last.
#[derive(Clone, Debug)]
pub struct LineBuffer {
    ending: Ending,
    longest: usize,
    bytes: Vec<u8>,
    /// Up to here the bytes hold no end of a line.
    searched: usize,
    /// The line that is arriving was refused already.
    skipping: bool,
}

impl LineBuffer {
    /// Lines of at most `longest` bytes without their ending.
    pub const fn new(ending: Ending, longest: usize) -> LineBuffer {
        LineBuffer { ending, longest, bytes: Vec::new(), searched: 0, skipping: false }
    }

    /// Adds what has arrived. Take all lines before adding more.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next line without its ending, if it is complete or wrong already.
    pub fn line(&mut self) -> Option<Result<String, Trouble>> {
        loop {
            let Some((length, next)) = self.find() else {
                if self.bytes.len() <= self.longest + 1 {
                    return None;
                }
                // All but the last byte, which may be half of an ending.
                self.bytes.drain(..self.bytes.len() - 1);
                self.searched = 0;
                if self.skipping {
                    return None;
                }
                self.skipping = true;
                return Some(Err(Trouble::TooLong));
            };
            let line: Vec<u8> = self.bytes.drain(..next).take(length).collect();
            self.searched = 0;
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            if line.len() > self.longest {
                return Some(Err(Trouble::TooLong));
            }
            return Some(String::from_utf8(line).map_err(|_| Trouble::NotText));
        }
    }

    /// How long the first line is, and where the next begins.
    fn find(&mut self) -> Option<(usize, usize)> {
        while let Some(step) = self.bytes[self.searched..].iter().position(|&byte| byte == b'\n') {
            let end = self.searched + step;
            let carriage_return = end > 0 && self.bytes[end - 1] == b'\r';
            if carriage_return || self.ending == Ending::Lf {
                return Some((end - usize::from(carriage_return), end + 1));
            }
            self.searched = end + 1;
        }
        self.searched = self.bytes.len();
        None
    }
}

/// How long to read before looking whether we are to stop.
const TICK: Duration = Duration::from_millis(200);

/// Reads lines from a socket, with limits.
pub struct LineReader<'a> {
    stream: TcpStream,
    lines: LineBuffer,
    rate: Option<TokenBucket>,
    stop: &'a AtomicBool,
}

impl<'a> LineReader<'a> {
    /// Reads from `stream` until `stop` is set.
    pub const fn new(stream: TcpStream, lines: LineBuffer, stop: &'a AtomicBool) -> LineReader<'a> {
        LineReader { stream, lines, rate: None, stop }
    }

    /// The same, where more lines than `rate` allows are [`Trouble::TooFast`].
    pub fn at_most(mut self, rate: TokenBucket) -> LineReader<'a> {
        self.rate = Some(rate);
        self
    }

    /// The next line, waiting for it at most until `deadline`.
    pub fn line(&mut self, deadline: Option<Instant>) -> Result<String, Trouble> {
        loop {
            if let Some(line) = self.lines.line() {
                let now = Instant::now();
                let allowed = self.rate.as_mut().is_none_or(|rate| rate.allows(now));
                return if allowed { line } else { Err(Trouble::TooFast) };
            }
            self.more(deadline)?;
        }
    }

    /// A line that has come already; nothing if none has. It never waits.
    pub fn waiting(&mut self) -> Result<Option<String>, Trouble> {
        let gone = |error: io::Error| Trouble::Gone(error.to_string());
        if let Some(line) = self.lines.line() {
            return line.map(Some);
        }
        let mut bytes = [0; 4096];
        self.stream.set_nonblocking(true).map_err(gone)?;
        let read = self.stream.read(&mut bytes);
        self.stream.set_nonblocking(false).map_err(gone)?;
        match read {
            Ok(0) => Err(Trouble::Gone("closed the connection".to_owned())),
            Ok(count) => {
                self.lines.push(&bytes[..count]);
                self.lines.line().transpose()
            }
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Ok(None),
                _ => Err(gone(error)),
            },
        }
    }

    fn more(&mut self, deadline: Option<Instant>) -> Result<(), Trouble> {
        let gone = |error: io::Error| Trouble::Gone(error.to_string());
        let mut bytes = [0; 4096];
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Trouble::Stopped);
            }
            let left = deadline.map_or(TICK, |end| end.saturating_duration_since(Instant::now()).min(TICK));
            if left.is_zero() {
                return Err(Trouble::Late);
            }
            self.stream.set_read_timeout(Some(left)).map_err(gone)?;
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(Trouble::Gone("closed the connection".to_owned())),
                Ok(count) => {
                    self.lines.push(&bytes[..count]);
                    return Ok(());
                }
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted => {}
                    _ => return Err(gone(error)),
                },
            }
        }
    }
}

#[cfg(test)]
mod tests;
