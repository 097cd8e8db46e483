//! `ranka bot`

mod check;
mod fuzz;
mod geister;
mod geister_server;
mod kgp;
mod kgp_server;
mod new;
mod serve;
mod tubstap;
mod tubstap_server;

mod net_args;
mod server_args;
mod standings;

pub(crate) use check::told;

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
    /// Play a Geister agent at a competition server
    Geister(geister::Args),
    /// Run a Geister competition server
    GeisterServer(geister_server::Args),
    /// Play a Kalah agent at a server of the Kalah Game Protocol, or solve its problems
    Kgp(kgp::Args),
    /// Run a server of the Kalah Game Protocol
    KgpServer(kgp_server::Args),
    /// Play a TUBSTAP agent at a server of the original program's network protocol
    Tubstap(tubstap::Args),
    /// Run a server of TUBSTAP's network protocol
    TubstapServer(tubstap_server::Args),
    /// Be the launcher of a sandbox: restrict oneself and become the bot
    #[command(hide = true)]
    Confine {
        /// How, in the program's own words
        cell: String,
    },
    /// Throw spoilt input at everything that reads what outsiders send
    Fuzz(fuzz::Args),
}

pub(crate) fn run(args: &Args) -> Done {
    match &args.what {
        What::New(args) => new::run(args),
        What::Check(args) => check::run(args),
        What::Serve(args) => serve::run(args),
        What::Geister(args) => geister::run(args),
        What::GeisterServer(args) => geister_server::run(args),
        What::Kgp(args) => kgp::run(args),
        What::KgpServer(args) => kgp_server::run(args),
        What::Tubstap(args) => tubstap::run(args),
        What::TubstapServer(args) => tubstap_server::run(args),
        What::Confine { cell } => Err(ranka_bots::stdio::sandbox::confine(cell).into()),
        What::Fuzz(args) => fuzz::run(args),
    }
}
