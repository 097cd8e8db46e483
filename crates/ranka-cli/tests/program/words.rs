//! What the program says to people: welcome, help, lists and complaints.

use crate::run::ranka;

#[test]
fn what_help_suggests_works() {
    let help = ranka(&["--help"]).done();
    let examples = help.split_once("\nExamples:\n").expect("examples").1;
    let suggestions: Vec<&str> = examples.lines().filter_map(|line| line.strip_prefix("  ranka ")).collect();
    assert!(suggestions.len() >= 5);
    for suggestion in suggestions {
        let words = suggestion.split("  ").next().unwrap().trim();
        let args: Vec<&str> = words.split(' ').filter(|word| !word.is_empty()).collect();
        // Alone it serves for ever, and a paper's tables are tried elsewhere.
        if !args.is_empty() && args[0] != "reproduce" {
            assert_eq!(ranka(&args).code, 0, "ranka {words}");
        }
    }
}

#[test]
fn nothing_is_coloured_where_nobody_sees_it() {
    for args in [&["games"][..], &["agents", "kalah"], &["--help"], &["match", "kalah", "random", "random"]] {
        let said = ranka(args);
        assert!(!said.out.contains('\x1b') && !said.err.contains('\x1b'), "ranka {args:?}");
    }
}

#[test]
fn help_tells_the_commands_and_examples() {
    let help = ranka(&["--help"]).done();
    for command in ["games", "agents", "play", "match", "stats", "analyse", "moves", "step", "perft"] {
        assert!(help.contains(&format!("\n  {command} ")), "{command} is missing in\n{help}");
        let own = ranka(&[command, "--help"]).done();
        assert!(own.contains(&format!("Usage: ranka {command}")) && own.contains("--json"), "{own}");
    }
    assert!(help.contains("\nExamples:\n"), "{help}");
    assert_eq!(ranka(&["--version"]).done(), format!("ranka {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn games_are_listed() {
    let list = ranka(&["games"]).done();
    assert!(list.starts_with("game "), "{list}");
    let names = |line: &str| line.split_whitespace().take(3).eq(["kalah", "Kalah", "カラハ"]);
    assert!(list.lines().any(names), "{list}");
    let json = ranka(&["games", "--json"]).json();
    let kalah = json.as_array().unwrap().iter().find(|game| game["name"] == "kalah").unwrap();
    assert_eq!(kalah["seats"], serde_json::json!([2, 2]));
    assert_eq!(kalah["options"][0]["key"], "houses");
    assert!(kalah["agents"].as_array().unwrap().contains(&"random".into()));
}

#[test]
fn agents_are_listed_with_the_rules_options() {
    let list = ranka(&["agents", "kalah"]).done();
    assert!(list.starts_with("random  "), "{list}");
    assert!(list.contains("\noptions of the rules  for --rules key=value,…\n    houses=6 "), "{list}");
    let one = ranka(&["agents", "kalah", "random"]).done();
    assert!(one.starts_with("random  ") && !one.contains("options"), "{one}");
    let json = ranka(&["agents", "kalah", "--json"]).json();
    assert_eq!(json["agents"][0]["name"], "random");
    assert_eq!(
        json["options"][0],
        serde_json::json!({
            "key": "houses", "kind": "int", "min": 1, "max": 12, "default": "6", "help": "houses a side"
        })
    );
}

#[test]
fn what_is_unknown_is_answered_with_what_is_near() {
    let near = |args: &[&str], hint: &str| {
        let said = ranka(args).refused();
        assert!(said.contains(hint), "{said}");
    };
    near(&["perft", "kalha", "3"], "unknown game \"kalha\": did you mean kalah?");
    near(&["agents", "kalah", "rndom"], "unknown kalah agent \"rndom\": did you mean random?");
    near(&["match", "kalah", "random", "rndom"], "unknown kalah agent \"rndom\": did you mean random?");
    near(&["analyse", "kalah", "start", "--with", "rndom"], "did you mean random?");
    near(&["match", "kalah", "random:dpeth=1", "random"], "agent random: unknown parameter \"dpeth\"");
    near(&["perft", "kalah", "3", "--rules", "huoses=4"], "rules of kalah: unknown parameter \"huoses\"");
    near(&["perft", "kalah", "3", "--rules", "houses=99"], "houses=99: expected a whole number in 1..12");
    near(&["matchh", "kalah"], "a similar subcommand exists: 'match'");
    near(&["match", "kalah", "random", "random", "--game", "3"], "a similar argument exists: '--games'");
}

#[test]
fn bad_values_are_refused() {
    for args in [
        &["perft", "kalah", "many"][..],
        &["perft", "kalah", "3", "<6,0,0,4>"],
        &["analyse", "kalah", "<6,0,0,4>"],
        &["match", "kalah"],
        &["match", "kalah", "random"],
        &["match", "kalah", "random", "random", "random"],
        &["match", "kalah", "random", "random", "--games", "0"],
        &["match", "kalah", "random", "random", "--threads", "0"],
        &["match", "kalah", "random", "random", "--budget", "nodes=0"],
        &["match", "kalah", "random", "random", "--seats", "some"],
        &["moves", "kalah", "--seat", "4"],
        &["play", "kalah", "--seat", "2"],
        &["play", "kalah", "--seat", "me"],
        &["play", "kalah", "--position", "<6,0,0,4>"],
        &["play", "kalah", "--with", "random", "--with", "random"],
    ] {
        ranka(args).refused();
    }
}
