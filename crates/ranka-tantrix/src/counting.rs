//! Counting: which tiles that are still to come can fill a space, and which spaces nobody will ever fill.

use crate::board::Board;
use crate::cells::Id;
use crate::hex::Hex;
use crate::state::State;
use crate::tiles::{Colour, TileSet};
use ranka_core::{Position, Seat};
use std::fmt;

/// The tiles that can fill a forced space, as reviewers of games write it: `X/Z-Y`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceCount {
    /// The space.
    pub at: Hex,
    /// X: tiles not yet on the board that fit now.
    pub now: usize,
    /// Y: those of them that also fit another forced space.
    pub shared: usize,
    /// Z: tiles that fit once the restrictions are lifted.
    pub lifted: usize,
    /// How many of X each seat holds.
    pub held: Vec<usize>,
}

impl SpaceCount {
    /// Whether some player holds a fitting tile.
    pub fn in_hand(&self) -> bool {
        self.held.iter().any(|&held| held > 0)
    }
}

impl fmt::Display for SpaceCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.now)?;
        if self.lifted != self.now {
            write!(f, "/{}", self.lifted)?;
        }
        if self.shared > 0 {
            write!(f, "-{}", self.shared)?;
        }
        Ok(())
    }
}

/// The counts of all forced spaces, sorted by place.
pub fn count_spaces(state: &State) -> Vec<SpaceCount> {
    let (board, unplayed) = (state.board(), state.unplayed());
    let spaces = board.forced(state.exactly3());
    let fitting: Vec<TileSet> = spaces.iter().map(|&at| board.fitting(at, unplayed, false)).collect();
    let count = |(place, &at): (usize, &Hex)| {
        let elsewhere = fitting.iter().enumerate().filter(|&(other, _)| other != place);
        let elsewhere = elsewhere.fold(TileSet::NONE, |all, (_, &fits)| all.or(fits));
        let now = fitting[place];
        SpaceCount {
            at,
            now: now.len(),
            shared: now.and(elsewhere).len(),
            lifted: board.fitting(at, unplayed, true).len(),
            held: Seat::all(state.seats()).map(|seat| now.and(state.held(seat)).len()).collect(),
        }
    };
    spaces.iter().enumerate().map(count).collect()
}

/// For how long a cell stays empty, whatever the players do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Closed {
    /// It may be filled at any time.
    Not,
    /// Not before the endgame: no tile to come fits this space before, or the space at the head of its side.
    UntilEndgame,
    /// Never: no tile to come fits it.
    Forever,
}

/// What counting knows of a position.
pub(crate) struct Count<'a> {
    board: &'a Board,
    unplayed: TileSet,
}

impl Count<'_> {
    pub(crate) fn of(state: &State) -> Count<'_> {
        Count { board: state.board(), unplayed: state.unplayed() }
    }

    pub(crate) fn closed(&self, cell: Id) -> Closed {
        let board = self.board;
        if board.crowded_set().has(cell) {
            let at = board.at(cell);
            if board.fitting(at, self.unplayed, true).is_empty() {
                return Closed::Forever;
            }
            if board.fitting(at, self.unplayed, false).is_empty() {
                return Closed::UntilEndgame;
            }
        } else if board.controlled_set().has(cell) {
            let heads = board.crowded_set().iter().filter(|&space| board.sides_of(space).has(cell));
            let stuck = |space| board.fitting(board.at(space), self.unplayed, false).is_empty();
            if heads.into_iter().any(stuck) {
                return Closed::UntilEndgame;
            }
        }
        Closed::Not
    }

    /// How many ends of the colour's best line are worth nothing any more: 1 for an end that is closed for
    /// ever, ½ for one that is closed until the endgame. Of several best lines the freest counts, and a loop
    /// has no ends to lose.
    pub(crate) fn lost_ends(&self, colour: Colour) -> f64 {
        let best = self.board.score(colour);
        let lines = self.board.ends(colour).filter_map(|(length, ends)| {
            let points = i32::from(length) * if ends.is_some() { 1 } else { 2 };
            (points == best).then_some(ends)
        });
        let lost = lines.map(|ends| {
            ends.into_iter().flatten().fold(0.0, |lost, cell| {
                lost + match self.closed(cell) {
                    Closed::Not => 0.0,
                    Closed::UntilEndgame => 0.5,
                    Closed::Forever => 1.0,
                }
            })
        });
        lost.reduce(f64::min).unwrap_or(0.0)
    }
}
