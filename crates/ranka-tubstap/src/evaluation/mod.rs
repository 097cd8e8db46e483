//! A learned judgement of any position on any map, quick enough for tens of thousands of positions a decision.
//!
//! A unit is described by what it is and by what it can do to each enemy and each enemy to it (`rows`); each such fact
//! has a learned vector. A unit's vectors are summed and cut off at zero, so that two attackers on one target are more
//! than one and one; the sums over either side, and how the count of HP stands, go through one small layer to an
//! expected score (`model`). Nothing depends on where on the map something is, only on who reaches whom, so maps that
//! were never seen are judged like others. `learn` fits the vectors to games that were played.

mod learn;
mod model;
mod rows;
mod self_play;
mod ways;

pub use learn::{Learner, Packed};
pub use model::Model;
pub use rows::Rows;
pub use self_play::{Experience, play};
pub use ways::Ways;
