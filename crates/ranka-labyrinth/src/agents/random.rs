//! `random`: any legal action, all alike.

use crate::{Action, Labyrinth, View};
use ranka_core::{Agent, AgentKind, Fault, Position, Seat, Seed, Thinking, Thought};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Labyrinth> {
    AgentKind {
        name: "random",
        summary: "Pushes and moves anyhow: all pushes are equally likely, and so are all cells in reach.",
        params: Vec::new(),
        build: |_, _| Ok(Arc::new(|_: Seat, _: Seed| Random)),
    }
}

struct Random;

impl Agent<Labyrinth> for Random {
    fn think(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        Ok(Thought::plain(view.shown().random_action(&mut thinking.rng, &mut Vec::new())))
    }
}
