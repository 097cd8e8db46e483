//! What the others' walks tell of their cards.

use crate::action::Action;
use crate::cards::Card;
use crate::maze::Cell;
use crate::rules::Labyrinth;
use crate::state::State;
use crate::tile::TREASURES;
use ranka_core::{MAX_SEATS, Observer, Position as _, Seat, Told};

/// What a seat did since it found its last treasure, so with the card that it has now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Trail {
    /// The treasures, a bit each, on which it ended a turn without finding them: none of these is its card.
    pub stood_on: u32,
    /// For each treasure how often it could have walked there and did not.
    pub left_lying: [u8; TREASURES],
    /// For each treasure how many steps nearer its walks brought it, by rows and columns.
    pub drawn: [i8; TREASURES],
}

/// Every seat's walks. All seats see the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Trails([Trail; MAX_SEATS]);

impl Trails {
    /// The walk of a seat.
    pub fn of(&self, seat: Seat) -> &Trail {
        &self.0[seat.index()]
    }
}

/// Rows and columns between two cells.
fn distance(one: Cell, two: Cell) -> u8 {
    (one.x().abs_diff(two.x()) + one.y().abs_diff(two.y())) as u8
}

impl Observer<Labyrinth> for Trails {
    fn new(_game: &Labyrinth, _seat: Seat) -> Trails {
        Trails::default()
    }

    fn told(&mut self, event: &Told<'_, Labyrinth>) {
        let (Some(seat), Some(Action::Move(to))) = (event.by, event.action) else { return };
        let (before, after) = (event.before.shown(), event.after.shown());
        let trail = &mut self.0[seat.index()];
        if after.cards.found(seat).len() > before.cards.found(seat).len() {
            *trail = Trail::default();
            return;
        }
        let (from, reach) = (before.pawn(seat), before.reach());
        for (cell, tile) in Cell::all().zip(before.board.tiles()) {
            let Some(treasure) = tile.treasure().map(|treasure| treasure.index()) else { continue };
            if cell == to {
                trail.stood_on |= 1 << treasure;
            } else if reach & cell.bit() != 0 {
                trail.left_lying[treasure] = trail.left_lying[treasure].saturating_add(1);
            }
            let nearer = distance(from, cell) as i8 - distance(to, cell) as i8;
            trail.drawn[treasure] = trail.drawn[treasure].saturating_add(nearer);
        }
    }

    /// Nobody stands on the own treasure without finding it.
    fn allows(&self, world: &State) -> bool {
        Seat::all(world.seats()).all(|seat| {
            let card = world.cards.current(seat).and_then(Card::treasure);
            card.is_none_or(|treasure| self.of(seat).stood_on & (1 << treasure.index()) == 0)
        })
    }
}
