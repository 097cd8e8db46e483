//! `ranka match`

use crate::failure::{Done, Failure};
use crate::game_args::{GameArgs, ThreadArgs};
use crate::play_args::PlayArgs;
use crate::{interrupt, print};
use indicatif::{ProgressBar, ProgressStyle};
use ranka_core::{AnyAgent, AnyGame, Chances, EndReason, Error, Record, Seed, labels};
use ranka_lab::words;
use ranka_lab::{Assessed, Exact, MatchResult, NewFile, Pairing, Seating, run_match};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(clap::Args)]
#[command(after_help = "\
The games of a pair share their deal, and in each the agents sit one seat further on. Intervals are by deal, and where \
nothing is left to chance (all deals go the same way) only one deal counts. \
All randomness follows from --seed: the same command gives the same records with any number of threads.

Examples:
  ranka match kalah minimax:depth=6 minimax:depth=3 --games 200
  ranka match kalah minimax random --seed 7 --records games.jsonl --json
  ranka match kalah minimax:depth=6 random --rules houses=3,seeds=3 --exact")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The agents, one for each seat, each name:key=value,…
    #[arg(required = true, value_name = "AGENT")]
    agents: Vec<String>,
    /// How many games
    #[arg(long, value_name = "N", default_value = "100")]
    games: NonZeroU64,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    play: PlayArgs,
    /// Write a record of each game to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Compute the chances instead of playing: for small games and agents that remember nothing
    #[arg(long, conflicts_with_all = ["games", "threads", "budget", "ply_cap", "move_limit", "records"])]
    exact: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    if !args.exact {
        // A bot is started to learn its name.
        interrupt::flag();
    }
    let game = args.game.open()?;
    let agents: Vec<AnyAgent> = args.agents.iter().map(|spec| game.agent(spec)).collect::<Result<_, _>>()?;
    let pairing = args.pairing(game.clone(), agents.clone())?;
    if args.exact {
        return exact(&pairing, args);
    }
    let mut records = args.records.as_deref().map(NewFile::create).transpose()?;
    let bar = progress_bar(args.games.get());
    let result = run_match(&pairing, args.games.get(), args.threads.runner(), |so_far, record| {
        bar.set_position(so_far.assessment.games());
        bar.set_message(so_far.assessment.results(0).score().map_or_else(String::new, print::percent));
        records.as_mut().map_or(Ok(()), |file| write_record(file, record))
    });
    bar.finish_and_clear();
    let result = result?;
    records.map_or(Ok(()), NewFile::finish)?;
    if args.json {
        print::json(&report_json(game.as_ref(), &agents, args, &result))?;
    } else {
        print::text(&report(game.as_ref(), &agents, args, &result))?;
    }
    // Of an agent of ours it is a result: it was given too little time.
    if let Some(agent) = result.never_played().find(|&agent| agents[agent].outside) {
        let message = format!("{} never played a legal action", labels(&agents)[agent]);
        return Err(Error::outside(message).into());
    }
    if interrupt::happened() {
        let message = format!("stopped after {} of {} games", result.assessment.games(), args.games);
        return Err(Failure::Interrupted(message));
    }
    Ok(())
}

/// Computes what otherwise would be sampled.
fn exact(pairing: &Pairing, args: &Args) -> Done {
    let game = pairing.game();
    let [a, b] = pairing.agents() else { return Err(Failure::usage("--exact takes two agents")) };
    let Exact { first, second, seated: both } = pairing.exact()?;
    if args.json {
        let chances =
            |c: &Chances| json!({ "win": c.win, "draw": c.draw, "loss": c.loss, "score": c.score() });
        return print::json(&json!({
            "game": game.info().name, "rules": game.rules(), "agents": [&a.full, &b.full], "exact": true,
            "wins": [both.win, both.loss], "draws": both.draw, "score": both.score(),
            "first": chances(&first), "second": chances(&second),
        }));
    }
    let mut table = print::Table::headed([a.label.as_str(), "win", "draw", "loss", "score"]).right(1..5);
    let mut row = |name: &str, c: &Chances| {
        let [win, draw, loss, score] = [c.win, c.draw, c.loss, c.score()].map(|p| format!("{p:.4}"));
        table.row([name.to_owned(), win, draw, loss, score]);
    };
    row("playing first", &first);
    if args.play.seats != Seating::Fixed {
        row("playing second", &second);
        row("on average", &both);
    }
    let rules = game.rules_short();
    let rules = if rules.is_empty() { rules } else { format!(" ({rules})") };
    print::text(&format!(
        "{}{rules}, computed, against {}\n\n{}",
        game.info().title,
        b.label,
        table.render("")
    ))
}

impl Args {
    fn pairing(&self, game: Arc<dyn AnyGame>, agents: Vec<AnyAgent>) -> Result<Pairing, Error> {
        let PlayArgs { seats, seed, .. } = self.play;
        Pairing::new(game, agents, seats, Seed::new(seed), self.play.limits(), &[])
    }
}

/// A bar on stderr with the first agent's score so far; nothing unless stderr is a terminal.
fn progress_bar(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, score {msg}, {eta} left");
    ProgressBar::new(games).with_style(style.expect("the template is well formed"))
}

fn write_record(file: &mut NewFile, record: &Record) -> Result<(), Error> {
    let mut line = serde_json::to_vec(record).expect("a record is made of text and numbers");
    line.push(b'\n');
    file.write_all(&line).map_err(|e| file.failed(e))
}

