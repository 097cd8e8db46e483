//! Q tables for Kalah, by Q-learning.

use super::Asked;
use crate::failure::{Done, Failure};
use crate::print;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use ranka_core::{AgentSpec, Error, Game as _, Params, Roster as _, Seed};
use ranka_kalah::Kalah;
use ranka_kalah::q::{self, QKind, TrainingOptions, TrainingProgress};
use ranka_lab::NewFile;
use serde_json::json;

/// What is asked of Q-learning alone.
#[derive(clap::Args)]
#[command(next_help_heading = "Q tables (Kalah)")]
pub(super) struct QArgs {
    /// Who acts between two decisions of the learner [default: selfplay]
    #[arg(long, value_enum)]
    backup: Option<BackupName>,
    /// The agent that does, for fixed-opponent
    #[arg(long, value_name = "AGENT")]
    opponent: Option<String>,
    /// The reward of an action: the difference of the stores, or its change [default: level]
    #[arg(long, value_enum)]
    reward: Option<RewardName>,
    /// What a reward one decision later is worth now, 0 to 1 [default: 0.9 for level, 1 for delta]
    #[arg(long)]
    discount: Option<String>,
    /// How far a value moves towards its target, above 0 to 1 [default: 1 for selfplay, whose targets are certain, else 0.1]
    #[arg(long, value_parser = share)]
    rate: Option<f64>,
    /// The probability of a random action, 0 to 1 [default: 0.3]
    #[arg(long, value_parser = share)]
    exploration: Option<f64>,
    /// The share of episodes that begin at any reachable position, on boards small enough [default: 0.5]
    #[arg(long, value_parser = share)]
    exploring_starts: Option<f64>,
    /// The most episodes [default: 2000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    episodes: Option<u64>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum BackupName {
    #[value(name = "selfplay")]
    SelfPlay,
    #[value(alias = "random_env")]
    RandomEnv,
    #[value(alias = "fixed_opponent")]
    FixedOpponent,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum RewardName {
    Level,
    Delta,
}

fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x| (0.0..=1.0).contains(x))
        .ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

impl QArgs {
    /// Whether any of it was given.
    pub(super) fn given(&self) -> bool {
        let named = self.backup.is_some() || self.reward.is_some();
        let text = self.opponent.is_some() || self.discount.is_some();
        let shares = [self.rate, self.exploration, self.exploring_starts].iter().any(Option::is_some);
        named || text || shares || self.episodes.is_some()
    }
}

/// Learns a table for Kalah under these rules.
pub(super) fn run(args: &QArgs, asked: &Asked<'_>) -> Done {
    let options = Params::parse(asked.rules, Kalah::options()).map_err(|e| e.at("rules of kalah"))?;
    let game = Kalah::new(&options).map_err(|e| e.at("rules of kalah"))?;
    let learning = args.options(&game, asked.seed)?;
    let mut file = NewFile::create(asked.out)?;
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} episodes, {msg}, {eta} left");
    let bar = ProgressBar::new(learning.episodes).with_style(style.expect("the template is well formed"));
    let training = q::train(&game, &learning, &mut |progress| {
        bar.set_position(progress.episodes);
        bar.set_message(words(progress));
        true
    });
    bar.finish_and_clear();
    let training = training.map_err(|e| e.at("training"))?;
    q::write(&training.table, &options.full(), &mut file).map_err(|e| file.failed(e))?;
    file.finish()?;

    let progress = &training.progress;
    if asked.json {
        return print::json(&json!({
            "game": "kalah", "rules": options.full(), "kind": learning.kind.to_string(), "seed": asked.seed,
            "file": asked.out, "converged": training.converged, "episodes": progress.episodes,
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
        asked.out.display()
    ))
}

impl QArgs {
    fn options(&self, game: &Kalah, seed: u64) -> Result<TrainingOptions, Failure> {
        let name = |value: clap::builder::PossibleValue| value.get_name().to_owned();
        let (backup, reward) =
            (self.backup.unwrap_or(BackupName::SelfPlay), self.reward.unwrap_or(RewardName::Level));
        let certain = matches!(backup, BackupName::SelfPlay);
        let rate = self.rate.unwrap_or(if certain { 1.0 } else { 0.1 });
        if rate == 0.0 {
            return Err(Failure::usage("--rate 0: nothing would be learned"));
        }
        let opponent = match (&self.opponent, backup) {
            (Some(spec), BackupName::FixedOpponent) => Some(game.recruit(&AgentSpec::parse(spec))?.1),
            (None, BackupName::FixedOpponent) => {
                return Err(Failure::usage("--backup fixed-opponent needs --opponent AGENT"));
            }
            (Some(_), _) => return Err(Failure::usage("--opponent goes with --backup fixed-opponent")),
            (None, _) => None,
        };
        let (backup, reward) = (backup.to_possible_value().map(name), reward.to_possible_value().map(name));
        let discount = self.discount.as_deref().unwrap_or("auto");
        let kind = QKind::named(&backup.unwrap_or_default(), &reward.unwrap_or_default(), discount)
            .map_err(|e: Error| e.at("--discount"))?;
        Ok(TrainingOptions {
            kind,
            opponent,
            rate,
            exploration: self.exploration.unwrap_or(0.3),
            exploring_starts: self.exploring_starts.unwrap_or(0.5),
            episodes: self.episodes.unwrap_or(2_000_000),
            seed: Seed::new(seed),
        })
    }
}

fn words(progress: &TrainingProgress) -> String {
    let of = progress.reachable.map_or(String::new(), |all| format!(" of {all}"));
    let error = progress.error.map_or(String::new(), |error| format!(", largest error {error:.6}"));
    format!("{}{of} actions tried, last change {:.6}{error}", progress.visited, progress.change)
}
