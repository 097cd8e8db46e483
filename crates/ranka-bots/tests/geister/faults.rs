//! Clients that leave, keep silent, flood or send rubbish: their game ends by a name, and nobody else's.

use crate::house::{options, serve};
use crate::little_client::{Little, set_up};
use ranka_bots::geister::{GeisterServer, Options};
use ranka_bots::net::Log;
use ranka_core::{Seat, WdlCounts};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

const WON_AT_THE_START: &str = "WON:14R24R34R44R15B25B35B45B41b31b21b11b40r30r20r10r";

/// A short game that is won in good order, to see that a table is well.
fn escape(ports: [u16; 2]) {
    let [mut one, mut two] = set_up(ports, ["EFGH", "ABCD"]);
    let _ = one.hears_board();
    for pair in [["A,W", "E,W"], ["A,N", "E,E"], ["A,N", "E,W"], ["A,N", "E,E"], ["A,N", "E,W"]] {
        one.moves(&format!("MOV:{}", pair[0]), "OK ");
        let _ = two.hears_board();
        two.moves(&format!("MOV:{}", pair[1]), "OK ");
        let _ = one.hears_board();
    }
    one.moves("MOV:A,N", "OK ");
    assert!(one.hears_board().starts_with("WON:88b"));
    assert!(two.hears_board().starts_with("LST:"));
}

#[test]
fn who_leaves_has_lost() {
    let left = serve(options(), |ports| {
        let [one, mut two] = set_up(ports, ["EFGH", "ABCD"]);
        drop(one);
        two.hears(WON_AT_THE_START);
        drop(two);
        // Before both have set up, too: whoever has not is told as blue.
        let [mut one, two] = ports.map(Little::join);
        one.hears("SET?");
        one.moves("SET:ABCD", "OK ");
        drop(two);
        one.hears("WON:14R24R34R44R15B25B35B45B41b31b21b11b40b30b20b10b");
        drop(one);
        escape(ports);
    });
    assert_eq!(
        left.ends(),
        [("disconnected", Some(Seat::FIRST)), ("disconnected", Some(Seat::SECOND)), ("rules", None)]
    );
    assert_eq!(left.records[1].actions, "set:ABCD");
}

#[test]
fn who_leaves_alone_is_forgotten() {
    let left = serve(Options { tables: 1, ..options() }, |ports| {
        for _ in 0..20 {
            let mut alone = Little::join(ports[0]);
            alone.hears("SET?");
            alone.moves("SET:ABCD", "OK ");
            alone.leaves_having_heard_all();
        }
        escape(ports);
    });
    assert_eq!(left.ends(), [("rules", None)]);
}

#[test]
fn who_is_silent_has_lost_when_the_time_is_up() {
    let none = Options { budget: Duration::ZERO, timeout: Duration::ZERO, ..options() };
    let left = serve(none, |ports| {
        let [mut one, mut two] = set_up(ports, ["EFGH", "ABCD"]);
        let _ = one.hears_board();
        two.hears(WON_AT_THE_START);
        one.hears("LST:14B24B34B44B15R25R35R45R41r31r21r11r40b30b20b10b");
        // The only case in which the server closes first.
        one.hears_no_more();
        two.hears_no_more();
        let [mut one, mut two] = ports.map(Little::join);
        one.hears("SET?");
        two.hears("SET?");
        two.moves("SET:ABCD", "OK ");
        assert!(two.hears_board().starts_with("WON:14R"));
        assert!(one.hears_board().starts_with("LST:14B"));
    });
    assert_eq!(left.ends(), [("timeout", Some(Seat::FIRST)), ("timeout", Some(Seat::FIRST))]);
}

#[test]
fn time_is_counted_for_each_move_alone_once_the_budget_is_used_up() {
    let options = Options {
        budget: Duration::ZERO,
        timeout: Duration::from_secs(4),
        wait: Duration::from_millis(600),
        ..options()
    };
    let left = serve(options, |ports| {
        let begun = std::time::Instant::now();
        escape(ports);
        // Eleven moves, none of them answered before its wait: together far longer than one may take.
        assert!(begun.elapsed() >= Duration::from_millis(6600));
    });
    assert_eq!(left.ends(), [("rules", None)]);
}

