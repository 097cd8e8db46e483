//! TUBSTAP's network protocol: the game program asks two clients for one unit action at a time.
//!
//! A server sends commands, one a line; a client answers each with `= text` and an empty line. `docs/tubstap-protocol.md` tells how
//! to use both, and what was decided where the original program is silent.

mod command;
mod reply;
mod wire;

mod client;
mod peer;
mod play;
mod server;

pub use client::{Client, Score};
pub use command::Command;
pub use reply::Reply;
pub use server::{Options, Server};
pub use wire::{map_line, read_action, write_action};

use crate::fuzz::{Parser, Reaction};
use ranka_core::{Error, Position};
use ranka_tubstap::{RecordedAct, Rules, State, maps};
use std::sync::LazyLock;

/// The port of the original program.
pub const PORT: u16 = 7777;

/// The bytes that a line may have: a large map is one line.
const LONGEST_LINE: usize = 1 << 16;

/// Where spoilt actions are tried.
static START: LazyLock<Result<State, Error>> =
    LazyLock::new(|| maps::find("duel").and_then(|map| map.state(Rules::default())));

/// Everything of the protocol that reads what outsiders send.
pub const PARSER: Parser = Parser {
    name: "tubstap",
    read: |input| {
        let text = String::from_utf8_lossy(input);
        let mut reply = Reply::default();
        let replied: Result<Vec<_>, _> = text.lines().map(|line| reply.push(line)).collect();
        let command = Command::read(&text);
        if let Ok(Command::Map(map)) = &command
            && let Ok(state) = map.state(Rules::default())
        {
            let _ = map_line(map, &state);
        }
        let action = read_action(&text);
        if let (Ok(RecordedAct::Taken(taken)), Ok(start)) = (&action, &*START)
            && start.is_legal(taken.act)
        {
            start.clone().apply(taken.act);
        }
        let whole = replied.as_ref().is_ok_and(|parts| parts.iter().any(Option::is_some));
        let parts = [Reaction::of(&replied), Reaction::of(&command), Reaction::of(&action)];
        // It is one of them: nothing is a command, an answer and an action.
        Reaction { taken: whole || command.is_ok() || action.is_ok(), ..Reaction::all(parts) }
    },
    samples: &[
        "= lab\r\n\r\n",
        "= 0,2,3,1,3,-1,0,0,1,0,0\r\n\r\n",
        "0,2,3,1,3,-1,0,0,1,0,0",
        "1,3,3,2,4,2,4,3,2,5,3",
        "-1,-1,-1,0,0,-1,0,0,3,0,0",
        "name",
        "opponent standard",
        "Color 1",
        "Genmove",
        "play 0,2,3,1,3,-1,0,0,1,0,0",
        "MAP SIZEX[5];SIZEY[3];TURNLIMIT[9];HPTHRESHOLD[5];UNITNUMRED[1];UNITNUMBLUE[1];UNIT[1,1,panzer,0,8,0];\
         UNIT[3,1,infantry,1,10,0];MAP[0,0,0,0,0];MAP[0,1,1,1,0];MAP[0,0,0,0,0];",
        "gameover",
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spoilt_lines_are_read_without_a_panic() {
        crate::fuzz::tests::stands(PARSER, 50_000);
    }
}
