//! Networks as evaluators of a search: positions that remember what every seat has seen, and what a network says of them.

use crate::evaluator::Evaluator;
use crate::policy::softmax;
use ranka_core::{Actor, Encoding, MAX_SEATS, Outcome, Position, Rng, Seat, SeatObserver, Told, seen_by};
use ranka_search::{Eyes, Leaf, LeafEvaluator, SeatEyes};
use std::array;
use std::sync::Arc;

/// What every seat has seen so far, as far as one of them was told: where all observe the same, as in the five games, it is
/// what they have seen.
#[derive(Clone)]
pub struct SeatObservers<G: Encoding>([SeatObserver<G>; MAX_SEATS]);

impl<G: Encoding> SeatObservers<G> {
    /// At the start of a game.
    pub fn new(game: &G) -> SeatObservers<G> {
        SeatObservers(array::from_fn(|seat| SeatObserver::new(game, Seat::new(seat.min(game.seats() - 1)))))
    }

    /// Hears of something.
    pub fn told(&mut self, event: &Told<'_, G>) {
        self.0.iter_mut().for_each(|observer| observer.told(event));
    }
}

/// A state with what every seat has seen on the way to it.
#[derive(Clone)]
pub struct Observed<G: Encoding> {
    game: Arc<G>,
    state: G::State,
    observers: SeatObservers<G>,
}

impl<G: Encoding> Observed<G> {
    /// A state at which everybody has seen what `observers` say.
    pub fn new(game: Arc<G>, state: G::State, observers: SeatObservers<G>) -> Observed<G> {
        Observed { game, state, observers }
    }
}

impl<G: Encoding> Position for Observed<G> {
    type Action = G::Action;

    fn seats(&self) -> usize {
        self.state.seats()
    }

    fn actor(&self) -> Actor {
        self.state.actor()
    }

    fn actions(&self, out: &mut Vec<G::Action>) {
        self.state.actions(out);
    }

    fn apply(&mut self, action: G::Action) {
        let before = self.state.clone();
        self.state.apply(action);
        for observer in &mut self.observers.0[..before.seats()] {
            observer.follow(&self.game, &before, action, &self.state);
        }
    }

    fn outcome(&self) -> Outcome {
        self.state.outcome()
    }

    fn is_legal(&self, action: G::Action) -> bool {
        self.state.is_legal(action)
    }

    fn unlisted(&self, out: &mut Vec<G::Action>) {
        self.state.unlisted(out);
    }

    fn probability(&self, action: G::Action) -> f64 {
        self.state.probability(action)
    }

    fn draw(&self, rng: &mut Rng) -> G::Action {
        self.state.draw(rng)
    }
}

/// The eyes of a seat of a game whose positions are observed.
pub struct ObservedEyes<G>(pub SeatEyes<G>);

impl<G: Encoding> Eyes<Observed<G>> for ObservedEyes<G> {
    fn seen(&self, position: &Observed<G>, action: G::Action) -> Option<G::Action> {
        self.0.seen(&position.state, action)
    }

    fn look(&self, position: &Observed<G>) -> u64 {
        self.0.look(&position.state)
    }
}

/// A network that evaluates for a search: each position as the seat to act observes it.
pub struct NetworkLeafEvaluator {
    evaluator: Box<dyn Evaluator>,
    observation: Vec<f32>,
    logits: Vec<f32>,
}

impl NetworkLeafEvaluator {
    /// An evaluator by a network that was [read](crate::Network::read_for) for this game.
    pub fn new<G: Encoding>(evaluator: Box<dyn Evaluator>, game: &G) -> NetworkLeafEvaluator {
        NetworkLeafEvaluator {
            observation: vec![0.0; game.layout().observation_len()],
            logits: Vec::new(),
            evaluator,
        }
    }
}

impl<G: Encoding> LeafEvaluator<Observed<G>> for NetworkLeafEvaluator {
    fn evaluate(&mut self, leaves: &mut [Leaf<Observed<G>>]) {
        for leaf in leaves {
            let (Observed { game, state, observers }, seat) = (leaf.position(), leaf.seat());
            let (seats, view) = (state.seats(), seen_by(&**game, state, seat));
            observers.0[seat.index()].observe_view(game, &view, &mut self.observation);
            let answer = self.evaluator.evaluate(&self.observation);
            self.logits.clear();
            self.logits.extend(leaf.actions().iter().map(|&action| {
                let index = game.action_index(&view, seat, action);
                index.map_or(f32::NEG_INFINITY, |index| answer.logits[index])
            }));
            softmax(&mut self.logits);
            leaf.priors.clear();
            leaf.priors.extend(self.logits.iter().map(|&prior| f64::from(prior)));
            if seats == 2 {
                let score = f64::from(answer.score());
                leaf.values[seat.index()] = score;
                leaf.values[seat.other().index()] = 1.0 - score;
            } else {
                for (turn, &wins) in answer.outcome.iter().enumerate() {
                    leaf.values[(seat.index() + turn) % seats] = f64::from(wins);
                }
            }
        }
    }
}
