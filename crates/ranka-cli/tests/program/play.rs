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
    assert!(said.contains("what random would do"), "{said}");
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

#[test]
fn an_action_is_taken_back_with_what_followed() {
    let play = ["play", "kalah", "--with", "random", "--seed", "1"];
    // House 1 passes the turn: the agent answers, and both are taken back.
    let said = ranka_reading(&play, "undo\n1\nposition\nundo\nposition\nundo\n").done();
    assert!(said.contains("there is no action of yours to take back"), "{said}");
    let start = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";
    let positions: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("seat 0> <")).collect();
    assert_eq!(positions.len(), 2, "{said}");
    assert_ne!(format!("<{}", positions[0]), start);
    assert_eq!(format!("<{}", positions[1]), start, "{said}");
    // What is played again meets the same agent with the same luck.
    let again = ranka_reading(&play, "1\nundo\n1\nposition\n").done();
    let once = ranka_reading(&play, "1\nposition\n").done();
    let position = |said: &str| said.lines().find(|line| line.starts_with("seat 0> <")).map(str::to_owned);
    assert_eq!(position(&again), position(&once));
    // Two people take turns back, too; and so it goes with hidden things and chance.
    let both =
        ranka_reading(&["play", "kalah", "--seat", "all", "--seed", "1"], "1\n1\nundo\nundo\nposition\n");
    assert!(both.done().contains(&format!("seat 0> {start}")));
    for game in ["geister", "labyrinth", "tantrix", "tubstap"] {
        let first =
            ranka_reading(&["play", game, "--with", "random", "--seed", "3"], "moves\nposition\n").done();
        let prompt =
            first.lines().find_map(|line| line.split("seat 0> actions: ").nth(1)).expect("the moves");
        let action = prompt.split(' ').next().expect("an action");
        let typed = format!("{action}\nundo\nposition\n");
        let said = ranka_reading(&["play", game, "--with", "random", "--seed", "3"], typed.as_str()).done();
        assert!(!said.contains("is not legal") && !said.contains("nothing was taken back"), "{game}: {said}");
        let view = |said: &str| said.lines().rev().nth(1).map(|line| line.replace("seat 0> ", ""));
        assert_eq!(view(&said), view(&first), "{game}");
    }
}

#[test]
fn who_resigns_loses() {
    let said = ranka_reading(&["play", "kalah", "--with", "random", "--seed", "1"], "1\nresign\n").done();
    assert!(said.ends_with("You resign.\nYou lose.\n"), "{said}");
    let said = ranka_reading(&["play", "kalah", "--seat", "all", "--seed", "1", "--json"], "resign\n");
    assert!(said.err.ends_with("Seat 0 resigns.\nSeat 1 wins.\n"), "{}", said.err);
    let result: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(result["reason"], "resigned");
    let three = ["play", "tantrix", "--seat", "all", "--rules", "players=3", "--seed", "1"];
    assert!(ranka_reading(&three, "resign\n").done().ends_with("Seats 1 and 2 share the win.\n"));
}

#[test]
#[cfg(unix)]
fn whatever_a_bot_does_wrong_ends_the_game_and_not_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let bot = |name: &str, go: &str| {
        let file = folder.path().join(format!("{name}.sh"));
        let script = format!(
            "while read -r word rest; do case $word in isready) echo ready;; actions) set -- $rest;;\n\
             go) n=$((n+1)); {go};; quit) exit;; esac; done\n"
        );
        std::fs::write(&file, script).unwrap();
        format!("bot:cmd=\"sh {}\",name={name}", file.display())
    };
    // House 1 passes the turn, so the bot is asked at least once before our second.
    let played = |name: &str, go: &str| {
        let record = folder.path().join(format!("{name}.jsonl"));
        let bot = bot(name, go);
        let save = record.to_str().unwrap();
        let play = ["play", "kalah", "--with", &bot, "--seed", "1", "--save", save];
        let said = ranka_reading(&play, "1\n2\n3\n4\n5\n6\n1\n2\n3\n");
        let record = std::fs::read_to_string(&record).unwrap_or_else(|_| panic!("{name}: {}", said.err));
        (said, serde_json::from_str::<serde_json::Value>(&record).unwrap())
    };
    let (said, record) = played("Timid", "echo resign");
    assert_eq!(said.code, 0, "to resign is no fault: {}", said.err);
    assert!(said.out.contains("Seat 1 (Timid) resigns.\nYou win.\n"), "{}", said.out);
    assert_eq!(record["end"]["reason"], "resigned");
    for (name, go, reason, told) in [
        (
            "Frail",
            "echo oh dear >&2; exit 7",
            "crash",
            "it ended with exit code 7\nstandard error: oh dear\n",
        ),
        ("Wrong", "echo action 99", "protocol", "99"),
        ("Cheat", "echo action 7", "illegal", "Its answer: 7\n"),
    ] {
        let (said, record) = played(name, go);
        assert_eq!(said.code, 3, "{name} never played: {}", said.err);
        assert!(said.err.contains(&format!("{name} never played a legal action")), "{}", said.err);
        let loses = format!("Seat 1 ({name}) loses by {reason}.\n");
        let (_, rest) = said.out.split_once(&loses).unwrap_or_else(|| panic!("{name}: {}", said.out));
        assert!(rest.contains(told) && rest.contains("You win.\n"), "{name}: {}", said.out);
        assert_eq!((&record["end"]["reason"], &record["outcome"][0]), (&reason.into(), &1.0.into()));
    }
    // Who has played before is only told to have lost.
    let (said, record) = played("Late", "[ $n = 1 ] && echo action $1 || exit 7");
    assert_eq!((said.code, &record["end"]["reason"]), (0, &"crash".into()), "{}{}", said.out, said.err);
}

