//! What our TCP servers and clients share: binding, limits, lines with deadlines, and a log of who did what.
//!
//! Threads and blocking sockets: a server of ours has tens of connections, not thousands. Every wait has an end: a
//! deadline, or the flag that stops the server.

mod lines;
mod log;
mod loss;
mod server;
mod sides;
mod token_bucket;
mod transit;

pub use lines::{Ending, LineBuffer, LineReader, Trouble};
pub use log::Log;
pub(crate) use loss::Loss;
pub use server::{ConnectionSlot, ConnectionSlots, Server};
pub use sides::Sides;
pub use token_bucket::TokenBucket;
pub(crate) use transit::{SocketProbe, Transit};

use ranka_core::Error;
use std::io::{self, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a server may take to let us in.
pub(crate) const CONNECT_LIMIT: Duration = Duration::from_secs(20);

/// How long a peer may leave what we send unread before it counts as gone.
const WRITE_LIMIT: Duration = Duration::from_secs(10);

/// Makes a socket fit for short lines: they leave at once, and a peer that does not read them cannot hold us up.
pub fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_LIMIT))
}

/// Reads `HOST` or `HOST:PORT`; an IPv6 address with a port stands in brackets.
pub fn address(text: &str, usual_port: u16) -> Result<(String, u16), Error> {
    let refuse = || Error::input(format!("server {text:?}: expected HOST:PORT"));
    let (host, port) = match text.rsplit_once(':') {
        // The last colon of a bare IPv6 address begins no port.
        Some((host, _)) if host.contains(':') && !host.ends_with(']') => (text, None),
        Some((host, port)) => (host, Some(port)),
        None => (text, None),
    };
    let port = port.map_or(Ok(usual_port), str::parse).map_err(|_| refuse())?;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let good = !host.is_empty() && !host.contains(|c: char| c.is_whitespace() || c == '/');
    if good { Ok((host.to_owned(), port)) } else { Err(refuse()) }
}

/// Connects to a server, prepared for lines; gives up on an address that does not answer within `limit`.
pub fn connect(host: &str, port: u16, limit: Duration) -> Result<TcpStream, Error> {
    let refuse = |why: String| Error::outside(format!("server {host}:{port}: {why}"));
    let mut last = "the name has no address".to_owned();
    for address in (host, port).to_socket_addrs().map_err(|e| refuse(e.to_string()))? {
        match TcpStream::connect_timeout(&address, limit) {
            Ok(stream) => return prepare(&stream).map(|()| stream).map_err(|e| refuse(e.to_string())),
            Err(error) => last = error.to_string(),
        }
    }
    Err(refuse(last))
}

/// The lock, whatever became of those who held it before.
pub(crate) fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The names of two who play each other, told apart if they are the same.
pub(crate) fn told_apart(names: [String; 2]) -> [String; 2] {
    let [first, second] = names;
    if first == second { [format!("{first} (1)"), format!("{second} (2)")] } else { [first, second] }
}

/// Sends bytes at once, in one piece.
pub fn send(mut stream: &TcpStream, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(bytes)
}
