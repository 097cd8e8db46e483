//! Section 6.5, and how turns and games end.

use crate::common::{game, position};
use ranka_core::{Actor, Notation, Position, Seat};
use ranka_tubstap::{Action, Place, Team};

/// A position at the turn limit in which the sides have these HP.
fn at_limit(red: u32, blue: u32, threshold: u32) -> String {
    let army = |team: char, y: u32, mut hp: u32, first: usize| {
        let mut units = Vec::new();
        while hp > 0 {
            let part = hp.min(10);
            let id = first + units.len();
            units.push(format!("{id}:I:{team}:{},{y}:{part}:0", units.len() + 1));
            hp -= part;
        }
        units
    };
    let units = [army('r', 1, red, 0), army('b', 2, blue, 10)].concat().join(";");
    format!("grid=000000/011110/011110/000000 units={units} turn=9 limit=9 threshold={threshold} first=r")
}

#[test]
fn end_judgement() {
    let (red, blue, draw) = (Some(Team::Red), Some(Team::Blue), None);
    for (red_hp, blue_hp, threshold, strict, ge) in [
        (30, 20, 10, draw, red),
        (31, 20, 10, red, red),
        (20, 29, 10, draw, draw),
        (20, 30, 10, draw, blue),
        (5, 5, 0, draw, draw),
        (6, 5, 0, red, red),
        (5, 6, 0, blue, blue),
        (0, 20, 100, blue, blue),
    ] {
        for (rules, expected) in [("judge=strict", strict), ("judge=ge", ge)] {
            let state = game(rules).read_state(&at_limit(red_hp, blue_hp, threshold)).unwrap();
            assert_eq!(state.actor(), Actor::Over);
            assert_eq!(state.verdict(), expected, "{red_hp} : {blue_hp}, {rules}");
            let score = expected.map_or(0.5, |team| f64::from(team == Team::Red));
            assert_eq!(state.outcome().score(Seat::FIRST), score);
        }
    }
}

const LINE: &str = "grid=0000000/0111110/0000000";

/// Units that have acted before the game cannot act in their side's first turn, blue's too.
#[test]
fn initial_flags_hold_for_the_own_first_turn() {
    let mut state = position(&format!(
        "{LINE} units=0:I:r:1,1:10:0;1:I:b:4,1:10:1;2:I:b:5,1:10:0 turn=0 limit=9 threshold=1 first=r"
    ));
    state.apply(Action::go(0, Place::new(1, 1)));
    assert_eq!((state.turn(), state.mover()), (1, Team::Blue));
    assert!(
        !state.is_legal(Action::go(1, Place::new(4, 1))) && state.is_legal(Action::go(2, Place::new(5, 1)))
    );
    state.apply(Action::go(2, Place::new(5, 1)));
    state.apply(Action::go(0, Place::new(1, 1)));
    assert!(state.is_legal(Action::go(1, Place::new(4, 1))), "in blue's second turn it may act");
}

/// A side without a unit that may act is passed over, and the half-turn counts.
#[test]
fn a_side_that_cannot_act_is_passed_over() {
    let text = |acted| {
        format!("{LINE} units=0:I:r:1,1:10:0;1:I:b:5,1:10:{acted} turn=0 limit=9 threshold=1 first=r")
    };
    let mut state = position(&text(1));
    state.apply(Action::END);
    assert_eq!((state.turn(), state.mover()), (2, Team::Red));
    assert!(!state.unit(1).unwrap().acted);
    let mut state = position(&text(0));
    state.apply(Action::END);
    assert_eq!((state.turn(), state.mover()), (1, Team::Blue));
}

/// A unit that dies by counter-attack has used its action; a wipe-out on the last turn is a wipe-out.
#[test]
fn wipe_out() {
    let mut state = position(&format!(
        "{LINE} units=0:I:r:1,1:1:0;1:P:b:2,1:10:0;2:P:b:3,1:10:0 turn=8 limit=9 threshold=99 first=r"
    ));
    state.apply(Action::attack(0, Place::new(1, 1), 1));
    assert_eq!((state.actor(), state.verdict()), (Actor::Over, Some(Team::Blue)));
}

/// With the sides swapped blue moves on even half-turns.
#[test]
fn blue_may_move_first() {
    let state =
        position(&format!("{LINE} units=0:I:r:1,1:10:0;1:I:b:5,1:10:0 turn=0 limit=9 threshold=1 first=b"));
    assert_eq!(state.actor(), Actor::Seat(Seat::SECOND));
}
