//! The store: what is kept, what is refused, and what two programs do to it at once.
#![allow(clippy::unwrap_used, clippy::single_range_in_vec_init)]

use ranka_core::{EndReason, Seed};
use ranka_lab::{
    Choice, GameLimits, Keeping, LabelledAction, Pairing, Runner, Seating, Shard, Store, Stretch,
    run_stored_match,
};
use std::path::Path;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn pairing(agent: &str, measures: &[&str], seed: u64) -> Pairing {
    let game = ranka_games::game("kalah").unwrap().open("houses=3,seeds=2").unwrap();
    let agents = vec![game.agent(agent).unwrap(), game.agent("random").unwrap()];
    let measures: Vec<String> = measures.iter().map(|&name| name.to_owned()).collect();
    Pairing::new(game, agents, Seating::Swapped, Seed::new(seed), GameLimits::default(), &measures).unwrap()
}

fn play_into(store: &mut Store, pairing: &Pairing, first: u64, count: u64) {
    let key = store.key(pairing).unwrap();
    let games = Shard { pairing, first, count }.run(&GO_ON);
    store.add(games.iter().map(|(number, game)| (key, *number, game))).unwrap();
}

#[test]
fn what_is_kept_comes_back_and_replays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/folder/store.sqlite");
    let pairing = pairing("minimax:depth=2", &["plies", "margin", "value"], 3);
    let games = Shard { pairing: &pairing, first: 0, count: 7 }.run(&GO_ON);
    play_into(&mut Store::open(&path).unwrap(), &pairing, 0, 7);

    let store = Store::open(&path).unwrap();
    let key = store.key(&pairing).unwrap();
    let results = store.results(key, 100).unwrap();
    assert_eq!(results.len(), 7);
    for (result, (number, game)) in results.iter().zip(&games) {
        assert_eq!(
            (result.number, &result.agents, &result.scores),
            (*number, &game.record.numbers, &game.record.outcome)
        );
        assert_eq!((result.plies, result.reason), (game.record.plies, EndReason::Rules));
        assert_eq!(result.measured[0], [f64::from(result.plies)]);
        assert_eq!(result.measured[1][0], -result.measured[1][1]);
        // The random player gives no value: what is no number stays none.
        assert!(result.measured[2].iter().any(|x| x.is_nan()));
        assert!(result.measured[2].iter().any(|x| x.is_finite()));
        let record = store.record(key, *number).unwrap().unwrap();
        assert_eq!(record, game.record);
        pairing.game().replay(&record).unwrap();
    }
    assert_eq!(store.record(key, 7).unwrap(), None);
    assert_eq!(store.results(key, 3).unwrap().len(), 3);
    assert_eq!(store.find(&pairing.identity()[..8]).unwrap().games, 7);
}

#[test]
fn only_what_is_missing_is_asked_for() {
    let mut store = Store::in_memory().unwrap();
    let pairing = pairing("random", &[], 1);
    let key = store.key(&pairing).unwrap();
    assert_eq!(store.missing(key, 10).unwrap(), [0..10]);
    play_into(&mut store, &pairing, 2, 3);
    play_into(&mut store, &pairing, 9, 1);
    assert_eq!(store.missing(key, 10).unwrap(), [0..2, 5..9]);
    assert_eq!(store.missing(key, 4).unwrap(), [0..2]);
    play_into(&mut store, &pairing, 0, 10);
    assert!(store.missing(key, 10).unwrap().is_empty());
    assert_eq!(store.results(key, 10).unwrap().len(), 10);
}

#[test]
fn a_new_game_takes_the_place_of_an_old_one_only_when_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.sqlite");
    let pairing = pairing("random", &[], 1);
    let mut store = Store::open(&path).unwrap();
    let key = store.key(&pairing).unwrap();
    play_into(&mut store, &pairing, 0, 10);
    let connection = rusqlite::Connection::open(&path).unwrap();
    let old = |number: u64| {
        let sql = "SELECT detail = 'old' FROM games WHERE number = ?1";
        connection.query_row(sql, [number as i64], |row| row.get::<_, Option<bool>>(0)).unwrap() == Some(true)
    };
    connection.execute("UPDATE games SET detail = 'old'", []).unwrap();
    // A run with --fresh that is stopped after four of the games.
    let games = Shard { pairing: &pairing, first: 0, count: 4 }.run(&GO_ON);
    store.replace(games.iter().map(|(number, game)| (key, *number, game))).unwrap();
    assert!(store.missing(key, 10).unwrap().is_empty(), "nothing is missing");
    assert!((0..10).all(|number| old(number) == (number >= 4)));
}

