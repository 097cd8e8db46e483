//! A connection cut in two: one half sends lines with rising ids, the other receives.

use super::web::{self, ReadHalf, WriteHalf};
use super::{Arg, LONGEST_LINE, Line};
use crate::net::{self, CONNECT_LIMIT, Ending, LineBuffer, LineReader, Trouble};
use ranka_core::Error;
use std::io::{self, Read as _};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// How long we wait for the other side to close, and how often we read meanwhile.
const LAST_WORDS: Duration = Duration::from_secs(1);
const MOST_LAST_READS: usize = 64;

/// Which ids a side uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// 1, 3, 5, …
    Client,
    /// 2, 4, 6, …
    Server,
}

/// The half that sends. Threads may share it.
pub(super) struct Sender {
    out: Mutex<Out>,
    tcp: TcpStream,
}

struct Out {
    pipe: Pipe,
    next: u64,
}

enum Pipe {
    Tcp(TcpStream),
    Web(Box<WebSocket<WriteHalf>>),
}

impl Sender {
    fn new(pipe: Pipe, tcp: TcpStream, side: Side) -> Sender {
        let next = if side == Side::Client { 1 } else { 2 };
        Sender { out: Mutex::new(Out { pipe, next }), tcp }
    }

    /// Sends a command and tells its id.
    pub(super) fn say(&self, reference: Option<u64>, name: &str, args: Vec<Arg>) -> io::Result<u64> {
        self.say_noting(reference, name, args, |_| {})
    }

    /// The same, where `note` hears the id before the line leaves: an answer cannot come before we know to what.
    pub(super) fn say_noting(
        &self,
        reference: Option<u64>,
        name: &str,
        args: Vec<Arg>,
        note: impl FnOnce(u64),
    ) -> io::Result<u64> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let id = out.next;
        out.next += 2;
        note(id);
        out.send(&Line { id: Some(id), reference, name: name.to_owned(), args })?;
        Ok(id)
    }

    /// Says goodbye, without an id as everybody does, and closes. What the other side sent may still be read.
    pub(super) fn goodbye(&self) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let line = Line { id: None, reference: None, name: "goodbye".to_owned(), args: Vec::new() };
        let _ = out.send(&line);
        if let Pipe::Web(socket) = &mut out.pipe {
            let _ = socket.close(None).and_then(|()| socket.flush());
        }
        let _ = self.tcp.shutdown(Shutdown::Write);
    }

    /// Ends the connection. What still arrives is read for a moment, because closing with unread lines would take back what we
    /// said last.
    pub(super) fn end(&self) {
        let _ = self.tcp.shutdown(Shutdown::Write);
        let deadline = Instant::now() + LAST_WORDS;
        let mut bytes = [0; 4096];
        for _ in 0..MOST_LAST_READS {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.tcp.set_read_timeout(Some(left)).is_err() {
                break;
            }
            if !matches!((&self.tcp).read(&mut bytes), Ok(1..)) {
                break;
            }
        }
        let _ = self.tcp.shutdown(Shutdown::Both);
    }
}

impl Out {
    fn send(&mut self, line: &Line) -> io::Result<()> {
        let text = format!("{line}\r\n");
        match &mut self.pipe {
            Pipe::Tcp(stream) => net::send(stream, text.as_bytes()),
            // The ending stays inside the frame: clients know commands without arguments only by what follows them.
            Pipe::Web(socket) => socket.send(Message::text(text)).map_err(io::Error::other),
        }
    }
}

/// The half that receives.
pub(super) enum Receiver<'a> {
    Tcp(LineReader<'a>),
    Web(Box<web::Reader<'a>>),
}

impl Receiver<'_> {
    /// The next line, waiting for it at most until `deadline`.
    pub(super) fn line(&mut self, deadline: Option<Instant>) -> Result<String, Trouble> {
        match self {
            Receiver::Tcp(reader) => reader.line(deadline),
            Receiver::Web(reader) => reader.line(deadline),
        }
    }
}

/// What cuts lines out of what arrives.
pub(super) const fn lines() -> LineBuffer {
    // The protocol counts characters, we count bytes: four for each at most.
    LineBuffer::new(Ending::Lf, 4 * LONGEST_LINE)
}

