//! `random`: any step, all alike; it leaves when it can.

use super::player::{Common, Mover, Player};
use crate::action::Action;
use crate::rules::Geister;
use crate::view::View;
use ranka_core::{Agent, AgentKind, Fault, Random, Seat, Seed, Thinking, Thought};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Geister> {
    AgentKind {
        name: "random",
        version: 1,
        summary: "Plays any legal step, all equally likely; escapes when it can.",
        params: Common::params(Vec::new(), "0"),
        build: |_, params| {
            let common = Common::read(params)?;
            Ok(Arc::new(move |_: Seat, _: Seed| Player::new(common, Random)))
        },
    }
}

impl Mover for Random {
    fn choose(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        Agent::<Geister>::think(self, view, thinking)
    }
}
