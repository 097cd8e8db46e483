//! Geometry: flat-top hexagons in axial coordinates, sides counted clockwise from north.

use std::fmt;

/// A cell of the endless table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex {
    /// Columns to the east.
    pub q: i8,
    /// Steps north within the column.
    pub r: i8,
}

/// What one step over each side adds.
const STEPS: [(i8, i8); 6] = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];

/// The names of the sides.
pub const SIDE_NAMES: [&str; 6] = ["N", "NE", "SE", "S", "SW", "NW"];

/// No tile can lie farther from the first one.
pub(crate) const REACH: i8 = 56;

impl Hex {
    /// Where the first tile goes.
    pub const ORIGIN: Hex = Hex { q: 0, r: 0 };

    /// The cell at these coordinates.
    #[inline]
    pub const fn new(q: i8, r: i8) -> Hex {
        Hex { q, r }
    }

    /// The neighbour over a side.
    #[inline]
    pub const fn step(self, side: usize) -> Hex {
        let (q, r) = STEPS[side];
        Hex { q: self.q + q, r: self.r + r }
    }

    /// The cell turned clockwise about the origin by 60°.
    pub const fn turned(self) -> Hex {
        // North (0, 1) becomes north-east (1, 0), and north-east becomes south-east (1, -1).
        Hex { q: self.q + self.r, r: -self.q }
    }
}

/// How far some cells reach along the three axes: the least and the greatest `q`, `r` and `q + r`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Extent {
    pub(crate) low: [i8; 3],
    pub(crate) high: [i8; 3],
}

impl Extent {
    /// With another cell.
    #[inline]
    pub(crate) fn include(&mut self, place: Hex) {
        for (axis, value) in [place.q, place.r, place.q + place.r].into_iter().enumerate() {
            self.low[axis] = self.low[axis].min(value);
            self.high[axis] = self.high[axis].max(value);
        }
    }
}

/// The side that faces `side`.
#[inline]
pub const fn opposite(side: usize) -> usize {
    (side + 3) % 6
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.q, self.r)
    }
}

impl fmt::Debug for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.q, self.r)
    }
}
