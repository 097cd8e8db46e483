//! Experiments through the program: what is printed, what is refused, what is kept when it is stopped or killed.

use crate::run::{Said, ranka};
use ranka_core::ErrorKind;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const SMALL: &str = include_str!("lab/small.toml");

/// A folder with an experiment and a store.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn with(experiment: &str) -> Bench {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("mine.toml"), experiment).expect("a file");
        Bench { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().expect("our own names are text").to_owned()
    }

    fn args(&self, store: &str, more: &[&str]) -> Vec<String> {
        let (file, store) = (self.path("mine.toml"), self.path(store));
        let fixed = ["experiment", "run", &file, "--store", &store];
        fixed.iter().chain(more).map(|&arg| arg.to_owned()).collect()
    }

    fn run(&self, store: &str, more: &[&str]) -> Said {
        let args = self.args(store, more);
        ranka(&args.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn start(&self, store: &str, more: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ranka"));
        command.args(self.args(store, more)).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("ranka runs")
    }

    fn refused(experiment: &str) -> String {
        let bench = Bench::with(experiment);
        bench.run("store.sqlite", &[]).refused().replace(&bench.path("mine.toml"), "mine.toml")
    }
}

fn golden(name: &str, found: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/program/lab").join(name);
    if std::env::var_os("RANKA_BLESS").is_some() {
        fs::write(&path, found).expect("the golden file can be written");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "RANKA_BLESS=1 renews {}", path.display());
}

#[test]
fn an_experiment_prints_its_table() {
    let bench = Bench::with(SMALL);
    let said = bench.run("store.sqlite", &["--threads", "2"]).done();
    golden("small.txt", &said.replace(&bench.path("mine.toml"), "mine.toml"));
}

#[test]
fn any_number_of_threads_gives_the_same_and_nothing_is_played_twice() {
    let bench = Bench::with(SMALL);
    let one = bench.run("1.sqlite", &["--json", "--threads", "1"]).done();
    let four = bench.run("4.sqlite", &["--json", "--threads", "4"]).done();
    assert_eq!(one, four);
    let size = |store: &str| ranka(&["record", "list", "--store", &bench.path(store), "--json"]).done();
    let before = size("1.sqlite");
    assert_eq!(bench.run("1.sqlite", &["--json"]).done(), one);
    assert_eq!(size("1.sqlite"), before);
    // Fewer games are part of more: nothing new is played, and the figures are of the first ones.
    let fewer: Value = serde_json::from_str(&bench.run("1.sqlite", &["--json", "--quick"]).done()).unwrap();
    assert_eq!(fewer["pairings"][0]["games"], 40);
    assert_eq!(size("1.sqlite"), before);
    assert_eq!(bench.run("1.sqlite", &["--json", "--fresh"]).done(), one);
}

#[test]
fn a_report_is_written_beside_the_result() {
    let bench = Bench::with(SMALL);
    let said = bench.run("store.sqlite", &["--quick", "--out", &bench.path("report")]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.contains("index.html"), "{}", said.err);
    let read = |name: &str| fs::read_to_string(bench.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let page = read("report/mine.html");
    assert_eq!(page.matches("<svg").count(), 8);
    assert!(page.contains("Does everything that an experiment can have come out?"));
    assert!(page.contains("experiment run") && page.contains("--quick"), "the command is told");
    assert!(!page.contains("src=") && !page.contains("http-equiv"), "nothing is loaded from elsewhere");
    let elsewhere = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!elsewhere.contains("http://") && !elsewhere.contains("https://"));
    assert!(read("report/index.html").contains("mine.html"));
    assert!((1..=8).all(|n| read(&format!("report/mine/mine-{n}.svg")).starts_with("<svg")));
    let findings: Value = serde_json::from_str(&read("report/mine/mine.json")).unwrap();
    assert_eq!(findings["title"], "Small but with everything");
    // Figures of three origins: each is said to be whose it is.
    let told: Vec<&Value> =
        findings["rows"].as_array().unwrap().iter().map(|row| &row["reference"]).collect();
    let origin = |of: &&Value| of["origin"].as_str().map(str::to_owned);
    assert_eq!(told.iter().filter_map(origin).collect::<Vec<_>>(), ["paper", "paper", "solver", "trial"]);
    assert_eq!(told[0]["place"], "table 0");
    assert!(told[2]["place"].is_null(), "what an independent program computed stands in no table of a paper");
    let table = read("report/mine/mine-table.csv");
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let column = lines[0].iter().position(|&heading| heading == "reference.origin").unwrap();
    let origins: Vec<&str> = lines[1..].iter().map(|line| line[column]).filter(|of| !of.is_empty()).collect();
    assert_eq!(origins, ["paper", "paper", "independent solver", "independent trial"]);
    for cell in ["<th>origin</th>", "<td>independent solver</td>", "<td>independent trial</td>"] {
        assert!(page.contains(cell), "{cell}");
    }
    // Every link of the page leads somewhere.
    for link in page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        match link.split_once('#') {
            Some(("", place)) => assert!(page.contains(&format!("id=\"{place}\"")), "{link}"),
            _ => assert!(Path::new(&bench.path(&format!("report/{link}"))).exists(), "{link}"),
        }
    }
}

