//! What the program can do for Kalah alone: exact matches, solving, training, pictures, speed.

use crate::run::ranka;
use ranka_core::ErrorKind;
use serde_json::{Value, json};

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
fn what_is_proven_of_the_margins_is_told() {
    let said = ranka(&["analyse", "kalah", "start", "--with", "champion:explain=on"]).done();
    let rows: Vec<Vec<&str>> = said.lines().skip(2).map(|line| line.split("  ").collect()).collect();
    assert!(rows[0].iter().any(|heading| heading.trim() == "final margin"), "{said}");
    let margins: Vec<(&str, &str)> = said
        .lines()
        .skip(3)
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .map(|words| (words[0], words[3]))
        .collect();
    // Two houses win, and the better comes first.
    let told = [("3", "+8"), ("6", "+4"), ("4", "−2"), ("5", "−8"), ("2", "−10"), ("1", "−14")];
    assert_eq!(margins, told, "{said}");
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
    let draft = folder.path().join("small.book.draft");
    let whole = std::fs::read(&draft).unwrap();
    for damaged in [&b"kalahbd1 and what not"[..], &whole[..whole.len() / 2]] {
        std::fs::write(&draft, damaged).unwrap();
        let said = ranka(&args).refused();
        assert!(said.contains("small.book.draft") && said.contains("checksum"), "{said}");
        assert!(said.contains("without this file the book is begun anew"), "{said}");
    }
}

#[test]
fn a_larger_book_begins_with_a_smaller_one() {
    let folder = tempfile::tempdir().unwrap();
    let [small, anew, grown] = ["small", "anew", "grown"].map(|name| folder.path().join(name));
    small_book(&small, "22").done();
    let told = small_book(&anew, "19").done();
    let name = |path: &std::path::Path| path.to_str().unwrap().to_owned();
    let words = format!(
        "solve kalah --rules houses=4,seeds=3 --book-plies 2 --book-seeds 19 --book {} --book-from {}",
        name(&grown),
        name(&small)
    );
    assert_eq!(ranka(&words.split(' ').collect::<Vec<_>>()).done(), told);
    assert_eq!(std::fs::read(&grown).unwrap(), std::fs::read(&anew).unwrap());
}

/// `ranka solve` that makes a book of a small board.
fn small_book(path: &std::path::Path, seeds: &str) -> crate::run::Said {
    let path = path.to_str().expect("a name in Unicode");
    ranka(&[
        "solve",
        "kalah",
        "--rules",
        "houses=4,seeds=3",
        "--book-plies",
        "2",
        "--book-seeds",
        seeds,
        "--book",
        path,
    ])
}

#[test]
fn a_book_and_its_draft_are_replaced_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.draft");
    small_book(&path, "22").done();
    // Another name for what is there now: whoever writes into a file instead of replacing it changes this too.
    let draft = folder.path().join("a.draft.draft");
    let old = [(&path, "book.old"), (&draft, "draft.old")].map(|(file, name)| {
        let other = folder.path().join(name);
        std::fs::hard_link(file, &other).unwrap();
        (other, std::fs::read(file).unwrap())
    });
    small_book(&path, "19").done();
    for (other, bytes) in old {
        assert_eq!(std::fs::read(&other).unwrap(), bytes, "{}", other.display());
    }
    assert!(std::fs::read(&draft).unwrap().starts_with(b"kalahbd1"));
    assert!(std::fs::read(&path).unwrap().starts_with(b"kalahbk2"));
    // What cannot be written is refused before the work.
    let said = small_book(&folder.path().join("no/such/book"), "19").failed(ErrorKind::Storage);
    assert!(said.contains("cannot be written"), "{said}");
}

#[cfg(unix)]
#[test]
fn an_endless_draft_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("a.book.draft")).unwrap();
    let said = small_book(&folder.path().join("a.book"), "22").refused();
    assert!(said.contains("it has more than 256 MiB"), "{said}");
}

