//! The right opponent: agents of chosen strength, written once for every game.
//!
//! [`level`] plays at one of ten ranks, [`partner`] fits itself to whoever plays it. Both stand on a game's *judge*, any of
//! its agents that gives candidates with values, and on the game's [`Ladder`]: which agent judges, how its values become
//! winning chances, and how each rank errs. The ladder is data (`levels.toml` of a game's crate), found by `ranka levels
//! calibrate`. `docs/right-opponent.md` tells how they work and what was measured.
//!
//! Read the modules in the order below.
#![warn(missing_docs)]

mod ladder;
mod softmax;

mod judge;
mod plain_win;

mod level;

mod belief;
mod method;
mod partner;

pub use ladder::{Ladder, Levelled, Rank};
pub use level::kind as level;
pub use partner::kind as partner;
pub use softmax::Softmax;