#[test]
fn damaged_rows_name_their_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.sqlite");
    let pairing = pairing("random", &["plies"], 1);
    let mut store = Store::open(&path).unwrap();
    let key = store.key(&pairing).unwrap();
    play_into(&mut store, &pairing, 0, 4);
    let connection = rusqlite::Connection::open(&path).unwrap();
    for (column, value, why) in [
        ("seats", "'0 0'", "[0, 0] is no order of 2 agents"),
        ("seats", "'0 x'", "invalid digit found in string"),
        ("seats", "'0 7'", "[0, 7] is no order of 2 agents"),
        ("scores", "'1'", "[1.0] are no scores of 2 seats"),
        ("scores", "'1 NaN'", "[1.0, NaN] are no scores of 2 seats"),
        ("reason", "'luck'", "\"luck\" is no end of a game"),
        ("measured", "'[['", "EOF while parsing a list at line 1 column 2"),
        ("plies", "'many'", "Invalid column type Text at index: 3, name: plies"),
    ] {
        connection.execute(&format!("UPDATE games SET {column} = {value} WHERE number = 2"), []).unwrap();
        let said = store.results(key, 10).unwrap_err().to_string();
        let expected =
            format!("{}: the store: game {}/2 is damaged: {why}", path.display(), &pairing.identity()[..12]);
        assert_eq!(said, expected);
        let whole = Shard { pairing: &pairing, first: 2, count: 1 }.run(&GO_ON);
        store.replace(whole.iter().map(|(number, game)| (key, *number, game))).unwrap();
        assert_eq!(store.results(key, 10).unwrap().len(), 4);
    }
    connection.execute("UPDATE games SET reason = 'luck' WHERE number = 1", []).unwrap();
    let said = store.record(key, 1).unwrap_err().to_string();
    assert!(said.contains("/1 is damaged: \"luck\" is no end of a game"), "{said}");
}

/// Every reader refuses what no game can be, and names it: a match that goes on, a test, a list, and a single game.
#[test]
fn no_reader_counts_a_damaged_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.sqlite");
    let pairing = pairing("random", &["plies"], 1);
    let mut store = Store::open(&path).unwrap();
    let key = store.key(&pairing).unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    let name = format!("game {}/2 is damaged", &pairing.identity()[..12]);
    let runner = Runner { threads: 1, cancel: &GO_ON };
    for damage in [
        "seats = '0 0'",
        "seats = '0 7'",
        "seats = '0'",
        "seats = x'00'",
        "seats = ''",
        "scores = '1'",
        "scores = '1 NaN'",
        "scores = '-5 1e9'",
        "scores = '1 0 0'",
        "scores = x'00'",
        "blame = 2",
        "blame = -1",
    ] {
        connection.execute("DELETE FROM games", []).unwrap();
        play_into(&mut store, &pairing, 0, 4);
        connection.execute(&format!("UPDATE games SET {damage} WHERE number = 2"), []).unwrap();
        let whole = Stretch { longest: false, from: 0, most: 9 };
        let keeping = Keeping { store: &mut store, fresh: false, any_version: false, most: 9 };
        let said = [
            run_stored_match(&pairing, 4, runner, keeping, |_, _| Ok(())).err(),
            store.results(key, 4).err(),
            store.record(key, 2).err(),
            store.list_games(key, Choice::All, whole).err(),
        ];
        for said in said {
            let said = said.unwrap_or_else(|| panic!("{damage} is counted"));
            assert_eq!(said.kind(), ranka_core::ErrorKind::Storage, "{damage}: {said}");
            assert!(said.to_string().contains(&name), "{damage}: {said}");
        }
        if !damage.starts_with("blame") {
            assert!(store.counts(key).unwrap_err().to_string().contains(&name), "{damage}");
        }
        if damage.starts_with("seats") {
            assert!(store.digests(key, 0..4).unwrap_err().to_string().contains(&name), "{damage}");
        }
    }
    connection.execute("DELETE FROM games", []).unwrap();
    play_into(&mut store, &pairing, 0, 4);
    connection.execute("UPDATE games SET actions = x'00' WHERE number = 2", []).unwrap();
    assert!(store.digests(key, 0..4).unwrap_err().to_string().contains(&name));
    connection.execute("UPDATE games SET number = -1 WHERE number = 3", []).unwrap();
    assert!(store.missing(key, 4).unwrap_err().to_string().contains("/-1 is damaged"));
    connection.execute("UPDATE pairings SET agents = '['", []).unwrap();
    let pairing_name = format!("pairing {} is damaged", &pairing.identity()[..12]);
    for said in [store.pairings().err(), store.results(key, 4).err(), store.find(pairing.identity()).err()] {
        assert!(said.unwrap().to_string().contains(&pairing_name));
    }
    connection.execute("INSERT INTO records VALUES (7, 'd', 'kalah', '{')", []).unwrap();
    assert!(store.imported().unwrap_err().to_string().contains("game import/7 is damaged"));
}

