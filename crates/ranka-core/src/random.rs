//! `random`: any choice of the view, all alike. It is written once, for every game.

use crate::{Agent, AgentKind, Fault, Game, Graph, Maker, Seat, Seed, Thinking, Thought, View};
use std::sync::Arc;

/// A player, and a maker of players, that takes any choice.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Random {
    /// Its entry in a roster.
    pub fn kind<G: Game>() -> AgentKind<G> {
        AgentKind {
            name: "random",
            version: 1,
            summary: "Plays any legal action, all equally likely.",
            params: Vec::new(),
            build: |_, _| Ok(Arc::new(Random)),
        }
    }
}

impl<G: Game> Maker<G> for Random {
    fn seat(&self, _: Seat, _: Seed) -> Result<Box<dyn Agent<G>>, Fault> {
        Ok(Box::new(Random))
    }

    fn policy(&self, graph: &Graph<G::State>) -> Option<Vec<f64>> {
        let mut policy = Vec::with_capacity(graph.edge_count());
        for node in 0..graph.len() {
            let choices = graph.edge_range(node).len();
            policy.extend(std::iter::repeat_n(1.0 / choices as f64, choices));
        }
        Some(policy)
    }
}

impl<G: Game> Agent<G> for Random {
    fn think(
        &mut self,
        view: &G::View,
        thinking: &mut Thinking<'_, G::Action>,
    ) -> Result<Thought<G::Action>, Fault> {
        Ok(Thought::plain(view.random_choice(&mut thinking.rng)))
    }
}
