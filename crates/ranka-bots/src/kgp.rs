//! The Kalah Game Protocol: lines over TCP or WebSocket, a server and a client.
//!
//! Both are liberal in what they read and strict in what they send. `docs/kalah-protocol.md` tells how to use them, and what
//! was decided where the protocol's text and its programs disagree.

mod board;
mod line;

mod web;
mod wire;

mod peer;
mod problem;
mod server;
mod session;
mod table;

mod client;
mod player;
mod trail;

pub use board::Board;
pub use client::{Client, Mode, Score};
pub use line::{Arg, Line};
pub use player::{Chooser, Player};
pub use server::{Opponent, Options, Server, Sides};
pub use wire::Address;

/// The port for TCP.
pub const PORT: u16 = 2671;

/// The port for WebSocket.
pub const WEB_PORT: u16 = 8080;

/// The path of the WebSocket.
pub const PATH: &str = "/socket";

/// The characters that a line may have.
const LONGEST_LINE: usize = 16_384;
