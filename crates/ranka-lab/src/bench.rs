//! What the laboratory itself costs: `ranka bench lab`.

use crate::{
    Executor, GameLimits, Job, Keeping, MATCH_KEPT, Pairing, Runner, Seating, Store, run_match,
    run_stored_match,
};
use ranka_core::{Bench, BenchGoal, Seed};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// What to measure.
pub fn benches() -> Vec<Bench> {
    vec![
        Bench {
            name: "random–random of Kalah(6,4) with the store, against the bare match loop",
            unit: "of its speed",
            goal: BenchGoal::AtLeast(0.5),
            run: || {
                // Taken in turns, so that what else the machine does hits both alike.
                let best = |f: fn() -> f64| (0..3).map(|_| f()).fold(0.0, f64::max);
                best(stored) / best(bare)
            },
            naive: None,
        },
        Bench {
            name: "a match of 100 000 games random–random of Kalah(6,4), kept as usual, against one that is not",
            unit: "of its speed",
            goal: BenchGoal::AtLeast(0.8),
            run: || {
                let best = |f: fn() -> f64| (0..3).map(|_| f()).fold(0.0, f64::max);
                best(|| speed(true)) / best(|| speed(false))
            },
            naive: None,
        },
        Bench {
            name: "the store's growth for a game of Kalah(6,4)",
            unit: "bytes",
            goal: BenchGoal::AtMost(300.0),
            run: || {
                let (folder, store) = temporary();
                let before = size(&store);
                let (_, store) = fill(store);
                let grown = size(&store) - before;
                drop(folder);
                grown / GAMES as f64
            },
            naive: None,
        },
    ]
}

const GAMES: u64 = 40_000;
static GO_ON: AtomicBool = AtomicBool::new(false);
const RUNNER: Runner<'_> = Runner { threads: 2, cancel: &GO_ON };

fn pairing() -> Pairing {
    let game =
        ranka_games::game("kalah").and_then(|kalah| kalah.open("")).expect("Kalah is in the catalogue");
    let agents = vec![game.agent("random").expect("every game has a random agent"); 2];
    let pairing = Pairing::new(game, agents, Seating::Swapped, Seed::new(1), GameLimits::default(), &[]);
    pairing.expect("two agents for two seats")
}

/// Games a second of a match, kept as usual or not at all.
fn speed(kept: bool) -> f64 {
    const MATCH: u64 = 100_000;
    let (folder, mut store) = temporary();
    let begun = Instant::now();
    let keeping = Keeping { store: &mut store, fresh: false, any_version: false, most: MATCH_KEPT };
    let played = match kept {
        true => run_stored_match(&pairing(), MATCH, RUNNER, keeping, |_, _| Ok(())),
        false => run_match(&pairing(), MATCH, RUNNER, |_, _| Ok(())),
    };
    assert_eq!(played.expect("nothing stops it").assessment.games(), MATCH);
    let speed = MATCH as f64 / begun.elapsed().as_secs_f64();
    drop(folder);
    speed
}

/// Games a second of the match loop alone.
fn bare() -> f64 {
    let begun = Instant::now();
    let played = run_match(&pairing(), GAMES, RUNNER, |_, _| Ok(()));
    assert_eq!(played.expect("nothing stops it").assessment.games(), GAMES);
    GAMES as f64 / begun.elapsed().as_secs_f64()
}

/// Games a second with every game kept.
fn stored() -> f64 {
    let (folder, store) = temporary();
    let (speed, _) = fill(store);
    drop(folder);
    speed
}

fn temporary() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let store = Store::open(&folder.path().join("store.sqlite")).expect("a store can be made in it");
    (folder, store)
}

fn fill(mut store: Store) -> (f64, Store) {
    let pairing = pairing();
    let begun = Instant::now();
    let key = store.key(&pairing).expect("the store takes it");
    let job = Job { pairing: &pairing, missing: store.missing(key, GAMES).expect("the store answers") };
    let ran = RUNNER.play(&[job], |_, games| {
        store.add(games.iter().map(|(number, game)| (key, *number, game)))?;
        Ok(ControlFlow::Continue(()))
    });
    ran.expect("nothing stops it");
    let speed = GAMES as f64 / begun.elapsed().as_secs_f64();
    assert_eq!(store.results(key, GAMES).expect("the store answers").len() as u64, GAMES);
    (speed, store)
}

/// The store's size in bytes, what is still in its journal included.
fn size(store: &Store) -> f64 {
    store.settle().expect("the store can be written");
    std::fs::metadata(store.path()).map_or(0.0, |file| file.len() as f64)
}
