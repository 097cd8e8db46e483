//! TUBSTAP: a war game without dice or fog, in which one turn moves all of a side's units in any order.
//!
//! ```
//! use ranka_core::{Game, Notation, Params, Position, Rng, Seed};
//! use ranka_tubstap::Tubstap;
//!
//! let options = Params::parse("map=duel", Tubstap::options()).unwrap();
//! let game = Tubstap::new(&options).unwrap();
//! let mut state = game.start(&mut Rng::new(Seed::new(1)));
//! let go = game.read_action("0@2,3").unwrap(); // unit 0, a panzer, goes to column 2, row 3
//! assert!(state.is_legal(go));
//! state.apply(go);
//! assert_eq!(state.turn(), 0); // and red's infantry is still to act
//! ```
#![warn(missing_docs)]

mod cells;
mod combat;
mod kinds;

mod field;
mod setup;
mod sight;

mod action;
mod refusal;
mod rules;
mod state;

mod notation;

mod files;
pub mod generate;
pub mod maps;

pub mod evaluation;
mod judgement;
mod playout;

pub mod fuzzy;

mod agents;

mod encoding;
mod foresight;
mod lessons;
mod motion;
mod picture;
mod puzzles;

mod bench;
mod measures;
pub mod naive;

pub use action::Action;
pub use combat::PowerTable;
pub use field::Place;
pub use files::*;
pub use kinds::{Kind, MovementType, Team, Terrain};
pub use naive::Plain;
pub use playout::Tactics;
pub use rules::{Noise, Rules, Tubstap};
pub use setup::{Setup, SetupPart, Unit};
pub use state::{MOST_UNITS, State};
