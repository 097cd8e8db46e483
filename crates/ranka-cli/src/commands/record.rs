//! `ranka record`

mod chosen;
mod export;
mod geister;
mod import;
mod list;
mod replay;
mod show;
mod tantrix;
mod tubstap;

use crate::failure::Done;
use clap::{Subcommand, ValueEnum};

#[derive(clap::Args)]
#[command(after_help = "\
A game is named IDENTITY/NUMBER: the identity of its pairing, of which the first digits suffice, and its number in \
it. Games that came from elsewhere are import/NUMBER.

Examples:
  ranka record list
  ranka record list 3fa4
  ranka record show 3fa4/12 --positions
  ranka record export 3fa4 --to games.parquet
  ranka record export 3fa4/12 --format tubstap --to game.txt
  ranka record import games.jsonl
  ranka record replay --all")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List the pairings that the store has games of, or the games of one
    List(list::Args),
    /// Show a game, action by action
    Show(show::Args),
    /// Write games to a file or to stdout
    Export(export::Args),
    /// Take games into the store that were played elsewhere
    Import(import::Args),
    /// Check that records play out by the rules as they say
    Replay(replay::Args),
}

/// The forms of files with games.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Records as JSON lines, as `ranka match --records` writes them
    Jsonl,
    /// One row a game with everything that was measured
    Csv,
    /// The same as a Parquet file
    Parquet,
    /// Logs of Tantrix, one game a line, with everything of each ply
    TantrixLog,
    /// A game record of the original TUBSTAP program: one game
    Tubstap,
    /// The original TUBSTAP program's row of results, one for each side that the first agent played
    TubstapResults,
    /// A log of the Geister competitions' server: one game
    GeisterLog,
}

pub(crate) fn run(args: &Args) -> Done {
    match &args.what {
        What::List(args) => list::run(args),
        What::Show(args) => show::run(args),
        What::Export(args) => export::run(args),
        What::Import(args) => import::run(args),
        What::Replay(args) => replay::run(args),
    }
}
