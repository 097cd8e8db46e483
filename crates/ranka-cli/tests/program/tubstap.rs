//! Maps and fuzzy tables.

use crate::run::{ranka, ranka_reading};

/// A path inside a folder, as text.
fn inside(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("the temporary folder's name is text").to_owned()
}

#[test]
fn maps_are_listed_made_and_played_on() {
    let list = ranka(&["map", "list"]).done();
    assert!(list.starts_with("map ") && list.contains("\ncrossing  8×8 "), "{list}");

    let folder = tempfile::tempdir().unwrap();
    let file = inside(&folder, "new map.tbsmap");
    let make = ["map", "make", &file, "--size", "9x8", "--army", "F P5 I", "--seed", "4"];
    let made = ranka(&make).done();
    assert_eq!(ranka(&["map", "show", &file]).done(), made);
    let bytes = std::fs::read(&file).unwrap();
    assert_eq!(ranka(&make).done(), made);
    assert_eq!(std::fs::read(&file).unwrap(), bytes, "the same seed makes the same map");

    // The three ways to name a map count alike.
    let by_map = ranka(&["perft", "tubstap", "2", "--map", &file]).done();
    assert_eq!(ranka(&["perft", "tubstap", "2", "--rules", &format!("map=\"{file}\"")]).done(), by_map);
    assert_eq!(ranka(&["perft", "tubstap", "2", &file]).done(), by_map);
    let moves = ranka_reading(&["moves", "tubstap"], format!("{file}\n")).done();
    assert!(by_map.starts_with(&format!("1 {}\n", moves.split_whitespace().count())), "{by_map}{moves}");

    let complaint = ranka(&["map", "make", &file, "--size", "4x4"]).refused();
    assert!(complaint.contains("too small"), "{complaint}");
    assert!(ranka(&["map", "show", "crosing"]).refused().contains("did you mean crossing?"));
    let complaint = ranka(&["perft", "kalah", "1", "--map", "crossing"]).refused();
    assert!(complaint.contains("unknown parameter \"map\""), "{complaint}");
}

#[test]
fn fuzzy_tables_are_made_shown_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let table = inside(&folder, "table.csv");
    let label = ["--examples", "30", "--teacher", "40", "--pupil", "20", "--rules", "map=duel"];
    let made = ranka(&[&["fuzzy", "label", &table][..], &label].concat());
    assert_eq!(made.code, 0, "{}", made.err);
    assert!(made.out.starts_with("30 examples in "), "{}", made.out);

    let shown = ranka(&["fuzzy", "show", &table, "--json"]).json();
    assert_eq!(shown["examples"], 30);
    assert!(ranka(&["fuzzy", "show", &table]).done().starts_with("30 examples, "));

    let explained = ranka(&["fuzzy", "explain", &table, "start", "--rules", "map=duel", "--json"]).json();
    let actions = explained["actions"].as_array().unwrap();
    assert_eq!(actions.len(), 28, "all of them");
    for action in actions {
        let pruned = action["membership"].as_f64().unwrap() < 0.75;
        assert_eq!(action["pruned"], pruned, "{action}");
        assert!(!action["because"].as_str().unwrap().is_empty());
    }
    let one = ranka(&["fuzzy", "explain", &table, "start", "0@1,1", "--rules", "map=duel"]).done();
    assert!(one.contains("does nothing wrong"), "{one}");

    let spec = format!("uct:playouts=20,prune=\"{table}\"");
    let thought =
        ranka(&["analyse", "tubstap", "start", "--with", &spec, "--rules", "map=duel", "--json"]).json();
    let kept = actions.iter().filter(|action| action["pruned"] == false).count();
    assert!(thought["candidates"].as_array().unwrap().len() <= kept);

    std::fs::write(&table, "v0,v1\n").unwrap();
    assert!(ranka(&["fuzzy", "show", &table]).refused().contains("line 1: expected"));
    assert!(ranka(&["fuzzy", "show", "no-such-table.csv"]).refused().contains("cannot be read"));
    assert!(ranka(&["fuzzy", "label", &table, "--good", "2"]).refused().contains("a share 0 to 1"));
    assert!(ranka(&["fuzzy", "explain", &table, "start", "9@1,1"]).code == 2);
}
