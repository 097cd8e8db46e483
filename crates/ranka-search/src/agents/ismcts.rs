//! `ismcts`: one tree of what the seat can tell apart, through worlds that look like its view.

use super::{EFFORT, EXPLORATION, Past, effort};
use crate::{Ismcts, IsmctsConfig, Limits, Sampled, SeatEyes, Uniform};
use ranka_core::{
    Agent, AgentKind, Budget, Encoding, Fault, Rng, Scale, Seat, Seed, Thinking, Thought, Told,
};
use std::sync::Arc;

pub(super) fn kind<G: Encoding>() -> AgentKind<G> {
    let mut params = EFFORT.to_vec();
    params.push(EXPLORATION);
    AgentKind {
        name: "ismcts",
        version: 1,
        summary: "Searches one tree of what its seat can tell apart through many guessed worlds; knows nothing of the game.",
        params,
        build: |game, params| {
            let (game, effort) = (game.clone(), effort(params));
            let config = IsmctsConfig { exploration: params.real("c"), ..IsmctsConfig::default() };
            Ok(Arc::new(move |seat: Seat, _: Seed| InformationSets {
                eyes: SeatEyes { game: game.clone(), seat },
                past: Past::new(&game, seat),
                ismcts: Ismcts::new(config, Uniform),
                effort,
            }))
        },
    }
}

struct InformationSets<G: Encoding> {
    past: Past<G>,
    eyes: SeatEyes<G>,
    ismcts: Ismcts<G::Action, Uniform>,
    effort: Budget,
}

impl<G: Encoding> Agent<G> for InformationSets<G> {
    fn think(
        &mut self,
        view: &G::View,
        thinking: &mut Thinking<'_, G::Action>,
    ) -> Result<Thought<G::Action>, Fault> {
        let limits = Limits::new(Some(thinking.budget.unwrap_or(self.effort)), thinking.cancel_flag());
        let mut rng = thinking.rng.clone();
        let mut report = |found: &Sampled<G::Action>| thinking.report(&found.thought(Scale::Score));
        let world = |rng: &mut Rng| self.past.world(view, rng);
        let found = self.ismcts.search(&self.eyes, world, limits, &mut rng, &mut report);
        found.map(|found| found.thought(Scale::Score)).ok_or(Fault::Cancelled)
    }

    fn told(&mut self, event: &Told<'_, G>) {
        self.past.told(event);
    }
}