#[test]
fn agents_play_from_a_book_that_somebody_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.book");
    small_book(&path, "19").done();
    for agent in ["perfect", "strong", "champion"] {
        let agent = format!("{agent}:book={}", path.display());
        let asked = |rules: &str| {
            ranka(&["match", "kalah", &agent, "random", "--games", "2", "--json", "--rules", rules])
        };
        let json = asked("houses=4,seeds=3").json();
        assert_eq!(json["wins"][0], json!(2), "{json}");
        for rules in ["houses=5,seeds=3", "houses=4,seeds=3,capture=always"] {
            let said = asked(rules).refused();
            assert!(
                said.contains("an opening book for the standard rules and 4 houses, not for this game"),
                "{said}"
            );
        }
    }
    // What the book knows is not searched.
    let nodes = |book: &str| {
        let agent = format!("perfect:book={book}");
        ranka(&["analyse", "kalah", "start", "--with", &agent, "--rules", "houses=4,seeds=3", "--json"])
            .json()["nodes"]
            .clone()
    };
    assert_eq!(nodes(path.to_str().unwrap()), json!(0));
    assert_ne!(nodes("off"), json!(0));
    let missing =
        ranka(&["match", "kalah", "perfect:book=no/such/book", "random"]).failed(ErrorKind::Storage);
    assert!(missing.contains("no/such/book"), "{missing}");
}

#[test]
fn agents_search_with_tables_that_somebody_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.endgame");
    let file = path.to_str().unwrap();
    let rules = ["--rules", "houses=4,seeds=3"];
    let solve = ["solve", "kalah", "--value", "--endgame", "20", "--tables", file];
    ranka(&[&solve[..], &rules].concat()).done();
    let analysed = |agent: &str| {
        ranka(&[&["analyse", "kalah", "start", "--with", agent, "--json"][..], &rules].concat()).json()
    };
    for agent in ["perfect", "strong", "champion"] {
        let with = |tables: &str| analysed(&format!("{agent}:book=off,tables={tables}"));
        let (built, kept) = (with("built"), with(file));
        assert_eq!(built["choice"], kept["choice"], "{agent}");
        let nodes = |thought: &Value| thought["nodes"].as_u64().unwrap();
        assert!(nodes(&kept) < nodes(&built), "{agent}: {} and {} positions", nodes(&kept), nodes(&built));
    }
    let refused = |agent: &str, rules: &str| {
        ranka(&["match", "kalah", agent, "random", "--games", "2", "--rules", rules]).refused()
    };
    let said = refused(&format!("perfect:tables={file}"), "houses=5,seeds=3");
    assert!(said.contains("tables: ") && said.contains("a table of another game or version"), "{said}");
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let said = refused(&format!("strong:tables={file}"), "houses=4,seeds=3");
    assert!(said.contains("its checksum is wrong"), "{said}");
    let none = ranka(&["match", "kalah", "perfect:tables=no/such/file", "random"]).failed(ErrorKind::Storage);
    assert!(none.contains("no/such/file"), "{none}");
}

#[test]
fn memory_is_bounded() {
    let small = ["solve", "kalah", "--rules", "houses=3,seeds=2", "--memory", "1", "--value"];
    let said = ranka(&[&small[..], &["--table-bits", "31"]].concat()).refused();
    assert!(said.contains("--table-bits 31: that takes 16384 MiB, and --memory 1 leaves 1"), "{said}");
    assert_eq!(ranka(&[&small[..], &["--table-bits", "16", "--json"]].concat()).json()["value"], json!(4));
    // By its first line: there is nothing else to read.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables");
    let head = "ranka kalah endgame 1: houses=6 capture=nonempty end=either_empty leftover=owner seeds=26\n";
    std::fs::write(&path, head).unwrap();
    let said = ranka(&["solve", "kalah", "--value", "--tables", path.to_str().unwrap()]).refused();
    assert!(said.contains("a table of 26 seeds takes 1722 MiB of memory"), "{said}");
}

