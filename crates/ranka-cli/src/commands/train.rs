//! `ranka train`

use crate::failure::{Done, Failure};
use crate::print;
use clap::{Subcommand, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use ranka_core::{AgentSpec, Error, Game as _, Params, Roster as _, Seed};
use ranka_kalah::Kalah;
use ranka_kalah::q::{self, Lesson, Progress, QKind};
use ranka_lab::NewFile;
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    game: Trainable,
}

#[derive(Subcommand)]
enum Trainable {
    /// A Q table for Kalah, by Q-learning
    Kalah(KalahArgs),
}

#[derive(clap::Args)]
#[command(after_help = "\
Learning ends when every action has been tried, ten thousand episodes changed no value by 0.0001, and (on boards \
small enough to be computed) no value is 0.001 away from the exact one; or when the episodes are used up.

Examples:
  ranka train kalah --rules houses=3,seeds=3 --out n3m3.rankaq
  ranka train kalah --rules houses=3,seeds=3 --backup random-env --rate 0.01 --out random.rankaq
  ranka match kalah select-q:q=n3m3.rankaq random --rules houses=3,seeds=3")]
struct KalahArgs {
    /// Where to write the table
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Options of the rules that differ from the defaults, key=value,…
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    rules: String,
    /// Who acts between two decisions of the learner
    #[arg(long, value_enum, default_value = "selfplay")]
    backup: BackupName,
    /// The agent that does, for fixed-opponent
    #[arg(long, value_name = "AGENT")]
    opponent: Option<String>,
    /// The reward of an action: the difference of the stores, or its change
    #[arg(long, value_enum, default_value = "level")]
    reward: RewardName,
    /// What a reward one decision later is worth now, 0 to 1; auto is 0.9 for level, 1 for delta
    #[arg(long, default_value = "auto")]
    discount: String,
    /// How far a value moves towards its target, above 0 to 1 [default: 1 for selfplay, whose targets are certain, else 0.1]
    #[arg(long, value_parser = share)]
    rate: Option<f64>,
    /// The probability of a random action, 0 to 1
    #[arg(long, default_value_t = 0.3, value_parser = share)]
    exploration: f64,
    /// The share of episodes that begin at any reachable position, on boards small enough
    #[arg(long, default_value_t = 0.5, value_parser = share)]
    exploring_starts: f64,
    /// The most episodes
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    episodes: u64,
    /// What all randomness follows from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum BackupName {
    #[value(name = "selfplay")]
    SelfPlay,
    #[value(alias = "random_env")]
    RandomEnv,
    #[value(alias = "fixed_opponent")]
    FixedOpponent,
}

#[derive(Clone, Copy, ValueEnum)]
enum RewardName {
    Level,
    Delta,
}

fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x| (0.0..=1.0).contains(x))
        .ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

pub(crate) fn run(args: &Args) -> Done {
    let Trainable::Kalah(args) = &args.game;
    let options = Params::parse(&args.rules, Kalah::options()).map_err(|e| e.at("rules of kalah"))?;
    let game = Kalah::new(&options).map_err(|e| e.at("rules of kalah"))?;
    let lesson = args.lesson(&game)?;
    let mut file = NewFile::create(&args.out)?;
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} episodes, {msg}, {eta} left");
    let bar = ProgressBar::new(args.episodes).with_style(style.expect("the template is well formed"));
    let training = q::train(&game, &lesson, &mut |progress| {
        bar.set_position(progress.episodes);
        bar.set_message(words(progress));
        true
    });
    bar.finish_and_clear();
    let training = training.map_err(|e| e.at("training"))?;
    q::write(&training.table, &options.full(), &mut file).map_err(|e| file.failed(e))?;
    file.finish()?;

    let progress = &training.progress;
    if args.json {
        return print::json(&json!({
            "game": "kalah", "rules": options.full(), "kind": lesson.kind.to_string(), "seed": args.seed,
            "file": args.out, "converged": training.converged, "episodes": progress.episodes,
            "positions": training.table.positions(), "visited": progress.visited, "reachable": progress.reachable,
            "change": progress.change, "error": progress.error,
        }));
    }
    let end = if training.converged { "Converged" } else { "Not converged, the episodes are used up" };
    print::text(&format!(
        "{end} after {} episodes: {}.\n{} positions written to {}\n",
        progress.episodes,
        words(progress),
        training.table.positions(),
        args.out.display()
    ))
}

impl KalahArgs {
    fn lesson(&self, game: &Kalah) -> Result<Lesson, Failure> {
        let name = |value: clap::builder::PossibleValue| value.get_name().to_owned();
        let backup = self.backup.to_possible_value().map(name).unwrap_or_default();
        let reward = self.reward.to_possible_value().map(name).unwrap_or_default();
        let certain = matches!(self.backup, BackupName::SelfPlay);
        let rate = self.rate.unwrap_or(if certain { 1.0 } else { 0.1 });
        if rate == 0.0 {
            return Err(Failure::usage("--rate 0: nothing would be learned"));
        }
        let opponent = match (&self.opponent, self.backup) {
            (Some(spec), BackupName::FixedOpponent) => Some(game.recruit(&AgentSpec::parse(spec))?.1),
            (None, BackupName::FixedOpponent) => {
                return Err(Failure::usage("--backup fixed-opponent needs --opponent AGENT"));
            }
            (Some(_), _) => return Err(Failure::usage("--opponent goes with --backup fixed-opponent")),
            (None, _) => None,
        };
        let kind = QKind::named(&backup, &reward, &self.discount).map_err(|e: Error| e.at("--discount"))?;
        Ok(Lesson {
            kind,
            opponent,
            rate,
            exploration: self.exploration,
            exploring_starts: self.exploring_starts,
            episodes: self.episodes,
            seed: Seed::new(self.seed),
        })
    }
}

fn words(progress: &Progress) -> String {
    let of = progress.reachable.map_or(String::new(), |all| format!(" of {all}"));
    let error = progress.error.map_or(String::new(), |error| format!(", largest error {error:.6}"));
    format!("{}{of} actions tried, last change {:.6}{error}", progress.visited, progress.change)
}
