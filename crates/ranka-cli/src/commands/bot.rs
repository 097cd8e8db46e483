//! `ranka bot`

mod fuzz;

use crate::failure::Done;
use clap::Subcommand;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Throw spoilt input at everything that reads what outsiders send
    Fuzz(fuzz::Args),
}

pub(crate) fn run(args: &Args) -> Done {
    match &args.what {
        What::Fuzz(args) => fuzz::run(args),
    }
}
