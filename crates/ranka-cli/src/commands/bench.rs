//! `ranka bench`

mod bots;

use crate::failure::Done;
use crate::interrupt;
use crate::print::{self, TextTable};
use owo_colors::OwoColorize;
use ranka_core::{Bench, BenchGoal, Error, GameEntry, Signature};
use serde_json::json;
use std::io::{IsTerminal as _, stderr};

#[derive(clap::Args)]
#[command(after_help = "\
One thread, processor time (the laboratory: two threads, real time; bots: real time). A benchmark that computes a wrong result fails instead of printing a figure.

Examples:
  ranka bench kalah
  ranka bench kalah --only playouts --json
  ranka bench kalah --long --only '(6,5)'
  ranka bench kalah --signature minimax:depth=5
  ranka bench kalah --signature max-q --rules houses=3,seeds=3")]
pub(crate) struct Args {
    /// Only this game, `lab` for the laboratory or `bots` for the bot protocol; all of them otherwise
    game: Option<String>,
    /// What takes minutes as well
    #[arg(long)]
    long: bool,
    /// Only benchmarks with this in their name
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Measure nothing, and tell how this agent plays: its choices and nodes in fixed positions, as one hash
    #[arg(long, value_name = "AGENT", requires = "game", conflicts_with = "only")]
    signature: Option<String>,
    /// The rules for --signature: key=value,…
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true, requires = "signature")]
    rules: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    if args.long {
        super::solve::with_large_pages();
    }
    interrupt::ends_at_once();
    if let (Some(game), Some(agent)) = (&args.game, &args.signature) {
        return signature(game, &args.rules, agent, args.json);
    }
    let all = match args.game.as_deref() {
        Some(LAB) => laboratory(),
        Some(BOTS) => protocol(),
        Some(name) => of_game(ranka_games::game(name)?, args.long),
        None => {
            let games = ranka_games::catalogue().iter().flat_map(|entry| of_game(entry.as_ref(), args.long));
            games.chain(laboratory()).chain(protocol()).collect()
        }
    };
    let wanted = |bench: &Bench| args.only.as_ref().is_none_or(|part| bench.name.contains(part.as_str()));
    let chosen: Vec<(&str, Bench)> = all.iter().filter(|(_, bench)| wanted(bench)).copied().collect();
    if chosen.is_empty() {
        let names: Vec<&str> = all.iter().map(|(_, bench)| bench.name).collect();
        let message = format!(
            "no benchmark has {:?} in its name; there are: {}",
            args.only.as_deref().unwrap_or(""),
            names.join("; ")
        );
        return Err(Error::input(message).into());
    }
    let mut table =
        TextTable::headed(["game", "what", "figure", "", "goal", "", "naive", "ratio"]).right([2, 4, 6, 7]);
    let mut results = Vec::new();
    for (game, bench) in chosen {
        if stderr().is_terminal() {
            eprint!("{game}: {} …\r", bench.name);
        }
        let figure = (bench.run)();
        let naive = bench.naive.map(|naive| naive());
        let ratio = naive.map(|naive| bench.goal.ratio(figure, naive));
        let reached = bench.goal.reached(figure);
        let (sign, goal) = match bench.goal {
            BenchGoal::AtLeast(least) => ("≥", least),
            BenchGoal::AtMost(most) => ("≤", most),
        };
        table.row([
            game.to_owned(),
            bench.name.to_owned(),
            number(figure),
            bench.unit.to_owned(),
            format!("{sign} {}", number(goal)),
            if reached { "✓".green().to_string() } else { "missed".red().to_string() },
            naive.map(number).unwrap_or_default(),
            ratio.map(|ratio| format!("{ratio:.1}×")).unwrap_or_default(),
        ]);
        results.push(json!({
            "game": game, "name": bench.name, "figure": figure, "unit": bench.unit,
            "goal": goal, "reached": reached, "naive": naive, "ratio": ratio,
        }));
    }
    if args.json { print::json(&json!({ "benches": results })) } else { print::text(&table.render("")) }
}

/// How an agent plays: what its game's tests pin.
fn signature(game: &str, rules: &str, agent: &str, as_json: bool) -> Done {
    let game = ranka_games::game(game)?.open(rules)?;
    let agent = game.agent(agent)?;
    let Signature { decisions, nodes, hash } = game.signature(&agent)?;
    if as_json {
        return print::json(&json!({
            "game": game.info().name, "rules": game.rules(), "agent": agent.full, "version": agent.version,
            "decisions": decisions, "nodes": nodes, "hash": hash,
        }));
    }
    let agent = format!("{} (version {})", agent.short, agent.version);
    print::text(&format!("{agent}: {decisions} decisions, {nodes} nodes, {hash}\n"))
}

/// What stands for a game's name where the laboratory itself is measured.
const LAB: &str = "lab";

/// What stands for a game's name where the bot protocol is measured.
const BOTS: &str = "bots";

fn protocol() -> Vec<(&'static str, Bench)> {
    vec![(BOTS, bots::ADDED)]
}

fn laboratory() -> Vec<(&'static str, Bench)> {
    ranka_lab::benches().into_iter().map(|bench| (LAB, bench)).collect()
}

fn of_game(entry: &dyn GameEntry, long: bool) -> Vec<(&'static str, Bench)> {
    let more = if long { entry.long_benches() } else { Vec::new() };
    entry.benches().into_iter().chain(more).map(|bench| (entry.info().name, bench)).collect()
}

/// Four digits are plenty for a speed.
fn number(x: f64) -> String {
    let digits = match x.abs() {
        100.0.. => 0,
        1.0.. => 2,
        _ => 4,
    };
    let plain = format!("{x:.digits$}");
    let (whole, rest) = plain.split_once('.').map_or((plain.as_str(), None), |(w, r)| (w, Some(r)));
    let mut grouped = String::new();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(c);
    }
    rest.map_or(grouped.clone(), |rest| format!("{grouped}.{rest}"))
}
