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
mod desk;
mod player;
mod trail;

pub use board::Board;
pub use client::{Client, Mode, Score};
pub use line::{Arg, Line};
pub use player::{AgentPlayer, Chooser};
pub use server::{Options, ServedAgent, Server};
pub use wire::Address;

use crate::fuzz::{Parser, Reaction};
use problem::Problem;
use ranka_kalah::Rules;

/// The port for TCP.
pub const PORT: u16 = 2671;

/// The path of the WebSocket.
pub const PATH: &str = "/socket";

/// The characters that a line may have.
const LONGEST_LINE: usize = 16_384;

/// Everything of the protocol that reads what outsiders send.
pub const PARSER: Parser = Parser {
    name: "kgp",
    read: |input| {
        let mut lines = wire::lines();
        lines.push(input);
        lines.push(b"\n");
        let heard = std::iter::from_fn(|| lines.line()).map(|line| match line {
            Ok(line) => heard(&line),
            Err(trouble) => Reaction::told(false, &trouble.to_string()),
        });
        Reaction::all(heard.collect::<Vec<_>>())
    },
    samples: &[
        "2 kgp 1 0 1\r\n",
        "1 set info:name \"a \\\"b\\\" \\n c\"\r\n",
        "3 mode \"freeplay\"",
        "8 state <3,0,0,3,3,3,3,3,3>",
        "7@8 move 2\r\n9@8 move 1\r\n@8 yield",
        "4 problem <6,15,10,1,3,6,2,10,9,1,7,2,0,1,11> 0",
        "5@4 solution < 6, 15,10,0,4,6,2,10,9,1,7,2,0,1,11> false",
        "5@6 pong",
        "4@3 error \"Unsupported mode\"",
        "1 eval -0.5",
        "goodbye",
    ],
};

/// What is made of a line, and of all that it could mean.
fn heard(text: &str) -> Reaction {
    // Between lines there may be empty ones.
    if text.trim().is_empty() {
        return Reaction::told(true, "");
    }
    let line = match Line::read(text) {
        Ok(line) => line,
        Err(error) => return Reaction::told(false, &error.to_string()),
    };
    let written = line.to_string();
    let again = Line::read(&written).map(|line| line.to_string());
    assert_eq!(again.as_ref(), Ok(&written), "what is written reads back");
    let mut words = line.name.clone();
    for arg in &line.args {
        let kinds = [arg.integer().is_ok(), arg.flag().is_ok(), arg.text().is_ok()];
        words += if kinds[0] { " integer" } else { " other" };
        words += if kinds[1] { " flag" } else { " other" };
        words += if kinds[2] { " text" } else { " other" };
        if let Arg::Board(board) = arg {
            let problem = Problem::read(board, board.total() as i64 % 8, Rules::STANDARD);
            words += if problem.map(|problem| problem.solution()).is_ok() { " problem" } else { " board" };
        }
    }
    Reaction::told(true, &words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spoilt_lines_are_read_without_a_panic() {
        crate::fuzz::tests::stands(PARSER, 50_000);
    }
}
