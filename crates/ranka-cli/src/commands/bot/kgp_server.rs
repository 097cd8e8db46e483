//! `ranka bot kgp-server`

use super::net_args::seconds;
use super::server_args::{ServerArgs, SidesName};
use crate::failure::Done;
use crate::{interrupt, print};
use ranka_bots::kgp::{Options, PORT, ServedAgent, Server};
use ranka_core::{Game, Params, Seed};
use ranka_kalah::Kalah;
use std::time::Duration;

#[derive(clap::Args)]
#[command(after_help = "\
Clients that ask for the mode freeplay are paired in the order in which they come; those that ask for verify get problems. It \
runs until Ctrl-C, or until --pairings are played. docs/kalah-protocol.md tells more.

Examples:
  ranka bot kgp-server --houses 6 --seeds 4 --games 20 --pairings 1
  ranka bot kgp-server --ws-port 8080 --opponent minimax:depth=8
  ranka bot kgp-server --host 0.0.0.0 --time 2 --records games.jsonl")]
pub(crate) struct Args {
    /// The port for TCP
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    port: u16,
    /// The port for WebSocket, at /socket (8080 at the reference server) [default: no WebSocket]
    #[arg(long, value_name = "PORT")]
    ws_port: Option<u16>,
    /// A name of this machine under which browsers may come; may be given several times
    #[arg(long, value_name = "NAME")]
    host_name: Vec<String>,
    /// Houses a side
    #[arg(long, value_name = "N", default_value_t = 8)]
    houses: usize,
    /// Seeds in each house at the start
    #[arg(long, value_name = "N", default_value_t = 8)]
    seeds: u32,
    /// The other options of the rules, key=value,…
    #[arg(long, value_name = "RULES", default_value = "early-majority=on")]
    rules: String,
    /// Seconds that a client may think about a state
    #[arg(long, value_name = "SEC", default_value = "5", value_parser = seconds)]
    time: Duration,
    /// Seconds to choose a mode, to answer a ping, to solve a problem
    #[arg(long, value_name = "SEC", default_value = "20", value_parser = seconds)]
    patience: Duration,
    /// Who is South
    #[arg(long, value_enum, default_value = "swapped")]
    sides: SidesName,
    /// Let everybody play against this agent instead of each other
    #[arg(long, value_name = "AGENT")]
    opponent: Option<String>,
    /// Ask for forced moves too
    #[arg(long)]
    ask_forced: bool,
    /// Tell clients their time, their opponent and the game's id before each game
    #[arg(long)]
    hints: bool,
    /// Count houses in problems from 1, as the protocol's text does; the reference server counts from 0
    #[arg(long)]
    problems_from_one: bool,
    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) fn run(args: &Args) -> Done {
    let comma = if args.rules.is_empty() { "" } else { "," };
    let rules = format!("houses={},seeds={}{comma}{}", args.houses, args.seeds, args.rules);
    let game = ranka_games::game("kalah")?.open(&rules)?;
    let kalah = Kalah::new(&Params::parse(&game.rules(), Kalah::options())?)?;
    let agent = args.opponent.as_deref().map(|agent| game.agent(agent)).transpose()?;
    let options = Options {
        games: args.server.games.get(),
        sides: args.sides.into(),
        time: args.time,
        patience: args.patience,
        skip_forced: !args.ask_forced,
        hints: args.hints,
        problems_from_one: args.problems_from_one,
        opponent: agent.map(|agent| ServedAgent { game: game.clone(), agent }),
        pairings: args.server.pairings(),
        places: args.server.connections.get(),
        names: args.host_name.clone(),
        seed: Seed::new(args.server.seed),
        ..Options::new(kalah, game.rules())?
    };
    args.server.serve(|log, keep| {
        let server = Server::bind(options, args.server.host, args.port, args.ws_port)?;
        print::note!("Listening on {}.", server.address());
        if let Some(address) = server.web_address() {
            print::note!("Listening on ws://{address}/socket.");
        }
        server.run(log, interrupt::flag(), keep);
        Ok(())
    })
}
