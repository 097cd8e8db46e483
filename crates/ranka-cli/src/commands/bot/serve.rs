//! `ranka bot serve`

use crate::failure::Done;
use crate::interrupt;
use ranka_bots::stdio::serve;
use std::io;

#[derive(clap::Args)]
#[command(after_help = "\
What you type is what a bot hears; docs/bot-protocol.md tells the lines.

Examples:
  ranka bot check 'ranka bot serve random'
  ranka match kalah 'bot:cmd=\"ranka bot serve minimax:depth=4\"' minimax:depth=3")]
pub(crate) struct Args {
    /// The agent, name:key=value,…; the game's usual sparring partner if left out
    agent: Option<String>,
}

pub(crate) fn run(args: &Args) -> Done {
    interrupt::ends_at_once();
    let open = |game: &str, rules: &str| ranka_games::game(game)?.open(rules);
    Ok(serve(&open, args.agent.as_deref(), None, io::stdin().lock(), &mut io::stdout().lock())?)
}
