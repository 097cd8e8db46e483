//! Tantrix Strategy for 2 to 4: hexagonal tiles from a bag, open hands, forced spaces and closed sides.
//!
//! ```
//! use ranka_core::{Actor, Game, Notation, Params, Position, Rng, Seed};
//! use ranka_tantrix::Tantrix;
//!
//! let game = Tantrix::new(&Params::defaults(Tantrix::options())).unwrap();
//! let mut state = game.start(&mut Rng::new(Seed::new(1)));
//! let mut first = Vec::new();
//! state.actions(&mut first);
//! assert_eq!(first.len(), 6);                       // any tile of the hand, at the origin
//! state.apply(first[0]);
//! assert_eq!(state.actor(), Actor::Chance);         // a new tile is drawn at once
//! assert!(game.write_state(&state).starts_with("board="));
//! ```
#![warn(missing_docs)]

mod hex;
mod tiles;

mod cells;
mod hand;

mod board;

mod action;
mod bag_order;
mod rules;
mod state;

mod notation;

mod window;

mod counting;
mod obstruction;
mod trace;

mod log;
pub mod measures;

mod encoding;
pub mod evaluation;
mod foresight;
mod lessons;
mod motion;
mod picture;
mod puzzles;

mod agents;

mod bench;
pub mod naive;

pub use action::{Action, Deed, Placement};
pub use bag_order::Ordered;
pub use board::{Board, Line};
pub use counting::{SpaceCount, count_spaces};
pub use hand::HAND;
pub use hex::{Hex, SIDE_NAMES, opposite};
pub use obstruction::{Ends, Reading, Several};
pub use rules::Tantrix;
pub use state::{Phase, State};
pub use tiles::{Colour, TILES, Tile, TileSet};
pub use trace::{Trace, trace};
