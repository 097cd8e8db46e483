//! States and views of any game, typed inside: what Python holds. An action is taken by its number without any text.

use crate::encoding::{Observer as _, SeatObserver, seen_by};
use crate::table::Thinker;
use crate::text_agent::write_thought;
use crate::{
    Actor, Agent, AnyAgent, AnyView, Complete, Error, Game, Look, Position, Rng, Seat, Seed, Settings,
    Thought, Told, View,
};
use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// A position with its past. It never changes: what an action leads to is another one.
///
/// A seat's actions are numbered as its [`Encoding`](crate::Encoding) does, chance's by their place in the list.
pub trait AnyState: Send + Sync {
    /// Who acts.
    fn actor(&self) -> Actor;
    /// How many play.
    fn seats(&self) -> usize;
    /// The legal actions in canonical order.
    fn legal(&self) -> Vec<String>;
    /// The numbers of those that have one, in the same order.
    fn legal_indices(&self) -> Vec<usize>;
    /// The probability of each legal action, where chance acts; else nothing.
    fn probabilities(&self) -> Vec<f64>;
    /// The number of an action of whoever acts.
    fn index(&self, action: &str) -> Result<usize, Error>;
    /// The action with this number, legal or not.
    fn action(&self, index: usize) -> Result<String, Error>;
    /// What an action leads to.
    fn after(&self, action: &str) -> Result<Arc<dyn AnyState>, Error>;
    /// The same by the action's number.
    fn after_index(&self, index: usize) -> Result<Arc<dyn AnyState>, Error>;
    /// How a seat sees an action that is about to be taken; nothing if the action is hidden from it.
    fn seen(&self, action: &str, seat: Seat) -> Result<Option<String>, Error>;
    /// What chance leads to: as it draws in the game that this state belongs to, or from a seed of its own.
    fn drawn(&self, seed: Option<Seed>) -> Result<Arc<dyn AnyState>, Error>;
    /// The score of each seat, once the game is over.
    fn outcome(&self) -> Option<Vec<f64>>;
    /// The position in text.
    fn notation(&self) -> String;
    /// The position at which its past begins.
    fn start(&self) -> String;
    /// What was done since, chance's actions included.
    fn history(&self) -> Vec<String>;
    /// How many of these the seats took.
    fn plies(&self) -> u32;
    /// What chance draws from.
    fn chance(&self) -> Seed;
    /// What a seat sees.
    fn view(self: Arc<Self>, seat: Seat) -> Result<Arc<dyn AnyView>, Error>;
    /// Writes what a seat observes; `out` has the layout's length.
    fn observe(&self, seat: Seat, out: &mut [f32]);
    /// Writes for each action whether it is legal for the seat that acts; all 0 where none does.
    fn mask(&self, out: &mut [u8]);
    /// The whole truth from the viewer's side, drawn.
    fn picture(&self, look: &Look) -> String;
    /// Whether both are the same position, whatever led to them.
    fn equals(&self, other: &dyn AnyState) -> bool;
    /// Equal positions have equal ones.
    fn hash_code(&self) -> u64;
    /// The state of a known game.
    fn as_any(&self) -> &dyn Any;
}

/// What happened, newest last, sharing what states, or views, have in common.
pub(crate) struct Trail<A>(Option<Arc<Link<A>>>);

struct Link<A> {
    action: A,
    before: Trail<A>,
}

impl<A> Clone for Trail<A> {
    fn clone(&self) -> Trail<A> {
        Trail(self.0.clone())
    }
}

impl<A: Clone> Trail<A> {
    pub(crate) fn new() -> Trail<A> {
        Trail(None)
    }

    pub(crate) fn and(&self, action: A) -> Trail<A> {
        Trail(Some(Arc::new(Link { action, before: self.clone() })))
    }

    fn oldest_first(&self) -> Vec<A> {
        let mut actions = Vec::new();
        let mut next = &self.0;
        while let Some(link) = next {
            actions.push(link.action.clone());
            next = &link.before.0;
        }
        actions.reverse();
        actions
    }
}

/// Link by link: a long game must not need a deep stack.
impl<A> Drop for Trail<A> {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.before.0.take();
        }
    }
}

