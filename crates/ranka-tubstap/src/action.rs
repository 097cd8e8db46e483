//! An action: what one unit does, or the end of the turn.

use crate::field::Place;
use std::fmt;

/// What one unit does, or the end of the turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    unit: u8,
    to: Place,
    target: u8,
}

/// No unit.
const NOBODY: u8 = u8::MAX;

impl Action {
    /// The end of the turn: whoever has not acted stays where it is.
    pub const END: Action = Action { unit: NOBODY, to: Place::new(0, 0), target: NOBODY };

    /// Unit `unit` goes to `to` (or stays there) and does not attack.
    #[inline]
    pub const fn go(unit: u8, to: Place) -> Action {
        Action { unit, to, target: NOBODY }
    }

    /// Unit `unit` goes to `to` (or stays there) and attacks unit `target`.
    #[inline]
    pub const fn attack(unit: u8, to: Place, target: u8) -> Action {
        Action { unit, to, target }
    }

    /// The unit that acts; nothing for the end of the turn.
    #[inline]
    pub const fn unit(self) -> Option<u8> {
        if self.unit == NOBODY { None } else { Some(self.unit) }
    }

    /// Where it goes.
    #[inline]
    pub const fn to(self) -> Place {
        self.to
    }

    /// Whom it attacks.
    #[inline]
    pub const fn target(self) -> Option<u8> {
        if self.target == NOBODY { None } else { Some(self.target) }
    }
}

/// As in notation.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.unit(), self.target()) {
            (None, _) => f.write_str("end"),
            (Some(unit), None) => write!(f, "{unit}@{}", self.to),
            (Some(unit), Some(target)) => write!(f, "{unit}@{}>{target}", self.to),
        }
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
