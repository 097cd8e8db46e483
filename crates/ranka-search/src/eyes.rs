//! What the searching seat can tell apart, where something is hidden.

use ranka_core::{Game, Position, Rng, Seat, View};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The eyes of the seat that searches: which actions and positions look alike to it. A tree of information sets has one
/// node for all that does.
pub trait Eyes<P: Position> {
    /// Whether anything is ever hidden; where nothing is, nobody is asked what is seen.
    const HIDDEN: bool = true;

    /// What the seat sees of an action that is about to be taken; nothing if that is hidden.
    fn seen(&self, position: &P, action: P::Action) -> Option<P::Action>;

    /// A number for all that the seat sees of a position: different where that is different, and almost nowhere else.
    fn look(&self, position: &P) -> u64;
}

/// The eyes of somebody who sees everything. What chance does is not kept apart: the tree is an open loop.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllSeeing;

impl<P: Position> Eyes<P> for AllSeeing {
    const HIDDEN: bool = false;

    fn seen(&self, _position: &P, action: P::Action) -> Option<P::Action> {
        Some(action)
    }

    fn look(&self, _position: &P) -> u64 {
        0
    }
}

/// The eyes of a seat of a game.
#[derive(Clone, Debug)]
pub struct SeatEyes<G> {
    /// The game.
    pub game: G,
    /// The seat.
    pub seat: Seat,
}

impl<G: Game> Eyes<G::State> for SeatEyes<G> {
    fn seen(&self, state: &G::State, action: G::Action) -> Option<G::Action> {
        self.game.seen(state, action, self.seat)
    }

    fn look(&self, state: &G::State) -> u64 {
        let mut hasher = FxHasher::default();
        self.game.view(state, self.seat).hash(&mut hasher);
        hasher.finish()
    }
}

/// So many worlds are drawn before one is taken that the past rules out.
const TRIES: usize = 1000;

/// A world that looks like `view` and that the past allows, all of them equally likely. Where none is found, which can only be
/// in a position that was set up and not played to, the past does not count.
pub fn draw_world<V: View>(view: &V, allowed: impl Fn(&V::State) -> bool, rng: &mut Rng) -> V::State {
    let mut world = view.sample(rng);
    for _ in 1..TRIES {
        if allowed(&world) {
            break;
        }
        world = view.sample(rng);
    }
    world
}

/// One of `count` worlds, each as likely as `weight` makes it beside the others: with a belief about what is hidden for a
/// weight, worlds come about as often as they are believed in (the more are drawn, the closer). Where all weigh nothing,
/// it is the first.
///
/// # Panics
/// If no world may be drawn.
pub fn believed_world<W>(
    count: usize,
    mut draw: impl FnMut(&mut Rng) -> W,
    mut weight: impl FnMut(&W) -> f64,
    rng: &mut Rng,
) -> W {
    let mut kept = None;
    let mut sum = 0.0;
    for _ in 0..count {
        let world = draw(rng);
        let weight = weight(&world);
        sum += weight;
        if kept.is_none() || weight > sum * rng.unit() {
            kept = Some(world);
        }
    }
    kept.expect("at least one world is drawn")
}
