//! `ranka match`: its answer, its records, and what it leaves behind when it fails.
#![allow(clippy::unwrap_used)]

use crate::run::{Said, ranka};
use ranka_core::ErrorKind;
use ranka_lab::stats::Scores;
use std::fs;
use std::path::Path;

const MATCH: [&str; 8] = ["match", "kalah", "random", "random", "--games", "50", "--seed", "7"];

fn with_records(place: &Path, more: &[&str]) -> Said {
    let place = place.to_str().expect("our own names are text");
    ranka(&[&MATCH[..], &["--records", place], more].concat())
}

#[test]
fn the_answer_for_programs_has_its_fields() {
    let json = ranka(&[&MATCH[..], &["--json"]].concat()).json();
    let number = |field: &str| json[field].as_u64().unwrap();
    let wins: Vec<u64> = json["wins"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    assert_eq!(json["game"], "kalah");
    assert!(json["rules"].as_str().unwrap().starts_with("houses=6,seeds=4,"));
    assert_eq!(json["agents"], serde_json::json!(["random", "random"]));
    assert_eq!((number("games"), number("seed")), (50, 7));
    assert_eq!(wins[0] + wins[1] + number("draws"), 50);
    let score = json["score"].as_f64().unwrap();
    assert!((score - (wins[0] as f64 + number("draws") as f64 / 2.0) / 50.0).abs() < 1e-12);
    let ends = [&json["interval"][0], &json["interval"][1]].map(|end| end.as_f64().unwrap());
    assert!(0.0 <= ends[0] && ends[0] < score && score < ends[1] && ends[1] <= 1.0);
    assert!(json["elo"]["value"].is_number() && json["elo"]["interval"].is_array());
    assert_eq!(json["seconds"].as_array().unwrap().len(), 2);
    assert!(number("plies") > 50);
    assert_eq!(json["reasons"], serde_json::json!({ "rules": 50 }));
}

#[test]
fn the_answer_for_people_is_a_table() {
    let table = ranka(&[&MATCH[..], &["--rules", "houses=4"]].concat()).done();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "Kalah (houses=4), 50 games, seed 7");
    let heading: Vec<&str> = lines[2].split_whitespace().collect();
    assert_eq!(heading, ["agent", "won", "drawn", "lost", "score", "95", "%", "Elo", "time/move"]);
    assert!(lines[3].starts_with("random") && lines[4].starts_with("random"), "{table}");
    assert!(lines[6].ends_with("ended by: rules 50."), "{table}");
}

#[test]
fn records_do_not_depend_on_threads_and_replay() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    with_records(&one, &["--threads", "1"]).done();
    with_records(&two, &["--threads", "2"]).done();
    let text = fs::read_to_string(&one).unwrap();
    assert_eq!(text, fs::read_to_string(&two).unwrap());
    assert_eq!(text.lines().count(), 50);
    let game = ranka_games::game("kalah").unwrap().open("").unwrap();
    for line in text.lines() {
        game.replay(&serde_json::from_str(line).unwrap()).unwrap();
    }
    let other = folder.path().join("other");
    ranka(&["match", "kalah", "random", "random", "--games", "50", "--records", other.to_str().unwrap()])
        .done();
    assert_ne!(text, fs::read_to_string(&other).unwrap(), "another seed, other games");
}

#[test]
fn seats_are_swapped_unless_fixed() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("records");
    let second_game = |more: &[&str]| -> serde_json::Value {
        with_records(&place, more).done();
        serde_json::from_str(fs::read_to_string(&place).unwrap().lines().nth(1).unwrap()).unwrap()
    };
    assert_eq!(second_game(&[])["numbers"], serde_json::json!([1, 0]));
    assert_eq!(second_game(&["--seats", "fixed"])["numbers"], serde_json::json!([0, 1]));
}

#[test]
fn a_ply_cap_draws_and_the_answer_says_so() {
    let json = ranka(&[&MATCH[..], &["--ply-cap", "3", "--json"]].concat()).json();
    assert_eq!((&json["draws"], &json["score"]), (&serde_json::json!(50), &serde_json::json!(0.5)));
    assert_eq!(json["reasons"], serde_json::json!({ "ply-cap": 50 }));
}

