//! `ranka bot`

mod fuzz;
mod geister;
mod geister_server;
mod net_args;

use crate::failure::Done;
use clap::Subcommand;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Play a Geister agent at a competition server
    Geister(geister::Args),
    /// Run a Geister competition server
    GeisterServer(geister_server::Args),
    /// Throw spoilt input at everything that reads what outsiders send
    Fuzz(fuzz::Args),
}

pub(crate) fn run(args: &Args) -> Done {
    match &args.what {
        What::Geister(args) => geister::run(args),
        What::GeisterServer(args) => geister_server::run(args),
        What::Fuzz(args) => fuzz::run(args),
    }
}
