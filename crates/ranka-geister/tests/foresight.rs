//! What people are told of an action before it is taken, as far as they may know it.

use ranka_core::{Foresight, Game, Motion, Notation, Picture, Position, Rng, Seat, Seed, Step};
use ranka_geister::{Geister, View};

const GAME: Geister = Geister { plies: 200 };

fn told(view: &View, action: &str) -> (String, String) {
    let Foresight { message, marks } = GAME.foresee(view, GAME.read_action(action).expect(action));
    let marks: Vec<String> = marks.into_iter().map(|(id, mark)| format!("{id} {mark}")).collect();
    (message.to_string(), marks.join(", "))
}

#[test]
fn each_seat_is_told_what_it_knows() {
    // The first to move; own ghosts on a1 (blue), b4 (red); the other's on b3 (red), c3 (blue), d3 (red).
    let state = GAME.read_state("B5/6/1rbr2/1R4/6/6 1 RRRrrBBBbbb 20").expect("a position");
    let (own, other) = (GAME.view(&state, Seat::FIRST), GAME.view(&state, Seat::SECOND));
    for (view, action, says, marks) in [
        (&own, "a1b1", "The blue ghost A goes from a1 to b1", ""),
        (&other, "a1b1", "The ghost A goes from a1 to b1", ""),
        (
            &own,
            "b4b3",
            "The red ghost B goes from b4 to b3 and takes the ghost A: if it is blue, the game is won",
            "square-b3 ×",
        ),
        (&other, "b4b3", "The ghost B goes from b4 to b3 and takes the red ghost A", "square-b3 ×"),
        (&own, "a1out", "The blue ghost A leaves at a1 and wins", "door-a1 ★"),
        (&other, "a1out", "The blue ghost A leaves at a1 and wins", "door-a1 ★"),
        // Nobody stands there, or somebody of the other side.
        (&own, "e5e4", "", ""),
        (&own, "c3c4", "", ""),
        (&own, "set:ABCD", "", ""),
    ] {
        assert_eq!(told(view, action), (says.to_owned(), marks.to_owned()), "{action}");
    }
}

/// What a seat hears of an action once it was taken.
fn heard(position: &str, seat: Seat, action: &str) -> String {
    let before = GAME.read_state(position).expect("a position");
    let action = GAME.read_action(action).expect(action);
    let mut after = before;
    after.apply(action);
    GAME.tell(&GAME.view(&before, seat), action, &GAME.view(&after, seat)).to_string()
}

#[test]
fn what_was_taken_is_told_with_its_colour() {
    let position = "B5/6/1rbr2/1RB3/6/6 1 RRRrrBBbbb 20";
    for (seat, by) in [(Seat::FIRST, ["red ghost B", "blue ghost C"]), (Seat::SECOND, ["ghost B", "ghost C"])]
    {
        let [red, blue] = by;
        assert_eq!(
            heard(position, seat, "b4b3"),
            format!("The {red} goes from b4 to b3 and takes the red ghost A")
        );
        assert_eq!(
            heard(position, seat, "c4c3"),
            format!("The {blue} goes from c4 to c3, takes the blue ghost B and wins")
        );
    }
    assert_eq!(heard(position, Seat::SECOND, "a1b1"), "The ghost A goes from a1 to b1");
}

#[test]
fn set_ups_are_marked_at_home() {
    let state = GAME.start(&mut Rng::new(Seed::new(1)));
    let view = GAME.view(&state, Seat::FIRST);
    let (says, marks) = told(&view, "set:ABGH");
    assert_eq!(says, "The ghosts A, B, G, H are red, the others blue");
    assert_eq!(marks, "square-b5 ◆, square-c5 ◆, square-d6 ◆, square-e6 ◆");
}

#[test]
fn what_decides_the_game_is_told_to_who_knows_it() {
    let mut state = GAME.read_state("6/6/1rb3/1RB3/6/6 1 RRRrrrBBBbbb 30").expect("a position");
    let own = GAME.view(&state, Seat::FIRST);
    let (says, _) = told(&own, "b4b3");
    assert!(says.ends_with("takes the ghost A: red loses the game, blue wins it"), "{says}");
    let other = GAME.view(&state, Seat::SECOND);
    assert!(told(&other, "b4b3").0.ends_with("takes the red ghost A and loses"));
    assert!(told(&other, "c4c3").0.ends_with("takes the blue ghost B and wins"));
    state.apply(GAME.read_action("b4b3").expect("a step"));
    assert_eq!(state.outcome().score(Seat::SECOND), 1.0);
}

#[test]
fn ghosts_move_alike_for_both_and_no_colour_is_told() {
    let state = GAME.read_state("B5/6/1rbr2/1R4/6/6 1 RRRrrBBBbbb 20").expect("a position");
    let walk = |piece: &str, to: &str| Step::Walk { piece: piece.to_owned(), over: vec![to.to_owned()] };
    let leave = |piece: &str| Step::Leave { piece: piece.to_owned() };
    for (action, steps) in [
        ("a1b1", vec![walk("ghost-0A", "square-b1")]),
        ("b4b3", vec![walk("ghost-0B", "square-b3"), leave("ghost-1A")]),
        ("a1out", vec![walk("ghost-0A", "door-a1"), leave("ghost-0A")]),
        ("e5e4", vec![]),
    ] {
        for seat in Seat::all(2) {
            let action = GAME.read_action(action).expect(action);
            assert_eq!(GAME.motion(&GAME.view(&state, seat), action), steps, "{action:?}");
        }
    }
}
