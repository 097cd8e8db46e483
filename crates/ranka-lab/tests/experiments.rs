//! Experiments without the program: shards in any order, verdicts, round robins, teams, permuted seats.
#![allow(clippy::unwrap_used)]

use ranka_core::{Error, Seed};
use ranka_lab::experiment::{Experiment, Findings, PlayedExperiment, Run, Size, Verdict, draw};
use ranka_lab::papers::Paper;
use ranka_lab::report::{Made, Report, Section};
use ranka_lab::{GameLimits, Pairing, Runner, Seating, Shard, Store};
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);
const RUNNER: Runner<'_> = Runner { threads: 2, cancel: &GO_ON };

fn run(source: &str, size: Size) -> (Experiment, PlayedExperiment, Findings) {
    let experiment = Experiment::parse("test.toml", source).unwrap_or_else(|e| panic!("{e}"));
    let mut store = Store::in_memory().unwrap();
    let how = Run { size, runner: RUNNER, fresh: false, any_version: false };
    let played = how.play(&experiment, &mut store, &mut |_| {}).unwrap();
    let findings = Findings::of(&experiment, size, &played).unwrap();
    assert!(findings.complete);
    (experiment, played, findings)
}

fn found(source: &str, size: Size) -> Findings {
    run(source, size).2
}

#[test]
fn shards_merge_to_the_same_in_any_order() {
    let game = ranka_games::game("geister").unwrap().open("").unwrap();
    let agents = vec![game.agent("random").unwrap(), game.agent("blue-rush").unwrap()];
    let pairing = Pairing::new(
        game,
        agents,
        Seating::Swapped,
        Seed::new(4),
        GameLimits::default(),
        &["plies".to_owned()],
    )
    .unwrap();
    let stored = |shards: &[(u64, u64)]| {
        let mut store = Store::in_memory().unwrap();
        let key = store.key(&pairing).unwrap();
        for &(first, count) in shards {
            let games = Shard { pairing: &pairing, first, count }.run(&GO_ON);
            store.add(games.iter().map(|(number, game)| (key, *number, game))).unwrap();
        }
        let records: Vec<_> = (0..24).map(|number| store.record(key, number).unwrap().unwrap()).collect();
        (store.results(key, 24).unwrap(), records)
    };
    let whole = stored(&[(0, 24)]);
    assert_eq!(stored(&[(18, 6), (0, 1), (5, 13), (1, 4)]), whole);
    // Shards that overlap do no harm.
    assert_eq!(stored(&[(10, 14), (0, 12)]), whole);
}

const VERDICTS: &str = r#"
title = "Verdicts"
question = "Are they right?"
game = "kalah"
rules = "houses=3,seeds=3"
seats = "random"
games = { quick = 60, full = 6000 }
figures = ["win"]
[[pairing]]
name = "right"
agents = ["minimax:depth=1", "random"]
published = [{ figure = "win", value = 0.5695 }]
[[pairing]]
name = "wrong"
agents = ["minimax:depth=2", "random"]
published = [{ figure = "win", value = 0.5695 }]
[[pairing]]
name = "right within the paper's own error"
agents = ["minimax:depth=3", "random"]
published = [{ counts = [15, 1, 4] }]
[[pairing]]
name = "computed"
agents = ["minimax:depth=4", "random"]
exact = true
[[pairing]]
name = "control"
agents = ["minimax:depth=4", "minimax:depth=4"]
control = true
published = [{ figure = "score", value = 0.5 }]
"#;

#[test]
fn verdicts_are_right_and_wait_for_enough_games() {
    let verdicts = |size| {
        let rows = found(VERDICTS, size).rows;
        rows.iter().map(|row| (row.label.clone(), row.figure.clone(), row.verdict)).collect::<Vec<_>>()
    };
    let of = |found: &[(String, String, Verdict)], label: &str, figure: &str| {
        found.iter().find(|(l, f, _)| l == label && f == figure).unwrap().2
    };
    let full = verdicts(Size::Full);
    assert_eq!(of(&full, "right", "win"), Verdict::Agrees);
    assert_eq!(of(&full, "wrong", "win"), Verdict::Differs);
    assert_eq!(of(&full, "right within the paper's own error", "win"), Verdict::Agrees);
    assert_eq!(of(&full, "computed", "win"), Verdict::Agrees);
    assert_eq!(of(&full, "control", "score"), Verdict::Agrees);
    let quick = verdicts(Size::Quick);
    assert_eq!(of(&quick, "right", "win"), Verdict::TooFew);
}

