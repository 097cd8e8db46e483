//! `random`: any legal house, all alike.

use crate::{House, Kalah, State};
use ranka_core::{Agent, AgentKind, Fault, Position, Seat, Seed, Thinking, Thought};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Kalah> {
    AgentKind {
        name: "random",
        summary: "Plays any legal house, all equally likely.",
        params: Vec::new(),
        build: |_, _| Ok(Arc::new(|_: Seat, _: Seed| Random)),
    }
}

struct Random;

impl Agent<Kalah> for Random {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, House>) -> Result<Thought<House>, Fault> {
        Ok(Thought::plain(view.random_action(&mut thinking.rng, &mut Vec::new())))
    }
}
