//! Agents of a caller's own, which are handed views of any game: one kind plays them all.

use crate::any_state::{Heard, Trail, TypedView};
use crate::encoding::SeatObserver;
use crate::record::End;
use crate::text_agent::read_thought;
use crate::{Agent, AnyView, Complete, Fault, Maker, Outcome, Seat, Seed, Thinking, Thought, Told, View};
use std::sync::Arc;

/// Makes players for the seats of games.
pub trait ViewMaker: Send + Sync {
    /// A player for `seat`, new to its game. One that cannot come says why when it is asked to think.
    fn seat(&self, seat: Seat, seed: Seed) -> Box<dyn ViewAgent>;
}

/// A player of one seat in one game. What holds for an [`Agent`] holds for it.
pub trait ViewAgent: Send {
    /// Chooses one of the view's choices, or an action that is legal though not listed, in the game's notation.
    fn think(
        &mut self,
        view: Arc<dyn AnyView>,
        thinking: &mut Thinking<'_, String>,
    ) -> Result<Thought<String>, Fault>;

    /// Whether it wants to be told anything.
    fn listens(&self) -> bool;

    /// Hears of an action of anybody, if it listens.
    fn told(&mut self, event: ViewTold);

    /// Hears that the game is over.
    fn over(&mut self, _end: &End, _outcome: &Outcome) {}
}

/// A [`Told`] of any game.
pub struct ViewTold {
    /// The seat that acted; nobody when it was chance.
    pub by: Option<Seat>,
    /// What it did; nothing when that is hidden from the listener.
    pub action: Option<String>,
    /// The listener's view before.
    pub before: Arc<dyn AnyView>,
    /// The listener's view after.
    pub after: Arc<dyn AnyView>,
}

/// Seats them at tables of ours.
pub(crate) struct FromViews<G> {
    pub(crate) game: Arc<G>,
    pub(crate) maker: Arc<dyn ViewMaker>,
}

impl<G: Complete> Maker<G> for FromViews<G> {
    fn seat(&self, seat: Seat, seed: Seed) -> Result<Box<dyn Agent<G>>, Fault> {
        let agent = self.maker.seat(seat, seed);
        let (game, observer) = (Arc::clone(&self.game), SeatObserver::new(&*self.game, seat));
        Ok(Box::new(Seeing { game, agent, observer, heard: Trail::new(), doubt: None }))
    }
}

/// One of them at a table of ours.
struct Seeing<G: Complete> {
    game: Arc<G>,
    agent: Box<dyn ViewAgent>,
    /// What its observations keep of the past.
    observer: SeatObserver<G>,
    /// All that it was told, for agents of ours that it asks about its views.
    heard: Trail<Arc<Heard<G>>>,
    /// Why its last answer may be illegal.
    doubt: Option<String>,
}

impl<G: Complete> Seeing<G> {
    fn sees(&self, view: &G::View) -> Arc<dyn AnyView> {
        let (game, observer) = (Arc::clone(&self.game), self.observer.clone());
        Arc::new(TypedView::observed(game, view.clone(), observer, self.heard.clone()))
    }
}

impl<G: Complete> Agent<G> for Seeing<G> {
    fn think(
        &mut self,
        view: &G::View,
        thinking: &mut Thinking<'_, G::Action>,
    ) -> Result<Thought<G::Action>, Fault> {
        let mut choices = Vec::new();
        view.choices(&mut choices);
        let (rng, budget, limit) = (thinking.rng.clone(), thinking.budget, thinking.limit);
        let mut aloud = Thinking::new(rng, budget, thinking.cancel_flag()).limited(limit);
        let answer = self.agent.think(self.sees(view), &mut aloud)?;
        let thought = read_thought(&*self.game, &choices, &answer)?;
        self.doubt = (!choices.contains(&thought.choice))
            .then(|| format!("{}: {}", answer.choice, self.game.why_illegal(view, thought.choice)));
        Ok(thought)
    }

    fn told(&mut self, event: &Told<'_, G>) {
        self.doubt = None;
        let before = self.agent.listens().then(|| self.sees(event.before));
        self.observer.told(event);
        self.heard = self.heard.and(Arc::new(Heard::of(event)));
        if let Some(before) = before {
            let action = event.action.map(|action| self.game.write_action(action));
            self.agent.told(ViewTold { by: event.by, action, before, after: self.sees(event.after) });
        }
    }

    fn over(&mut self, end: &End, outcome: &Outcome) {
        self.agent.over(end, outcome);
    }

    fn last_words(&mut self) -> Option<String> {
        self.doubt.take()
    }
}
