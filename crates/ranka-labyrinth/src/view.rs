//! What one seat may know: everything but the cards that lie face down for it.

use crate::action::Action;
use crate::maze::Cell;
use crate::state::State;
use crate::tile::Treasure;
use ranka_core::{Actor, Position, Rng, Seat};

/// A seat's view: the state with the cards it may not know turned over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct View {
    seat: Seat,
    /// Whether it is the view of who sits there, and not of somebody who only looks on.
    sits: bool,
    shown: State,
}

/// More worlds than this are not listed.
const MOST_WORLDS: usize = 240;

impl View {
    pub(crate) fn of(state: &State, seat: Seat, open_hands: bool) -> View {
        let mut shown = *state;
        if !open_hands {
            shown.cards = shown.cards.seen_by(Some(seat));
        }
        View { seat, sits: true, shown }
    }

    /// What somebody without a seat sees.
    pub(crate) fn of_onlooker(state: &State, open_hands: bool) -> View {
        let mut shown = *state;
        if !open_hands {
            shown.cards = shown.cards.seen_by(None);
        }
        View { seat: Seat::FIRST, sits: false, shown }
    }

    /// Whether the viewer has a seat.
    #[inline]
    pub(crate) fn sits(&self) -> bool {
        self.sits
    }

    /// Whose view it is.
    #[inline]
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The position with [unknown](crate::Card::UNKNOWN) cards where the seat sees their backs.
    #[inline]
    pub fn shown(&self) -> &State {
        &self.shown
    }

    /// Where the seat wants to be; nothing while its treasure is on the extra tile.
    pub fn target(&self) -> Option<Cell> {
        self.shown.target(self.seat)
    }

    /// The same with the cards face up that lie open in a later view of the same seat.
    pub(crate) fn in_hindsight(&self, now: &View) -> View {
        View { shown: State { cards: self.shown.cards.turned(&now.shown.cards), ..self.shown }, ..*self }
    }

    fn with(&self, names: impl Iterator<Item = Treasure>) -> State {
        State { cards: self.shown.cards.named(names), ..self.shown }
    }
}

impl ranka_core::View for View {
    type State = State;

    fn turn(&self) -> Actor {
        self.shown.actor()
    }

    fn choices(&self, out: &mut Vec<Action>) {
        if self.sits && self.shown.actor() == Actor::Seat(self.seat) {
            self.shown.actions(out);
        }
    }

    fn random_choice(&self, rng: &mut Rng) -> Action {
        self.shown().random_action(rng, &mut Vec::new())
    }

    fn sample(&self, rng: &mut Rng) -> State {
        let mut unseen = self.shown.cards.unseen();
        rng.shuffle(&mut unseen);
        self.with(unseen.into_iter())
    }

    fn worlds(&self) -> Option<Vec<State>> {
        let (unseen, places) = (self.shown.cards.unseen(), self.shown.cards.face_down());
        let ways = (0..places).try_fold(1usize, |ways, i| ways.checked_mul(unseen.len() - i));
        if ways.is_none_or(|ways| ways > MOST_WORLDS) {
            return None;
        }
        let mut worlds = Vec::new();
        arrange(unseen, places, &mut Vec::new(), &mut |names| worlds.push(self.with(names.iter().copied())));
        Some(worlds)
    }
}

/// Every way to name `places` cards.
fn arrange(
    left: Vec<Treasure>,
    places: usize,
    named: &mut Vec<Treasure>,
    each: &mut impl FnMut(&[Treasure]),
) {
    if named.len() == places {
        return each(named);
    }
    for &treasure in &left {
        named.push(treasure);
        let rest = left.iter().copied().filter(|&other| other != treasure).collect();
        arrange(rest, places, named, each);
        named.pop();
    }
}
