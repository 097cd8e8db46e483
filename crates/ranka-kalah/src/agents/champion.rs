//! `champion`: plays perfectly within its budget, and tells what every move is worth as a winning chance.

use super::strong::{self, Strong, Telling};
use crate::Kalah;
use ranka_core::AgentKind;
use std::sync::Arc;

/// The share of the budget that a proof may take; the rest is for the results of the other moves, or for looking ahead.
const PROOF: f64 = 0.8;

pub(super) fn kind() -> AgentKind<Kalah> {
    AgentKind {
        name: "champion",
        version: 2,
        summary: "Plays perfectly within its budget, from book, endgame tables and proofs, and tells winning chances.",
        params: strong::params("2000000"),
        build: |game, params| Ok(Arc::new(Strong::new(game, params, PROOF, u32::MAX, Telling::Chances)?)),
    }
}
