//! The solved values of the specification, section 5.1.
#![allow(clippy::unwrap_used)]

use ranka_core::Seat;
use ranka_kalah::{Book, Capture, EndRule, Endgame, Interval, Kalah, Rules, Solver};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const ALWAYS: Rules = Rules { capture: Capture::Always, ..Rules::STANDARD };
const MOVER_EMPTY: Rules = Rules { end: EndRule::MoverEmpty, ..Rules::STANDARD };

/// Houses, and the values of 1, 2, 3 … seeds a house, by the standard rules.
const VALUES: [(usize, &[i32]); 6] = [
    (1, &[0, -2, 6, -2, 2, 0]),
    (2, &[2, -2, -2, -10, 6, 8]),
    (3, &[0, 4, 2, 2, 6, -8]),
    (4, &[2, 6, 6, 2, 4]),
    (5, &[0, 2, 6]),
    (6, &[2, 6, 2]),
];

/// The cells that a capture without a prize changes.
const VALUES_ALWAYS: [(usize, u32, i32); 7] =
    [(2, 4, -12), (3, 6, -10), (4, 3, 8), (4, 5, 2), (5, 2, 0), (5, 3, 8), (6, 2, 10)];

fn cells() -> impl Iterator<Item = (usize, u32, i32)> {
    VALUES
        .into_iter()
        .flat_map(|(houses, row)| (1..).zip(row).map(move |(seeds, &value)| (houses, seeds, value)))
}

fn solver(houses: usize, seeds: u32, rules: Rules, endgame: u32) -> Solver {
    let game = Kalah::with(houses, seeds, rules).expect("a small board");
    let endgame = (endgame > 0).then(|| Arc::new(Endgame::build(&game, endgame, 1)));
    Solver::new(&game, endgame, 18).expect("rules that can be solved")
}

fn value(houses: usize, seeds: u32, rules: Rules, endgame: u32) -> i32 {
    let mut solver = solver(houses, seeds, rules, endgame);
    let first = solver.game().first();
    solver.margin(&first, Seat::FIRST, &AtomicBool::new(false)).expect("nobody stops it")
}

#[test]
fn standard_rules() {
    for (houses, seeds, expected) in cells() {
        assert_eq!(value(houses, seeds, Rules::STANDARD, 0), expected, "({houses},{seeds})");
    }
}

#[test]
fn endgame_tables_change_nothing() {
    for (houses, seeds, expected) in cells() {
        // More seeds than some of these boards hold.
        assert_eq!(value(houses, seeds, Rules::STANDARD, 9), expected, "({houses},{seeds})");
    }
}

#[test]
fn capture_without_a_prize() {
    for (houses, seeds, standard) in cells() {
        let changed = VALUES_ALWAYS.iter().find(|&&(n, m, _)| (n, m) == (houses, seeds));
        let expected = changed.map_or(standard, |&(_, _, value)| value);
        for endgame in [0, 8] {
            assert_eq!(value(houses, seeds, ALWAYS, endgame), expected, "({houses},{seeds}) always");
        }
    }
}

#[test]
fn over_only_when_the_mover_has_nothing() {
    let small = |&(houses, seeds, _): &(usize, u32, i32)| {
        houses <= 4 && seeds <= 4 || [(5, 2), (5, 3), (6, 1), (6, 2), (6, 3)].contains(&(houses, seeds))
    };
    for (houses, seeds, standard) in cells().filter(small) {
        let expected = if (houses, seeds) == (2, 4) { -12 } else { standard };
        for endgame in [0, 8] {
            assert_eq!(
                value(houses, seeds, MOVER_EMPTY, endgame),
                expected,
                "({houses},{seeds}) mover-empty"
            );
        }
    }
    let both = Rules { end: EndRule::MoverEmpty, ..ALWAYS };
    for (houses, seeds, expected) in [(3, 3, 4), (5, 3, 10), (6, 3, 0), (6, 2, 10)] {
        assert_eq!(value(houses, seeds, both, 8), expected, "({houses},{seeds}) always, mover-empty");
    }
}

fn first_moves(houses: usize, seeds: u32, rules: Rules, expected: &[i32]) {
    let mut solver = solver(houses, seeds, rules, 8);
    let first = solver.game().first();
    let moves = solver.moves(&first, &AtomicBool::new(false)).expect("nobody stops it");
    let values: Vec<i32> = moves.iter().map(|&(_, value)| value).collect();
    assert_eq!(values, expected, "({houses},{seeds}) by {rules:?}");
}

