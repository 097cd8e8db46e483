//! Puzzles: the push that opens the way, by trying them all.

use crate::action::Action;
use crate::rules::Labyrinth;
use crate::state::{Phase, State};
use ranka_core::{Actor, Message, Position as _, Proof, Puzzles};

impl Puzzles for Labyrinth {
    const TASK: &'static str = "Reach what you are looking for in this turn: push, then walk.";
    const PUZZLES: &'static str = include_str!("../puzzles.toml");

    fn prove(&self, state: &State, nodes: u64) -> Option<Proof<Action>> {
        let Actor::Seat(_) = state.actor() else { return None };
        let mut actions = Vec::new();
        state.actions(&mut actions);
        if actions.len() as u64 > nodes {
            return None;
        }
        if state.phase() == Phase::Move {
            let walk = walk(state)?;
            let says = Message::new("One walk leads there.", [0; 0]);
            return Some(Proof { right: vec![walk], line: vec![walk], says, nodes: 1 });
        }
        // Who is there without a push has nothing to find.
        let walks = actions.iter().filter_map(|&push| {
            let mut next = *state;
            next.apply(push);
            Some((push, walk(&next)?))
        });
        let walks: Vec<(Action, Action)> = walks.collect();
        let &(push, walk) = walks.first()?;
        if walks.len() == actions.len() {
            return None;
        }
        let says = Message::new("{0} of {1} pushes open the way.", [walks.len(), actions.len()]);
        let right = walks.into_iter().map(|(push, _)| push).collect();
        Some(Proof { right, line: vec![push, walk], says, nodes: actions.len() as u64 })
    }
}

/// The walk to what the mover looks for, if there is a way.
fn walk(state: &State) -> Option<Action> {
    let target = state.target(state.mover())?;
    let walk = Action::Move(target);
    state.is_legal(walk).then_some(walk)
}
