//! What people are told of pushes and moves before they are made, and tiles that a page can follow.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use ranka_core::{Foresight, Game, Look, Motion, Notation, Picture, Position, Seat, Step};
use ranka_labyrinth::{Action, Cell, State};
use std::collections::BTreeMap;

/// What a seat is told, and the marks in one line.
fn told(rules: &str, state: &State, seat: usize, text: &str) -> (String, String) {
    let game = game(rules);
    let Foresight { message, marks } = game.foresee(&game.view(state, Seat::new(seat)), action(text));
    let marks: Vec<String> = marks.into_iter().map(|(id, mark)| format!("{id} {mark}")).collect();
    (message.to_string(), marks.join(", "))
}

#[test]
fn pushes_tell_who_is_carried() {
    let rest = "cards=Mouse;Book found=-;- last=- mover=0 phase=push";
    for (pawns, push, says, marks) in [
        (
            "0,0;6,6",
            "p0r1",
            "Pushes the tile in from above at column 1, open right and below",
            "entry-0 ↓, entry-8 ↓✕",
        ),
        (
            "1,3;6,6",
            "p0r0",
            "Pushes the tile in from above at column 1, open above and right, and carries A along",
            "entry-0 ↓, entry-8 ↓✕, pawn-0 ↓",
        ),
        (
            "0,0;0,3",
            "p4r3",
            "Pushes the tile in from the right at row 3, open left and above, and brings B back in on it",
            "entry-4 ←, entry-10 ←✕, pawn-1 ↻, cell-6-3 B",
        ),
        (
            "6,5;3,5",
            "p9r2",
            "Pushes the tile in from the left at row 5, open below and left, carries B along and brings A back in on it",
            "entry-9 →, entry-5 →✕, pawn-1 →, pawn-0 ↻, cell-0-5 A",
        ),
        // Not before the move.
        ("0,0;6,6", "m0,0", "", ""),
    ] {
        let state = position_g(pawns, rest);
        for seat in [0, 1] {
            assert_eq!(told("", &state, seat, push), (says.to_owned(), marks.to_owned()), "{push}");
        }
    }
}

#[test]
fn moves_tell_what_is_found_to_who_knows_what_is_sought() {
    let at = |cards: &str, found: &str| {
        position_g("0,0;6,6", &format!("cards={cards} found={found} last=3 mover=0 phase=move"))
    };
    let seeking = at("KnightHelmet+Mouse;Book", "-;-");
    let last = at("Ghost;Book", "-;-");
    let homeward = at("-;Book", "Ghost;-");
    for (rules, state, seat, text, says, marks) in [
        ("", &seeking, 0, "m2,0", "Goes to column 2, row 0 and finds the knight helmet", "cell-2-0 ★"),
        ("", &seeking, 1, "m2,0", "Goes to column 2, row 0, to the knight helmet", ""),
        (
            "open-hands=on",
            &seeking,
            1,
            "m2,0",
            "Goes to column 2, row 0 and finds the knight helmet",
            "cell-2-0 ★",
        ),
        ("", &seeking, 0, "m2,3", "Goes to column 2, row 3, to the ghost", ""),
        ("", &seeking, 0, "m1,0", "Goes to column 1, row 0", ""),
        ("", &seeking, 0, "m0,0", "Stays at column 0, row 0", ""),
        // Out of reach.
        ("", &seeking, 0, "m6,6", "", ""),
        (
            "",
            &last,
            0,
            "m2,3",
            "Goes to column 2, row 3 and finds the ghost, the last one: now home",
            "cell-2-3 ★",
        ),
        ("", &last, 1, "m2,3", "Goes to column 2, row 3, to the ghost", ""),
        ("", &homeward, 0, "m0,0", "Goes home to column 0, row 0 and wins", "cell-0-0 ★"),
        ("", &homeward, 1, "m0,0", "Goes home to column 0, row 0 and wins", "cell-0-0 ★"),
        ("", &homeward, 0, "m2,3", "Goes to column 2, row 3, to the ghost", ""),
    ] {
        assert_eq!(told(rules, state, seat, text), (says.to_owned(), marks.to_owned()), "{text} for {seat}");
    }
    // The last treasure wins where nobody has to go home.
    let game = game("return-home=off");
    let short = game.read_state(&game.write_state(&last)).unwrap();
    let foresight = game.foresee(&game.view(&short, Seat::FIRST), action("m2,3"));
    assert_eq!(
        foresight.message.to_string(),
        "Goes to column 2, row 3, finds the ghost, the last one, and wins"
    );
}

