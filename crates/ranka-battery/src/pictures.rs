//! Pictures: well-formed drawings in which every action can be made by touching.

use crate::{Battery, svg};
use ranka_core::{Actor, Complete, Look, View};
use std::collections::HashSet;

/// Every seat's picture is well-formed and its ids are unique, in every look. The acting seat finds all
/// elements on its choices' click paths there; different choices have different paths, none is empty and
/// none the beginning of another. The sketch shows something.
pub fn pictures_are_sound<G: Complete>(b: &Battery<'_, G>) {
    b.at_every_position(|place| {
        for seat in place.seats() {
            let view = b.game.view(place.state(), seat);
            assert!(!b.game.sketch(&view, seat).trim().is_empty(), "the sketch for {seat:?} is empty");

            let usual = Look { last: place.last_seen(seat), ..Look::from(seat) };
            for look in [
                Look { coordinates: false, ..usual.clone() },
                Look { compact: true, ..usual.clone() },
                Look { last: None, ..usual.clone() },
                Look { marks: b.game.marks(&view), ..usual.clone() },
            ] {
                let picture = b.game.picture(&view, &look);
                unique_ids(&picture).unwrap_or_else(|problem| panic!("picture for {look:?}: {problem}"));
            }
            let picture = b.game.picture(&view, &usual);
            let ids = unique_ids(&picture)
                .unwrap_or_else(|problem| panic!("picture for {seat:?}: {problem}\n{picture}"));

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

fn unique_ids(picture: &str) -> Result<HashSet<&str>, String> {
    let mut unique = HashSet::new();
    for id in svg::ids(picture)? {
        if !unique.insert(id) {
            return Err(format!("id {id:?} is given twice"));
        }
    }
    Ok(unique)
}
