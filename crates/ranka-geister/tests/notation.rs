//! Bad positions, views and actions are refused with the reason and the place.
#![allow(clippy::unwrap_used)]

use ranka_core::{Game, Notation, Params, Position, Seat};
use ranka_geister::Geister;

fn game() -> Geister {
    Geister::new(&Params::defaults(Geister::options())).unwrap()
}

#[test]
fn impossible_positions_are_refused_by_name() {
    let good = "6/B5/3r2/2R3/b5/6 1 RRRBBBrrrbbb 40";
    assert!(game().read_state(good).is_ok());
    for (text, column, problem) in [
        ("7/6/6/6/6/6 1 - 0", 1, "row 1 has 0 of its 6 squares: expected a ghost or a digit"),
        ("5/6/6/6/6/6 1 - 0", 2, "row 1 has 5 of its 6 squares: expected a ghost or a digit"),
        ("33/6/6/6/6/6 1 - 0", 2, "two runs of empty squares meet"),
        ("R6/6/6/6/6/6 1 - 0", 2, "the row has more than 6 squares"),
        ("6/6/6/6/6/6 3 - 0", 13, "expected who moves: 1, 2, or - when the game is over"),
        ("6/6/6/6/6/6 2 - 0", 1, "while ghosts are set up, those of the first player are at home"),
        ("6/6/6/6/6/6 1 - 4", 1, "while ghosts are set up, no moves have been made"),
        ("6/6/6/6/6/6 - - 0", 13, "the game is not over: write 1 or 2 for who moves"),
        (
            "6/B5/3r2/2R3/b5/6 1 RRRBBBrrrbb 40",
            1,
            "the second player has 1 blue ghosts on the board and 2 away, not 4",
        ),
        ("6/B5/3r2/2R3/b5/6 1 RRRBBBrrrbbbx 40", 33, "expected \" \", found 'x'"),
        ("6/B5/3r2/2R3/b5/6 1 x 40", 21, "expected the captured ghosts (letters R B r b), or -"),
        ("6/B5/3r2/2R3/b5/6 1 RRRBBBrrrbbb 201", 34, "the number of moves made is 201, not in 0 to 200"),
        ("6/B5/3r2/2R3/b5/6 1 RRRBBBrrrbbb 200", 19, "the game is over: write - for who moves"),
        ("6/B5/3r2/2R3/6/6 1 RRRBBBrrrbbbb 40", 18, "the game is over: write - for who moves"),
        ("6/B5/3r2/2R3/6/6 - RRRBBBbbbbrrr 40", 20, "the game was over when the fourth 'b' was captured"),
        ("6/B5/3r2/2R3/6/6 - RRRBBBbbbbrrr*b 40", 20, "the game was over when the fourth 'b' was captured"),
        ("6/B5/3r2/2R3/6/6 1 RRRBBBrrrbbbbb 40", 20, "5 'b' are captured, but there are only 4"),
        ("6/B5/3u2/2R3/b5/6 1 RRRBBBrrrbbb 40", 1, "the ghost on d3 needs a colour"),
        (
            "6/B5/3r2/2R3/b5/6 1 RRRBBBrrrbbb 40 a3--------------,a5d3------------",
            37,
            "the first player has no ghost on a3, or it is named already",
        ),
        (
            "6/B5/3r2/2R3/b5/6 1 RRRBBBrrrbbb 40 a2--------------,a5d3------------",
            53,
            "the ghost on c4 has no letter",
        ),
    ] {
        let error = game().read_state(text).unwrap_err();
        assert_eq!((error.column, error.problem.as_str()), (column, problem), "{text}");
    }
}

#[test]
fn letters_follow_the_squares_unless_they_are_given() {
    let plain = "6/B5/3r2/2R3/b5/6 1 RRRBBBrrrbbb 40";
    let given = "6/B5/3r2/2R3/b5/6 1 RRRBBBrrrbbb 40 a2c4------------,d3a5------------";
    assert_eq!(game().read_state(given), game().read_state(plain));
    assert_eq!(game().write_state(&game().read_state(given).unwrap()), plain);
    let other = "6/B5/3r2/2R3/b5/6 1 RRRBBBrrrbbb 40 --c4------a2----,d3------------a5";
    assert_eq!(game().write_state(&game().read_state(other).unwrap()), other);
}

#[test]
fn a_view_hides_exactly_the_other_sides_colours() {
    let seen = "uu1B2/6/R5/6/6/6 1 rrrbbbRRRBBB 40";
    let view = game().read_view(seen, Seat::FIRST).unwrap();
    assert_eq!(game().write_view(&view, Seat::FIRST), seen);
    assert_eq!(view.left(Seat::SECOND), (1, 1));
    for (text, seat) in [
        (seen, Seat::SECOND),
        ("ru1B2/6/R5/6/6/6 1 rrrbbbRRRBBB 40", Seat::FIRST),
        ("rb1B2/6/R5/6/6/6 1 rrrbbbRRRBBB 40", Seat::FIRST),
        ("uuuB2/6/R5/6/6/6 1 rrrbbbRRRBBB 40", Seat::FIRST),
    ] {
        assert!(game().read_view(text, seat).is_err(), "{text} is not what {seat:?} sees");
    }
    // When it is over, all is shown.
    let over = "rb4/6/R5/6/6/6 - rrrbbbRRRBBB*B 41";
    let state = game().read_state(over).unwrap();
    for seat in Seat::all(2) {
        assert_eq!(game().write_view(&game().view(&state, seat), seat), over);
    }
}

#[test]
fn illegal_actions_are_refused_by_the_rule() {
    let state = game().read_state("R2B2/6/R5/b5/1r4/r4b 1 rrbbRRBBB 40").unwrap();
    for (action, why) in [
        ("set:ABCD", "the ghosts have their colours already"),
        ("b1b2", "the first player has no ghost on b1"),
        ("a4a5", "the first player has no ghost on a4"),
        ("a1a3", "a ghost goes one step north, east, south or west, and a3 is none from a1"),
        ("d1f1", "a ghost goes one step north, east, south or west, and f1 is none from d1"),
        ("d1out", "d1 is no exit of the first player"),
        ("a1out", "a red ghost never leaves the board"),
    ] {
        let read = game().read_action(action).unwrap();
        assert!(!state.is_legal(read));
        assert_eq!(game().refusal(&state, read), why, "{action}");
    }
    let beside = game().read_state("6/R5/B5/6/6/rb4 1 rrrbbbRRRBBB 40").unwrap();
    let onto = game().read_action("a2a3").unwrap();
    assert_eq!(game().refusal(&beside, onto), "an own ghost stands on a3");
    for (text, column) in
        [("", 1), ("b5", 3), ("b5b7", 3), ("b5b4 ", 5), ("set:ABC", 5), ("a1ou", 3), ("é5b4", 1)]
    {
        assert_eq!(game().read_action(text).unwrap_err().column, column, "{text:?}");
    }
}
