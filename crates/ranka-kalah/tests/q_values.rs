//! Q*: the specification's golden values, and learning held against them.
#![allow(clippy::unwrap_used)]

use ranka_core::{Actor, Graph, Outcome, Position, Seed};
use ranka_kalah::q::{self, QKind, QTable, TrainingOptions};
use ranka_kalah::{House, Kalah, State};
use std::cell::Cell;

fn exact(houses: usize, seeds: u32, backup: &str, reward: &str) -> QTable {
    let game = Kalah::standard(houses, seeds);
    let kind = QKind::named(backup, reward, "auto").unwrap();
    q::exact(&game, kind, &Graph::reach(game.first()).unwrap(), None).unwrap()
}

#[test]
fn golden_values_at_the_start() {
    let cases: [(usize, u32, &str, &str, &[f64]); 6] = [
        (3, 3, "selfplay", "level", &[0.658486, 0.278505, 0.104961]),
        (3, 3, "random-env", "level", &[1.206115, 1.185404, 0.825595]),
        (3, 3, "selfplay", "delta", &[2.0 / 18.0, 2.0 / 18.0, -4.0 / 18.0]),
        (4, 2, "selfplay", "level", &[-1.717045, -1.203989, 0.452226, 1.418987]),
        (4, 2, "random-env", "level", &[0.713424, 0.872694, 1.450243, 1.920550]),
        (4, 2, "selfplay", "delta", &[-0.75, -0.625, 0.25, 0.375]),
    ];
    for (houses, seeds, backup, reward, expected) in cases {
        let table = exact(houses, seeds, backup, reward);
        let values: Vec<f64> =
            table.choices(&Kalah::standard(houses, seeds).first()).iter().map(|&(_, value)| value).collect();
        assert_eq!(values.len(), expected.len());
        for (value, expected) in values.iter().zip(expected) {
            assert!((value - expected).abs() < 5e-7, "({houses},{seeds}) {backup} {reward}: {values:?}");
        }
    }
}

#[test]
fn the_games_are_as_large_as_they_should_be() {
    for (houses, seeds, positions) in [(3, 3, 27_076), (4, 2, 303_299)] {
        let graph = Graph::reach(Kalah::standard(houses, seeds).first()).unwrap();
        let open = (0..graph.len()).filter(|&node| !graph.position(node).actor().is_over()).count();
        assert_eq!(open, positions, "({houses},{seeds})");
    }
}

fn options(backup: &str, reward: &str, rate: f64) -> TrainingOptions {
    TrainingOptions {
        kind: QKind::named(backup, reward, "auto").unwrap(),
        opponent: None,
        rate,
        exploration: 0.3,
        exploring_starts: 0.5,
        episodes: 2_000_000,
        seed: Seed::new(1),
    }
}

#[test]
fn self_play_converges_to_the_exact_values() {
    let game = Kalah::standard(3, 2);
    for reward in ["level", "delta"] {
        let training = q::train(&game, &options("selfplay", reward, 1.0), &mut |_| true).unwrap();
        assert!(training.converged, "{reward}: {:?}", training.progress);
        assert_eq!(Some(training.progress.visited), training.progress.reachable);
        assert!(training.progress.error.unwrap() < 1e-3, "{reward}: {:?}", training.progress);
    }
}

#[test]
fn a_random_environment_is_learned_on_average() {
    let game = Kalah::standard(2, 2);
    for reward in ["level", "delta"] {
        let options =
            TrainingOptions { episodes: 400_000, exploration: 1.0, ..options("random-env", reward, 0.002) };
        let training = q::train(&game, &options, &mut |_| true).unwrap();
        assert!(training.progress.error.unwrap() < 0.03, "{reward}: {:?}", training.progress);
    }
}

#[test]
fn learning_can_be_repeated() {
    let game = Kalah::standard(3, 2);
    let once = |seed| {
        let options =
            TrainingOptions { episodes: 3000, seed: Seed::new(seed), ..options("selfplay", "level", 0.1) };
        let table = q::train(&game, &options, &mut |_| true).unwrap().table;
        let mut file = Vec::new();
        q::write(&table, "houses=3,seeds=2", &mut file).unwrap();
        file
    };
    assert_eq!(once(1), once(1));
    assert_ne!(once(1), once(2));
}

