//! WebSocket: how a line travels in a frame, and who may open one.
//!
//! The library's socket is one object for both directions, but we think and listen at the same time. So there are two over
//! the same connection: one only reads, the other only writes, and what either sends leaves in one piece.

use super::wire::Side;
use super::{LONGEST_LINE, PATH, wire};
use crate::net::{LineBuffer, Trouble};
use ranka_core::Error;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tungstenite::http::{StatusCode, header};
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

/// How long to read before looking whether we are to stop.
const TICK: Duration = Duration::from_millis(200);

/// What a client gets for whom there is no place.
pub(super) const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

fn config() -> WebSocketConfig {
    let longest = Some(4 * LONGEST_LINE + 2);
    WebSocketConfig::default()
        .read_buffer_size(4096)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 20)
        .max_message_size(longest)
        .max_frame_size(longest)
}

/// The end of a connection that only writes.
#[derive(Clone)]
pub(super) struct WriteHalf(Arc<Mutex<TcpStream>>);

impl Write for WriteHalf {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // All or nothing: half a frame from one thread must not be followed by a frame from another.
        let mut stream = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stream.write_all(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for WriteHalf {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(ErrorKind::WouldBlock.into())
    }
}

/// The end of a connection that reads, and writes only what the library answers by itself.
pub(super) struct ReadHalf<'a> {
    stream: TcpStream,
    write_half: WriteHalf,
    deadline: Option<Instant>,
    stop: &'a AtomicBool,
}

impl<'a> ReadHalf<'a> {
    pub(super) fn new(stream: TcpStream, stop: &'a AtomicBool) -> io::Result<ReadHalf<'a>> {
        let write_half = WriteHalf(Arc::new(Mutex::new(stream.try_clone()?)));
        Ok(ReadHalf { stream, write_half, deadline: None, stop })
    }

    pub(super) fn write_half(&self) -> WriteHalf {
        self.write_half.clone()
    }
}

impl Read for ReadHalf<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(ErrorKind::ConnectionAborted.into());
            }
            let left =
                self.deadline.map_or(TICK, |end| end.saturating_duration_since(Instant::now()).min(TICK));
            if left.is_zero() {
                return Err(ErrorKind::TimedOut.into());
            }
            self.stream.set_read_timeout(Some(left))?;
            match self.stream.read(bytes) {
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                    ) => {}
                done => return done,
            }
        }
    }
}

impl Write for ReadHalf<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_half.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Receives lines.
pub(super) struct Reader<'a> {
    socket: WebSocket<ReadHalf<'a>>,
    lines: LineBuffer,
}

impl<'a> Reader<'a> {
    fn over(socket: WebSocket<ReadHalf<'a>>) -> Reader<'a> {
        Reader { socket, lines: wire::lines() }
    }

    /// The next line. A frame holds one by the protocol; more in one frame are taken one by one.
    pub(super) fn line(&mut self, deadline: Option<Instant>) -> Result<String, Trouble> {
        self.socket.get_mut().deadline = deadline;
        loop {
            if let Some(line) = self.lines.line() {
                return line;
            }
            match self.socket.read().map_err(trouble)? {
                Message::Text(text) => {
                    self.lines.push(text.as_bytes());
                    if !text.ends_with('\n') {
                        self.lines.push(b"\n");
                    }
                }
                Message::Binary(_) => return Err(Trouble::NotText),
                Message::Close(_) => return Err(Trouble::Gone("closed the connection".to_owned())),
                // Answered by the library; an empty line lets whoever counts lines count it.
                Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => return Ok(String::new()),
            }
        }
    }
}

fn trouble(error: tungstenite::Error) -> Trouble {
    match error {
        tungstenite::Error::Io(error) if error.kind() == ErrorKind::TimedOut => Trouble::Late,
        tungstenite::Error::Io(error) if error.kind() == ErrorKind::ConnectionAborted => Trouble::Stopped,
        tungstenite::Error::Capacity(_) => Trouble::TooLong,
        tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed => {
            Trouble::Gone("closed the connection".to_owned())
        }
        other => Trouble::Gone(other.to_string()),
    }
}

/// The socket that only writes.
pub(super) fn writer(write_half: WriteHalf, side: Side) -> WebSocket<WriteHalf> {
    let role = if side == Side::Client { Role::Client } else { Role::Server };
    WebSocket::from_raw_socket(write_half, role, Some(config()))
}

/// Opens a connection to a server.
pub(super) fn connect<'a>(
    mut read_half: ReadHalf<'a>,
    url: &str,
    limit: Duration,
) -> Result<Reader<'a>, Error> {
    read_half.deadline = Some(Instant::now() + limit);
    let opened = tungstenite::client::client_with_config(url, read_half, Some(config()));
    opened.map(|(socket, _)| Reader::over(socket)).map_err(|error| Error::outside(error.to_string()))
}

