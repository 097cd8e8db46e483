//! Wins that lie on the table: one action ends the game, and wins it, whatever is hidden.

use ranka_core::{Actor, Candidate, Position as _, Rng, Seat, View};

/// How many states are tried where they are too many to list.
const SAMPLES: usize = 4;

/// The place of a candidate that wins at once in every state that the view allows.
pub(crate) fn plain_win<V: View>(
    view: &V,
    seat: Seat,
    candidates: &[Candidate<<V::State as ranka_core::Position>::Action>],
    rng: &mut Rng,
) -> Option<usize> {
    let first = view.sample(rng);
    let wins = |state: &V::State, action| {
        if !state.is_legal(action) {
            return false;
        }
        let mut after = state.clone();
        after.apply(action);
        after.actor() == Actor::Over && after.outcome().score(seat) == 1.0
    };
    let mut worlds = None;
    candidates.iter().position(|candidate| {
        // Few decisions come further than this.
        wins(&first, candidate.action) && {
            let sampled = || (0..SAMPLES).map(|_| view.sample(rng)).collect();
            let worlds = worlds.get_or_insert_with(|| view.worlds().unwrap_or_else(sampled));
            worlds.iter().all(|world| wins(world, candidate.action))
        }
    })
}
