//! Our own protocol: a bot is a program that is spoken to over its standard input and output, line by line.
//! `docs/bot-protocol.md` is the page for those who write one.

mod bot;
pub mod check;
mod command;
mod launch;
mod line;
mod made_of;
mod notes;
mod process;
pub mod sandbox;
mod says;
mod serve;
mod settings;
pub mod starters;
#[cfg(unix)]
mod tail;

pub use bot::{BOT, by_the_wall_clock_alone};
pub use command::quoted;
pub use launch::Launch;
pub use line::{Info, Line, Malformed};
pub use made_of::{files_within, folder_digest};
pub use process::{end_all, hurry};
pub use serve::serve;

use crate::fuzz::{Parser, Reaction};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The reader of a bot's lines, for `ranka bot fuzz`.
pub const PARSER: Parser = Parser {
    name: "stdio",
    read: |input| match Line::read(input) {
        Ok(Line::Unknown) => Reaction::told(false, "unknown"),
        Ok(line) => Reaction::told(true, &format!("{line:?}").replace(['(', '{'], " ")),
        Err(malformed) => Reaction::told(false, &malformed.to_string()),
    },
    samples: &[
        "name Little Bot",
        "author A. N. Other",
        "version 1.2",
        "games kalah geister labyrinth tantrix tubstap",
        "ready",
        "action e2e3",
        "resign",
        "info nodes 1200 depth 4 value 0.5 scale score pv 3 2 1",
        "info action set:ABCD value -3 visits 17 pv set:ABCD",
    ],
};
