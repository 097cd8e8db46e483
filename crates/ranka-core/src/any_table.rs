//! A game in progress behind one face of text, for whoever sits people and agents at a table.

use crate::any::text_thought;
use crate::table::Thinker;
use crate::{
    Actor, Complete, EndReason, Error, Fault, Game, Look, Message, Position, Rng, Seat, Seed, Settings,
    Table, TextThought, Thought, View,
};
use std::any::Any;

/// A [`Table`] in text.
pub trait AnyTable: Send {
    /// Who acts.
    fn actor(&self) -> Actor;
    /// How many sit there.
    fn seats(&self) -> usize;
    /// Lets chance act, if it is its turn.
    fn draw(&mut self);
    /// The legal actions as a seat knows them.
    fn choices(&self, seat: Seat) -> Vec<String>;
    /// The same with what a person touches to take them, and what comes of them.
    fn offers(&self, seat: Seat) -> Vec<Offer>;
    /// What a seat that is to act is asked for, by how many elements it has touched.
    fn asks(&self, seat: Seat) -> Vec<&'static str>;
    /// The picture after an action of the seat that is to act, as far as that seat can know it: nothing if the
    /// action would reveal something, or is not legal.
    fn preview(&self, look: &Look, action: &str) -> Option<String>;
    /// What a seat will hear of an action that is about to be taken; nothing if the action is hidden from it.
    fn message(&self, seat: Seat, action: &str) -> Option<Message>;
    /// What a seat sees, on one line.
    fn view(&self, seat: Seat) -> String;
    /// What a seat sees, in a few lines for the terminal.
    fn sketch(&self, seat: Seat) -> String;
    /// What the viewer of the look sees, drawn.
    fn picture(&self, look: &Look) -> String;
    /// The whole truth from the viewer's side, drawn: for after the end.
    fn unveiled(&self, look: &Look) -> String;
    /// The colour in which a seat's things are drawn for a viewer.
    fn colour(&self, viewer: Seat, seat: Seat) -> &'static str;
    /// What happened after the first `skip` actions, as a seat may see it: who acted (nobody is chance)
    /// and, unless hidden, how.
    fn heard(&self, seat: Seat, skip: usize) -> Vec<(Option<Seat>, Option<String>)>;
    /// What somebody without a seat sees, drawn; nothing where the game shows them nothing.
    fn onlooker(&self, look: &Look) -> Option<String>;
    /// What somebody without a seat will hear of an action that is about to be taken.
    fn onlooker_message(&self, action: &str) -> Option<Message>;
    /// What happened, as far as all seats have seen it: who acted (nobody is chance) and, unless hidden, how.
    fn heard_by_all(&self) -> Vec<(Option<Seat>, Option<String>)>;
    /// Takes an action for the seat that is to act.
    fn act(&mut self, action: &str) -> Result<(), Error>;
    /// Takes an action again, whoever it belongs to.
    fn replay(&mut self, action: &str) -> Result<(), Error>;
    /// Whether an action that is about to be taken shows anybody what was hidden before.
    fn reveals(&self, action: &str) -> bool;
    /// Lets the agent whose turn it is think and act.
    fn think(&mut self, settings: &Settings<'_>) -> Result<TextThought, Fault> {
        let thought = self.choose(settings)?;
        let illegal = |_| Fault::Protocol(format!("{} is not legal", thought.choice));
        self.act(&thought.choice).map_err(illegal).map(|()| thought)
    }
    /// Lets the agent whose turn it is think, and leaves it to the caller to act.
    fn choose(&mut self, settings: &Settings<'_>) -> Result<TextThought, Fault> {
        self.choose_aloud(settings, &mut |_| {})
    }
    /// The same, where `report` hears of progress.
    fn choose_aloud(
        &mut self,
        settings: &Settings<'_>,
        report: &mut dyn FnMut(&TextThought),
    ) -> Result<TextThought, Fault>;
    /// Takes another position for the truth, one that looks the same to every seat with an agent.
    fn suppose(&mut self, position: &str) -> Result<(), Error>;
    /// What the agent of a seat has to say when all is over, or to a fault of its own.
    fn last_words(&mut self, seat: Seat) -> Option<String>;
    /// Lends the agent whose turn it is, so that it can think while others look at the table.
    fn lend(&mut self) -> Option<Box<dyn AnyThinker>>;
    /// Takes a lent agent back.
    fn welcome(&mut self, thinker: Box<dyn AnyThinker>);
    /// Ends the game for a reason outside its rules. `to_blame` loses; without one everybody draws.
    fn stop(&mut self, reason: EndReason, to_blame: Option<Seat>, detail: Option<String>);
    /// The position at which it began: the whole truth, not for seats.
    fn start(&self) -> String;
    /// The position now: the whole truth, not for seats.
    fn position(&self) -> String;
    /// Every action so far, chance's included: the whole truth, not for seats.
    fn actions(&self) -> Vec<String>;
    /// How many of them the seats took.
    fn plies(&self) -> u32;
    /// The scores and the reason's name, once it is over.
    fn result(&self) -> Option<(Vec<f64>, &'static str)>;
}

/// A [`Thinker`] in text.
pub trait AnyThinker: Send {
    /// What its seat should do; `report` hears of progress.
    fn think(
        &mut self,
        settings: &Settings<'_>,
        report: &mut dyn FnMut(&TextThought),
    ) -> Result<TextThought, Fault>;
    /// The way back to its table.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

/// A legal action as it is offered to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The action.
    pub action: String,
    /// The elements of the picture that are touched to take it, in order.
    pub clicks: Vec<String>,
    /// What comes of it; empty where the notation says enough.
    pub says: Message,
    /// What is written at elements of the picture while it is considered.
    pub marks: Vec<(String, String)>,
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
        report: &mut dyn FnMut(&TextThought),
    ) -> Result<TextThought, Fault> {
        let game = &self.game;
        let mut listen = |thought: &Thought<G::Action>| report(&text_thought(game, thought));
        let thought = self.thinker.think(settings, Some(&mut listen))?;
        Ok(text_thought(game, &thought))
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

impl<G: Complete> AnyTable for Table<G> {
    fn actor(&self) -> Actor {
        Table::actor(self)
    }

    fn seats(&self) -> usize {
        Table::start(self).seats()
    }

    fn draw(&mut self) {
        Table::draw(self);
    }

    fn choices(&self, seat: Seat) -> Vec<String> {
        choices(self, seat).into_iter().map(|a| self.game().write_action(a)).collect()
    }

    fn offers(&self, seat: Seat) -> Vec<Offer> {
        let (game, view) = (self.game(), Table::view(self, seat));
        let offer = |action| {
            let foresight = game.foresee(view, action);
            Offer {
                action: game.write_action(action),
                clicks: game.clicks(view, action),
                says: foresight.says,
                marks: foresight.marks,
            }
        };
        offered(self, seat).into_iter().map(offer).collect()
    }

    fn asks(&self, seat: Seat) -> Vec<&'static str> {
        let (game, view) = (self.game(), Table::view(self, seat));
        let longest = offered(self, seat).into_iter().map(|action| game.clicks(view, action).len()).max();
        (0..longest.unwrap_or(0)).map(|touched| game.ask(view, touched)).collect()
    }

    fn preview(&self, look: &Look, action: &str) -> Option<String> {
        let (game, seat) = (self.game(), look.viewer);
        let action =
            game.read_action(action.trim()).ok().filter(|action| offered(self, seat).contains(action))?;
        // Any state that looks the same to the seat will do: what the action does not reveal, all of them share.
        let mut state = Table::view(self, seat).sample(&mut Rng::new(Seed::new(0)));
        if game.reveals(&state, action) {
            return None;
        }
        state.apply(action);
        Some(game.picture(&game.view(&state, seat), look, Some((seat, action))))
    }

    fn message(&self, seat: Seat, action: &str) -> Option<Message> {
        let action = self.game().read_action(action.trim()).ok()?;
        let seen = self.game().seen(self.state(), action, seat)?;
        Some(self.game().foresee(Table::view(self, seat), seen).says)
    }

    fn view(&self, seat: Seat) -> String {
        self.game().write_view(Table::view(self, seat), seat)
    }

    fn sketch(&self, seat: Seat) -> String {
        self.game().sketch(Table::view(self, seat), seat)
    }

    fn picture(&self, look: &Look) -> String {
        self.game().picture(Table::view(self, look.viewer), look, self.last_seen(look.viewer))
    }

    fn unveiled(&self, look: &Look) -> String {
        let view = self.game().unveiled(self.state(), look.viewer);
        self.game().picture(&view, look, self.last_seen(look.viewer))
    }

    fn colour(&self, viewer: Seat, seat: Seat) -> &'static str {
        self.game().colour(Table::view(self, viewer), seat)
    }

