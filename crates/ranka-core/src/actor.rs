//! Who acts: a seat, chance, or nobody because the game is over.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The most seats any game has.
pub const MAX_SEATS: usize = 4;

/// A place at the board, counted from 0. A seat is who *plays*, never a colour or a direction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// The first seat.
    pub const FIRST: Seat = Seat(0);
    /// The second seat.
    pub const SECOND: Seat = Seat(1);

    /// The seat with this number.
    ///
    /// # Panics
    /// If `index` is not below [`MAX_SEATS`].
    #[inline]
    pub const fn new(index: usize) -> Seat {
        assert!(index < MAX_SEATS, "a game has at most four seats");
        Seat(index as u8)
    }

    /// The seat's number, for indexing.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The other seat of a game for two.
    #[inline]
    pub const fn other(self) -> Seat {
        Seat(self.0 ^ 1)
    }

    /// The next seat clockwise in a game of `seats`.
    #[inline]
    pub const fn next(self, seats: usize) -> Seat {
        Seat((self.0 + 1) % seats as u8)
    }

    /// The first `seats` seats in order.
    pub fn all(seats: usize) -> impl ExactSizeIterator<Item = Seat> + Clone {
        (0..seats).map(Seat::new)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        let index = u8::deserialize(deserializer)?;
        if usize::from(index) < MAX_SEATS {
            Ok(Seat(index))
        } else {
            Err(D::Error::custom(format!("seat {index}: a game has at most {MAX_SEATS} seats")))
        }
    }
}

/// Who takes the next action of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Actor {
    /// A player.
    Seat(Seat),
    /// Chance, with the probabilities that [`Position::probability`](crate::Position::probability) tells.
    Chance,
    /// Nobody: the game is over.
    Over,
}

impl Actor {
    /// The seat to act, if a seat is.
    #[inline]
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Actor::Seat(seat) => Some(seat),
            _ => None,
        }
    }

    /// Whether the game is over.
    #[inline]
    pub const fn is_over(self) -> bool {
        matches!(self, Actor::Over)
    }
}

/// As `ranka moves --json` writes it: a seat number, `chance` or `over`.
impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Actor::Seat(seat) => write!(f, "{seat}"),
            Actor::Chance => f.write_str("chance"),
            Actor::Over => f.write_str("over"),
        }
    }
}

impl Serialize for Actor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Actor::Seat(seat) => seat.serialize(serializer),
            other => serializer.collect_str(other),
        }
    }
}
