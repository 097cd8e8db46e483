//! The laboratory: experiments, their games, and what the results are worth.
//!
//! A [`Pairing`] is a number of games between the same agents, each following from its number alone; a [`Shard`] is a
//! stretch of them, and a [`Runner`] works through shards in parallel. What was played is kept in a [`Store`].
#![warn(missing_docs)]

pub mod experiment;

mod assessment;
mod compact;
mod exchange;
mod faults;
mod game_name;
mod pairing;
mod parcel;
mod recipe;
mod result;
mod runner;
mod shards;

pub mod papers;

mod matches;
mod replay;
mod sequential;
mod store;
mod this_build;

pub mod levels;

mod bench;
pub mod export;
mod new_file;
mod origin;
pub mod plot;
pub mod report;
pub mod stats;
pub mod text;
pub mod words;

pub use assessment::{Assessed, Assessment, GameDigest, one_of_each_order};
pub use bench::benches;
pub use compact::{COMPACT, Column, Compact, CompactLine, LONG};
pub use exchange::{Cut, Exchange, Pace, Remote, ShardOffer};
pub use faults::{AgentFaults, Faults};
pub use game_name::{IMPORT, game_name, imported_name, short_identity};
pub use matches::{Keeping, MATCH_KEPT, MatchResult, run_match, run_stored_match};
pub use new_file::NewFile;
pub use origin::{Origin, Origins};
pub use pairing::{Exact, GameLimits, Pairing, Seating};
pub use parcel::Parcel;
pub use recipe::{Recipe, RecipeAgent};
pub use replay::Replayer;
pub use result::GameResult;
pub use runner::{Executor, MOST_THREADS, Runner};
pub use sequential::{Ruling, Sequential, SequentialStatus};
pub use shards::{Job, Shard};
pub use stats::{Elo, Scores, elo_of};
pub use store::{
    Choice, KeptReport, KeptTable, LabelledAction, ListedGame, PairingKey, ResultCount, Sources, Store,
    StoredPairing, Stretch, VersionCount,
};
pub use this_build::{built_into, this_build};