#[test]
fn computed_chances_are_those_of_the_exact_tables() {
    let rows = found(VERDICTS, Size::Quick).rows;
    let computed = rows.iter().find(|row| row.label == "computed").unwrap().computed.unwrap();
    assert!((computed - 0.8134).abs() < 5e-5, "{computed}");
}

#[test]
fn a_round_robin_has_standings_ratings_and_a_final() {
    let findings = found(
        r#"
title = "League"
question = "Who is first?"
game = "kalah"
rules = "houses=4,seeds=2"
games = { quick = 20, full = 20 }
[round-robin]
agents = ["random", "minimax:depth=1", "minimax:depth=4"]
names = ["Random", "One", "Four"]
final-of = 2
final-games = 4
"#,
        Size::Quick,
    );
    let league = findings.round_robin.unwrap();
    let names: Vec<&str> = league.table.iter().map(|standing| standing.name.as_str()).collect();
    assert_eq!(names, ["Four", "One", "Random"]);
    for standing in &league.table {
        let [won, drawn, lost] = <[u64; 3]>::from(standing.results);
        assert_eq!(standing.points, (3 * won + drawn) as f64);
        assert_eq!((won + drawn + lost, standing.games), (40, 40));
    }
    assert!(league.ratings[0].elo > league.ratings[1].elo && league.ratings[1].elo > league.ratings[2].elo);
    assert!(league.ratings.iter().all(|rating| rating.error > 0.0 && rating.simulated_error > 0.0));
    for place in 0..3 {
        assert_eq!(league.cross[place][place], None);
        for other in (0..3).filter(|&other| other != place) {
            let both = league.cross[place][other].unwrap() + league.cross[other][place].unwrap();
            assert!((both - 1.0).abs() < 1e-12);
        }
    }
    assert_eq!(league.finale.iter().map(|standing| standing.games).collect::<Vec<_>>(), [4, 4]);
    assert!(league.finale.iter().all(|standing| standing.name != "Random"));
}

#[test]
fn four_players_in_teams_sit_in_all_orders() {
    let (experiment, played, findings) = run(
        r#"
title = "Teams"
question = "Is it even?"
game = "labyrinth"
rules = "players=4,cards-per-player=1"
seats = "permuted"
ply-cap = 400
measures = ["plies"]
games = { quick = 60, full = 60 }
figures = ["score", "win", "mean plies"]
[[pairing]]
name = "two and two"
agents = ["random", "random", "random-original", "random-original"]
teams = [[0, 1], [2, 3]]
[[plot]]
kind = "cumulative"
title = "Wins"
pairing = "two and two"
step = 6
"#,
        Size::Quick,
    );
    assert_eq!(experiment.pairings[0].pairing.games_of_a_deal(), 6);
    let games = played.pairings[0].counted();
    for deal in games.chunks(6) {
        let mut orders: Vec<Vec<bool>> =
            deal.iter().map(|game| game.agents.iter().map(|&agent| agent < 2).collect()).collect();
        orders.sort();
        orders.dedup();
        assert_eq!(orders.len(), 6, "every way to seat two and two");
    }
    let pairing = &findings.pairings[0];
    assert_eq!(pairing.results.games(), 60);
    let sum: f64 = games.iter().map(|game| game.score(0) + game.score(1)).sum();
    assert!((pairing.score.value.unwrap() - sum / 60.0).abs() < 1e-12);
    let [low, high] = pairing.score.interval;
    assert!(low < pairing.score.value.unwrap() && pairing.score.value.unwrap() < high);
    assert_eq!(draw(&experiment, &played, &findings).unwrap().len(), 1);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |change: (&str, &str)| -> Error {
        assert!(VERDICTS.contains(change.0));
        Experiment::parse("test.toml", &VERDICTS.replacen(change.0, change.1, 1)).err().unwrap()
    };
    let check = |from: &str, to: &str, expected: &str| {
        let error = refused((from, to)).to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    };
    check("name = \"wrong\"", "name = \"right\"", "names must differ");
    check("counts = [15, 1, 4]", "counts = [0, 0, 0]", "no games");
    check(
        "counts = [15, 1, 4]",
        "counts = [9223372036854775807, 9223372036854775807, 9223372036854775807]",
        "more than",
    );
    check("counts = [15, 1, 4]", "value = 0.5", "give either counts");
    check("control = true", "teams = [[0], [0, 1]]", "exactly one");
    check("control = true", "teams = [[0, 1], []]", "exactly one");
    check("quick = 60", "quick = 0", "there are no games");
    check("quick = 60", "quick = 9223372036854775807", "expected 1 to");
    check("value = 0.5695", "value = nan", "a share from 0 to 1");
    check("value = 0.5695", "value = 56.95", "a share from 0 to 1");
    check("value = 0.5695", "value = 0.5695, n = 0", "n = 0");
    check("value = 0.5695", "value = 0.5695, at = { depth = 3 }", "fits no value of the sweep");
    check(
        "figure = \"win\", value = 0.5695",
        "figure = \"win@3\", value = 0.5695",
        "no agent or team number 3",
    );
    check(
        "published = [{ figure = \"win\", value = 0.5695 }]",
        "reference = [{ figure = \"win\", value = 0.5, origin = \"trial\" }]\npublished = [{ figure = \"win\", value = 0.6 }]",
        "given twice",
    );
    check(
        "[\"minimax:depth=4\", \"minimax:depth=4\"]",
        "[\"minimax:depth=4\", \"random\"]",
        "against itself",
    );
    check("exact = true", "sweep = { depth = [] }", "has no values");
    check("exact = true", "sweep = { depth = [1, 2] }", "changes neither agents nor rules");
    let with = |more: &str| {
        let error = Experiment::parse("test.toml", &format!("{VERDICTS}{more}")).err().unwrap();
        error.to_string()
    };
    let row =
        |more: &str| with(&format!("[[row]]\npairing = \"right\"\nlabel = \"x\"\nfigure = \"win\"\n{more}"));
    assert!(row("when = { first = 9 }").contains("number 9"));
    assert!(row("tolerance = nan").contains("tolerance"));
    assert!(row("published = { value = 0.5, figure = \"win\" }").contains("a row has a value"));
    assert!(with("[[test]]\nkind = \"sign\"\nlevel = 7.0").contains("between 0 and 1"));
}

