//! What is told of a sweep and of its tables: intervals of one kind, trends, sizes, and compact and LaTeX forms.
#![allow(clippy::unwrap_used)]

use ranka_lab::experiment::{Experiment, Findings, PlayedExperiment, ReferenceFigure, RowFinding, Run, Size};
use ranka_lab::papers::Paper;
use ranka_lab::report::{Made, Report, Section};
use ranka_lab::stats::wilson;
use ranka_lab::words::statistic;
use ranka_lab::{Compact, LONG, Origin, Runner, Store};
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn run(source: &str, size: Size) -> (Experiment, PlayedExperiment, Findings, Store) {
    let experiment = Experiment::parse("test.toml", source).unwrap_or_else(|e| panic!("{e}"));
    let runner = Runner { threads: 2, cancel: &GO_ON };
    let how = Run { size, runner, fresh: false, any_version: false };
    let mut store = Store::in_memory().unwrap();
    let played = how.play(&experiment, &mut store, &mut |_| {}).unwrap();
    let findings = Findings::of(&experiment, size, &played).unwrap();
    (experiment, played, findings, store)
}

/// A sweep over depths, with what else a file is to say.
fn sweep(depths: &str, more: &str) -> String {
    format!(
        "title = \"A sweep\"\nquestion = \"Does depth help?\"\ngame = \"kalah\"\nrules = \"houses=3,seeds=3\"\n\
         games = {{ quick = 200, full = 400 }}\nmeasures = [\"margin\"]\nfigures = [\"score\", \"win\", \"loss\"]\n{more}\n\
         [[pairing]]\nname = \"depth {{depth}}\"\nagents = [\"minimax:depth={{depth}}\", \"random\"]\n\
         sweep = {{ depth = {depths} }}\n"
    )
}

#[test]
fn score_and_win_have_intervals_of_one_kind() {
    let (_, _, findings, _) = run(&sweep("[1, 4]", "seats = \"swapped\""), Size::Quick);
    for pairing in 0..2 {
        let rows: Vec<_> = findings.rows.iter().filter(|row| row.pairing == pairing).collect();
        let [score, win, loss] = rows[..] else { panic!("three rows") };
        // Wins and losses are the two sides of a score without draws; with few draws nearly so. What counts is the pair.
        let width = |row: &RowFinding| row.measured.interval[1] - row.measured.interval[0];
        let share = win.measured.value.unwrap();
        let by_game = wilson((share * 200.0).round() as u64, 200, 0.95);
        assert!((width(win) / width(score) - 1.0).abs() < 0.25, "{win:?} {score:?}");
        assert!((width(win) - (by_game[1] - by_game[0])).abs() > 1e-6, "pairs are not games: {win:?}");
        assert!(width(loss) > 0.0 && loss.measured.interval[0] >= 0.0);
    }
    // Where every game has a deal of its own it is Wilson's.
    let (_, _, findings, _) = run(&sweep("[2]", "seats = \"random\""), Size::Quick);
    let win = findings.rows.iter().find(|row| row.figure == "win").unwrap();
    let wins = (win.measured.value.unwrap() * 200.0).round() as u64;
    assert_eq!(win.measured.interval, wilson(wins, 200, 0.95));
}

#[test]
fn a_trend_is_found_where_there_is_one() {
    let tests = "\n[[test]]\nkind = \"trend\"\nx = \"depth\"\n\n[[test]]\nkind = \"trend\"\nx = \"depth\"\ny = \"mean margin\"\n\
                 \n[[test]]\nkind = \"sign\"\n";
    let (_, _, findings, _) = run(&format!("{}{tests}", sweep("[6, 1, 3]", "")), Size::Quick);
    let [score, margin, sign, ..] = &findings.tests[..] else { panic!("{:?}", findings.tests) };
    assert_eq!([&score.label, &margin.label], ["depth: score by depth", "depth: mean margin by depth"]);
    assert_eq!((score.symbol, score.n), ("z", 600));
    assert!(
        score.statistic > 4.0 && score.significant,
        "deeper is better, whatever the file's order: {score:?}"
    );
    assert!(margin.statistic > 4.0, "{margin:?}");
    let (won, decided) = (sign.statistic, sign.n);
    assert!(decided <= 200 && won < decided as f64);
    assert_eq!(statistic(sign), format!("wins {won} of {decided} decided"));
    // Random is no stronger than itself, with however many seeds.
    let even = "agents = [\"random\", \"random\"]\nrules = \"houses=3,seeds={depth}\"";
    let even = sweep("[1, 2, 3]", "").replace("agents = [\"minimax:depth={depth}\", \"random\"]", even);
    let (_, _, findings, _) = run(&format!("{even}{tests}"), Size::Quick);
    assert!(findings.tests[0].p > 0.01, "{:?}", findings.tests[0]);
}

