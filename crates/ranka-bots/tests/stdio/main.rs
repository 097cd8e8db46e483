//! Bots over stdio: nothing that one does hurts the match, and what it is told is what its seat may know.
#![allow(clippy::unwrap_used)]

mod hidden;
mod misbehaviour;
mod processes;
#[cfg(target_os = "linux")]
mod sandbox;
mod starters;
mod transcripts;

use ranka_core::{AnyAgent, AnyGame, Finished, GameSeeds, Seed, Settings};
use std::path::Path;
use std::sync::Arc;

/// A game by its name.
fn game(name: &str) -> Arc<dyn AnyGame> {
    ranka_games::game(name).unwrap().open("").unwrap()
}

/// The mock bot in this mode, with more parameters.
fn mock(game: &dyn AnyGame, mode: &str, file: Option<&Path>, params: &str) -> AnyAgent {
    let file = file.map_or(String::new(), |file| format!(" {}", file.display()));
    let comma = if params.is_empty() { "" } else { "," };
    let program = env!("CARGO_BIN_EXE_mock-bot");
    game.agent(&format!("bot:cmd=\"{program} {mode}{file}\"{comma}{params}")).unwrap()
}

/// Plays a game between two agents.
fn play(game: &dyn AnyGame, agents: [&AnyAgent; 2], number: u64) -> Finished {
    let seated = [(agents[0], 0), (agents[1], 1)];
    game.play(&seated, &GameSeeds::of(Seed::new(1), number, 0), &Settings::default(), None)
}
