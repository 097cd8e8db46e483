//! `random`: any legal house, all alike.

use crate::{House, Kalah, State};
use ranka_core::{Agent, AgentKind, Fault, Graph, Maker, Position, Seat, Seed, Thinking, Thought};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Kalah> {
    AgentKind {
        name: "random",
        summary: "Plays any legal house, all equally likely.",
        params: Vec::new(),
        build: |_, _| Ok(Arc::new(Random)),
    }
}

#[derive(Clone, Copy)]
struct Random;

impl Maker<Kalah> for Random {
    fn seat(&self, _: Seat, _: Seed) -> Result<Box<dyn Agent<Kalah>>, Fault> {
        Ok(Box::new(Random))
    }

    fn policy(&self, graph: &Graph<State>) -> Option<Vec<f64>> {
        let mut policy = Vec::with_capacity(graph.edge_count());
        for node in 0..graph.len() {
            let choices = graph.edge_range(node).len();
            policy.extend(std::iter::repeat_n(1.0 / choices as f64, choices));
        }
        Some(policy)
    }
}

impl Agent<Kalah> for Random {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, House>) -> Result<Thought<House>, Fault> {
        Ok(Thought::plain(view.random_action(&mut thinking.rng, &mut Vec::new())))
    }
}