#[test]
fn a_trend_needs_a_sweep() {
    let refused = |test: &str, depths: &str| {
        Experiment::parse("test.toml", &format!("{}{test}", sweep(depths, ""))).err().unwrap().to_string()
    };
    let trend = "\n[[test]]\nkind = \"trend\"\n";
    assert!(refused(trend, "[1, 2]").contains("test: trend: name x, the sweep's key"));
    assert!(
        refused(&format!("{trend}x = \"width\"\n"), "[1, 2]")
            .contains("no pairing sweeps over two values of \"width\"")
    );
    assert!(refused(&format!("{trend}x = \"depth\"\n"), "[1]").contains("no pairing sweeps over two values"));
    assert!(refused(&format!("{trend}x = \"depth\"\ny = \"mean seeds\"\n"), "[1, 2]").contains("seeds"));
    let two = "reference = [{ significant = true, origin = \"trial\" }, { significant = true, origin = \"trial\" }]\n";
    assert!(refused(&format!("{trend}x = \"depth\"\n{two}"), "[1, 2]").contains("2 references for 1 curves"));
}

#[test]
fn only_a_paper_has_a_papers_size() {
    let (_, _, findings, _) = run(&sweep("[1]", ""), Size::Paper);
    assert_eq!((findings.size.as_str(), findings.pairings[0].games), ("default", 200));
    let of_a_paper = sweep("[1]", "").replace("quick = 200,", "quick = 200, paper = 20,");
    let (_, _, findings, _) = run(&of_a_paper, Size::Paper);
    assert_eq!((findings.size.as_str(), findings.pairings[0].games), ("the paper's size", 20));
}

#[test]
fn compact_tables_say_whose_figures_they_compare_with() {
    let (_, _, findings, _) = run(&sweep("[1, 2, 3]", ""), Size::Games(4));
    let mut rows: Vec<_> = findings.rows.into_iter().filter(|row| row.figure == "win").collect();
    let compared = |rows: &[RowFinding]| {
        let compact = Compact::of(rows);
        let [column] = &compact.columns[..] else { panic!("one figure, one column") };
        let cells: Vec<String> = rows.iter().map(|row| column.cell(row)).collect();
        let told = |cell: &String| cell.split_once('(').map(|(_, told)| told.to_owned());
        (column.heading.clone(), cells.iter().map(told).collect::<Vec<_>>())
    };
    assert_eq!(compared(&rows), ("win".to_owned(), vec![None, None, None]));
    let reference = |origin| ReferenceFigure { value: 0.719, n: None, origin, place: None };
    rows[0].reference = Some(reference(Origin::Solver));
    rows[1].reference = Some(reference(Origin::Solver));
    let alike = Some("71.9)".to_owned());
    assert_eq!(compared(&rows), ("win (independent solver)".to_owned(), vec![alike.clone(), alike, None]));
    rows[1].reference = Some(reference(Origin::Paper));
    rows[2].computed = Some(0.5);
    let own = ["independent solver 71.9)", "paper 71.9)", "computed 50.0)"].map(|told| Some(told.to_owned()));
    assert_eq!(compared(&rows), ("win".to_owned(), own.to_vec()));
}

#[test]
fn long_tables_are_folded_and_every_link_of_the_report_leads_somewhere() {
    let depths = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]";
    let source = format!("{}\n[[test]]\nkind = \"trend\"\nx = \"depth\"\n", sweep(depths, ""));
    let (experiment, played, findings, store) = run(&source, Size::Games(4));
    assert!(findings.rows.len() > LONG);
    let compact = Compact::of(&findings.rows);
    let headings: Vec<&str> = compact.columns.iter().map(|column| column.heading.as_str()).collect();
    assert_eq!((&headings[..], compact.lines.len()), (&["score", "win", "loss"][..], 11));
    assert!(compact.lines.iter().all(|line| line.cells.iter().all(Option::is_some)));
    let shown: usize = compact.lines.iter().map(|line| line.cells.iter().flatten().count()).sum();
    assert_eq!(shown, findings.rows.len(), "nothing is lost");
    let first = &findings.rows[0];
    let cell = compact.columns[0].cell(first);
    assert!(cell.starts_with(&format!("{:.1} ± ", 100.0 * first.measured.value.unwrap())), "{cell}");

    let folder = tempfile::tempdir().unwrap();
    let paper = Paper::of_one("mine", &experiment);
    let section = Section { findings, drawings: Vec::new(), source };
    section.write_games(&folder.path().join(&paper.name), &experiment, &played, &store).unwrap();
    let report = Report { paper, sections: vec![section], made: Made::now("ranka".to_owned()) };
    report.write(folder.path()).unwrap();
    let page = report.html();
    assert!(page.contains("<summary>All 33 rows</summary>"), "{page}");
    let files: Vec<&str> = page
        .split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|link| link.starts_with("mine/"))
        .collect();
    let endings = [".csv", ".parquet", "-columns.csv", "-table.csv", "-table.tex", ".json"];
    assert_eq!(files, endings.map(|ending| format!("mine/test{ending}")));
    for link in files {
        assert!(folder.path().join(link).metadata().unwrap().len() > 0, "{link}");
    }
    let tex = std::fs::read_to_string(folder.path().join("mine/test-table.tex")).unwrap();
    assert_eq!(tex.matches("\\begin{tabular}").count(), 2, "rows and tests: {tex}");
    assert!(tex.contains("\\label{tab:test-tests}") && tex.contains("depth: score by depth"), "{tex}");
    let table = std::fs::read_to_string(folder.path().join("mine/test-table.csv")).unwrap();
    assert!(table.starts_with("pairing,sweep.depth,agent0.name,agent1.name,label,"), "{table}");
    assert!(table.contains("\ndepth 11,11,minimax:depth=11,random,depth 11,score,"), "{table}");
}
