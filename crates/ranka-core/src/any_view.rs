//! What a seat of any game sees, typed inside.

use crate::any_state::TypedView;
use crate::{Actor, AnyAgent, AnyState, Complete, Error, Look, Rng, Seat, Seed, Settings, Thought, View};
use std::any::Any;
use std::sync::Arc;

/// What one seat may know. It never changes.
pub trait AnyView: Send + Sync {
    /// Whose view it is.
    fn seat(&self) -> Seat;
    /// Who acts.
    fn turn(&self) -> Actor;
    /// The legal actions of its seat, if it is to act, in canonical order.
    fn choices(&self) -> Vec<String>;
    /// The numbers of those that have one, in the same order.
    fn choice_indices(&self) -> Vec<usize>;
    /// The number of an action of its seat.
    fn index(&self, action: &str) -> Result<usize, Error>;
    /// The action of its seat with this number, legal or not.
    fn action(&self, index: usize) -> Result<String, Error>;
    /// The view in text.
    fn notation(&self) -> String;
    /// A state that looks like this, drawn uniformly from all of them.
    fn sample(&self, seed: Seed) -> Arc<dyn AnyState>;
    /// All states that look like this; nothing where they are too many to list.
    fn worlds(&self) -> Option<Vec<Arc<dyn AnyState>>>;
    /// Writes what its seat observes; `out` has the layout's length.
    fn observe(&self, out: &mut [f32]);
    /// What it looks like, drawn.
    fn picture(&self, look: &Look) -> String;
    /// The board in a few lines of text.
    fn sketch(&self) -> String;
    /// What an agent would do, seated anew with this seed and told all that this seat was told: in a game of a match,
    /// where agents' seeds are those of the match, the same that it does there.
    fn think(
        &self,
        agent: &AnyAgent,
        seed: Seed,
        settings: &Settings<'_>,
        report: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, Error>;
    /// Whether both show the same to the same seat.
    fn equals(&self, other: &dyn AnyView) -> bool;
    /// The view of a known game.
    fn as_any(&self) -> &dyn Any;
}

impl<G: Complete> TypedView<G> {
    fn listed(&self) -> Vec<G::Action> {
        let mut choices = Vec::new();
        if self.view.turn() == Actor::Seat(self.seat) {
            self.view.choices(&mut choices);
        }
        choices
    }
}

impl<G: Complete> AnyView for TypedView<G> {
    fn seat(&self) -> Seat {
        self.seat
    }

    fn turn(&self) -> Actor {
        self.view.turn()
    }

    fn choices(&self) -> Vec<String> {
        self.listed().into_iter().map(|action| self.game.write_action(action)).collect()
    }

    fn choice_indices(&self) -> Vec<usize> {
        let number = |&action: &G::Action| self.game.action_index(&self.view, self.seat, action);
        self.listed().iter().filter_map(number).collect()
    }

    fn index(&self, action: &str) -> Result<usize, Error> {
        let place = || format!("{} action", G::INFO.name);
        let read = self.game.read_action(action.trim()).map_err(|e| Error::from(e).at(place()))?;
        let number = self.game.action_index(&self.view, self.seat, read);
        number.ok_or_else(|| Error::input(format!("{}: {} has no number here", place(), action.trim())))
    }

    fn action(&self, index: usize) -> Result<String, Error> {
        let action = self.game.indexed_action(&self.view, self.seat, index);
        let refuse = || {
            let (name, actions) = (G::INFO.name, self.game.layout().actions());
            Error::input(format!("{name} action number {index}: no action has it; there are {actions}"))
        };
        action.map(|action| self.game.write_action(action)).ok_or_else(refuse)
    }

    fn notation(&self) -> String {
        self.game.write_view(&self.view, self.seat)
    }

    fn sample(&self, seed: Seed) -> Arc<dyn AnyState> {
        self.world(self.view.sample(&mut Rng::new(seed)))
    }

    fn worlds(&self) -> Option<Vec<Arc<dyn AnyState>>> {
        let worlds = self.view.worlds()?;
        Some(worlds.into_iter().map(|state| self.world(state)).collect())
    }

    fn observe(&self, out: &mut [f32]) {
        self.observer.observe_view(&self.game, &self.view, out);
    }

    fn picture(&self, look: &Look) -> String {
        self.game.picture(&self.view, look, None)
    }

    fn sketch(&self) -> String {
        self.game.sketch(&self.view, self.seat)
    }

    fn think(
        &self,
        agent: &AnyAgent,
        seed: Seed,
        settings: &Settings<'_>,
        report: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, Error> {
        self.ask(agent, seed, settings, report)
    }

    fn equals(&self, other: &dyn AnyView) -> bool {
        let same = |other: &TypedView<G>| other.seat == self.seat && other.view == self.view;
        other.as_any().downcast_ref::<TypedView<G>>().is_some_and(same)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
