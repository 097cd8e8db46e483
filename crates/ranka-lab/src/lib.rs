//! The laboratory: experiments, their games, and what the results are worth.
//!
//! A [`Pairing`] is a number of games between the same agents, each following from its number alone; a [`Shard`] is a
//! stretch of them, and a [`Runner`] works through shards in parallel. What was played is kept in a [`Store`].
#![warn(missing_docs)]

pub mod experiment;

mod assessment;
mod pairing;
mod result;
mod runner;

pub mod papers;

mod matches;
mod replay;
mod sequential;
mod store;

pub mod levels;

mod bench;
pub mod export;
mod new_file;
mod origin;
pub mod plot;
pub mod report;
pub mod stats;
pub mod words;

pub use assessment::{Assessed, Assessment, GameDigest};
pub use bench::benches;
pub use matches::{MatchResult, run_match};
pub use new_file::NewFile;
pub use origin::{Origin, Origins};
pub use pairing::{Exact, Limits, Pairing, Seating};
pub use replay::Replayer;
pub use result::GameResult;
pub use runner::{Job, Runner, Shard};
pub use sequential::{Course, Ruling, Sequential};
pub use stats::{Elo, Scores, elo_of};
pub use store::{
    KeptReport, KeptTable, LabelledAction, PairingKey, ResultCount, Sources, Store, StoredPairing,
    VersionCount,
};
