//! A position as the champion thinks of it: corridors, where treasures lie, and what everybody is probably after.

use super::beliefs::{Beliefs, Weights, normalise, sure};
use super::ground::{BESIDE, Ground};
use crate::maze::Cell;
use crate::state::Phase;
use crate::tile::TREASURES;
use crate::view::View;
use ranka_core::{MAX_SEATS, Position as _, Seat};

/// What somebody is after.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    /// Home: nothing else is left.
    Home(Cell),
    /// Some treasure, with a chance for each.
    Card(Weights),
}

/// Another player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rival {
    pub(super) pawn: Cell,
    pub(super) goal: Goal,
    /// Finds that are left, the way home among them.
    pub(super) left: usize,
}

/// A position in which one is to push, or has pushed and is to walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub(super) ground: Ground,
    pub(super) pushed: bool,
    pub(super) pawn: Cell,
    /// Where one wants to be.
    pub(super) target: usize,
    /// What one will be after when that is found; nothing if that ends the game.
    pub(super) then: Option<Goal>,
    /// Own finds that are left.
    pub(super) left: usize,
    /// Where each treasure lies.
    pub(super) places: [u8; TREASURES],
    /// The others in the order in which they will move.
    pub(super) rivals: [Rival; MAX_SEATS - 1],
    pub(super) seats: usize,
    /// Rounds after this turn until the game is drawn.
    pub(super) rounds: usize,
}

impl Table {
    pub(super) fn new(view: &View, beliefs: &Beliefs) -> Table {
        let state = view.shown();
        let cards = state.cards();
        let own = view.seat();
        let mut places = [BESIDE as u8; TREASURES];
        for (place, tile) in state.board().tiles().iter().enumerate() {
            if let Some(treasure) = tile.treasure() {
                places[treasure.index()] = place as u8;
            }
        }
        let mut unseen = [1.0; TREASURES];
        for treasure in cards.all().iter().filter_map(|card| card.treasure()) {
            unseen[treasure.index()] = 0.0;
        }
        let home_too = usize::from(state.rules.return_home);
        let left = |seat: Seat| (cards.pile(seat).len() + home_too).max(1);

        // The own next card is none of those that the others are after.
        let mut next = unseen;
        let nobody = Rival { pawn: state.pawn(own), goal: Goal::Home(state.home(own)), left: 1 };
        let mut rivals = [nobody; MAX_SEATS - 1];
        let mut seat = own;
        for rival in rivals.iter_mut().take(state.seats() - 1) {
            seat = seat.next(state.seats());
            let goal = if cards.current(seat).is_none() {
                Goal::Home(state.home(seat))
            } else {
                let weights = beliefs.current(state, &unseen, seat);
                next.iter_mut().zip(&weights).for_each(|(next, weight)| *next *= 1.0 - weight);
                Goal::Card(weights)
            };
            *rival = Rival { pawn: state.pawn(seat), goal, left: left(seat) };
        }
        if !normalise(&mut next) {
            next = unseen;
            normalise(&mut next);
        }
        let pile = cards.pile(own);
        let target = match pile.first().and_then(|card| card.treasure()) {
            Some(treasure) => usize::from(places[treasure.index()]),
            None => state.home(own).index(),
        };
        let then = match pile.get(1) {
            None => Goal::Home(state.home(own)),
            Some(card) => Goal::Card(card.treasure().map_or(next, sure)),
        };
        Table {
            ground: Ground::new(state.board(), state.last()),
            pushed: state.phase() == Phase::Move,
            pawn: state.pawn(own),
            target,
            then: (left(own) > 1).then_some(then),
            left: left(own),
            places,
            rivals,
            seats: state.seats(),
            rounds: state.ply.map_or(usize::MAX, |ply| {
                let turn = if state.phase() == Phase::Push { 2 } else { 1 };
                usize::from(state.rules.ply_cap.saturating_sub(ply + turn)) / (2 * state.seats())
            }),
        }
    }

    /// The others in the order in which they will move.
    pub(super) fn rivals(&self) -> &[Rival] {
        &self.rivals[..self.seats - 1]
    }
}
