//! `ranka step`

use super::filter;
use crate::failure::Done;
use crate::game_args::GameArgs;
use ranka_core::Error;

#[derive(clap::Args)]
#[command(after_help = "\
Answers each line with one: the position after the action, or `error: …`. It goes on after an error, but \
the exit code is then 2.

Example:
  printf '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\\t3\\n' | ranka step kalah")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Print JSON objects with position, actor, actions and, when over, outcome
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let game = args.game.open()?;
    let answer = |line: &str| match line.split_once('\t') {
        Some((position, action)) => game.step(position, action),
        None => Err(Error::input(format!("{line:?}: expected a position, a tab and an action"))),
    };
    filter::run(args.json, answer, |situation, out| out.write_all(situation.position.as_bytes()))
}
