//! Maps and fuzzy tables.

use crate::run::{ranka, ranka_reading};
use ranka_core::ErrorKind;

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

    for (size, why) in [("4x4", "too small"), ("1000x1000", "too large"), ("60x60", "too large")] {
        let complaint = ranka(&["map", "make", &file, "--size", size]).refused();
        assert!(complaint.contains(why), "{complaint}");
    }
    // A map that stands for a position takes the limit of the rules, but is no deal.
    let limited =
        ranka_reading(&["moves", "tubstap", "--rules", "limit=5", "--json"], format!("{file}\n")).json();
    assert!(limited["position"].as_str().unwrap().contains(" limit=5 "), "{limited}");
    let complaint = ranka(&["perft", "tubstap", "1", &file, "--rules", "noise=hp"]).refused();
    assert!(complaint.contains("noise=: a map as a position is taken as it stands"), "{complaint}");
    assert!(ranka(&["map", "show", "crosing"]).refused().contains("did you mean crossing?"));
    let complaint = ranka(&["perft", "kalah", "1", "--map", "crossing"]).refused();
    assert!(complaint.contains("unknown parameter \"map\""), "{complaint}");
}

#[test]
fn a_units_reach_is_drawn_on_demand() {
    let picture =
        |marks: &[&str]| ranka(&[&["picture", "tubstap", "start", "--map", "duel"], marks].concat());
    let hidden = |picture: &str| picture.matches("display=\"none\"").count();
    let usual = picture(&[]).done();
    let marked = picture(&["--marks", "unit-0"]).done();
    assert_eq!(hidden(&usual), 2, "a page shows them when the pointer rests on the unit");
    assert_eq!(hidden(&marked), 1);
    let of_blue = picture(&["--marks", "unit-0,unit-2"]).done();
    assert!(!marked.contains("could-2") && of_blue.contains("could-2"));
    let said = picture(&["--marks", "unit-9"]).refused();
    assert!(said.contains("unknown mark \"unit-9\""), "{said}");
}

#[test]
fn fuzzy_tables_are_made_shown_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let table = inside(&folder, "table.csv");
    let label = ["--examples", "30", "--teacher", "40", "--pupil", "20", "--rules", "map=duel"];
    let made = ranka(&[&["fuzzy", "synthetic", &table][..], &label].concat());
    assert_eq!(made.code, 0, "{}", made.err);
    assert!(made.out.starts_with("30 examples in "), "{}", made.out);

    let shown = ranka(&["fuzzy", "show", &table, "--json"]).json();
    assert_eq!(shown["examples"], 30);
    assert!(ranka(&["fuzzy", "show", &table]).done().starts_with("30 examples, "));

    let explained = ranka(&["fuzzy", "explain", &table, "start", "--map", "duel", "--json"]).json();
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
    assert!(
        ranka(&["fuzzy", "show", "no-such-table.csv"]).failed(ErrorKind::Storage).contains("cannot be read")
    );
    for (args, why) in [
        (["fuzzy", "synthetic", &table, "--good", "2"], "a share 0 to 1"),
        (["fuzzy", "synthetic", &table, "--good", "0.6"], "more than all actions"),
        (["fuzzy", "synthetic", &table, "--examples", "0"], "0 is not in 1.."),
        (["fuzzy", "explain", &table, "start", "--threshold=nan"], "a share 0 to 1"),
    ] {
        let said = ranka(&args).refused();
        assert!(said.contains(why), "{said}");
    }
    assert!(ranka(&["fuzzy", "explain", &table, "start", "9@1,1"]).code == 2);
}

#[test]
fn a_person_labels_by_playing_and_the_labels_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let (store, table) = (inside(&folder, "store.sqlite"), inside(&folder, "table.csv"));
    let label = |input: &str, more: &[&str]| {
        let usual = ["fuzzy", "label", "--rules", "map=duel", "--with", "standard", "--store", &store];
        ranka_reading(&[&usual, more].concat(), input).done()
    };

    // Two own actions, of the agent's two one is bad, and of the other the label is taken back.
    let lesson = label("help\n0@9,9\n0@1,2\n1@2,1\nbad\nperhaps\nu\nundo\nundo\nquit\n", &[]);
    assert!(lesson.starts_with("You are red, standard is blue.\n"), "{lesson}");
    assert!(lesson.contains("0@9,9 is not legal: "), "{lesson}");
    assert!(lesson.contains(" 2 .0P10' ▲"), "the board is drawn again after an action: {lesson}");
    assert!(lesson.contains(" 3 ♣      .      #2p10'"), "and after a label: {lesson}");
    assert!(lesson.contains("unknown label \"perhaps\""), "{lesson}");
    assert!(lesson.contains(" is no longer unsure\n"), "{lesson}");
    assert!(lesson.contains("there is no label to take back\n"), "{lesson}");
    assert!(lesson.contains("standard plays 2@") && lesson.contains("could lose"), "{lesson}");
    let end = "labels given: 3 (2 good, 0 unsure, 1 bad); collection \"mine\" has 3.\n";
    assert!(lesson.ends_with(end), "{lesson}");

    // The end of a turn teaches nothing, nor does what is skipped; the end of the input ends the lesson.
    let second = label("end\nskip\ng\n", &[]);
    assert!(
        second.ends_with("labels given: 1 (1 good, 0 unsure, 0 bad); collection \"mine\" has 4.\n"),
        "{second}"
    );
    let blue = label("g\ng\n2@5,5\n", &["--seat", "1", "--collection", "another"]);
    assert!(blue.starts_with("You are blue, standard is red.\n"), "{blue}");
    assert!(blue.ends_with("collection \"another\" has 3.\n"), "{blue}");

    let export = |more: &[&str]| ranka(&[&["fuzzy", "export", &table, "--store", &store][..], more].concat());
    assert!(export(&[]).done().starts_with("4 examples in "));
    let shown = ranka(&["fuzzy", "show", &table, "--json"]).json();
    let entries = shown["entries"].as_array().unwrap();
    let sum: f64 = entries.iter().map(|entry| entry["labelsum"].as_f64().unwrap()).sum();
    assert_eq!((shown["examples"].as_u64(), sum), (Some(4), 3.0));
    // The panzer's way to 1,2 is in it: nobody attacked, 10 HP left.
    assert!(
        entries.iter().any(|entry| entry["features"].as_array().unwrap()[..4] == [2, 10, -1, 0]),
        "{shown}"
    );
    let thought = format!("uct:playouts=20,prune=\"{table}\"");
    ranka(&["analyse", "tubstap", "start", "--with", &thought, "--rules", "map=duel", "--json"]).json();

    let complaint = export(&["--collection", "mien"]).failed(ErrorKind::NotFound);
    assert!(complaint.contains("no labels in collection \"mien\"; there are: another, mine"), "{complaint}");
}
