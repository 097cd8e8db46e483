//! `ranka bot tubstap`

use super::net_args::{LogArgs, public_name};
use crate::failure::Done;
use crate::game_args::BudgetArgs;
use crate::{interrupt, print};
use ranka_bots::net;
use ranka_bots::tubstap::{Client, PORT};
use ranka_core::{Seed, Settings, WdlCounts};
use serde_json::json;

#[derive(clap::Args)]
#[command(after_help = "\
The map comes from the server. Game i of a connection is game i of `ranka match` with the same seed, in which this agent is the one \
with --number. It plays until the server closes the connection. docs/tubstap-protocol.md tells more.

Examples:
  ranka bot tubstap --connect localhost:7777 --agent uct --name lab
  ranka bot tubstap --agent standard --rules power=paper")]
pub(crate) struct Args {
    /// The server, HOST:PORT
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    connect: String,
    /// Who plays, name:key=value,… (`ranka agents tubstap` lists them)
    #[arg(long, value_name = "AGENT", default_value = "uct")]
    agent: String,
    /// Options of the rules that maps do not show, key=value,…
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    rules: String,
    /// The name that the server is told [default: the agent; of a bot, only that]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// What all randomness follows from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Our number in the match: 0 if we are the first agent, 1 if we are the second
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=1))]
    number: u8,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    log: LogArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let (host, port) = net::address(&args.connect, PORT)?;
    let game = ranka_games::game("tubstap")?.open(&args.rules)?;
    let agent = game.agent(&args.agent)?;
    let (log, stop) = (args.log.open()?, interrupt::flag());
    let client = Client {
        game: game.as_ref(),
        agent: &agent,
        name: args.name.clone().unwrap_or_else(|| public_name(&agent.label)),
        settings: Settings { cancel: stop, ..args.budget.settings() },
        seed: Seed::new(args.seed),
        number: args.number.into(),
    };
    let score = client.run(&host, port, &log, stop)?;
    let WdlCounts { wins: won, draws: drawn, losses: lost } = score.results;
    if args.json {
        print::json(&json!({
            "agent": agent.short, "server": format!("{host}:{port}"), "seed": args.seed, "number": args.number,
            "games": score.games, "won": won, "drawn": drawn, "lost": lost,
        }))?;
    } else {
        let other = score.games - won - drawn - lost;
        print::text(&format!(
            "{}: {won} won, {drawn} drawn, {lost} lost, {other} ended before the rules had decided them.\n",
            print::counted(score.games, "game")
        ))?;
    }
    interrupt::check_and_say(&format!("stopped after {}", print::counted(score.games, "game")))
}
