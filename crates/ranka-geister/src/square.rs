//! Squares, and sets of squares in one word.

use ranka_core::Seat;
use std::fmt;

/// A set of squares: bit `i` is the square with index `i`.
pub(crate) type Bits = u64;

/// All 36 squares.
pub(crate) const BOARD: Bits = (1 << 36) - 1;

const COLUMN_A: Bits = 0x4104_1041; // bits 0, 6, 12, …
const COLUMN_F: Bits = COLUMN_A << 5;

/// A square: a1 (far left, as the first player sees it) is 0, f1 is 5, f6 is 35.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub(crate) u8);

impl Square {
    /// The square with this index.
    ///
    /// # Panics
    /// If there is no such square.
    #[inline]
    pub const fn new(index: usize) -> Square {
        assert!(index < 36, "the board has 36 squares");
        Square(index as u8)
    }

    /// Its index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row, 0 to 5 from the first player's far edge.
    pub const fn row(self) -> usize {
        self.0 as usize / 6
    }

    /// The column, 0 to 5 from the first player's left.
    pub const fn column(self) -> usize {
        self.0 as usize % 6
    }

    /// The same square as the opponent sees it.
    #[inline]
    pub const fn turned(self) -> Square {
        Square(35 - self.0)
    }

    /// The square that people call `name`, such as `b5`.
    pub fn named(name: &str) -> Option<Square> {
        match name.as_bytes() {
            [column @ b'a'..=b'f', row @ b'1'..=b'6'] => Some(Square((row - b'1') * 6 + (column - b'a'))),
            _ => None,
        }
    }

    /// The square with an index that is known to be one.
    #[inline]
    pub(crate) const fn at(index: u8) -> Square {
        debug_assert!(index < 36);
        Square(index)
    }

    #[inline]
    pub(crate) const fn bit(self) -> Bits {
        1 << self.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column() as u8), self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The place of a ghost that is not on the board.
pub(crate) const OFF: u8 = 63;

/// Where a step to the north, east, south or west leads from each place; nowhere is [`OFF`].
pub(crate) const TARGETS: [[u8; 4]; 64] = {
    let mut targets = [[OFF; 4]; 64];
    let mut i = 0;
    while i < 36 {
        let bit = 1 << i;
        let reached = [north(bit), east(bit), south(bit), west(bit)];
        let mut d = 0;
        while d < 4 {
            if reached[d] != 0 {
                targets[i][d] = reached[d].trailing_zeros() as u8;
            }
            d += 1;
        }
        i += 1;
    }
    targets
};

#[inline]
pub(crate) const fn north(set: Bits) -> Bits {
    set >> 6
}

#[inline]
pub(crate) const fn east(set: Bits) -> Bits {
    (set & !COLUMN_F) << 1
}

#[inline]
pub(crate) const fn south(set: Bits) -> Bits {
    (set << 6) & BOARD
}

#[inline]
pub(crate) const fn west(set: Bits) -> Bits {
    (set & !COLUMN_A) >> 1
}

/// Everything one step away.
#[inline]
pub(crate) const fn neighbours(set: Bits) -> Bits {
    north(set) | east(set) | south(set) | west(set)
}

/// The set as the opponent sees it.
#[inline]
pub(crate) const fn turned(set: Bits) -> Bits {
    set.reverse_bits() >> (64 - 36)
}

/// The squares of a set, ascending.
pub(crate) fn squares(mut set: Bits) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = Square(set.trailing_zeros() as u8);
            set &= set - 1;
            square
        })
    })
}

/// The squares from which the blue ghosts of `seat` leave the board: its far corners.
#[inline]
pub(crate) const fn exits(seat: Seat) -> Bits {
    const FIRST: Bits = 1 | 1 << 5;
    if seat.index() == 0 { FIRST } else { FIRST << 30 }
}

/// Where the ghosts A to H of `seat` start.
pub(crate) const fn home(seat: Seat) -> [Square; 8] {
    let mut home = [Square(0); 8];
    let mut i = 0;
    while i < 8 {
        let square = Square([25, 26, 27, 28, 31, 32, 33, 34][i]);
        home[i] = if seat.index() == 0 { square } else { square.turned() };
        i += 1;
    }
    home
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_named_from_the_top_left() {
        for (name, index) in [("a1", 0), ("f1", 5), ("b5", 25), ("a6", 30), ("f6", 35)] {
            let square = Square::named(name).expect(name);
            assert_eq!((square.index(), square.to_string().as_str()), (index, name));
        }
        for bad in ["", "a", "a7", "g1", "a0", "A1", "a11", "é1"] {
            assert_eq!(Square::named(bad), None, "{bad}");
        }
        let names = |seat| home(seat).map(|square| square.to_string()).concat();
        assert_eq!(names(Seat::FIRST), "b5c5d5e5b6c6d6e6");
        assert_eq!(names(Seat::SECOND), "e2d2c2b2e1d1c1b1");
    }

    #[test]
    fn steps_stay_on_the_board() {
        for square in squares(BOARD) {
            let (row, column) = (square.row() as i32, square.column() as i32);
            for (direction, (down, right)) in [(-1, 0), (0, 1), (1, 0), (0, -1)].into_iter().enumerate() {
                let (row, column) = (row + down, column + right);
                let on_board = (0..6).contains(&row) && (0..6).contains(&column);
                let wanted = if on_board { (row * 6 + column) as u8 } else { OFF };
                assert_eq!(TARGETS[square.index()][direction], wanted, "{square} {direction}");
            }
            let around = TARGETS[square.index()].into_iter().fold(0, |set, near| set | 1 << near);
            assert_eq!(neighbours(square.bit()), around & BOARD);
            assert_eq!(turned(square.bit()), square.turned().bit());
        }
        assert_eq!(exits(Seat::SECOND), turned(exits(Seat::FIRST)));
    }
}
