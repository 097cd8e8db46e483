use super::*;
use crate::{GameLimits, Seating, Shard, Store};
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::record::Field as Value;
use ranka_core::{EndReason, Seat, Seed};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// The rows of a CSV file, each by column.
fn read_csv(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

/// The rows of a Parquet file, in the words of the CSV file.
fn read_parquet(path: &Path) -> Vec<BTreeMap<String, String>> {
    let reader = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
    let text = |value: &Value| match value {
        Value::Null => String::new(),
        Value::Str(text) => text.clone(),
        Value::ULong(n) => n.to_string(),
        Value::Double(x) => x.to_string(),
        other => panic!("{other:?}"),
    };
    let row = |row: ::parquet::record::Row| {
        row.get_column_iter().map(|(name, value)| (name.clone(), text(value))).collect()
    };
    reader.get_row_iter(None).unwrap().map(|found| row(found.unwrap())).collect()
}

fn pairing(seed: u64) -> Pairing {
    let game = ranka_games::game("kalah").unwrap().open("houses=3,seeds=2").unwrap();
    let agents = vec![game.agent("minimax:depth=2").unwrap(), game.agent("random").unwrap()];
    let measures = ["plies", "margin", "value"].map(str::to_owned);
    Pairing::new(game, agents, Seating::Swapped, Seed::new(seed), GameLimits::default(), &measures).unwrap()
}

#[test]
fn every_value_comes_back_from_both_kinds_of_file() {
    let folder = tempfile::tempdir().unwrap();
    let [csv, parquet, stored] =
        ["games.csv", "games.parquet", "stored.csv"].map(|name| folder.path().join(name));
    let pairing = pairing(u64::MAX);
    let mut store = Store::in_memory().unwrap();
    let key = store.key(&pairing).unwrap();
    let games = Shard { pairing: &pairing, first: 0, count: 9 }.run(&AtomicBool::new(false));
    store.add(games.iter().map(|(number, game)| (key, *number, game))).unwrap();
    let results = store.results(key, 9).unwrap();
    write_csv(&csv, &[GameRows::played(&pairing, &results)]).unwrap();
    write_parquet(&parquet, &[GameRows::played(&pairing, &results)]).unwrap();
    let found = store.find(pairing.identity()).unwrap();
    write_csv(&stored, &[GameRows::stored(&found, &results).unwrap()]).unwrap();
    assert_eq!(std::fs::read(&csv).unwrap(), std::fs::read(&stored).unwrap());

    let rows = read_csv(&csv);
    assert_eq!(rows.len(), 9);
    assert_eq!(rows, read_parquet(&parquet));
    for (name, values) in table(&[GameRows::played(&pairing, &results)]).unwrap() {
        let words: Vec<String> = match values {
            ColumnValues::Text(texts) => texts.into_iter().map(Option::unwrap_or_default).collect(),
            ColumnValues::Whole(whole) => {
                whole.into_iter().map(|n| n.map_or_else(String::new, |n| n.to_string())).collect()
            }
            ColumnValues::Real(real) => {
                real.into_iter().map(|x| x.map_or_else(String::new, |x| x.to_string())).collect()
            }
        };
        assert_eq!(words, rows.iter().map(|row| row[&name].clone()).collect::<Vec<_>>(), "{name}");
    }
    for (row, (number, game)) in rows.iter().zip(&games) {
        let record = &game.record;
        let cell = |name: &str| row[name].as_str();
        assert_eq!(
            ["pairing", "identity", "game", "rules"].map(cell),
            ["minimax:depth=2 – random", pairing.identity(), "kalah", &record.rules]
        );
        assert_eq!(cell("number"), number.to_string());
        let (seed, deal, order) = record.seed;
        assert_eq!(["seed", "pair", "pair.game"].map(cell), [seed, deal, order].map(|n| n.to_string()));
        for seat in 0..2 {
            let agent = record.numbers[seat];
            let [seat_agent, seat_name, seat_score] =
                ["agent", "name", "score"].map(|of| cell(&format!("seat{seat}.{of}")));
            assert_eq!(seat_agent, agent.to_string());
            assert_eq!(seat_name, ["minimax:depth=2", "random"][agent]);
            assert_eq!(seat_score, record.outcome[seat].to_string());
            // What is the agent's follows it from seat to seat.
            let [name, spec, version, at, score, margin, value] =
                ["name", "spec", "version", "seat", "score", "margin", "value"]
                    .map(|of| cell(&format!("agent{agent}.{of}")));
            assert_eq!([name, spec], [seat_name, &record.agents[seat]]);
            assert_eq!([version, at], [record.version_of(Seat::new(seat)).to_string(), seat.to_string()]);
            assert_eq!([score, margin], [seat_score, &game.measured[1][seat].to_string()]);
            let values: Vec<Option<f64>> = serde_json::from_str(value).unwrap();
            let expected: Vec<f64> = game.measured[2].iter().copied().skip(seat).step_by(2).collect();
            assert_eq!(values.len(), expected.len());
            assert!(values.iter().zip(expected).all(|(&a, b)| a == (!b.is_nan()).then_some(b)));
            assert_eq!(values.iter().any(Option::is_some), agent == 0, "random gives no values");
        }
        assert_eq!(["plies", "reason"].map(cell), [&*record.plies.to_string(), record.end.reason.name()]);
        assert_eq!(["blame.seat", "blame.agent", "blame.name"].map(cell), [""; 3], "all ended by the rules");
    }
}

#[test]
fn what_is_nowhere_is_empty() {
    let folder = tempfile::tempdir().unwrap();
    let (csv, parquet) = (folder.path().join("a"), folder.path().join("b"));
    let game = |number, measured| GameResult {
        number,
        agents: vec![1, 0],
        versions: [1, 2].into(),
        scores: vec![0.25, 0.75],
        plies: 3,
        reason: EndReason::Crash,
        blame: Some(Seat::FIRST),
        measured,
    };
    let [one, other] = [
        vec![game(5, vec![vec![f64::NAN], vec![1.5, f64::NAN], vec![0.0, f64::NAN, 2.0]])],
        vec![game(7, Vec::new())],
    ];
    let rows = |measures: Vec<(&'static str, Per)>, sweep: &[(&str, SweepValue)], games| GameRows {
        sweep: Cow::Owned(sweep.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()),
        measures,
        ..bare("kalah", &["a", "b"], games)
    };
    let measures = vec![("whole", Per::Game), ("seats", Per::Seat), ("steps", Per::Ply)];
    let (depth, word) = (("depth", SweepValue::Int(3)), ("kind", SweepValue::Text("wide".to_owned())));
    let both =
        [rows(measures, &[depth, ("kind", SweepValue::Real(0.5))], &one), rows(Vec::new(), &[word], &other)];
    write_csv(&csv, &both).unwrap();
    write_parquet(&parquet, &both).unwrap();
    let found = read_csv(&csv);
    assert_eq!(found, read_parquet(&parquet));
    let cells = |row: usize, names: [&str; 7]| names.map(|name| found[row][name].as_str());
    let measured = ["rules", "seat0.name", "whole", "agent0.seats", "agent1.seats", "steps", "agent1.seat"];
    assert_eq!(cells(0, measured), ["a=\"1,2\"", "b", "", "", "1.5", "[0.0,null,2.0]", "0"]);
    assert_eq!(cells(1, measured), ["a=\"1,2\"", "b", "", "", "", "", "0"]);
    let told = ["pairing", "sweep.depth", "sweep.kind", "reason", "blame.seat", "blame.agent", "blame.name"];
    assert_eq!(cells(0, told), ["a – b", "3", "0.5", "crash", "0", "1", "b"]);
    assert_eq!(cells(1, told), ["a – b", "", "wide", "crash", "0", "1", "b"], "a sweep of words is text");
    let meant = columns_csv(&both).unwrap();
    let names: Vec<&str> = meant.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    let headings = std::fs::read_to_string(&csv).unwrap();
    assert_eq!(names, headings.lines().next().unwrap().split(',').collect::<Vec<_>>());
    assert!(meant.contains("\nsweep.kind,text,the value that"), "{meant}");
}

/// The games of a pairing of which little is known.
fn bare<'a>(game: &'a str, agents: &[&'a str], games: &'a [GameResult]) -> GameRows<'a> {
    GameRows {
        name: agents.join(" – ").into(),
        identity: "id",
        sweep: Cow::default(),
        game,
        rules: "a=\"1,2\"".into(),
        seed: 1,
        deal: 2,
        agents: agents.iter().map(|&spec| Entrant { name: spec.to_owned(), spec }).collect(),
        measures: Vec::new(),
        games: games.into(),
    }
}

