//! A client that knows nothing but bytes.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

pub(crate) struct Little(TcpStream);

impl Little {
    pub(crate) fn join(port: u16) -> Little {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.set_nodelay(true).unwrap();
        Little(stream)
    }

    /// The next bytes are exactly this line.
    #[track_caller]
    pub(crate) fn hears(&mut self, line: &str) {
        let mut bytes = vec![0; line.len() + 2];
        let mut have = 0;
        while have < bytes.len() {
            match self.0.read(&mut bytes[have..]) {
                Ok(0) => break,
                Ok(count) => have += count,
                Err(error) => panic!("waiting for {line:?}, after {:?}: {error}", text(&bytes[..have])),
            }
        }
        assert_eq!(text(&bytes[..have]), format!("{line}\r\n"));
    }

    /// The next line, which tells a board.
    #[track_caller]
    pub(crate) fn hears_board(&mut self) -> String {
        let mut bytes = [0; 54];
        self.0.read_exact(&mut bytes).unwrap();
        let line = text(&bytes);
        assert!(line.ends_with("\r\n"), "{line:?}");
        line.trim_end().to_owned()
    }

    #[track_caller]
    pub(crate) fn says(&mut self, line: &str) {
        self.sends(format!("{line}\r\n").as_bytes());
    }

    #[track_caller]
    pub(crate) fn sends(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).unwrap();
    }

    /// Sends as long as anybody takes it.
    pub(crate) fn floods(&mut self, bytes: &[u8], times: usize) {
        self.0.set_write_timeout(Some(Duration::from_secs(60))).unwrap();
        for _ in 0..times {
            if self.0.write_all(bytes).is_err() {
                return;
            }
        }
    }

    /// Says a line that is accepted with `answer`.
    #[track_caller]
    pub(crate) fn moves(&mut self, line: &str, answer: &str) {
        self.says(line);
        self.hears(answer);
    }

    /// Nothing more comes, and the server closes.
    #[track_caller]
    pub(crate) fn hears_no_more(&mut self) {
        let mut rest = Vec::new();
        match self.0.read_to_end(&mut rest) {
            Ok(_) => assert_eq!(text(&rest), ""),
            Err(error) => assert_eq!((error.kind(), rest.len()), (ErrorKind::ConnectionReset, 0)),
        }
    }

    /// Leaves; what was sent meanwhile must be nothing.
    #[track_caller]
    pub(crate) fn leaves_having_heard_all(mut self) {
        self.0.shutdown(Shutdown::Write).unwrap();
        self.hears_no_more();
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Two clients that have set up.
pub(crate) fn set_up(ports: [u16; 2], set_ups: [&str; 2]) -> [Little; 2] {
    let mut players = ports.map(Little::join);
    for (player, set_up) in players.iter_mut().zip(set_ups) {
        player.hears("SET?");
        player.moves(&format!("SET:{set_up}"), "OK ");
    }
    players
}
