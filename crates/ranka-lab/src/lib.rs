//! The laboratory: matches between agents, and what their results are worth.
//!
//! [`run_match`] plays the games of a [`MatchPlan`] on as many threads as wanted and hands them on in
//! their order, so that everything but the clock is the same for any number of threads.
#![warn(missing_docs)]

mod matches;
mod new_file;
pub mod plot;
mod stats;

pub use matches::{MatchPlan, MatchResult, Seating, run_match};
pub use new_file::NewFile;
pub use stats::{Elo, Scores, elo_of};
