//! `ranka perft`

use crate::failure::Done;
use crate::game_args::{GameArgs, position};
use crate::print;
use ranka_core::Seed;
use serde_json::json;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ranka perft kalah 8
  ranka perft kalah 3 '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S' --json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Count sequences of 1 to this many actions
    depth: u32,
    /// Where they begin
    #[arg(default_value = "start")]
    position: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let game = args.game.open()?;
    let start = position(game.as_ref(), &args.position, Seed::new(0));
    let mut counts = Vec::new();
    let mut printed = Ok(());
    game.perft(Some(&start), args.depth, &mut |depth, count| {
        // The sequence of no actions is worth a line only when it was asked for.
        if depth == 0 && args.depth > 0 {
            return;
        }
        counts.push(json!({ "depth": depth, "count": count }));
        if !args.json && printed.is_ok() {
            printed = print::text(&format!("{depth} {count}\n"));
        }
    })?;
    printed?;
    if !args.json {
        return Ok(());
    }
    print::json(
        &json!({ "game": game.info().name, "rules": game.rules(), "position": start, "counts": counts }),
    )
}
