//! What the others are probably after. Who could have taken a treasure and did not, does not want it; who walks to where
//! a treasure is a turn away, may.

use super::ground::Ground;
use crate::action::Action;
use crate::cards::Card;
use crate::maze::Cell;
use crate::rules::Labyrinth;
use crate::state::State;
use crate::tile::{TREASURES, Treasure};
use ranka_core::{MAX_SEATS, Seat, Told};

/// How likely one passes by the own treasure, compared with what one does about others. Not 0: some play so.
const PASSED_BY: f64 = 0.05;
/// How likely one ends a turn where the own treasure is not within a turn, compared with where it is.
const OUT_OF_REACH: f64 = 0.3;

/// A weight for each treasure.
pub(super) type Weights = [f64; TREASURES];

/// What is known of everybody's cards beyond what the view shows. All seats see the same.
#[derive(Clone, Debug)]
pub(super) struct Beliefs {
    /// How well each treasure agrees with what the seat did since its last find.
    likelihood: [Weights; MAX_SEATS],
    /// The treasures, a bit each, that the seat could reach before its present push.
    in_reach: u32,
}

/// The treasures, a bit each, that a seat can reach by one push.
fn within_a_turn(state: &State, seat: Seat) -> u32 {
    let reached = Ground::new(state.board(), state.last()).within_a_turn(state.pawn(seat));
    let mut treasures = 0;
    let tiles = state.board().tiles().iter().copied().chain([state.board().extra()]).enumerate();
    for (place, tile) in tiles {
        if let Some(treasure) = tile.treasure().filter(|_| reached >> place & 1 == 1) {
            treasures |= 1 << treasure.index();
        }
    }
    treasures
}

impl Beliefs {
    pub(super) fn new() -> Beliefs {
        Beliefs { likelihood: [[1.0; TREASURES]; MAX_SEATS], in_reach: 0 }
    }

    /// Learns from an action of anybody.
    pub(super) fn told(&mut self, event: &Told<'_, Labyrinth>) {
        let (Some(seat), Some(action)) = (event.by, event.action) else { return };
        if seat == event.before.seat() {
            return;
        }
        let (before, after) = (event.before.shown(), event.after.shown());
        match action {
            Action::Push(_) => self.in_reach = within_a_turn(before, seat),
            Action::Move(to) => {
                let found = after.cards().found(seat).len() > before.cards().found(seat).len();
                self.walked(seat, to, found, after);
            }
        }
    }

    fn walked(&mut self, seat: Seat, to: Cell, found: bool, after: &State) {
        let likelihood = &mut self.likelihood[seat.index()];
        if found {
            *likelihood = [1.0; TREASURES];
            return;
        }
        let next = within_a_turn(after, seat);
        let stood_on = after.board().tile(to).treasure().map(Treasure::index);
        for (treasure, weight) in likelihood.iter_mut().enumerate() {
            if stood_on == Some(treasure) {
                *weight = 0.0;
            } else if self.in_reach >> treasure & 1 == 1 {
                *weight *= PASSED_BY;
            } else if next >> treasure & 1 == 0 {
                *weight *= OUT_OF_REACH;
            }
        }
    }

    /// The chances that a seat is after each of the treasures, of which `unseen` may be anywhere.
    pub(super) fn current(&self, state: &State, unseen: &Weights, seat: Seat) -> Weights {
        if let Some(treasure) = state.cards().current(seat).and_then(Card::treasure) {
            return sure(treasure);
        }
        let mut weights = *unseen;
        weights.iter_mut().zip(&self.likelihood[seat.index()]).for_each(|(weight, likely)| *weight *= likely);
        if !normalise(&mut weights) {
            weights = *unseen;
            normalise(&mut weights);
        }
        weights
    }
}

/// This treasure and no other.
pub(super) fn sure(treasure: Treasure) -> Weights {
    let mut weights = [0.0; TREASURES];
    weights[treasure.index()] = 1.0;
    weights
}

/// Makes weights chances, if there are any.
pub(super) fn normalise(weights: &mut Weights) -> bool {
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
    sum > 0.0
}
