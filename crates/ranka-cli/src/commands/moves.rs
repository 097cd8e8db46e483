//! `ranka moves`

use super::filter;
use crate::failure::Done;
use crate::game_args::GameArgs;
use ranka_core::{MAX_SEATS, Seat};

#[derive(clap::Args)]
#[command(after_help = "\
Answers each line with one: the legal actions separated by spaces (nothing when the game is over), or \
`error: …`. It goes on after an error, but the exit code is then 2.

Examples:
  echo '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S' | ranka moves kalah
  echo '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S' | ranka moves kalah --seat 0 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Print what this seat (from 0) sees, a tab, and the actions that it knows to be its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..MAX_SEATS as i64))]
    seat: Option<u8>,
    /// Print JSON objects with position, actor, actions and, when over, outcome
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let game = args.game.open()?;
    let seat = args.seat.map(|seat| Seat::new(seat.into()));
    filter::run(
        args.json,
        |line| game.moves(line, seat),
        |situation, out| {
            if seat.is_some() {
                write!(out, "{}\t", situation.position)?;
            }
            filter::write_actions(&situation.actions, out)
        },
    )
}
