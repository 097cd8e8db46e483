//! `ranka play` with what a person types on stdin.

use crate::run::{ranka, ranka_reading};

#[test]
fn a_person_plays_and_leaves() {
    let said = ranka_reading(&["play", "kalah", "--with", "random", "--seed", "1"], "3\nquit\n").done();
    assert!(said.starts_with("Kalah, seed 1\n  seat 0: you\n  seat 1: random\n"), "{said}");
    assert!(said.contains("actions: 1 2 3 4 5 6\nseat 0> "), "{said}");
    assert!(
        said.contains("actions: 1 2 4 5 6\nseat 0> "),
        "house 3 ends in the store, so it is our turn again\n{said}"
    );
    assert!(said.ends_with("Left before the end.\n"), "{said}");
}

#[test]
fn nonsense_is_explained_and_asked_again() {
    let typed = "9\nfoo\n\nhelp\nmoves\nposition\nhint\n";
    let said = ranka_reading(&["play", "kalah", "--with", "random", "--seed", "1"], typed).done();
    assert_eq!(said.matches("seat 0> ").count(), 8, "{said}");
    assert!(said.contains("9 is not legal: "), "{said}");
    assert!(said.contains("hint: what random would do"), "{said}");
    assert!(said.contains("seat 0> <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\n"), "{said}");
    assert!(said.contains("seat 0> random would play "), "{said}");
    assert!(said.ends_with("Left before the end.\n"), "the end of the input ends the game\n{said}");
}

#[test]
fn a_game_is_played_to_its_end() {
    let last_seed = ["play", "kalah", "--position", "<2,3,1,0,1,0,1> S", "--seed", "1"];
    let said = ranka_reading(&last_seed, "2\n").done();
    assert!(said.ends_with("You win.\n"), "{said}");
    let json = ranka_reading(&[&last_seed[..], &["--json"]].concat(), "2\n");
    assert_eq!(json.code, 0);
    let result: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(
        (&result["outcome"], &result["reason"]),
        (&serde_json::json!([1.0, 0.0]), &serde_json::json!("rules"))
    );
}

#[test]
fn people_may_take_any_seat_or_none() {
    let second = ranka_reading(&["play", "kalah", "--seat", "1", "--seed", "1"], "").done();
    assert!(second.contains("seat 0 plays ") && second.contains("seat 1> "), "{second}");
    let all = ranka_reading(&["play", "kalah", "--seat", "all", "--seed", "1"], "1\n1\n").done();
    assert!(all.contains("seat 1> ") && all.contains("seat 0 plays 1\n"), "{all}");
    let watched = ranka(&["play", "kalah", "--seat", "watch", "--seed", "1"]).done();
    assert!(watched.contains("seat 0 plays ") && watched.contains("seat 1 plays "), "{watched}");
    assert!(watched.ends_with("wins.\n") || watched.ends_with("A draw.\n"), "{watched}");
    assert_eq!(watched, ranka(&["play", "kalah", "--seat", "watch", "--seed", "1"]).done());
}
