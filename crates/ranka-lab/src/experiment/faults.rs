//! What the agents of an experiment did that a player must not do.

use super::plan::Experiment;
use super::run::PlayedExperiment;
use crate::{AgentFaults, Faults};
use ranka_core::AnyAgent;

/// The agents that ended games by their own fault, each with all its games.
pub(super) fn faults(experiment: &Experiment, played: &PlayedExperiment) -> Vec<AgentFaults> {
    let (mut agents, mut faults): (Vec<AnyAgent>, Vec<Faults>) = (Vec::new(), Vec::new());
    let planned = experiment.pairings.iter().zip(&played.pairings);
    let finals = played.finale.iter().flatten().map(|(planned, _, played)| (planned, played));
    for (planned, played) in planned.chain(finals) {
        for (agent, of) in planned.pairing.agents().iter().zip(&played.faults) {
            match agents.iter().position(|known| known.identity == agent.identity) {
                Some(place) => faults[place].merge(of),
                None => {
                    agents.push(agent.clone());
                    faults.push(of.clone());
                }
            }
        }
    }
    AgentFaults::of(&agents, &faults)
}
