//! Opening games, positions and the shared maps.

use ranka_core::{Game, Notation, Params};
use ranka_tubstap::{State, Tubstap};
use std::path::PathBuf;

/// The game under these rules.
pub(crate) fn game(rules: &str) -> Tubstap {
    Tubstap::new(&Params::parse(rules, Tubstap::options()).unwrap()).unwrap()
}

/// A position in notation.
pub(crate) fn position(text: &str) -> State {
    game("").read_state(text).unwrap()
}

/// One of the small positions G1 to G7.
pub(crate) fn small(name: &str) -> State {
    let lines = include_str!("positions.txt").lines();
    let found = lines.filter_map(|line| line.split_once(' ')).find(|(known, _)| *known == name);
    position(found.expect("the name is in the list").1)
}

/// The folder of the original maps, which are not ours to ship. Says loudly when it is absent.
pub(crate) fn shared_maps() -> Option<PathBuf> {
    let shared = std::env::var_os("RANKA_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let folder = shared.join("data/tubstap-maps");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no {} (set RANKA_SHARED to the shared folder)", folder.display());
    None
}
