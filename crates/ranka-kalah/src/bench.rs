//! The speeds that Kalah promises.

use crate::naive::Naive;
use crate::q::{self, QKind};
use crate::{Endgame, Kalah, Solver, State};
use ranka_core::{Bench, Goal, Graph, Position, Rng, Seat, Seed, Speed, per_second, perft, seconds};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

impl Speed for Kalah {
    fn benches() -> Vec<Bench> {
        vec![
            Bench {
                name: "random playouts of (6,4)",
                unit: "a second",
                goal: Goal::AtLeast(1e6),
                run: || playouts(&start()),
                naive: Some(|| playouts(&Naive::of(&start()))),
            },
            Bench {
                name: "perft 10 of (6,4), every leaf made",
                unit: "s",
                goal: Goal::AtMost(0.3),
                run: || count(&start()),
                naive: Some(|| count(&Naive::of(&start()))),
            },
            Bench {
                name: "exact Q* of (3,3), game graph included",
                unit: "s",
                goal: Goal::AtMost(1.0),
                run: || seconds(3, || exact_q(3, 3, 0.658486)),
                naive: None,
            },
            Bench {
                name: "exact Q* of (4,2), game graph included",
                unit: "s",
                goal: Goal::AtMost(1.0),
                run: || seconds(3, || exact_q(4, 2, -1.717045)),
                naive: None,
            },
            Bench {
                name: "solving (6,3)",
                unit: "s",
                goal: Goal::AtMost(0.3),
                run: || seconds(3, || solve(3, 2, 20, 11)),
                naive: None,
            },
            Bench {
                name: "endgame tables of (6,·), 17 seeds, two threads, real time",
                unit: "million boards/s",
                goal: Goal::AtLeast(20.0),
                run: build_speed,
                naive: None,
            },
            Bench {
                name: "positions searched, (6,4) from 36 seeds on, no tables",
                unit: "million/s",
                goal: Goal::AtLeast(2.5),
                run: search_speed,
                naive: None,
            },
            Bench {
                name: "solving (6,4), tables on disk, two threads, real time",
                unit: "s",
                goal: Goal::AtMost(3.0),
                run: solve_from_disk,
                naive: None,
            },
            Bench {
                name: "solving (6,4), tables built first, two threads, real time",
                unit: "s",
                goal: Goal::AtMost(10.0),
                run: || {
                    real_time(|| solve_shared(Some(Endgame::build(&Kalah::standard(6, 4), BUILT_SEEDS, 2))))
                },
                naive: None,
            },
            Bench {
                name: "solving (6,4) without tables, two threads, real time",
                unit: "s",
                goal: Goal::AtMost(30.0),
                run: || real_time(|| solve_shared(None)),
                naive: None,
            },
        ]
    }
}

fn start() -> State {
    Kalah::standard(6, 4).first()
}

fn playouts<P: Position>(start: &P) -> f64 {
    let mut rng = Rng::new(Seed::new(1));
    let mut scratch = Vec::new();
    per_second(|| {
        for _ in 0..1000 {
            let plies = start.clone().playout(&mut rng, &mut scratch);
            assert!((8..200).contains(&plies), "a random game of {plies} plies");
        }
        1000
    })
}

fn count<P: Position>(start: &P) -> f64 {
    seconds(3, || assert_eq!(perft(start, 10), 13_519_607))
}

/// Computes the paper's Q*; `first` is what the first house is worth at the start.
fn exact_q(houses: usize, seeds: u32, first: f64) {
    let game = Kalah::standard(houses, seeds);
    let kind = QKind::named("selfplay", "level", "auto").expect("a kind with these names");
    let graph = Graph::reach(game.first()).expect("a small game");
    let table = q::exact(&game, kind, &graph, None).expect("a small board");
    assert!((table.choices(&game.first())[0].1 - first).abs() < 1e-6);
}

/// Solves (6,`seeds`) from nothing; building the endgame tables counts too.
fn solve(seeds: u32, value: i32, table_bits: u32, endgame: u32) {
    let game = Kalah::standard(6, seeds);
    let endgame = Arc::new(Endgame::build(&game, endgame, 1));
    let mut solver = Solver::new(&game, Some(endgame), table_bits).expect("the standard rules can be solved");
    assert_eq!(solver.margin(&game.first(), Seat::FIRST, &NEVER), Ok(value));
}

/// The tables that pay when (6,4) is solved once, and those worth keeping.
const BUILT_SEEDS: u32 = 18;
const KEPT_SEEDS: u32 = 22;

static NEVER: AtomicBool = AtomicBool::new(false);

/// Solves (6,4) on two threads.
fn solve_shared(endgame: Option<Endgame>) {
    let game = Kalah::standard(6, 4);
    let table_bits = if endgame.is_some() { 24 } else { 26 };
    let solver =
        Solver::new(&game, endgame.map(Arc::new), table_bits).expect("the standard rules can be solved");
    assert_eq!(solver.on(2).margin(&game.first(), Seat::FIRST, &NEVER), Ok(8));
}

/// Reading the tables counts, building and writing them does not.
fn solve_from_disk() -> f64 {
    let game = Kalah::standard(6, 4);
    let path = std::env::temp_dir().join(format!("ranka-bench-{}.endgame", std::process::id()));
    Endgame::build(&game, KEPT_SEEDS, 2).save(&path).expect("room for tables in the temporary folder");
    let took = real_time(|| solve_shared(Some(Endgame::load(&game, &path).expect("what was just written"))));
    let _ = std::fs::remove_file(path);
    took
}

fn build_speed() -> f64 {
    let (game, most) = (Kalah::standard(6, 4), 17);
    let took = real_time(|| assert_eq!(Endgame::build(&game, most, 2).most(), most));
    Endgame::size(6, most).expect("a table that was built") as f64 / took / 1e6
}

/// On one thread and in processor time, over positions of random games.
fn search_speed() -> f64 {
    let game = Kalah::standard(6, 4);
    let mut rng = Rng::new(Seed::new(3));
    let mut scratch = Vec::new();
    let mut solver = Solver::new(&game, None, 23).expect("the standard rules can be solved");
    let took = seconds(1, || {
        for _ in 0..6 {
            let mut state = game.first();
            while state.in_houses() > 36 {
                state.apply(state.random_action(&mut rng, &mut scratch));
            }
            assert!(solver.margin(&state, Seat::FIRST, &NEVER).is_ok());
        }
    });
    solver.nodes() as f64 / took / 1e6
}

fn real_time(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64()
}
