//! `champion`: plays perfectly within its budget, and tells what every move is worth as a winning chance.

use super::explain::Explaining;
use super::strong::{self, Strong, Telling};
use crate::Kalah;
use ranka_core::{AgentKind, Maker, Param};
use std::sync::Arc;

/// The share of the budget that a proof may take; the rest is for the results of the other moves, or for looking ahead.
const PROOF: f64 = 0.8;

pub(super) fn kind() -> AgentKind<Kalah> {
    AgentKind {
        name: "champion",
        version: 2,
        summary: "Plays perfectly within its budget, from book, endgame tables and proofs, and tells winning chances.",
        params: params(),
        build: |game, params| {
            let strong = Strong::new(game, params, PROOF, u32::MAX, Telling::Chances)?;
            let maker: Arc<dyn Maker<Kalah>> =
                if params.on(EXPLAIN.key) { Arc::new(Explaining(strong)) } else { Arc::new(strong) };
            Ok(maker)
        },
    }
}

/// For whoever wants to understand a position, and not only a move.
const EXPLAIN: Param = Param::switch(
    "explain",
    false,
    "tell of every house what is proven of its margin, with lines of play; this takes the whole budget",
)
.added_later();

fn params() -> Vec<Param> {
    let mut params = strong::params("2000000");
    params.push(EXPLAIN);
    params
}
