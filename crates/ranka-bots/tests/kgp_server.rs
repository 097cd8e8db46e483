//! The server of the Kalah Game Protocol, spoken to by little clients that were written from the protocol's text alone.
#![allow(clippy::unwrap_used)]

use ranka_bots::kgp::{Options, Server};
use ranka_bots::net::{self, Log};
use ranka_core::{EndReason, Record, Seat};
use ranka_kalah::Kalah;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::{SocketAddr, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(60);

fn options(houses: usize, seeds: u32) -> Options {
    let options =
        Options::new(Kalah::standard(houses, seeds), format!("houses={houses},seeds={seeds}")).unwrap();
    Options { time: LONG, patience: LONG, ..options }
}

/// Runs a server while `visit` visits it, and hands out the games that were played.
fn served(options: Options, visit: impl FnOnce(SocketAddr, SocketAddr)) -> Vec<Record> {
    let server = Server::bind(options, net::Server::LOOPBACK, 0, Some(0)).unwrap();
    let (stop, records) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        scope.spawn(|| {
            server.run(&Log::silent(), &stop, &|record| records.lock().unwrap().push(record.clone()))
        });
        // However the visit ends, the server must.
        let addresses = (server.address(), server.web_address().unwrap());
        let visited = catch_unwind(AssertUnwindSafe(|| visit(addresses.0, addresses.1)));
        stop.store(true, Ordering::Relaxed);
        visited.unwrap_or_else(|panic| resume_unwind(panic));
    });
    records.into_inner().unwrap()
}

/// A client that sends and receives bytes.
struct Raw {
    reader: BufReader<TcpStream>,
}

impl Raw {
    fn join(address: SocketAddr) -> Raw {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        Raw { reader: BufReader::new(stream) }
    }

    fn send(&mut self, bytes: impl AsRef<[u8]>) -> &mut Raw {
        self.reader.get_mut().write_all(bytes.as_ref()).unwrap();
        self
    }

    /// The next line with its ending; empty at the end of the connection.
    fn hear(&mut self) -> String {
        let mut line = String::new();
        match self.reader.read_line(&mut line) {
            Err(error) if error.kind() == ErrorKind::ConnectionReset => String::new(),
            read => read.map(|_| line).unwrap(),
        }
    }

    #[track_caller]
    fn hears(&mut self, expected: &str) -> &mut Raw {
        assert_eq!(self.hear(), format!("{expected}\r\n"));
        self
    }

    #[track_caller]
    fn hears_the_end(&mut self) {
        assert_eq!(self.hear(), "");
    }

    /// Enters the lobby the shortest way.
    fn freeplay(address: SocketAddr) -> Raw {
        let mut raw = Raw::join(address);
        raw.hears("2 kgp 1 0 1").send("1 mode freeplay\r\n").hears("4@1 ok");
        raw
    }

    /// Two that play each other.
    fn pair(address: SocketAddr) -> [Raw; 2] {
        let mut both = [Raw::freeplay(address), Raw::freeplay(address)];
        for raw in &mut both {
            raw.hears("6 ping").send("3@6 pong\r\n");
        }
        both
    }
}

#[test]
fn the_worked_game_byte_for_byte() {
    let options = Options { time: Duration::from_secs(2), ..options(3, 3) };
    let records = served(options, |address, _| {
        let mut south = Raw::join(address);
        south.hears("2 kgp 1 0 1");
        south.send("1 set info:name \"lab-minimax\"\r\n").send("3 mode freeplay\r\n").hears("4@3 ok");
        let mut north = Raw::join(address);
        north.hears("2 kgp 1 0 1").send("1 mode freeplay\r\n").hears("4@1 ok");
        south.hears("6 ping").send("5@6 pong\r\n");
        north.hears("6 ping").send("3@6 pong\r\n");
        south.hears("8 state <3,0,0,3,3,3,3,3,3>");
        south.send("7@8 move 2\r\n").send("9@8 move 1\r\n").send("11@8 yield\r\n").hears("10@8 stop");
        south.hears("12 state <3,1,0,0,4,4,3,3,3>").send("13@12 move 3\r\n").hears("14@12 stop");
        north.hears("8 state <3,0,2,4,4,4,0,4,0>");
        drop(north);
        south.hears("goodbye").hears_the_end();
    });
    let [record] = &records[..] else { panic!("one game was played: {records:?}") };
    assert_eq!(record.actions, "1 3");
    assert_eq!(record.agents[0], "lab-minimax");
    assert_eq!((record.end.reason, record.end.seat), (EndReason::Disconnected, Some(Seat::SECOND)));
    assert_eq!(record.outcome, [1.0, 0.0]);
}

