//! What comes of an act, told before it is done: there are no dice, so the damage is known.

use crate::action::Action;
use crate::kinds::Team;
use crate::picture::{cell_id, loss, unit_id};
use crate::state::State;
use ranka_core::{Foresight, Message, Position, Seat};

/// What comes of `act`; nothing if it is not legal.
pub(crate) fn foresee(view: &State, act: Action) -> Foresight {
    if !view.is_legal(act) {
        return Foresight::default();
    }
    let Some(unit) = act.unit().and_then(|id| view.unit(id)) else {
        let message = Message::new("Ends the turn: whoever has not acted stays where it is", [""; 0]);
        return Foresight { message, marks: Vec::new() };
    };
    let stays = unit.place == act.to();
    let mut words = vec![unit.kind.title().to_owned(), unit.id.to_string(), act.to().to_string()];
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
        (false, false, false) if counter == 0 => "{0} {1} goes to {2} ({3}) and attacks {4} {5} for {6} HP",
        (true, false, false) if counter == 0 => "{0} {1} stays at {2} ({3}) and attacks {4} {5} for {6} HP",
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
        words.extend((!falls && counter > 0).then(|| counter.to_string()));
    }
    let told = |hp, falls| if falls { format!("{} ✕", loss(hp)) } else { loss(hp) };
    let own = if stays { unit_id(unit.id) } else { cell_id(act.to()) };
    Foresight {
        message: Message::new(pattern, words),
        marks: vec![(unit_id(target.id), told(damage, destroys)), (own, told(counter, falls))],
    }
}

/// Who is left, or has more left when the turns are over. The winner is told so before.
pub(crate) fn verdict(view: &State, to: Option<Seat>) -> Message {
    let Some(winner) = view.verdict() else {
        let own = to.map_or(Team::Red, Team::of);
        let [own, other] = [own, own.other()].map(|team| view.hp(team));
        return Message::new(
            "A draw: the turns are over, {0} HP to {1}, and that is not lead enough",
            [own, other],
        );
    };
    let [own, other] = [winner, winner.other()].map(|team| view.hp(team));
    let pattern = match (to.map(|seat| Team::of(seat) == winner), other) {
        (Some(true), 0) => "{1} has no units left, you have {2} HP",
        (Some(true), _) => "The turns are over, and you have {2} HP to {3}",
        (Some(false), 0) => "{0} wins with {2} HP: you have no units left",
        (Some(false), _) => "{0} wins: the turns are over, and you have {3} HP to {2}",
        (None, 0) => "{0} wins with {2} HP: {1} has no units left",
        (None, _) => "{0} wins: the turns are over, {2} HP to {3}",
    };
    let [winner, loser] = [winner, winner.other()].map(|team| team.name().to_owned());
    Message::new(pattern, [winner, loser, own.to_string(), other.to_string()])
}
