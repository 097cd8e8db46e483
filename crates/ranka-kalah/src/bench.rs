//! The speeds that Kalah promises.

use crate::naive::Naive;
use crate::q::{self, QKind};
use crate::{Endgame, Kalah, Lookups, Solver, State};
use ranka_core::{
    Actor, Bench, BenchGoal, Graph, Position, Rng, Seat, Seed, Speed, per_second, perft, seconds,
};
use rustc_hash::FxHashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

impl Speed for Kalah {
    fn benches() -> Vec<Bench> {
        vec![
            Bench {
                name: "random playouts of (6,4)",
                unit: "a second",
                goal: BenchGoal::AtLeast(1e6),
                run: || playouts(&start()),
                naive: Some(|| playouts(&Naive::of(&start()))),
            },
            Bench {
                name: "perft 10 of (6,4), every leaf made",
                unit: "s",
                goal: BenchGoal::AtMost(0.3),
                run: || count(&start()),
                naive: Some(|| count(&Naive::of(&start()))),
            },
            Bench {
                name: "exact Q* of (3,3), game graph included",
                unit: "s",
                goal: BenchGoal::AtMost(1.0),
                run: || seconds(3, || exact_q(3, 3, 0.658486)),
                naive: None,
            },
            Bench {
                name: "exact Q* of (4,2), game graph included",
                unit: "s",
                goal: BenchGoal::AtMost(1.0),
                run: || seconds(3, || exact_q(4, 2, -1.717045)),
                naive: None,
            },
            Bench {
                name: "solving (4,2), without tables",
                unit: "s",
                goal: BenchGoal::AtMost(0.01),
                run: || seconds(3, || solve_small(4, 2, 6)),
                naive: Some(|| seconds(1, || solve_naively(4, 2, 6))),
            },
            Bench {
                name: "solving (3,4), without tables",
                unit: "s",
                goal: BenchGoal::AtMost(0.01),
                run: || seconds(3, || solve_small(3, 4, 2)),
                naive: Some(|| seconds(1, || solve_naively(3, 4, 2))),
            },
            Bench {
                name: "solving (5,1), without tables",
                unit: "s",
                goal: BenchGoal::AtMost(0.01),
                run: || seconds(3, || solve_small(5, 1, 0)),
                naive: Some(|| seconds(1, || solve_naively(5, 1, 0))),
            },
            Bench {
                name: "solving (6,3)",
                unit: "s",
                goal: BenchGoal::AtMost(0.3),
                run: || seconds(3, || solve(3, 2, 20, 11)),
                naive: None,
            },
            Bench {
                name: "endgame tables of (6,·), 17 seeds, two threads, real time",
                unit: "million boards/s",
                goal: BenchGoal::AtLeast(20.0),
                run: build_speed,
                naive: None,
            },
            Bench {
                name: "positions searched, (6,4) from 36 seeds on, no tables",
                unit: "million/s",
                goal: BenchGoal::AtLeast(2.5),
                run: search_speed,
                naive: None,
            },
            Bench {
                name: "positions searched to solve (6,4), tables of 18 seeds, one thread",
                unit: "million",
                goal: BenchGoal::AtMost(40.0),
                run: || effort().millions,
                naive: None,
            },
            Bench {
                name: "boards then found in the table of bounds, of those looked up",
                unit: "%",
                goal: BenchGoal::AtLeast(20.0),
                run: || effort().hits,
                naive: None,
            },
            Bench {
                name: "positions searched then, processor time",
                unit: "million/s",
                goal: BenchGoal::AtLeast(2.0),
                run: || effort().millions / effort().seconds,
                naive: None,
            },
            Bench {
                name: "solving (6,4), tables on disk, two threads, real time",
                unit: "s",
                goal: BenchGoal::AtMost(3.0),
                run: solve_from_disk,
                naive: None,
            },
            Bench {
                name: "solving (6,4), tables built first, two threads, real time",
                unit: "s",
                goal: BenchGoal::AtMost(10.0),
                run: || {
                    real_time(|| solve_shared(Some(Endgame::build(&Kalah::standard(6, 4), BUILT_SEEDS, 2))))
                },
                naive: None,
            },
            Bench {
                name: "solving (6,4) without tables, two threads, real time",
                unit: "s",
                goal: BenchGoal::AtMost(30.0),
                run: || real_time(|| solve_shared(None)),
                naive: None,
            },
        ]
    }

