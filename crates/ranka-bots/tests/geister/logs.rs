//! The original server's logs, in and out.

use crate::house::{options, serve};
use crate::little_client::set_up;
use ranka_bots::geister::{Options, read_log, write_log};
use ranka_core::{CatalogueEntry, GameSeeds, Record, Seat, Seed, Settings};
use ranka_geister::Geister;
use std::fs;

fn replay(record: &Record) {
    CatalogueEntry::<Geister>::with(&[]).open(&record.rules).unwrap().replay(record).unwrap();
}

/// A log as the specification shows it.
const ESCAPE: &str = "player=0,SET:EFGH\nplayer=1,SET:ABCD\nplayer=0,MOV:A,WEST\nplayer=1,MOV:E,W\nplayer=0,MOV:A,N\n\
    player=1,MOV:E,E\nplayer=0,MOV:A,N\nplayer=1,MOV:E,W\nplayer=0,MOV:A,N\nplayer=1,MOV:E,E\nplayer=0,MOV:A,N\n\
    player=1,MOV:E,W\nplayer=0,MOV:A,W\nwinner=0\n";

#[test]
fn a_log_is_a_game() {
    let record = read_log(ESCAPE).unwrap();
    replay(&record);
    assert_eq!(record.actions, "set:EFGH set:ABCD b5a5 e1f1 a5a4 f1e1 a4a3 e1f1 a3a2 f1e1 a2a1 e1f1 a1out");
    assert_eq!((record.end.reason.name(), record.outcome.as_slice()), ("rules", [1.0, 0.0].as_slice()));
    // What was refused or out of turn is logged too, and the second player may have set up first.
    let noisy = ESCAPE
        .replace(
            "player=0,SET:EFGH\nplayer=1,SET:ABCD\n",
            "player=1,SET:ABC\nplayer=1,SET:abcd\nplayer=0,SET:HGFE\nplayer=1,MOV:A,N\n",
        )
        .replace("winner", "player=1,MOV:A,N\nwinner");
    assert_eq!(read_log(&noisy).unwrap(), record);
    // A server that lets one try again.
    let tried = ESCAPE.replacen("player=1,MOV:E,W", "player=1,MOV:E,N\nplayer=1,hello\nplayer=1,MOV:E,W", 1);
    assert_eq!(read_log(&tried).unwrap(), record);
}

#[test]
fn endings_that_the_original_server_does_not_tell() {
    let begun = "player=0,SET:EFGH\nplayer=1,SET:ABCD\nplayer=0,MOV:A,WEST\n";
    let end = |log: &str| {
        let record = read_log(log).unwrap();
        replay(&record);
        (record.end.reason.name(), record.end.seat)
    };
    assert_eq!(end(begun), ("cancelled", None));
    assert_eq!(end(&format!("{begun}player=1,MOV:A,SOUTH\n")), ("illegal", Some(Seat::SECOND)));
    assert_eq!(
        end(&format!("{begun}player=1,MOV:A,SOUTH\nplayer=1,MOV:A,S\n")),
        ("illegal", Some(Seat::SECOND))
    );
    assert_eq!(end(&format!("{begun}reason=timeout,player=1\nwinner=0\n")), ("timeout", Some(Seat::SECOND)));
    assert_eq!(
        end("player=1,SET:ABCD\nreason=disconnected,player=0\nwinner=1\n"),
        ("disconnected", Some(Seat::FIRST))
    );
    assert_eq!(end(&format!("{begun}winner=2\n")), ("rules", None), "a limit on moves that is reached");
}

#[test]
fn what_is_wrong_with_a_log_is_told() {
    for (log, why) in [
        ("", "no player= lines"),
        ("hello\n", "line 1: expected player="),
        ("player=2,SET:ABCD\n", "line 1: the players are 0 and 1"),
        ("player=0\n", "line 1: what did it say?"),
        ("player=0,SET:ABCD\nwinner=3\n", "line 2: winner is 0, 1 or 2"),
        ("player=0,SET:ABCD\nreason=boredom\n", "line 2: there is no such reason"),
        ("player=0,SET:ABCD\nplayer=1,SET:AAAA\n", "line 2: SET:AAAA does not name four different ghosts"),
        ("player=0,SET:ABCD\nplayer=1,SET:ABCD\nwinner=0\n", "by the rules the game is not over"),
        (&ESCAPE.replace("winner=0", "winner=1"), "another winner"),
    ] {
        let error = read_log(log).unwrap_err().to_string();
        assert!(error.contains(why), "{log:?}: {error}");
    }
}

#[test]
fn records_become_logs_and_logs_records() {
    let game = CatalogueEntry::<Geister>::with(&[]).open("plies=300").unwrap();
    let agents = [game.agent("random").unwrap(), game.agent("blue-rush").unwrap()];
    for number in 0..40 {
        let seeds = GameSeeds::of(Seed::new(3), number, 0);
        let players = [(&agents[0], 0), (&agents[1], 1)];
        let record = game.play(&players, &seeds, &Settings::default(), None).record;
        let log = write_log(&record).unwrap();
        let read = read_log(&log).unwrap();
        assert_eq!(
            (&read.actions, &read.end, &read.outcome),
            (&record.actions, &record.end, &record.outcome)
        );
    }
}

#[test]
fn the_server_keeps_a_log_of_every_game_that_names_the_winner() {
    let folder = tempfile::tempdir().unwrap();
    let logs = folder.path().join("log");
    let left = serve(Options { logs: Some(logs.clone()), ..options() }, |ports| {
        for _ in 0..2 {
            let [mut one, mut two] = set_up(ports, ["EFGH", "ABCD"]);
            let _ = one.hears_board();
            two.moves("MOV:A,N", "NG ");
            one.moves("MOV:A,WEST", "OK ");
            let _ = two.hears_board();
            drop(two);
            assert!(one.hears_board().starts_with("WON:04B"));
        }
    });
    let expected = "player=0,SET:EFGH\nplayer=1,SET:ABCD\nplayer=1,MOV:A,N\nplayer=0,MOV:A,WEST\n\
        reason=disconnected,player=1\nwinner=0\n";
    let files: Vec<_> = fs::read_dir(&logs).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 2);
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(name.starts_with("log-20") && name.ends_with(".txt"), "{name}");
        let text = fs::read_to_string(file).unwrap();
        assert_eq!(text, expected);
        assert_eq!(read_log(&text).unwrap().actions, left.records[0].actions);
    }
    let told = write_log(&left.records[0]).unwrap();
    assert_eq!(told, expected.replace("player=1,MOV:A,N\n", ""), "a record has only what was accepted");
}