const ORIGINS: &str = r#"
title = "Origins"
question = "Whose figure is it?"
place = "table 9"
game = "kalah"
rules = "houses=3,seeds=3"
games = { quick = 20, full = 20 }
figures = ["win"]
[[pairing]]
name = "one"
agents = ["minimax:depth=1", "random"]
exact = true
reference = [{ figure = "win", value = 0.5695 }]
[[row]]
pairing = "one"
label = "row"
figure = "loss"
reference = { value = 0.3267 }
[[test]]
kind = "normal"
reference = [{ significant = true }]
[[plot]]
kind = "rates"
title = "Rates"
figure = "win"
"#;

#[test]
fn a_figure_is_called_by_its_origin_wherever_it_is_shown() {
    for (origin, label) in
        [("paper", "paper"), ("solver", "independent solver"), ("trial", "independent trial")]
    {
        let source = format!("origin = \"{origin}\"\n{ORIGINS}");
        let (experiment, played, findings) = run(&source, Size::Quick);
        assert_eq!(experiment.origins().heading(), Some(label));
        for row in &findings.rows {
            let reference = row.reference.as_ref().unwrap();
            assert_eq!(reference.origin.label(), label);
            // What is not the paper's does not stand in the paper.
            assert_eq!(reference.place.as_deref(), (origin == "paper").then_some("table 9"));
        }
        let drawings = draw(&experiment, &played, &findings).unwrap();
        assert!(drawings[0].svg.contains(&format!(">{label}</text>")), "the legend says {label}");
        let paper = Paper::of_one("mine", &experiment);
        let section = Section { findings, drawings: Vec::new(), source: String::new() };
        let page = Report { paper, sections: vec![section], made: Made::now(String::new()) }.html();
        assert!(page.contains(&format!("<th class=\"n\">{label}</th>")), "the table's column says {label}");
        assert!(page.contains(&format!("<th>{label}</th>")), "the tests' column says {label}");
        assert!(!page.contains("published"));
    }
}

