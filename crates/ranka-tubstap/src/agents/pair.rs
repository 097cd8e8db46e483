//! `pair`: the best two attacks in a row, of which it makes the first (Murayama and others).

use super::standard::{any_advance, best_single, considered};
use crate::state::ids;
use crate::{Action, State, Tubstap};
use ranka_core::{Agent, AgentKind, Candidate, Fault, Position, Seat, Seed, Thinking, Thought};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Tubstap> {
    AgentKind {
        name: "pair",
        version: 1,
        summary: "Maximises the sum of two consecutive unit actions, by the evaluation of standard, and makes the first.",
        params: Vec::new(),
        build: |_, _| Ok(Arc::new(|_: Seat, _: Seed| Pair)),
    }
}

struct Pair;

impl Agent<Tubstap> for Pair {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        // The last unit of a turn has nobody to pair with.
        if ids(view.ready()).count() == 1 {
            return Ok(best_single(view, &mut thinking.rng));
        }
        let pairs = pairs(view);
        let most = pairs.iter().map(|&(_, value, _)| value).max();
        // Nothing in sight: as the standard agent does.
        let Some(&(choice, _, _)) = pairs.iter().find(|&&(_, value, _)| Some(value) == most) else {
            return Ok(Thought::plain(any_advance(view, &mut thinking.rng)));
        };
        let candidates = pairs.iter().map(|&(act, value, then)| Candidate {
            pv: [Some(act), then].into_iter().flatten().collect(),
            ..Candidate::valued(act, value.into())
        });
        let mut candidates: Vec<Candidate<Action>> = candidates.collect();
        let mut order = Vec::new();
        view.actions(&mut order);
        candidates.sort_by_key(|candidate| order.iter().position(|&act| act == candidate.action));
        Ok(Thought { candidates, nodes: pairs.len() as u64, depth: 2, ..Thought::plain(choice) })
    }
}

/// Every first action with the best sum that it can be part of, and the second action of that sum: attacks in
/// canonical order, then each unit's way forward without attack, which is worth nothing itself. Empty if there is no
/// attack in any pair.
fn pairs(state: &State) -> Vec<(Action, i32, Option<Action>)> {
    let attacks = considered(state);
    let forward = ids(state.ready()).map(|unit| (state.advance(unit as u8), 0));
    let pairs = attacks.iter().copied().chain(forward).map(|(first, value)| {
        let mut next = state.clone();
        next.apply(first);
        // The second action is another unit's of the same turn.
        let same_turn = !next.actor().is_over() && next.turn() == state.turn();
        let seconds = if same_turn { considered(&next) } else { Vec::new() };
        let most = seconds.iter().map(|&(_, value)| value).max().unwrap_or(0).max(0);
        let then = seconds.into_iter().find(|&(_, value)| value == most).map(|(act, _)| act);
        (first, value + most, then)
    });
    let pairs: Vec<_> = pairs.collect();
    let any_attack = !attacks.is_empty() || pairs.iter().any(|(_, _, then)| then.is_some());
    if any_attack { pairs } else { Vec::new() }
}
