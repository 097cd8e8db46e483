//! `ranka picture`

use crate::failure::{Done, Failure};
use crate::game_args::{GameArgs, position};
use crate::print;
use ranka_core::{MAX_SEATS, Seat, Seed, standalone};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ranka picture kalah start > start.svg
  ranka picture kalah '<3,1,0,0,4,4,3,3,3> S' --seat 1 > north.svg")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The position; `start` for the start
    position: String,
    /// Whose view is drawn
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..MAX_SEATS as i64))]
    seat: u8,
    /// What the deal of `start` follows from
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

pub(crate) fn run(args: &Args) -> Done {
    let game = args.game.open()?;
    let seat = Seat::new(usize::from(args.seat));
    if seat.index() >= game.seats() {
        return Err(Failure::usage(&format!("--seat {seat}: this game has {} seats", game.seats())));
    }
    let position = position(game.as_ref(), &args.position, Seed::new(args.seed));
    print::text(&(standalone(&game.picture(&position, seat)?) + "\n"))
}
