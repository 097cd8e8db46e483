//! What the laboratory keeps of a game.

use ranka_core::{EndReason, Seat, Wdl};
use std::sync::Arc;

/// What came out of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameResult {
    /// Its number in the pairing.
    pub number: u64,
    /// The number of the agent in each seat.
    pub agents: Vec<usize>,
    /// The version of each agent, by its number.
    pub versions: Arc<[u32]>,
    /// The score of each seat.
    pub scores: Vec<f64>,
    /// How many actions the seats took.
    pub plies: u32,
    /// Why it ended.
    pub reason: EndReason,
    /// The seat that is to blame for it, if one is.
    pub blame: Option<Seat>,
    /// What was measured, one list of numbers for each measure.
    pub measured: Vec<Vec<f64>>,
}

impl GameResult {
    /// The seat of an agent.
    pub fn seat(&self, agent: usize) -> Seat {
        let seat = self.agents.iter().position(|&number| number == agent);
        Seat::new(seat.expect("every agent has a seat in every game"))
    }

    /// The score of an agent.
    pub fn score(&self, agent: usize) -> f64 {
        self.scores[self.seat(agent).index()]
    }

    /// The agent that won alone, if one did.
    pub fn winner(&self) -> Option<usize> {
        let seat = self.scores.iter().position(|&score| Wdl::of(score) == Wdl::Win)?;
        Some(self.agents[seat])
    }
}
