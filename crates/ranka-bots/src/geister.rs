//! The protocol of the Geister competitions: a server, a client, and the server's logs.
//!
//! Two ports, one for each seat; ASCII lines that end with CR LF. `docs/geister-protocol.md` tells how to use
//! them and where we differ from the original server.

mod board;
mod client;
mod fuzz;
mod kifu;
mod message;
mod referee;
mod server;

pub use board::{Direction, GhostPlace, Sight};
pub use client::{Client, ServerGame};
pub use fuzz::PARSER;
pub use kifu::{read_log, write_log};
pub use message::{Command, ServerMessage};
pub use server::{GeisterServer, Options, ServedGames};

use crate::net::{Ending, LineBuffer};
use ranka_core::{Error, Game as _, Params};
use ranka_geister::Geister;

/// The ports of the competitions: first player, second player.
pub const PORTS: [u16; 2] = [10_000, 10_001];

/// The competitions' limit on the moves of a game.
pub const MAX_TURN: u32 = 300;

/// No line of either side is nearly as long.
const LONGEST_LINE: usize = 256;

fn lines() -> LineBuffer {
    LineBuffer::new(Ending::CrLf, LONGEST_LINE)
}

/// The game that is drawn after so many moves, and its options as a record tells them.
fn game(max_turn: u32) -> Result<(Geister, String), Error> {
    let options = Params::parse(&format!("plies={max_turn}"), Geister::options());
    let options = options.map_err(|e| e.at("rules of geister"))?;
    Ok((Geister::new(&options)?, options.full()))
}
