//! Search over Ranka's contract. Nothing here knows a game: an algorithm asks for a
//! [`Position`](ranka_core::Position), and for what it needs beyond that in a small trait of hooks.
//!
//! Read the modules in the order below. What only one later game needs comes with that game and will stand
//! beside its relatives: information-set MCTS (Geister, Labyrinth) as `ismcts`, after the tree search that it
//! extends, and df-pn (Geister) as `dfpn`, after alpha-beta, whose table it can share.
//!
//! Every clever search is tested against a naive one that fits on a page (`tests/search`).
#![warn(missing_docs)]

mod limits;

mod transposition;

mod alphabeta;

mod playout;
mod sampled;

mod flat;
mod uct;

pub use alphabeta::{AlphaBeta, DepthUnit, Evaluate, Found, MAX_DEPTH, Root, Scored};
pub use flat::{Flat, FlatRule};
pub use limits::{Limits, Stop};
pub use playout::{UctPolicy, Uniform, Values};
pub use sampled::{FinalChoice, Sampled, Tried};
pub use transposition::{Bound, Entry, Transpositions};
pub use uct::{Perspective, Total, Uct, UctConfig, Widening};
