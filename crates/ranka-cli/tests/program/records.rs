//! `ranka record`: what the store has, in and out.
#![allow(clippy::unwrap_used)]

use crate::run::{Said, ranka};
use ranka_core::ErrorKind;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A folder with a store in it.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// A store in which random and minimax have played six games.
    fn played() -> Place {
        let place = Place::new();
        let agents = ["tournament", "kalah", "minimax:depth=2", "random", "--rules", "houses=3,seeds=2"];
        place.ranka(&[&agents[..], &["--games", "6"]].concat()).done();
        place
    }

    /// Runs ranka on the store.
    fn ranka(&self, args: &[&str]) -> Said {
        ranka(&[args, &["--store", &self.text("store")]].concat())
    }

    fn record(&self, args: &[&str]) -> Said {
        self.ranka(&[&["record"], args].concat())
    }

    /// The identity of the only pairing.
    fn identity(&self) -> String {
        let list = self.record(&["list", "--json"]).json();
        list[0]["pairing"].as_str().unwrap().to_owned()
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn pairings_and_games_are_listed() {
    let place = Place::played();
    let identity = place.identity();
    let list = place.record(&["list", "--json"]).json();
    assert_eq!((&list[0]["game"], &list[0]["games"]), (&"kalah".into(), &6.into()));
    let games = place.record(&["list", &identity[..4], "--json"]).json();
    let games = games.as_array().unwrap();
    assert_eq!(games.len(), 6);
    let score = |game: &Value| {
        let seat = game["agents"].as_array().unwrap().iter().position(|agent| agent == 0).unwrap();
        game["scores"][seat].as_f64().unwrap()
    };
    let mean = games.iter().map(score).sum::<f64>() / 6.0;
    assert!((list[0]["scores"][0].as_f64().unwrap() - mean).abs() < 1e-12);

    let told = place.record(&["list"]).done();
    let row = told.lines().nth(1).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[..4], [&identity[..12], "kalah", "houses=3,seeds=2", "6"]);
    assert!(row.ends_with(" %  minimax:depth=2 – random"), "{told}");
    let told = place.record(&["list", &identity[..4]]).done();
    assert!(told.starts_with(&format!(
        "Kalah (houses=3,seeds=2), seed 0, pairing {identity}\nagent 0  minimax:depth=2\n"
    )));
    assert!(told.contains(&format!("\n{}/5 ", &identity[..12])), "{told}");
    assert!(ranka(&["record", "list"]).done().starts_with("No games in "));
}

#[test]
fn a_game_is_shown_action_by_action() {
    let place = Place::played();
    let name = format!("{}/3", &place.identity()[..6]);
    let record = place.record(&["show", &name, "--json"]).json();
    let told = place.record(&["show", &name]).done();
    assert!(told.contains(&format!("\n{} plies; ended by: rules.\n", record["plies"])), "{told}");
    let shown: Vec<&str> = told.lines().skip_while(|line| !line.contains(" who ")).skip(1).collect();
    let actions: Vec<&str> = record["actions"].as_str().unwrap().split(' ').collect();
    assert_eq!(
        shown.iter().map(|line| line.split_whitespace().next_back().unwrap()).collect::<Vec<_>>(),
        actions
    );
    // The second agent has the first seat of the fourth game, and begins.
    assert_eq!(shown[0].split_whitespace().collect::<Vec<_>>()[1..3], ["0", "random"]);
    let positions = place.record(&["show", &name, "--positions"]).done();
    assert!(positions.contains(&format!("\nstart  {}\n", record["start"].as_str().unwrap())), "{positions}");
    assert!(positions.lines().last().unwrap().ends_with(" -"), "the game is over:\n{positions}");
}