    fn heard(&self, seat: Seat, skip: usize) -> Vec<(Option<Seat>, Option<String>)> {
        let heard = Table::heard(self, seat).skip(skip);
        heard.map(|(by, action)| (by, action.map(|a| self.game().write_action(a)))).collect()
    }

    fn onlooker(&self, look: &Look) -> Option<String> {
        let view = Table::onlooker(self)?;
        let last = Table::heard_by_all(self).rev().find_map(|(by, action)| Some((by?, action)));
        let last = last.and_then(|(by, action)| Some((by, action?)));
        Some(self.game().picture(&view, look, last))
    }

    fn onlooker_message(&self, action: &str) -> Option<Message> {
        let (view, action) = (Table::onlooker(self)?, self.game().read_action(action.trim()).ok()?);
        let seen = |seat| self.game().seen(self.state(), action, seat);
        let by_all = seen(Seat::FIRST)
            .filter(|_| Seat::all(self.seats()).all(|seat| seen(seat) == seen(Seat::FIRST)))?;
        Some(self.game().foresee(&view, by_all).says)
    }

    fn heard_by_all(&self) -> Vec<(Option<Seat>, Option<String>)> {
        let heard = Table::heard_by_all(self);
        heard.map(|(by, action)| (by, action.map(|a| self.game().write_action(a)))).collect()
    }

