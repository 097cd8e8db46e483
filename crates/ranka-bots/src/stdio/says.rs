//! What we say to a bot, line by line.

use super::VERSION;
use ranka_core::{Budget, GameSpec, Seat, Seed};
use std::fmt::Write as _;
use std::time::Duration;

/// The line that tells the protocol's version.
pub(super) fn hello() -> String {
    format!("ranka {VERSION}")
}

/// The lines that tell a bot which game it plays.
pub(super) fn introduction(game: &GameSpec, seat: Seat, seed: Seed) -> Vec<String> {
    vec![
        format!("newgame {} {}", game.name, game.version),
        format!("rules {}", game.rules),
        format!("seats {}", game.seats),
        format!("seat {seat}"),
        format!("seed {}", seed.value()),
    ]
}

/// The line that tells of an action.
pub(super) fn did(by: Option<Seat>, action: Option<&str>) -> String {
    let by = by.map_or_else(|| "chance".to_owned(), |seat| seat.to_string());
    format!("did {by} {}", action.unwrap_or("?"))
}

/// The line that asks for an action.
pub(super) fn go(limit: Option<Duration>, budget: Option<Budget>) -> String {
    let mut line = "go".to_owned();
    if let Some(limit) = limit {
        let _ = write!(line, " limit {}", limit.as_millis());
    }
    let _ = match budget {
        Some(Budget::Nodes(n)) => write!(line, " nodes {n}"),
        Some(Budget::Playouts(n)) => write!(line, " playouts {n}"),
        Some(Budget::Millis(n)) => write!(line, " ms {n}"),
        None => Ok(()),
    };
    line
}

/// The line that tells of the end.
pub(super) fn over(reason: &str, scores: &[f64]) -> String {
    let scores: Vec<String> = scores.iter().map(f64::to_string).collect();
    format!("over {reason} {}", scores.join(" "))
}
