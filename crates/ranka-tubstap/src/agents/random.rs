//! `random`: any unit action, all alike. It never ends its turn early.

use crate::{Act, State, Tubstap};
use ranka_core::{Agent, AgentKind, Fault, Position, Seat, Seed, Thinking, Thought};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Tubstap> {
    AgentKind {
        name: "random",
        summary: "Plays any action of any unit, all equally likely.",
        params: Vec::new(),
        build: |_, _| Ok(Arc::new(|_: Seat, _: Seed| Random)),
    }
}

struct Random;

impl Agent<Tubstap> for Random {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, Act>) -> Result<Thought<Act>, Fault> {
        Ok(Thought::plain(view.random_action(&mut thinking.rng, &mut Vec::new())))
    }
}