#[test]
fn a_bound_is_less_than_the_value() {
    let ask = |bound: &str| {
        let asked =
            ["solve", "kalah", "--rules", "houses=4,seeds=3", "--value", "--json", "--at-least", bound];
        let json = ranka(&asked).json();
        (json["lower"].as_i64().unwrap(), json["upper"].as_i64().unwrap())
    };
    for bound in -10..=10 {
        let (lower, upper) = ask(&bound.to_string());
        assert!((lower..=upper).contains(&6), "{bound}: {lower} to {upper}");
        assert!(if bound <= 6 { lower >= bound } else { upper < bound }, "{bound}: {lower} to {upper}");
    }
}

/// The most memory that a process has taken up so far, in MiB.
#[cfg(target_os = "linux")]
fn most_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB").trim();
    line.trim_end_matches(" kB").parse::<u64>().unwrap_or(0) >> 10
}

/// Starts the program, waits until it takes up `mebibytes` of memory, presses Ctrl-C, and gives the most memory that it
/// took (in MiB) and what it said.
#[cfg(target_os = "linux")]
fn interrupted(args: &[&str], mebibytes: u64) -> (u64, String) {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let mut command = Command::new(env!("CARGO_BIN_EXE_ranka"));
    let run = command.args(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let most = || most_memory(run.id());
    let begun = Instant::now();
    while most() < mebibytes {
        assert!(begun.elapsed() < Duration::from_secs(60), "{args:?} takes up {} MiB", most());
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    let taken = most();
    let asked = Command::new("kill").args(["-INT", &run.id().to_string()]).status();
    assert!(asked.is_ok_and(|status| status.success()));
    let output = run.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{args:?}: {said}");
    (taken, said)
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_tells_what_is_proven_and_no_more_memory_is_taken_than_allowed() {
    let large = ["solve", "kalah", "--rules", "seeds=6", "--endgame", "off", "--memory", "128"];
    let (taken, said) = interrupted(&[&large[..], &["--value"]].concat(), 120);
    assert!(taken < 160, "{taken} MiB");
    assert!(said.starts_with("ranka: stopped after ") && said.contains("; proven: −"), "{said}");
    assert!(said.ends_with("; the same command begins anew\n"), "{said}");
    // Which house an interval is of.
    let (_, said) = interrupted(&large, 120);
    assert!(said.contains("proven: house 1 −") && said.contains(", house 6 −"), "{said}");
    assert_eq!(said.matches("house ").count(), 6, "{said}");
}

/// More threads would take more for their buffers than the tables themselves: fewer are used then.
#[cfg(target_os = "linux")]
#[test]
fn no_more_memory_is_taken_while_tables_are_built() {
    use std::process::{Command, Stdio};
    let args = ["solve", "kalah", "--rules", "seeds=3", "--value", "--endgame", "18", "--threads", "16"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_ranka"));
    command.args(args).args(["--memory", "112"]).stdout(Stdio::null());
    let mut run = command.spawn().expect("it starts");
    let mut taken = 0;
    let status = loop {
        taken = taken.max(most_memory(run.id()));
        if let Some(status) = run.try_wait().expect("it can be waited for") {
            break status;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    assert!(status.success(), "{status}");
    // Beside the tables there is the program itself.
    assert!((58..112 + 16).contains(&taken), "{taken} MiB");
    let refused = ranka(&["solve", "kalah", "--memory", "80", "--endgame", "18"]).refused();
    assert!(refused.contains("a number of seeds 1..17 (with --memory 80)"), "{refused}");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_while_tables_are_built_says_that_all_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables");
    let args = ["solve", "kalah", "--value", "--endgame", "22", "--tables", path.to_str().unwrap()];
    let (_, said) = interrupted(&args, 20);
    let expected =
        "stopped while the endgame tables were built; nothing is kept, the same command begins anew";
    assert!(said.contains(expected), "{said}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
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