    fn long_benches() -> Vec<Bench> {
        vec![
            Bench {
                name: "solving (6,5), tables of 26 seeds built first, two threads, real time",
                unit: "s",
                goal: BenchGoal::AtMost(900.0),
                run: || long_effort().1.seconds + long_effort().0,
                naive: None,
            },
            Bench {
                name: "of that for the tables of (6,5)",
                unit: "s",
                goal: BenchGoal::AtMost(120.0),
                run: || long_effort().0,
                naive: None,
            },
            Bench {
                name: "positions searched to solve (6,5)",
                unit: "million",
                goal: BenchGoal::AtMost(1500.0),
                run: || long_effort().1.millions,
                naive: None,
            },
            Bench {
                name: "positions of (6,5) searched, two threads, real time",
                unit: "million/s",
                goal: BenchGoal::AtLeast(2.0),
                run: || long_effort().1.millions / long_effort().1.seconds,
                naive: None,
            },
            Bench {
                name: "boards of (6,5) found in the table of bounds, of those looked up",
                unit: "%",
                goal: BenchGoal::AtLeast(15.0),
                run: || long_effort().1.hits,
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

fn solve_small(houses: usize, seeds: u32, value: i32) {
    let game = Kalah::standard(houses, seeds);
    let mut solver = Solver::new(&game, None, 16).expect("the standard rules can be solved");
    assert_eq!(solver.margin(&game.first(), Seat::FIRST, &NEVER), Ok(value));
}

/// Every position that can come about, each once.
fn solve_naively(houses: usize, seeds: u32, value: i32) {
    fn margin(at: &Naive, known: &mut FxHashMap<Naive, i32>) -> i32 {
        let Actor::Seat(mover) = at.actor() else { return at.margin() };
        if let Some(&margin) = known.get(at) {
            return margin;
        }
        let mut houses = Vec::new();
        at.actions(&mut houses);
        let margins = houses.into_iter().map(|house| {
            let mut next = at.clone();
            next.apply(house);
            margin(&next, known)
        });
        let best = if mover == Seat::FIRST { margins.max() } else { margins.min() };
        let best = best.expect("a game that is not over goes on");
        known.insert(at.clone(), best);
        best
    }
    let first = Naive::of(&Kalah::standard(houses, seeds).first());
    assert_eq!(margin(&first, &mut FxHashMap::default()), value);
}

/// What solving a board took.
#[derive(Clone, Copy)]
struct Effort {
    seconds: f64,
    /// Positions searched.
    millions: f64,
    /// How many boards in a hundred the table of bounds knew.
    hits: f64,
}

impl Effort {
    fn of(mut solver: Solver, value: i32, time: impl FnOnce(&mut dyn FnMut()) -> f64) -> Effort {
        let first = solver.game().first();
        let seconds = time(&mut || assert_eq!(solver.margin(&first, Seat::FIRST, &NEVER), Ok(value)));
        let Lookups { all, hits } = solver.lookups();
        Effort { seconds, millions: solver.nodes() as f64 / 1e6, hits: 100.0 * hits as f64 / all as f64 }
    }
}

/// (6,4) on one thread, in processor time.
fn effort() -> Effort {
    static EFFORT: OnceLock<Effort> = OnceLock::new();
    *EFFORT.get_or_init(|| {
        let game = Kalah::standard(6, 4);
        let endgame = Some(Arc::new(Endgame::build(&game, BUILT_SEEDS, 2)));
        let solver = Solver::new(&game, endgame, 24).expect("the standard rules can be solved");
        Effort::of(solver, 8, |work| seconds(1, work))
    })
}

/// (6,5) on two threads, in real time: building the tables, and the rest. Four gigabytes.
fn long_effort() -> (f64, Effort) {
    static EFFORT: OnceLock<(f64, Effort)> = OnceLock::new();
    *EFFORT.get_or_init(|| {
        let game = Kalah::standard(6, 5);
        let mut endgame = None;
        let built = real_time(|| endgame = Some(Arc::new(Endgame::build(&game, 26, 2))));
        let solver = Solver::new(&game, endgame, 28).expect("the standard rules can be solved");
        (built, Effort::of(solver.on(2), 10, |work| real_time(work)))
    })
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
    let written = std::fs::File::create(&path)
        .and_then(|mut file| Endgame::build(&game, KEPT_SEEDS, 2).write(&mut file));
    written.expect("room for tables in the temporary folder");
    let load = || Endgame::load(&game, &path, u64::MAX).expect("what was just written");
    let took = real_time(|| solve_shared(Some(load())));
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