#[test]
fn a_flood_ends_one_game_and_no_other() {
    let left = serve(options(), |ports| {
        let [mut one, mut two] = set_up(ports, ["EFGH", "ABCD"]);
        let _ = one.hears_board();
        thread::scope(|scope| {
            scope.spawn(|| two.floods(&b"MOV:A,N\r\n".repeat(1000), 500));
            escape(ports);
            assert!(one.hears_board().starts_with("WON:14B"));
        });
        escape(ports);
    });
    let mut ends = left.ends();
    ends.sort_unstable();
    assert_eq!(ends, [("protocol", Some(Seat::SECOND)), ("rules", None), ("rules", None)]);
    assert!(left.log.len() < 100_000, "the log is not flooded: {} bytes", left.log.len());
}

#[test]
fn an_endless_line_and_binary_are_nonsense() {
    let left = serve(options(), |ports| {
        for rubbish in [vec![b'x'; 1_000_000], (0..=255).chain(*b"\r\n").collect(), b"\xff\xfe\r\n".to_vec()]
        {
            let [mut one, mut two] = set_up(ports, ["EFGH", "ABCD"]);
            let _ = one.hears_board();
            one.floods(&rubbish, 1);
            one.hears("NG ");
            assert!(one.hears_board().starts_with("LST:"));
            two.hears(WON_AT_THE_START);
        }
        escape(ports);
    });
    assert_eq!(left.ends()[..3], [("protocol", Some(Seat::FIRST)); 3]);
    assert_eq!(left.ends()[3], ("rules", None));
}

#[test]
fn who_comes_when_all_tables_are_taken_is_told_so() {
    let left = serve(Options { tables: 2, ..options() }, |ports| {
        // One after the other, so that it is known who has waited longer.
        let [mut one, other] = [0, 1].map(|_| {
            let mut waiting = Little::join(ports[0]);
            waiting.hears("SET?");
            waiting
        });
        let mut third = Little::join(ports[0]);
        third.hears("NG ");
        third.hears_no_more();
        // For the other port there are two chairs.
        let mut two = Little::join(ports[1]);
        two.hears("SET?");
        other.leaves_having_heard_all();
        one.moves("SET:EFGH", "OK ");
        two.moves("SET:ABCD", "OK ");
        let _ = one.hears_board();
        escape(ports);
    });
    assert!(left.log.contains("no table is free"), "{}", left.log);
    assert_eq!(left.ends()[0], ("rules", None));
}

#[test]
fn idle_connections_are_limited_even_after_their_games() {
    let left = serve(Options { tables: 1, ..options() }, |ports| {
        // Whoever does not leave after the end keeps a place for a while: there are four for one table.
        let mut staying = Vec::new();
        for _ in 0..2 {
            let [mut one, mut two] = set_up(ports, ["EFGH", "ABCD"]);
            let _ = one.hears_board();
            one.moves("MOV:A,S", "NG ");
            assert!(one.hears_board().starts_with("LST:"));
            assert!(two.hears_board().starts_with("WON:"));
            staying.extend([one, two]);
        }
        let mut more = Little::join(ports[0]);
        more.hears("NG ");
        more.hears_no_more();
        for mut one in staying {
            one.hears_no_more();
        }
        escape(ports);
    });
    assert!(left.log.contains("too many connections"), "{}", left.log);
}

#[test]
fn the_server_ends_after_as_many_games_as_were_asked_for() {
    let server = GeisterServer::bind(Options { games: Some(2), ..options() }).unwrap();
    let ports = server.addresses().map(|address| address.port());
    let summary = thread::scope(|scope| {
        let running = scope.spawn(|| server.run(&Log::silent(), &AtomicBool::new(false), &|_| ()));
        escape(ports);
        escape(ports);
        running.join().unwrap()
    });
    assert_eq!(summary.results, WdlCounts::new(2, 0, 0));
}

#[test]
fn a_server_that_is_stopped_cancels_its_games() {
    let left = serve(options(), |ports| {
        let players = set_up(ports, ["EFGH", "ABCD"]);
        std::mem::forget(players);
    });
    assert_eq!(left.ends(), [("cancelled", None)]);
}

#[test]
fn a_port_that_is_taken_is_told() {
    let server = GeisterServer::bind(options()).unwrap();
    let ports = server.addresses().map(|address| address.port());
    let error = GeisterServer::bind(Options { ports, ..options() }).err().unwrap().to_string();
    assert!(error.contains("something listens"), "{error}");
    let error = GeisterServer::bind(Options { max_turn: 0, ..options() }).err().unwrap().to_string();
    assert!(error.contains("plies"), "{error}");
}