/// A state of a known game.
pub(crate) struct TypedState<G: Complete> {
    pub(crate) game: Arc<G>,
    state: G::State,
    start: Arc<G::State>,
    trail: Trail<G::Action>,
    /// What each seat keeps of what it was told; nothing where views tell everything.
    observers: Vec<SeatObserver<G>>,
    chance: Seed,
    plies: u32,
    draws: u64,
}

impl<G: Complete> TypedState<G> {
    /// A state without a past, in which chance draws from `chance`.
    pub(crate) fn new(game: Arc<G>, state: G::State, chance: Seed) -> TypedState<G> {
        let observed = if G::Observer::REMEMBERS { state.seats() } else { 0 };
        let observers = Seat::all(observed).map(|seat| SeatObserver::new(&*game, seat)).collect();
        let start = Arc::new(state.clone());
        TypedState { game, state, start, trail: Trail::new(), observers, chance, plies: 0, draws: 0 }
    }

    fn advanced(&self, action: G::Action) -> Arc<dyn AnyState> {
        let mut state = self.state.clone();
        state.apply(action);
        let mut observers = self.observers.clone();
        for observer in &mut observers {
            observer.follow(&self.game, &self.state, action, &state);
        }
        let by_chance = self.state.actor() == Actor::Chance;
        Arc::new(TypedState {
            game: Arc::clone(&self.game),
            state,
            start: Arc::clone(&self.start),
            trail: self.trail.and(action),
            observers,
            chance: self.chance,
            plies: self.plies + u32::from(!by_chance),
            draws: self.draws + u64::from(by_chance),
        })
    }

    fn actions(&self) -> Vec<G::Action> {
        let mut actions = Vec::new();
        self.state.actions(&mut actions);
        actions
    }

    fn numbered(&self, index: usize) -> Option<G::Action> {
        match self.state.actor() {
            Actor::Seat(seat) => {
                self.game.indexed_action(&seen_by(&*self.game, &self.state, seat), seat, index)
            }
            Actor::Chance => self.actions().get(index).copied(),
            Actor::Over => None,
        }
    }

    /// A number that means nothing to whoever acts.
    fn no_number(&self, index: usize) -> Error {
        let name = G::INFO.name;
        let why = match self.state.actor() {
            Actor::Over => "the game is over".to_owned(),
            Actor::Chance => format!("chance has {} outcomes", self.actions().len()),
            Actor::Seat(_) => format!("no action has it; there are {}", self.game.layout().actions()),
        };
        Error::input(format!("{name} action number {index}: {why}"))
    }

    fn read(&self, text: &str) -> Result<G::Action, Error> {
        let read = self.game.read_action(text.trim());
        read.map_err(|e| Error::from(e).at(format!("{} action", G::INFO.name)))
    }

    fn legal_only(&self, action: G::Action) -> Result<(), Error> {
        if self.state.is_legal(action) {
            return Ok(());
        }
        let (name, why) = (G::INFO.name, self.game.refusal(&self.state, action));
        Err(Error::input(format!("{name} action: {} is not legal: {why}", self.game.write_action(action))))
    }

    /// The observer of a seat.
    fn observer(&self, seat: Seat) -> SeatObserver<G> {
        self.observers.get(seat.index()).cloned().unwrap_or_else(|| SeatObserver::new(&*self.game, seat))
    }
}

impl<G: Complete> AnyState for TypedState<G> {
    fn actor(&self) -> Actor {
        self.state.actor()
    }

    fn seats(&self) -> usize {
        self.state.seats()
    }

    fn legal(&self) -> Vec<String> {
        self.actions().into_iter().map(|action| self.game.write_action(action)).collect()
    }

    fn legal_indices(&self) -> Vec<usize> {
        let actions = self.actions();
        match self.state.actor() {
            Actor::Seat(seat) => {
                let view = seen_by(&*self.game, &self.state, seat);
                actions.iter().filter_map(|&action| self.game.action_index(&view, seat, action)).collect()
            }
            _ => (0..actions.len()).collect(),
        }
    }

