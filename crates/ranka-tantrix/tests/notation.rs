//! Bad positions and actions are refused with the reason and the place.
#![allow(clippy::unwrap_used)]

mod common;

use common::{A, GAME, legal, position};
use ranka_core::Notation;
use ranka_tantrix::{Action, Tile};

#[test]
fn refusals_name_the_rule() {
    let state = position(A, "3,14,23,26,47,55", true);
    let refusal = |text: &str| GAME.refusal(&state, GAME.read_action(text).unwrap());
    assert_eq!(refusal("1@0,1/3"), "tile 1 is not in the hand of seat 0");
    assert_eq!(refusal("3@0,0/0"), "there is a tile at 0,0");
    assert_eq!(refusal("3@9,9/0"), "9,9 touches no tile");
    assert_eq!(refusal("draw:5"), "a tile is to be placed, not drawn");
    let side: Vec<String> = [3, 14, 23, 26, 47, 55]
        .iter()
        .flat_map(|tile| (0..6).map(move |rotation| format!("{tile}@3,1/{rotation}")))
        .map(|text| refusal(&text))
        .collect();
    assert!(side.iter().any(|why| why == "3,1 is on a controlled side (rule C)"), "{side:?}");
    assert!(side.iter().all(|why| why.contains("rule C") || why.contains("edge is")), "{side:?}");
    let forced = position(A, "1,8,20,33,41,56", true);
    let lifted = position(A, "1,8,20,33,41,56", false);
    let mut all = Vec::new();
    for cell in lifted.board().frontier() {
        for rotation in 0..6 {
            all.push(GAME.refusal(&lifted, Action::place(Tile::new(8), rotation, cell)));
        }
    }
    assert!(all.iter().any(|why| why == "a forced space must be filled first"), "{all:?}");
    assert_eq!(legal(&forced).len(), 1);
}

#[test]
fn bad_positions_are_refused_with_their_place() {
    let good = "board=1@0,0/0;2@0,1/0 hands=3;4 bag=5,6 colours=R,B mover=0 freed=0 phase=free";
    let refused = |from: &str, to: &str| {
        let text = good.replace(from, to);
        let error = GAME.read_state(&text).expect_err(&text);
        (error.column, error.problem)
    };
    assert_eq!(
        refused("2@0,1/0", "2@0,2/0"),
        (15, "tile 2 does not lie beside another with matching edges".into())
    );
    assert_eq!(refused("1@0,0/0", "1@1,0/0"), (7, "the first tile lies at 0,0".into()));
    assert_eq!(refused("hands=3;4", "hands=3;2").1, "tile 2 is named twice");
    assert_eq!(refused("hands=3;4", "hands=3").1, "1 hands: 2 to 4 play");
    assert_eq!(refused("bag=5,6", "bag=6,5").1, "the bag is written in ascending order");
    assert_eq!(refused("R,B", "R,R").1, "red is given twice");
    assert_eq!(refused("@0,0", "@-0,0").1, "q is -0: write 0");
    assert_eq!(refused("=3;4", "=3,7,8,9,10,11,12;4").1, "a hand has at most 6 tiles");
    assert_eq!(refused("=free", "=forced").1, "by the rules the phase is free");
    assert_eq!(refused("freed=0", "freed=1").1, "seat 0 can do nothing: mover=1 freed=0 phase=free");
}
