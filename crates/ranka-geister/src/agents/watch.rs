//! What an agent can tell from how the enemy moves.

use crate::action::Action;
use crate::duel::from_side;
use crate::rules::Geister;
use crate::square::{Bits, OFF, exits, neighbours};
use crate::view::View;
use ranka_core::{Seat, Told};

/// Something that an enemy ghost (A is 0) did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Behaviour {
    /// It stepped beside one of ours where none was beside it before.
    Approached(usize),
    /// It stepped away from all of ours where one was beside it before.
    Fled(usize),
    /// It stood on an exit and did not leave: a blue one would have won.
    StayedAtExit(usize),
}

/// What an event shows of the enemy of `seat`. Captures show nothing: they speak for themselves.
pub(super) fn behaviours(event: &Told<'_, Geister>) -> Vec<Behaviour> {
    let (before, seat) = (event.before, event.after.seat());
    let (Some(by), Some(Action::Step { from, to })) = (event.by, event.action) else { return Vec::new() };
    if by == seat {
        return Vec::new();
    }
    let mut shown = Vec::new();
    let ours = before.open.ghosts[seat.index()];
    if let Some(ghost) = before.open.ghost_on(by, from).filter(|_| ours & to.bit() == 0) {
        match (neighbours(from.bit()) & ours != 0, neighbours(to.bit()) & ours != 0) {
            (false, true) => shown.push(Behaviour::Approached(ghost)),
            (true, false) => shown.push(Behaviour::Fled(ghost)),
            _ => {}
        }
    }
    let at_exit = |&(_, square, _): &(usize, _, _)| exits(by) & crate::Square::bit(square) != 0;
    let stayed = before.ghosts(by).filter(at_exit).map(|(ghost, ..)| Behaviour::StayedAtExit(ghost));
    shown.extend(stayed);
    shown
}

/// The squares of some enemy ghosts that are on the board, as the viewer sees them from its side.
pub(super) fn squares_of(view: &View, ghosts: impl IntoIterator<Item = usize>) -> Bits {
    let enemy: Seat = view.seat().other();
    let places = view.open.places[enemy.index()];
    let on_board = ghosts.into_iter().map(|ghost| places[ghost]).filter(|&place| place != OFF);
    from_side(on_board.fold(0, |set, place| set | 1 << place), view.seat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_core::{Game, Notation, Position};

    /// What the first player sees in a move of the second.
    fn shown(position: &str, action: &str) -> Vec<Behaviour> {
        let game = Geister { plies: 200 };
        let mut state = game.read_state(position).expect("a position");
        let action = game.read_action(action).expect("an action");
        let by = state.actor().seat();
        let before = game.view(&state, Seat::FIRST);
        state.apply(action);
        let after = game.view(&state, Seat::FIRST);
        behaviours(&Told { by, action: Some(action), before: &before, after: &after })
    }

    #[test]
    fn approaches_flights_and_ghosts_that_stay_are_told() {
        // In square order the second player's A is on d3 and its B on a6.
        let position = "6/B5/3r2/6/2R3/b5 2 RRRBBBrrrbbb 41";
        let stays = Behaviour::StayedAtExit(1);
        assert_eq!(shown(position, "d3d4"), [stays]);
        assert_eq!(shown("6/B5/3r2/2R3/6/1b4 2 RRRBBBrrrbbb 41", "d3d4"), [Behaviour::Approached(0)]);
        assert_eq!(shown("6/B5/3r2/2R3/6/1b4 2 RRRBBBrrrbbb 41", "d3e3"), []);
        assert_eq!(shown("6/B5/3r2/3R2/6/1b4 2 RRRBBBrrrbbb 41", "d3e3"), [Behaviour::Fled(0)]);
        assert_eq!(shown("6/B5/3r2/3R2/6/1b4 2 RRRBBBrrrbbb 41", "d3d4"), [], "a capture");
        assert_eq!(shown(position, "a6a5"), [stays], "leaving inward");
        assert_eq!(shown("6/B5/3r2/6/2R3/b5 1 RRRBBBrrrbbb 40", "c5c4"), [], "an own step");
    }
}
