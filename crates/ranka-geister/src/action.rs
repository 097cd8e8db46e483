//! An action: a set-up, a step, an escape.

use crate::setup::SetUp;
use crate::square::Square;

/// An action. The canonical order is by square, then north, east, south, west, then the escape; set-ups are
/// in alphabetical order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Before the game: which ghosts are red.
    SetUp(SetUp),
    /// One step, onto an empty square or an enemy.
    Step {
        /// Where the ghost stands.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// A blue ghost leaves the board and wins.
    Escape {
        /// The exit on which it stands.
        from: Square,
    },
}
