//! What comes of an act, told before it is done: there are no dice, so the damage is known.

use crate::action::Act;
use crate::kinds::Team;
use crate::picture::{cell_id, loss, unit_id};
use crate::state::State;
use ranka_core::{Foresight, Message, Position};

/// What comes of `act`; nothing if it is not legal.
pub(crate) fn foresee(view: &State, act: Act) -> Foresight {
    if !view.is_legal(act) {
        return Foresight::default();
    }
    let Some(unit) = act.unit().and_then(|id| view.unit(id)) else {
        let message = Message::new("Ends the turn: whoever has not acted stays where it is", [""; 0]);
        return Foresight { message, marks: Vec::new() };
    };
    let stays = unit.place == act.to();
    let mut words = vec![unit.kind.name().to_owned(), unit.id.to_string(), act.to().to_string()];
    words.push(view.terrain(act.to()).name().to_owned());
    let fight = act.target().and_then(|id| view.unit(id)).zip(view.preview(act));
    let Some((target, (damage, counter))) = fight else {
        let pattern = if stays { "{0} {1} stays at {2} ({3})" } else { "{0} {1} goes to {2} ({3})" };
        return Foresight { message: Message::new(pattern, words), marks: Vec::new() };
    };
    words.extend([target.kind.name().to_owned(), target.id.to_string()]);
    let destroys = damage == u32::from(target.hp);
    let falls = counter == u32::from(unit.hp);
    let last = view.units().filter(|other| other.team == target.team).count() == 1;
    let pattern = match (stays, destroys, falls) {
        (false, true, _) if last => "{0} {1} goes to {2} ({3}), destroys {4} {5} and wins",
        (true, true, _) if last => "{0} {1} stays at {2} ({3}), destroys {4} {5} and wins",
        (false, true, _) => "{0} {1} goes to {2} ({3}) and destroys {4} {5}",
        (true, true, _) => "{0} {1} stays at {2} ({3}) and destroys {4} {5}",
        (false, _, true) => "{0} {1} goes to {2} ({3}), attacks {4} {5} for {6} HP and is destroyed",
        (true, _, true) => "{0} {1} stays at {2} ({3}), attacks {4} {5} for {6} HP and is destroyed",
        (false, ..) => "{0} {1} goes to {2} ({3}), attacks {4} {5} for {6} HP and loses {7} HP",
        (true, ..) => "{0} {1} stays at {2} ({3}), attacks {4} {5} for {6} HP and loses {7} HP",
    };
    if !destroys {
        words.push(damage.to_string());
        words.extend((!falls).then(|| counter.to_string()));
    }
    let told = |hp, falls| if falls { format!("{} ✕", loss(hp)) } else { loss(hp) };
    let own = if stays { unit_id(unit.id) } else { cell_id(act.to()) };
    Foresight {
        message: Message::new(pattern, words),
        marks: vec![(unit_id(target.id), told(damage, destroys)), (own, told(counter, falls))],
    }
}

/// Who is left.
pub(crate) fn verdict(view: &State) -> Message {
    let [red, blue] = [Team::Red, Team::Blue].map(|team| view.hp(team));
    match (red, blue) {
        (0, _) => Message::new("Red has no units left", [""; 0]),
        (_, 0) => Message::new("Blue has no units left", [""; 0]),
        _ => Message::new("The turns are over: red has {0} HP, blue {1}", [red, blue]),
    }
}
