//! `random-original`: the original program's random player, which never walks along a straight line only.

use crate::{Action, Cell, Entry, Labyrinth, Phase, Push, State, View, cells};
use ranka_core::{Agent, AgentKind, Fault, Position, Rng, Seat, Seed, Thinking, Thought};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Labyrinth> {
    AgentKind {
        name: "random-original",
        version: 1,
        summary: "The original program's: any push; then a cell in reach of another row and column, or stays.",
        params: Vec::new(),
        build: |_, _| Ok(Arc::new(|_: Seat, _: Seed| RandomOriginal)),
    }
}

struct RandomOriginal;

impl Agent<Labyrinth> for RandomOriginal {
    fn think(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let choice = if view.shown().phase() == Phase::Push { push } else { walk };
        Ok(Thought::plain(choice(view.shown(), &mut thinking.rng)))
    }
}

/// Tries up to five times, then takes any legal push.
fn push(state: &State, rng: &mut Rng) -> Action {
    for _ in 0..5 {
        let rotation = rng.below(4) as u8 % state.board().extra().shape().rotations();
        let push = Action::Push(Push { rotation, entry: Entry::new(rng.index(12)) });
        if state.is_legal(push) {
            return push;
        }
    }
    state.random_action(rng, &mut Vec::new())
}

/// The author evidently meant any *other* cell; both coordinates must differ.
fn walk(state: &State, rng: &mut Rng) -> Action {
    let from = state.pawn(state.mover());
    let elsewhere: Vec<Cell> =
        cells(state.reach()).filter(|cell| cell.x() != from.x() && cell.y() != from.y()).collect();
    Action::Move(if elsewhere.is_empty() { from } else { rng.pick(&elsewhere) })
}