#[test]
fn exported_records_come_back_and_are_kept_once() {
    let place = Place::played();
    let file = place.text("games.jsonl");
    let identity = place.identity();
    let printed = place.record(&["export", &identity]).done();
    assert_eq!(place.record(&["export", &identity, "--to", &file]).done(), "");
    assert_eq!(printed, fs::read_to_string(&file).unwrap());
    let records = lines(&printed);
    assert_eq!(records.len(), 6);
    assert_eq!(records[3], place.record(&["show", &format!("{identity}/3"), "--json"]).json());

    let other = Place::new();
    assert_eq!(other.record(&["import", &file]).done(), "6 games imported: import/1 to import/6.\n");
    assert_eq!(other.record(&["import", &file]).done(), "No new games; 6 were there already.\n");
    assert_eq!(other.record(&["export", "import"]).done(), printed);
    assert_eq!(other.record(&["show", "import/4", "--json"]).json(), records[3]);
    let list = other.record(&["list", "--json"]).json();
    assert_eq!(
        (list.as_array().unwrap().len(), &list[0]["games"], &list[0]["pairing"]),
        (1, &6.into(), &"import".into())
    );
    assert_eq!(list[0]["scores"], place.record(&["list", "--json"]).json()[0]["scores"]);
    assert_eq!(other.record(&["replay", "--all"]).done(), "6 records replay as written.\n");
    assert_eq!(place.record(&["replay", &format!("{identity}/0")]).done(), "1 record replays as written.\n");
    assert_eq!(place.record(&["replay", &file, "--json"]).json()["replayed"], 6);
}

#[test]
fn a_bad_record_is_named_and_nothing_of_its_file_is_kept() {
    let place = Place::played();
    let text = place.record(&["export", &place.identity()]).done();
    let mut records = lines(&text);
    records[1]["outcome"] = serde_json::json!([0.5, 0.5]);
    records[4]["actions"] = "99".into();
    let mut bad: Vec<String> = records.iter().map(Value::to_string).collect();
    bad[2] = "{\"format\":1}".to_owned();
    fs::write(place.path("bad"), bad.join("\n")).unwrap();
    let file = place.text("bad");
    let said = place.record(&["import", &file]).refused();
    let mistakes: Vec<&str> = said.lines().collect();
    assert!(
        mistakes[0].starts_with(&format!("ranka: {file}, line 2: record: the outcome is written as")),
        "{said}"
    );
    assert!(mistakes[1].starts_with(&format!("{file}, line 3: this is no record: missing field")), "{said}");
    assert!(mistakes[2].starts_with(&format!("{file}, line 5: ")), "{said}");
    assert_eq!(mistakes[3], "nothing of the file was kept");
    assert_eq!(place.record(&["list", "import"]).done(), "No games were imported.\n");
    let said = place.record(&["replay", &file]).refused();
    assert!(said.starts_with(&format!("ranka: {file}, line 2: ")) && said.lines().count() == 1, "{said}");
}

#[test]
fn a_game_that_was_stopped_is_not_imported_as_a_draw() {
    let place = Place::new();
    let file = place.text("games.jsonl");
    let args = ["match", "kalah", "random", "random", "--games", "1", "--ply-cap", "2", "--records", &file];
    ranka(&args).done();
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"ply-cap\"", "\"cancelled\"")).unwrap();
    let said = place.record(&["import", &file]).refused();
    assert!(said.contains("line 1: the game was stopped and has no result"), "{said}");
}

#[test]
fn records_that_do_not_fit_their_game_are_refused() {
    let place = Place::played();
    let text = place.record(&["export", &format!("{}/0", place.identity())]).done();
    let with = |field: &str, value: Value| {
        let mut record: Value = serde_json::from_str(&text).unwrap();
        record[field] = value;
        fs::write(place.path("one"), record.to_string()).unwrap();
        place.record(&["import", &place.text("one")]).refused()
    };
    assert!(
        with("numbers", serde_json::json!([0, 7])).contains("record, numbers: [0, 7] in a game of 2 seats")
    );
    assert!(
        with("agents", serde_json::json!(["a"])).contains("record, agents: 1 entries in a game of 2 seats")
    );
    for plies in [1, 9999] {
        assert!(with("plies", plies.into()).contains(&format!("but says {plies} plies")));
    }
    assert!(with("game", "chess".into()).contains("unknown game \"chess\""));
    assert!(with("format", 9.into()).contains("the record's form is 9"));
}

