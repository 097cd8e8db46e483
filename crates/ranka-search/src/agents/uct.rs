//! `uct`: a tree with upper confidence bounds and random playouts; where something is hidden, a tree for each of some
//! worlds, as if all were known there, and their visits added up (*determinisation*).

use super::{EFFORT, EXPLORATION, Past, effort};
use crate::{FinalChoice, Limits, Sampled, Uct, UctConfig, Uniform};
use ranka_core::{
    Agent, AgentKind, Budget, Encoding, Fault, Param, Scale, Seat, Seed, Thinking, Thought, Told, is_open,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

const CHOICE: FinalChoice = FinalChoice::VisitsThenMean;

pub(super) fn kind<G: Encoding>() -> AgentKind<G> {
    let mut params = EFFORT.to_vec();
    params.push(EXPLORATION);
    if !is_open::<G>() {
        params.push(Param::int("worlds", 1, 1000, "10", "guesses at what is hidden, a tree each"));
    }
    AgentKind {
        name: "uct",
        version: 1,
        summary: "Searches a tree with upper confidence bounds and random playouts; knows nothing of the game.",
        params,
        build: |game, params| {
            let (game, effort) = (game.clone(), effort(params));
            let config = UctConfig { exploration: params.real("c"), choice: CHOICE, ..UctConfig::default() };
            let worlds = if is_open::<G>() { 1 } else { params.int("worlds") as u32 };
            Ok(Arc::new(move |seat: Seat, _: Seed| Trees {
                past: Past::new(&game, seat),
                uct: Uct::new(config, Uniform),
                worlds,
                effort,
            }))
        },
    }
}

struct Trees<G: Encoding> {
    past: Past<G>,
    uct: Uct<G::State, Uniform>,
    worlds: u32,
    effort: Budget,
}

/// The part of a budget for one of some worlds.
fn share(all: Limits<'_>, begun: Instant, number: u32, worlds: u32) -> Limits<'_> {
    let (number, worlds) = (u64::from(number), u64::from(worlds));
    let up_to = |number: u64| (number * all.count.div_ceil(worlds)).min(all.count);
    let count = if all.count == u64::MAX { all.count } else { up_to(number + 1) - up_to(number) };
    let deadline = all.deadline.map(|deadline| {
        let time = deadline.saturating_duration_since(begun).as_nanos() as u64;
        begun + Duration::from_nanos(time / worlds * (number + 1))
    });
    Limits { count, deadline, ..all }
}

impl<G: Encoding> Agent<G> for Trees<G> {
    fn think(
        &mut self,
        view: &G::View,
        thinking: &mut Thinking<'_, G::Action>,
    ) -> Result<Thought<G::Action>, Fault> {
        let begun = Instant::now();
        let limits = Limits::new(Some(thinking.budget.unwrap_or(self.effort)), thinking.cancel_flag());
        let mut rng = thinking.rng.clone();
        let mut report = |found: &Sampled<G::Action>| thinking.report(&found.thought(Scale::Score));
        let mut all: Option<Sampled<G::Action>> = None;
        for number in 0..self.worlds {
            let limits = share(limits, begun, number, self.worlds);
            if limits.count == 0 {
                break;
            }
            let world = self.past.world(view, &mut rng);
            let found = if self.worlds == 1 {
                self.uct.search(&world, limits, &mut rng, &mut report)
            } else {
                self.uct.search(&world, limits, &mut rng, &mut |_| ())
            };
            let found = found.ok_or(Fault::Cancelled)?;
            if found.playouts == 0 {
                return Ok(found.thought(Scale::Score));
            }
            match &mut all {
                Some(all) => all.add(found, CHOICE),
                None => all = Some(found),
            }
            if let Some(all) = all.as_ref().filter(|_| self.worlds > 1) {
                report(all);
            }
        }
        all.map(|all| all.thought(Scale::Score)).ok_or(Fault::Cancelled)
    }

    fn told(&mut self, event: &Told<'_, G>) {
        self.past.told(event);
    }
}
