//! `ranka bot tubstap-server`

use super::net_args::seconds;
use super::server_args::{ServerArgs, SidesName};
use crate::failure::Done;
use crate::game_args::with_map;
use crate::{interrupt, print};
use ranka_bots::tubstap::{Options, PORT, Server};
use ranka_core::{Game, Params, Seed};
use ranka_tubstap::Tubstap;
use std::time::Duration;

#[derive(clap::Args)]
#[command(after_help = "\
Clients are paired in the order in which they come; who comes first is red. It runs until Ctrl-C, or until --pairings are played. \
docs/tubstap-protocol.md tells more.

Examples:
  ranka bot tubstap-server --map citadel --games 10 --pairings 1
  ranka bot tubstap-server --host 0.0.0.0 --map map01.tbsmap --records games.jsonl")]
pub(crate) struct Args {
    /// The port
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    port: u16,
    /// The map to play on, a name or a .tbsmap file
    #[arg(long, value_name = "MAP")]
    map: Option<String>,
    /// Options of the rules that differ from the defaults, key=value,… (`ranka agents tubstap` lists them)
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    rules: String,
    /// Who is red
    #[arg(long, value_enum, default_value = "swapped")]
    sides: SidesName,
    /// Seconds that a turn should take at most; who takes longer is told of in the log
    #[arg(long, value_name = "SEC", default_value = "10", value_parser = seconds)]
    time: Duration,
    /// Seconds that one answer may take before it loses
    #[arg(long, value_name = "SEC", default_value = "60", value_parser = seconds)]
    patience: Duration,
    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) fn run(args: &Args) -> Done {
    let rules = with_map(&args.rules, args.map.as_deref());
    let rules = ranka_games::game("tubstap")?.open(&rules)?.rules();
    let game = Tubstap::new(&Params::parse(&rules, Tubstap::options())?)?;
    let options = Options {
        games: args.server.games.get(),
        sides: args.sides.into(),
        time: args.time,
        patience: args.patience,
        pairings: args.server.pairings(),
        places: args.server.connections.get(),
        seed: Seed::new(args.server.seed),
        ..Options::new(game, rules)
    };
    args.server.serve(|log, keep| {
        let server = Server::bind(options, args.server.host, args.port)?;
        print::note!("Listening on {}.", server.address());
        server.run(log, interrupt::flag(), keep);
        Ok(())
    })
}