#[test]
fn games_become_rows_of_a_table() {
    let place = Place::played();
    let identity = place.identity();
    let csv = place.record(&["export", &identity, "--format", "csv"]).done();
    let mut rows = csv.lines();
    let headings = "pairing,identity,game,rules,seed,number,pair,pair.game,agent0.name,agent0.spec,";
    assert!(rows.next().unwrap().starts_with(headings), "{csv}");
    assert_eq!(rows.filter(|row| row.split(',').any(|cell| cell.starts_with(&identity))).count(), 6);
    let file = place.text("games.csv");
    place.record(&["export", &identity, "--to", &file]).done();
    assert_eq!(fs::read_to_string(&file).unwrap(), csv, "the name tells the form");
    let file = place.text("games.parquet");
    place.record(&["export", &identity, "--to", &file]).done();
    assert!(fs::read(&file).unwrap().starts_with(b"PAR1"));
    let said = place.record(&["export", &identity, "--format", "parquet"]).refused();
    assert_eq!(said, "ranka: Parquet is no text: give --to FILE\n");
    let said = place.record(&["export", "import", "--format", "csv"]).refused();
    assert_eq!(said, "ranka: import: CSV and Parquet are of the games of a pairing\n");
}

#[test]
fn games_of_tubstap_speak_the_original_programs_form() {
    let place = Place::new();
    let agents = ["tournament", "tubstap", "random", "standard", "--map", "duel", "--games", "4"];
    place.ranka(&agents).done();
    let identity = place.identity();
    let file = place.text("game.txt");
    for number in 0..4 {
        let name = format!("{identity}/{number}");
        place.record(&["export", &name, "--format", "tubstap", "--to", &file]).done();
        place.record(&["import", &file, "--format", "tubstap"]).done();
        let [there, back] = [name, format!("import/{}", number + 1)]
            .map(|name| place.record(&["show", &name, "--json"]).json());
        for field in ["start", "actions", "outcome", "agents", "plies", "end"] {
            assert_eq!(there[field], back[field], "{field}");
        }
    }
    let rows = place.record(&["export", &identity, "--format", "tubstap-results"]).done();
    let cells: Vec<Vec<&str>> = rows.lines().map(|row| row.rsplit(',').collect()).collect();
    assert_eq!(cells.len(), 2, "one row for each side");
    assert!(cells.iter().all(|row| row[8] == "2"), "two games each:\n{rows}");
    fs::write(&file, "SIZEX[3];").unwrap();
    let said = place.record(&["import", &file, "--format", "tubstap"]).refused();
    assert!(said.starts_with(&format!("ranka: {file}: ")), "{said}");
    let kalah = Place::played();
    let said = kalah.record(&["export", &format!("{}/0", kalah.identity()), "--format", "tubstap"]).refused();
    assert!(said.ends_with(": a game of kalah cannot be told as one of TUBSTAP\n"), "{said}");
}

