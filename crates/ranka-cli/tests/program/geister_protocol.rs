//! `ranka bot geister-server` and `ranka bot geister`.
#![allow(clippy::unwrap_used)]

use crate::listening::Listening;
use crate::run::ranka;
use ranka_core::{ErrorKind, Record};
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::thread;

fn records(path: &Path) -> Vec<Record> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_match_through_the_server_is_the_match_in_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let [there, here, logs] = ["there.jsonl", "here.jsonl", "logs"].map(|name| folder.path().join(name));
    let server = Listening::start(&[
        "geister-server",
        "--ports",
        "0,0",
        "--games",
        "4",
        "--quiet",
        "--json",
        "--records",
        text(&there),
        "--logs",
        text(&logs),
    ]);
    let play = |agent: &str, seat: usize| {
        let name = ["first", "second"][seat];
        let (_, port) = server.addresses[seat].rsplit_once(':').unwrap();
        let args = ["bot", "geister", "--agent", agent, "--port", port, "--seat", name];
        ranka(&[&args[..], &["--games", "4", "--seed", "3", "--quiet", "--json"]].concat()).json()
    };
    let [first, second] = thread::scope(|scope| {
        let both =
            [("blue-rush", 0), ("random", 1)].map(|(agent, seat)| scope.spawn(move || play(agent, seat)));
        both.map(|client| client.join().unwrap())
    });
    let summary: serde_json::Value = serde_json::from_str(&server.ends()).unwrap();
    assert_eq!(summary["reasons"]["rules"], 4);
    assert_eq!((&first["won"], &first["void"]), (&second["lost"], &second["void"]));
    assert_eq!(first["won"], summary["first"]);

    let args = ["match", "geister", "blue-rush", "random", "--rules", "plies=300", "--seats", "fixed"];
    ranka(&[&args[..], &["--games", "4", "--seed", "3", "--records", text(&here)]].concat()).done();
    let [there, here] = [there, here].map(|path| records(&path));
    for (there, here) in there.iter().zip(&here) {
        assert_eq!((&there.actions, &there.outcome), (&here.actions, &here.outcome));
    }
    assert_eq!(there.len(), here.len());

    let store = folder.path().join("store");
    let mut imported = Vec::new();
    for log in fs::read_dir(&logs).unwrap() {
        let path = log.unwrap().path();
        ranka(&["record", "import", text(&path), "--format", "geister-log", "--store", text(&store)]).done();
        imported.push(fs::read_to_string(path).unwrap());
    }
    assert_eq!(imported.len(), 4);
    let told =
        ranka(&["record", "export", "import/1", "--format", "geister-log", "--store", text(&store)]).done();
    // Both set up at once: whose set-up the server heard first is chance.
    let set_ups_in_order = |log: &str| {
        let (mut set_ups, rest): (Vec<String>, Vec<String>) =
            log.lines().map(str::to_owned).partition(|line| line.contains("SET"));
        set_ups.sort();
        (set_ups, rest)
    };
    assert_eq!(set_ups_in_order(&told), set_ups_in_order(&imported[0]));
}

#[test]
fn what_cannot_be_is_refused() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let said = ranka(&["bot", "geister-server", "--ports", &format!("{port},0")]).failed(ErrorKind::Busy);
    assert!(said.contains(&format!("port {port}: something listens")), "{said}");
    let said = ranka(&["bot", "geister-server", "--ports", "0"]).refused();
    assert!(said.contains("--ports: expected two"), "{said}");
    let said = ranka(&["bot", "geister", "--agent", "purple-mix"]).refused();
    assert!(said.contains("purple-max"), "{said}");
    drop(taken);
    let said = ranka(&["bot", "geister", "--agent", "random", "--port", &port, "--patience", "0", "--json"]);
    assert_eq!(said.code, 3);
    assert!(said.err.contains(&format!("server 127.0.0.1:{port}: ")), "{}", said.err);
}
