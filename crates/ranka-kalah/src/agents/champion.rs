//! `champion`: plays perfectly within its budget, and tells what every move is worth as a winning chance.

use super::strong::{self, Strong};
use crate::{House, Kalah, State};
use ranka_core::{Agent, AgentKind, Fault, Maker, Scale, Seat, Seed, Thinking, Thought};
use std::sync::Arc;

/// The share of the budget that a proof may take; the rest is for looking ahead.
const PROOF: f64 = 0.8;

/// What could not be proven: so many seeds ahead give odds of three to one.
const SEEDS_FOR_THREE_TO_ONE: f64 = 4.0;

pub(super) fn kind() -> AgentKind<Kalah> {
    AgentKind {
        name: "champion",
        version: 1,
        summary: "Plays perfectly within its budget, from book, endgame tables and proofs, and tells winning chances.",
        params: strong::params("2000000"),
        build: |game, params| Ok(Arc::new(Champion(Strong::new(game, params, PROOF, u32::MAX)?))),
    }
}

struct Champion(Strong);

impl Maker<Kalah> for Champion {
    fn seat(&self, seat: Seat, seed: Seed) -> Result<Box<dyn Agent<Kalah>>, Fault> {
        Ok(Box::new(Judging(self.0.seat(seat, seed)?)))
    }
}

struct Judging(Box<dyn Agent<Kalah>>);

/// The chance to win that a margin gives: what is proven is sure.
fn chance(margin: f64, proven: bool) -> f64 {
    if proven {
        return 0.5 + 0.5 * f64::from((margin as i32).signum());
    }
    1.0 / (1.0 + libm::pow(3.0, -margin / SEEDS_FOR_THREE_TO_ONE))
}

impl Agent<Kalah> for Judging {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, House>) -> Result<Thought<House>, Fault> {
        let mut thought = self.0.think(view, thinking)?;
        // Only what could not be proven was looked at so many actions ahead.
        let proven = thought.depth == 0;
        for candidate in &mut thought.candidates {
            candidate.value = chance(candidate.value, proven);
        }
        Ok(Thought { scale: Scale::Score, win: Some(1.0), ..thought })
    }
}
