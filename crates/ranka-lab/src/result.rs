//! What the laboratory keeps of a game.

use ranka_core::EndReason;
use std::sync::Arc;

/// What a score is for whoever made it: 0 for a win alone, 1 for a share, 2 for nothing. Scores of a team are sums, so
/// they are read with a little care.
pub fn result_of(score: f64) -> usize {
    const ROUNDING: f64 = 1e-9;
    if score > 1.0 - ROUNDING { 0 } else { 1 + usize::from(score < ROUNDING) }
}

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
    /// What was measured, one list of numbers for each measure.
    pub measured: Vec<Vec<f64>>,
}

impl GameResult {
    /// The seat of an agent.
    pub fn seat(&self, agent: usize) -> usize {
        self.agents.iter().position(|&number| number == agent).expect("every agent has a seat in every game")
    }

    /// The score of an agent.
    pub fn score(&self, agent: usize) -> f64 {
        self.scores[self.seat(agent)]
    }

    /// The agent that won alone, if one did.
    pub fn winner(&self) -> Option<usize> {
        let seat = self.scores.iter().position(|&score| score >= 1.0)?;
        Some(self.agents[seat])
    }
}
