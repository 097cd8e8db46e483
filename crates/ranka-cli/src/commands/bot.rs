//! `ranka bot`

mod check;
mod fuzz;
mod new;
mod serve;

use crate::failure::Done;
use clap::Subcommand;

#[derive(clap::Args)]
#[command(after_help = "\
A bot is a program in any language that speaks the protocol of docs/bot-protocol.md, and an agent of every game: \
bot:cmd=\"python3 my_bot.py\".

Examples:
  ranka bot new python my-bot
  ranka bot check 'python3 my-bot/bot.py'
  ranka match kalah 'bot:cmd=\"python3 my-bot/bot.py\"' minimax")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Write a minimal working bot to start from
    New(new::Args),
    /// Try everything on a bot, and tell what it does wrong
    Check(check::Args),
    /// Be a bot: an agent of ours speaks the protocol on standard input and output
    Serve(serve::Args),
    /// Throw spoilt input at everything that reads what outsiders send
    Fuzz(fuzz::Args),
}

pub(crate) fn run(args: &Args) -> Done {
    match &args.what {
        What::New(args) => new::run(args),
        What::Check(args) => check::run(args),
        What::Serve(args) => serve::run(args),
        What::Fuzz(args) => fuzz::run(args),
    }
}