fn report_json(game: &dyn AnyGame, agents: &[AnyAgent], args: &Args, result: &MatchResult) -> Value {
    let assessment = &result.assessment;
    let first = assessment.of(0);
    let scores: Vec<_> = (0..agents.len()).map(|agent| assessment.of(agent).score).collect();
    let reasons: serde_json::Map<String, Value> =
        result.reasons.iter().map(|(reason, &games)| (reason.name().to_owned(), json!(games))).collect();
    let by_reason = |faults: &BTreeMap<EndReason, u64>| -> serde_json::Map<String, Value> {
        faults.iter().map(|(reason, &games)| (reason.name().to_owned(), json!(games))).collect()
    };
    let faults: Vec<_> = result.faults.iter().map(by_reason).collect();
    json!({
        "game": game.info().name,
        "rules": game.rules(),
        "agents": agents.iter().map(|agent| &agent.full).collect::<Vec<_>>(),
        "versions": agents.iter().map(|agent| agent.version).collect::<Vec<_>>(),
        "games": assessment.games(),
        "different": assessment.different(),
        "counted": assessment.counted(),
        "all_alike": assessment.all_alike(),
        "wins": (0..agents.len()).map(|agent| assessment.results(agent).wins).collect::<Vec<_>>(),
        "draws": assessment.without_winner(),
        "pairs": assessment.pairs(),
        "score": first.score,
        "interval": first.interval,
        "elo": first.elo,
        "scores": scores,
        "seconds": result.efforts.iter().map(|(_, time)| time.as_secs_f64()).collect::<Vec<_>>(),
        "decisions": result.efforts.iter().map(|(decisions, _)| decisions).collect::<Vec<_>>(),
        "plies": result.plies,
        "reasons": reasons,
        "faults": faults,
        "seats": args.play.seats.name(),
        "budget": args.play.budget.settings().budget.map(|budget| budget.to_string()),
        "seed": args.play.seed,
    })
}

/// Which games each agent lost by its own fault; nothing where all went well.
fn faults(names: &[String], result: &MatchResult) -> String {
    let reasons: BTreeSet<EndReason> = result.faults.iter().flat_map(BTreeMap::keys).copied().collect();
    if reasons.is_empty() {
        return String::new();
    }
    let headings = std::iter::once("lost by its own fault").chain(reasons.iter().map(|reason| reason.name()));
    let mut table = print::Table::headed(headings).right(1..=reasons.len());
    for (name, faults) in names.iter().zip(&result.faults).filter(|(_, faults)| !faults.is_empty()) {
        let counts = reasons.iter().map(|reason| faults.get(reason).copied().unwrap_or(0).to_string());
        table.row(std::iter::once(name.clone()).chain(counts));
    }
    format!("\n{}", table.render(""))
}

fn report(game: &dyn AnyGame, agents: &[AnyAgent], args: &Args, result: &MatchResult) -> String {
    let assessment = &result.assessment;
    let rules = game.rules_short();
    let rules = if rules.is_empty() { rules } else { format!(" ({rules})") };
    let mut out = format!(
        "{}{rules}, {}, seed {}\n\n",
        game.info().title,
        print::counted(assessment.games(), "game"),
        args.play.seed
    );
    if assessment.games() == 0 {
        return out + "No game was played to its end.\n";
    }
    let mut table = if agents.len() == 2 {
        print::Table::headed(["agent", "won", "drawn", "lost", "score", "95 %", "Elo", "time/move"])
            .right(1..8)
    } else {
        print::Table::headed(["agent", "won", "score", "95 %", "time/move"]).right(1..5)
    };
    let names = labels(agents);
    for (number, agent) in agents.iter().enumerate() {
        let Assessed { results, score, interval, elo } = assessment.of(number);
        let score = score.map_or_else(String::new, |score| format!("{:.2} %", 100.0 * score));
        let [low, high] = interval.map(|end| 100.0 * end);
        let interval = format!("{low:.1}–{high:.1} %");
        let (decisions, time) = result.efforts[number];
        let pace = format!("{:.1?}", time.div_f64(decisions.max(1) as f64));
        let name = print::versioned(&names[number], agent.version);
        if let Some(elo) = elo {
            let [won, drawn, lost] = <[u64; 3]>::from(results).map(|n| n.to_string());
            let [value, low, high] =
                [elo.value, elo.interval[0], elo.interval[1]].map(|elo| print::signed(elo, 0));
            let elo = format!("{value} ({low} to {high})");
            table.row([name, won, drawn, lost, score, interval, elo, pace]);
        } else {
            table.row([name, results.wins.to_string(), score, interval, pace]);
        }
    }
    out += &table.render("");
    out += &print::small_print(agents);
    if agents.len() > 2 {
        let _ = writeln!(out, "\n{} games had no single winner.", assessment.without_winner());
    }
    if assessment.all_alike() {
        let _ = writeln!(out, "\n{}", words::all_alike(None));
    }
    let reasons: Vec<String> =
        result.reasons.iter().map(|(reason, n)| format!("{} {n}", reason.name())).collect();
    out += &faults(&names, result);
    let _ = writeln!(out, "\n{} plies; ended by: {}.", result.plies, reasons.join(", "));
    out
}
