//! Obstruction: whether the ends of a player's longest line point into controlled sides.

use crate::counting::{Closed, Count};
use crate::state::State;
use crate::tiles::Colour;

/// How many ends of a line must be obstructed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends {
    /// At least one.
    One,
    /// Both.
    Both,
    /// Each counts for half.
    Graded,
}

/// What holds if several lines are longest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Several {
    /// All must be obstructed.
    Every,
    /// One is enough.
    Any,
    /// Only the first found is looked at.
    First,
}

/// The readings of "the longest line is obstructed" that the paper leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// How many ends of a line must be obstructed.
    pub ends: Ends,
    /// What holds if several lines are longest.
    pub several: Several,
    /// Whether loops are left out, and the longest open line is looked at; else a longest loop is not obstructed.
    pub ignore_loops: bool,
    /// Whether the longest line is the one with most points (loops doubled), or with most tiles.
    pub by_points: bool,
    /// Whether an end that points into the forced space at the head of a side counts too.
    pub count_forced: bool,
    /// Whether an end that points into a space that nobody can fill counts too.
    pub count_dead: bool,
}

impl Reading {
    /// The recommended one.
    pub const RECOMMENDED: Reading = Reading {
        ends: Ends::One,
        several: Several::Every,
        ignore_loops: false,
        by_points: true,
        count_forced: false,
        count_dead: false,
    };

    /// The longest lines of a colour: how many of their ends are obstructed, nothing for a loop. In the endgame
    /// nothing is controlled.
    pub fn longest<'a>(&self, state: &'a State, colour: Colour) -> impl Iterator<Item = Option<u8>> + 'a {
        let reading = *self;
        let board = state.board();
        let size = move |length: u8, looped: bool| length * if looped && reading.by_points { 2 } else { 1 };
        let lines =
            move || board.ends(colour).filter(move |(_, ends)| ends.is_some() || !reading.ignore_loops);
        let longest = lines().map(|(length, ends)| size(length, ends.is_none())).max().unwrap_or(0);
        lines().filter(move |&(length, ends)| size(length, ends.is_none()) == longest).map(
            move |(_, ends)| {
                let obstructed = |&cell: &u8| {
                    board.controlled_set().has(cell)
                        || (reading.count_forced && board.restricted() && board.crowded_set().has(cell))
                        || (reading.count_dead && Count::of(state).closed(cell) != Closed::Not)
                };
                ends.map(|ends| ends.iter().filter(|cell| obstructed(cell)).count() as u8)
            },
        )
    }

    /// How free the longest line of a colour is: 0 when it is obstructed, 1 when it is not, or in between.
    pub fn freedom(&self, state: &State, colour: Colour) -> f64 {
        let mut lines = self.longest(state, colour).map(|ends| match (self.ends, ends) {
            (_, None) => 1.0,
            (Ends::One, Some(ends)) => f64::from(u8::from(ends == 0)),
            (Ends::Both, Some(ends)) => f64::from(u8::from(ends < 2)),
            (Ends::Graded, Some(ends)) => 1.0 - f64::from(ends) / 2.0,
        });
        match self.several {
            Several::Every => lines.reduce(f64::max),
            Several::Any => lines.reduce(f64::min),
            Several::First => lines.next(),
        }
        .unwrap_or(1.0)
    }
}
