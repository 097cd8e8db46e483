//! What the system knows of bytes on their way to a peer.
//!
//! Linux tells it through `sock_diag`, as it does for `ss`: what the peer's machine has not acknowledged, and for a peer
//! on this machine also what the program has not read yet. Elsewhere nobody knows.

use std::net::{SocketAddr, TcpStream};

/// How far the bytes that were sent have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transit {
    /// Some are not acknowledged, or not read by a program on this machine.
    Under,
    /// The peer's machine has them all.
    Acknowledged,
    /// The program has read them all.
    Read,
    /// The system does not tell.
    Unknown,
}

/// Where to ask.
pub(crate) struct SocketProbe(Option<system::Diagnostics>);

impl SocketProbe {
    pub(crate) fn open() -> SocketProbe {
        SocketProbe(system::Diagnostics::open())
    }

    pub(crate) fn transit(&self, stream: &TcpStream) -> Transit {
        let Some(diagnostics) = &self.0 else { return Transit::Unknown };
        let (Ok(ours), Ok(theirs)) = (stream.local_addr(), stream.peer_addr()) else {
            return Transit::Unknown;
        };
        let Some(system::Queues { unacknowledged, .. }) = diagnostics.queues(ours, theirs) else {
            return Transit::Unknown;
        };
        match diagnostics.queues(theirs, ours) {
            _ if unacknowledged > 0 => Transit::Under,
            Some(system::Queues { unread, .. }) if unread > 0 => Transit::Under,
            Some(_) => Transit::Read,
            None => Transit::Acknowledged,
        }
    }
}

#[cfg(target_os = "linux")]
mod system {
    use super::SocketAddr;
    use crate::net::held;
    use rustix::fd::OwnedFd;
    use rustix::net::{
        AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send, socket_with,
    };
    use std::net::IpAddr;
    use std::sync::Mutex;

    /// The kernel's message types and families, from `linux/sock_diag.h` and `linux/inet_diag.h`.
    const SOCK_DIAG_BY_FAMILY: u16 = 20;
    const NLM_F_REQUEST: u16 = 1;
    const AF_INET: u8 = 2;
    const AF_INET6: u8 = 10;
    const IPPROTO_TCP: u8 = 6;
    const HEADER: usize = 16;
    const REQUEST: usize = 56;

    /// A socket's queues, in bytes.
    pub(super) struct Queues {
        pub(super) unread: u32,
        pub(super) unacknowledged: u32,
    }

    /// The socket over which the kernel is asked, one question at a time.
    pub(super) struct Diagnostics(Mutex<OwnedFd>);

    impl Diagnostics {
        pub(super) fn open() -> Option<Diagnostics> {
            let protocol = Some(netlink::SOCK_DIAG);
            let socket =
                socket_with(AddressFamily::NETLINK, SocketType::DGRAM, SocketFlags::CLOEXEC, protocol);
            Some(Diagnostics(Mutex::new(socket.ok()?)))
        }

        /// The queues of the socket of this machine that is connected so; nothing if there is none.
        pub(super) fn queues(&self, local: SocketAddr, remote: SocketAddr) -> Option<Queues> {
            let question = question(local, remote);
            let mut answer = [0; 1024];
            let socket = held(&self.0);
            send(&*socket, &question, SendFlags::empty()).ok()?;
            // The kernel has answered before `send` returns.
            let (count, _) = recv(&*socket, &mut answer[..], RecvFlags::DONTWAIT).ok()?;
            drop(socket);
            let word =
                |at: usize| Some(u32::from_ne_bytes(answer[..count].get(at..at + 4)?.try_into().ok()?));
            let kind = u16::from_ne_bytes(answer[..count].get(4..6)?.try_into().ok()?);
            // Family, state, timer and retransmissions, the addresses, when the timer expires; then the queues.
            let queues = HEADER + 4 + 48 + 4;
            (kind == SOCK_DIAG_BY_FAMILY)
                .then_some(Queues { unread: word(queues)?, unacknowledged: word(queues + 4)? })
        }
    }

    fn question(local: SocketAddr, remote: SocketAddr) -> Vec<u8> {
        let family = if local.is_ipv4() { AF_INET } else { AF_INET6 };
        let mut bytes = Vec::with_capacity(HEADER + REQUEST);
        bytes.extend(((HEADER + REQUEST) as u32).to_ne_bytes());
        bytes.extend(SOCK_DIAG_BY_FAMILY.to_ne_bytes());
        bytes.extend(NLM_F_REQUEST.to_ne_bytes());
        bytes.extend([0; 8]);
        bytes.extend([family, IPPROTO_TCP, 0, 0]);
        bytes.extend(u32::MAX.to_ne_bytes()); // in whatever state
        bytes.extend(local.port().to_be_bytes());
        bytes.extend(remote.port().to_be_bytes());
        for address in [local, remote] {
            match address.ip() {
                IpAddr::V4(ip) => bytes.extend(ip.octets().into_iter().chain([0; 12])),
                IpAddr::V6(ip) => bytes.extend(ip.octets()),
            }
        }
        bytes.extend([0; 4]); // whatever interface
        bytes.extend([u8::MAX; 8]); // no cookie
        bytes
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::SocketAddr;

    pub(super) struct Queues {
        pub(super) unread: u32,
        pub(super) unacknowledged: u32,
    }

    pub(super) struct Diagnostics;

    impl Diagnostics {
        pub(super) fn open() -> Option<Diagnostics> {
            None
        }

        pub(super) fn queues(&self, _: SocketAddr, _: SocketAddr) -> Option<Queues> {
            None
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    #[test]
    fn a_line_is_under_way_until_the_program_has_read_it() {
        let probe = SocketProbe::open();
        for host in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(host) else { continue };
            let mut theirs = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let (mut ours, _) = listener.accept().unwrap();
            if probe.transit(&ours) == Transit::Unknown {
                return eprintln!("SKIPPED: this system does not tell how far bytes have come");
            }
            assert_eq!(probe.transit(&ours), Transit::Read, "nothing was sent");
            ours.write_all(b"SET?\r\n").unwrap();
            assert_eq!(probe.transit(&ours), Transit::Under);
            theirs.read_exact(&mut [0; 5]).unwrap();
            assert_eq!(probe.transit(&ours), Transit::Under, "one byte is left");
            theirs.read_exact(&mut [0; 1]).unwrap();
            assert_eq!(probe.transit(&ours), Transit::Read);
        }
    }
}
