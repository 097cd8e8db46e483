//! What most commands ask for: a game with its rules, a position of it, an agent, a budget.

use crate::interrupt;
use clap::Args;
use ranka_core::{AnyAgent, AnyGame, Budget, Error, Seed, Settings};
use ranka_lab::{MOST_THREADS, Runner};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// A game and its rules.
#[derive(Args)]
pub(crate) struct GameArgs {
    /// The game, by the name that `ranka games` tells
    game: String,
    /// Options of the rules that differ from the defaults, key=value,… (`ranka agents GAME` lists them)
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    rules: String,
    /// The map to play on, a name or a .tbsmap file: short for --rules map=… (TUBSTAP)
    #[arg(long, value_name = "MAP")]
    map: Option<String>,
}

impl GameArgs {
    /// The game's name, as it was given.
    pub(crate) fn name(&self) -> &str {
        &self.game
    }

    /// The game under these rules.
    pub(crate) fn open(&self) -> Result<Arc<dyn AnyGame>, Error> {
        ranka_games::game(&self.game)?.open(&with_map(&self.rules, self.map.as_deref()))
    }

    /// The agent that `spec` names, or else the game's usual sparring partner.
    pub(crate) fn agent(&self, game: &dyn AnyGame, spec: Option<&str>) -> Result<AnyAgent, Error> {
        game.agent(spec.unwrap_or(game.info().sparring))
    }
}

/// Rules with the map that is named beside them, if one is.
pub(crate) fn with_map(rules: &str, map: Option<&str>) -> String {
    let Some(map) = map else { return rules.to_owned() };
    let comma = if rules.is_empty() { "" } else { "," };
    let quoted = map.replace('\\', "\\\\").replace('"', "\\\"");
    format!("{rules}{comma}map=\"{quoted}\"")
}

/// The position that `text` tells: its notation, or `start` for one dealt from `seed`.
pub(crate) fn position(game: &dyn AnyGame, text: &str, seed: Seed) -> String {
    if text.trim() == "start" { game.start(seed) } else { text.to_owned() }
}

/// How much an agent may think.
#[derive(Args)]
pub(crate) struct BudgetArgs {
    /// How much agents may think about one action: nodes=N, playouts=N or ms=N (else their own parameters decide)
    #[arg(long, value_name = "BUDGET", value_parser = Budget::parse)]
    budget: Option<Budget>,
}

impl BudgetArgs {
    /// Settings with this budget, all else at its default.
    pub(crate) fn settings(&self) -> Settings<'static> {
        Settings { budget: self.budget, ..Settings::default() }
    }
}

/// How many threads work.
#[derive(Args)]
pub(crate) struct ThreadArgs {
    /// How many games are played at a time [default: one per processor]
    #[arg(long, value_name = "T", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
}

/// Reads how many threads work. A slip of the pen must not bring the machine down.
pub(crate) fn thread_count(text: &str) -> Result<NonZeroUsize, String> {
    let count = text.parse().ok().filter(|count: &NonZeroUsize| count.get() <= MOST_THREADS);
    count.ok_or_else(|| format!("expected a whole number from 1 to {MOST_THREADS}"))
}

impl ThreadArgs {
    /// The runner with so many, which Ctrl-C stops.
    pub(crate) fn runner(&self) -> Runner<'static> {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or_else(processors, NonZeroUsize::get);
        Runner { threads, cancel: interrupt::flag() }
    }
}
