//! `ranka train`

mod network;
mod q_table;

use crate::failure::{Done, Failure};
use crate::game_args::GameArgs;
use clap::ValueEnum;
use network::NetworkArgs;
use q_table::QArgs;
use ranka_core::{Error, Game as _, Params};
use ranka_kalah::Kalah;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "\
A network learns by playing against itself and some other agents; what it comes to follows from the seed and the settings, with \
any number of threads. Beside FILE lies FILE.training until it is done: the same command goes on from it.

A Q table is learned until every action has been tried, ten thousand episodes changed no value by 0.0001, and (on boards \
small enough to be computed) no value is 0.001 away from the exact one; or until the episodes are used up.

Examples:
  ranka train geister --out mine.net
  ranka match geister network:file=mine.net purple-max
  ranka train kalah --rules houses=3,seeds=3 --out n3m3.rankaq
  ranka train kalah --rules houses=3,seeds=3 --backup random-env --rate 0.01 --out random.rankaq
  ranka match kalah select-q:q=n3m3.rankaq random --rules houses=3,seeds=3")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Where to write what was learned
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What to learn [default: a network, but a Q table for Kalah with at most 20 seeds]
    #[arg(long, value_enum)]
    method: Option<Method>,
    /// What all randomness follows from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    q: QArgs,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Method {
    /// A network over the game's encoding, by self-play
    Network,
    /// A table of Q values, by Q-learning (Kalah)
    QTable,
}

/// Kalah with no more seeds than this is learned as a table.
const MOST_SEEDS: i64 = 20;

/// What is asked whatever the method.
struct Asked<'a> {
    rules: &'a str,
    out: &'a Path,
    seed: u64,
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let game = args.game.open()?;
    let kalah = game.info().name == "kalah";
    let method = match args.method {
        Some(method) => method,
        None if kalah && (args.q.given() || small(&game.rules())?) => Method::QTable,
        None => Method::Network,
    };
    let rules = game.rules();
    let asked = Asked { rules: &rules, out: &args.out, seed: args.seed, json: args.json };
    match method {
        Method::QTable if !kalah => Err(Failure::usage("--method q-table: only Kalah has Q tables")),
        Method::QTable if args.network.given() => {
            Err(Failure::usage("settings of a network do not go with a Q table"))
        }
        Method::QTable => q_table::run(&args.q, &asked),
        Method::Network if args.q.given() => Err(Failure::usage(
            "settings of Q-learning do not go with a network; Kalah has Q tables: --method q-table",
        )),
        Method::Network => network::run(&args.network, game.as_ref(), &asked),
    }
}

/// Whether a board of Kalah is as small as the paper's, for which Q values can be computed.
fn small(rules: &str) -> Result<bool, Error> {
    let options = Params::parse(rules, Kalah::options())?;
    Ok(2 * options.int("houses") * options.int("seeds") <= MOST_SEEDS)
}
