//! `purple-max`: alpha-beta against purple pieces, which are red when captured and blue when leaving.

use super::player::{Common, Mover, Player};
use super::search::{Options, Search};
use crate::action::Action;
use crate::duel::{Duel, Purple};
use crate::rules::Geister;
use crate::view::View;
use ranka_core::{AgentKind, Fault, Seat, Seed, Thinking, Thought};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Geister> {
    AgentKind {
        name: "purple-max",
        version: 1,
        summary: "One search in which every enemy ghost is red when captured and blue when leaving: a win that \
                  it sees is certain.",
        params: Common::params(Options::params("5"), "0"),
        build: |_, params| {
            let (common, options) = (Common::read(params)?, Options::read(params));
            Ok(Arc::new(move |_: Seat, _: Seed| Player::new(common, PurpleMax(Search::new(options)))))
        },
    }
}

struct PurpleMax(Search<Purple>);

impl Mover for PurpleMax {
    fn choose(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        self.0.best(view, &Duel::purple(view), thinking)
    }
}
