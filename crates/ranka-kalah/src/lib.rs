//! Kalah(N,M): N houses a side, M seeds in each. Extra turns make it hard: who moves next depends on
//! where the last seed falls.
//!
//! ```
//! use ranka_core::{Actor, Game, Notation, Params, Position, Rng, Seat, Seed};
//! use ranka_kalah::Kalah;
//!
//! let options = Params::parse("houses=3,seeds=3", Kalah::options()).unwrap();
//! let game = Kalah::new(&options).unwrap();
//! let mut state = game.start(&mut Rng::new(Seed::new(1)));
//! let house = game.read_action("1").unwrap();
//! state.apply(house);
//! assert_eq!(game.write_state(&state), "<3,1,0,0,4,4,3,3,3> S");      // an extra turn
//! assert_eq!(state.actor(), Actor::Seat(Seat::FIRST));
//! ```

mod board;

mod action;
mod rules;
mod state;

mod encoding;
mod foresight;
mod lessons;
mod motion;
mod notation;
mod picture;
mod puzzles;

mod agents;
pub mod q;
mod solve;

mod bench;
mod measures;
pub mod naive;

pub use action::House;
pub use rules::{Capture, EndRule, Kalah, Leftover, Rules};
pub use solve::{
    Book, Draft, Endgame, Interval, Judgement, Lookups, Scope, Solution, Solver, SolverProgress, Stopped,
};
pub use state::State;
