//! What can be done: placing a tile, and drawing one from the bag.

use crate::hex::Hex;
use crate::tiles::Tile;
use std::fmt;

/// One action in a word, ordered as the canonical lists are: by tile, rotation and place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u32);

/// What an action does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// A seat places a tile.
    Place(Placement),
    /// Chance draws a tile for the seat that placed one.
    Draw(Tile),
}

/// A tile in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The tile.
    pub tile: Tile,
    /// Its clockwise turns of 60°, 0 to 5.
    pub rotation: u8,
    /// Where.
    pub at: Hex,
}

const DRAW: u32 = 1 << 31;
/// Coordinates are written as numbers from 0 with this added.
const OFFSET: i32 = 64;

impl Action {
    /// Placing a tile. Coordinates are -64 to 63.
    #[inline]
    pub const fn place(tile: Tile, rotation: u8, at: Hex) -> Action {
        let turned = tile.number() as u32 * 6 + rotation as u32;
        let [q, r] = [(at.q as i32 + OFFSET) as u32, (at.r as i32 + OFFSET) as u32];
        Action((turned * 128 + q) * 128 + r)
    }

    /// Drawing a tile.
    #[inline]
    pub const fn draw(tile: Tile) -> Action {
        Action(DRAW | tile.number() as u32)
    }

    /// The action as a number; for a placement `((tile·6 + rotation)·128 + q + 64)·128 + r + 64`.
    #[inline]
    pub const fn code(self) -> u32 {
        self.0
    }

    /// What it does.
    #[inline]
    pub const fn deed(self) -> Deed {
        if self.0 & DRAW != 0 {
            return Deed::Draw(Tile::new((self.0 ^ DRAW) as usize));
        }
        let turned = self.0 >> 14;
        let at =
            Hex::new(((self.0 >> 7 & 127) as i32 - OFFSET) as i8, ((self.0 & 127) as i32 - OFFSET) as i8);
        Deed::Place(Placement { tile: Tile::new(turned as usize / 6), rotation: (turned % 6) as u8, at })
    }

    /// The placement, if it is one.
    #[inline]
    pub const fn placement(self) -> Option<Placement> {
        match self.deed() {
            Deed::Place(placement) => Some(placement),
            Deed::Draw(_) => None,
        }
    }
}

/// As notation writes it.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.deed() {
            Deed::Place(Placement { tile, rotation, at }) => write!(f, "{tile}@{at}/{rotation}"),
            Deed::Draw(tile) => write!(f, "draw:{tile}"),
        }
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
