//! What the clients of a server have won and lost, by name.

use crate::failure::Done;
use crate::print;
use ranka_core::{EndReason, Record, Wdl, WdlCounts};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Wins, draws and losses of each name, and why games ended.
#[derive(Default)]
pub(super) struct Standings(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    games: u64,
    players: BTreeMap<String, WdlCounts>,
    reasons: BTreeMap<EndReason, u64>,
}

impl Standings {
    /// Counts a game. One that was stopped from outside counts for nobody.
    pub(super) fn add(&self, record: &Record) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.games += 1;
        *counts.reasons.entry(record.end.reason).or_default() += 1;
        if record.end.reason == EndReason::Cancelled {
            return;
        }
        for (name, &score) in record.agents.iter().zip(&record.outcome) {
            counts.players.entry(name.clone()).or_default().add(Wdl::of(score));
        }
    }

    /// Prints them, for people or for programs.
    pub(super) fn print(self, for_programs: bool) -> Done {
        let Counts { games, players, reasons } = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        if for_programs {
            let player = |(name, of): (&String, &WdlCounts)| json!({ "name": name, "won": of.wins, "drawn": of.draws, "lost": of.losses });
            let players: Vec<Value> = players.iter().map(player).collect();
            let reasons = reasons.iter().map(|(reason, games)| (reason.name().to_owned(), json!(games)));
            let reasons: Map<String, Value> = reasons.collect();
            return print::json(&json!({ "games": games, "players": players, "reasons": reasons }));
        }
        let mut table = print::TextTable::headed(["player", "won", "drawn", "lost"]).right(1..4);
        for (name, results) in players {
            table.row(std::iter::once(name).chain(<[u64; 3]>::from(results).map(|n| n.to_string())));
        }
        let (games, ended) = (print::counted(games, "game"), ended_by(&reasons));
        print::text(&format!("{}\n{games}; {ended}.\n", table.render("")))
    }
}

/// Why games ended, in words.
pub(super) fn ended_by(reasons: &BTreeMap<EndReason, u64>) -> String {
    let reasons: Vec<String> =
        reasons.iter().map(|(reason, games)| format!("{} {games}", reason.name())).collect();
    format!("ended by: {}", if reasons.is_empty() { "nothing".to_owned() } else { reasons.join(", ") })
}
