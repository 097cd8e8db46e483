//! Exact values: the final margin under perfect play.
//!
//! The margin of a position is the present difference of the stores plus what the houses are still worth to
//! the one who moves, and the latter depends on the houses alone. So everything here speaks of a
//! [`Board`](crate::board::Board) without stores, seen by its mover.

mod book;
mod build;
mod endgame;
mod file;
mod judge;
mod progress;
mod rows;
mod search;
mod solver;
mod steps;
mod table;

pub use book::{Book, Draft, Scope};
pub use endgame::Endgame;
pub use judge::Judgement;
pub use progress::SolverProgress;
pub use search::Lookups;
pub use solver::{Interval, Solution, Solver, Stopped};
