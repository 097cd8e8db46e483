//! What the program can do for Kalah alone: exact matches, solving, training, pictures, speed.

use crate::run::ranka;
use ranka_core::ErrorKind;
use serde_json::json;

const N3M3: [&str; 2] = ["--rules", "houses=3,seeds=3"];

#[test]
fn exact_matches_are_computed() {
    let exact = ["match", "kalah", "minimax:depth=6", "random", "--exact"];
    let json = ranka(&[&exact[..], &N3M3, &["--json"]].concat()).json();
    let win = json["wins"][0].as_f64().unwrap();
    assert!((win - 0.9101).abs() < 5e-5, "{json}");
    let score = json["wins"][0].as_f64().unwrap() + json["draws"].as_f64().unwrap() / 2.0;
    assert!((json["score"].as_f64().unwrap() - score).abs() < 1e-12);
    let text = ranka(&[&exact[..], &N3M3].concat()).done();
    assert!(text.contains("on average       0.9101  0.0501  0.0398  0.9352\n"), "{text}");
}

#[test]
fn what_cannot_be_computed_is_refused() {
    let refusal = |args: &[&str]| {
        let said = ranka(&[&["match", "kalah"], args, &["--exact"]].concat());
        assert_eq!((said.code, said.out.as_str()), (2, ""));
        said.err
    };
    let forgetful = refusal(&[&["select-q", "random"][..], &N3M3].concat());
    assert!(forgetful.contains("select-q: its choices depend on more than the position"), "{forgetful}");
    let large = refusal(&["random", "random", "--rules", "houses=6,seeds=6"]);
    assert!(large.contains("positions can be reached: too many"), "{large}");
}

#[test]
fn positions_are_solved() {
    let json = ranka(&[&["solve", "kalah", "--json"][..], &N3M3].concat()).json();
    assert_eq!(json["value"], json!(2));
    assert_eq!(
        json["moves"],
        json!([{ "action": "1", "value": 2 }, { "action": "2", "value": 2 }, { "action": "3", "value": -4 }])
    );
    assert!(!json["pv"].as_array().unwrap().is_empty());
    // With and without endgame tables, from any position.
    for endgame in ["off", "3", "auto"] {
        let position = "<3,1,0,0,4,4,3,3,3> S";
        let json = ranka(&["solve", "kalah", position, "--endgame", endgame, "--json"]).json();
        assert_eq!(json["value"], json!(2), "--endgame {endgame}");
    }
    for (args, problem) in [
        (&["<1,1,1,0,0> -"][..], "the game is over"),
        (&["start", "--rules", "pie=on"], "early-majority and pie must be off"),
        (&["start", "--endgame", "500"], "--endgame 500: expected auto, off or a number of seeds"),
        (&["<3,x"], "column 4"),
    ] {
        let said = ranka(&[&["solve", "kalah"], args].concat());
        assert_eq!(said.code, 2, "{args:?}");
        assert!(said.err.contains(problem), "{args:?}: {}", said.err);
    }
}