#[test]
fn the_worked_refusal_and_a_second_mode() {
    served(options(3, 3), |address, _| {
        let mut raw = Raw::join(address);
        raw.hears("2 kgp 1 0 1").send("1 set info:name x\r\n3 mode chess\r\n");
        raw.hears("4@3 error \"Unsupported mode\"").hears("goodbye").hears_the_end();

        let mut raw = Raw::freeplay(address);
        raw.send("3 mode freeplay\r\n")
            .hears("6@3 error \"Duplicate mode\"")
            .hears("goodbye")
            .hears_the_end();
    });
}

/// Sows for South by the text of the rules, on a plain list of cells.
fn sow(houses: usize, numbers: &[u32], house: usize) -> (Vec<u32>, bool) {
    // South's houses, South's store, North's houses; the other store is skipped anyway.
    let mut ring: Vec<u32> = numbers[2..2 + houses].to_vec();
    ring.push(numbers[0]);
    ring.extend(&numbers[2 + houses..]);
    let mut north_store = numbers[1];
    let mut at = house;
    for _ in 0..std::mem::take(&mut ring[house]) {
        at = (at + 1) % ring.len();
        ring[at] += 1;
    }
    if at < houses && ring[at] == 1 && ring[2 * houses - at] > 0 {
        ring[houses] += std::mem::take(&mut ring[2 * houses - at]) + 1;
        ring[at] = 0;
    }
    let over = ring[..houses].iter().all(|&n| n == 0) || ring[houses + 1..].iter().all(|&n| n == 0);
    if over {
        ring[houses] += ring[..houses].iter().sum::<u32>();
        north_store += ring[houses + 1..].iter().sum::<u32>();
        ring[..houses].fill(0);
        ring[houses + 1..].fill(0);
    }
    let mut after = vec![ring[houses], north_store];
    after.extend(&ring[..houses]);
    after.extend(&ring[houses + 1..]);
    (after, at == houses && !over)
}

fn numbers(board: &str) -> (usize, Vec<u32>) {
    let inner = board.strip_prefix('<').unwrap().strip_suffix('>').unwrap();
    let all: Vec<u32> = inner.split(',').map(|n| n.parse().unwrap()).collect();
    assert_eq!(all.len(), 2 * all[0] as usize + 3);
    (all[0] as usize, all[1..].to_vec())
}

#[test]
fn problems_are_set_and_judged_as_the_real_server_does() {
    for from_one in [false, true] {
        let options = Options { problems_from_one: from_one, ..options(3, 3) };
        served(options, |address, _| {
            let mut raw = Raw::join(address);
            raw.hears("2 kgp 1 0 1").send("1 mode \"verify\"\r\n");
            for turn in 0u64..300 {
                let said = raw.hear();
                let words: Vec<&str> = said.trim_end().split(' ').collect();
                let [id, "problem", board, house] = words[..] else { panic!("{said:?} is no problem") };
                assert_eq!(id.parse::<u64>().unwrap(), 4 * (turn + 1));
                let (houses, before) = numbers(board);
                assert!((6..=11).contains(&houses));
                let (after, again) =
                    sow(houses, &before, house.parse::<usize>().unwrap() - usize::from(from_one));
                let after: Vec<String> = after.iter().map(u32::to_string).collect();
                let flag = match (turn % 3, again) {
                    (0, again) => again.to_string(),
                    (1, again) => u8::from(again).to_string(),
                    (_, true) => "yes".to_owned(),
                    (_, false) => "no".to_owned(),
                };
                let own = 2 * turn + 3;
                let spoilt = if turn % 50 == 7 { "9" } else { "" };
                raw.send(format!("{own}@{id} solution <{houses},{}{spoilt}> {flag}\r\n", after.join(",")));
                let next = id.parse::<u64>().unwrap() + 2;
                let answer = if spoilt.is_empty() { "ok" } else { "error \"Wrong solution\"" };
                raw.hears(&format!("{next}@{own} {answer}"));
            }
            raw.send("goodbye\r\n");
        });
    }
}