#[test]
fn tables_survive_the_disk_and_nothing_else_is_read_as_one() {
    let game = Kalah::standard(3, 2);
    let table = exact(3, 2, "selfplay", "level");
    let mut good = Vec::new();
    q::write(&table, "houses=3,seeds=2", &mut good).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("q.rankaq");
    let read = |bytes: &[u8], game: &Kalah| {
        std::fs::write(&path, bytes).unwrap();
        q::read(&path, game).map_err(|e| e.to_string())
    };
    let back = read(&good, &game).unwrap();
    assert_eq!(back.kind, table.kind);
    assert_eq!((back.positions(), back.actions()), (table.positions(), table.actions()));
    assert_eq!((back.largest_error(&table), table.largest_error(&back)), (0.0, 0.0));

    let refusal = |bytes: &[u8], game: &Kalah| read(bytes, game).unwrap_err();
    assert!(
        refusal(&good, &Kalah::standard(3, 3)).contains("the table is for other rules (houses=3,seeds=2)")
    );
    assert!(refusal(&good[..good.len() - 5], &game).contains("the table is damaged"));
    assert!(refusal(&good[..10], &game).contains("not a Q table"));
    assert!(refusal(b"", &game).contains("not a Q table"));
    let mut flipped = good.clone();
    let middle = good.len() / 2;
    flipped[middle] ^= 1;
    assert!(refusal(&flipped, &game).contains("damaged"));
    assert!(refusal(&[&good[..], b"more"].concat(), &game).contains("the table is damaged"));
    // Tables of the form that had no checksum are read as ever.
    let head = good.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(place, _)| place + 1);
    let lines: Vec<usize> = head.take(6).collect();
    let text = String::from_utf8(good[..lines[4]].to_vec()).unwrap().replacen("q-table 2", "q-table 1", 1);
    let old = [text.as_bytes(), &good[lines[5]..]].concat();
    let back = read(&old, &game).unwrap();
    assert_eq!((back.largest_error(&table), table.largest_error(&back)), (0.0, 0.0));
    assert!(refusal(&[&old[..], b"more"].concat(), &game).contains("something follows"));
    assert!(refusal(&old[..old.len() - 5], &game).contains("the values are damaged"));
    let newer = [text.replacen("version 1", "version 9", 1).as_bytes(), &good[lines[5]..]].concat();
    assert!(refusal(&newer, &game).contains("version 9 of the rules"));
    let missing = q::read(std::path::Path::new("no/such.rankaq"), &game).unwrap_err().to_string();
    assert!(missing.starts_with("no/such.rankaq: "), "{missing}");
}

#[test]
fn every_byte_of_a_file_counts() {
    let (game, table) = (Kalah::standard(2, 1), exact(2, 1, "selfplay", "delta"));
    let mut good = Vec::new();
    q::write(&table, "houses=2,seeds=1", &mut good).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("q.rankaq");
    for place in 0..good.len() {
        for bit in 0..8 {
            let mut spoilt = good.clone();
            spoilt[place] ^= 1 << bit;
            std::fs::write(&path, &spoilt).unwrap();
            assert!(q::read(&path, &game).is_err(), "bit {bit} of byte {place}");
        }
    }
}

thread_local!(static APPLIED: Cell<u64> = const { Cell::new(0) });

/// A position that counts what is done with it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Counted(State);

impl Position for Counted {
    type Action = House;

    fn seats(&self) -> usize {
        self.0.seats()
    }

    fn actor(&self) -> Actor {
        self.0.actor()
    }

    fn actions(&self, out: &mut Vec<House>) {
        self.0.actions(out);
    }

    fn apply(&mut self, action: House) {
        APPLIED.set(APPLIED.get() + 1);
        self.0.apply(action);
    }

    fn outcome(&self) -> Outcome {
        self.0.outcome()
    }
}

#[test]
fn boards_that_are_too_large_are_refused_at_once() {
    for (houses, seeds) in [(6, 4), (6, 3), (5, 4), (6, 20), (4, 4), (5, 2)] {
        APPLIED.set(0);
        let start = Counted(Kalah::standard(houses, seeds).first());
        let refused = Graph::reach(start).err().unwrap().to_string();
        assert_eq!(refused, "more than 4000000 positions can be reached: too many to compute exactly");
        // More than ten million before games were sampled.
        assert!(APPLIED.get() < 2_000_000, "({houses},{seeds}): {} actions", APPLIED.get());
    }
    // None of those that fit is refused.
    for (houses, seeds) in [(3, 6), (4, 2), (2, 9), (6, 1)] {
        assert!(Graph::reach(Kalah::standard(houses, seeds).first()).is_ok(), "({houses},{seeds})");
    }
}
