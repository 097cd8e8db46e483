//! Puzzles: the best move, by exact solving.

use crate::action::House;
use crate::rules::Kalah;
use crate::solve::{Interval, Solver};
use crate::state::State;
use ranka_core::{Actor, Message, Position as _, Proof, Puzzles};
use ranka_search::Limits;
use std::sync::atomic::AtomicBool;

/// With more seeds than that in the houses nobody can see why a move is the best.
const MOST_SEEDS: u32 = 26;

/// The least that the best move is worth more than the next.
const GAP: i32 = 3;

impl Puzzles for Kalah {
    const TASK: &'static str = "Find the best move. It is worth at least three seeds more than any other.";
    const PUZZLES: &'static str = include_str!("../puzzles.toml");

    fn prove(&self, state: &State, nodes: u64) -> Option<Proof<House>> {
        let Actor::Seat(mover) = state.actor() else { return None };
        if state.in_houses() > MOST_SEEDS {
            return None;
        }
        let mut solver = Solver::new(self, None, 18).ok()?;
        let mut houses = Vec::new();
        state.actions(&mut houses);
        let mut margins = Vec::new();
        for &house in &houses {
            let mut next = *state;
            next.apply(house);
            let limits = Limits::count(nodes.saturating_sub(solver.nodes()));
            let all = Interval { lower: i32::MIN, upper: i32::MAX };
            let known = solver.narrow(&next, mover, all, limits);
            if !known.is_exact() {
                return None;
            }
            margins.push(known.lower);
        }
        let best = margins.iter().copied().max()?;
        let second = margins.iter().copied().filter(|&margin| margin < best).max()?;
        if best - second < GAP {
            return None;
        }
        let right = houses.iter().zip(&margins).filter(|(_, margin)| **margin == best);
        let line = solver.line(state, &AtomicBool::new(false)).ok()?;
        let says = Message::new(
            "With best play it ends {0} seeds apart; after any other move {1}.",
            [signed(best), signed(second)],
        );
        Some(Proof { right: right.map(|(&house, _)| house).collect(), line, says, nodes: solver.nodes() })
    }
}

/// A margin with its sign.
fn signed(margin: i32) -> String {
    match margin {
        0 => "±0".to_owned(),
        1.. => format!("+{margin}"),
        _ => format!("−{}", -margin),
    }
}
