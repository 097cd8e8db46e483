//! `flat-mc`: random playouts after every action, and no tree.

use super::{EFFORT, Past, effort};
use crate::{Flat, FlatRule, Limits, Uniform};
use ranka_core::{
    Agent, AgentKind, Budget, Encoding, Fault, Param, Scale, Seat, Seed, Thinking, Thought, Told,
};
use std::sync::Arc;

pub(super) fn kind<G: Encoding>() -> AgentKind<G> {
    AgentKind {
        name: "flat-mc",
        version: 1,
        summary: "Plays random games after every action and takes the best mean; knows nothing of the game.",
        params: [
            &EFFORT[..],
            &[
                Param::choice(
                    "rule",
                    &["ucb", "equal"],
                    "by upper confidence bounds, or each action in turn",
                ),
                Param::real("c", 0.0, 10.0, "0.7", "exploration of ucb"),
            ],
        ]
        .concat(),
        build: |game, params| {
            let (game, effort) = (game.clone(), effort(params));
            let rule = match params.text("rule") {
                "equal" => FlatRule::Equal,
                _ => FlatRule::Ucb1 { exploration: params.real("c") },
            };
            Ok(Arc::new(move |seat: Seat, _: Seed| FlatMc {
                past: Past::new(&game, seat),
                flat: Flat::new(rule, Uniform),
                effort,
            }))
        },
    }
}

struct FlatMc<G: Encoding> {
    past: Past<G>,
    flat: Flat<Uniform>,
    effort: Budget,
}

impl<G: Encoding> Agent<G> for FlatMc<G> {
    fn think(
        &mut self,
        view: &G::View,
        thinking: &mut Thinking<'_, G::Action>,
    ) -> Result<Thought<G::Action>, Fault> {
        let limits = Limits::new(Some(thinking.budget.unwrap_or(self.effort)), thinking.cancel_flag());
        let world = |rng: &mut _| self.past.world(view, rng);
        let found = self.flat.search_worlds(world, limits, &mut thinking.rng).ok_or(Fault::Cancelled)?;
        Ok(found.thought(Scale::Score))
    }

    fn told(&mut self, event: &Told<'_, G>) {
        self.past.told(event);
    }
}
