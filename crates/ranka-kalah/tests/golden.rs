//! The specification's worked transitions, and what follows from the options.
#![allow(clippy::unwrap_used)]

use ranka_core::{Actor, Game, Notation, Params, Position, Seat};
use ranka_kalah::Kalah;

fn game(rules: &str) -> Kalah {
    Kalah::new(&Params::parse(rules, Kalah::options()).unwrap()).unwrap()
}

/// Position after `house`, in notation.
fn after(rules: &str, before: &str, house: &str) -> String {
    let game = game(rules);
    let mut state = game.read_state(before).unwrap();
    let action = game.read_action(house).unwrap();
    assert!(state.is_legal(action));
    state.apply(action);
    game.write_state(&state)
}

#[test]
fn worked_transitions() {
    let cases = [
        ("<3,0,0,3,3,3,3,3,3> S", "1", "<3,1,0,0,4,4,3,3,3> S"), // extra turn
        ("<3,0,0,3,3,3,3,3,3> S", "2", "<3,1,0,3,0,4,4,3,3> N"), // turn passes
        ("<3,0,0,2,0,0,1,1,1> S", "1", "<3,2,0,0,1,0,0,1,1> N"), // capture in house 3
        ("<3,0,0,2,1,0,0,1,1> S", "1", "<3,0,0,0,2,1,0,1,1> N"), // nothing opposite
        ("<3,0,0,7,1,1,1,1,1> S", "1", "<3,4,0,0,2,2,2,2,0> N"), // a whole lap, then capture
        ("<3,0,0,0,0,1,1,1,1> S", "3", "<3,1,3,0,0,0,0,0,0> -"), // last seed in store, row empty: over
        ("<3,0,0,0,0,3,1,0,1> S", "3", "<3,1,4,0,0,0,0,0,0> -"),
        ("<3,0,0,1,0,1,0,5,0> S", "1", "<3,7,0,0,0,0,0,0,0> -"), // the capture empties the other row
    ];
    for (before, house, expected) in cases {
        assert_eq!(after("", before, house), expected, "{before}, house {house}");
    }
    assert_eq!(after("capture=always", "<3,0,0,2,1,0,0,1,1> S", "1"), "<3,1,0,0,2,0,0,1,1> N");
}

#[test]
fn north_plays_the_mirror_image() {
    let cases = [
        ("<3,0,0,3,3,3,3,3,3> N", "1", "<3,0,1,3,3,3,0,4,4> N"),
        ("<3,0,0,1,1,1,2,0,0> N", "1", "<3,0,2,0,1,1,0,1,0> S"),
        ("<3,0,0,1,1,1,7,1,1> N", "1", "<3,0,4,2,2,0,0,2,2> S"),
    ];
    for (before, house, expected) in cases {
        assert_eq!(after("", before, house), expected, "{before}, house {house}");
    }
}

#[test]
fn more_than_a_lap_goes_round_twice() {
    // 16 seeds on a ring of 7: two whole laps, then two more.
    assert_eq!(after("", "<3,0,0,16,0,0,1,1,1> S", "1"), "<3,2,0,2,3,3,3,3,3> N");
}

#[test]
fn options_decide_the_end() {
    // South empties its row and the turn passes: over, unless the mover's row decides.
    let before = "<3,0,0,0,0,3,1,0,1> S";
    assert_eq!(after("", before, "3"), "<3,1,4,0,0,0,0,0,0> -");
    assert_eq!(after("end=mover-empty", before, "3"), "<3,1,0,0,0,0,2,1,1> N");
    // An extra turn with nothing to move ends it under either rule.
    assert_eq!(after("end=mover-empty", "<3,0,0,0,0,1,1,1,1> S", "3"), "<3,1,3,0,0,0,0,0,0> -");
    assert_eq!(after("leftover=none", before, "3"), "<3,1,0,0,0,0,2,1,1> -");
    assert_eq!(after("leftover=opponent-of-emptied", before, "3"), "<3,1,4,0,0,0,0,0,0> -");
    // 8 seeds in all: the fifth in a store decides.
    let majority = "<3,4,0,0,0,1,1,1,1> S";
    assert_eq!(after("early-majority=on", majority, "3"), "<3,5,3,0,0,0,0,0,0> -");
    let early = "<3,4,0,1,0,1,1,1,1> S";
    assert_eq!(after("", early, "3"), "<3,5,0,1,0,0,1,1,1> S");
    assert_eq!(after("early-majority=on", early, "3"), "<3,6,3,0,0,0,0,0,0> -");
}

#[test]
fn the_pie_can_be_taken_once() {
    let rules = "houses=3,seeds=3,pie=on";
    let game = game(rules);
    let start = game.write_state(&game.first());
    assert_eq!(start, "<3,0,0,3,3,3,3,3,3> S pie");
    let again = after(rules, &start, "1");
    assert_eq!(again, "<3,1,0,0,4,4,3,3,3> S pie"); // the first turn goes on
    let offered = after(rules, &again, "2");
    assert_eq!(offered, "<3,2,0,0,0,5,4,4,3> N pie");
    let mut actions = Vec::new();
    game.read_state(&offered).unwrap().actions(&mut actions);
    let names: Vec<String> = actions.iter().map(|&a| game.write_action(a)).collect();
    assert_eq!(names, ["1", "2", "3", "swap"]);
    // North takes South's place, and South moves on with what was North's.
    assert_eq!(after(rules, &offered, "swap"), "<3,0,2,4,4,3,0,0,5> S");
    assert!(!after(rules, &offered, "3").contains("pie"));
}

#[test]
fn boards_beyond_the_representation_are_refused() {
    let params = Params::parse("houses=12,seeds=20", Kalah::options()).unwrap();
    assert_eq!(Kalah::new(&params).unwrap().first().total(), 480);
    assert!(Params::parse("houses=13", Kalah::options()).is_err());
    assert!(Kalah::with(12, 22, ranka_kalah::Rules::STANDARD).is_err());
}

#[test]
fn the_start_belongs_to_south() {
    assert_eq!(Kalah::standard(6, 4).first().actor(), Actor::Seat(Seat::FIRST));
}
