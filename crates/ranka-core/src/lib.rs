//! The contract that every game, search and agent of Ranka shares.
//!
//! Read the modules in the order below; `docs/contract.md` tells the same story with the five games
//! as examples. In one breath: a [`Position`] says who acts and what can be done; a [`Game`] adds the
//! rules' options, the deal, and what each seat may see of a position (its [`View`]); an [`Agent`] is
//! handed a view and answers with a [`Thought`]; a [`Table`] is a game in progress and [`play`] runs
//! it to its end.
//!
//! # A complete small game, with an agent
//!
//! `cargo run -p ranka-core --example nim` runs this. With a picture, measures and benches beside it the game would be
//! [`Complete`], and every command and page would know it.
//!
//! ```
#![doc = include_str!("../examples/nim.rs")]
//! ```
#![warn(missing_docs)]

mod actor;
mod outcome;
mod position;
mod printable;
mod rng;
mod seed;
mod wdl;

mod error;
mod files;
mod game;
mod lessons;
mod lines;
mod message;
mod motion;
mod notation;
mod params;
mod picture;
mod puzzles;

mod agent;
mod random;
mod registered;
mod text_agent;
mod thought;
mod ties;
mod toml_mistake;
mod view_agent;

mod guard;
mod measure;
mod play;
mod record;
mod signature;
mod table;

mod batch;
mod encoding;
mod opponents;

mod any;
mod any_state;
mod any_table;
mod any_view;
mod bench;
mod graph;
mod perft;
mod table_display;

pub use actor::{Actor, MAX_SEATS, Seat};
pub use agent::{Agent, AgentKind, Budget, Fault, Maker, RestsOn, Roster, Thinking, Told};
pub use any::{AgentInfo, AnyAgent, AnyGame, CatalogueEntry, Finished, GameEntry, Situation, find, labels};
pub use any_state::AnyState;
pub use any_table::{AnyTable, AnyThinker, TableAgents, TablePlay, TableTruth};
pub use any_view::AnyView;
pub use batch::{AnyBatch, Batch, BatchArrays, BatchOptions, Opponent};
pub use bench::{Bench, BenchGoal, Speed, per_second, seconds};
pub use encoding::{Encoding, Layout, Observer, SeatObserver, Symmetry, seen_by};
pub use error::{Error, ErrorKind};
pub use files::{LARGE_FILE, SMALL_FILE, is_path, read_bytes, read_text};
pub use game::{Complete, Game, GameInfo, View};
pub use graph::{Chances, Graph};
pub use lessons::{Illustration, Lesson, Lessons, MOST_STEPS, RuleBoard, RuleStep, Taught};
pub use lines::{LONG_LINE, Lines};
pub use measure::{ComputedTable, Decision, FinishedGame, Measure, Measured, Meter, Per, Sheet};
pub use message::{Locale, Message};
pub use motion::{Motion, Step};
pub use notation::{Notation, NotationError, Scanner};
pub use outcome::Outcome;
pub use params::{AgentSpec, Param, ParamKind, Params, did_you_mean, digest, nearest, unknown};
pub use perft::perft;
pub use picture::{Foresight, Look, Picture, Svg, standalone, theme};
pub use play::{Effort, Played, Settings, play};
pub use position::{Keyed, Position};
pub use printable::printable;
pub use puzzles::{Proof, Puzzles};
pub use random::Random;
pub use record::{End, EndReason, RECORD_FORMAT, Record, RecordAgent};
pub use registered::{Registered, register, registered};
pub use rng::Rng;
pub use seed::{GameSeeds, Seed};
pub use signature::Signature;
pub use table::{Illegal, Table, Thinker, is_open};
pub use table_display::{Offer, TableDisplay};
pub use text_agent::{GameSpec, TextAgent, TextAgentKind, TextMaker, TextTold};
pub use thought::{Candidate, Note, Proven, Scale, Thought};
pub use ties::Ties;
pub use toml_mistake::{in_our_words, toml_mistake};
pub use view_agent::{ViewAgent, ViewMaker, ViewTold};
pub use wdl::{Wdl, WdlCounts};