/// A connection that speaks lines over TCP.
pub(super) fn tcp(stream: TcpStream, side: Side, stop: &AtomicBool) -> io::Result<(Sender, Receiver<'_>)> {
    let sender = Sender::new(Pipe::Tcp(stream.try_clone()?), stream.try_clone()?, side);
    Ok((sender, Receiver::Tcp(LineReader::new(stream, lines(), stop))))
}

/// A client that knocks at our WebSocket.
pub(super) fn accept<'a>(
    stream: TcpStream,
    names: &[String],
    limit: Duration,
    stop: &'a AtomicBool,
) -> Result<(Sender, Receiver<'a>), Error> {
    let failed = |error: io::Error| Error::outside(error.to_string());
    let read_half = ReadHalf::new(stream.try_clone().map_err(failed)?, stop).map_err(failed)?;
    let write_half = read_half.write_half();
    let reader = web::accept(read_half, names, limit)?;
    Ok(over_web(stream, write_half, reader, Side::Server))
}

fn over_web<'a>(
    stream: TcpStream,
    write_half: WriteHalf,
    reader: web::Reader<'a>,
    side: Side,
) -> (Sender, Receiver<'a>) {
    let pipe = Pipe::Web(Box::new(web::writer(write_half, side)));
    (Sender::new(pipe, stream, side), Receiver::Web(Box::new(reader)))
}

/// Connects to a server: `HOST:PORT` is TCP, `ws://HOST:PORT/PATH` is WebSocket.
pub(super) fn connect<'a>(address: &Address, stop: &'a AtomicBool) -> Result<(Sender, Receiver<'a>), Error> {
    let failed = |error: io::Error| Error::outside(format!("server {address}: {error}"));
    let stream = net::connect(&address.host, address.port, CONNECT_LIMIT)?;
    let Some(path) = &address.path else {
        return tcp(stream, Side::Client, stop).map_err(failed);
    };
    let read_half = ReadHalf::new(stream.try_clone().map_err(failed)?, stop).map_err(failed)?;
    let write_half = read_half.write_half();
    let url = format!("ws://{}{path}", address.authority());
    let reader =
        web::connect(read_half, &url, CONNECT_LIMIT).map_err(|e| e.at(format!("server {address}")))?;
    Ok(over_web(stream, write_half, reader, Side::Client))
}

/// Where a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    host: String,
    port: u16,
    /// For a WebSocket.
    path: Option<String>,
}

impl Address {
    /// Lines over TCP.
    pub fn tcp(host: &str, port: u16) -> Address {
        Address { host: host.to_owned(), port, path: None }
    }

    /// Reads `HOST`, `HOST:PORT` or `ws://HOST:PORT/PATH`.
    pub fn parse(text: &str) -> Result<Address, Error> {
        if text.starts_with("wss://") {
            return Err(Error::input(format!(
                "server {text:?}: this program speaks no TLS; run a tunnel (stunnel, socat) and give its ws:// address"
            )));
        }
        let Some(rest) = text.strip_prefix("ws://") else {
            let (host, port) = net::address(text, super::PORT)?;
            return Ok(Address { host, port, path: None });
        };
        let (rest, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (host, port) = net::address(rest, 80)?;
        let path = if path.is_empty() { super::PATH } else { path };
        Ok(Address { host, port, path: Some(path.to_owned()) })
    }

    fn authority(&self) -> String {
        let Address { host, port, .. } = self;
        if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.path {
            Some(path) => write!(f, "ws://{}{path}", self.authority()),
            None => f.write_str(&self.authority()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        for (text, shown) in [
            ("localhost", "localhost:2671"),
            ("127.0.0.1:9", "127.0.0.1:9"),
            ("[::1]:9", "[::1]:9"),
            ("::1", "[::1]:2671"),
            ("ws://localhost:8080", "ws://localhost:8080/socket"),
            ("ws://localhost/other", "ws://localhost:80/other"),
        ] {
            assert_eq!(Address::parse(text).unwrap().to_string(), shown);
        }
        for text in ["", ":1", "host:70000", "http://x", "a b"] {
            assert!(Address::parse(text).is_err(), "{text}");
        }
        assert!(Address::parse("wss://x/socket").unwrap_err().to_string().contains("no TLS"));
    }
}
