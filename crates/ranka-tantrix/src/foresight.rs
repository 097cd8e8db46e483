//! What comes of a placement, told before it is made: whether it fills a forced space, and whose longest line grows.

use crate::action::{Action, Deed, Placement};
use crate::hex::Hex;
use crate::picture::{bag_id, cell_id};
use crate::state::State;
use crate::tiles::Colour;
use ranka_core::{Foresight, Message, Position, Seat};

/// By how many lines grow; a tile has links of three colours.
const PLACED: [&str; 4] = [
    "Tile {0} goes to {1}, turned by {2}°",
    "Tile {0} goes to {1}, turned by {2}°: {3} gains {4}",
    "Tile {0} goes to {1}, turned by {2}°: {3} gains {4}, {5} gains {6}",
    "Tile {0} goes to {1}, turned by {2}°: {3} gains {4}, {5} gains {6}, {7} gains {8}",
];
const FILLED: [&str; 4] = [
    "Tile {0} fills the forced space {1}, turned by {2}°",
    "Tile {0} fills the forced space {1}, turned by {2}°: {3} gains {4}",
    "Tile {0} fills the forced space {1}, turned by {2}°: {3} gains {4}, {5} gains {6}",
    "Tile {0} fills the forced space {1}, turned by {2}°: {3} gains {4}, {5} gains {6}, {7} gains {8}",
];

/// What comes of `action`; nothing if it is not legal.
pub(crate) fn foresee(view: &State, action: Action) -> Foresight {
    match action.deed() {
        _ if !view.is_legal(action) => Foresight::default(),
        Deed::Draw(tile) => {
            Foresight { message: tell_chance(action), marks: vec![(bag_id(), tile.to_string())] }
        }
        Deed::Place(placement) => place(view, placement),
    }
}

/// What was drawn from the bag.
pub(crate) fn tell_chance(action: Action) -> Message {
    match action.deed() {
        Deed::Draw(tile) => Message::new("Tile {0} is drawn from the bag", [tile]),
        Deed::Place(_) => Message::default(),
    }
}

fn place(view: &State, placement: Placement) -> Foresight {
    let Placement { tile, rotation, at } = placement;
    let gains: Vec<(Colour, i32)> = Seat::all(view.seats())
        .map(|seat| (view.colour(seat), view.scores_after(placement, seat).0 - view.score(seat)))
        .filter(|&(_, gain)| gain > 0)
        .collect();
    let patterns = if is_forced(view, at) { FILLED } else { PLACED };
    let mut words = vec![tile.to_string(), at.to_string(), (60 * u32::from(rotation)).to_string()];
    words.extend(gains.iter().flat_map(|(colour, gain)| [colour.name().to_owned(), gain.to_string()]));
    let marks: Vec<String> =
        gains.iter().map(|(colour, gain)| format!("{}+{gain}", colour.letter())).collect();
    Foresight {
        message: Message::new(patterns[gains.len()], words),
        marks: if marks.is_empty() { Vec::new() } else { vec![(cell_id(at), marks.join(" "))] },
    }
}

fn is_forced(view: &State, at: Hex) -> bool {
    view.board().find(at).is_some_and(|cell| view.board().forced_set(view.exactly3()).has(cell))
}

/// The points of all seats; nobody has any where a tile could not be placed.
pub(crate) fn verdict(view: &State) -> Message {
    if view.board().restricted() {
        return Message::new("Nothing can be placed any more: nobody wins", [""; 0]);
    }
    let words = Seat::all(view.seats())
        .flat_map(|seat| [view.colour(seat).name().to_owned(), view.score(seat).to_string()]);
    let pattern = match view.seats() {
        2 => "Points: {0} {1}, {2} {3}",
        3 => "Points: {0} {1}, {2} {3}, {4} {5}",
        _ => "Points: {0} {1}, {2} {3}, {4} {5}, {6} {7}",
    };
    Message::new(pattern, words)
}
