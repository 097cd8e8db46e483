//! Agents that are spoken to in text. One that lives outside this process, and knows no game's types, plays every game;
//! and each of our own agents can be spoken to in text elsewhere.

use crate::record::End;
use crate::{
    Actor, Agent, Candidate, Complete, Error, Fault, Maker, Notation, Outcome, Param, Params, Rng, Seat,
    Seed, Thinking, Thought, Told, View,
};
use std::sync::Arc;

/// A kind of text agent, as the catalogue offers it beside every game's own agents.
#[derive(Clone, Copy)]
pub struct TextAgentKind {
    /// The name by which people call it.
    pub name: &'static str,
    /// Raised whenever its choices change: results of different versions are not mixed.
    pub version: u32,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Its parameters.
    pub params: fn() -> Vec<Param>,
    /// Prepares it for a game.
    pub build: fn(&Params, &GameSpec) -> Result<Arc<dyn TextMaker>, Error>,
}

/// What a text agent is told of the game that it is to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSpec {
    /// The game's name.
    pub name: &'static str,
    /// The version of its rules.
    pub version: u32,
    /// All options as `key=value,…`.
    pub rules: String,
    /// How many play.
    pub seats: usize,
}

/// A text agent whose parameters are good: it makes a player for a seat of a game.
pub trait TextMaker: Send + Sync {
    /// A player for `seat`, new to its game. One that cannot come says why when it is asked to think.
    fn seat(&self, seat: Seat, seed: Seed) -> Box<dyn TextAgent>;

    /// What results change with beside the parameters: a digest of a program, say.
    fn identity(&self) -> String {
        String::new()
    }

    /// What it is called, if it has a name of its own: asked once, when it is prepared.
    fn name(&self) -> Option<String> {
        None
    }
}

/// A player of one seat in one game that speaks the game's notation. What holds for an [`Agent`] holds for it.
pub trait TextAgent: Send {
    /// Chooses one of `choices`, or an action that is legal though not listed.
    fn think(
        &mut self,
        view: &str,
        choices: &[String],
        thinking: &mut Thinking<'_, String>,
    ) -> Result<Thought<String>, Fault>;

    /// Hears of an action of anybody.
    fn told(&mut self, event: &TextTold<'_>);

    /// Hears that the game is over.
    fn over(&mut self, _end: &End, _outcome: &Outcome) {}

    /// What the record should keep beside the game, asked when it is over or after a fault.
    fn last_words(&mut self) -> Option<String> {
        None
    }
}

/// A [`Told`] in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextTold<'a> {
    /// The seat that acted; nobody when it was chance.
    pub by: Option<Seat>,
    /// What it did; nothing when that is hidden from the listener.
    pub action: Option<&'a str>,
    /// The listener's view before.
    pub before: &'a str,
    /// The listener's view after.
    pub after: &'a str,
}

/// Seats text agents at tables of ours.
pub(crate) struct FromText<G> {
    pub(crate) game: G,
    pub(crate) maker: Arc<dyn TextMaker>,
}

impl<G: Complete> Maker<G> for FromText<G> {
    fn seat(&self, seat: Seat, seed: Seed) -> Result<Box<dyn Agent<G>>, Fault> {
        let agent = self.maker.seat(seat, seed);
        Ok(Box::new(Spoken { game: self.game.clone(), seat, agent, sees: None, doubt: None }))
    }
}

/// A text agent at a table of ours.
struct Spoken<G> {
    game: G,
    seat: Seat,
    agent: Box<dyn TextAgent>,
    /// Its present view as it was last told.
    sees: Option<String>,
    /// Why its last answer may be illegal.
    doubt: Option<String>,
}

impl<G: Complete> Agent<G> for Spoken<G> {
    fn think(
        &mut self,
        view: &G::View,
        thinking: &mut Thinking<'_, G::Action>,
    ) -> Result<Thought<G::Action>, Fault> {
        let (game, seat) = (&self.game, self.seat);
        let mut choices = Vec::new();
        view.choices(&mut choices);
        let words: Vec<String> = choices.iter().map(|&action| game.write_action(action)).collect();
        let sees = self.sees.get_or_insert_with(|| game.write_view(view, seat));
        let (rng, budget, limit) = (thinking.rng.clone(), thinking.budget, thinking.limit);
        let cancel = thinking.cancel_flag();
        let mut listen = |thought: &Thought<String>| {
            if let Ok(thought) = read_thought(game, &choices, thought) {
                thinking.report(&thought);
            }
        };
        let mut aloud = Thinking::new(rng, budget, cancel).limited(limit).reporting(&mut listen);
        let answer = self.agent.think(sees, &words, &mut aloud)?;
        let thought = read_thought(game, &choices, &answer)?;
        self.doubt = (!choices.contains(&thought.choice))
            .then(|| format!("{}: {}", answer.choice, game.why_illegal(view, thought.choice)));
        Ok(thought)
    }

