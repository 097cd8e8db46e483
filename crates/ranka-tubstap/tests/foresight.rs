//! What people are told of an act before it is done: the fights of the tables, in words and marks.
#![allow(clippy::unwrap_used)]

use ranka_core::{Foresight, Game, Motion, Notation, Params, Picture, Step};
use ranka_tubstap::Tubstap;

/// What is told of an act, and the marks in one line.
fn told(position: &str, act: &str) -> (String, String) {
    let game = Tubstap::new(&Params::defaults(Tubstap::options())).unwrap();
    let state = game.read_state(position).unwrap();
    let Foresight { message, marks } = game.foresee(&state, game.read_action(act).unwrap());
    let marks: Vec<String> = marks.into_iter().map(|(id, mark)| format!("{id} {mark}")).collect();
    (message.to_string(), marks.join(", "))
}

fn check(position: &str, acts: &[(&str, &str, &str)]) {
    for (act, says, marks) in acts {
        assert_eq!(told(position, act), (says.to_string(), marks.to_string()), "{act}");
    }
}

#[test]
fn attacks_tell_the_damage_and_the_damage_in_return() {
    let duel = "grid=0000000/0113110/0141310/0316130/0131410/0113110/0000000 \
                units=0:P:r:3,3:10:0;1:I:r:2,2:10:0;2:P:b:5,1:10:0;3:I:b:3,4:10:0 turn=2 limit=7 threshold=5 first=r";
    check(
        duel,
        &[
            ("0@3,3", "Panzer 0 stays at 3,3 (fortress)", ""),
            ("0@5,4", "Panzer 0 goes to 5,4 (plain)", ""),
            // (55 · 10 + 70) / (100 + 10) = 5, and (55 · 5 + 70) / (100 + 30) = 2 in return.
            (
                "1@2,4>3",
                "Infantry 1 goes to 2,4 (forest), attacks infantry 3 for 5 HP and loses 2 HP",
                "unit-3 −5, cell-2-4 −2",
            ),
            // (75 · 10 + 70) / 110 = 7, and (5 · 3 + 70) / 140 = 0 in return.
            (
                "0@3,3>3",
                "Panzer 0 stays at 3,3 (fortress) and attacks infantry 3 for 7 HP",
                "unit-3 −7, unit-0 0",
            ),
            ("end", "Ends the turn: whoever has not acted stays where it is", ""),
            // The other side's unit, nobody, and out of reach.
            ("3@3,5", "", ""),
            ("9@3,5", "", ""),
            ("1@5,5", "", ""),
        ],
    );
}

#[test]
fn who_is_destroyed_is_told() {
    let ground = "grid=00000/01110/01110/00000";
    let rest = "turn=0 limit=20 threshold=10 first=r";
    let two = format!("{ground} units=0:P:r:1,1:10:0;1:I:b:3,1:3:0;2:I:b:3,2:10:0 {rest}");
    check(
        &two,
        &[("0@2,1>1", "Panzer 0 goes to 2,1 (plain) and destroys infantry 1", "unit-1 −3 ✕, cell-2-1 0")],
    );
    let last = format!("{ground} units=0:P:r:2,1:10:0;1:I:b:3,1:3:0 {rest}");
    check(
        &last,
        &[
            (
                "0@2,1>1",
                "Panzer 0 stays at 2,1 (plain), destroys infantry 1 and wins",
                "unit-1 −3 ✕, unit-0 0",
            ),
            (
                "0@3,2>1",
                "Panzer 0 goes to 3,2 (plain), destroys infantry 1 and wins",
                "unit-1 −3 ✕, cell-3-2 0",
            ),
        ],
    );
    let weak = format!("{ground} units=0:I:r:1,1:1:0;1:P:b:2,1:10:0;2:I:r:3,2:10:0 {rest}");
    check(
        &weak,
        &[(
            "0@1,1>1",
            "Infantry 0 stays at 1,1 (plain), attacks panzer 1 for 0 HP and is destroyed",
            "unit-1 0, unit-0 −1 ✕",
        )],
    );
}

#[test]
fn a_unit_marches_around_what_is_in_the_way_and_fights_are_told() {
    let game = Tubstap::new(&Params::defaults(Tubstap::options())).unwrap();
    let duel = "grid=0000000/0113110/0141310/0316130/0131410/0113110/0000000 \
                units=0:P:r:3,3:10:0;1:I:r:2,2:10:0;2:P:b:5,1:10:0;3:I:b:3,4:5:0 turn=2 limit=7 threshold=5 first=r";
    let state = game.read_state(duel).unwrap();
    let steps = |act: &str| game.motion(&state, game.read_action(act).unwrap());
    let tell = |at: &str, text: &str| Step::Tell { at: at.to_owned(), text: text.to_owned() };
    assert_eq!(steps("0@3,3"), [], "who stays and does nothing moves nothing");
    assert_eq!(
        steps("0@3,3>3"),
        [tell("unit-3", "−5"), Step::Leave { piece: "unit-3".to_owned() }],
        "it falls, and nothing comes back"
    );
    let [Step::Walk { piece, over }] = &steps("0@5,4")[..] else { panic!("{:?}", steps("0@5,4")) };
    assert_eq!((piece.as_str(), over.last().unwrap().as_str()), ("unit-0", "cell-5-4"));
    assert!(!over.contains(&"cell-3-4".to_owned()), "not through the enemy: {over:?}");
    assert!(matches!(&steps("1@2,4>3")[..], [Step::Walk { .. }, Step::Tell { .. }, ..]));
}
