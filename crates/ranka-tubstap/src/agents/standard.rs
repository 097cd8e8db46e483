//! `standard`: the original's sample agent, which takes the best single attack, unit by unit.

use crate::judgement::Threats;
use crate::state::ids;
use crate::{Action, State, Tubstap};
use ranka_core::{Agent, AgentKind, Candidate, Fault, Rng, Seat, Seed, Thinking, Thought};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Tubstap> {
    AgentKind {
        name: "standard",
        version: 1,
        summary: "Takes the best single attack by a simple evaluation; without a good one, moves towards cover and prey.",
        params: Vec::new(),
        build: |_, _| Ok(Arc::new(|_: Seat, _: Seed| Standard)),
    }
}

struct Standard;

impl Agent<Tubstap> for Standard {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        Ok(best_single(view, &mut thinking.rng))
    }
}

/// The best single attack, or a way forward without a good one.
pub(super) fn best_single(view: &State, rng: &mut Rng) -> Thought<Action> {
    let considered = considered(view);
    let Some(choice) = best(&considered) else { return Thought::plain(any_advance(view, rng)) };
    let candidates = considered.iter().map(|&(act, value)| Candidate::valued(act, value.into())).collect();
    Thought { candidates, nodes: considered.len() as u64, depth: 1, ..Thought::plain(choice) }
}

/// The attacks worth considering with their values, in canonical order.
pub(super) fn considered(state: &State) -> Vec<(Action, i32)> {
    let threats = Threats::of(state);
    let mut attacks = Vec::new();
    ids(state.ready()).for_each(|unit| state.attacks_of(unit as u8, &mut attacks));
    attacks.into_iter().filter_map(|attack| Some((attack, threats.value(state, attack)?))).collect()
}

/// The first of the most valuable.
fn best(considered: &[(Action, i32)]) -> Option<Action> {
    let most = considered.iter().map(|&(_, value)| value).max()?;
    considered.iter().find(|&&(_, value)| value == most).map(|&(act, _)| act)
}

/// Any unit that may act, sent forward.
pub(super) fn any_advance(state: &State, rng: &mut Rng) -> Action {
    let ready: Vec<usize> = ids(state.ready()).collect();
    state.advance(rng.pick(&ready) as u8)
}