#[test]
fn every_reference_has_an_origin_and_published_means_the_papers() {
    let refused = |source: &str| Experiment::parse("test.toml", source).err().unwrap().to_string();
    let line = 1 + ORIGINS[..ORIGINS.find("reference").unwrap()].matches('\n').count();
    let message = refused(ORIGINS);
    assert!(
        message.contains(&format!("line {line}")) && message.contains("whose figure is it?"),
        "{message}"
    );
    let own = ORIGINS.replacen("value = 0.5695", "value = 0.5695, origin = \"solver\"", 1);
    assert!(refused(&own).contains("whose figure is it?"), "the row's has none either");
    let own = own.replacen("value = 0.3267", "value = 0.3267, origin = \"trial\"", 1);
    assert!(refused(&own).contains("whose figure is it?"), "nor the test's");
    let own = own.replacen("significant = true", "significant = true, origin = \"paper\"", 1);
    let origins = Experiment::parse("test.toml", &own).unwrap_or_else(|e| panic!("{e}")).origins();
    assert_eq!((origins.heading(), origins.iter().count()), (Some("reference"), 3));
    assert!(
        refused(&own.replace("\"trial\"", "\"hearsay\""))
            .contains("unknown value \"hearsay\" (known: paper, solver, trial)")
    );
    // Files from before there were origins, even where others are the rule.
    let old = format!("origin = \"trial\"\n{}", ORIGINS.replace("reference = ", "published = "));
    let origins = Experiment::parse("test.toml", &old).unwrap_or_else(|e| panic!("{e}")).origins();
    assert_eq!(origins.heading(), Some("paper"));
    let both = old.replacen("label = \"row\"", "label = \"row\"\nreference = { value = 0.5 }", 1);
    assert!(refused(&both).contains("reference or published, not both"));
}

#[test]
fn a_row_that_no_game_answers_is_not_passed_over() {
    let source = format!(
        "{VERDICTS}[[row]]\npairing = \"right\"\nlabel = \"none\"\nfigure = \"ratio plies / nothing\"\npublished = {{ value = 3.0 }}"
    );
    let source =
        source.replace("figures = [\"win\"]", "figures = [\"win\"]\nmeasures = [\"plies\", \"nodes\"]");
    // The random player looks at nothing, so there is nothing to divide by.
    let source = source.replace("plies / nothing", "plies / nodes@1");
    let rows = found(&source, Size::Quick).rows;
    let row = rows.iter().find(|row| row.label == "none").unwrap();
    assert_eq!((row.measured.value, row.verdict), (None, Verdict::TooFew));
}

#[test]
fn games_that_leave_nothing_to_chance_count_once() {
    let source = VERDICTS
        .replace("\"random\"]", "\"minimax:depth=3,ties=first\"]")
        .replace(":depth=1", ":depth=1,ties=first");
    for (seats, orders) in [("swapped", 2), ("fixed", 1), ("permuted", 2), ("random", 2)] {
        let source = source.replace("seats = \"random\"", &format!("seats = \"{seats}\""));
        let findings = found(&source, Size::Quick);
        let pairing = &findings.pairings[0];
        assert!(pairing.all_alike, "{seats}");
        assert_eq!(pairing.games, 60);
        let row = &findings.rows[0];
        assert_eq!((row.measured.n, row.verdict), (orders, Verdict::TooFew), "{seats}");
        assert!(!findings.pairings.last().unwrap().all_alike, "uniform ties leave something to chance");
    }
}

#[test]
fn a_round_robin_gives_no_points_for_repetitions() {
    let source = r#"
title = "League"
question = "Who is first?"
game = "kalah"
rules = "houses=3,seeds=3"
games = { quick = 200, full = 200 }
[round-robin]
agents = ["minimax:depth=4,ties=first", "minimax:depth=1,ties=first", "random"]
names = ["Four", "One", "Random"]
final-of = 2
final-games = 40
"#;
    let league = found(source, Size::Quick).round_robin.unwrap();
    let games = |name: &str| league.table.iter().find(|standing| standing.name == name).unwrap().games;
    assert_eq!(["Four", "One", "Random"].map(games), [202, 202, 400]);
    assert!(league.table.iter().all(|standing| standing.results.games() == standing.games));
    // Having met everybody in games that count is no merit.
    assert_eq!(league.table[0].name, "Four");
    assert!(league.finale.iter().all(|standing| standing.games == 2), "{:?}", league.finale);
}

