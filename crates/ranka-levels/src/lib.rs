//! The right opponent: agents of chosen strength, written once for every game.
//!
//! [`level`] plays at one of ten ranks, [`partner`] fits itself to whoever plays it. Both stand on a game's *judge*, any of
//! its agents that gives candidates with values, and on the game's [`Ladder`]: which agent judges, how its values become
//! winning chances, and how each rank errs. The ladder is data (`levels.toml` of a game's crate), found by `ranka levels
//! calibrate`. `docs/right-opponent.md` tells how they work and what was measured.
//!
//! # Which errors a rank makes
//!
//! ```
//! use ranka_core::Error;
//! use ranka_levels::{Ladder, Rank, Softmax};
//!
//! let ladder = Ladder::parse(
//!     r#"
//!     version = 1
//!     judge = "uct"
//!     slope = 1.0
//!     experiment = "made up"
//!     rank = [
//!         { temperature = 0.5, bound = 1.0, elo = 0.0, error = 0.0 },
//!         { temperature = 0.05, bound = 0.3, elo = 400.0, error = 20.0 },
//!     ]
//!     "#,
//! )?;
//! // The judge says that the second action gives away a tenth of the winning chances, and the third half of them.
//! let losses = [0.0, 0.1, 0.5];
//! let errs = |&Rank { temperature, bound, .. }: &Rank| Softmax { temperature, bound }.weights(&losses);
//! let chosen: Vec<Vec<f64>> = ladder.rank.iter().map(errs).collect();
//! assert!(chosen[0][2] > 0.15, "the first rank blunders now and then");
//! assert!(chosen[1][1] < 0.15 && chosen[1][2] == 0.0, "the second seldom errs, and never by so much");
//! # Ok::<(), Error>(())
//! ```
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
