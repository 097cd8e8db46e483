//! `ranka tournament`: standings, ratings and cross table, from the store where it has the games.

use crate::run::ranka;
use std::path::Path;

const AGENTS: [&str; 5] = ["tournament", "kalah", "random", "minimax:depth=3", "minimax:depth=1"];

fn args<'a>(store: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let store = store.to_str().expect("our own names are text");
    [&AGENTS[..], &["--rules", "houses=4,seeds=3", "--games", "39", "--seed", "3", "--store", store], more]
        .concat()
}

#[test]
fn the_stronger_stand_higher_and_all_is_consistent() {
    let folder = tempfile::tempdir().unwrap();
    let json = ranka(&args(&folder.path().join("store"), &["--json"])).json();
    let league = &json["league"];
    let table = league["table"].as_array().unwrap();
    let names: Vec<&str> = table.iter().map(|standing| standing["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["minimax:depth=3", "minimax:depth=1", "random"]);
    for standing in table {
        let [won, drawn, lost] = [0, 1, 2].map(|i| standing["results"][i].as_u64().unwrap());
        assert_eq!(won + drawn + lost, 80, "pairs are not divided: 40 games against each of two");
        assert_eq!(standing["points"].as_f64().unwrap(), (3 * won + drawn) as f64);
    }
    let elo: Vec<f64> =
        league["ratings"].as_array().unwrap().iter().map(|rating| rating["elo"].as_f64().unwrap()).collect();
    assert!(elo.is_sorted_by(|a, b| a > b) && elo.iter().sum::<f64>().abs() < 1e-6, "{elo:?}");
    for a in 0..3 {
        assert!(league["cross"][a][a].is_null());
        for b in (0..3).filter(|&b| b != a) {
            let [one, other] = [(a, b), (b, a)].map(|(a, b)| league["cross"][a][b].as_f64().unwrap());
            assert!((one + other - 1.0).abs() < 1e-12);
        }
    }
    assert_eq!(json["pairings"].as_array().unwrap().len(), 3);
}

#[test]
fn it_goes_on_where_it_was_and_threads_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    let whole = ranka(&args(&one, &["--threads", "1"])).done();
    let and_from_store = |had: u64| format!("{whole}{had} of 120 games from the store.\n");
    assert_eq!(ranka(&args(&one, &[])).done(), and_from_store(120));
    ranka(&args(&two, &["--games", "7"])).refused(); // given twice
    let two = two.to_str().unwrap();
    let fewer =
        [&AGENTS[..], &["--rules", "houses=4,seeds=3", "--games", "7", "--seed", "3", "--store", two]]
            .concat();
    ranka(&fewer).done();
    assert_eq!(ranka(&args(Path::new(two), &["--threads", "2"])).done(), and_from_store(24));
}

#[test]
fn the_table_for_people() {
    let folder = tempfile::tempdir().unwrap();
    let told = ranka(&args(&folder.path().join("store"), &["--final-of", "2", "--final-games", "4"])).done();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "Kalah (houses=4,seeds=3): round robin of 3  tournament");
    assert!(lines[1].contains("3 pairings of 40 games, seats swapped, seed 3"), "{told}");
    let heading: Vec<&str> = lines[3].split_whitespace().collect();
    assert_eq!(heading, ["agent", "points", "won", "drawn", "lost", "score", "rating", "1", "2", "3"]);
    assert!(lines[4].starts_with("1  minimax:depth=3 ") && lines[6].starts_with("3  random "), "{told}");
    let last = lines.iter().position(|line| line.starts_with("final ")).unwrap();
    assert!(
        lines[last + 1].starts_with("minimax:depth=") && lines[last + 2].starts_with("minimax:depth="),
        "{told}"
    );
    let explained = "3 points for a win, 1 for a draw, 0 for a loss. Columns 1 to 3: the score against";
    assert!(lines.iter().any(|line| line.starts_with(explained)), "{told}");
    assert!(lines.iter().all(|line| line.chars().count() <= 120), "{told}");
}

#[test]
fn tables_of_three_take_every_choice_of_three() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let agents = ["tournament", "labyrinth", "random", "random-original", "saboteur", "static"];
    let more = [
        "--rules",
        "players=3",
        "--games",
        "3",
        "--ply-cap",
        "30",
        "--store",
        store.to_str().unwrap(),
        "--json",
    ];
    let json = ranka(&[&agents[..], &more].concat()).json();
    assert_eq!(json["pairings"].as_array().unwrap().len(), 4);
    assert!(json["league"]["ratings"].as_array().unwrap().is_empty());
    assert!(json["league"]["table"].as_array().unwrap().iter().all(|standing| standing["games"] == 9));
}

#[test]
fn nonsense_is_refused() {
    let refused = |more: &[&str]| ranka(&[&["tournament", "kalah"], more].concat()).refused();
    assert_eq!(refused(&["random"]), "ranka: give at least 2 agents; given: 1\n");
    assert_eq!(refused(&["random", "random"]), "ranka: random is there twice: give each agent once\n");
    assert!(refused(&["random", "minmax"]).contains("did you mean minimax?"));
    assert!(refused(&["random", "minimax", "--final-of", "3"]).contains("a final of 3 among 2 agents"));
    assert!(refused(&["random", "minimax", "--points", "3,1"]).contains("expected three numbers"));
    assert!(refused(&["random", "minimax", "--final-games", "3"]).contains("--final-of"));
}

#[test]
fn a_tournament_writes_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report");
    let said = ranka(&args(&folder.path().join("store"), &["--out", out.to_str().unwrap()]));
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.complaint().starts_with("The report is in "), "{}", said.err);
    let page = std::fs::read_to_string(out.join("tournament.html")).unwrap();
    assert!(page.contains("minimax") && page.contains("random"), "{page}");
    for file in [
        "index.html",
        "tournament/tournament.csv",
        "tournament/tournament.parquet",
        "tournament/tournament.json",
    ] {
        assert!(out.join(file).is_file(), "{file} is missing");
    }
    let table = std::fs::read_to_string(out.join("tournament/tournament-table.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 4, "a line for each agent: {table}");
    assert!(
        lines[0].starts_with("place,agent,points,games,won,drawn,lost,score,rating,rating.error,"),
        "{table}"
    );
    assert!(lines[1].starts_with("1,minimax:depth=3,") && lines[3].starts_with("3,random,"), "{table}");
}