#[test]
fn malformed_files_are_refused_with_the_line() {
    let broken = |from: &str, to: &str| {
        assert!(SMALL.contains(from), "{from}");
        Bench::refused(&SMALL.replacen(from, to, 1))
    };
    let line = |text: &str| 1 + SMALL[..SMALL.find(text).expect("it is there")].matches('\n').count();
    let check = |found: String, line: usize, expected: &str| {
        assert!(found.contains(&format!("line {line}")), "line {line}: {found}");
        assert!(found.contains(expected), "{expected}: {found}");
        assert!(found.contains("mine.toml"), "{found}");
    };
    check(broken("place = ", "plaec = "), 3, "unknown key \"plaec\": did you mean place? (known: ");
    check(broken("title = \"Small", "title = Small"), 1, "");
    check(broken("\"kalah\"", "\"kalahh\""), 5, "unknown game \"kalahh\"");
    check(broken("houses=3,seeds=2", "houses=99"), 6, "houses=99: expected a whole number in 1..12");
    check(
        broken("minimax:depth={depth}", "minmax:depth={depth}"),
        line("agents = [\"minimax"),
        "unknown kalah agent \"minmax\"",
    );
    check(
        broken("minimax:depth={depth}", "minimax:depth={depth},ties={deep}"),
        line("agents = [\"minimax"),
        "{deep} is not swept over",
    );
    check(broken("\"margin\", ", "\"marign\", "), 7, "unknown kalah measure \"marign\"");
    check(
        broken("mean margin", "mean marginal"),
        line("figure = \"mean margin\""),
        "unknown recorded measure",
    );
    check(
        broken("mean margin", "average margin"),
        line("figure = \"mean margin\""),
        "expected win, draw, loss or score",
    );
    check(
        broken("pairing = \"adapting\"", "pairing = \"adaptign\""),
        line("pairing = \"adapting\""),
        "unknown pairing",
    );
    check(
        broken("kind = \"sign\"", "kind = \"sine\""),
        line("kind = \"sign\""),
        "unknown value \"sine\": did you mean sign? (known: chi-square, ",
    );
    check(
        broken("x = \"depth\"", "x = \"breadth\""),
        line("kind = \"curves\"") - 1,
        "no pairing sweeps over \"breadth\"",
    );
    check(
        broken("x = \"depth\"", "x = \"deph\""),
        line("kind = \"curves\"") - 1,
        "no pairing sweeps over \"deph\": did you mean depth?",
    );
    check(
        broken("kind = \"sign\"", "kind = \"trend\"\nx = \"deph\""),
        line("kind = \"sign\"") - 1,
        "test: trend: no pairing sweeps over two values of \"deph\": did you mean depth?",
    );
    check(
        broken("mean margin", "meen margin"),
        line("figure = \"mean margin\""),
        "figure \"meen margin\": did you mean mean? (expected win, draw, loss or score",
    );
    check(
        broken("kind = \"curves\"", "kind = \"curvs\""),
        line("kind = \"curves\""),
        "did you mean curves? (known: ",
    );
    check(broken("quick = 40, ", ""), 9, "\"quick\" is missing");
    check(
        broken("agents = [\"random\", \"random\"]", "agents = [\"random\"]"),
        line("agents = [\"random\", \"random\"]"),
        "an agent for each",
    );
    assert!(Bench::refused("").contains("is missing"));
}

