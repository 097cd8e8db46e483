//! What commands that let agents play ask for: the seed, who sits where, and the limits of every game.

use crate::game_args::BudgetArgs;
use clap::Args;
use ranka_core::Settings;
use ranka_lab::stats::EloModel;
use ranka_lab::{GameLimits, Seating};
use std::num::NonZeroU64;
use std::time::Duration;

/// How games are played.
#[derive(Args)]
pub(crate) struct PlayArgs {
    /// What all randomness follows from
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Who sits where: swapped, fixed, permuted (all orders) or random
    #[arg(long, value_name = "SEATS", default_value = "swapped", value_parser = Seating::parse)]
    pub(crate) seats: Seating,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    /// A game that reaches this many actions is drawn
    #[arg(long, value_name = "N", default_value_t = Settings::default().ply_cap, value_parser = clap::value_parser!(u32).range(1..))]
    ply_cap: u32,
    /// Thinking longer than this many milliseconds about one action loses
    #[arg(long, value_name = "MS")]
    move_limit: Option<NonZeroU64>,
}

impl PlayArgs {
    /// The limits of every game.
    pub(crate) fn limits(&self) -> GameLimits {
        GameLimits {
            ply_cap: self.ply_cap,
            budget: self.budget.settings().budget,
            move_limit: self.move_limit.map(|ms| Duration::from_millis(ms.get())),
        }
    }
}

/// Which Elo a sequential test speaks of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Model {
    /// A difference stands for an expected score
    #[default]
    Logistic,
    /// A difference stands for an excess of the score in standard deviations of a game
    Normalized,
}

impl Model {
    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Model::Logistic => "logistic",
            Model::Normalized => "normalized",
        }
    }
}

impl From<Model> for EloModel {
    fn from(model: Model) -> EloModel {
        match model {
            Model::Logistic => EloModel::Logistic,
            Model::Normalized => EloModel::Normalized,
        }
    }
}
