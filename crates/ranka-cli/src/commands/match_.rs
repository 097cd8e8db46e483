//! `ranka match`

use crate::failure::{Done, Failure};
use crate::game_args::{GameArgs, ThreadArgs};
use crate::lab_args::{self, KeptArgs, StoreArgs};
use crate::play_args::PlayArgs;
use crate::{interrupt, print, whereabouts};
use indicatif::{ProgressBar, ProgressStyle};
use ranka_core::{AnyAgent, AnyGame, Chances, Error, Record, Seed};
use ranka_lab::text;
use ranka_lab::{
    AgentFaults, Exact, Keeping, MATCH_KEPT, MatchResult, NewFile, Pairing, Seating, Store, run_match,
    run_stored_match,
};
use serde_json::json;
use std::io::Write as _;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(clap::Args)]
#[command(after_help = "\
The games of a pair share their deal, and in each the agents sit one seat further on. Intervals are by deal, and where \
nothing is left to chance (games in the same seats are all alike) one of each counts. \
All randomness follows from --seed: the same command gives the same records with any number of threads.
Games that the store has are not played again; the time by move is of the games of this run.

Examples:
  ranka match kalah minimax:depth=6 minimax:depth=3 --games 200
  ranka match kalah minimax random --seed 7 --records games.jsonl --json
  ranka match kalah random random --games 2000 --no-store
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
    #[command(flatten)]
    store: StoreArgs,
    /// Keep no game in the store, and take none from it
    #[arg(long, conflicts_with_all = ["fresh", "any_version", "keep"])]
    no_store: bool,
    /// Keep only the first so many games in the store
    #[arg(long, value_name = "N", default_value_t = MATCH_KEPT)]
    keep: u64,
    #[command(flatten)]
    kept: KeptArgs,
    /// Compute the chances instead of playing: for small games and agents that remember nothing
    #[arg(long, conflicts_with_all = ["games", "threads", "budget", "ply_cap", "move_limit", "records", "no_store", "keep", "fresh", "any_version"])]
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
    args.check()?;
    let game = args.game.open()?;
    let agents: Vec<AnyAgent> = args.agents.iter().map(|spec| game.agent(spec)).collect::<Result<_, _>>()?;
    let pairing = args.pairing(game, agents)?;
    if args.exact {
        return exact(&pairing, args);
    }
    let mut records = args.records.as_deref().map(NewFile::create).transpose()?;
    let mut store = args.open_store()?;
    let result = play(&pairing, args, store.as_mut(), records.as_mut())?;
    records.map_or(Ok(()), NewFile::finish)?;
    let games = result.assessment.games();
    if args.json {
        print::json(&result.figures(&pairing))?;
    } else {
        print::text(&text::match_result(&pairing, &result))?;
    }
    if let Some(store) = store.as_ref().filter(|_| !args.json) {
        if games > args.keep && !store.is_read_only() {
            print::note!(
                "Only the first {} are kept; --keep says how many.",
                print::counted(args.keep, "game")
            );
        }
        // Those of other versions lie elsewhere in it.
        let own: Vec<u32> = pairing.agents().iter().map(|agent| agent.version).collect();
        let own = result.versions().iter().find(|count| count.versions == own).map_or(0, |count| count.games);
        let kept = if store.is_read_only() { own.min(result.from_store) } else { own.min(args.keep) };
        if kept > 0 {
            whereabouts::tell(&args.store, store, [(pairing.identity(), kept)]);
        }
    }
    lab_args::all_played(&AgentFaults::of(pairing.agents(), &result.faults))?;
    if interrupt::happened() {
        let kept = match store.as_ref().filter(|store| !store.is_read_only()) {
            Some(_) => "; what was played is kept, and the same command goes on",
            None => "",
        };
        return Err(Failure::Interrupted(format!("stopped after {games} of {} games{kept}", args.games)));
    }
    Ok(())
}

/// Plays, with what the store has and what is not kept there as the options say.
fn play(
    pairing: &Pairing,
    args: &Args,
    store: Option<&mut Store>,
    mut records: Option<&mut NewFile>,
) -> Result<MatchResult, Error> {
    let (games, runner) = (args.games.get(), args.threads.runner());
    let bar = progress_bar(games);
    let each = |so_far: &MatchResult, record: &Record| {
        bar.set_position(so_far.assessment.games());
        bar.set_message(so_far.assessment.results(0).score().map_or_else(String::new, print::percent));
        records.as_mut().map_or(Ok(()), |file| write_record(file, record))
    };
    let any_version = args.kept.any_version;
    let result = match store {
        None => run_match(pairing, games, runner, each),
        Some(store) => {
            if !any_version && !args.kept.fresh {
                lab_args::tell_left_out(store, [(pairing, games)])?;
            }
            let keeping = Keeping { store, fresh: args.kept.fresh, any_version, most: args.keep };
            run_stored_match(pairing, games, runner, keeping, each)
        }
    };
    bar.finish_and_clear();
    result
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
    let mut table = print::TextTable::headed([a.label.as_str(), "win", "draw", "loss", "score"]).right(1..5);
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
    /// What the parser cannot see: a store may also be named by the environment, which is no contradiction.
    fn check(&self) -> Done {
        let without = [(self.exact, "--exact"), (self.no_store, "--no-store")];
        match without.into_iter().find(|(set, _)| *set && self.store.is_given()) {
            Some((_, option)) => Err(Failure::usage(&format!("--store cannot be used with {option}"))),
            None => Ok(()),
        }
    }

    /// The store, unless none is wanted. Where nobody has said which and the usual one cannot be had, the match is
    /// played without.
    fn open_store(&self) -> Result<Option<Store>, Error> {
        if self.no_store {
            return Ok(None);
        }
        match self.store.open_to_play() {
            Err(error) if !self.store.is_chosen() => {
                print::note!("The games are not kept: {error}");
                Ok(None)
            }
            Ok(store) if store.is_read_only() => {
                let path = store.path().display();
                print::note!("{path} cannot be written: games that it has are taken, others are not kept.");
                Ok(Some(store))
            }
            opened => opened.map(Some),
        }
    }

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