#[test]
fn liberal_in_what_it_reads() {
    served(Options { games: 2, ..options(3, 3) }, |address, _| {
        let mut python = Raw::join(address);
        python
            .hears("2 kgp 1 0 1")
            .send("1 set \"info:name\" \"a \\\"b\\\"\"\n2 mode \"freeplay\"\n")
            .hears("4@2 ok");
        let mut java = Raw::join(address);
        java.hears("2 kgp 1 0 1")
            .send("\r\n\r\n? ? ?\r\nset unknown:option 1\r\nmode freeplay\r\n")
            .hears("4 ok");
        python.hears("6 ping").send("pong\n");
        java.hears("6 ping").send("@6 pong\r\n");
        python.hears("8 state <3,0,0,3,3,3,3,3,3>");
        // A move without a reference is for the state that is open; a word that is no command is answered.
        python.send("move 2\nmove x\n3 dance\nyield\n");
        python
            .hears("10 error \"x is no whole number\"")
            .hears("12@3 error \"Unknown command\"")
            .hears("14@8 stop");
        java.hears("8 state <3,0,1,4,3,3,3,0,4>").send("@8 move 3\r\n@8 yield\r\n").hears("10@8 stop");
        python.hears("16 state <3,1,1,4,1,4,4,3,0>");
    });
}

#[test]
fn the_race_is_won_and_late_answers_do_no_harm() {
    served(options(3, 3), |address, _| {
        let [mut south, mut north] = Raw::pair(address);
        // Answered as fast as can be.
        south.hears("8 state <3,0,0,3,3,3,3,3,3>");
        south.send("5@8 move 2\r\n7@8 yield\r\n9@8 move 1\r\n11@8 yield\r\n").hears("10@8 stop");
        // Late for the old state: silence. For a state that never was: an error.
        south.send("13@8 move 3\r\n15@8 yield\r\n17@99 move 1\r\n");
        south.hears("12@17 error \"No state associated with id\"");
        north.hears("8 state <3,0,1,4,3,3,3,0,4>");
        // Out of order: a yield, then a move that comes too late to count.
        north.send("5@8 yield\r\n7@8 move 1\r\n").hears("10@8 stop");
        assert!(south.hear().starts_with("14 state <3,"), "a move was played for whoever yields without one");
    });
}

#[test]
fn forced_moves_are_not_asked_for() {
    let records = served(options(1, 3), |address, _| {
        let [mut south, mut north] = Raw::pair(address);
        south.hears("goodbye").hears_the_end();
        north.hears("goodbye").hears_the_end();
    });
    assert_eq!((records.len(), records[0].end.reason), (1, EndReason::Rules));
}

/// Seats two clients, lets South do something, and tells how the game ended.
fn ending(options: Options, south: impl FnOnce(&mut Raw)) -> Record {
    let mut records = served(options, |address, _| {
        let [mut first, mut second] = Raw::pair(address);
        first.hears("8 state <3,0,0,3,3,3,3,3,3>");
        south(&mut first);
        while !second.hear().is_empty() {}
    });
    assert_eq!(records.len(), 1);
    records.remove(0)
}

fn lost_by(record: &Record, reason: EndReason) {
    assert_eq!((record.end.reason, record.end.seat), (reason, Some(Seat::FIRST)), "{record:?}");
    assert_eq!(record.outcome, [0.0, 1.0]);
}

#[test]
fn every_way_to_fail_has_its_name() {
    let illegal = ending(options(3, 3), |raw| {
        raw.send("5@8 move 4\r\n").hears("10@8 stop").hears("goodbye");
    });
    lost_by(&illegal, EndReason::Illegal);
    let zero = ending(options(3, 3), |raw| {
        raw.send("5@8 move 0\r\n").hears("10@8 stop").hears("goodbye");
    });
    lost_by(&zero, EndReason::Illegal);
    let houses = [&illegal, &zero].map(|record| record.end.detail.as_deref().unwrap_or_default());
    assert_eq!(houses, ["house 4", "house 0"], "in words, as the protocol counts");
    lost_by(
        &ending(options(3, 3), |raw| {
            raw.send("5@8 move 1\r\ngoodbye\r\n");
        }),
        EndReason::Resigned,
    );
    let left = ending(options(3, 3), |raw| raw.reader.get_ref().shutdown(std::net::Shutdown::Both).unwrap());
    lost_by(&left, EndReason::Disconnected);
    let flood = ending(options(3, 3), |raw| {
        let _ = raw.reader.get_mut().write_all("5@8 move 1\r\n".repeat(20_000).as_bytes());
        while !raw.hear().is_empty() {}
    });
    lost_by(&flood, EndReason::Protocol);
    let binary = ending(options(3, 3), |raw| {
        let _ = raw.reader.get_mut().write_all(&[0xff, 0, b'\n'].repeat(20_000));
        while !raw.hear().is_empty() {}
    });
    lost_by(&binary, EndReason::Protocol);
    let endless = ending(options(3, 3), |raw| {
        let _ = raw.reader.get_mut().write_all(&vec![b'x'; 1 << 20]);
        while !raw.hear().is_empty() {}
    });
    lost_by(&endless, EndReason::Protocol);
    assert_eq!(endless.end.detail.as_deref(), Some("Line too long"));
}