#[test]
fn the_position_decides_the_board() {
    let small = "<3,0,0,3,3,3,3,3,3> S";
    for agent in ["perfect", "max-q:reward=delta"] {
        let json = ranka(&["analyse", "kalah", small, "--with", agent, "--json"]).json();
        let values: Vec<f64> =
            json["candidates"].as_array().unwrap().iter().map(|c| c["value"].as_f64().unwrap()).collect();
        let unit = if agent == "perfect" { 1.0 } else { 18.0 };
        for (value, margin) in values.iter().zip([2.0, 2.0, -4.0]) {
            assert!((value * unit - margin).abs() < 1e-9, "{agent}: {values:?}");
        }
    }
    // A board from no start: the solver does not care, a table of what can be reached does.
    let odd = "<3,0,0,3,3,3,3,3,4> S";
    assert_eq!(ranka(&["analyse", "kalah", odd, "--with", "perfect"]).code, 0);
    let said = ranka(&["analyse", "kalah", odd, "--with", "max-q", "--rules", "houses=3,seeds=3"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("does not know this position"), "{}", said.err);
}

#[test]
fn a_limit_stops_even_those_who_know_none() {
    let endless = ["match", "kalah", "perfect", "random", "--rules", "seeds=6", "--games", "2", "--json"];
    let json = ranka(&[&endless[..], &["--move-limit", "50"]].concat()).json();
    assert_eq!(json["reasons"], json!({ "timeout": 2 }), "{json}");
    assert_eq!(json["wins"], json!([0, 2]));
}

#[test]
fn tables_are_trained_used_and_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("q.rankaq");
    let path = file.to_str().unwrap();
    let rules = ["--rules", "houses=2,seeds=2"];
    let json = ranka(&[&["train", "kalah", "--out", path, "--json"][..], &rules].concat()).json();
    assert_eq!(json["converged"], json!(true), "{json}");
    assert_eq!(json["visited"], json["reachable"]);

    let agent = format!("max-q:q={path}");
    let learned =
        ranka(&[&["match", "kalah", &agent, "random", "--exact", "--json"][..], &rules].concat()).json();
    let exact =
        ranka(&[&["match", "kalah", "max-q", "random", "--exact", "--json"][..], &rules].concat()).json();
    assert!((learned["score"].as_f64().unwrap() - exact["score"].as_f64().unwrap()).abs() < 1e-9);

    let said = ranka(&["match", "kalah", &agent, "random"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("the table is for other rules (houses=2,seeds=2"), "{}", said.err);
    let said = ranka(&["match", "kalah", "max-q:q=no/such/file", "random"]);
    assert_eq!(said.code, 5);
    assert!(said.err.contains("no/such/file: "), "{}", said.err);
}

#[test]
fn training_that_cannot_be_written_does_not_begin() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("no/such/folder/q.rankaq");
    for (args, kind, problem) in [
        (&["--out", place.to_str().unwrap()][..], ErrorKind::Storage, "cannot be written"),
        (&["--out", "q", "--rate", "0"], ErrorKind::Input, "nothing would be learned"),
        (&["--out", "q", "--rate", "2"], ErrorKind::Input, "expected a number from 0 to 1"),
        (&["--out", "q", "--backup", "fixed-opponent"], ErrorKind::Input, "needs --opponent"),
        (&["--out", "q", "--rules", "houses=9", "--method", "q-table"], ErrorKind::Input, "at most 6"),
        (&["--out", "q", "--method", "network", "--rate", "0.5"], ErrorKind::Input, "settings of Q-learning"),
        (&["--out", "q", "--channels", "20"], ErrorKind::Input, "20 channels"),
        (&["--out", "q", "--against", "nobody"], ErrorKind::Input, "nobody"),
    ] {
        let said = ranka(&[&["train", "kalah"], args].concat()).failed(kind);
        assert!(said.contains(problem), "{args:?}: {said}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert!(!std::path::Path::new("q").exists());
}

#[test]
fn positions_are_drawn() {
    let svg = ranka(&["picture", "kalah", "start"]).done();
    assert!(svg.starts_with("<svg ") && svg.contains("id=\"house-s1\"") && svg.ends_with("</svg>\n"));
    assert_eq!(ranka(&["picture", "kalah", "start", "--seat", "2"]).code, 2);
}

#[test]
fn a_benchmark_that_does_not_exist_is_named() {
    let said = ranka(&["bench", "kalah", "--only", "nothing"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("there are: random playouts of (6,4); "), "{}", said.err);
}

#[test]
fn endgame_tables_are_kept_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables");
    let solve = |rules: &str| {
        let tables = path.to_str().unwrap();
        ranka(&[
            "solve",
            "kalah",
            "--rules",
            rules,
            "--value",
            "--endgame",
            "8",
            "--tables",
            tables,
            "--json",
        ])
    };
    // Built and written, then read.
    for _ in 0..2 {
        assert_eq!(solve("houses=4,seeds=3").json()["value"], json!(6));
    }
    let foreign = solve("houses=4,seeds=3,capture=always");
    assert_eq!(foreign.code, 2);
    assert!(foreign.err.contains("a table of another game"), "{}", foreign.err);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let damaged = solve("houses=4,seeds=3");
    assert_eq!(damaged.code, 2);
    assert!(damaged.err.contains("checksum is wrong"), "{}", damaged.err);
}

#[test]
fn a_book_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.book");
    let args = ["solve", "kalah", "--rules", "houses=4,seeds=3", "--book-seeds", "18", "--book"];
    let args = [&args[..], &[path.to_str().unwrap()]].concat();
    let said = ranka(&args).done();
    assert!(said.contains("positions in"), "{said}");
    let first = std::fs::read(&path).unwrap();
    assert!(first.starts_with(b"kalahbk2"));
    // The second time all is known from the draft.
    std::fs::remove_file(&path).unwrap();
    assert_eq!(ranka(&args).done(), said);
    assert_eq!(std::fs::read(&path).unwrap(), first);
    let draft = folder.path().join("small.draft");
    std::fs::write(&draft, b"kalahbd1 and what not").unwrap();
    let said = ranka(&args).refused();
    assert!(said.contains("small.draft") && said.contains("checksum"), "{said}");
}

#[test]
fn a_network_is_trained_played_and_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.net");
    let file = path.to_str().unwrap();
    let rules = ["--rules", "houses=3,seeds=3"];
    let train = |generations: &str| {
        let asked = [
            "train",
            "kalah",
            "--method",
            "network",
            "--out",
            file,
            "--generations",
            generations,
            "--games",
            "8",
        ];
        ranka(&[&asked[..], &["--yardstick", "random", "--yardstick-games", "4", "--json"], &rules].concat())
    };
    let told = train("2").done();
    assert!(told.lines().any(|line| line.contains("\"scores\"")), "{told}");
    assert!(path.exists() && !folder.path().join("mine.net.training").exists());
    let agent = format!("network:playouts=8,file={file}");
    let json =
        ranka(&[&["match", "kalah", &agent, "random", "--games", "4", "--json"][..], &rules].concat()).json();
    assert_eq!(json["games"], json!(4), "{json}");
    // It was made for these rules and no others.
    let said = ranka(&["match", "kalah", &agent, "random"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("made for other rules"), "{}", said.err);
    let said = ranka(&["match", "kalah", "network", "random"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("name the network"), "{}", said.err);
    // What lies there must be a training's.
    std::fs::write(folder.path().join("mine.net.training"), "no checkpoint").unwrap();
    let said = train("2");
    assert_eq!(said.code, 2);
    assert!(said.err.contains("mine.net.training: no checkpoint"), "{}", said.err);
}
