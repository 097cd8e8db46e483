//! `ranka bot kgp`

use super::net_args::{LogArgs, public_name};
use crate::failure::Done;
use crate::game_args::BudgetArgs;
use crate::{interrupt, print};
use clap::ValueEnum;
use ranka_bots::kgp::{Address, AgentPlayer, Client, Mode, PORT};
use ranka_core::{Error, Game, Params, Seed};
use ranka_kalah::Kalah;
use serde_json::json;
use std::env;
use std::num::NonZeroU64;
use std::time::Duration;

#[derive(clap::Args)]
#[command(after_help = "\
Without --connect the server is at KGP_HOST and KGP_PORT, as tournaments tell their clients, or else at 127.0.0.1:2671. Game i of a \
connection is game i of `ranka match` with the same seed, in which this agent is the one with --number. It plays until the server \
says goodbye. docs/kalah-protocol.md tells more.

Examples:
  ranka bot kgp --connect localhost:2671 --agent minimax:depth=8 --name lab
  ranka bot kgp --connect ws://localhost:8080 --agent 'bot:cmd=\"python3 my_bot.py\"'
  ranka bot kgp --mode verify --problems 1000")]
pub(crate) struct Args {
    /// The server: HOST:PORT for TCP, ws://HOST:PORT/PATH for WebSocket
    #[arg(long, value_name = "ADDRESS")]
    connect: Option<String>,
    /// Who plays, name:key=value,… (`ranka agents kalah` lists them)
    #[arg(long, value_name = "AGENT", default_value = "minimax:depth=8")]
    agent: String,
    /// What to do there
    #[arg(long, value_enum, default_value = "freeplay")]
    mode: ModeName,
    /// Options of the rules that boards do not show, key=value,…
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    rules: String,
    /// The name that the server is told [default: the agent; of a bot, only that]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The authors that the server is told
    #[arg(long, value_name = "NAMES")]
    authors: Option<String>,
    /// The description that the server is told
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// The secret by which the server knows us again
    #[arg(long, value_name = "SECRET", env = "KGP_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// What all randomness follows from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Our number in the match: 0 if we are the first agent, 1 if we are the second
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=1))]
    number: u8,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Leave after so many problems (--mode verify)
    #[arg(long, value_name = "N")]
    problems: Option<NonZeroU64>,
    /// The server counts houses in problems from 1; the reference server counts from 0
    #[arg(long)]
    problems_from_one: bool,
    /// Milliseconds that a move must stand before `yield` follows: the reference server refuses one that comes too soon
    #[arg(long, value_name = "MSEC", default_value_t = 10, value_parser = clap::value_parser!(u64).range(..=10_000))]
    settle: u64,
    #[command(flatten)]
    log: LogArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModeName {
    /// Play
    Freeplay,
    /// Solve problems
    Verify,
}

impl Args {
    fn address(&self) -> Result<Address, Error> {
        if let Some(address) = &self.connect {
            return Address::parse(address);
        }
        let host = env::var("KGP_HOST").unwrap_or_else(|_| "127.0.0.1".to_owned());
        let Ok(port) = env::var("KGP_PORT") else { return Ok(Address::tcp(&host, PORT)) };
        let refuse = |_| Error::input(format!("KGP_PORT={port}: expected a port 1 to 65535"));
        Ok(Address::tcp(&host, port.parse().map_err(refuse)?))
    }

    fn client(&self) -> Client {
        let playing = (self.mode == ModeName::Freeplay).then(|| public_name(&self.agent));
        let told = [
            ("info:name", self.name.clone().or(playing)),
            ("info:authors", self.authors.clone()),
            ("info:description", self.description.clone()),
            ("auth:token", self.token.clone()),
        ];
        let told = told.into_iter().filter_map(|(option, value)| Some((option.to_owned(), value?)));
        Client { told: told.collect(), settle: Duration::from_millis(self.settle) }
    }
}

pub(crate) fn run(args: &Args) -> Done {
    let (address, client, log, stop) = (args.address()?, args.client(), args.log.open()?, interrupt::flag());
    let entry = ranka_games::game("kalah")?;
    if args.mode == ModeName::Verify {
        let rules = Kalah::new(&Params::parse(&entry.open(&args.rules)?.rules(), Kalah::options())?)?.rules;
        let most = args.problems.map(NonZeroU64::get);
        let mode = Mode::Verify { rules, from_one: args.problems_from_one, most };
        let score = client.run(&address, mode, &log, stop)?;
        if args.json {
            print::json(&json!({ "solved": score.answered, "refused": score.failed }))?;
        } else {
            print::text(&format!(
                "{} solved, {} refused.\n",
                print::counted(score.answered, "problem"),
                score.failed
            ))?;
        }
        return match score.failed {
            0 => interrupt::check_and_say(&format!(
                "stopped after {}",
                print::counted(score.answered, "problem")
            )),
            n => Err(Error::outside(format!("the server refused {n} solutions")).into()),
        };
    }
    let (settings, seed) = (args.budget.settings(), Seed::new(args.seed));
    let mut player = AgentPlayer::new(entry, &args.rules, &args.agent, settings, seed, args.number.into())?;
    let score = client.run(&address, Mode::Freeplay(&mut player), &log, stop)?;
    let games = player.games();
    if args.json {
        print::json(&json!({
            "agent": args.agent, "server": address.to_string(), "seed": args.seed, "number": args.number,
            "games": games, "states": score.answered, "late": score.failed, "lost": score.lost,
        }))?;
    } else {
        print::text(&format!(
            "{}, {} answered, {} too late or not at all, {} lost because the server refused them.\n",
            print::counted(games, "game"),
            print::counted(score.answered, "state"),
            score.failed,
            score.lost
        ))?;
    }
    interrupt::check_and_say(&format!("stopped after {}", print::counted(games, "game")))
}
