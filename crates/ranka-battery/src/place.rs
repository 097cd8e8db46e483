//! Where we are in which random game, so that every failure can say so.

use crate::Battery;
use ranka_core::{Actor, Game, Notation, Position as _, Rng, Seat};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A random game: `states[0]` is the start, and `actions[i]` leads from `states[i]` to `states[i + 1]`.
pub(crate) struct Line<G: Game> {
    pub(crate) number: u64,
    pub(crate) states: Vec<G::State>,
    pub(crate) actions: Vec<G::Action>,
}

/// A position of a random game.
pub(crate) struct Place<'a, 'b, G: Game> {
    pub(crate) battery: &'a Battery<'b, G>,
    pub(crate) line: &'a Line<G>,
    pub(crate) index: usize,
}

impl<'a, G: Notation> Place<'a, '_, G> {
    pub(crate) fn game(&self) -> &'a G {
        &self.battery.game
    }

    pub(crate) fn state(&self) -> &'a G::State {
        &self.line.states[self.index]
    }

    pub(crate) fn seats(&self) -> impl Iterator<Item = Seat> + use<G> {
        Seat::all(self.battery.game.seats())
    }

    pub(crate) fn actor(&self) -> Actor {
        ranka_core::Position::actor(self.state())
    }

    /// The action that led here and who took it, as `seat` saw it; nothing if it was chance's.
    pub(crate) fn last_seen(&self, seat: Seat) -> Option<(Seat, G::Action)> {
        let before = self.index.checked_sub(1)?;
        let by = self.line.states[before].actor().seat()?;
        let seen = self.game().seen(&self.line.states[before], self.line.actions[before], seat);
        seen.map(|action| (by, action))
    }

    /// The action that is taken next, as `seat` will see it; nothing if that is hidden or the game is over.
    pub(crate) fn next_seen(&self, seat: Seat) -> Option<G::Action> {
        let action = *self.line.actions.get(self.index)?;
        self.game().seen(self.state(), action, seat)
    }

    /// A random stream of this place's own.
    pub(crate) fn rng(&self) -> Rng {
        Rng::new(self.battery.root().child("place").at(self.line.number).at(self.index as u64))
    }

    /// Runs a check; its panic is told with this place in front.
    pub(crate) fn check<T>(&self, check: impl FnOnce() -> T) -> T {
        let place = || {
            format!(
                "{}, random game {}, after {} actions, at {}",
                self.battery.name(),
                self.line.number,
                self.index,
                self.game().write_state(self.state())
            )
        };
        at(place, check)
    }
}

/// Runs a check; its panic is told with `place` in front.
pub(crate) fn at<T>(place: impl FnOnce() -> String, check: impl FnOnce() -> T) -> T {
    match catch_unwind(AssertUnwindSafe(check)) {
        Ok(value) => value,
        Err(panic) => panic!("{}: {}", place(), message(panic.as_ref())),
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("panicked")
}
