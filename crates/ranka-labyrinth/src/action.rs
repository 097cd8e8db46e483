//! An action: one half of a turn, the push or the move.

use crate::maze::{Cell, Entry};

/// How the extra tile is pushed in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Push {
    /// Where.
    pub entry: Entry,
    /// Turned clockwise by how many quarters, 0 to 3.
    pub rotation: u8,
}

/// One half of a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// First one pushes the extra tile in.
    Push(Push),
    /// Then one walks to a cell or stays.
    Move(Cell),
}