#[test]
fn what_was_found_is_told_to_all_who_saw_it() {
    let game = game("");
    let before = position_g("0,0;6,6", "cards=Ghost+Cat;Book found=-;- last=3 mover=0 phase=move");
    for (text, says) in
        [("m2,3", "Goes to column 2, row 3 and finds the ghost"), ("m0,0", "Stays at column 0, row 0")]
    {
        let mut after = before;
        after.apply(action(text));
        for seat in [0, 1].map(Seat::new) {
            let views = [&before, &after].map(|state| game.view(state, seat));
            let told = game.tell(&views[0], action(text), &views[1]);
            assert_eq!(told.to_string(), says, "{text} for {seat:?}");
        }
        let views = [&before, &after].map(|state| game.onlooker(state).unwrap());
        assert_eq!(game.tell(&views[0], action(text), &views[1]).to_string(), says, "{text} for an onlooker");
    }
}

/// Where each piece is drawn: the first coordinates after its name.
fn pieces(state: &State) -> BTreeMap<String, String> {
    let game = game("");
    let picture = game.picture(&game.view(state, Seat::FIRST), &Look::from(Seat::FIRST), None);
    let named = picture.split(" data-piece=\"").skip(1).filter(|rest| rest.starts_with("tile-"));
    named
        .map(|rest| {
            let (name, rest) = rest.split_once('"').unwrap();
            let x = rest.split_once("<rect x=\"").unwrap().1.split('"').next().unwrap();
            let y = rest.split_once(" y=\"").unwrap().1.split('"').next().unwrap();
            (name.to_owned(), format!("{x} {y}"))
        })
        .collect()
}

#[test]
fn a_push_slides_its_line_and_nothing_else() {
    let mut state = position_g("0,0;6,6", "cards=Mouse;Book found=-;- last=- mover=0 phase=push");
    let before = pieces(&state);
    assert_eq!(before.len(), 34, "every movable tile has its name");
    state.apply(action("p0r1"));
    let after = pieces(&state);
    assert!(before.keys().eq(after.keys()), "no tile changes its name");
    let moved: Vec<&String> = before.keys().filter(|name| before[*name] != after[*name]).collect();
    assert_eq!(moved.len(), 8, "seven tiles of the line and the extra one: {moved:?}");

    // Nothing slides while the pawn walks, whatever the plain tiles are called in the next turn.
    state.apply(action("m0,0"));
    let later = pieces(&state);
    assert!(after.iter().all(|(name, place)| later.get(name).is_none_or(|then| then == place)));
}

#[test]
fn a_row_slides_with_what_stands_on_it() {
    let rest = "cards=Mouse;Book found=-;- last=- mover=0 phase=push";
    let state = position_g("6,5;3,5", rest);
    let game = game("");
    let steps = game.motion(&game.view(&state, Seat::FIRST), action("p9r2"));
    let [
        Step::Turn { piece: extra, .. },
        Step::Walk { piece: laid, over },
        Step::Slide { pieces, from, to },
        Step::Walk { piece, over: back },
        Step::Aside { piece: pawn, by: (15, 15) },
    ] = &steps[..]
    else {
        panic!("{steps:?}")
    };
    assert_eq!(
        (laid, over.as_slice()),
        (extra, &["outside-9".to_owned()][..]),
        "the tile is laid at the entry"
    );
    assert_eq!((from.as_str(), to.as_str()), ("cell-0-5", "cell-1-5"));
    assert_eq!(pieces.len(), 9, "eight tiles and a pawn: {pieces:?}");
    assert!(pieces.contains(&"pawn-1".to_owned()) && !pieces.contains(&"pawn-0".to_owned()));
    assert!(pieces.contains(extra), "it pushes the others");
    assert_eq!(
        (piece.as_str(), back.as_slice()),
        ("pawn-0", &[from.clone()][..]),
        "who fell out comes in again"
    );
    assert_eq!(pawn, piece, "it stands beside the treasure of the new tile");
    // Everybody sees it turned from how it lay.
    let turned = |view: &ranka_labyrinth::View| match &game.motion(view, action("p9r2"))[0] {
        Step::Turn { degrees, .. } => *degrees,
        _ => 0,
    };
    let lies = u32::from(state.board().extra().rotation());
    assert_ne!(lies, 2, "it has to be turned");
    for view in
        [game.view(&state, Seat::FIRST), game.view(&state, Seat::SECOND), game.onlooker(&state).unwrap()]
    {
        assert_eq!(turned(&view), 90 * ((4 + 2 - lies) % 4));
    }
}

