//! Pictures: well-formed drawings in which every action can be made by touching.

use crate::{Battery, svg};
use ranka_core::{Actor, Complete, Foresight, Look, Message, View};
use std::collections::HashSet;

/// Every seat's picture is well-formed and its ids are unique, in every look. The acting seat finds all
/// elements on its choices' click paths there; different choices have different paths, none is empty and
/// none the beginning of another. It is asked for every touch, and what it is told of a choice is written at
/// elements that are drawn. What moves when an action is taken is drawn before it. Whoever hears of the next action hears a whole sentence. No two pieces have the same
/// name. The sketch shows something.
pub fn pictures_are_sound<G: Complete>(b: &Battery<'_, G>) {
    b.at_every_position(|place| {
        for seat in place.seats() {
            let view = b.game.view(place.state(), seat);
            assert!(!b.game.sketch(&view, seat).trim().is_empty(), "the sketch for {seat:?} is empty");

            let last = place.last_seen(seat);
            for (look, last) in [
                (Look { coordinates: false, ..Look::from(seat) }, last),
                (Look { compact: true, ..Look::from(seat) }, last),
                (Look { marks: b.game.marks(&view), ..Look::from(seat) }, last),
                (Look::from(seat), None),
            ] {
                let picture = b.game.picture(&view, &look, last);
                unique_ids(&picture).unwrap_or_else(|problem| panic!("picture for {look:?}: {problem}"));
            }
            let picture = b.game.picture(&view, &Look::from(seat), last);
            let ids = unique_ids(&picture)
                .unwrap_or_else(|problem| panic!("picture for {seat:?}: {problem}\n{picture}"));
            let pieces =
                unique_pieces(&picture).unwrap_or_else(|problem| panic!("picture for {seat:?}: {problem}"));
            if let Some(action) = place.next_seen(seat) {
                complete(&b.game.foresee(&view, action).message);
                let name = b.game.write_action(action);
                for step in b.game.motion(&view, action) {
                    let elements = step.elements().into_iter().all(|id| ids.contains(id));
                    let drawn = elements && step.pieces().into_iter().all(|piece| pieces.contains(piece));
                    assert!(drawn, "{name} moves what is not drawn for {seat:?}: {step:?}");
                }
            }

            if place.actor() != Actor::Seat(seat) {
                continue;
            }
            let mut choices = Vec::new();
            view.choices(&mut choices);
            let mut paths = Vec::new();
            for action in choices {
                let path = b.game.clicks(&view, action);
                let name = b.game.write_action(action);
                assert!(!path.is_empty(), "{name} has no click path");
                for id in &path {
                    assert!(ids.contains(id.as_str()), "{name} asks to touch {id:?}, which is not drawn");
                }
                let asked = (0..path.len()).all(|touched| !b.game.ask(&view, touched).is_empty());
                assert!(asked, "{name} is not asked for at every touch");
                let Foresight { message, marks } = b.game.foresee(&view, action);
                complete(&message);
                for (id, mark) in &marks {
                    assert!(
                        ids.contains(id.as_str()),
                        "{name} writes {mark:?} at {id:?}, which is not drawn"
                    );
                    assert!(!mark.trim().is_empty(), "{name} writes nothing at {id:?}");
                }
                paths.push((path, name));
            }
            // In order, a path stands right before the ones that it begins.
            paths.sort();
            for pair in paths.windows(2) {
                let [(short, one), (long, two)] = pair else { unreachable!("windows of two") };
                assert!(
                    !long.starts_with(short),
                    "the click path of {one} begins or equals that of {two}: {short:?}, {long:?}"
                );
            }
        }
    });
}

/// A sentence has a place for each of its words and a word for each of its places.
fn complete(message: &Message) {
    let places = message.pattern.matches('{').count();
    let named = |word: usize| message.pattern.contains(&format!("{{{word}}}"));
    assert!(
        places == message.words.len() && (0..places).all(named),
        "{:?} does not fit the words {:?}",
        message.pattern,
        message.words
    );
}

/// No two groups are the same piece, or a page would not know which one has moved.
fn unique_pieces(picture: &str) -> Result<HashSet<&str>, String> {
    let mut unique = HashSet::new();
    let names = picture.split(" data-piece=\"").skip(1).filter_map(|rest| rest.split('"').next());
    for name in names {
        if !unique.insert(name) {
            return Err(format!("the piece {name:?} is drawn twice"));
        }
    }
    Ok(unique)
}

fn unique_ids(picture: &str) -> Result<HashSet<&str>, String> {
    let mut unique = HashSet::new();
    for id in svg::ids(picture)? {
        if !unique.insert(id) {
            return Err(format!("id {id:?} is given twice"));
        }
    }
    Ok(unique)
}
