//! What one seat may know: everything but the other's colours on the board, until the game is over.

use crate::action::Action;
use crate::square::{Bits, Square, squares};
use crate::state::{Open, State};
use ranka_core::{Actor, Rng, Seat};

/// A position as one seat sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct View {
    pub(crate) seat: Seat,
    pub(crate) open: Open,
    /// Which of each seat's ghosts are red, as far as the viewer knows.
    pub(crate) reds: [Option<Bits>; 2],
}

impl View {
    pub(crate) fn of(state: &State, seat: Seat) -> View {
        let mut reds = state.reds.map(Some);
        if View::hides(&state.open, seat) {
            reds[seat.other().index()] = None;
        }
        View { seat, open: state.open, reds }
    }

    /// Whether `seat` may not know the colours of the other's ghosts.
    pub(crate) fn hides(open: &Open, seat: Seat) -> bool {
        !open.actor().is_over() && open.ghosts[seat.other().index()] != 0
    }

    /// What somebody without a seat sees: until the end nobody's colours.
    pub(crate) fn of_onlooker(state: &State) -> View {
        let over = state.open.actor().is_over();
        let reds = state.reds.map(|reds| over.then_some(reds));
        View { seat: Seat::FIRST, open: state.open, reds }
    }

    /// Whether the viewer has a seat, and not only a side from which to look.
    pub(crate) fn sits(&self) -> bool {
        self.reds[self.seat.index()].is_some()
    }

    /// Whose view this is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// How many moves were made.
    pub fn ply(&self) -> u32 {
        u32::from(self.open.ply)
    }

    /// The ghosts of a seat on the board, ascending by square: which one (A is 0), where, and whether it is
    /// red, as far as the viewer knows.
    pub fn ghosts(&self, seat: Seat) -> impl Iterator<Item = (usize, Square, Option<bool>)> {
        let reds = self.reds[seat.index()];
        squares(self.open.ghosts[seat.index()]).map(move |square| {
            let ghost = self.open.ghost_on(seat, square).expect("every ghost on the board has its letter");
            (ghost, square, reds.map(|reds| reds & square.bit() != 0))
        })
    }

    /// The captured ghosts in order of capture: whose, and whether red. Both seats have seen their colour.
    pub fn captured(&self) -> impl Iterator<Item = (Seat, bool)> {
        self.open.captured.iter()
    }

    /// How many red and how many blue ghosts a seat has left on the board; both seats know that. Before its
    /// set-up it has none.
    pub fn left(&self, seat: Seat) -> (u32, u32) {
        match self.reds[seat.index()] {
            Some(reds) => {
                let all = self.open.ghosts[seat.index()].count_ones();
                (reds.count_ones(), all - reds.count_ones())
            }
            None => {
                let left = |red| 4 - self.open.captured.count(seat, red);
                (left(true), left(false))
            }
        }
    }

    /// The viewer's own red ghosts.
    pub(crate) fn own_reds(&self) -> Bits {
        self.reds[self.seat.index()].expect("everybody knows the own colours")
    }

    /// Every way to colour the other's ghosts, as the set of its red ones, in a fixed order; where nothing is
    /// hidden there is one.
    pub(crate) fn colourings(&self) -> Vec<Bits> {
        self.colourings_of(self.seat.other())
    }

    fn colourings_of(&self, seat: Seat) -> Vec<Bits> {
        match (self.reds[seat.index()], self.open.ghosts[seat.index()]) {
            (Some(reds), _) => vec![reds],
            (None, 0) => vec![0],
            (None, ghosts) => subsets(ghosts, self.left(seat).0),
        }
    }

    /// One of them, each as likely as any other.
    fn colouring_of(&self, seat: Seat, rng: &mut Rng) -> Bits {
        if let Some(reds) = self.reds[seat.index()] {
            return reds;
        }
        let (mut reds_left, _) = self.left(seat);
        let mut ghosts_left = self.open.ghosts[seat.index()].count_ones();
        let mut reds = 0;
        for square in squares(self.open.ghosts[seat.index()]) {
            if rng.below(ghosts_left) < reds_left {
                reds |= square.bit();
                reds_left -= 1;
            }
            ghosts_left -= 1;
        }
        reds
    }
}

/// The subsets of `set` with `size` elements.
pub(crate) fn subsets(set: Bits, size: u32) -> Vec<Bits> {
    fn extend(chosen: Bits, rest: Bits, size: u32, out: &mut Vec<Bits>) {
        if size == 0 {
            return out.push(chosen);
        }
        if rest.count_ones() < size {
            return;
        }
        let first = rest & rest.wrapping_neg();
        extend(chosen | first, rest ^ first, size - 1, out);
        extend(chosen, rest ^ first, size, out);
    }
    let mut out = Vec::with_capacity(70);
    extend(0, set, size, &mut out);
    out
}

impl ranka_core::View for View {
    type State = State;

    fn turn(&self) -> Actor {
        self.open.actor()
    }

    fn choices(&self, out: &mut Vec<Action>) {
        if let Some(own_reds) = self.reds[self.seat.index()].filter(|_| self.turn() == Actor::Seat(self.seat))
        {
            self.open.actions(own_reds, out);
        }
    }

    fn sample(&self, rng: &mut Rng) -> State {
        State { open: self.open, reds: [Seat::FIRST, Seat::SECOND].map(|seat| self.colouring_of(seat, rng)) }
    }

    fn worlds(&self) -> Option<Vec<State>> {
        let second = self.colourings_of(Seat::SECOND);
        let both = |first| second.iter().map(move |&second| State { open: self.open, reds: [first, second] });
        Some(self.colourings_of(Seat::FIRST).into_iter().flat_map(both).collect())
    }
}