#[test]
fn a_game_is_saved_as_a_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let store = path("store.sqlite");
    let show = |file: &str| {
        let told = ranka(&["record", "import", file, "--store", &store]).done();
        let number =
            told.split("import/").nth(1).expect("its name").split(|c: char| !c.is_ascii_digit()).next();
        let name = format!("import/{}", number.expect("a number"));
        let record = ranka(&["record", "show", &name, "--store", &store, "--json"]).done();
        serde_json::from_str::<serde_json::Value>(&record).unwrap()
    };
    // Saved on the way, a game is kept again as it ends.
    let play = ["play", "geister", "--with", "random", "--seed", "2"];
    let typed = format!("set:ABCD\nsave {}\nsave\nresign\n", path("one.jsonl"));
    let said = ranka_reading(&play, typed.as_str()).done();
    assert!(said.contains("save FILE: give a file"), "{said}");
    assert!(said.ends_with(&format!("You lose.\nThe game is in {}.\n", path("one.jsonl"))), "{said}");
    let record = show(&path("one.jsonl"));
    assert_eq!((&record["end"]["reason"], &record["end"]["seat"]), (&"resigned".into(), &0.into()));
    assert_eq!(record["agents"][0], "person");
    // One that was left is kept as far as it went.
    let typed = "1\n";
    let file = path("two.jsonl");
    ranka_reading(&["play", "kalah", "--with", "random", "--seed", "2", "--save", &file], typed).done();
    let record = show(&file);
    assert_eq!(
        (&record["end"]["reason"], &record["outcome"]),
        (&"disconnected".into(), &serde_json::json!([0.0, 1.0]))
    );
    // No file is overwritten that the game did not write, and what cannot be saved does not end it.
    let refused = ranka_reading(&["play", "kalah", "--save", &file], "").refused();
    assert!(refused.contains("there is a file already"), "{refused}");
    let typed = format!("save {file}\nsave {}\n1\n", path("no/such/folder"));
    let said = ranka_reading(&["play", "kalah", "--with", "random", "--seed", "2"], typed.as_str()).done();
    assert!(said.contains("there is a file already") && said.contains("the game was not saved: "), "{said}");
    assert!(said.contains("seat 1 plays "), "the game went on: {said}");
}

#[test]
fn help_tells_every_word() {
    let words = ["moves", "board", "position", "hint", "undo", "resign", "save FILE", "quit", "help"];
    for (game, actions) in [
        ("kalah", &["3", "swap"][..]),
        ("geister", &["set:ABCD", "b5b4", "a1out"]),
        ("labyrinth", &["p3r2", "m5,3"]),
        ("tantrix", &["38@-2,1/1"]),
        ("tubstap", &["2@4,3", "2@4,3>7", "end"]),
    ] {
        let said = ranka_reading(&["play", game, "--with", "random", "--seed", "1"], "help\n").done();
        let help: Vec<&str> =
            said.lines().map(|line| line.trim_start_matches("seat 0> ").trim_start()).collect();
        for word in actions.iter().chain(&words) {
            assert!(help.iter().any(|line| line.starts_with(&format!("{word}  "))), "{game}: {word}\n{said}");
        }
    }
}

#[test]
fn nothing_that_is_typed_ends_the_game() {
    let long = "9".repeat(100_000);
    let typed = format!("\u{0}\n\u{1b}[A\n{long}\n-1\n99999999999999999999\nsave \nundo undo\n END\n１\n🂡\n");
    for game in ["kalah", "geister", "labyrinth", "tantrix", "tubstap"] {
        let said = ranka_reading(&["play", game, "--with", "random", "--seed", "1"], typed.as_str()).done();
        assert_eq!(said.matches("seat 0> ").count(), 11, "{game}: {said}");
        assert!(said.ends_with("seat 0> \nLeft before the end.\n"), "{game}: {said}");
    }
}
