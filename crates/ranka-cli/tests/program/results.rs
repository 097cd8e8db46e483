//! What the program computes: filters, perft, analysis.
#![allow(clippy::unwrap_used)]

use crate::run::{Said, ranka, ranka_reading};
use serde_json::{Value, json};
#[cfg(target_os = "linux")]
use std::path::Path;

const START: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";
const OVER: &str = "<2,3,1,0,0,0,0> -";

#[test]
fn moves_answers_each_line_in_its_place() {
    let said = ranka_reading(&["moves", "kalah"], format!("{START}\nnonsense\n{OVER}\r\n\n{START}"));
    let lines: Vec<&str> = said.out.split('\n').collect();
    assert_eq!((lines[0], lines[2], lines[4]), ("1 2 3 4 5 6", "", "1 2 3 4 5 6"));
    assert!(lines[1].starts_with("error: kalah position: \"nonsense\", column 1: "), "{}", lines[1]);
    assert!(lines[3].starts_with("error: "), "{}", lines[3]);
    assert_eq!(lines.len(), 6, "five lines, each ended");
    assert_eq!(said.code, 2);
    assert_eq!(said.err, "ranka: 2 of 5 lines could not be answered; see the `error` in their places\n");
    assert_eq!(ranka_reading(&["moves", "kalah"], "").done(), "");
}

#[test]
fn moves_shows_what_a_seat_sees() {
    let seen_by = |seat| ranka_reading(&["moves", "kalah", "--seat", seat], START).done();
    assert_eq!(seen_by("0"), format!("{START}\t1 2 3 4 5 6\n"));
    assert_eq!(seen_by("1"), format!("{START}\t\n"), "it is not its turn");
    let said = ranka_reading(&["moves", "kalah", "--seat", "3"], START);
    assert_eq!((said.code, said.out.as_str()), (2, "error: seat 3: this position has 2 seats\n"));
}

#[test]
fn moves_in_json() {
    let said = ranka_reading(&["moves", "kalah", "--json"], format!("{START}\n{OVER}\nx\n"));
    let lines: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0], json!({ "position": START, "actor": 0, "actions": ["1", "2", "3", "4", "5", "6"] }));
    assert_eq!(lines[1], json!({ "position": OVER, "actor": "over", "actions": [], "outcome": [1.0, 0.0] }));
    assert!(lines[2]["error"].as_str().unwrap().contains("column 1"));
    assert_eq!(said.code, 2);
}

#[test]
fn step_makes_actions_and_goes_on_after_errors() {
    let said = ranka_reading(&["step", "kalah"], format!("{START}\t3\n{START}\t7\n{START} 3\n{START}\t1\n"));
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines[0], "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S");
    assert!(lines[1].starts_with("error: kalah action: 7 is not legal: "), "{}", lines[1]);
    assert!(lines[2].ends_with(": expected a position, a tab and an action"), "{}", lines[2]);
    assert_eq!(lines[3], "<6,0,0,0,5,5,5,5,4,4,4,4,4,4,4> N");
    assert_eq!(said.code, 2);
    let json = ranka_reading(&["step", "kalah", "--json"], format!("{START}\t1\n")).json();
    assert_eq!((&json["position"], &json["actor"]), (&json!(lines[3]), &json!(1)));
}

#[test]
fn lines_that_are_no_text_are_errors_too() {
    let said = ranka_reading(&["moves", "kalah"], b"\xff\xfe\n<bad\n".as_slice());
    assert_eq!((said.code, said.out.lines().count()), (2, 2));
    assert!(said.out.starts_with("error: the line is not UTF-8: "), "{}", said.out);
}

#[test]
fn the_rules_reach_the_filters() {
    // The last seed falls into an empty house with nothing opposite: captured only under `always`.
    let line = "<3,0,0,1,0,1,1,0,1> S\t1\n";
    let after = |rules: &str| ranka_reading(&["step", "kalah", "--rules", rules], line).done();
    assert_eq!(after("capture=always"), "<3,1,0,0,0,1,1,0,1> N\n");
    assert_eq!(after("capture=nonempty"), "<3,0,0,0,1,1,1,0,1> N\n");
}

