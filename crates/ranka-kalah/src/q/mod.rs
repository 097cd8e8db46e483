//! Q values: what sowing a house is worth, learned or computed.
//!
//! A position is known by its houses as its mover sees them and the difference of the stores, so one table serves
//! both sides.

mod exact;
mod file;
mod learn;
mod table;

pub use exact::{exact, shared};
pub use file::{read, write};
pub use learn::{TrainingOptions, TrainingProgress, TrainingResult, train};
pub use table::{Backup, QKind, QTable, Reward};