#[test]
fn the_extra_tile_is_drawn_as_it_lies_whoever_looks() {
    let game = game("");
    let mut rng = ranka_core::Rng::new(ranka_core::Seed::new(4));
    let mut state = game.start(&mut rng);
    for _ in 0..40 {
        let extra = state.board().extra();
        let lies = extra.rotation() % extra.shape().rotations();
        for view in [game.view(&state, Seat::FIRST), game.unveiled(&state, Seat::SECOND)] {
            let picture = game.picture(&view, &Look::from(Seat::FIRST), None);
            let panel =
                picture.split("id=\"turn-").skip(1).filter(|rest| rest[1..].starts_with("\" data-piece"));
            let drawn: Vec<&str> = panel.map(|rest| &rest[..1]).collect();
            assert_eq!(drawn, [lies.to_string()]);
        }
        let action = state.random_action(&mut rng, &mut Vec::new());
        state.apply(action);
    }
}

#[test]
fn a_pawn_follows_the_corridors() {
    let game = game("");
    let mut rng = ranka_core::Rng::new(ranka_core::Seed::new(3));
    for _ in 0..50 {
        let mut state = game.start(&mut rng);
        let push = state.random_action(&mut rng, &mut Vec::new());
        state.apply(push);
        let seat = state.mover();
        let mut actions = Vec::new();
        state.actions(&mut actions);
        for walk in actions {
            let steps = game.motion(&game.view(&state, seat), walk);
            let Some(Step::Walk { over, .. }) = steps.iter().find(|step| matches!(step, Step::Walk { .. }))
            else {
                assert_eq!(walk, Action::Move(state.pawn(seat)), "only who stays does not walk");
                continue;
            };
            let place =
                |id: &str| -> Vec<usize> { id.split('-').skip(1).map(|n| n.parse().unwrap()).collect() };
            let mut at = state.pawn(seat);
            for id in over {
                let next = Cell::at(place(id)[0], place(id)[1]);
                assert_eq!(at.x().abs_diff(next.x()) + at.y().abs_diff(next.y()), 1, "{over:?}");
                assert!(state.board().paths().region(at) & next.bit() != 0, "{over:?} leaves the corridors");
                at = next;
            }
            assert_eq!(walk, Action::Move(at), "it ends where it goes");
        }
    }
}

/// The number of an attribute of the first element of a kind behind a place in a picture.
fn number(rest: &str, element: &str, attribute: &str) -> f64 {
    let element = rest.split_once(&format!("<{element} ")).unwrap().1;
    let value = element.split_once(&format!("{attribute}=\"")).unwrap().1;
    value.split('"').next().unwrap().parse().unwrap()
}

/// Where a picture has the middle of something that is named so.
fn middle(picture: &str, name: &str) -> (f64, f64) {
    let rest = picture.split_once(name).unwrap_or_else(|| panic!("no {name}")).1;
    if name.contains("pawn") {
        return (number(rest, "circle", "cx"), number(rest, "circle", "cy"));
    }
    let side = |corner, size| number(rest, "rect", corner) + number(rest, "rect", size) / 2.0;
    (side("x", "width"), side("y", "height"))
}

#[test]
fn pawns_end_where_they_are_drawn() {
    let game = game("players=3");
    let mut rng = ranka_core::Rng::new(ranka_core::Seed::new(5));
    let mut asides = 0;
    for _ in 0..20 {
        let mut state = game.start(&mut rng);
        for _ in 0..40 {
            let action = state.random_action(&mut rng, &mut Vec::new());
            let draw =
                |state: &State| game.picture(&game.onlooker(state).unwrap(), &Look::from(Seat::FIRST), None);
            let before = draw(&state);
            let steps = game.motion(&game.onlooker(&state).unwrap(), action);
            state.apply(action);
            if state.actor() == ranka_core::Actor::Over {
                break;
            }
            let after = draw(&state);
            for pawn in ["pawn-0", "pawn-1", "pawn-2"] {
                let drawn = |picture| middle(picture, &format!("data-piece=\"{pawn}\""));
                let cell = |id: &str| middle(&before, &format!("id=\"{id}\""));
                let mut at = drawn(&before);
                for step in steps.iter().filter(|step| step.pieces().contains(&pawn)) {
                    at = match step {
                        Step::Walk { over, .. } => cell(over.last().unwrap()),
                        Step::Slide { from, to, .. } => {
                            let (from, to) = (cell(from), cell(to));
                            (at.0 + to.0 - from.0, at.1 + to.1 - from.1)
                        }
                        Step::Aside { by, .. } => {
                            asides += 1;
                            (at.0 + f64::from(by.0), at.1 + f64::from(by.1))
                        }
                        other => panic!("{other:?}"),
                    };
                }
                let is = drawn(&after);
                assert!((at.0 - is.0).abs() + (at.1 - is.1).abs() < 0.2, "{pawn}: {at:?}, {is:?}: {steps:?}");
            }
        }
    }
    assert!(asides > 50, "{asides}");
}
