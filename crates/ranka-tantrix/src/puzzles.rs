//! Puzzles: the best placement when the bag is empty, by searching all that is left.

use crate::agents::closing::solved;
use crate::rules::Tantrix;
use crate::{Action, State};
use ranka_core::{Actor, Message, Position as _, Proof, Puzzles};

/// The least that the best placement is worth more than the next.
const GAP: i32 = 2;

impl Puzzles for Tantrix {
    const TASK: &'static str =
        "The bag is empty and nothing is left to chance. Find the placement that ends best for you.";
    const PUZZLES: &'static str = include_str!("../puzzles.toml");

    fn prove(&self, state: &State, nodes: u64) -> Option<Proof<Action>> {
        let Actor::Seat(_) = state.actor() else { return None };
        let found = solved(state, nodes)?;
        let best = found.best().clone();
        let second =
            found.actions.iter().map(|scored| scored.value).filter(|&value| value < best.value).max()?;
        if best.value - second < GAP {
            return None;
        }
        let right = found.actions.iter().filter(|scored| scored.value == best.value);
        let says = Message::new(
            "With best play it ends {0} points apart; after any other placement {1}.",
            [signed(best.value), signed(second)],
        );
        let right = right.map(|scored| scored.action).collect();
        Some(Proof { right, line: best.line, says, nodes: found.nodes })
    }
}

/// A difference with its sign.
fn signed(points: i32) -> String {
    match points {
        0 => "±0".to_owned(),
        1.. => format!("+{points}"),
        _ => format!("−{}", -points),
    }
}
