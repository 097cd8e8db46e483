//! The part of the contract that search needs, and nothing else.

use crate::{Actor, Outcome, Rng};
use std::fmt::Debug;
use std::hash::Hash;

/// A position whose next action can be chosen: the whole truth of a real game, or a game of thought
/// (Geister's purple pieces) that only a search ever sees.
///
/// Whoever is the [`actor`](Position::actor) takes one atomic action; the same seat may act several
/// times running. Chance is an actor too. The required methods are few; the others have bodies that are
/// obviously right and may be overridden by faster ones, which the battery compares with these.
pub trait Position: Clone {
    /// One atomic action: a house, a unit's move, a push, a drawn tile.
    type Action: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// How many seats play.
    fn seats(&self) -> usize;

    /// Who acts next.
    fn actor(&self) -> Actor;

    /// Appends the actor's legal actions to `out`, in the game's canonical order; none when over.
    fn actions(&self, out: &mut Vec<Self::Action>);

    /// Carries out a legal action.
    ///
    /// The caller answers for legality: after an illegal action the position means nothing (it may also
    /// panic, but it never breaks memory safety).
    fn apply(&mut self, action: Self::Action);

    /// The result of a finished game.
    ///
    /// # Panics
    /// May panic while the game is not over.
    fn outcome(&self) -> Outcome;

    /// Whether `action` may be taken now.
    fn is_legal(&self, action: Self::Action) -> bool {
        let mut legal = Vec::new();
        self.actions(&mut legal);
        self.unlisted(&mut legal);
        legal.contains(&action)
    }

    /// Appends legal actions that the canonical list leaves out, such as TUBSTAP's turn end.
    fn unlisted(&self, _out: &mut Vec<Self::Action>) {}

    /// The probability of a chance action; over all [`actions`](Position::actions) they add up to one.
    fn probability(&self, _action: Self::Action) -> f64 {
        let mut outcomes = Vec::new();
        self.actions(&mut outcomes);
        1.0 / outcomes.len() as f64
    }

    /// Draws what chance does.
    fn draw(&self, rng: &mut Rng) -> Self::Action {
        let mut outcomes = Vec::new();
        self.actions(&mut outcomes);
        let mut rest = rng.unit();
        for &action in &outcomes {
            rest -= self.probability(action);
            if rest < 0.0 {
                return action;
            }
        }
        *outcomes.last().expect("chance acts, so there is an outcome")
    }

    /// A uniformly random legal action of a seat that is to act. `scratch` is room to work in, so that
    /// playouts allocate nothing.
    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<Self::Action>) -> Self::Action {
        scratch.clear();
        self.actions(scratch);
        scratch[rng.index(scratch.len())]
    }

    /// Plays on at random to the end and tells how many actions that took.
    fn playout(&mut self, rng: &mut Rng, scratch: &mut Vec<Self::Action>) -> u32 {
        let mut plies = 0;
        loop {
            let action = match self.actor() {
                Actor::Seat(_) => self.random_action(rng, scratch),
                Actor::Chance => self.draw(rng),
                Actor::Over => return plies,
            };
            self.apply(action);
            plies += 1;
        }
    }
}

/// A position with a 64-bit key: equal positions have equal keys, and different ones almost never do.
/// Transposition tables ask for it.
pub trait Keyed: Position {
    /// The key.
    fn key(&self) -> u64;
}
