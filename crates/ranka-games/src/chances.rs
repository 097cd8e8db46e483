//! What agents think, as winning chances.

use crate::ladder;
use ranka_core::{AgentSpec, Error, Scale, Thought};

/// The agent that judges positions and games for people: stronger than most who play, quick, and its values are winning
/// chances, or become some by the game's ladder.
pub fn analyst(name: &str) -> Result<&'static str, Error> {
    Ok(&ladder(name)?.analyst)
}

/// The winning chance of each candidate of a thought, 0 to 1 for the seat that thinks: of an agent that tells expected
/// scores, or whose values the game's ladder knows to read. Nothing of any other: what it counts in means nothing to
/// people.
pub fn chances(name: &str, agent: &str, thought: &Thought<String>) -> Option<Vec<f64>> {
    let ladder = ladder(name).ok()?;
    let kind = |spec: &str| AgentSpec::parse(spec).name;
    if kind(agent) == kind(&ladder.judge) {
        return Some(ladder.chances(thought));
    }
    let values = thought.candidates.iter().map(|candidate| candidate.value.clamp(0.0, 1.0));
    (thought.scale == Scale::Score).then(|| values.collect())
}