#[test]
fn ctrl_c_keeps_what_was_played() {
    let bench = Bench::with(LONG);
    let run = bench.start("store.sqlite", &["--threads", "2"]);
    // However slow the machine is: it is stopped when it has something to keep.
    while kept(&bench, "store.sqlite") == 0 {
        std::thread::sleep(Duration::from_millis(50));
    }
    let asked = Command::new("kill").args(["-INT", &run.id().to_string()]).status().expect("kill runs");
    assert!(asked.success());
    let output = run.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("what was played is kept"), "{said}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("the figures are preliminary"));
    assert!(kept(&bench, "store.sqlite") > 0);
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_promises_nothing_where_nothing_is_kept() {
    for args in [
        &["levels", "try", "kalah", "level:rank=3", "--matches", "1000000"][..],
        &["levels", "calibrate", "kalah", "--games", "1000000"],
        &["levels", "slope", "kalah", "--games", "1000000"],
        &["levels", "seen", "kalah", "--games", "1000000"],
        &["puzzles", "kalah", "--count", "10000", "--games", "1000000"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ranka"));
        let run = command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while !hears_ctrl_c(run.id()) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let asked = Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
        assert!(asked.success());
        let output = run.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(130), "{args:?}: {said}");
        assert!(said.contains("nothing is kept, and the same command begins again"), "{args:?}: {said}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

/// Whether a process has something to do when it is interrupted.
#[cfg(target_os = "linux")]
fn hears_ctrl_c(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("the process runs");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("Linux tells it");
    u64::from_str_radix(caught.trim(), 16).expect("a mask") & 1 << 1 != 0
}

/// Games enough that no machine is done before it is stopped.
const LONG: &str = r#"
title = "Long"
question = "Does it survive?"
game = "kalah"
measures = ["plies", "margin"]
games = { quick = 1000, full = 1000000 }
[[pairing]]
name = "strong"
agents = ["minimax:depth=4", "random"]
games = { quick = 1000000, full = 1000000 }
"#;

fn kept(bench: &Bench, store: &str) -> u64 {
    if !Path::new(&bench.path(store)).exists() {
        return 0;
    }
    let list = ranka(&["record", "list", "--store", &bench.path(store), "--json"]).json();
    list.as_array().expect("a list").iter().map(|p| p["games"].as_u64().unwrap_or(0)).sum()
}

/// `RANKA_KILLS` says how often each number of threads is killed.
#[test]
fn killed_at_any_moment_it_ends_in_the_same_table() {
    let kills =
        std::env::var("RANKA_KILLS").map_or(12, |kills| kills.parse().expect("RANKA_KILLS is a number"));
    let games = 50 * kills;
    let size = ["--games", &games.to_string()];
    let bench = Bench::with(&LONG.replace("games = { quick = 1000000, full = 1000000 }", ""));
    let whole = bench.run("whole.sqlite", &[&size[..], &["--json"]].concat()).done();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for threads in ["1", "2", "4"] {
        let store = format!("{threads}.sqlite");
        let mut last = 0;
        let mut cut_short = 0;
        for _ in 0..kills {
            let mut run = bench.start(&store, &[&size[..], &["--threads", threads]].concat());
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            std::thread::sleep(Duration::from_millis(5 + (random >> 33) % 120));
            run.kill().expect("it can be killed");
            run.wait().expect("it is gone");
            let now = kept(&bench, &store);
            assert!(now >= last, "games that were kept are lost: {now} after {last}");
            cut_short += u64::from(now < games);
            last = now;
        }
        assert!(cut_short > 0, "no run was cut short: give it more games");
        let resumed = bench.run(&store, &[&size[..], &["--json", "--threads", threads]].concat()).done();
        assert_eq!(resumed, whole, "{threads} threads");
    }
}

#[test]
fn the_papers_are_listed_and_their_files_can_be_had() {
    let list = ranka(&["reproduce", "--list"]).done();
    assert!(list.contains("kalah/table-1-n3m3"));
    let file = ranka(&["experiment", "show", "kalah/table-1-n3m3"]).done();
    assert!(file.starts_with("title = "));
    assert!(ranka(&["reproduce", "kalha"]).failed(ErrorKind::NotFound).contains("did you mean kalah"));
    assert!(ranka(&["reproduce", "kalah/tabel-1"]).failed(ErrorKind::NotFound).contains("table-1"));
    let schema = ranka(&["experiment", "schema"]).json();
    assert_eq!(schema["additionalProperties"], false);
}

#[test]
fn another_seed_is_another_experiment() {
    let bench = Bench::with(SMALL);
    let json = |more: &[&str]| bench.run("seeds.sqlite", &[&["--json", "--quick"], more].concat()).done();
    let usual = json(&[]);
    assert_eq!(json(&[]), usual);
    let other = json(&["--seed", "987654"]);
    assert_ne!(other, usual);
    assert_eq!(json(&["--seed", "987654"]), other);
}
