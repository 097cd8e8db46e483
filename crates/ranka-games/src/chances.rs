//! What agents think, as winning chances.

use crate::ladder;
use ranka_core::{AgentSpec, Candidate, Error, Scale, Thought};

/// The agents that judge positions and games for people, the strongest first: whoever asks takes the first that can play
/// under the rules. They are no weaker than the game's champions, heed a budget, and their values are winning chances, or
/// become some by the game's ladder.
pub fn analysts(name: &str) -> Result<&'static [String], Error> {
    Ok(&ladder(name)?.analysts)
}

/// What was tried so seldom is not taken at its word: so many tries at the mean of all are mixed with its own.
const SHRINK: f64 = 4.0;

/// The winning chance of each candidate of a thought, 0 to 1 for the seat that thinks: of an agent that tells expected
/// scores, or whose values the game's ladder knows to read. Nothing of any other: what it counts in means nothing to
/// people.
pub fn chances(name: &str, agent: &str, thought: &Thought<String>) -> Option<Vec<f64>> {
    let ladder = ladder(name).ok()?;
    let kind = |spec: &str| AgentSpec::parse(spec).name;
    if kind(agent) == kind(&ladder.judge) {
        return Some(ladder.chances(thought));
    }
    (thought.scale == Scale::Score).then(|| scores(&thought.candidates))
}

/// Expected scores; of an agent that samples, mixed with the mean of all its tries.
fn scores(candidates: &[Candidate<String>]) -> Vec<f64> {
    let visits = |candidate: &Candidate<String>| candidate.visits.unwrap_or(0) as f64;
    let tries: f64 = candidates.iter().map(visits).sum();
    let sum: f64 = candidates.iter().map(|candidate| visits(candidate) * candidate.value).sum();
    let score = |candidate: &Candidate<String>| {
        let own = visits(candidate);
        let mixed = (own * candidate.value + SHRINK * sum / tries) / (own + SHRINK);
        if own > 0.0 { mixed } else { candidate.value }
    };
    candidates.iter().map(|candidate| score(candidate).clamp(0.0, 1.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_tried_once_is_not_taken_at_its_word() {
        let tried = |value, visits| Candidate { visits, ..Candidate::valued(String::new(), value) };
        let sampled = scores(&[tried(0.6, Some(99)), tried(0.0, Some(1))]);
        assert!((sampled[0] - 0.6).abs() < 0.01 && (0.4..0.5).contains(&sampled[1]), "{sampled:?}");
        assert_eq!(scores(&[tried(1.0, None), tried(0.25, None)]), [1.0, 0.25]);
    }
}
