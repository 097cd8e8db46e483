//! Bad positions and actions are refused with the reason and the place.
#![allow(clippy::unwrap_used)]

use ranka_core::{Game, Notation, Params};
use ranka_tubstap::Tubstap;

const GOOD: &str = "grid=000000/011110/011110/000000 units=0:I:r:1,1:10:0;1:U:r:2,1:10:0;2:P:b:3,2:9:0;3:I:b:4,1:10:0 \
                    turn=0 limit=20 threshold=3 first=r";

fn game(rules: &str) -> Tubstap {
    Tubstap::new(&Params::parse(rules, Tubstap::options()).unwrap()).unwrap()
}

#[test]
fn positions_that_cannot_be_are_refused_with_their_place() {
    let game = game("");
    assert_eq!(game.write_state(&game.read_state(GOOD).unwrap()), GOOD);
    for (from, to, column, why) in [
        ("grid=0", "grid=7", 6, "expected a terrain 0 to 6 or /, found '7'"),
        ("/011110/", "/11110/", 13, "row 1 has 5 cells, not 6"),
        ("/011110/", "/111110/", 13, "the ring must be walls (0), but 0,1 is 1"),
        ("0:I:r", "0:X:r", 42, "expected the type of unit 0: one of F A P U R I"),
        ("0:I:r", "0:I:g", 44, "expected a team: r or b"),
        ("1,1:10", "0,1:10", 40, "unit 0 is at 0,1, not inside the ring"),
        ("1,1:10", "1,1:11", 50, "the HP of unit 0 is 11, not in 1 to 10"),
        ("1:U:r:2,1", "1:U:r:1,1", 55, "units 0 and 1 are both at 1,1"),
        ("3:I:b", "1:I:b", 84, "unit 1 comes after unit 2"),
        ("turn=0", "turn=21", 1, "half-turn 21 is beyond the limit 20"),
    ] {
        let spoilt = GOOD.replacen(from, to, 1);
        assert_ne!(spoilt, GOOD);
        let error = game.read_state(&spoilt).unwrap_err();
        assert_eq!((error.column, error.problem.as_str()), (column, why), "{spoilt}");
    }
}

#[test]
fn illegal_acts_are_refused_by_the_rule() {
    let game = game("");
    let state = game.read_state(GOOD).unwrap();
    for (act, why) in [
        ("9@1,1", "there is no unit 9"),
        ("2@3,2", "unit 2 is Blue's, and Red is to move"),
        ("0@0,0", "0,0 is not inside the ring of walls"),
        ("0@2,1", "2,1 is taken by unit 1"),
        ("0@1,1>1", "unit 1 is Red's own"),
        ("0@1,1>9", "there is no unit 9"),
        ("0@1,1>2", "1,1 does not touch unit 2 at 3,2"),
        ("1@2,2>2", "a cannon cannot move and fire in one action"),
    ] {
        assert_eq!(game.refusal(&state, game.read_action(act).unwrap()), why, "{act}");
    }
    for (text, column) in
        [("", 1), ("0", 2), ("32@1,1", 1), ("0@1", 4), ("0@1,1>", 7), ("0@1,1 ", 6), ("ended", 4)]
    {
        assert_eq!(game.read_action(text).unwrap_err().column, column, "{text:?}");
    }
}
