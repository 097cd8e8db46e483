//! The log of a game, ply by ply: the five items of the paper's logs and what its figures need beyond them.
//!
//! Everything follows from where the game began and its actions, so a record is enough to have them again.

use crate::action::{Action, Deed};
use crate::obstruction::Reading;
use crate::state::{Phase, State};
use ranka_core::{Actor, Position, Seat};
use serde::Serialize;

/// A line for a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LineLog {
    /// Its tiles.
    pub length: usize,
    /// Whether it is a loop.
    pub looped: bool,
}

/// What is to be known of a seat after a ply.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatLog {
    /// All lines of its colour, longest first.
    pub lines: Vec<LineLog>,
    /// Its score.
    pub score: i32,
    /// The tiles of its longest line.
    pub longest: usize,
    /// How many ends of its longest line by points are obstructed: the fewest of several, nothing for a loop.
    pub obstructed: Option<u8>,
    /// Whether its longest line has grown with this ply, in tiles and in points.
    pub grown: bool,
    /// The same by points.
    pub grown_points: bool,
}

/// One ply.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlyLog {
    /// Its number, from 1.
    pub ply: usize,
    /// Who placed the tile.
    pub seat: Seat,
    /// Item 1: the hand before, in the order held.
    pub hand: Vec<usize>,
    /// Item 2: `forced-before`, `free` or `forced-after`, and whether restrictions held.
    pub situation: &'static str,
    /// Whether restrictions A, B and C held.
    pub restricted: bool,
    /// Item 3: all legal placements.
    pub legal: Vec<String>,
    /// Item 4: the one that was chosen.
    pub chosen: String,
    /// The tile that was drawn then, if any.
    pub drawn: Option<usize>,
    /// Tiles left in the bag after that.
    pub bag: usize,
    /// Forced spaces after the placement.
    pub forced: Vec<String>,
    /// Controlled cells after the placement.
    pub controlled: Vec<String>,
    /// Item 5 and more, for each seat, after the placement.
    pub seats: Vec<SeatLog>,
}

/// The log of a game from its start and its actions, chance's included.
///
/// # Panics
/// May panic if an action is not legal.
pub fn log(start: &State, actions: &[Action]) -> Vec<PlyLog> {
    let mut state = start.clone();
    let mut plies: Vec<PlyLog> = Vec::new();
    for &action in actions {
        let Actor::Seat(seat) = state.actor() else {
            state.apply(action);
            if let (Some(ply), Deed::Draw(tile)) = (plies.last_mut(), action.deed()) {
                (ply.drawn, ply.bag) = (Some(tile.number()), state.bag().len());
            }
            continue;
        };
        let mut legal = Vec::new();
        state.actions(&mut legal);
        let before = state.clone();
        state.apply(action);
        plies.push(PlyLog {
            ply: state.plies(),
            seat,
            hand: before.hand(seat).map(|tile| tile.number()).collect(),
            situation: match (before.phase(), before.freed()) {
                (Phase::Free, _) => "free",
                (_, false) => "forced-before",
                (_, true) => "forced-after",
            },
            restricted: before.board().restricted(),
            legal: legal.iter().map(Action::to_string).collect(),
            chosen: action.to_string(),
            drawn: None,
            bag: state.bag().len(),
            forced: state.board().forced(state.exactly3()).iter().map(|at| at.to_string()).collect(),
            controlled: state.board().controlled().iter().map(|at| at.to_string()).collect(),
            seats: Seat::all(state.seats()).map(|seat| seat_log(&before, &state, seat)).collect(),
        });
    }
    plies
}

fn seat_log(before: &State, after: &State, seat: Seat) -> SeatLog {
    let mut lines: Vec<LineLog> = after
        .board()
        .lines(after.colour(seat))
        .map(|line| LineLog { length: line.length, looped: line.ends.is_none() })
        .collect();
    lines.sort_by(|a, b| b.cmp(a));
    SeatLog {
        lines,
        score: after.score(seat),
        longest: longest(after, seat),
        obstructed: obstructed(after, seat),
        grown: longest(after, seat) > longest(before, seat),
        grown_points: after.score(seat) > before.score(seat),
    }
}

/// The tiles of a seat's longest line.
pub(crate) fn longest(state: &State, seat: Seat) -> usize {
    state.board().lines(state.colour(seat)).map(|line| line.length).max().unwrap_or(0)
}

/// How many ends of a seat's longest line by points are obstructed: the fewest of several. Nothing for a loop, which
/// is freer than any open line, however few of whose ends are obstructed.
pub(crate) fn obstructed(state: &State, seat: Seat) -> Option<u8> {
    Reading::RECOMMENDED.longest(state, state.colour(seat)).reduce(|a, b| a?.min(b?).into()).flatten()
}
