//! Labyrinth for two to four players: the board shifts with every turn, the others' goals are hidden, and even
//! one's own next goal is.
//!
//! ```
//! use ranka_core::{Game, Notation, Params, Position, Rng, Seat, Seed};
//! use ranka_labyrinth::Labyrinth;
//!
//! let options = Params::parse("players=3", Labyrinth::options()).unwrap();
//! let game = Labyrinth::new(&options).unwrap();
//! let mut state = game.start(&mut Rng::new(Seed::new(1)));
//! state.apply(game.read_action("p3r0").unwrap());                 // push the extra tile in,
//! state.apply(game.read_action("m0,0").unwrap());                 // and stay where one is
//! assert_eq!(state.mover(), Seat::new(1));
//! assert!(!state.is_legal(game.read_action("p11r0").unwrap()));   // that would take it back
//! assert_eq!(game.view(&state, Seat::new(1)).shown().cards().unseen().len(), 23);
//! ```
#![warn(missing_docs)]

mod board;
mod maze;
mod tile;

mod cards;
mod deal;

mod action;
mod rules;
mod state;
mod trails;
mod view;

mod encoding;
mod foresight;
mod lessons;
mod motion;
mod notation;
mod picture;
mod puzzles;

mod agents;

mod bench;
mod measures;
pub mod naive;

pub use action::{Action, Push};
pub use board::Board;
pub use cards::{Card, Cards};
pub use maze::{CELLS, Cell, ENTRIES, Entry, Maze, Paths, SIDE, Walk, cells};
pub use rules::{Labyrinth, Rules};
pub use state::{Phase, State};
pub use tile::{Direction, MOVABLE, Openings, Piece, STATIC, Shape, TREASURES, Tile, Treasure};
pub use trails::{Trail, Trails};
pub use view::View;