#[test]
fn values_of_first_moves() {
    let standard: [(usize, u32, &[i32]); 13] = [
        (3, 1, &[0, -4, 0]),
        (3, 2, &[-8, 4, 0]),
        (3, 3, &[2, 2, -4]),
        (3, 4, &[2, -4, -10]),
        (4, 1, &[0, -2, -2, 2]),
        (4, 2, &[-12, -10, 4, 6]),
        (4, 3, &[-6, 6, 2, -2]),
        (4, 4, &[2, 0, 0, -2]),
        (5, 2, &[-8, -8, -10, 2, -2]),
        (5, 3, &[-12, -14, 6, -4, -4]),
        (6, 1, &[0, 0, 0, -2, -2, 2]),
        (6, 2, &[-14, -8, -8, -14, 6, 0]),
        (6, 3, &[-14, -16, -10, -2, 2, 0]),
    ];
    for (houses, seeds, expected) in standard {
        first_moves(houses, seeds, Rules::STANDARD, expected);
    }
    let always: [(usize, u32, &[i32]); 8] = [
        (3, 3, &[2, 2, -6]),
        (3, 4, &[2, 0, -12]),
        (4, 3, &[-8, 8, 0, -4]),
        (4, 4, &[2, -2, 2, -4]),
        (5, 2, &[-8, -8, -10, 0, -2]),
        (5, 3, &[-12, -14, 8, -2, -4]),
        (6, 2, &[-14, -8, -6, -14, 10, -2]),
        (6, 3, &[-12, -16, -10, -2, 2, 0]),
    ];
    for (houses, seeds, expected) in always {
        first_moves(houses, seeds, ALWAYS, expected);
    }
}

#[test]
fn a_solution_is_of_one_piece() {
    let mut solver = solver(4, 3, Rules::STANDARD, 8);
    let (game, never) = (*solver.game(), AtomicBool::new(false));
    let solution = solver.solve(&game.first(), &never).unwrap();
    assert_eq!(solution.value, 6);
    assert_eq!(solution.moves.iter().map(|&(_, value)| value).collect::<Vec<_>>(), [-6, 6, 2, -2]);
    // The line keeps the value to the very end.
    let mut at = game.first();
    for house in solution.line {
        assert_eq!(solver.margin(&at, Seat::FIRST, &never), Ok(6));
        ranka_core::Position::apply(&mut at, house);
    }
    assert_eq!(ranka_core::Position::actor(&at), ranka_core::Actor::Over);
    assert_eq!(at.margin(Seat::FIRST), 6);
}

#[test]
fn more_than_seven_houses() {
    // A wide board that holds a narrow one's worth of seeds: solved with and without tables.
    assert_eq!(value(8, 1, Rules::STANDARD, 0), value(8, 1, Rules::STANDARD, 6));
}

/// What each first move of the standard board is worth.
const STANDARD_MOVES: [i32; 6] = [-14, -10, 8, -2, -8, 4];

#[test]
fn first_moves_of_the_standard_board_stand_in_the_book() {
    let game = Kalah::standard(6, 4);
    let moves = Book::shipped(&game).unwrap().judge(&game.first()).unwrap();
    let values: Vec<Interval> = moves.into_iter().map(|(_, known)| known).collect();
    assert_eq!(values, STANDARD_MOVES.map(|value| Interval { lower: value, upper: value }));
}

/// On all threads and with large tables.
fn large(houses: usize, seeds: u32, rules: Rules) -> Solver {
    let game = Kalah::with(houses, seeds, rules).unwrap();
    let tables = Endgame::affordable(&game, 150_000_000).min(2 * houses as u32 * seeds / 3);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let tables = Arc::new(Endgame::build(&game, tables, threads));
    Solver::new(&game, Some(tables), 25).unwrap().on(threads)
}

#[test]
#[ignore = "takes minutes; the book tells the same values in every run"]
fn first_moves_of_the_standard_board_are_found_by_the_solver() {
    let mut solver = large(6, 4, Rules::STANDARD);
    let first = solver.game().first();
    let moves = solver.moves(&first, &AtomicBool::new(false)).unwrap();
    assert_eq!(moves.iter().map(|&(_, value)| value).collect::<Vec<_>>(), STANDARD_MOVES);
}

#[test]
#[ignore = "takes minutes; all smaller boards are solved in every run"]
fn larger_boards() {
    let cells = [(4, 6, 0, 0), (5, 4, 10, 12), (5, 5, 2, 2), (6, 4, 8, 10)];
    for (houses, seeds, standard, always) in cells {
        for (rules, expected) in [(Rules::STANDARD, standard), (ALWAYS, always)] {
            let mut solver = large(houses, seeds, rules);
            let first = solver.game().first();
            let value = solver.margin(&first, Seat::FIRST, &AtomicBool::new(false));
            assert_eq!(value, Ok(expected), "({houses},{seeds}) by {rules:?}");
        }
    }
}
