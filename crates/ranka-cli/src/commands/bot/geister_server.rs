//! `ranka bot geister-server`

use super::net_args::{LogArgs, RecordsFile};
use super::standings::ended_by;
use crate::failure::{Done, Failure};
use crate::{interrupt, print};
use ranka_bots::geister::{GeisterServer, MAX_TURN, Options, PORTS, ServedGames};
use ranka_bots::net::Server;
use ranka_core::WdlCounts;
use serde_json::{Map, Value, json};
use std::net::IpAddr;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args)]
#[command(after_help = "\
Clients are paired in the order in which they come, and every pair has a table of its own. The options of the original \
server have their names and meanings. It runs until Ctrl-C, or until --games are played.

Examples:
  ranka bot geister-server
  ranka bot geister-server --games 20 --records games.jsonl --logs log
  ranka bot geister-server --host 0.0.0.0 --budget 60 --timeout 5 --max-turn 200")]
pub(crate) struct Args {
    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value_t = Server::LOOPBACK)]
    host: IpAddr,
    /// The ports of the first and the second player
    #[arg(long, value_name = "FIRST,SECOND", value_delimiter = ',', default_values_t = PORTS)]
    ports: Vec<u16>,
    /// Seconds that a move may take once the budget is used up
    #[arg(long, value_name = "SEC", default_value_t = 10, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    timeout: u64,
    /// Seconds that each player may use up in a game
    #[arg(long, value_name = "SEC", default_value_t = 600, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    budget: u64,
    /// An illegal move does not lose; it may be tried again
    #[arg(long, alias = "no_ng_terminate")]
    no_ng_terminate: bool,
    /// Milliseconds before which no move is answered
    #[arg(long, value_name = "MSEC", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    wait: u64,
    /// Milliseconds between two lines to the same client, once it has taken the first; 0 for clients that tell lines apart
    #[arg(long, value_name = "MSEC", default_value_t = 5, value_parser = clap::value_parser!(u64).range(..=1000))]
    pace: u64,
    /// A game that has so many moves is drawn
    #[arg(long, value_name = "N", default_value_t = MAX_TURN)]
    max_turn: u32,
    /// How many games are played at a time
    #[arg(long, value_name = "N", default_value = "64")]
    tables: NonZeroUsize,
    /// End after so many games
    #[arg(long, value_name = "N")]
    games: Option<NonZeroU64>,
    /// Add a record of each game to this file as it ends, as JSON lines
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Keep a log of each game in this folder, in the form of the original server
    #[arg(long, value_name = "FOLDER")]
    logs: Option<PathBuf>,
    #[command(flatten)]
    log: LogArgs,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let [first, second] = args.ports[..] else {
        return Err(Failure::usage("--ports: expected two, as in --ports 10000,10001"));
    };
    let options = Options {
        host: args.host,
        ports: [first, second],
        budget: Duration::from_secs(args.budget),
        timeout: Duration::from_secs(args.timeout),
        wait: Duration::from_millis(args.wait),
        pace: Duration::from_millis(args.pace),
        ng_terminate: !args.no_ng_terminate,
        max_turn: args.max_turn,
        tables: args.tables.get(),
        games: args.games.map(NonZeroU64::get),
        logs: args.logs.clone(),
    };
    let log = args.log.open()?;
    let records = RecordsFile::open(args.records.as_deref())?;
    let server = GeisterServer::bind(options)?;
    let [first, second] = server.addresses();
    print::note!("Listening on {first} (first player) and {second} (second player).");
    let summary = server.run(&log, interrupt::flag(), &|record| records.add(record));
    records.check()?;
    let games = summary.results.games();
    if args.json {
        print::json(&report_json(&summary, games))?;
    } else {
        print::text(&report(&summary, games))?;
    }
    match args.games {
        Some(wanted) if interrupt::happened() => {
            Err(Failure::Interrupted(format!("stopped after {games} of {wanted} games")))
        }
        _ => Ok(()),
    }
}

fn report_json(summary: &ServedGames, games: u64) -> Value {
    let WdlCounts { wins: first, draws: drawn, losses: second } = summary.results;
    let reasons: Map<String, Value> =
        summary.reasons.iter().map(|(reason, &games)| (reason.name().to_owned(), json!(games))).collect();
    json!({ "games": games, "first": first, "second": second, "drawn": drawn, "reasons": reasons })
}

fn report(summary: &ServedGames, games: u64) -> String {
    let WdlCounts { wins: first, draws: drawn, losses: second } = summary.results;
    let (games, ended) = (print::counted(games, "game"), ended_by(&summary.reasons));
    format!("{games}: the first player won {first}, the second {second}, {drawn} were drawn; {ended}.\n")
}
