//! A game in progress behind one face of text, for whoever sits people and agents at a table.

use crate::table::Thinker;
use crate::text_agent::write_thought;
use crate::{
    Actor, Complete, End, EndReason, Error, Fault, Game, Position, Seat, Settings, Table, TableDisplay,
    Thought, View,
};
use std::any::Any;

/// A [`Table`] in text with all its sides. Whoever needs but one of them asks for that one.
pub trait AnyTable: TableAgents + TableDisplay + TableTruth {}

impl<G: Complete> AnyTable for Table<G> {}

/// A [`Table`] for whoever runs the game: what its seats know, and what they do.
pub trait TablePlay: Send {
    /// Who acts.
    fn actor(&self) -> Actor;
    /// How many sit there.
    fn seats(&self) -> usize;
    /// The legal actions as a seat knows them.
    fn choices(&self, seat: Seat) -> Vec<String>;
    /// What a seat sees, on one line.
    fn view(&self, seat: Seat) -> String;
    /// What happened after the first `skip` actions, as a seat may see it: who acted (nobody is chance)
    /// and, unless hidden, how.
    fn heard(&self, seat: Seat, skip: usize) -> Vec<(Option<Seat>, Option<String>)>;
    /// Lets chance act, if it is its turn.
    fn draw(&mut self);
    /// Takes an action for the seat that is to act.
    fn act(&mut self, action: &str) -> Result<(), Error>;
    /// Takes an action again, whoever it belongs to.
    fn replay(&mut self, action: &str) -> Result<(), Error>;
    /// Ends the game because the seat that is to act answered with an action that is not legal, in these words.
    ///
    /// # Panics
    /// If no seat is to act.
    fn refuse(&mut self, answer: &str);
    /// Ends the game for a reason outside its rules. `to_blame` loses; without one everybody draws.
    fn stop(&mut self, reason: EndReason, to_blame: Option<Seat>, detail: Option<String>);
    /// How many actions the seats took.
    fn plies(&self) -> u32;
    /// The scores and the reason's name, once it is over.
    fn result(&self) -> Option<(Vec<f64>, &'static str)>;
    /// How it ended, once it is over.
    fn ending(&self) -> Option<End>;
}

/// A [`Table`] for whoever lets our agents play at it: the protocols, the terminal and the arena.
pub trait TableAgents: TablePlay {
    /// Lets the agent whose turn it is think and act.
    fn think(&mut self, settings: &Settings<'_>) -> Result<Thought<String>, Fault> {
        let thought = self.choose(settings)?;
        let illegal = |_| Fault::Protocol(format!("{} is not legal", thought.choice));
        self.act(&thought.choice).map_err(illegal).map(|()| thought)
    }
    /// Lets the agent whose turn it is think, and leaves it to the caller to act.
    fn choose(&mut self, settings: &Settings<'_>) -> Result<Thought<String>, Fault> {
        self.choose_aloud(settings, &mut |_| {})
    }
    /// The same, where `report` hears of progress.
    fn choose_aloud(
        &mut self,
        settings: &Settings<'_>,
        report: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, Fault>;
    /// Takes another position for the truth, one that looks the same to every seat with an agent.
    fn suppose(&mut self, position: &str) -> Result<(), Error>;
    /// What the agent of a seat has to say when all is over, or to a fault of its own.
    fn last_words(&mut self, seat: Seat) -> Option<String>;
    /// Lends the agent whose turn it is, so that it can think while others look at the table.
    fn lend(&mut self) -> Option<Box<dyn AnyThinker>>;
    /// Takes a lent agent back.
    fn welcome(&mut self, thinker: Box<dyn AnyThinker>);
}

/// A [`Thinker`] in text.
pub trait AnyThinker: Send {
    /// What its seat should do; `report` hears of progress.
    fn think(
        &mut self,
        settings: &Settings<'_>,
        report: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, Fault>;
    /// The way back to its table.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

/// A lent agent with the game that it needs to put its thoughts into words.
struct Lent<G: Game> {
    game: G,
    thinker: Thinker<G>,
}

impl<G: Complete> AnyThinker for Lent<G> {
    fn think(
        &mut self,
        settings: &Settings<'_>,
        report: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, Fault> {
        let game = &self.game;
        let mut listen = |thought: &Thought<G::Action>| report(&write_thought(game, thought));
        let thought = self.thinker.think(settings, Some(&mut listen))?;
        Ok(write_thought(game, &thought))
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

impl<G: Complete> TablePlay for Table<G> {
    fn actor(&self) -> Actor {
        Table::actor(self)
    }

    fn seats(&self) -> usize {
        Table::start(self).seats()
    }

    fn choices(&self, seat: Seat) -> Vec<String> {
        choices(self, seat).into_iter().map(|a| self.game().write_action(a)).collect()
    }

    fn view(&self, seat: Seat) -> String {
        self.game().write_view(Table::view(self, seat), seat)
    }

    fn heard(&self, seat: Seat, skip: usize) -> Vec<(Option<Seat>, Option<String>)> {
        let heard = Table::heard(self, seat).skip(skip);
        heard.map(|(by, action)| (by, action.map(|a| self.game().write_action(a)))).collect()
    }

    fn draw(&mut self) {
        Table::draw(self);
    }

    fn act(&mut self, action: &str) -> Result<(), Error> {
        let read = self.game().read_action(action.trim()).map_err(Error::from)?;
        Table::act(self, read).map_err(|_| refused(self, action, read))
    }

    fn replay(&mut self, action: &str) -> Result<(), Error> {
        let read = self.game().read_action(action.trim()).map_err(Error::from)?;
        Table::replay(self, read).map_err(|_| refused(self, action, read))
    }

    fn refuse(&mut self, answer: &str) {
        Table::refuse(self, answer.to_owned());
    }

    fn stop(&mut self, reason: EndReason, to_blame: Option<Seat>, detail: Option<String>) {
        Table::stop(self, reason, to_blame, detail);
    }

    fn plies(&self) -> u32 {
        Table::plies(self)
    }

    fn result(&self) -> Option<(Vec<f64>, &'static str)> {
        self.end().map(|(end, outcome)| (outcome.scores().to_vec(), end.reason.name()))
    }

    fn ending(&self) -> Option<End> {
        self.end().map(|(end, _)| end.clone())
    }
}

impl<G: Complete> TableAgents for Table<G> {
    fn choose_aloud(
        &mut self,
        settings: &Settings<'_>,
        report: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, Fault> {
        let game = self.game().clone();
        let mut listen = |thought: &Thought<G::Action>| report(&write_thought(&game, thought));
        let thought = Table::think(self, settings, Some(&mut listen))?;
        Ok(write_thought(self.game(), &thought))
    }

    fn suppose(&mut self, position: &str) -> Result<(), Error> {
        let place = || format!("{} position", G::INFO.name);
        let state = self.game().read_state(position.trim()).map_err(|e| Error::from(e).at(place()))?;
        let refuse = |_| Error::input("it does not look the same to the agents at the table").at(place());
        Table::suppose(self, state).map_err(refuse)
    }

    fn last_words(&mut self, seat: Seat) -> Option<String> {
        Table::last_words(self, seat)
    }

    fn lend(&mut self) -> Option<Box<dyn AnyThinker>> {
        let thinker = Table::lend(self)?;
        Some(Box::new(Lent { game: self.game().clone(), thinker }))
    }

    fn welcome(&mut self, thinker: Box<dyn AnyThinker>) {
        let lent = thinker.into_any().downcast::<Lent<G>>();
        Table::welcome(self, lent.expect("a lent agent comes back to a table of its game").thinker);
    }
}

/// What is true of a [`Table`], whoever knows it. Not for seats: records, tests and whoever keeps the game read it.
pub trait TableTruth: TablePlay {
    /// Whether an action that is about to be taken shows anybody what was hidden before.
    fn reveals(&self, action: &str) -> bool;
    /// The position at which it began: the whole truth, not for seats.
    fn start(&self) -> String;
    /// The position now: the whole truth, not for seats.
    fn position(&self) -> String;
    /// Every action so far, chance's included: the whole truth, not for seats.
    fn actions(&self) -> Vec<String>;
}

impl<G: Complete> TableTruth for Table<G> {
    fn reveals(&self, action: &str) -> bool {
        let action = self.game().read_action(action.trim());
        action.is_ok_and(|action| self.game().reveals(self.state(), action))
    }

    fn start(&self) -> String {
        self.game().write_state(Table::start(self))
    }

    fn position(&self) -> String {
        self.game().write_state(self.state())
    }

    fn actions(&self) -> Vec<String> {
        Table::actions(self).iter().map(|&action| self.game().write_action(action)).collect()
    }
}

/// What a seat may do now, as far as it knows.
pub(crate) fn choices<G: Game>(table: &Table<G>, seat: Seat) -> Vec<G::Action> {
    let mut choices = Vec::new();
    if table.actor() == Actor::Seat(seat) {
        table.view(seat).choices(&mut choices);
    }
    choices
}

fn refused<G: Complete>(table: &Table<G>, text: &str, action: G::Action) -> Error {
    let why = table.game().refusal(table.state(), action);
    Error::input(format!("{} is not legal: {why}", text.trim()))
}
