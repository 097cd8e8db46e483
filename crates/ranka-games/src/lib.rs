//! The catalogue: the one place that names all games.
#![warn(missing_docs)]

use ranka_core::{Card, Entry, InputError, find};
use ranka_kalah::Kalah;
use ranka_tubstap::Tubstap;
use std::sync::LazyLock;

/// All games, in the order in which people are told of them.
static GAMES: LazyLock<Vec<Box<dyn Entry>>> =
    LazyLock::new(|| vec![Card::<Kalah>::new(), Card::<Tubstap>::new()]);

/// All games.
pub fn catalogue() -> &'static [Box<dyn Entry>] {
    &GAMES
}

/// The game called `name`, or an error that offers the nearest names.
pub fn game(name: &str) -> Result<&'static dyn Entry, InputError> {
    find(catalogue(), name)
}

/// The agent that plays against people, and analyses for them, when they name none.
pub fn sparring_partner(game: &str) -> &'static str {
    match game {
        "tubstap" => "uct",
        _ => "random",
    }
}
