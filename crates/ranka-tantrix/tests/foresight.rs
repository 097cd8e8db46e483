//! What people are told of a placement before it is made.
#![allow(clippy::unwrap_used)]

use ranka_core::{Foresight, Motion, Notation, Picture, Position, Seat, Step};
use ranka_tantrix::{State, Tantrix, Tile};

fn game() -> Tantrix {
    Tantrix::standard(2)
}

/// What is told of a placement, and the marks in one line.
fn told(state: &State, action: &str) -> (String, String) {
    let Foresight { message, marks } = game().foresee(state, game().read_action(action).unwrap());
    let marks: Vec<String> = marks.into_iter().map(|(id, mark)| format!("{id} {mark}")).collect();
    (message.to_string(), marks.join(", "))
}

fn check(position: &str, actions: &[(&str, &str, &str)]) {
    let state = game().read_state(position).unwrap();
    for (action, says, marks) in actions {
        assert_eq!(told(&state, action), (says.to_string(), marks.to_string()), "{action}");
    }
}

#[test]
fn placements_tell_whose_longest_line_grows() {
    // Three blue, red and yellow tiles; the yellow corners of the first two are two thirds of a loop.
    check(
        "board=1@0,0/2;2@1,0/0 hands=3,4;- bag=50 colours=Y,B mover=0 freed=0 phase=free",
        &[
            // From a line of two to a loop of three, which counts twice.
            ("3@0,1/0", "Tile 3 goes to 0,1, turned by 0°: yellow gains 4", "cell-0,1 Y+4"),
            // Joins two single links.
            ("3@1,-1/5", "Tile 3 goes to 1,-1, turned by 300°: blue gains 2", "cell-1,-1 B+2"),
            ("3@2,-1/1", "Tile 3 goes to 2,-1, turned by 60°", ""),
            // Does not match, touches no tile, is not in the hand, is not chance's turn.
            ("3@0,1/1", "", ""),
            ("3@9,9/0", "", ""),
            ("5@0,1/0", "", ""),
            ("draw:50", "", ""),
        ],
    );
}

#[test]
fn forced_spaces_are_filled_in_so_many_words() {
    // Position A of the specification: the only fill makes red's line of three one of four.
    check(
        "board=4@0,0/0;17@1,0/1;28@2,0/0;36@3,0/0;2@-1,1/0 hands=1,8,20,33,41,56;- bag=50 colours=R,B mover=0 \
         freed=0 phase=forced",
        &[("1@0,1/3", "Tile 1 fills the forced space 0,1, turned by 180°: red gains 1", "cell-0,1 R+1")],
    );
}

#[test]
fn the_first_tile_and_the_first_draw() {
    let deck: Vec<Tile> = Tile::all().collect();
    let mut state = game().dealt(&deck);
    let expected = ("Tile 1 goes to 0,0, turned by 0°: red gains 1, blue gains 1", "cell-0,0 R+1 B+1");
    assert_eq!(told(&state, "1@0,0/0"), (expected.0.to_owned(), expected.1.to_owned()));
    state.apply(game().read_action("1@0,0/0").unwrap());
    let drawn = ("Tile 50 is drawn from the bag".to_owned(), "bag 50".to_owned());
    assert_eq!(told(&state, "draw:50"), drawn);
}

#[test]
fn a_tile_goes_to_its_place_and_tells_what_it_gains() {
    let state = game()
        .read_state("board=1@0,0/2;2@1,0/0 hands=3,4;- bag=50 colours=Y,B mover=0 freed=0 phase=free")
        .unwrap();
    let steps = |action: &str| game().motion(&state, game().read_action(action).unwrap());
    let walk = |to: &str| Step::Walk { piece: "tile-3".to_owned(), over: vec![to.to_owned()] };
    assert_eq!(
        steps("3@0,1/0"),
        [walk("cell-0,1"), Step::Tell { at: "cell-0,1".to_owned(), text: "Y+4".to_owned() }]
    );
    let turn = Step::Turn { piece: "tile-3".to_owned(), degrees: 60 };
    assert_eq!(steps("3@2,-1/1"), [turn, walk("cell-2,-1")]);
    assert_eq!(steps("3@0,1/1"), [], "it does not match");
}

#[test]
fn what_chance_did_and_who_has_how_many_points_is_told() {
    let draw = game().read_action("draw:48").unwrap();
    assert_eq!(game().tell_chance(draw).to_string(), "Tile 48 is drawn from the bag");
    let position = "board=1@0,0/2;2@1,0/0 hands=3,4;- bag=50 colours=Y,B mover=0 freed=0 phase=free";
    let state = game().read_state(position).unwrap();
    let sides = Seat::all(2).map(|seat| game().side(&state, seat)).collect::<Vec<_>>();
    assert_eq!(sides, ["yellow", "blue"], "as the verdict calls them");
}
