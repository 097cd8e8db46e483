//! `random`: any legal placement, all alike.

use crate::{Action, State, Tantrix};
use ranka_core::{Agent, AgentKind, Fault, Position, Seat, Seed, Thinking, Thought};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Tantrix> {
    AgentKind {
        name: "random",
        summary: "Plays any legal placement, all equally likely.",
        params: Vec::new(),
        build: |_, _| Ok(Arc::new(|_: Seat, _: Seed| Random)),
    }
}

struct Random;

impl Agent<Tantrix> for Random {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        Ok(Thought::plain(view.random_action(&mut thinking.rng, &mut Vec::new())))
    }
}
