//! The solver against the plainest one, with and without tables, on one thread and on several.

use ranka_core::{Actor, Notation, Position, Rng, Seat, Seed};
use ranka_kalah::naive::Naive;
use ranka_kalah::{Capture, EndRule, Endgame, Kalah, Leftover, Rules, Solver, State};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

static NEVER: AtomicBool = AtomicBool::new(false);

fn all_rules() -> Vec<Rules> {
    let mut all = Vec::new();
    for capture in [Capture::Nonempty, Capture::Always] {
        for end in [EndRule::EitherEmpty, EndRule::MoverEmpty] {
            for leftover in [Leftover::Owner, Leftover::None, Leftover::OpponentOfEmptied] {
                all.push(Rules { capture, end, leftover, ..Rules::STANDARD });
            }
        }
    }
    all
}

/// A board with so many seeds thrown into its houses, not over yet.
fn thrown(game: &Kalah, seeds: u32, rng: &mut Rng) -> State {
    loop {
        let mut cells = vec![0; 2 * game.houses];
        for _ in 0..seeds {
            cells[rng.below(2 * game.houses as u32) as usize] += 1;
        }
        if cells[..game.houses].iter().all(|&n| n == 0) || cells[game.houses..].iter().all(|&n| n == 0) {
            continue;
        }
        let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
        let mover = rng.pick(&["S", "N"]);
        let text = format!("<{},{},{},{}> {mover}", game.houses, rng.below(9), rng.below(9), cells.join(","));
        return game.read_state(&text).expect("a board in notation");
    }
}

/// The final margin for South, by trying everything on the plain rules.
fn plainly(at: &Naive, known: &mut HashMap<String, i32>) -> i32 {
    let Actor::Seat(mover) = at.actor() else {
        return at.margin();
    };
    let key = format!("{at:?}");
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let mut houses = Vec::new();
    at.actions(&mut houses);
    let values = houses.into_iter().map(|house| {
        let mut next = at.clone();
        next.apply(house);
        plainly(&next, known)
    });
    let value = if mover == Seat::FIRST { values.max() } else { values.min() };
    let value = value.expect("a game that is not over goes on");
    known.insert(key, value);
    value
}

#[test]
fn as_the_plainest_solver_says() {
    let mut rng = Rng::new(Seed::new(20));
    for rules in all_rules() {
        for houses in 1..=6 {
            let game = Kalah::with(houses, 1, rules).expect("a small board");
            let tables = Arc::new(Endgame::build(&game, 5, 1));
            let mut bare = Solver::new(&game, None, 14).expect("rules that can be solved");
            let mut tabled = Solver::new(&game, Some(tables), 14).expect("rules that can be solved");
            for _ in 0..50 {
                let seeds = 2 + rng.below(if houses == 1 { 12 } else { 7 });
                let state = thrown(&game, seeds, &mut rng);
                let expected = plainly(&Naive::of(&state), &mut HashMap::new());
                assert_eq!(bare.margin(&state, Seat::FIRST, &NEVER), Ok(expected), "{state:?}");
                assert_eq!(tabled.margin(&state, Seat::FIRST, &NEVER), Ok(expected), "{state:?} with tables");
            }
        }
    }
}

#[test]
fn tables_and_search_agree() {
    let mut rng = Rng::new(Seed::new(21));
    for (rules, most) in all_rules().into_iter().zip([10, 12].into_iter().cycle()) {
        let game = Kalah::with(6, 4, rules).expect("a board");
        let tables = Arc::new(Endgame::build(&game, most, 2));
        let mut bare = Solver::new(&game, None, 16).expect("rules that can be solved");
        let mut tabled = Solver::new(&game, Some(tables), 10).expect("rules that can be solved");
        for _ in 0..300 {
            let state = thrown(&game, 2 + rng.below(most - 1), &mut rng);
            let read = tabled.margin(&state, Seat::FIRST, &NEVER);
            assert_eq!(tabled.nodes(), 0, "a board of the table is not searched");
            assert_eq!(read, bare.margin(&state, Seat::FIRST, &NEVER), "{state:?}");
        }
    }
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let game = Kalah::standard(6, 4);
    let mut rng = Rng::new(Seed::new(22));
    for _ in 0..6 {
        let state = thrown(&game, 28, &mut rng);
        let values = [1, 2, 5].map(|threads| {
            let solver = Solver::new(&game, None, 20).expect("the standard rules");
            solver.on(threads).margin(&state, Seat::FIRST, &NEVER).expect("nobody stops it")
        });
        assert!(values.iter().all(|&value| value == values[0]), "{values:?} of {state:?}");
    }
}
