//! What comes of an action, told before it is taken, as far as the viewer knows.

use crate::action::Action;
use crate::picture::{colour, door_id, ghost_at, square_id};
use crate::setup::letter;
use crate::square::{Square, home};
use crate::view::View;
use ranka_core::{Foresight, Message};

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
        Action::Step { from, to } => step(view, from, to),
    }
}

/// The letter of the ghost on a square.
fn name(view: &View, square: Square) -> String {
    ghost_at(view, square).map_or_else(String::new, |ghost| letter(ghost.letter).to_string())
}

fn step(view: &View, from: Square, to: Square) -> Foresight {
    let kind = colour(ghost_at(view, from).and_then(|ghost| ghost.red));
    let mut words = vec![kind.to_owned(), name(view, from), from.to_string(), to.to_string()];
    let Some(taken) = ghost_at(view, to) else {
        return Foresight {
            message: Message::new("The {0} {1} goes from {2} to {3}", words),
            marks: Vec::new(),
        };
    };
    words.extend([colour(taken.red).to_owned(), name(view, to)]);
    // How many of each colour are left is open to both.
    let (reds, blues) = view.left(taken.seat);
    let pattern = match (taken.red, reds == 1, blues == 1) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Geister;
    use ranka_core::{Game, Notation, Position, Seat};

    const GAME: Geister = Geister { plies: 200 };

    fn told(view: &View, action: &str) -> (String, String) {
        let Foresight { message, marks } = foresee(view, GAME.read_action(action).expect(action));
        let marks: Vec<String> = marks.into_iter().map(|(id, mark)| format!("{id} {mark}")).collect();
        (message.to_string(), marks.join(", "))
    }

    #[test]
    fn each_seat_is_told_what_it_knows() {
        // The first to move; own ghosts on a1 (blue), b4 (red); the other's on b3 (red), c3 (blue), d3 (red).
        let state = GAME.read_state("B5/6/1rbr2/1R4/6/6 1 RRRrrBBBbbb 20").expect("a position");
        let (own, other) = (GAME.view(&state, Seat::FIRST), GAME.view(&state, Seat::SECOND));
        for (view, action, says, marks) in [
            (&own, "a1b1", "The blue ghost A goes from a1 to b1", ""),
            (&other, "a1b1", "The ghost A goes from a1 to b1", ""),
            (
                &own,
                "b4b3",
                "The red ghost B goes from b4 to b3 and takes the ghost A: if it is blue, the game is won",
                "square-b3 ×",
            ),
            (&other, "b4b3", "The ghost B goes from b4 to b3 and takes the red ghost A", "square-b3 ×"),
            (&own, "a1out", "The blue ghost A leaves at a1 and wins", "door-a1 ★"),
            (&other, "a1out", "The blue ghost A leaves at a1 and wins", "door-a1 ★"),
            // Nobody stands there, or somebody of the other side.
            (&own, "e5e4", "", ""),
            (&own, "c3c4", "", ""),
            (&own, "set:ABCD", "", ""),
        ] {
            assert_eq!(told(view, action), (says.to_owned(), marks.to_owned()), "{action}");
        }
    }

    #[test]
    fn set_ups_are_marked_at_home() {
        let state = crate::rules::State::before_the_set_ups(200);
        let view = GAME.view(&state, Seat::FIRST);
        let (says, marks) = told(&view, "set:ABGH");
        assert_eq!(says, "The ghosts A, B, G, H are red, the others blue");
        assert_eq!(marks, "square-b5 ◆, square-c5 ◆, square-d6 ◆, square-e6 ◆");
    }

    #[test]
    fn what_decides_the_game_is_told_to_who_knows_it() {
        let mut state = GAME.read_state("6/6/1rb3/1RB3/6/6 1 RRRrrrBBBbbb 30").expect("a position");
        let own = GAME.view(&state, Seat::FIRST);
        let (says, _) = told(&own, "b4b3");
        assert!(says.ends_with("takes the ghost A: red loses the game, blue wins it"), "{says}");
        let other = GAME.view(&state, Seat::SECOND);
        assert!(told(&other, "b4b3").0.ends_with("takes the red ghost A and loses"));
        assert!(told(&other, "c4c3").0.ends_with("takes the blue ghost B and wins"));
        state.apply(GAME.read_action("b4b3").expect("a step"));
        assert_eq!(state.outcome().score(Seat::SECOND), 1.0);
    }
}