/// Lets a client in that asks for our path, and in whose name no strange page speaks. `names` are host names that are ours.
pub(super) fn accept<'a>(
    mut read_half: ReadHalf<'a>,
    names: &[String],
    limit: Duration,
) -> Result<Reader<'a>, Error> {
    read_half.deadline = Some(Instant::now() + limit);
    #[allow(clippy::result_large_err)] // the library's own type
    let judge = |request: &Request, response: Response| match refusal(request, names) {
        None => Ok(response),
        Some((status, why)) => {
            let mut refused = ErrorResponse::new(Some(format!("{why}\n")));
            *refused.status_mut() = status;
            Err(refused)
        }
    };
    tungstenite::accept_hdr_with_config(read_half, judge, Some(config()))
        .map(Reader::over)
        .map_err(|error| Error::outside(error.to_string()))
}

/// Why a request is refused. A page of another site can make a browser connect to us, also by a name of its own that leads here:
/// so the host must be a number, `localhost` or a name of ours, and a page must come from that same host.
fn refusal(request: &Request, names: &[String]) -> Option<(StatusCode, String)> {
    if request.uri().path() != PATH {
        return Some((StatusCode::NOT_FOUND, format!("the socket is at {PATH}")));
    }
    let text = |name| request.headers().get(name).map(|value| value.to_str().unwrap_or("?"));
    let Some(authority) = text(header::HOST) else {
        return Some((StatusCode::BAD_REQUEST, "no Host".to_owned()));
    };
    let host = authority.rsplit_once(':').map_or(authority, |(host, port)| {
        if port.bytes().all(|byte| byte.is_ascii_digit()) { host } else { authority }
    });
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let ours = bare.parse::<IpAddr>().is_ok()
        || bare.eq_ignore_ascii_case("localhost")
        || names.iter().any(|name| name.eq_ignore_ascii_case(bare));
    if !ours {
        return Some((StatusCode::FORBIDDEN, format!("the name {bare} is not ours")));
    }
    let origin = text(header::ORIGIN)?;
    let page = origin.split_once("://").map_or(origin, |(_, page)| page);
    let same = page.eq_ignore_ascii_case(authority);
    (!same).then(|| (StatusCode::FORBIDDEN, format!("pages of {origin} may not connect here")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strange_pages_are_refused() {
        let judged = |path: &str, host: &str, origin: Option<&str>| {
            let mut request = Request::builder().uri(path).header("Host", host);
            if let Some(origin) = origin {
                request = request.header("Origin", origin);
            }
            refusal(&request.body(()).unwrap(), &["games.example".to_owned()])
                .map(|(status, _)| status.as_u16())
        };
        assert_eq!(judged("/socket", "127.0.0.1:8080", None), None);
        assert_eq!(judged("/socket", "[::1]:8080", None), None);
        assert_eq!(judged("/socket", "localhost:8080", Some("http://localhost:8080")), None);
        assert_eq!(judged("/socket", "Games.example", Some("https://games.example")), None);
        assert_eq!(judged("/", "127.0.0.1:8080", None), Some(404));
        assert_eq!(judged("/socket", "127.0.0.1:8080", Some("http://evil.example")), Some(403));
        assert_eq!(judged("/socket", "localhost:8080", Some("http://localhost:3000")), Some(403));
        assert_eq!(judged("/socket", "localhost:8080", Some("null")), Some(403));
        // A name of the page's own that leads to our address.
        assert_eq!(judged("/socket", "evil.example:8080", Some("http://evil.example:8080")), Some(403));
    }
}
