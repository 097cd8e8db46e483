//! Bad positions and actions are refused with the reason and the place.
#![allow(clippy::unwrap_used)]

use ranka_core::{Game, Notation, Params};
use ranka_kalah::Kalah;

fn game(rules: &str) -> Kalah {
    Kalah::new(&Params::parse(rules, Kalah::options()).unwrap()).unwrap()
}

#[test]
fn positions_that_the_rules_forbid_are_refused_with_the_reason() {
    let problem = |rules: &str, text: &str| {
        let error = game(rules).read_state(text).unwrap_err();
        format!("{}: {}", error.column, error.problem)
    };
    assert_eq!(
        problem("", "<3,0,0,3,3,3,3,3,x> S"),
        "18: expected North's house 3, a number 0 to 511, found 'x'"
    );
    assert_eq!(problem("", "<3,0,0,3,3,3,3,3> S"), "17: expected \",\", found '>'");
    assert_eq!(problem("", "<13,0,0> S"), "2: the number of houses is 13, not in 1 to 12");
    assert_eq!(problem("", "<1,300,300,1,1> S"), "1: the board holds 602 seeds, not 1 to 511");
    assert_eq!(problem("", "<1,0,0,1,1> X"), "13: expected who moves: S, N, or - when the game is over");
    assert_eq!(problem("", "<1,0,0,0,1> S"), "13: South has no seeds to move, so the game is over");
    assert_eq!(problem("", "<1,0,0,1,0> S"), "13: North's row is empty, so the game is over");
    assert_eq!(problem("", "<1,0,0,1,0> -"), "13: the game is over, but 1 seeds lie unswept in the houses");
    assert_eq!(problem("", "<1,0,0,1,1> S pie"), "14: the pie rule is off (--rules pie=on)");
    assert!(game("end=mover-empty").read_state("<1,0,0,1,0> S").is_ok());
}

#[test]
fn illegal_houses_are_refused_by_name() {
    let game = game("houses=3,seeds=3");
    let state = game.read_state("<3,1,0,0,4,4,3,3,3> S").unwrap();
    let why = |text: &str| game.refusal(&state, game.read_action(text).unwrap());
    assert_eq!(why("1"), "South's house 1 is empty");
    assert_eq!(why("7"), "this board has houses 1 to 3");
    assert_eq!(why("swap"), "the pie rule is off");
}
