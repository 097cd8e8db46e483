//! Games to learn from, on random maps.

use super::learn::Packed;
use super::{Model, Rows, Ways};
use crate::agents::{JudgedTree, Judging, UnitTree};
use crate::generate;
use crate::state::State;
use crate::{Action, Rules};
use ranka_core::{Position as _, Rng, Seed};
use ranka_search::Limits;
use std::sync::Arc;

/// A position of a game and what came of it.
pub struct Experience {
    /// The position.
    pub position: Packed,
    /// What it was worth to whoever was to move.
    pub target: f32,
}

/// How much of what is expected after an action still counts for the expectation before it.
const LAMBDA: f32 = 0.95;
/// How often an action is drawn blindly.
const BLIND: f64 = 0.05;
/// The most actions that are drawn blindly at the beginning.
const OPENING: u32 = 12;
/// Playouts for each action while there is no model, and of opponents who play by playouts afterwards.
const PLAYOUTS: u64 = 200;
const OPPONENTS_PLAYOUTS: u64 = 400;
/// Nodes for each action of who plays by a model, and how leaves are judged then.
const NODES: u64 = 24;
const JUDGING: Judging = Judging { c: 0.1, playouts: 0, mix: 0.0 };
/// The share of games in which one side goes on to play by playouts: what such opponents do must be known, too.
const AGAINST_PLAYOUTS: f64 = 0.3;

/// Plays the game with this seed against itself: by playouts, or with a model as the champion does.
pub fn play(seed: Seed, model: Option<&Arc<Model>>) -> Vec<Experience> {
    let mut rng = Rng::new(seed);
    let map = generate::drawn(&mut rng);
    let mut state: State =
        map.state(Rules { effective_only: true, ..Rules::default() }).expect("drawn maps are sound");
    let ways = Ways::of(&state);
    let mut rows = Rows::default();
    let playouts = if model.is_some() { OPPONENTS_PLAYOUTS } else { PLAYOUTS };
    let mut tree = UnitTree::plain(playouts);
    let by_playouts = match model {
        None => [true; 2],
        Some(_) => {
            let side = rng.index(2);
            let one = rng.chance(AGAINST_PLAYOUTS);
            [one && side == 0, one && side == 1]
        }
    };
    let mut judged = model.map(|model| JudgedTree::new(Arc::clone(model), JUDGING));
    let mut opening = rng.below(OPENING + 1);
    // Who was to move, the position, what was expected, and whether the action after it was blind.
    let mut seen: Vec<(crate::Team, Packed, f32, bool)> = Vec::new();
    let mut acts: Vec<Action> = Vec::new();
    while !state.is_over() {
        acts.clear();
        state.actions(&mut acts);
        if opening > 0 {
            opening -= 1;
            state.apply(rng.pick(&acts));
            continue;
        }
        rows.find(&state, &ways);
        let packed = rows.packed();
        let (act, expected) = match &mut judged {
            Some(tree) if !by_playouts[state.mover() as usize] => {
                let found = tree
                    .search(&state, Limits::count(NODES), &mut rng, &mut |_| {})
                    .expect("nobody stops it");
                let best = found.best();
                (best.action, if found.playouts > 0 { best.mean as f32 } else { f32::NAN })
            }
            _ => {
                let limits = Limits::count(playouts);
                let found = tree.search(&state, limits, &mut rng, &mut |_| {}).expect("nobody stops it");
                let best = found.best();
                // Beside a model playouts know nothing.
                let known = found.playouts > 0 && judged.is_none();
                (best.action, if known { best.mean as f32 } else { f32::NAN })
            }
        };
        let blind = rng.chance(BLIND);
        let act = if blind { rng.pick(&acts) } else { act };
        seen.push((state.mover(), packed, expected, blind));
        state.apply(act);
    }
    let outcome = state.outcome();
    let red = outcome.score(crate::Team::Red.seat()) as f32;
    // What follows, for red.
    let mut following = red;
    let mut learned: Vec<Experience> = Vec::new();
    for (mover, position, expected, blind) in seen.into_iter().rev() {
        let turned = |value: f32| if mover == crate::Team::Red { value } else { 1.0 - value };
        let expected = if expected.is_nan() { following } else { turned(expected) };
        following = if blind { expected } else { (1.0 - LAMBDA) * expected + LAMBDA * following };
        learned.push(Experience { position, target: turned(following) });
    }
    learned
}