#[test]
fn silence_costs_a_random_move_or_the_game() {
    let short = Duration::from_millis(200);
    // Alive but without an idea: the server plays something.
    let options = || Options { time: short, ..options(3, 3) };
    let records = served(options(), |address, _| {
        let [mut south, mut north] = Raw::pair(address);
        south.hears("8 state <3,0,0,3,3,3,3,3,3>").hears("10 ping").send("5@10 pong\r\n").hears("12@8 stop");
        assert!(north.hear().starts_with("8 state "), "this seed's random move passes the turn");
    });
    assert_eq!(records[0].plies, 1);
    // A move that comes with the sign of life counts.
    let records = served(options(), |address, _| {
        let [mut south, mut north] = Raw::pair(address);
        south.hears("8 state <3,0,0,3,3,3,3,3,3>").hears("10 ping").send("5@8 move 3\r\n7@10 pong\r\n");
        south.hears("12@8 stop");
        north.hears("8 state <3,0,1,4,4,3,3,3,0>");
    });
    assert_eq!(records[0].actions, "3");
    // No sign of life at all.
    let dead = ending(Options { patience: Duration::from_millis(300), ..options() }, |raw| {
        raw.hears("10 ping");
    });
    lost_by(&dead, EndReason::Timeout);
}

#[test]
fn whoever_says_nothing_is_sent_away() {
    let options = Options { patience: Duration::from_millis(300), ..options(3, 3) };
    served(options, |address, _| {
        let mut mute = Raw::join(address);
        mute.hears("2 kgp 1 0 1").hears("4 error \"No mode in time\"").hears("goodbye").hears_the_end();
        let mut waiting = Raw::freeplay(address);
        waiting.hears("6 ping").hears("8 error \"No answer to ping\"").hears("goodbye").hears_the_end();
        let mut lazy = Raw::join(address);
        lazy.hears("2 kgp 1 0 1").send("1 mode verify\r\n");
        assert!(lazy.hear().starts_with("4 problem "));
        lazy.hears("6 error \"No solution in time\"").hears("goodbye").hears_the_end();
    });
}

#[test]
fn there_are_only_so_many_places_and_bad_guests_disturb_nobody() {
    let records = served(Options { places: 4, ..options(3, 3) }, |address, _| {
        let [mut south, mut north] = Raw::pair(address);
        south.hears("8 state <3,0,0,3,3,3,3,3,3>");
        let (mut bad, mut worse) = (Raw::join(address), Raw::join(address));
        bad.hears("2 kgp 1 0 1");
        worse.hears("2 kgp 1 0 1");
        Raw::join(address).hears("2 error \"Too many connections\"").hears("goodbye").hears_the_end();
        let _ = bad.reader.get_mut().write_all(&vec![b'0'; 1 << 20]);
        let _ = worse.reader.get_mut().write_all("@1 x\n".repeat(50_000).as_bytes());
        while !bad.hear().is_empty() {}
        while !worse.hear().is_empty() {}
        // Both lose their places, so others find some, and the game goes on.
        let mut another = Raw::join(address);
        while another.hear() != "2 kgp 1 0 1\r\n" {
            another = Raw::join(address);
        }
        south.send("5@8 move 2\r\n7@8 yield\r\n").hears("10@8 stop");
        north.hears("8 state <3,0,1,4,3,3,3,0,4>").send("5@8 move 3\r\n7@8 yield\r\n").hears("10@8 stop");
    });
    assert_eq!(records[0].plies, 2);
}

