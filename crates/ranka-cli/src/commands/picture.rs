//! `ranka picture`

use crate::failure::Done;
use crate::game_args::{GameArgs, position};
use crate::print;
use ranka_core::{Look, MAX_SEATS, Seat, Seed, standalone};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ranka picture kalah start > start.svg
  ranka picture kalah '<3,1,0,0,4,4,3,3,3> S' --seat 1 > north.svg
  ranka picture tantrix start --marks counts > spaces.svg
  ranka picture tubstap start --map crossing --marks unit-0 > reach.svg")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The position; `start` for the start
    position: String,
    /// Whose view is drawn
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..MAX_SEATS as i64))]
    seat: u8,
    /// What is shown beyond the usual: counts (Tantrix: the tiles that fit each forced space), unit-N (TUBSTAP: where
    /// the unit can go, and what its attacks would do)
    #[arg(long, value_name = "MARK,…", value_delimiter = ',')]
    marks: Vec<String>,
    /// What the deal of `start` follows from
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

pub(crate) fn run(args: &Args) -> Done {
    let game = args.game.open()?;
    let seat = Seat::new(usize::from(args.seat));
    let position = position(game.as_ref(), &args.position, Seed::new(args.seed));
    let look = Look { marks: args.marks.clone(), ..Look::from(seat) };
    print::text(&(standalone(&game.picture(&position, &look)?) + "\n"))
}
