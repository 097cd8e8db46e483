//! `ranka analyse`

use crate::failure::Done;
use crate::game_args::{BudgetArgs, GameArgs, position};
use crate::{interrupt, print};
use owo_colors::OwoColorize;
use ranka_core::{Candidate, Proven, Scale, Seed, Thought};
use serde::Serialize;
use std::fmt::Write as _;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ranka analyse kalah start
  ranka analyse kalah '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S' --with random --json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The position, or what the seat to move sees of it; `start` for the start
    position: String,
    /// The agent that is asked, name:key=value,…
    #[arg(long, value_name = "AGENT")]
    with: Option<String>,
    /// What the agent's randomness, and the deal of `start`, follow from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Print one JSON object with agent, version, choice, candidates, scale, nodes and depth
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    interrupt::ends_at_once();
    let game = args.game.open()?;
    let seed = Seed::new(args.seed);
    let position = position(game.as_ref(), &args.position, seed);
    let game = game.for_position(&position)?;
    let agent = args.game.agent(game.as_ref(), args.with.as_deref())?;
    let thought = game.analyse(&position, &agent, seed, &args.budget.settings(), &mut |_| {})?;
    if args.json {
        return print::json(&Answer { agent: &agent.full, version: agent.version, thought: &thought });
    }
    print::text(&report(&print::versioned(&agent.label, agent.version), &thought))
}

/// A thought, and whose it is.
#[derive(Serialize)]
struct Answer<'a> {
    agent: &'a str,
    version: u32,
    #[serde(flatten)]
    thought: &'a Thought<String>,
}

/// The choice, and the candidates best first.
fn report(agent: &str, thought: &Thought<String>) -> String {
    let mut out = format!("{agent} chooses {}", thought.choice.bold());
    if thought.nodes > 0 {
        let _ = write!(out, " (nodes {}, depth {})", thought.nodes, thought.depth);
    }
    out.push('\n');
    for (name, value) in &thought.notes {
        let _ = writeln!(out, "{name} {value:.3}");
    }
    if thought.candidates.is_empty() {
        return out;
    }
    let mut best_first: Vec<&Candidate<String>> = thought.candidates.iter().collect();
    // Of two sure wins the larger one is the better.
    let margin = |candidate: &Candidate<String>| candidate.proven.map(|proven| (proven.least, proven.most));
    best_first.sort_by(|a, b| {
        let chosen = (a.action != thought.choice).cmp(&(b.action != thought.choice));
        b.value.total_cmp(&a.value).then(margin(b).cmp(&margin(a))).then(chosen)
    });
    let sampled = thought.candidates.iter().any(|candidate| candidate.visits.is_some());
    let proved = thought.candidates.iter().any(|candidate| candidate.proven.is_some());
    let visits = if sampled { "visits" } else { "" };
    let headings = ["action", thought.scale.name(), visits].into_iter();
    let mut table =
        print::TextTable::headed(headings.chain(proved.then_some("final margin")).chain(["line"]))
            .right(1..if proved { 4 } else { 3 });
    for candidate in best_first {
        let visits = candidate.visits.map_or(String::new(), |visits| visits.to_string());
        let row = [candidate.action.clone(), value(candidate, thought.scale), visits].into_iter();
        let margin = proved.then(|| candidate.proven.map_or(String::new(), told));
        table.row(row.chain(margin).chain([candidate.pv.join(" ")]));
    }
    out + "\n" + &table.render("  ")
}

/// What is proven of a final margin: the margin, or between which bounds it lies.
fn told(proven: Proven) -> String {
    let signed = |margin: i32| print::signed(f64::from(margin), 0);
    match (proven.least, proven.most) {
        (Some(least), Some(most)) if least == most => signed(least),
        (Some(least), Some(most)) => format!("{} to {}", signed(least), signed(most)),
        (Some(least), None) => format!("≥ {}", signed(least)),
        (None, Some(most)) => format!("≤ {}", signed(most)),
        (None, None) => String::new(),
    }
}

fn value(candidate: &Candidate<String>, scale: Scale) -> String {
    let value = candidate.value;
    let shown = match scale {
        Scale::Score => format!("{:.1} %", 100.0 * value),
        Scale::Margin => format!("{value:+}"),
        Scale::Own => format!("{value:.3}"),
    };
    if candidate.at_most { format!("≤ {shown}") } else { shown }
}
