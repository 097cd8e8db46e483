//! Clients as the communities wrote them: one `recv` is taken for one line, and what follows the first line in the same
//! read is lost.

use crate::house::{Left, options, serve};
use ranka_bots::geister::Options;
use ranka_core::{Rng, Seed};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

/// A client that waits for ever once it has lost a line; here it gives up after so long.
const PATIENCE: Duration = Duration::from_secs(20);

struct OneRecv {
    stream: TcpStream,
    rng: Rng,
}

/// How a game went for it.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    Told,
    /// It lost this and hung.
    Hung(String),
}

impl OneRecv {
    fn join(port: u16, seed: Seed) -> OneRecv {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        OneRecv { stream, rng: Rng::new(seed) }
    }

    fn play(mut self) -> Ended {
        let (mut bytes, mut lost) = ([0; 4096], String::new());
        loop {
            let count = match self.stream.read(&mut bytes) {
                Ok(0) => return Ended::Hung(format!("{lost:?}, then the connection was closed")),
                Ok(count) => count,
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    return Ended::Hung(lost);
                }
                Err(error) => panic!("{error}"),
            };
            let text = std::str::from_utf8(&bytes[..count]).unwrap();
            let (line, rest) = text.split_once("\r\n").unwrap();
            lost.push_str(rest);
            let answer = match line.get(..4).unwrap_or(line) {
                "SET?" => "SET:ABCD".to_owned(),
                "MOV?" => self.choose(&line[4..]),
                "WON:" | "LST:" | "DRW:" => return Ended::Told,
                _ => continue,
            };
            self.stream.write_all(format!("{answer}\r\n").as_bytes()).unwrap();
        }
    }

    /// Leaves if a blue ghost can; else any step to a square without an own ghost.
    fn choose(&mut self, board: &str) -> String {
        let own: Vec<(i8, i8, u8)> = board.as_bytes()[..24]
            .chunks(3)
            .map(|ghost| ((ghost[0] - b'0') as i8, (ghost[1] - b'0') as i8, ghost[2]))
            .collect();
        let mut moves = Vec::new();
        for (name, &(x, y, colour)) in ('A'..).zip(&own) {
            if x > 5 {
                continue;
            }
            for (direction, dx, dy) in [("N", 0, -1), ("W", -1, 0), ("E", 1, 0), ("S", 0, 1)] {
                let (x2, y2) = (x + dx, y + dy);
                let inside = (0..6).contains(&x2) && (0..6).contains(&y2);
                if !inside && dx != 0 && y == 0 && colour == b'B' {
                    return format!("MOV:{name},{direction}");
                }
                if inside && !own.iter().any(|&(x, y, _)| (x, y) == (x2, y2)) {
                    moves.push(format!("MOV:{name},{direction}"));
                }
            }
        }
        moves.swap_remove(self.rng.index(moves.len()))
    }
}

/// So many tables at a time, each for so many games.
fn play(options: Options, rounds: u64) -> (Left, Vec<Ended>) {
    let tables = options.tables as u64;
    let mut ends = Vec::new();
    let left = serve(options, |ports| {
        ends = thread::scope(|scope| {
            let players: Vec<_> = (0..tables * 2)
                .map(|player| {
                    scope.spawn(move || {
                        let seed = Seed::new(player);
                        let port = ports[player as usize % 2];
                        (0..rounds)
                            .map(|round| OneRecv::join(port, seed.at(round)).play())
                            .collect::<Vec<_>>()
                    })
                })
                .collect();
            players.into_iter().flat_map(|player| player.join().unwrap()).collect()
        });
    });
    (left, ends)
}

#[test]
fn clients_that_take_one_recv_for_one_line_lose_none() {
    let (left, ends) = play(Options { tables: 50, ..options() }, 2);
    let hung = ends.iter().filter(|end| **end != Ended::Told).count();
    let first = ends.iter().find(|end| **end != Ended::Told);
    assert_eq!(hung, 0, "of {} players, for example {first:?}", ends.len());
    assert_eq!(left.records.len(), 100);
    assert!(left.ends().iter().all(|end| *end == ("rules", None)), "{:?}", left.summary);
}
