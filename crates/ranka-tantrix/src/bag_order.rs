//! A position whose bag has a known order: nothing is left to chance.

use crate::action::{Action, Deed};
use crate::rules::Tantrix;
use crate::state::State;
use crate::tiles::{TILES, Tile};
use ranka_core::{Actor, Outcome, Position, Rng};

/// A position with the order in which the rest of the bag will be drawn. Draws happen by themselves, right after
/// each placement.
#[derive(Clone)]
pub struct Ordered {
    state: State,
    order: [u8; TILES],
    next: u8,
}

impl Ordered {
    /// A whole game: six tiles to each seat in order, then the bag.
    pub fn deck(game: &Tantrix, deck: &[Tile]) -> Ordered {
        let state = game.dealt(deck);
        let bag = deck.len() - state.bag().len();
        Ordered::new(state, deck[bag..].iter().copied())
    }

    /// A position and the rest of its bag, in a random order.
    pub fn shuffled(state: State, rng: &mut Rng) -> Ordered {
        let mut order: Vec<Tile> = state.bag().iter().collect();
        rng.shuffle(&mut order);
        Ordered::new(state, order.into_iter())
    }

    fn new(state: State, bag: impl Iterator<Item = Tile>) -> Ordered {
        let mut order = [0; TILES];
        for (place, tile) in order.iter_mut().zip(bag) {
            *place = tile.number() as u8;
        }
        let mut ordered = Ordered { state, order, next: 0 };
        ordered.draw_if_due();
        ordered
    }

    /// The position.
    pub fn state(&self) -> &State {
        &self.state
    }

    fn draw_if_due(&mut self) {
        if self.state.actor() == Actor::Chance {
            let tile = Tile::new(usize::from(self.order[usize::from(self.next)]));
            self.next += 1;
            self.state.apply(Action::draw(tile));
        }
    }
}

impl Position for Ordered {
    type Action = Action;

    fn seats(&self) -> usize {
        self.state.seats()
    }

    fn actor(&self) -> Actor {
        self.state.actor()
    }

    fn actions(&self, out: &mut Vec<Action>) {
        self.state.actions(out);
    }

    fn apply(&mut self, action: Action) {
        debug_assert!(matches!(action.deed(), Deed::Place(_)), "draws happen by themselves");
        self.state.apply(action);
        self.draw_if_due();
    }

    fn outcome(&self) -> Outcome {
        self.state.outcome()
    }

    fn is_legal(&self, action: Action) -> bool {
        self.state.is_legal(action)
    }

    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<Action>) -> Action {
        self.state.random_action(rng, scratch)
    }
}
