//! Geister: each player has four blue and four red ghosts and sees only the colours of the own ones. Who leads
//! a blue ghost out at the far corners wins, and so does who takes the other's blue ones or loses the red
//! ones.
//!
//! ```
//! use ranka_core::{Actor, Game, Notation, Params, Position, Rng, Seat, Seed};
//! use ranka_geister::Geister;
//!
//! let game = Geister::new(&Params::defaults(Geister::options())).unwrap();
//! let mut state = game.start(&mut Rng::new(Seed::new(1)));
//! for action in ["set:ABCD", "set:EFGH", "b5b4"] {
//!     state.apply(game.read_action(action).unwrap());
//! }
//! let second = game.view(&state, Seat::SECOND);
//! let seen = game.write_view(&second, Seat::SECOND);
//! assert!(seen.starts_with("1rrrr1/1bbbb1/6/1U4/2UUU1/1UUUU1 2 - 1"), "{seen}");
//! ```
#![warn(missing_docs)]

mod setup;
mod square;

mod action;
mod rules;
mod state;
mod view;

mod encoding;
mod foresight;
mod lessons;
mod motion;
mod notation;
mod picture;
mod puzzles;

pub mod duel;
pub mod eacp;

mod agents;

mod bench;
mod measures;
pub mod naive;

pub use action::Action;
pub use encoding::Deeds;
pub use rules::Geister;
pub use setup::SetUp;
pub use square::Square;
pub use state::State;
pub use view::View;
