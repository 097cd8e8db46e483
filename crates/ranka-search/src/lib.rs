//! Search over Ranka's contract. Nothing here knows a game: an algorithm asks for a
//! [`Position`](ranka_core::Position), and for what it needs beyond that in a small trait of hooks.
//!
//! Read the modules in the order below. What only one game needs stays with that game. Logarithms and powers come from
//! `libm` and not from the system, so that a search chooses the same on every machine.
//!
//! Every clever search is tested against a naive one that fits on a page (`tests/search`).
//!
//! Nim as an example: whoever takes the last stone wins, and one may take one or two.
//!
//! ```
//! use ranka_core::{Actor, Keyed, Outcome, Position, Rng, Seat, Seed};
//! use ranka_search::*;
//!
//! #[derive(Clone)]
//! struct Nim { stones: u8, mover: Seat }
//!
//! impl Position for Nim {
//!     type Action = u8;
//!     fn seats(&self) -> usize { 2 }
//!     fn actor(&self) -> Actor { if self.stones == 0 { Actor::Over } else { Actor::Seat(self.mover) } }
//!     fn actions(&self, out: &mut Vec<u8>) { out.extend(1..=self.stones.min(2)) }
//!     fn apply(&mut self, take: u8) { self.stones -= take; self.mover = self.mover.other() }
//!     fn outcome(&self) -> Outcome { Outcome::win(self.mover.other(), 2) }
//! }
//!
//! impl Keyed for Nim {
//!     fn key(&self) -> u64 { Seed::new(self.stones.into()).at(self.mover.index() as u64).value() }
//! }
//!
//! struct Wins;
//!
//! impl Evaluate<Nim> for Wins {
//!     fn leaf(&self, _: &Nim, _: Seat) -> i32 { 0 }
//!     fn terminal(&self, end: &Nim, seat: Seat, _ply: u32) -> i32 { if end.mover == seat { -1 } else { 1 } }
//! }
//!
//! let nim = Nim { stones: 8, mover: Seat::FIRST };
//!
//! let mut alphabeta = AlphaBeta::new(Wins, DepthUnit::Action, Transpositions::with_mib(1));
//! let found = alphabeta.search(&nim, Root::Values, 1..=20, Limits::NONE, &mut |_| ()).expect("not cancelled");
//! assert!(found.solved);
//! assert_eq!((found.actions[0].value, found.actions[1].value), (-1, 1));
//! assert_eq!(found.best().action, 2); // and leave a multiple of three
//!
//! impl Goal<Nim> for Wins {
//!     fn decided(&self, nim: &Nim, attacker: Seat) -> Option<bool> {
//!         (nim.stones == 0).then(|| nim.mover != attacker)
//!     }
//! }
//!
//! let forced = DfPn::new(Wins, 1000).solve(&nim, 1..=9, Limits::NONE);
//! assert_eq!(forced.win, Some((2, 5))); // the last stone is ours within five actions
//!
//! let mut uct = Uct::new(UctConfig::default(), Uniform);
//! let mut rng = Rng::new(Seed::new(1));
//! let found = uct.search(&nim, Limits::count(1000), &mut rng, &mut |_| ()).expect("not cancelled");
//! assert_eq!(found.best().action, 2);
//! ```
#![warn(missing_docs)]

mod limits;

mod alphabeta;
mod transposition;

mod dfpn;

mod playout;
mod sampled;

mod flat;
mod tree;
mod uct;

mod eyes;
mod information;
mod ismcts;
mod puct;

pub mod agents;

pub mod qlearn;

pub use alphabeta::{AlphaBeta, DepthUnit, Evaluate, Found, MAX_DEPTH, Root, Scored};
pub use dfpn::{DfPn, Forced, Goal};
pub use eyes::{AllSeeing, Eyes, SeatEyes, believed_world, draw_world};
pub use flat::{Flat, FlatRule};
pub use ismcts::{Ismcts, IsmctsConfig};
pub use limits::{Limits, Stop};
pub use playout::{UctPolicy, Uniform, Values};
pub use puct::{Leaf, LeafEvaluator, Puct, PuctConfig};
pub use sampled::{FinalChoice, Sampled, Tried};
pub use transposition::{Bound, TranspositionEntry, Transpositions};
pub use uct::{Chance, Perspective, Total, Uct, UctConfig, Widening};
