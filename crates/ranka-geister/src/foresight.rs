//! What comes of an action, told before it is taken, as far as the viewer knows.

use crate::action::Action;
use crate::notation::escaped;
use crate::picture::{colour, door_id, ghost_at, side, square_id};
use crate::setup::letter;
use crate::square::{Square, home};
use crate::state::Phase;
use crate::view::View;
use ranka_core::{Foresight, Message, Seat};

/// What comes of `action`; nothing if it is not legal.
pub(crate) fn foresee(view: &View, action: Action) -> Foresight {
    // Whether a ghost that leaves is red may be unknown, but no red one ever does.
    if !view.open.is_legal(0, action) {
        return Foresight::default();
    }
    match action {
        Action::SetUp(set_up) => {
            let home = home(view.open.mover);
            let names: Vec<String> = set_up.reds().map(|ghost| letter(ghost).to_string()).collect();
            Foresight {
                message: Message::new("The ghosts {0} are red, the others blue", [names.join(", ")]),
                // The shape that means red everywhere.
                marks: set_up.reds().map(|ghost| (square_id(home[ghost]), "◆".to_owned())).collect(),
            }
        }
        Action::Escape { from } => {
            let words = [colour(Some(false)).to_owned(), name(view, from), from.to_string()];
            Foresight {
                message: Message::new("The {0} {1} leaves at {2} and wins", words),
                marks: vec![(door_id(from), "★".to_owned())],
            }
        }
        Action::Step { from, to } => step(view, from, to, None),
    }
}

/// The letter of the ghost on a square.
fn name(view: &View, square: Square) -> String {
    ghost_at(view, square).map_or_else(String::new, |ghost| letter(ghost.letter).to_string())
}

/// `shown` is the colour of the ghost that is taken, once everybody has seen it.
fn step(view: &View, from: Square, to: Square, shown: Option<bool>) -> Foresight {
    let kind = colour(ghost_at(view, from).and_then(|ghost| ghost.red));
    let mut words = vec![kind.to_owned(), name(view, from), from.to_string(), to.to_string()];
    let Some(taken) = ghost_at(view, to) else {
        return Foresight {
            message: Message::new("The {0} {1} goes from {2} to {3}", words),
            marks: Vec::new(),
        };
    };
    let red = shown.or(taken.red);
    words.extend([colour(red).to_owned(), name(view, to)]);
    // How many of each colour are left is open to both.
    let (reds, blues) = view.left(taken.seat);
    let pattern = match (red, reds == 1, blues == 1) {
        (Some(false), _, true) => "The {0} {1} goes from {2} to {3}, takes the {4} {5} and wins",
        (Some(true), true, _) => "The {0} {1} goes from {2} to {3}, takes the {4} {5} and loses",
        (None, true, true) => {
            "The {0} {1} goes from {2} to {3} and takes the {4} {5}: red loses the game, blue wins it"
        }
        (None, true, false) => {
            "The {0} {1} goes from {2} to {3} and takes the {4} {5}: if it is red, the game is lost"
        }
        (None, false, true) => {
            "The {0} {1} goes from {2} to {3} and takes the {4} {5}: if it is blue, the game is won"
        }
        _ => "The {0} {1} goes from {2} to {3} and takes the {4} {5}",
    };
    Foresight { message: Message::new(pattern, words), marks: vec![(square_id(to), "×".to_owned())] }
}

/// What an action did, told to who saw it: the colour of a ghost that was taken is seen by everybody.
pub(crate) fn tell(before: &View, action: Action, after: &View) -> Message {
    let Action::Step { from, to } = action else { return foresee(before, action).message };
    let owner = before.open.mover.other();
    let taken = |red| after.open.captured.count(owner, red) > before.open.captured.count(owner, red);
    let shown = [true, false].into_iter().find(|&red| taken(red));
    if before.open.is_legal(0, action) { step(before, from, to, shown).message } else { Message::default() }
}

/// Who has won, and by which of the three ways. The winner is told so before.
pub(crate) fn verdict(view: &View, to: Option<Seat>) -> Message {
    let Phase::Won(winner) = view.open.phase else {
        return Message::new("The game has lasted too long: nobody wins", [""; 0]);
    };
    let out = escaped(&view.open).is_some();
    let blues = view.open.captured.count(winner.other(), false) == 4;
    let pattern = match (to.map(|seat| seat == winner), out, blues) {
        (Some(true), true, _) => "Your blue ghost is out",
        (Some(true), _, true) => "You took the fourth blue ghost",
        (Some(true), ..) => "{0} took your fourth red ghost",
        (Some(false), true, _) => "{0} wins: a blue ghost is out",
        (Some(false), _, true) => "{0} wins: your fourth blue ghost was taken",
        (Some(false), ..) => "{0} wins: you took the fourth red ghost",
        (None, true, _) => "{0} wins: a blue ghost is out",
        (None, _, true) => "{0} wins by taking the fourth blue ghost",
        (None, ..) => "{0} wins: the other took the fourth red ghost",
    };
    let named = if to == Some(winner) { winner.other() } else { winner };
    Message::new(pattern, [side(named)])
}
