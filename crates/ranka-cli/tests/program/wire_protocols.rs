//! `ranka bot kgp-server`, `kgp`, `tubstap-server` and `tubstap`.
#![allow(clippy::unwrap_used)]

use crate::listening::Listening;
use crate::run::ranka;
use ranka_core::Record;
use std::fs;
use std::path::Path;
use std::thread;

/// What was played: actions, end and outcome of each game in the order of their seeds.
fn games(path: &Path) -> Vec<((u64, u64, u64), String, String, Vec<f64>)> {
    let text = fs::read_to_string(path).unwrap();
    let records = text.lines().map(|line| serde_json::from_str::<Record>(line).unwrap());
    let mut games: Vec<_> = records.map(|r| (r.seed, r.actions, format!("{:?}", r.end), r.outcome)).collect();
    games.sort_by_key(|game| game.0);
    games
}

/// Plays a match through a server and in one process; the first client has come when the log tells `waits`.
fn compare(command: &str, game: &str, agents: [&str; 2], serve: &[&str], rules: [&str; 2], waits: &str) {
    let folder = tempfile::tempdir().unwrap();
    let [there, here, log] = ["there.jsonl", "here.jsonl", "log.txt"].map(|name| folder.path().join(name));
    let [there_text, here_text, log_text] = [&there, &here, &log].map(|path| path.to_str().unwrap());
    let args = ["--games", "4", "--pairings", "1", "--seed", "3", "--json", "--records", there_text];
    let name = format!("{command}-server");
    let server = Listening::start(&[&[&name, "--port", "0"], serve, &args, &["--log", log_text]].concat());
    thread::scope(|scope| {
        for (number, agent) in agents.iter().enumerate() {
            let address = &server.addresses[0];
            scope.spawn(move || {
                let number = number.to_string();
                let args = ["bot", command, "--connect", address, "--agent", agent, "--number", &number];
                let said =
                    ranka(&[&args[..], &["--seed", "3", "--rules", rules[0], "--json"]].concat()).json();
                assert_eq!(said["games"], 4);
            });
            while number == 0 && !fs::read_to_string(&log).is_ok_and(|log| log.contains(waits)) {
                thread::yield_now();
            }
        }
    });
    let summary: serde_json::Value = serde_json::from_str(&server.ends()).unwrap();
    assert_eq!((&summary["games"], &summary["reasons"]["rules"]), (&4.into(), &4.into()));
    let args = ["match", game, agents[0], agents[1], "--rules", rules[1], "--games", "4", "--seed", "3"];
    ranka(&[&args[..], &["--records", here_text]].concat()).done();
    assert_eq!(games(&there), games(&here));
    let store = folder.path().join("store.sqlite");
    let said = ranka(&["record", "import", there_text, "--store", store.to_str().unwrap()]);
    assert_eq!(said.code, 0, "{}", said.err);
}

#[test]
fn kalah_through_a_server_is_kalah_in_one_process() {
    let rules = "houses=6,seeds=4,early-majority=on";
    let serve = ["--houses", "6", "--seeds", "4"];
    let agents = ["minimax:depth=3", "random"];
    compare("kgp", "kalah", agents, &serve, ["early-majority=on", rules], "mode \"freeplay\"");
}

#[test]
fn tubstap_through_a_server_is_tubstap_in_one_process() {
    compare("tubstap", "tubstap", ["standard", "random"], &["--map", "duel"], ["", "map=duel"], "and waits");
}

#[test]
fn problems_are_solved_and_counted() {
    let server = Listening::start(&["kgp-server", "--port", "0", "--quiet"]);
    let args = ["bot", "kgp", "--connect", &server.addresses[0], "--mode", "verify", "--problems", "200"];
    assert_eq!(ranka(&args).done(), "200 problems solved, 0 refused.\n");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |args: &[&str]| ranka(&[&["bot"], args].concat()).refused();
    assert!(refused(&["kgp-server", "--rules", "pie=on"]).contains("no way to swap"));
    assert!(refused(&["kgp-server", "--houses", "13"]).contains("houses=13"));
    assert!(refused(&["kgp-server", "--time", "0"]).contains("expected seconds"));
    assert!(refused(&["kgp", "--connect", "wss://localhost"]).contains("no TLS"));
    assert!(refused(&["kgp", "--agent", "minmax"]).contains("did you mean minimax"));
    assert!(refused(&["tubstap-server", "--map", "nowhere"]).contains("unknown map"));
    assert!(refused(&["tubstap", "--connect", "a b"]).contains("expected HOST:PORT"));
}
