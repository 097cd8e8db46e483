//! Agents: they are handed views, told what happens, and answer with thoughts.

use crate::unknown;
use crate::{AgentSpec, End, Error, Game, Graph, Outcome, Param, Params, Random, Rng, Seat, Seed, Thought};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A player of one seat in one game.
///
/// It is only ever given what its seat may know, so cheating is a type error. It keeps no random stream:
/// each decision brings its own in [`Thinking`], so an agent that is seated anew with the same seed and told
/// the same history decides exactly as the first one would.
pub trait Agent<G: Game>: Send {
    /// Chooses one of the view's choices. Called only when the own seat is to act.
    fn think(
        &mut self,
        view: &G::View,
        thinking: &mut Thinking<'_, G::Action>,
    ) -> Result<Thought<G::Action>, Fault>;

    /// Hears of an action of anybody, its own included. What was revealed is in the view after it.
    fn told(&mut self, _event: &Told<'_, G>) {}

    /// Hears that the game is over, and how.
    fn over(&mut self, _end: &End, _outcome: &Outcome) {}

    /// What the record should keep beside the game, asked when it is over or after a fault: what an outside program
    /// printed, say.
    fn last_words(&mut self) -> Option<String> {
        None
    }
}

/// Something that happened, as one seat may see it.
#[derive(Clone, Debug)]
pub struct Told<'a, G: Game> {
    /// The seat that acted; nobody when it was chance.
    pub by: Option<Seat>,
    /// What it did; nothing when that is hidden from the listener.
    pub action: Option<G::Action>,
    /// The listener's view before.
    pub before: &'a G::View,
    /// The listener's view after.
    pub after: &'a G::View,
}

/// How much an agent may think, where the match and not the agent's own parameters decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Positions searched.
    Nodes(u64),
    /// Playouts or iterations.
    Playouts(u64),
    /// Time. Results then depend on the machine, and the record says so.
    Millis(u64),
}

impl Budget {
    /// Reads `nodes=N`, `playouts=N` or `ms=N`.
    pub fn parse(text: &str) -> Result<Budget, Error> {
        let refuse = || {
            Error::input(format!("budget {text:?}: expected nodes=N, playouts=N or ms=N with N at least 1"))
        };
        let (unit, amount) = text.split_once('=').ok_or_else(refuse)?;
        let amount: u64 = amount.parse().ok().filter(|&n| n > 0).ok_or_else(refuse)?;
        match unit {
            "nodes" => Ok(Budget::Nodes(amount)),
            "playouts" => Ok(Budget::Playouts(amount)),
            "ms" => Ok(Budget::Millis(amount)),
            _ => Err(refuse()),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Nodes(n) => write!(f, "nodes={n}"),
            Budget::Playouts(n) => write!(f, "playouts={n}"),
            Budget::Millis(n) => write!(f, "ms={n}"),
        }
    }
}

/// The circumstances of one decision.
pub struct Thinking<'a, A> {
    /// The random stream of this decision.
    pub rng: Rng,
    /// The match's budget, if it sets one; else the agent's own parameters decide.
    pub budget: Option<Budget>,
    /// The match's limit on this decision: thinking longer loses.
    pub limit: Option<Duration>,
    cancel: &'a AtomicBool,
    report: Option<&'a mut dyn FnMut(&Thought<A>)>,
}

impl<'a, A> Thinking<'a, A> {
    /// Circumstances in which `cancel` stops the thinking.
    pub fn new(rng: Rng, budget: Option<Budget>, cancel: &'a AtomicBool) -> Thinking<'a, A> {
        Thinking { rng, budget, limit: None, cancel, report: None }
    }

    /// The same under a limit.
    pub fn limited(mut self, limit: Option<Duration>) -> Thinking<'a, A> {
        self.limit = limit;
        self
    }

    /// The same, with somebody who wants to hear of progress.
    pub fn reporting(mut self, report: &'a mut dyn FnMut(&Thought<A>)) -> Thinking<'a, A> {
        self.report = Some(report);
        self
    }

    /// Whether nobody waits for the answer any more. Ask now and then, and answer [`Fault::Cancelled`].
    pub fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// The flag behind [`cancelled`](Thinking::cancelled), for searches that watch it themselves.
    pub fn cancel_flag(&self) -> &'a AtomicBool {
        self.cancel
    }

    /// Tells whoever listens what the agent would answer now.
    pub fn report(&mut self, thought: &Thought<A>) {
        if let Some(report) = &mut self.report {
            report(thought);
        }
    }
}

