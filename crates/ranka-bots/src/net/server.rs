//! Listening on a port, with a limit on how many are let in.

use super::{Log, prepare};
use ranka_core::Error;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// How often a quiet port is looked at. It delays a new connection, never a line.
const TICK: Duration = Duration::from_millis(5);

/// How many connections may be open at once; several ports can share them.
#[derive(Clone, Debug)]
pub struct ConnectionSlots(Arc<(AtomicUsize, usize)>);

impl ConnectionSlots {
    /// So many.
    pub fn new(most: usize) -> ConnectionSlots {
        ConnectionSlots(Arc::new((AtomicUsize::new(0), most)))
    }

    /// One of them, if one is free.
    pub fn take(&self) -> Option<ConnectionSlot> {
        let (taken, most) = &*self.0;
        let more = |n: usize| (n < *most).then_some(n + 1);
        taken
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more)
            .ok()
            .map(|_| ConnectionSlot(self.clone()))
    }
}

/// A connection's place; dropping it makes room for another.
#[derive(Debug)]
pub struct ConnectionSlot(ConnectionSlots);

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.0.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A port that we listen on.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Only programs on the same machine can connect here.
    pub const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    /// Listens on a port; with port 0 the system chooses one.
    pub fn bind(host: IpAddr, port: u16) -> Result<Server, Error> {
        let refuse = |error: io::Error| {
            let address = SocketAddr::new(host, port);
            match error.kind() {
                io::ErrorKind::AddrInUse => Error::busy(format!(
                    "port {port}: something listens on {address} already; choose another port or stop it"
                )),
                io::ErrorKind::PermissionDenied => {
                    Error::input(format!("port {port}: not permitted; choose one from 1024 on"))
                }
                _ => Error::input(format!("cannot listen on {address}: {error}")),
            }
        };
        let listener = TcpListener::bind((host, port)).map_err(refuse)?;
        listener.set_nonblocking(true).map_err(refuse)?;
        let address = listener.local_addr().map_err(refuse)?;
        Ok(Server { listener, address })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Lets clients in until `stop` is set, each in a thread of its own that runs `handle`, and waits for them all. Those who
    /// are let in are numbered in the order in which they came. A client for whom there is no place is sent `full` and left.
    pub fn serve(
        &self,
        places: &ConnectionSlots,
        full: &[u8],
        log: &Log,
        stop: &AtomicBool,
        handle: impl Fn(TcpStream, SocketAddr, u64) + Sync,
    ) {
        let handle = &handle;
        let mut numbers = 0..;
        thread::scope(|scope| {
            while !stop.load(Ordering::Relaxed) {
                // Errors of accept are those of one client that left, or pass with time (too many open files).
                let Ok((stream, peer)) = self.listener.accept() else {
                    thread::sleep(TICK);
                    continue;
                };
                if prepare(&stream).is_err() {
                    continue;
                }
                let Some(place) = places.take() else {
                    log.note(peer, "is refused: too many connections");
                    let _ = super::send(&stream, full).and_then(|()| stream.shutdown(Shutdown::Both));
                    continue;
                };
                let number = numbers.next().unwrap_or(u64::MAX);
                let work = move || {
                    handle(stream, peer, number);
                    drop(place);
                };
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    log.note(peer, "is left: no thread for it");
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{connect, send};
    use std::io::Read;

    fn read_to_end(mut stream: TcpStream) -> String {
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn a_taken_port_is_told() {
        let server = Server::bind(Server::LOOPBACK, 0).unwrap();
        let port = server.address().port();
        let error = Server::bind(Server::LOOPBACK, port).unwrap_err().to_string();
        assert!(error.contains(&format!("port {port}: something listens")), "{error}");
    }

    #[test]
    fn a_server_that_is_not_there_is_told() {
        let gone = Server::bind(Server::LOOPBACK, 0).unwrap().address().port();
        let error = connect("127.0.0.1", gone, Duration::from_secs(5)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("server 127.0.0.1:{gone}: ")), "{error}");
    }

    #[test]
    fn as_many_are_let_in_as_there_are_places() {
        let server = Server::bind(Server::LOOPBACK, 0).unwrap();
        let (places, stop) = (ConnectionSlots::new(2), AtomicBool::new(false));
        let join = || connect("127.0.0.1", server.address().port(), Duration::from_secs(60)).unwrap();
        thread::scope(|scope| {
            let serve = scope.spawn(|| {
                server.serve(&places, b"full\n", &Log::silent(), &stop, |mut stream, _, _| {
                    send(&stream, b"hello\n").unwrap();
                    let _ = stream.read(&mut [0]);
                });
            });
            let inside = [join(), join()];
            for mut stream in &inside {
                let mut greeting = [0; 6];
                stream.read_exact(&mut greeting).unwrap();
                assert_eq!(&greeting, b"hello\n");
            }
            assert_eq!(read_to_end(join()), "full\n");
            for stream in inside {
                stream.shutdown(Shutdown::Write).unwrap();
                assert_eq!(read_to_end(stream), "");
            }
            // Whose handler has ended has left its place, sooner or later.
            while places.0.0.load(Ordering::Relaxed) > 0 {
                thread::yield_now();
            }
            let again = join();
            again.shutdown(Shutdown::Write).unwrap();
            assert_eq!(read_to_end(again), "hello\n");
            stop.store(true, Ordering::Relaxed);
            serve.join().unwrap();
        });
    }
}