#[test]
fn perft_prints_a_line_per_depth() {
    assert_eq!(ranka(&["perft", "kalah", "4"]).done(), "1 6\n2 35\n3 185\n4 942\n");
    assert_eq!(ranka(&["perft", "kalah", "0"]).done(), "0 1\n");
    assert_eq!(ranka(&["perft", "kalah", "1", START]).done(), "1 6\n");
    assert_eq!(ranka(&["perft", "kalah", "2", OVER]).done(), "1 0\n2 0\n");
    let json = ranka(&["perft", "kalah", "2", "--json"]).json();
    assert_eq!(json["position"], START);
    assert_eq!(json["counts"], json!([{ "depth": 1, "count": 6 }, { "depth": 2, "count": 35 }]));
}

#[test]
fn analyse_tells_the_choice() {
    let args = ["analyse", "kalah", START, "--with", "random", "--seed", "3", "--json"];
    let json = ranka(&args).json();
    assert!(["1", "2", "3", "4", "5", "6"].contains(&json["choice"].as_str().unwrap()));
    for field in ["candidates", "scale", "nodes", "depth"] {
        assert!(!json[field].is_null(), "{field}");
    }
    assert_eq!(json, ranka(&args).json(), "the same seed gives the same thought");
    let told = ranka(&["analyse", "kalah", "start", "--with", "random"]).done();
    assert!(told.starts_with("random chooses "), "{told}");
    let over = ranka(&["analyse", "kalah", OVER]).refused();
    assert_eq!(over, "ranka: kalah position: no seat is to move: the game is over\n");
}

/// Runs ranka where nothing can be written into this folder; nothing if that cannot be had.
#[cfg(target_os = "linux")]
pub(crate) fn where_nothing_is_written(folder: &Path, args: &[&str]) -> Option<Said> {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;
    let is_root =
        std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let mut command = if is_root {
        // Root may write anything that is not on a read-only mount.
        let script =
            "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\" && exec \"$@\" || exit 99";
        let mut command = Command::new("unshare");
        command.args(["-m", "sh", "-c", script]).arg(folder).arg(env!("CARGO_BIN_EXE_ranka"));
        command
    } else {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            std::fs::set_permissions(entry.path(), PermissionsExt::from_mode(0o444)).unwrap();
        }
        std::fs::set_permissions(folder, PermissionsExt::from_mode(0o555)).unwrap();
        Command::new(env!("CARGO_BIN_EXE_ranka"))
    };
    let output = command.args(args).env("COLUMNS", "100").output().ok()?;
    if !is_root {
        std::fs::set_permissions(folder, PermissionsExt::from_mode(0o755)).unwrap();
    }
    let code = output.status.code()?;
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    if is_root && (code == 99 || err.contains("unshare")) {
        eprintln!("\n*** SKIPPED: nothing can be mounted here: {err} ***\n");
        return None;
    }
    Some(Said { out, err, code })
}

#[test]
#[cfg(target_os = "linux")]
fn a_store_that_cannot_be_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite");
    let store = ["--store", store.to_str().unwrap()];
    let games =
        |games| [&["match", "kalah", "random", "minimax:depth=1", "--games", games][..], &store].concat();
    let sprt = [&["sprt", "kalah", "minimax:depth=3", "random", "--elo0", "0", "--elo1", "300"][..], &store]
        .concat();
    ranka(&games("4")).done();
    let tested = ranka(&sprt);
    let there = ranka(&games("4")).done();

    let Some(said) = where_nothing_is_written(folder.path(), &games("4")) else { return };
    assert_eq!((said.code, &said.out), (0, &there), "{}", said.err);
    assert!(said.err.contains("store.sqlite cannot be written: games that it has are taken"), "{}", said.err);
    let more = where_nothing_is_written(folder.path(), &games("6")).unwrap();
    assert_eq!(more.code, 0, "{}", more.err);
    assert!(more.out.contains("4 of 6 games"), "{}", more.out);
    let again = where_nothing_is_written(folder.path(), &sprt).unwrap();
    assert_eq!(again.code, tested.code, "{}", again.err);
    assert_eq!(again.out.lines().next(), tested.out.lines().next());
    // What would have to be kept is not even played.
    let tournament =
        [&["tournament", "kalah", "random", "minimax:depth=2", "--games", "2"][..], &store].concat();
    let refused = where_nothing_is_written(folder.path(), &tournament).unwrap();
    assert_eq!((refused.code, refused.out.as_str()), (5, ""), "{}", refused.err);
    assert!(refused.err.contains("2 games are missing, and they could not be kept"), "{}", refused.err);
}