#[test]
fn a_plot_of_chances_tells_of_the_games_in_it() {
    let source = |measure: &str| {
        format!(
            r#"
title = "Chances"
question = "Does it score as it says?"
game = "kalah"
rules = "houses=3,seeds=3"
games = {{ quick = 20, full = 20 }}
measures = ["plies", "value", "chance"]
[[pairing]]
name = "one"
agents = ["uct:playouts=10", "minimax:depth=3"]
[[plot]]
kind = "reliability"
title = "What it said"
measure = "{measure}"
when = {{ winner = 1 }}
"#
        )
    };
    let drawn = |measure: &str| {
        let (experiment, played, findings) = run(&source(measure), Size::Quick);
        let lost = played.pairings[0].counted().iter();
        let lost = lost.filter(|game| game.scores[usize::from(game.agents[0] == 0)] == 1.0).count();
        assert!(0 < lost && lost < 20, "{lost}");
        (lost, draw(&experiment, &played, &findings).unwrap().remove(0).svg)
    };
    let (lost, svg) = drawn("chance");
    assert!(svg.contains(&format!("n = {lost} games each: minimax:depth=3 wins; bars")), "{svg}");
    assert!(!svg.contains("left out"), "{svg}");
    // Who searches without chances is sure of what it sees to the end.
    assert!(!drawn("chance@1").1.contains("left out"));
    // On a scale of its own it says what no chance is.
    assert!(drawn("value@1").1.contains("outside 0 to 1"));
    let refused = Experiment::parse("test.toml", &source("plies")).err().unwrap().to_string();
    assert!(refused.contains("measure \"plies\": it is not recorded by ply and seat"), "{refused}");
}

#[test]
fn playing_again_forgets_no_more_than_it_plays() {
    let experiment = Experiment::parse("test.toml", VERDICTS).unwrap_or_else(|e| panic!("{e}"));
    let mut store = Store::in_memory().unwrap();
    let mut play = |games, fresh| {
        let how = Run { size: Size::Games(games), runner: RUNNER, fresh, any_version: false };
        how.play(&experiment, &mut store, &mut |_| {}).unwrap();
        store.pairings().unwrap().iter().map(|pairing| pairing.games).collect::<Vec<_>>()
    };
    let first = play(30, false);
    assert_eq!(play(10, true), first);
}

#[test]
fn welch_takes_the_deals_as_they_are() {
    let source = r#"
title = "Two"
question = "The same?"
game = "kalah"
rules = "houses=4,seeds=3"
games = { quick = 200, full = 200 }
[[pairing]]
name = "one"
agents = ["minimax:depth=1", "random"]
[[pairing]]
name = "other"
agents = ["minimax:depth=3", "random"]
[[test]]
kind = "compare"
pairings = ["one", "other"]
"#;
    let findings = found(source, Size::Quick);
    let pairs = [0, 1].map(|place| findings.pairings[place].pairs.unwrap());
    assert_eq!(pairs, [[3, 2, 28, 8, 59], [0, 0, 7, 7, 86]]);
    // scipy 1.17.1: scipy.stats.ttest_ind(one, other, equal_var=False), where one and other are
    // numpy.repeat([0, .25, .5, .75, 1], pairs). With a deal more that is won and one that is lost, which the test was
    // given once, the statistic would be −4.689.
    assert!(
        (findings.tests[0].statistic - -4.966_435_720_209_501_5).abs() < 1e-12,
        "{:?}",
        findings.tests[0]
    );
    assert!((findings.tests[0].p / 1.870_715_787_585_017_6e-6 - 1.0).abs() < 1e-9, "{:?}", findings.tests[0]);
}

#[test]
fn pairs_are_counted() {
    let (_, played, findings) = run(VERDICTS_SWAPPED, Size::Quick);
    let mut pairs = [0; 5];
    for pair in played.pairings[0].counted().chunks(2) {
        pairs[(2.0 * (pair[0].score(0) + pair[1].score(0))).round() as usize] += 1;
    }
    assert_eq!(findings.pairings[0].pairs, Some(pairs));
    assert_eq!(pairs.iter().sum::<u64>(), 30);
    assert_eq!(found(VERDICTS, Size::Quick).pairings[0].pairs, None, "seats by chance make no pairs");
}

const VERDICTS_SWAPPED: &str = r#"
title = "Pairs"
question = "How many?"
game = "kalah"
rules = "houses=3,seeds=3"
games = { quick = 60, full = 60 }
[[pairing]]
name = "one"
agents = ["minimax:depth=1", "random"]
"#;

/// The files of `experiments/` are no part of the program; each must still be what `ranka experiment run` takes.
#[test]
fn experiments_beside_the_papers_can_be_run() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/champions");
    let mut files = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let source = std::fs::read_to_string(&path).unwrap();
        Experiment::parse(&path.display().to_string(), &source).unwrap_or_else(|error| panic!("{error}"));
        files += 1;
    }
    assert!(files >= 7, "{files}");
}