    fn act(&mut self, action: &str) -> Result<(), Error> {
        let read = self.game().read_action(action.trim()).map_err(Error::from)?;
        Table::act(self, read).map_err(|_| refused(self, action, read))
    }

    fn replay(&mut self, action: &str) -> Result<(), Error> {
        let read = self.game().read_action(action.trim()).map_err(Error::from)?;
        Table::replay(self, read).map_err(|_| refused(self, action, read))
    }

    fn reveals(&self, action: &str) -> bool {
        let action = self.game().read_action(action.trim());
        action.is_ok_and(|action| self.game().reveals(self.state(), action))
    }

    fn choose_aloud(
        &mut self,
        settings: &Settings<'_>,
        report: &mut dyn FnMut(&TextThought),
    ) -> Result<TextThought, Fault> {
        let game = self.game().clone();
        let mut listen = |thought: &Thought<G::Action>| report(&text_thought(&game, thought));
        let thought = Table::think(self, settings, Some(&mut listen))?;
        Ok(text_thought(self.game(), &thought))
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

    fn stop(&mut self, reason: EndReason, to_blame: Option<Seat>, detail: Option<String>) {
        Table::stop(self, reason, to_blame, detail);
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

    fn plies(&self) -> u32 {
        Table::plies(self)
    }

    fn result(&self) -> Option<(Vec<f64>, &'static str)> {
        self.end().map(|(end, outcome)| (outcome.scores().to_vec(), end.reason.name()))
    }
}

/// What a seat may do now, as far as it knows.
fn choices<G: Game>(table: &Table<G>, seat: Seat) -> Vec<G::Action> {
    let mut choices = Vec::new();
    if table.actor() == Actor::Seat(seat) {
        table.view(seat).choices(&mut choices);
    }
    choices
}

/// The same with what is legal though no list has it, which a person may want.
fn offered<G: Complete>(table: &Table<G>, seat: Seat) -> Vec<G::Action> {
    let mut offered = choices(table, seat);
    if !offered.is_empty() {
        offered.extend(table.game().offers_besides(table.view(seat)));
    }
    offered
}

fn refused<G: Complete>(table: &Table<G>, text: &str, action: G::Action) -> Error {
    let why = table.game().refusal(table.state(), action);
    Error::input(format!("{} is not legal: {why}", text.trim()))
}
