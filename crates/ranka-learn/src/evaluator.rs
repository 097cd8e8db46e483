//! What a network is to a player or a search, whatever file it came from: something that answers to observations.

use crate::eval::{Answer, Scratch};
use crate::network::Network;
use std::sync::Arc;

/// A network with the room it works in.
pub trait Evaluator: Send {
    /// What it says of an observation.
    fn evaluate(&mut self, observation: &[f32]) -> &Answer;
}

struct Working {
    network: Arc<Network>,
    scratch: Scratch,
}

impl Evaluator for Working {
    fn evaluate(&mut self, observation: &[f32]) -> &Answer {
        self.network.evaluate(observation, &mut self.scratch)
    }
}

impl Network {
    /// The network with room to work in.
    pub fn evaluator(self: &Arc<Network>) -> Box<dyn Evaluator> {
        Box::new(Working { scratch: Scratch::new(self), network: Arc::clone(self) })
    }
}