/// Why an agent gives no action. Each ends the game for it, by that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nobody waits for the answer any more.
    Cancelled,
    /// It gives up.
    Resigned,
    /// It broke.
    Crash(String),
    /// It took too long.
    Timeout,
    /// It left (external agents).
    Disconnected(String),
    /// It said something that is no answer (external agents).
    Protocol(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Cancelled => f.write_str("it was cancelled"),
            Fault::Resigned => f.write_str("it resigned"),
            Fault::Crash(why) => write!(f, "it broke: {why}"),
            Fault::Timeout => f.write_str("it took too long"),
            Fault::Disconnected(why) => write!(f, "it left: {why}"),
            Fault::Protocol(why) => write!(f, "it gave no answer that can be used: {why}"),
        }
    }
}

/// An agent whose parameters are good and whose tables are loaded: it makes a player for a seat of a game.
/// It is made once, before any game, so that a broken agent fails at once.
pub trait Maker<G: Game>: Send + Sync {
    /// A player for `seat`, new to its game. What it draws at random at the start comes from `seed`.
    fn seat(&self, seat: Seat, seed: Seed) -> Result<Box<dyn Agent<G>>, Fault>;

    /// For an agent that remembers nothing, in a game of perfect information that is small enough to be a graph: the
    /// probability of each edge, were it to choose there. Results can then be computed instead of sampled.
    fn policy(&self, _graph: &Graph<G::State>) -> Option<Vec<f64>> {
        None
    }

    /// Another agent that it was told to rest on, by a file that names it: results change with that one, too.
    fn rests_on(&self) -> Option<RestsOn> {
        None
    }
}

/// The agent that another one rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestsOn {
    /// Its name, all parameters and the content of the files that they name.
    pub family: String,
    /// The version of its kind.
    pub version: u32,
}

/// Most makers are a closure.
impl<G: Game, A: Agent<G> + 'static, F: Fn(Seat, Seed) -> A + Send + Sync> Maker<G> for F {
    fn seat(&self, seat: Seat, seed: Seed) -> Result<Box<dyn Agent<G>>, Fault> {
        Ok(Box::new(self(seat, seed)))
    }
}

/// What turns checked parameters into a maker.
type Build<G> = fn(&G, &Params) -> Result<Arc<dyn Maker<G>>, Error>;

/// An agent's entry in its game's roster.
pub struct AgentKind<G: Game> {
    /// The name by which people call it.
    pub name: &'static str,
    /// Raised whenever its choices change: results of different versions are not mixed. The signatures in the game's
    /// tests tell when that is due.
    pub version: u32,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Prepares it for a game with given options.
    pub build: Build<G>,
}

impl<G: Game> AgentKind<G> {
    /// Whether it can be prepared without being told anything.
    pub fn has_defaults(&self) -> bool {
        !self.params.iter().any(Param::is_required)
    }

    /// Reads the parameters of `spec` and prepares the agent.
    pub fn prepare(&self, game: &G, spec: &AgentSpec) -> Result<(Params, Arc<dyn Maker<G>>), Error> {
        let place = || format!("agent {}", self.name);
        let params = Params::parse(&spec.params, self.params.clone()).map_err(|e| e.at(place()))?;
        params.refuse_pipes().map_err(|e| e.at(place()))?;
        let maker = (self.build)(game, &params).map_err(|e| e.at(place()))?;
        Ok((params, maker))
    }
}

/// The agents of a game.
pub trait Roster: Game {
    /// The game's own, simplest first.
    fn agents() -> Vec<AgentKind<Self>>;

    /// These and [`Random`], which plays every game; a game's own `random` goes before it.
    fn roster() -> Vec<AgentKind<Self>> {
        let own = Self::agents();
        let random = Random::kind();
        let missing = own.iter().all(|kind| kind.name != random.name);
        missing.then_some(random).into_iter().chain(own).collect()
    }

    /// Prepares the agent that `spec` names, and tells its parameters.
    fn recruit(&self, spec: &AgentSpec) -> Result<(Params, Arc<dyn Maker<Self>>), Error> {
        let kinds = Self::roster();
        let Some(kind) = kinds.iter().find(|kind| kind.name == spec.name) else {
            let known: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
            return Err(Error::input(unknown(&format!("{} agent", Self::INFO.name), &spec.name, &known)));
        };
        kind.prepare(self, spec)
    }

    /// The same, told as what another agent rests on.
    fn recruit_for_another(&self, spec: &AgentSpec) -> Result<(RestsOn, Arc<dyn Maker<Self>>), Error> {
        let (params, maker) = self.recruit(spec)?;
        let kind = Self::roster().into_iter().find(|kind| kind.name == spec.name);
        let version = kind.map_or(1, |kind| kind.version);
        let family = AgentSpec { name: spec.name.clone(), params: params.identity() }.to_string();
        Ok((RestsOn { family, version }, maker))
    }
}
