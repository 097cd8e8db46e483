//! Every game crate has the rooms of `docs/contract.md`, and no others than the tables there list.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Rooms that not every game needs.
const OPTIONAL: [&str; 2] = ["view", "common"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of the table in the contract whose first heading is `heading`: the names in each cell.
fn table(heading: &str) -> Vec<Vec<Vec<String>>> {
    let text = fs::read_to_string(root().join("docs/contract.md")).unwrap();
    let rows: Vec<Vec<Vec<String>>> = text
        .lines()
        .skip_while(|line| !line.starts_with(&format!("| {heading} |")))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(names).collect())
        .collect();
    assert!(!rows.is_empty(), "docs/contract.md has no table {heading:?}");
    rows
}

/// The names between backticks.
fn names(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The modules in a folder: files and folders with Rust in them.
fn modules(folder: &Path) -> BTreeSet<String> {
    let holds_rust = |path: &Path| {
        let files = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        files.into_iter().any(|file| file.extension().is_some_and(|end| end == "rs"))
    };
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let rooms = entries.filter(|path| {
        if path.is_dir() { holds_rust(path) } else { path.extension().is_some_and(|end| end == "rs") }
    });
    rooms.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn every_game_has_the_rooms_of_the_contract() {
    let rooms =
        |heading| -> BTreeSet<String> { table(heading).into_iter().map(|row| row[0][0].clone()).collect() };
    let (in_src, in_tests) = (rooms("room in `src/`"), rooms("room in `tests/`"));
    let own: BTreeMap<String, Vec<Vec<String>>> =
        table("game").into_iter().map(|row| (row[0][0].clone(), row[1..].to_vec())).collect();
    let games: BTreeSet<&str> = ranka_games::catalogue().iter().map(|game| game.info().name).collect();
    assert_eq!(own.keys().map(String::as_str).collect::<BTreeSet<_>>(), games, "the games that are listed");

    let mut wrong = Vec::new();
    for (game, own) in own {
        for (folder, rooms, own) in [("src", &in_src, &own[0]), ("tests", &in_tests, &own[1])] {
            let own: BTreeSet<String> = own.iter().cloned().collect();
            let mut found = modules(&root().join(format!("crates/ranka-{game}/{folder}")));
            found.remove("lib");
            let place = |room: &String| format!("ranka-{game}/{folder}/{room}");
            let missing = rooms.iter().filter(|room| !OPTIONAL.contains(&room.as_str())).chain(&own);
            wrong.extend(
                missing.filter(|room| !found.contains(*room)).map(|room| place(room) + " is missing"),
            );
            let unlisted = found.iter().filter(|room| !rooms.contains(*room) && !own.contains(*room));
            wrong.extend(unlisted.map(|room| place(room) + " is not listed"));
        }
    }
    assert!(wrong.is_empty(), "by docs/contract.md:\n{}", wrong.join("\n"));
}