    fn told(&mut self, event: &Told<'_, G>) {
        let before = self.sees.take().unwrap_or_else(|| self.game.write_view(event.before, self.seat));
        let after = self.game.write_view(event.after, self.seat);
        let action = event.action.map(|action| self.game.write_action(action));
        let (action, by) = (action.as_deref(), event.by);
        self.agent.told(&TextTold { by, action, before: &before, after: &after });
        self.sees = Some(after);
        self.doubt = None;
    }

    fn over(&mut self, end: &End, outcome: &Outcome) {
        self.agent.over(end, outcome);
    }

    fn last_words(&mut self) -> Option<String> {
        let words = [self.doubt.take(), self.agent.last_words()];
        words.into_iter().flatten().reduce(|doubt, rest| format!("{doubt}\n{rest}"))
    }
}

/// A text agent's thought in the game's own terms. What it says of actions that are none of its choices is left out.
pub(crate) fn read_thought<G: Complete>(
    game: &G,
    choices: &[G::Action],
    thought: &Thought<String>,
) -> Result<Thought<G::Action>, Fault> {
    let choice = game
        .read_action(&thought.choice)
        .map_err(|error| Fault::Protocol(format!("its action cannot be read: {error}")))?;
    let mut candidates: Vec<(usize, Candidate<G::Action>)> = Vec::new();
    for said in &thought.candidates {
        let Ok(action) = game.read_action(&said.action) else { continue };
        let Some(place) = choices.iter().position(|&choice| choice == action) else { continue };
        let pv = said.pv.iter().map_while(|action| game.read_action(action).ok()).collect();
        let Candidate { value, at_most, proven, visits, .. } = *said;
        candidates.push((place, Candidate { action, value, at_most, proven, visits, pv }));
    }
    candidates.sort_by_key(|&(place, _)| place);
    candidates.dedup_by_key(|&mut (place, _)| place);
    Ok(thought.about(choice, candidates.into_iter().map(|(_, candidate)| candidate).collect()))
}

/// An agent of ours that is spoken to in text: told the same, it thinks the same as at a table of ours.
pub(crate) struct Hosted<G: Complete> {
    game: G,
    agent: Box<dyn Agent<G>>,
    seat: Seat,
    seed: Seed,
    plies: u32,
    /// What was told and could not be read.
    misheard: Option<Fault>,
}

impl<G: Complete> Hosted<G> {
    pub(crate) fn new(game: G, agent: Box<dyn Agent<G>>, seat: Seat, seed: Seed) -> Hosted<G> {
        Hosted { game, agent, seat, seed, plies: 0, misheard: None }
    }

    fn read_view(&self, text: &str) -> Result<G::View, Fault> {
        let view = self.game.read_view(text, self.seat);
        view.map_err(|error| Fault::Protocol(format!("the view cannot be read: {error}")))
    }

    fn hear(&mut self, event: &TextTold<'_>) -> Result<(), Fault> {
        let (before, after) = (self.read_view(event.before)?, self.read_view(event.after)?);
        let action = event.action.map(|action| self.game.read_action(action)).transpose();
        let action =
            action.map_err(|error| Fault::Protocol(format!("the action cannot be read: {error}")))?;
        self.agent.told(&Told { by: event.by, action, before: &before, after: &after });
        Ok(())
    }
}

impl<G: Complete> TextAgent for Hosted<G> {
    fn think(
        &mut self,
        view: &str,
        _choices: &[String],
        thinking: &mut Thinking<'_, String>,
    ) -> Result<Thought<String>, Fault> {
        if let Some(fault) = &self.misheard {
            return Err(fault.clone());
        }
        let view = self.read_view(view)?;
        if view.turn() != Actor::Seat(self.seat) {
            return Err(Fault::Protocol("it is asked to act where it is not to act".to_owned()));
        }
        let game = &self.game;
        let rng = Rng::new(self.seed.ply(self.plies));
        let (budget, limit, cancel) = (thinking.budget, thinking.limit, thinking.cancel_flag());
        let mut listen = |thought: &Thought<G::Action>| thinking.report(&write_thought(game, thought));
        let mut quiet = Thinking::new(rng, budget, cancel).limited(limit).reporting(&mut listen);
        let thought = self.agent.think(&view, &mut quiet)?;
        Ok(write_thought(game, &thought))
    }

    fn told(&mut self, event: &TextTold<'_>) {
        self.plies += u32::from(event.by.is_some());
        if let Err(fault) = self.hear(event) {
            self.misheard.get_or_insert(fault);
        }
    }

    fn over(&mut self, end: &End, outcome: &Outcome) {
        self.agent.over(end, outcome);
    }
}

/// A thought in the game's notation.
pub(crate) fn write_thought<G: Notation>(game: &G, thought: &Thought<G::Action>) -> Thought<String> {
    thought.map(|&action| game.write_action(action))
}