/// What the paper logged of each ply, and more, from the store.
#[test]
fn games_of_tantrix_become_logs() {
    let place = Place::new();
    let file = place.text("logs.toml");
    let experiment = "title = \"Logs\"\nquestion = \"What is logged?\"\ngame = \"tantrix\"\ngames = { quick = 2, full = 2 }\n\
                      measures = [\"value\", \"ply-nodes\", \"nodes\", \"longest\"]\n\n[[pairing]]\nname = \"a – b\"\n\
                      agents = [\"flat-mc:playouts=20\", \"greedy\"]\n";
    fs::write(&file, experiment).unwrap();
    assert_eq!(place.ranka(&["experiment", "run", &file, "--json"]).code, 0);
    let identity = place.identity();
    let logs = lines(&place.record(&["export", &identity, "--format", "tantrix-log"]).done());
    assert_eq!(logs.len(), 2);
    for (number, log) in logs.iter().enumerate() {
        let name = format!("{identity}/{number}");
        let record = place.record(&["show", &name, "--json"]).json();
        assert_eq!(log["game"], format!("{}/{number}", &identity[..12]));
        assert_eq!((&log["players"], &log["outcome"]), (&record["agents"], &record["outcome"]));
        assert_eq!(log["colours"], serde_json::json!(["red", "blue"]));
        let mut deck: Vec<u64> =
            log["deck"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        deck.sort_unstable();
        assert!(deck.into_iter().eq(1..=56), "every tile is dealt or drawn once");
        let plies = log["plies"].as_array().unwrap();
        let chosen: Vec<&str> = plies.iter().map(|ply| ply["chosen"].as_str().unwrap()).collect();
        let placed = record["actions"].as_str().unwrap().split(' ').filter(|text| !text.starts_with("draw"));
        assert_eq!(chosen, placed.collect::<Vec<_>>());
        let sampling = log["numbers"].as_array().unwrap().iter().position(|agent| agent == 0).unwrap();
        let mut nodes = 0.0;
        for ply in plies {
            let own = ply["seat"] == sampling;
            assert!(ply["legal"].as_array().unwrap().contains(&ply["chosen"]));
            assert!(ply["seats"][1]["lines"].is_array() && ply["controlled"].is_array());
            nodes += if own { ply["search"]["ply-nodes"].as_f64().unwrap() } else { 0.0 };
            assert!(
                !own || ply["legal"].as_array().unwrap().len() == 1 || ply["search"]["value"].is_number()
            );
            assert!(ply["search"].get("longest").is_none(), "the lines tell it");
        }
        assert_eq!(log["measured"]["nodes"][sampling], nodes);
        let only = place.record(&["export", &name, "--format", "tantrix-log"]).done();
        assert_eq!(lines(&only)[0], *log);
    }
    // A record from elsewhere has all but what the search told; other games have no such log.
    let records = place.text("games.jsonl");
    place.record(&["export", &identity, "--to", &records]).done();
    place.record(&["import", &records]).done();
    let imported = lines(&place.record(&["export", "import/1", "--format", "tantrix-log"]).done());
    assert_eq!(imported[0]["plies"][9]["legal"], logs[0]["plies"][9]["legal"]);
    assert_eq!(imported[0]["plies"][9]["search"], serde_json::json!({}));
    let kalah = Place::played();
    let said = kalah.record(&["export", &kalah.identity(), "--format", "tantrix-log"]).refused();
    assert!(said.ends_with(": a game of kalah has no log of Tantrix\n"), "{said}");
}

/// A store into which one game of TUBSTAP on the map duel was put, by its actions and how it ended.
fn with_game(actions: &str, rules: &str, end: Value, outcome: [f64; 2]) -> Place {
    let place = Place::new();
    let other = place.text("other");
    ranka(&["match", "tubstap", "random", "random", "--map", "duel", "--games", "2", "--records", &other])
        .done();
    let start = lines(&fs::read_to_string(other).unwrap())[0]["start"].clone();
    let record = serde_json::json!({
        "format": 1, "game": "tubstap", "version": 1, "rules": rules, "seed": [0, 0, 0], "agents": ["a", "b"],
        "numbers": [0, 1], "start": start, "actions": actions, "plies": actions.split_whitespace().count(),
        "end": end, "outcome": outcome,
    });
    fs::write(place.path("one"), record.to_string()).unwrap();
    assert_eq!(place.record(&["import", &place.text("one")]).done(), "1 game imported: import/1.\n");
    place
}

/// Red gives up as its first act, in the middle of its turn, and as the first act of a later turn; blue does.
#[test]
fn a_surrender_stays_that_of_its_side() {
    for (actions, seat) in [("", 0), ("0@1,2", 0), ("0@1,2 1@2,1 end", 0), ("0@1,2 end", 1)] {
        let end = serde_json::json!({ "reason": "resigned", "seat": seat });
        let outcome = if seat == 0 { [0.0, 1.0] } else { [1.0, 0.0] };
        let place = with_game(actions, "map=duel", end, outcome);
        let file = place.text("game.txt");
        place.record(&["export", "import/1", "--format", "tubstap", "--to", &file]).done();
        let told = place.record(&["import", &file, "--format", "tubstap", "--json"]).json();
        let back = format!("import/{}", told["numbers"][0]);
        let [there, back] = ["import/1", &back].map(|name| place.record(&["show", name, "--json"]).json());
        for field in ["start", "actions", "outcome", "end"] {
            assert_eq!(there[field], back[field], "{actions}: {field}");
        }
        let rows = place.record(&["export", "import/1", "--format", "tubstap-results"]).done();
        let [red, blue] = outcome;
        assert_eq!(rows, format!("duel,a,b,1,{red},{blue},0,0,0,0,0,0\n"));
    }
    // What the original's form cannot tell is refused: giving up in the other's turn, running out of time.
    let end = serde_json::json!({ "reason": "resigned", "seat": 1 });
    let place = with_game("0@1,2", "map=duel", end, [1.0, 0.0]);
    let said = place.record(&["export", "import/1", "--format", "tubstap"]).refused();
    assert!(said.contains("resigned in the other side's turn"), "{said}");
    let end = serde_json::json!({ "reason": "timeout", "seat": 0 });
    let place = with_game("0@1,2", "map=duel", end, [0.0, 1.0]);
    let said = place.record(&["export", "import/1", "--format", "tubstap"]).refused();
    assert!(said.contains("ended by timeout"), "{said}");
}

/// What other rules made of a game the original program would not play again.
#[test]
fn only_games_by_the_original_rules_become_its_records() {
    let place = Place::new();
    let map = place.text("tanks.tbsmap");
    let text = "SIZEX[5];SIZEY[3];TURNLIMIT[9];HPTHRESHOLD[3];UNITNUMRED[1];UNITNUMBLUE[1];AUTHOR[somebody];\
                UNIT[1,1,antiair,0,10,0];UNIT[2,1,infantry,1,10,0];MAP[0,0,0,0,0];MAP[0,1,3,1,0];MAP[0,0,0,0,0];";
    fs::write(&map, text).unwrap();
    let agents = ["tournament", "tubstap", "standard", "pair", "--seats", "fixed", "--games", "2"];
    let rules = format!("map=\"{map}\",power=paper");
    place.ranka(&[&agents[..], &["--rules", &rules]].concat()).done();
    let name = format!("{}/0", place.identity());
    let said = place.record(&["export", &name, "--format", "tubstap"]).refused();
    assert!(said.contains("by the rules of the original program") && said.contains("damage 9"), "{said}");
    let rows = place.record(&["export", &place.identity(), "--format", "tubstap-results"]).done();
    assert!(rows.starts_with("tanks.tbsmap,"), "{rows}");

    // Texts of a file for which a record has no place are told.
    let other = Place::new();
    other.ranka(&[&agents[..], &["--map", &map]].concat()).done();
    let file = other.text("game.txt");
    let name = format!("{}/0", other.identity());
    other.record(&["export", &name, "--format", "tubstap", "--to", &file]).done();
    assert!(fs::read_to_string(&file).unwrap().contains("AUTHOR[somebody];"));
    let said = other.record(&["import", &file, "--format", "tubstap"]).done();
    assert_eq!(said, "1 game imported: import/1; a record has no place for AUTHOR.\n");
}

#[test]
fn what_is_not_there_is_told() {
    let place = Place::played();
    let identity = place.identity();
    let refused = |args: &[&str]| place.record(args).refused();
    let missing = |args: &[&str]| place.record(args).failed(ErrorKind::NotFound);
    assert!(missing(&["show", "zz/1"]).contains("zz: no such pairing in "));
    assert!(refused(&["list", ""]).contains("expected the first digits of a pairing's identity"));
    assert!(missing(&["show", &format!("{identity}/6")]).contains("/6: no such game; the pairing has 6\n"));
    assert!(refused(&["show", &format!("{identity}/x")]).contains("\"x\" is no number of a game"));
    assert!(refused(&["show", &identity]).contains("name one game, as "));
    assert!(missing(&["show", "import/3"]).contains("import/3: no such game; 0 were imported"));
    assert!(refused(&["list", &format!("{identity}/1")]).contains("that is one game"));
    let unread = place.record(&["import", &place.text("nowhere")]).failed(ErrorKind::Storage);
    assert!(unread.contains("nowhere: it cannot be read"), "{unread}");
    assert!(
        refused(&["import", &place.text("store"), "--format", "csv"])
            .contains("--format is jsonl, tubstap or geister-log")
    );
    assert!(refused(&["replay", &place.text("store")]).starts_with("ranka: "));
    assert!(refused(&["replay"]).contains("<ID|FILE>"));
    fs::write(place.path("bytes"), b"\xff\xfe").unwrap();
    assert!(refused(&["import", &place.text("bytes")]).contains("bytes, line 1: this is no record: "));
}

#[test]
fn games_by_other_versions_are_told_left_out_and_taken_in_when_asked_for() {
    let place = Place::played();
    let again =
        ["tournament", "kalah", "minimax:depth=2", "random", "--rules", "houses=3,seeds=2", "--games", "6"];
    // The games are made those of a later minimax.
    let store = rusqlite::Connection::open(place.path("store")).unwrap();
    let sql = "UPDATE pairings SET versions = '[7,1]', identity = 'abcdefabcdefabcdefabcdefabcdefab'";
    assert_eq!(store.execute(sql, []).unwrap(), 1);
    drop(store);
    assert!(place.record(&["list"]).done().contains("minimax:depth=2 (version 7) – random\n"));
    assert_eq!(place.record(&["list", "--json"]).json()[0]["versions"], serde_json::json!([7, 1]));
    assert!(
        place
            .record(&["list", "abcd"])
            .done()
            .contains("agent 0  minimax:depth=2 (version 7)\nagent 1  random\n")
    );
    let shown = place.record(&["show", "abcd/1"]).done();
    assert!(shown.contains("1  minimax:depth=2 (version 7)"), "{shown}");
    assert_eq!(place.record(&["show", "abcd/1", "--json"]).json()["versions"], serde_json::json!([1, 7]));

    let taken = place.ranka(&[&again[..], &["--any-version"]].concat()).done();
    assert!(taken.contains("Played by version 7 of minimax.\n"), "{taken}");
    let found = place.ranka(&[&again[..], &["--any-version", "--json"]].concat()).json();
    let counted = serde_json::json!([{ "versions": [7, 1], "games": 6 }]);
    assert_eq!(found["pairings"][0]["versions"], counted);

    // A match takes the same games, and says whose they are.
    let same = [&["match"], &again[1..], &["--any-version"][..]].concat();
    let taken = place.ranka(&same);
    assert!(taken.out.contains("\nminimax:depth=2 (version 7) "), "{}", taken.out);
    assert_eq!((taken.code, taken.err.as_str()), (0, ""), "what is not here is not pointed at");
    assert_eq!(place.ranka(&[&same[..], &["--json"]].concat()).json()["versions"], counted);

    let told = "games by version 7 of minimax are in the store and left out; --any-version takes them in.\n";
    let apart = place.ranka(&again);
    assert_eq!((apart.code, apart.complaint()), (0, format!("6 {told}")));
    assert!(!apart.out.contains("version"), "{}", apart.out);
    assert_eq!(place.ranka(&again).complaint(), "", "they are there now");
    let more = [&again[..7], &["8", "--any-version", "--json"]].concat();
    let found = place.ranka(&more).json();
    assert_eq!(found["pairings"][0]["versions"], serde_json::json!([{ "versions": [1, 1], "games": 8 }]));

    let sprt = [
        "sprt",
        "kalah",
        "minimax:depth=2",
        "random",
        "--rules",
        "houses=3,seeds=2",
        "--elo0",
        "0",
        "--elo1",
    ];
    let sprt = [&sprt[..], &["500", "--games", "4"]].concat();
    let store = rusqlite::Connection::open(place.path("store")).unwrap();
    store
        .execute("DELETE FROM games WHERE pairing IN (SELECT id FROM pairings WHERE versions = '[1,1]')", [])
        .unwrap();
    drop(store);
    let taken = place.ranka(&[&sprt[..], &["--any-version"]].concat());
    assert_eq!(taken.complaint(), "");
    assert!(taken.out.contains("versions  version 7 of minimax\n"), "{}", taken.out);
    assert_eq!(place.ranka(&sprt).complaint(), format!("4 {told}"));
}

#[test]
fn false_ends_are_not_imported() {
    let place = Place::played();
    let identity = place.identity();
    let record = place.record(&["show", &format!("{identity}/0"), "--json"]).json();
    let file = place.text("false.jsonl");
    let (actions, plies) = (record["actions"].as_str().unwrap(), record["plies"].as_u64().unwrap());
    let mut cut = record.clone();
    cut["actions"] = actions[..actions.rfind(' ').unwrap()].into();
    cut["plies"] = (plies - 1).into();
    cut["end"] = serde_json::json!({ "reason": "resigned", "seat": 0 });
    cut["outcome"] = serde_json::json!([1.0, 0.0]);
    let mut unknown = record.clone();
    unknown["end"]["winner"] = 0.into();
    for (lie, said) in
        [(cut, "the outcome is written as [1.0, 0.0] but replays as [0.0, 1.0]"), (unknown, "`winner`")]
    {
        fs::write(&file, lie.to_string()).unwrap();
        for command in ["import", "replay"] {
            let refused = place.record(&[command, &file]).refused();
            assert!(refused.contains(said), "{command}: {refused}");
        }
    }
    assert!(!place.record(&["list"]).done().contains("import"));
}

/// Runs ranka as on a terminal that shows colours.
fn coloured(args: &[&str]) -> String {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ranka"));
    let output = command.args(args).env("CLICOLOR_FORCE", "1").output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[test]
fn nothing_from_outside_reaches_the_terminal() {
    let place = Place::new();
    let bot = format!(
        "bot:cmd=\"{} bot serve random\",name=\"\u{1b}]0;title\u{7}\u{1b}[2J\"",
        env!("CARGO_BIN_EXE_ranka")
    );
    let said = coloured(&["match", "kalah", &bot, "random", "--games", "2", "--store", &place.text("store")]);
    let shown = "\\u{1b}]0;title\\u{7}\\u{1b}[2J";
    assert!(said.contains(shown) && said.contains("\u{1b}["), "{said:?}");
    let list = coloured(&["record", "list", "--store", &place.text("store")]);
    assert!(list.contains(shown), "{list:?}");
    let refused = coloured(&["stats", "12", "\u{1b}[2J"]);
    for said in [said, list, refused] {
        assert!(
            !said.contains("\u{1b}[2") && !said.contains("\u{1b}]") && !said.contains('\u{7}'),
            "{said:?}"
        );
    }
    // A record with such a name is not even taken.
    let games = place.text("games.jsonl");
    place.ranka(&["match", "kalah", "random", "random", "--games", "1", "--records", &games]).done();
    let mut record: Value = lines(&fs::read_to_string(&games).unwrap()).remove(0);
    record["agents"][0] = "\u{1b}[2J".into();
    record["versions"][0] = 0.into();
    fs::write(&games, record.to_string()).unwrap();
    let refused = place.record(&["import", &games]).refused();
    assert!(
        refused.contains("games.jsonl, line 1: record, agents: '\\u{1b}' is no character of a text"),
        "{refused}"
    );
}