/// What a browser or another client sends to open a WebSocket, and what comes back.
fn knock(address: SocketAddr, headers: &str) -> (Raw, String) {
    let mut raw = Raw::join(address);
    raw.send(format!(
        "GET /socket HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{headers}\r\n"
    ));
    let status = raw.hear();
    while !["\r\n", ""].contains(&raw.hear().as_str()) {}
    (raw, status)
}

/// A frame as a client sends it: masked, with a mask of zeros.
fn frame(opcode: u8, text: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x80 | opcode];
    match text.len() {
        short @ 0..126 => frame.push(0x80 | short as u8),
        long => {
            frame.push(0x80 | 126);
            frame.extend((long as u16).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(text);
    frame
}

impl Raw {
    /// The next short text frame.
    fn hear_frame(&mut self) -> String {
        use std::io::Read;
        let mut head = [0; 2];
        self.reader.read_exact(&mut head).unwrap();
        assert_eq!(head[0], 0x81, "one whole text frame");
        assert!(head[1] < 126, "unmasked and short");
        let mut text = vec![0; head[1].into()];
        self.reader.read_exact(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }
}

#[test]
fn websockets_speak_the_same_lines_with_their_endings() {
    served(options(3, 3), |address, web| {
        let (mut raw, status) = knock(web, &format!("Host: {web}\r\nOrigin: http://{web}\r\n"));
        assert_eq!(status, "HTTP/1.1 101 Switching Protocols\r\n");
        assert_eq!(raw.hear_frame(), "2 kgp 1 0 1\r\n");
        raw.send(frame(1, b"1 mode freeplay"));
        assert_eq!(raw.hear_frame(), "4@1 ok\r\n");
        let mut north = Raw::freeplay(address);
        north.hears("6 ping").send("3@6 pong\r\n");
        assert_eq!(raw.hear_frame(), "6 ping\r\n");
        raw.send(frame(2, b"binary")).send(frame(1, b"3@6 pong\r\n"));
        assert_eq!(raw.hear_frame(), "8 state <3,0,0,3,3,3,3,3,3>\r\n");
        raw.send(frame(1, b"5@8 move 2\r\n7@8 yield\r\n"));
        assert_eq!(raw.hear_frame(), "10@8 stop\r\n");
        north.hears("8 state <3,0,1,4,3,3,3,0,4>");
        north.send("goodbye\r\n");
        assert_eq!(raw.hear_frame(), "goodbye\r\n");
    });
}

#[test]
fn strange_pages_and_spoilt_sockets_are_kept_out() {
    let records = served(options(3, 3), |address, web| {
        let (_, status) = knock(web, &format!("Host: {web}\r\nOrigin: http://evil.example\r\n"));
        assert_eq!(status, "HTTP/1.1 403 Forbidden\r\n");
        let (_, status) = knock(web, "Host: evil.example\r\nOrigin: http://evil.example\r\n");
        assert_eq!(status, "HTTP/1.1 403 Forbidden\r\n");
        let mut plain = Raw::join(web);
        plain.send("1 mode freeplay\r\n\r\n");
        assert_eq!(plain.hear(), "");

        let mut south = Raw::freeplay(address);
        let (mut raw, _) = knock(web, &format!("Host: {web}\r\n"));
        raw.hear_frame();
        raw.send(frame(1, b"1 mode freeplay\r\n"));
        raw.hear_frame();
        raw.hear_frame();
        raw.send(frame(1, b"3@6 pong\r\n"));
        south
            .hears("6 ping")
            .send("3@6 pong\r\n")
            .hears("8 state <3,0,0,3,3,3,3,3,3>")
            .send("5@8 move 2\r\n7@8 yield\r\n")
            .hears("10@8 stop");
        assert_eq!(raw.hear_frame(), "8 state <3,0,1,4,3,3,3,0,4>\r\n");
        // A frame that announces more than a line may have.
        let mut huge = vec![0x81, 0x80 | 127];
        huge.extend((1u64 << 40).to_be_bytes());
        huge.extend([0; 4]);
        raw.send(huge);
        south.hears("goodbye").hears_the_end();
    });
    assert_eq!((records[0].end.reason, records[0].end.seat), (EndReason::Protocol, Some(Seat::SECOND)));
}
