//! The catalogue: the one place that names all games.
#![warn(missing_docs)]

mod chances;
mod levels;
mod puzzles;

pub use chances::{analysts, chances};
pub use levels::{Level, Strength, level_of, levels};
pub use puzzles::{Hunt, PROOF, Puzzle, proof_of, puzzle_of_the_day, puzzles, solvers, write_puzzles};

use ranka_bots::stdio::BOT;
use ranka_core::{CatalogueEntry, Error, GameEntry, TextAgentKind, find};
use ranka_geister::Geister;
use ranka_kalah::Kalah;
use ranka_labyrinth::Labyrinth;
use ranka_levels::{Ladder, Levelled as _};
use ranka_tantrix::Tantrix;
use ranka_tubstap::Tubstap;
use std::sync::LazyLock;

/// Who plays every game beside the game's own agents.
const TEXT_AGENTS: &[TextAgentKind] = &[BOT];

/// All games, in the order in which people are told of them.
static GAMES: LazyLock<Vec<Box<dyn GameEntry>>> = LazyLock::new(|| {
    vec![
        CatalogueEntry::<Kalah>::with(TEXT_AGENTS),
        CatalogueEntry::<Geister>::with(TEXT_AGENTS),
        CatalogueEntry::<Labyrinth>::with(TEXT_AGENTS),
        CatalogueEntry::<Tantrix>::with(TEXT_AGENTS),
        CatalogueEntry::<Tubstap>::with(TEXT_AGENTS),
    ]
});

/// All games.
pub fn catalogue() -> &'static [Box<dyn GameEntry>] {
    &GAMES
}

/// The game called `name`, or an error that offers the nearest names.
pub fn game(name: &str) -> Result<&'static dyn GameEntry, Error> {
    find(catalogue(), name)
}

/// The ladder of levels of the game called `name`.
pub fn ladder(name: &str) -> Result<&'static Ladder, Error> {
    Ok(match game(name)?.info().name {
        "kalah" => Kalah::ladder(),
        "geister" => Geister::ladder(),
        "labyrinth" => Labyrinth::ladder(),
        "tantrix" => Tantrix::ladder(),
        "tubstap" => Tubstap::ladder(),
        other => return Err(Error::input(format!("{other}: it has no levels"))),
    })
}
