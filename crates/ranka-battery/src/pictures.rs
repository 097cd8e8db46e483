//! Pictures: well-formed drawings in which every action can be made by touching.

use crate::{Battery, svg};
use ranka_core::{Actor, Complete, Foresight, Look, Message, View};
use std::collections::HashSet;

/// Every seat's picture is well-formed and its ids are unique, in every look. The acting seat finds all
/// elements on its choices' click paths there; different choices have different paths, none is empty and
/// none the beginning of another. It is asked for every touch, and what it is told of a choice is written at
/// elements that are drawn. Whoever hears of the next action hears a whole sentence. No two pieces have the same
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
            unique_pieces(&picture).unwrap_or_else(|problem| panic!("picture for {seat:?}: {problem}"));
            if let Some(action) = place.next_seen(seat) {
                complete(&b.game.foresee(&view, action).says);
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
                let Foresight { says, marks } = b.game.foresee(&view, action);
                complete(&says);
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
fn complete(says: &Message) {
    let places = says.pattern.matches('{').count();
    let named = |word: usize| says.pattern.contains(&format!("{{{word}}}"));
    assert!(
        places == says.words.len() && (0..places).all(named),
        "{:?} does not fit the words {:?}",
        says.pattern,
        says.words
    );
}

/// No two groups are the same piece, or a page would not know which one has moved.
fn unique_pieces(picture: &str) -> Result<(), String> {
    let mut unique = HashSet::new();
    let names = picture.split(" data-piece=\"").skip(1).filter_map(|rest| rest.split('"').next());
    names.into_iter().try_for_each(|name| {
        if unique.insert(name) { Ok(()) } else { Err(format!("the piece {name:?} is drawn twice")) }
    })
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