    fn probabilities(&self) -> Vec<f64> {
        let chance = self.state.actor() == Actor::Chance;
        let actions = if chance { self.actions() } else { Vec::new() };
        actions.into_iter().map(|action| self.state.probability(action)).collect()
    }

    fn index(&self, action: &str) -> Result<usize, Error> {
        let read = self.read(action)?;
        let found = match self.state.actor() {
            Actor::Seat(seat) => self.game.action_index(&seen_by(&*self.game, &self.state, seat), seat, read),
            _ => self.actions().iter().position(|&other| other == read),
        };
        let refuse =
            || Error::input(format!("{} action: {} has no number here", G::INFO.name, action.trim()));
        found.ok_or_else(refuse)
    }

    fn action(&self, index: usize) -> Result<String, Error> {
        let action = self.numbered(index).ok_or_else(|| self.no_number(index))?;
        Ok(self.game.write_action(action))
    }

    fn after(&self, action: &str) -> Result<Arc<dyn AnyState>, Error> {
        let action = self.read(action)?;
        self.legal_only(action)?;
        Ok(self.advanced(action))
    }

    fn seen(&self, action: &str, seat: Seat) -> Result<Option<String>, Error> {
        let action = self.read(action)?;
        let seen = self.game.seen(&self.state, action, seat);
        Ok(seen.map(|action| self.game.write_action(action)))
    }

    fn after_index(&self, index: usize) -> Result<Arc<dyn AnyState>, Error> {
        let action = self.numbered(index).ok_or_else(|| self.no_number(index))?;
        self.legal_only(action)?;
        Ok(self.advanced(action))
    }

    fn drawn(&self, seed: Option<Seed>) -> Result<Arc<dyn AnyState>, Error> {
        if self.state.actor() != Actor::Chance {
            return Err(Error::input(format!("{} position: chance is not to act", G::INFO.name)));
        }
        // As a table draws.
        let seed = seed.unwrap_or_else(|| self.chance.at(self.draws));
        Ok(self.advanced(self.state.draw(&mut Rng::new(seed))))
    }

    fn outcome(&self) -> Option<Vec<f64>> {
        self.state.actor().is_over().then(|| self.state.outcome().scores().to_vec())
    }

    fn notation(&self) -> String {
        self.game.write_state(&self.state)
    }

    fn start(&self) -> String {
        self.game.write_state(&self.start)
    }

