//! `ranka sprt`: it decides, and always at the same game.

#![allow(clippy::unwrap_used)]

use crate::run::{Said, ranka};
use std::path::Path;

const H0_ACCEPTED: i32 = 10;
const UNDECIDED: i32 = 11;

impl Said {
    /// What was printed by a run that did its work, and ended with this code.
    fn verdict(self, code: i32) -> String {
        assert_eq!((self.code, self.complaint().as_str()), (code, ""), "{}", self.out);
        self.out
    }
}

fn args<'a>(agents: [&'a str; 2], store: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let store = store.to_str().expect("our own names are text");
    let [a, b] = agents;
    let common = ["--rules", "houses=4,seeds=3", "--elo0", "0", "--elo1", "50", "--store", store];
    [&["sprt", "kalah", a, b], &common[..], more].concat()
}

#[test]
fn the_stronger_is_found_and_the_same_command_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    let agents = ["minimax:depth=3", "random"];
    let json = ranka(&args(agents, &one, &["--json", "--threads", "1"])).json();
    assert_eq!(json["decision"], "h1");
    let number = |field: &str| json[field].as_u64().unwrap();
    let games = number("games");
    assert!(games < 1000 && games == number("wins") + number("draws") + number("losses"));
    assert_eq!(2 * json["pairs"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), games);
    assert!(json["llr"].as_f64().unwrap() >= json["bounds"][1].as_f64().unwrap());
    assert!(json["interval"][0].as_f64() < json["score"].as_f64());
    assert_eq!(json, ranka(&args(agents, &one, &["--json"])).json(), "nothing is left to play");
    assert_eq!(json, ranka(&args(agents, &two, &["--json", "--threads", "3"])).json());
    let told = ranka(&args(agents, &one, &[])).done();
    assert!(
        told.contains(
            "\nH1 accepted: minimax:depth=3 is +50 Elo or more to random rather than +0 Elo or less.\n"
        ),
        "{told}"
    );
    assert!(told.contains(&format!("\ngames  {games} of at most 10000: ")), "{told}");
}

#[test]
fn too_few_games_leave_it_undecided() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let few = ["--games", "20", "--seats", "random"];
    let said = ranka(&args(["random", "random"], &store, &[&few[..], &["--json"]].concat()));
    let json: serde_json::Value = serde_json::from_str(&said.verdict(UNDECIDED)).unwrap();
    assert_eq!((&json["decision"], &json["games"]), (&"undecided".into(), &20.into()));
    assert!(json["pairs"].is_null());
    let told = ranka(&args(["random", "random"], &store, &few)).verdict(UNDECIDED);
    assert!(
        told.contains("\nUndecided between +0 Elo (H0) and +50 Elo (H1): more games are needed.\n"),
        "{told}"
    );
}

#[test]
fn the_weaker_is_found_too_and_the_exit_code_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let told = ranka(&args(["random", "minimax:depth=3"], &store, &[])).verdict(H0_ACCEPTED);
    assert!(told.contains("\nH0 accepted: random is +0 Elo or less to minimax:depth=3"), "{told}");
    // With the hypotheses the other way round the same games are decided the other way.
    let lower =
        ["sprt", "kalah", "random", "random", "--rules", "houses=4,seeds=3", "--elo0=-200", "--elo1=-100"];
    let told = ranka(&[&lower[..], &["--store", store.to_str().unwrap()]].concat()).done();
    assert!(told.contains("H1 accepted"), "{told}");
}

#[test]
fn nonsense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let said = ranka(&["sprt", "kalah", "random", "random"]).refused();
    assert!(said.contains("--elo0") && said.contains("--elo1"), "{said}");
    let said = ranka(&args(["random", "random"], &store, &["--alpha", "2"])).refused();
    assert!(said.starts_with("ranka: SPRT: alpha = 2"), "{said}");
    let three =
        ["sprt", "labyrinth", "random", "random", "--rules", "players=3", "--elo0", "0", "--elo1", "5"];
    assert!(ranka(&three).refused().contains("needs an agent for each of its 3 seats"));
    assert!(!store.exists(), "what is refused leaves nothing behind");
}
