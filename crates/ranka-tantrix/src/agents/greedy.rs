//! `greedy`: the placement after which the own line is ahead by most.

use super::closing::Closing;
use super::options;
use crate::{Action, Phase, State, Tantrix};
use ranka_core::{Actor, Agent, AgentKind, Candidate, Fault, Param, Position, Seat, Seed, Thinking, Thought};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Tantrix> {
    AgentKind {
        name: "greedy",
        version: 1,
        summary: "Takes the placement that puts its longest line ahead by most.",
        params: options::joined(&[
            &[
                Param::choice("by", &["margin", "own"], "own score minus the best other, or own score alone"),
                Param::int(
                    "plies",
                    1,
                    2,
                    "1",
                    "2: forced fills are resolved and the opponent answers greedily",
                ),
            ],
            &options::CLOSING,
        ]),
        build: |_, params| {
            let greedy = Greedy {
                own_only: params.text("by") == "own",
                answer: params.int("plies") == 2,
                closing: options::closing(params),
            };
            Ok(Arc::new(move |_: Seat, _: Seed| greedy))
        },
    }
}

#[derive(Clone, Copy)]
struct Greedy {
    own_only: bool,
    answer: bool,
    closing: Closing,
}

impl Greedy {
    fn worth(&self, state: &State, seat: Seat) -> i32 {
        if self.own_only { state.score(seat) } else { state.margin(seat) }
    }

    /// What a placement of the seat to act is worth at once.
    fn worth_after(&self, state: &State, action: Action) -> i32 {
        let placement = action.placement().expect("a seat places tiles");
        let (own, other) = state.scores_after(placement, state.mover());
        if self.own_only { own } else { own - other }
    }

    /// The best placement of the seat to act by what it is worth at once; the first of equals.
    fn best(&self, state: &State, list: &mut Vec<Action>) -> Action {
        list.clear();
        state.actions(list);
        let mut best = (list[0], i32::MIN);
        for &action in list.iter() {
            let worth = self.worth_after(state, action);
            if worth > best.1 {
                best = (action, worth);
            }
        }
        best.0
    }

    /// What a placement is worth after forced fills and the answer, all greedy, with the tiles now in the hands.
    fn worth_after_answer(&self, placed: &State, me: Seat, list: &mut Vec<Action>) -> i32 {
        let mut state = placed.clone();
        loop {
            if state.phase() == Phase::Draw {
                state.skip_draw();
            }
            let Actor::Seat(seat) = state.actor() else { break };
            if seat == me && state.phase() == Phase::Free {
                break;
            }
            let answered = seat != me && state.phase() == Phase::Free;
            let action = self.best(&state, list);
            state.apply(action);
            if answered {
                break;
            }
        }
        self.worth(&state, me)
    }
}

impl Agent<Tantrix> for Greedy {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        if self.closing.applies(view) {
            return self.closing.think(view, thinking);
        }
        let me = view.mover();
        let mut actions = Vec::new();
        view.actions(&mut actions);
        let mut list = Vec::new();
        let mut candidates = Vec::with_capacity(actions.len());
        for &action in &actions {
            let worth = if self.answer {
                let mut next = view.clone();
                next.apply(action);
                self.worth_after_answer(&next, me, &mut list)
            } else {
                self.worth_after(view, action)
            };
            candidates.push(Candidate::valued(action, f64::from(worth)));
            if thinking.cancelled() {
                return Err(Fault::Cancelled);
            }
        }
        let highest = candidates.iter().map(|candidate| candidate.value).fold(f64::NEG_INFINITY, f64::max);
        let best = candidates.iter().filter(|candidate| candidate.value == highest);
        let best: Vec<Action> = best.map(|candidate| candidate.action).collect();
        let choice = thinking.rng.pick(&best);
        Ok(Thought { candidates, nodes: actions.len() as u64, depth: 1, ..Thought::plain(choice) })
    }
}