    fn history(&self) -> Vec<String> {
        self.trail.oldest_first().into_iter().map(|action| self.game.write_action(action)).collect()
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn chance(&self) -> Seed {
        self.chance
    }

    fn view(self: Arc<Self>, seat: Seat) -> Result<Arc<dyn AnyView>, Error> {
        if seat.index() >= self.state.seats() {
            return Err(Error::input(format!("seat {seat}: this position has {} seats", self.state.seats())));
        }
        let (game, view) = (Arc::clone(&self.game), self.game.view(&self.state, seat));
        Ok(Arc::new(TypedView { observer: self.observer(seat), game, seat, view, past: Past::Of(self) }))
    }

    fn observe(&self, seat: Seat, out: &mut [f32]) {
        match self.observers.get(seat.index()) {
            Some(observer) => observer.observe(&self.game, &self.state, out),
            None => SeatObserver::new(&*self.game, seat).observe(&self.game, &self.state, out),
        }
    }

    fn mask(&self, out: &mut [u8]) {
        out.fill(0);
        if self.state.actor().seat().is_some() {
            self.legal_indices().into_iter().for_each(|index| out[index] = 1);
        }
    }

    fn picture(&self, look: &Look) -> String {
        self.game.picture(&self.game.unveiled(&self.state, look.viewer), look, None)
    }

    fn equals(&self, other: &dyn AnyState) -> bool {
        other.as_any().downcast_ref::<TypedState<G>>().is_some_and(|other| other.state == self.state)
    }

    fn hash_code(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.state.hash(&mut hasher);
        hasher.finish()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What a seat of a known game sees.
pub(crate) struct TypedView<G: Complete> {
    pub(crate) game: Arc<G>,
    pub(crate) seat: Seat,
    pub(crate) view: G::View,
    pub(crate) observer: SeatObserver<G>,
    /// Only to tell agents at this seat what it was told.
    past: Past<G>,
}

/// What led to a view.
enum Past<G: Complete> {
    Unknown,
    /// That of the state that it shows: the whole truth, of which agents hear what the seat may know.
    Of(Arc<TypedState<G>>),
    /// What the seat was told.
    Told(Trail<Arc<Heard<G>>>),
}

/// A [`Told`] that is kept.
pub(crate) struct Heard<G: Game> {
    by: Option<Seat>,
    action: Option<G::Action>,
    before: G::View,
    after: G::View,
}

impl<G: Game> Heard<G> {
    pub(crate) fn of(event: &Told<'_, G>) -> Heard<G> {
        let Told { by, action, before, after } = *event;
        Heard { by, action, before: before.clone(), after: after.clone() }
    }

    fn told(&self) -> Told<'_, G> {
        Told { by: self.by, action: self.action, before: &self.before, after: &self.after }
    }
}

impl<G: Complete> TypedView<G> {
    /// A view of which nothing else is known.
    pub(crate) fn alone(game: Arc<G>, seat: Seat, view: G::View) -> TypedView<G> {
        TypedView { observer: SeatObserver::new(&*game, seat), game, seat, view, past: Past::Unknown }
    }

    /// A view, what its seat's observations keep of the past, and all that it was told.
    pub(crate) fn observed(
        game: Arc<G>,
        view: G::View,
        observer: SeatObserver<G>,
        told: Trail<Arc<Heard<G>>>,
    ) -> TypedView<G> {
        TypedView { game, seat: observer.seat(), view, observer, past: Past::Told(told) }
    }

    /// A state that looks like this, without a past.
    pub(crate) fn world(&self, state: G::State) -> Arc<dyn AnyState> {
        Arc::new(TypedState::new(Arc::clone(&self.game), state, Seed::new(0)))
    }

    /// Tells a new agent all that this seat was told, and how many decisions that were.
    fn tell(&self, player: &mut Box<dyn Agent<G>>) -> u32 {
        match &self.past {
            Past::Unknown => 0,
            Past::Of(truth) => {
                let (game, mut after) = (&self.game, (*truth.start).clone());
                for action in truth.trail.oldest_first() {
                    let before = after.clone();
                    after.apply(action);
                    player.told(&Told {
                        by: before.actor().seat(),
                        action: game.seen(&before, action, self.seat),
                        before: &*seen_by(&**game, &before, self.seat),
                        after: &*seen_by(&**game, &after, self.seat),
                    });
                }
                truth.plies
            }
            Past::Told(trail) => {
                let heard = trail.oldest_first();
                heard.iter().for_each(|event| player.told(&event.told()));
                heard.iter().filter(|event| event.by.is_some()).count() as u32
            }
        }
    }

    /// Lets a new agent, told all that this seat was told, think.
    pub(crate) fn ask(
        &self,
        agent: &AnyAgent,
        seed: Seed,
        settings: &Settings<'_>,
        report: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, Error> {
        if self.view.turn() != Actor::Seat(self.seat) {
            return Err(Error::input(format!("{} view: seat {} is not to act", G::INFO.name, self.seat)));
        }
        let mut player = agent.seated::<G>(self.seat, seed);
        let plies = self.tell(&mut player);
        let mut thinker = Thinker::new(self.seat, player, seed, self.view.clone(), plies);
        let mut listen = |thought: &Thought<G::Action>| report(&write_thought(&*self.game, thought));
        let thought = thinker.think(settings, Some(&mut listen));
        let thought = thought.map_err(|fault| agent.failed(&fault, thinker.last_words()))?;
        Ok(write_thought(&*self.game, &thought))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_games_are_forgotten_without_a_deep_stack() {
        let forget = || {
            let (mut trail, mut kept) = (Trail::new(), Trail::new());
            for ply in 0..1_000_000 {
                trail = trail.and(ply);
                if ply == 9 {
                    kept = trail.clone();
                }
            }
            drop(trail);
            assert_eq!(kept.oldest_first(), (0..10).collect::<Vec<_>>(), "what others share stays");
        };
        std::thread::Builder::new().stack_size(128 << 10).spawn(forget).unwrap().join().unwrap();
    }
}
