//! The speeds that Kalah promises.

use crate::naive::Naive;
use crate::q::{self, QKind};
use crate::{Endgame, Kalah, Solver, State};
use ranka_core::{Bench, Goal, Graph, Position, Rng, Seat, Seed, Speed, per_second, perft, seconds};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
                run: || seconds(3, || solve(3, 2, 16, 11)),
                naive: None,
            },
            Bench {
                name: "solving (6,4) with endgame tables",
                unit: "s",
                goal: Goal::AtMost(10.0),
                run: || seconds(1, || solve(4, 8, 21, 17)),
                naive: None,
            },
            Bench {
                name: "solving (6,4) without tables",
                unit: "s",
                goal: Goal::AtMost(60.0),
                run: || seconds(1, || solve(4, 8, 24, 0)),
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
    let endgame = (endgame > 0).then(|| Arc::new(Endgame::build(&game, endgame)));
    let mut solver = Solver::new(&game, endgame, table_bits).expect("the standard rules can be solved");
    let solved = solver.margin(&game.first(), Seat::FIRST, &AtomicBool::new(false));
    assert_eq!(solved, Ok(value));
}
