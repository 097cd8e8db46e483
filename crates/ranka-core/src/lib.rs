//! The contract that every game, search and agent of Ranka shares.
//!
//! Read the modules in the order below; `docs/contract.md` tells the same story with the five games
//! as examples. In one breath: a [`Position`] says who acts and what can be done; a [`Game`] adds the
//! rules' options, the deal, and what each seat may see of a position (its [`View`]); an [`Agent`] is
//! handed a view and answers with a [`Thought`]; a [`Table`] is a game in progress and [`play`] runs
//! it to its end.
#![warn(missing_docs)]

mod actor;
mod outcome;
mod position;
mod rng;
mod seed;

mod error;
mod game;
mod notation;
mod params;
mod picture;
mod words;

mod agent;
mod guest;
mod thought;
mod ties;

mod guard;
mod measure;
mod play;
mod record;
mod table;

mod any;
mod any_table;
mod bench;
mod graph;
mod perft;

pub use actor::{Actor, MAX_SEATS, Seat};
pub use agent::{Agent, AgentKind, Budget, Fault, Maker, Roster, Thinking, Told};
pub use any::{AnyAgent, AnyGame, Card, Entry, Finished, Situation, TextCandidate, TextThought, find};
pub use any_table::{AnyTable, AnyThinker, Offer};
pub use bench::{Bench, Goal, Speed, per_second, seconds};
pub use error::Error;
pub use game::{Complete, Game, GameInfo, View};
pub use graph::{Chances, Graph};
pub use guest::{GameSpec, Guest, TextAgentKind, TextMaker, TextTold};
pub use measure::{Decision, Exhibit, Measure, Measured, Meter, Per, Sheet, Story};
pub use notation::{Notation, NotationError, Scanner};
pub use outcome::Outcome;
pub use params::{AgentSpec, Kind, Param, Params, digest, nearest, unknown};
pub use perft::perft;
pub use picture::{Foresight, Look, Picture, Svg, standalone, theme};
pub use play::{Effort, Played, Settings, play};
pub use position::{Keyed, Position};
pub use record::{End, EndReason, RECORD_FORMAT, Record};
pub use rng::Rng;
pub use seed::{GameSeeds, Seed};
pub use table::{Illegal, Table, Thinker};
pub use thought::{Candidate, Scale, Thought};
pub use ties::Ties;
pub use words::{Locale, Message};
