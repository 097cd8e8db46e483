//! The endgame: the bag is empty, hands are open, nothing is left to chance. Two players' endgames are searched
//! by alpha-beta for the final difference of scores.

use crate::{Action, State};
use ranka_core::{Actor, Fault, Keyed, Outcome, Position, Rng, Scale, Seat, Seed, Thinking, Thought};
use ranka_search::{AlphaBeta, DepthUnit, Evaluate, Found, Limits, Root, Transpositions};

/// When and how far to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closing {
    /// The most tiles left in both hands; 0 never searches.
    pub(crate) tiles: usize,
    /// The most positions.
    pub(crate) nodes: u64,
}

impl Closing {
    /// Whether the position is one to search.
    pub(crate) fn applies(self, state: &State) -> bool {
        let left = Seat::all(state.seats()).map(|seat| state.held(seat).len()).sum::<usize>();
        state.bag().is_empty() && state.seats() == 2 && left <= self.tiles
    }

    /// Searches all that is left, or as deep as the limit allows: every depth in turn.
    pub(crate) fn think(
        self,
        state: &State,
        thinking: &mut Thinking<'_, Action>,
    ) -> Result<Thought<Action>, Fault> {
        let mut limits = Limits::new(thinking.budget, thinking.cancel_flag());
        limits.count = limits.count.min(self.nodes);
        let mut search = AlphaBeta::new(Difference, DepthUnit::Action, Transpositions::with_mib(16));
        search.lines = false;
        let left = Seat::all(2).map(|seat| state.held(seat).len()).sum::<usize>() as u32;
        let found = search.search(&Closed(state.clone()), Root::Best, 1..=left.max(1), limits, &mut |_| ());
        let found = found.ok_or(Fault::Cancelled)?;
        Ok(found.thought(found.best().action, Scale::Margin, 1.0))
    }
}

/// The exact value of every action of an endgame of two, with its line; nothing before the bag is empty, or if that
/// takes more positions.
pub(crate) fn solved(state: &State, nodes: u64) -> Option<Found<Action>> {
    let closing = Closing { tiles: MOST_TILES, nodes };
    if !closing.applies(state) {
        return None;
    }
    let mut search = AlphaBeta::new(Difference, DepthUnit::Action, Transpositions::with_mib(16));
    let left = Seat::all(2).map(|seat| state.held(seat).len()).sum::<usize>() as u32;
    let found = search.search(
        &Closed(state.clone()),
        Root::Values,
        left.max(1)..=left.max(1),
        Limits::count(nodes),
        &mut |_| (),
    )?;
    found.stopped.is_none().then_some(found)
}

/// More tiles are never searched to the end.
const MOST_TILES: usize = 4;

/// A position whose key forgets the order of play: only what lies where, and who acts with what, matters.
#[derive(Clone)]
struct Closed(State);

impl Position for Closed {
    type Action = Action;

    fn seats(&self) -> usize {
        self.0.seats()
    }

    fn actor(&self) -> Actor {
        self.0.actor()
    }

    fn actions(&self, out: &mut Vec<Action>) {
        self.0.actions(out);
    }

    fn apply(&mut self, action: Action) {
        self.0.apply(action);
    }

    fn outcome(&self) -> Outcome {
        self.0.outcome()
    }

    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<Action>) -> Action {
        self.0.random_action(rng, scratch)
    }
}

impl Keyed for Closed {
    fn key(&self) -> u64 {
        let placed = self.0.played().iter().rev().take(12);
        // What was there before the endgame is the same in the whole search.
        let board = placed.fold(0u64, |key, action| key ^ Seed::new(u64::from(action.code())).at(1).value());
        let who = self.0.mover().index() as u64 | u64::from(self.0.freed()) << 8;
        let hands = Seed::new(self.0.held(Seat::FIRST).0).at(self.0.held(Seat::SECOND).0);
        hands.at(board).at(who).value()
    }
}

struct Difference;

impl Evaluate<Closed> for Difference {
    fn leaf(&self, position: &Closed, seat: Seat) -> i32 {
        position.0.margin(seat)
    }

    fn terminal(&self, position: &Closed, seat: Seat, _ply: u32) -> i32 {
        position.0.margin(seat)
    }

    /// Placements that help the one who makes them first.
    fn order(&self, position: &Closed, action: Action) -> i32 {
        action.placement().map_or(0, |placement| {
            let (own, other) = position.0.scores_after(placement, position.0.mover());
            own - other
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tantrix;
    use ranka_core::{Budget, Game};
    use std::sync::atomic::AtomicBool;

    /// The final difference for `seat` under best play, by plain minimax.
    fn minimax(state: &State, seat: Seat) -> i32 {
        let Actor::Seat(mover) = state.actor() else { return state.margin(seat) };
        let mut actions = Vec::new();
        state.actions(&mut actions);
        let values = actions.into_iter().map(|action| {
            let mut next = state.clone();
            next.apply(action);
            minimax(&next, seat)
        });
        if mover == seat { values.max() } else { values.min() }.expect("a seat that is to act has an action")
    }

    /// A random game until so many tiles are left.
    fn with_left(tiles: usize, rng: &mut Rng) -> State {
        let mut state = Tantrix::standard(2).start(rng);
        while state.unplayed().len() > tiles || state.actor() == Actor::Chance {
            let action = match state.actor() {
                Actor::Chance => state.draw(rng),
                _ => state.random_action(rng, &mut Vec::new()),
            };
            state.apply(action);
        }
        state
    }

    #[test]
    fn a_match_may_allow_fewer_positions() {
        let never = AtomicBool::new(false);
        let mut rng = Rng::new(Seed::new(1));
        let state = with_left(8, &mut rng);
        let closing = Closing { tiles: 8, nodes: 20_000 };
        let nodes = |budget| {
            let mut thinking = Thinking::new(rng.clone(), budget, &never);
            closing.think(&state, &mut thinking).expect("not cancelled").nodes
        };
        assert!(nodes(None) > 2_000, "{}", nodes(None));
        let budgets = [Budget::Nodes(500), Budget::Playouts(500)];
        assert!(budgets.into_iter().all(|budget| nodes(Some(budget)) <= 600));
    }

    #[test]
    fn the_search_is_plain_minimax() {
        let never = AtomicBool::new(false);
        for number in 0..30 {
            let mut rng = Rng::new(Seed::new(number));
            let state = with_left(3, &mut rng);
            let Actor::Seat(seat) = state.actor() else { continue };
            let closing = Closing { tiles: 3, nodes: 1_000_000 };
            assert!(closing.applies(&state));
            let mut thinking = Thinking::new(rng, None, &never);
            let thought = closing.think(&state, &mut thinking).expect("not cancelled");
            let mut next = state.clone();
            next.apply(thought.choice);
            assert_eq!(minimax(&next, seat), minimax(&state, seat), "{state:?}");
            assert_eq!(thought.candidates[0].value, f64::from(minimax(&state, seat)));
        }
    }
}