#[test]
fn records_that_cannot_be_written_are_refused_before_playing() {
    let folder = tempfile::tempdir().unwrap();
    let endless = ["--games", "1000000000000"];
    for place in [folder.path().join("no/such/folder/records"), folder.path().to_owned(), "/dev/null".into()]
    {
        let place = place.to_str().unwrap();
        let args = ["match", "kalah", "random", "random", "--records", place];
        let said = ranka(&[&args[..], &endless].concat()).failed(ErrorKind::Storage);
        assert!(said.starts_with(&format!("ranka: {place}: it cannot be written: ")), "{said}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_refused_match_leaves_old_records_alone() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("records");
    fs::write(&place, "old").unwrap();
    let said = ranka(&["match", "kalah", "random", "--records", place.to_str().unwrap()]).refused();
    assert_eq!(said, "ranka: a match of kalah needs an agent for each of its 2 seats; given: 1\n");
    assert_eq!(fs::read_to_string(&place).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The width of the interval of a match, and what the same would be if its games were independent.
fn widths(args: &[&str]) -> (f64, f64) {
    let json = ranka(&[&["match"], args, &["--json"]].concat()).json();
    let end = |i: usize| json["interval"][i].as_f64().unwrap();
    let wins: Vec<u64> = json["wins"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    let [low, high] = Scores::of([wins[0], json["draws"].as_u64().unwrap(), wins[1]]).interval();
    let pairs: u64 = json["pairs"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(2 * pairs, json["games"].as_u64().unwrap());
    (end(1) - end(0), high - low)
}

#[test]
fn intervals_are_by_deal() {
    // What one seat gains by a lucky deal it loses when seats are swapped.
    let (by_deal, by_game) =
        widths(&["labyrinth", "distance", "distance", "--rules", "cards-per-player=1", "--games", "60"]);
    assert!(by_deal < 0.7 * by_game, "{by_deal} {by_game}");
}

#[test]
fn what_is_played_again_is_no_evidence_and_the_answer_says_so() {
    let deterministic =
        ["match", "kalah", "minimax:depth=4,ties=first", "minimax:depth=2,ties=first", "--games", "1000"];
    let json = ranka(&[&deterministic[..], &["--json"]].concat()).json();
    let number = |field: &str| json[field].as_u64().unwrap();
    assert_eq!((number("games"), number("counted"), number("different")), (1000, 2, 2));
    assert_eq!(json["all_alike"], true);
    assert_eq!(json["pairs"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), 1);
    assert!(json["interval"][1].as_f64().unwrap() - json["interval"][0].as_f64().unwrap() > 0.4, "{json}");
    let said = "Nothing is left to chance: games in the same seats are all alike, so one of each counts.";
    assert!(ranka(&deterministic).done().contains(said));
    for (seats, counted) in [("swapped", 2), ("fixed", 1), ("permuted", 2), ("random", 2)] {
        let seated = [&deterministic[..], &["--seats", seats]].concat();
        let json = ranka(&[&seated[..], &["--json"]].concat()).json();
        assert_eq!((&json["all_alike"], &json["counted"]), (&true.into(), &counted.into()), "{seats}");
        assert!(ranka(&seated).done().contains(said), "{seats}");
    }
    // Nor does a sequential test go on for ever, or decide.
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite");
    let sprt = ["sprt", "kalah", deterministic[2], deterministic[3], "--elo0", "0", "--elo1", "50"];
    let told = ranka(&[&sprt[..], &["--store", store.to_str().unwrap()]].concat());
    assert_eq!(told.code, 11);
    assert!(told.out.contains(said) && told.out.contains("(100 played)"), "{}", told.out);
    let at_random = ranka(&[&sprt[..], &["--store", store.to_str().unwrap(), "--seats", "random"]].concat());
    assert_eq!(at_random.code, 11, "{}", at_random.out);
    assert!(at_random.out.contains(said), "{}", at_random.out);
}

/// A match in a store of its own.
fn kept(store: &Path, more: &[&str]) -> Said {
    let store = store.to_str().expect("our own names are text");
    ranka(&[&MATCH[..], &["--store", store], more].concat())
}

#[test]
fn games_are_kept_and_come_from_the_store_the_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let (store, file) = (folder.path().join("store"), folder.path().join("records"));
    let without_clock = |out: String| {
        let lines = out
            .lines()
            .map(|line| line.rsplit_once("  ").map_or(line, |(most, _)| most).trim_end().to_owned());
        lines.collect::<Vec<_>>()
    };
    let first = without_clock(kept(&store, &[]).done());
    let records = ["--records", file.to_str().unwrap()];
    let again = kept(&store, &records).done();
    assert!(again.ends_with("\n50 of 50 games from the store.\n"), "{again}");
    assert!(again.contains("—"), "nobody was timed: {again}");
    assert_eq!(without_clock(again)[..first.len()], first);
    // What comes from the store is what is played.
    let from_store = fs::read_to_string(&file).unwrap();
    with_records(&file, &["--no-store"]).done();
    assert_eq!(from_store, fs::read_to_string(&file).unwrap());
    // More games cost what is missing, and playing again costs all.
    let more = kept(&store, &["--games", "50"]).err;
    assert!(more.contains("cannot be used multiple times"), "{more}");
    let place = store.to_str().unwrap();
    let longer = ["match", "kalah", "random", "random", "--seed", "7", "--games", "60", "--store", place];
    assert!(ranka(&longer).done().ends_with("\n50 of 60 games from the store.\n"));
    assert!(!kept(&store, &["--fresh"]).done().contains("from the store"));
    assert_eq!(kept(&store, &["--json"]).json()["from_store"], 50);
}

#[test]
fn it_says_where_the_games_are_and_how_to_see_one() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let said = kept(&store, &[]);
    let place = store.display();
    let lines: Vec<&str> = said.err.lines().collect();
    assert_eq!(lines[0], format!("The games are in {place}. To see them:"));
    assert_eq!(lines.len(), 3, "{}", said.err);
    for line in &lines[1..] {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let shown = ranka(&words).done();
        assert!(shown.contains("Kalah, seed 7"), "{line}: {shown}");
    }
    assert!(lines[1].starts_with("  ranka record list ") && lines[2].starts_with("  ranka record show "));
    assert!(lines[2].contains("/0 --store "), "{}", lines[2]);
    // Nothing is kept, and nothing is said, for who does not want it, and for programs.
    assert_eq!(ranka(&[&MATCH[..], &["--no-store"]].concat()).err, "");
    assert_eq!(kept(&store, &["--json"]).err, "");
}

#[test]
fn a_long_match_keeps_its_first_games() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let said = kept(&store, &["--keep", "20"]);
    assert!(
        said.err.starts_with("Only the first 20 games are kept; --keep says how many.\nThe games are in ")
    );
    assert!(said.out.contains("rules 50"), "all are played: {}", said.out);
    let again = kept(&store, &["--keep", "20"]);
    assert!(again.out.ends_with("\n20 of 50 games from the store.\n"), "{}", again.out);
    assert!(kept(&store, &[]).done().ends_with("\n20 of 50 games from the store.\n"));
    assert!(kept(&store, &[]).done().ends_with("\n50 of 50 games from the store.\n"));
}

#[test]
fn options_about_the_store_do_not_contradict_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    for (more, problem) in [
        (&["--no-store"][..], "--store cannot be used with --no-store"),
        (&["--no-store", "--fresh"], "cannot be used with"),
        (&["--no-store", "--keep", "3"], "cannot be used with"),
        (&["--fresh", "--any-version"], "cannot be used with"),
    ] {
        let refused = kept(&store, more).refused();
        assert!(refused.contains(problem), "{more:?}: {refused}");
    }
    let exact = ["match", "kalah", "random", "random", "--rules", "houses=2,seeds=2", "--exact"];
    let refused = ranka(&[&exact[..], &["--store", store.to_str().unwrap()]].concat()).refused();
    assert!(refused.contains("--store cannot be used with --exact"), "{refused}");
    assert!(!store.exists());
    // That a store is named for all commands is no contradiction.
    ranka(&[&exact[..]].concat()).done();
}

#[cfg(unix)]
#[test]
fn where_nothing_can_be_kept_a_match_is_played_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ranka"), "in the way of the data folder").unwrap();
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_ranka"));
    let output =
        command.args(MATCH).env_remove("RANKA_STORE").env("XDG_DATA_HOME", folder.path()).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(err.starts_with("The games are not kept: "), "{err}");
    // A store that somebody chose is not done without.
    let chosen = folder.path().join("ranka/store");
    kept(&chosen, &[]).failed(ErrorKind::Storage);
}
