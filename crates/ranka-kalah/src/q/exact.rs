//! Q*: the fixed point of Q-learning, computed in one sweep over the whole game.

use super::table::{Backup, QKind, QTable, Reward, key};
use crate::rules::Kalah;
use crate::state::State;
use ranka_core::{Error, Graph, Position};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What a position is worth to its mover, and to the other one while the mover is the environment.
#[derive(Clone, Copy, Default)]
struct Worth {
    mover: f64,
    other: f64,
}

/// The exact table. `opponent` gives the probability of each of the graph's edges for the player that acts
/// between two decisions; in self-play there is none.
pub fn exact(
    game: &Kalah,
    kind: QKind,
    graph: &Graph<State>,
    opponent: Option<&[f64]>,
) -> Result<QTable, Error> {
    let mut table = QTable::new(game, kind)?;
    let uniform;
    let opponent = match (kind.backup, opponent) {
        (Backup::SelfPlay, _) => None,
        (Backup::RandomEnv, _) => {
            uniform = (0..graph.len())
                .flat_map(|node| {
                    let range = graph.edge_range(node);
                    let share = 1.0 / range.len() as f64;
                    range.map(move |_| share)
                })
                .collect::<Vec<f64>>();
            Some(uniform.as_slice())
        }
        (Backup::FixedOpponent, Some(policy)) => Some(policy),
        (Backup::FixedOpponent, None) => {
            return Err(Error::input("the opponent's choices are not computable"));
        }
    };

    graph.sweep(|node, known: &[Worth]| {
        let state = graph.position(node);
        let mut worth = Worth { mover: f64::NEG_INFINITY, other: 0.0 };
        for (edge, (house, target)) in graph.edge_range(node).zip(graph.edges(node)) {
            let (next, ahead) = (graph.position(target), known[target]);
            let over = next.actor().is_over();
            let again = next.mover == state.mover;
            let reward = kind.reward(state, next);
            let later = match (over, again, opponent) {
                (true, ..) => 0.0,
                (_, true, _) => ahead.mover,
                (_, false, None) => -ahead.mover,
                (_, false, Some(_)) => ahead.other,
            };
            let value = reward + kind.discount * later;
            worth.mover = worth.mover.max(value);
            if let Some(slot) = house.index() {
                table.values.set(key(state), slot, value);
            }
            if let Some(policy) = opponent {
                // For the one who waits: with `level` the end of the game is a reward, with `delta` every move is.
                let loss = if over || kind.reward == Reward::Delta { -reward } else { 0.0 };
                let later = match (over, again) {
                    (true, _) => 0.0,
                    (_, true) => ahead.other,
                    (_, false) => ahead.mover,
                };
                worth.other += policy[edge] * (loss + later);
            }
        }
        worth
    });
    table.complete = true;
    Ok(table)
}

/// The tables that somebody is using now.
static IN_USE: Mutex<Vec<Weak<QTable>>> = Mutex::new(Vec::new());

/// The exact table of a game's own graph. It is computed once for all who use it at the same time: a sweep over an
/// agent's parameters has many users.
pub fn shared(game: &Kalah, kind: QKind) -> Result<Arc<QTable>, Error> {
    let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    in_use.retain(|table| table.strong_count() > 0);
    let known =
        in_use.iter().filter_map(Weak::upgrade).find(|table| table.game == *game && table.kind == kind);
    if let Some(table) = known {
        return Ok(table);
    }
    let table = Arc::new(exact(game, kind, &Graph::reach(game.first())?, None)?);
    in_use.push(Arc::downgrade(&table));
    Ok(table)
}
