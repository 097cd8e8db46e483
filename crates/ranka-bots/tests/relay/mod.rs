//! A relay that hands on what passes in other pieces: lines are split anywhere, and several arrive at once.

use ranka_core::{Rng, Seed};
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Long enough for what was handed on to be read, or for more to come.
const MOMENT: Duration = Duration::from_millis(1);

/// Where what passes is cut.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code)] // not every protocol's tests need both
pub(crate) enum Cuts {
    /// Anywhere; now and then what comes is held until more has come.
    Random(Seed),
    /// Once: before this byte of what the server says, or of what the client says.
    Once { server: bool, byte: usize },
}

/// A relay to one server, for as many clients as come.
pub(crate) struct Relay {
    pub(crate) address: SocketAddr,
    stop: Arc<AtomicBool>,
}

impl Relay {
    pub(crate) fn to(server: SocketAddr, cuts: Cuts) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, stop) = (listener.local_addr().unwrap(), Arc::new(AtomicBool::new(false)));
        listener.set_nonblocking(true).unwrap();
        let stopped = stop.clone();
        thread::spawn(move || {
            for connection in 0.. {
                let client = loop {
                    match listener.accept() {
                        Ok((client, _)) => break client,
                        Err(_) if stopped.load(Ordering::Relaxed) => return,
                        Err(_) => thread::sleep(MOMENT),
                    }
                };
                client.set_nonblocking(false).unwrap();
                let Ok(server) = TcpStream::connect(server) else { continue };
                for (from, to, of_server) in [(&client, &server, false), (&server, &client, true)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    to.set_nodelay(true).unwrap();
                    let cutter = Cutter::new(cuts, connection, of_server);
                    thread::spawn(move || hand_on(from, to, cutter));
                }
            }
        });
        Relay { address, stop }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

enum Cutter {
    Random(Rng),
    /// So many bytes until the cut, unless it was made.
    Once(Option<usize>),
}

impl Cutter {
    fn new(cuts: Cuts, connection: u64, of_server: bool) -> Cutter {
        match cuts {
            Cuts::Random(seed) => Cutter::Random(Rng::new(seed.at(2 * connection + u64::from(of_server)))),
            Cuts::Once { server, byte } => Cutter::Once((server == of_server).then_some(byte)),
        }
    }

    /// Whether to wait for more.
    fn holds(&mut self) -> bool {
        match self {
            Cutter::Random(rng) => rng.below(4) == 0,
            Cutter::Once(_) => false,
        }
    }

    /// How long the next piece is, and whether a moment passes after it.
    fn piece(&mut self, length: usize) -> (usize, bool) {
        match self {
            Cutter::Random(rng) => match rng.below(3) {
                0 => (length, false),
                1 => (1 + rng.index(length), rng.below(2) == 0),
                _ => (1 + rng.index(length.min(4)), rng.below(2) == 0),
            },
            Cutter::Once(left) => match left.take() {
                Some(byte) if byte < length => (byte.max(1), true),
                Some(byte) => {
                    *left = Some(byte - length);
                    (length, false)
                }
                None => (length, false),
            },
        }
    }
}

fn hand_on(mut from: TcpStream, mut to: TcpStream, mut cutter: Cutter) {
    let mut bytes = vec![0; 1 << 16];
    while let Ok(mut have @ 1..) = from.read(&mut bytes) {
        if cutter.holds() {
            thread::sleep(MOMENT);
            from.set_read_timeout(Some(MOMENT)).unwrap();
            have += from.read(&mut bytes[have..]).unwrap_or(0);
            from.set_read_timeout(None).unwrap();
        }
        let mut rest = &bytes[..have];
        while !rest.is_empty() {
            let (piece, pause) = cutter.piece(rest.len());
            if to.write_all(&rest[..piece]).is_err() {
                let _ = from.shutdown(Shutdown::Both);
                return;
            }
            rest = &rest[piece..];
            if pause {
                thread::sleep(MOMENT);
            }
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}