#[test]
fn no_games_make_an_empty_table_and_different_games_none() {
    let folder = tempfile::tempdir().unwrap();
    let [kalah, geister] = ["kalah", "geister"].map(|game| bare(game, &["a", "b"], &[]));
    let path = folder.path().join("games");
    write_csv(&path, std::slice::from_ref(&kalah)).unwrap();
    assert!(read_csv(&path).is_empty());
    write_parquet(&path, std::slice::from_ref(&kalah)).unwrap();
    assert!(read_parquet(&path).is_empty());
    let both = [kalah, geister];
    for refused in [write_csv(&path, &both), write_parquet(&path, &both)] {
        let said = refused.err().unwrap().to_string();
        assert_eq!(said, "games of kalah and of geister do not fit into one table");
    }
    assert!(read_parquet(&path).is_empty(), "what was there stays");
}

#[test]
fn many_games_fill_pages_and_row_groups() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.parquet");
    let count = (1 << 14) + (1 << 12) + 1;
    let games: Vec<GameResult> = (0..count)
        .map(|number| GameResult {
            number,
            agents: vec![0],
            versions: vec![1].into(),
            scores: vec![0.5],
            plies: 1,
            reason: EndReason::Rules,
            blame: None,
            // Runs of every length, so that pages end within and between them.
            measured: if (number / 7) % 3 == 0 { Vec::new() } else { vec![vec![number as f64]] },
        })
        .collect();
    let rows = GameRows { measures: vec![("whole", Per::Game)], ..bare("kalah", &["a"], &games) };
    write_parquet(&path, &[rows]).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    let groups: Vec<i64> = reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
    assert_eq!(groups, [1 << 14, (1 << 12) + 1]);
    let found = read_parquet(&path);
    assert_eq!(found.len() as u64, count);
    for (row, game) in found.iter().zip(&games) {
        assert_eq!(row["number"], game.number.to_string());
        assert_eq!(row["whole"], game.measured.first().map_or(String::new(), |of| of[0].to_string()));
    }
}