#[test]
fn anything_else_has_another_identity() {
    let folder = tempfile::tempdir().unwrap();
    let game = ranka_games::game("kalah").unwrap().open("").unwrap();
    let base = pairing("random", &[], 1);
    let mut identities = vec![base.identity().to_owned()];
    identities.push(pairing("random", &[], 2).identity().to_owned());
    identities.push(pairing("minimax:depth=1", &[], 1).identity().to_owned());
    identities.push(pairing("minimax:depth=2", &[], 1).identity().to_owned());
    identities.push(pairing("random", &["plies"], 1).identity().to_owned());
    let random = || vec![game.agent("random").unwrap(); 2];
    for (seating, ply_cap) in [(Seating::Fixed, 10_000), (Seating::Fixed, 99), (Seating::Swapped, 99)] {
        let limits = GameLimits { ply_cap, ..GameLimits::default() };
        let other = Pairing::new(game.clone(), random(), seating, Seed::new(1), limits, &[]).unwrap();
        identities.push(other.identity().to_owned());
    }
    let count = identities.len();
    identities.sort();
    identities.dedup();
    assert_eq!(identities.len(), count);
    assert_eq!(pairing("random", &[], 1).identity(), base.identity());

    // A file that an agent or a rule names counts with its content.
    let map = folder.path().join("map.tbsmap");
    let mut identities = Vec::new();
    for limit in ["TURNLIMIT[19]", "TURNLIMIT[18]"] {
        std::fs::write(&map, DUEL.replace("TURNLIMIT[19]", limit)).unwrap();
        let rules = format!("map={}", map.display());
        identities.push(ranka_games::game("tubstap").unwrap().open(&rules).unwrap().identity());
    }
    assert_ne!(identities[0], identities[1]);
}

const DUEL: &str = include_str!("../../ranka-tubstap/maps/duel.tbsmap");

#[test]
fn other_files_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |path: &Path| Store::open(path).err().unwrap().to_string();

    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "this is no database at all, but long enough to look at").unwrap();
    assert!(refused(&text).ends_with("it is no store of Ranka"), "{}", refused(&text));

    let newer = folder.path().join("newer.sqlite");
    drop(Store::open(&newer).unwrap());
    let connection = rusqlite::Connection::open(&newer).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    assert!(
        refused(&newer).contains("the store is of version 99, and this program knows up to"),
        "{}",
        refused(&newer)
    );

    let other = folder.path().join("other.sqlite");
    let connection = rusqlite::Connection::open(&other).unwrap();
    connection.execute_batch("CREATE TABLE mine (x)").unwrap();
    drop(connection);
    assert!(refused(&other).ends_with("it is a database, but no store of Ranka"), "{}", refused(&other));

    assert!(refused(folder.path()).contains(": the store: "), "{}", refused(folder.path()));
}

#[test]
fn two_programs_on_one_store_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.sqlite");
    let pairing = pairing("random", &["plies"], 8);
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let (path, pairing) = (&path, &pairing);
            scope.spawn(move || {
                let mut store = Store::open(path).unwrap();
                for first in 0..40 {
                    play_into(&mut store, pairing, first * 5 + worker, 10);
                }
            });
        }
    });
    let store = Store::open(&path).unwrap();
    let key = store.key(&pairing).unwrap();
    assert!(store.missing(key, 205).unwrap().is_empty());
    assert_eq!(store.pairings().unwrap().len(), 1);
}

#[test]
fn labels_add_up_by_collection() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.sqlite");
    let label = |action: &str, label: &str| LabelledAction {
        rules: String::new(),
        position: "somewhere".to_owned(),
        action: action.to_owned(),
        label: label.to_owned(),
    };
    let (one, two, three) = (label("a", "good"), label("b", "bad"), label("a", "unsure"));
    let mut store = Store::open(&path).unwrap();
    store.add_labels("tubstap", "mine", &[one.clone(), two.clone()]).unwrap();
    store.add_labels("tubstap", "yours", std::slice::from_ref(&two)).unwrap();
    drop(store);
    let mut store = Store::open(&path).unwrap();
    store.add_labels("tubstap", "mine", std::slice::from_ref(&three)).unwrap();
    assert_eq!(store.labels("tubstap", "mine").unwrap(), [one, two, three]);
    assert!(store.labels("kalah", "mine").unwrap().is_empty());
    let collections = [("mine".to_owned(), 3), ("yours".to_owned(), 1)];
    assert_eq!(store.label_collections("tubstap").unwrap(), collections);
}
