//! The edge: any game behind one face of text, for the command line, the web, the wire and Python.
//!
//! Nothing here is called per node. A whole game runs inside [`AnyGame::play`], monomorphised.

use crate::any_state::{TypedState, TypedView};
use crate::guard::guarded;
use crate::measure::{self, Decision, FinishedGame, Meter, Per, Sheet};
use crate::registered;
use crate::text_agent::{FromText, GameSpec, Hosted, TextAgent, TextAgentKind, write_thought};
use crate::unknown;
use crate::view_agent::{FromViews, ViewMaker};
use crate::{
    Actor, AgentKind, AgentSpec, AnyBatch, AnyState, AnyTable, AnyView, Batch, BatchOptions, Bench, Chances,
    Complete, Effort, Error, ErrorKind, Fault, Game, GameInfo, GameSeeds, Graph, Illustration, Layout,
    Locale, Look, MAX_SEATS, Maker, Opponent, Param, ParamKind, Params, Position, Proof, Record, RecordAgent,
    RestsOn, Rng, RuleStep, Seat, Seed, Settings, Signature, Symmetry, Table, Taught, Thought, View, perft,
    play,
};
use serde::Serialize;
use std::any::Any;
use std::fmt::Write as _;
use std::iter;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

/// A game in the catalogue, before its options are chosen.
pub trait GameEntry: Send + Sync {
    /// What it is.
    fn info(&self) -> GameInfo;
    /// The options that it takes.
    fn options(&self) -> Vec<Param>;
    /// Its agents: the game's own, those that play any game, and those that are spoken to in text.
    fn agents(&self) -> Vec<AgentInfo>;
    /// What can be measured in its games: name, what it is, what it gives numbers for.
    fn measures(&self) -> Vec<(&'static str, &'static str, Per)>;
    /// Its computed tables: name, what it shows.
    fn computed_tables(&self) -> Vec<(&'static str, &'static str)>;
    /// The speeds that it promises.
    fn benches(&self) -> Vec<Bench>;
    /// Those that take minutes to measure.
    fn long_benches(&self) -> Vec<Bench>;
    /// Its rules in a few steps.
    fn rule_steps(&self) -> Vec<RuleStep>;
    /// The picture of one of these steps; nothing where words are enough.
    fn rule_picture(&self, step: &RuleStep, locale: Locale) -> Option<Result<Illustration, Error>>;
    /// The first lesson, position by position: what it asks for, and what is said when it was done and when it was missed.
    fn lessons(&self) -> Vec<[&'static str; 3]>;
    /// One of them, after the learner's actions.
    fn teach(&self, number: usize, actions: &[String], locale: Locale) -> Result<Taught, Error>;
    /// What every puzzle of it asks for.
    fn puzzle_task(&self) -> &'static str;
    /// The puzzles that come with it, as `ranka puzzles` writes them.
    fn puzzles(&self) -> &'static str;
    /// The game under these options, `key=value,…`.
    fn open(&self, rules: &str) -> Result<Arc<dyn AnyGame>, Error>;
}

/// What people are told of an agent before they choose it.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentInfo {
    /// The name by which people call it.
    pub name: &'static str,
    /// Raised whenever its choices change.
    pub version: u32,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Its parameters.
    pub params: Vec<Param>,
}

/// The catalogue entry of a game.
pub struct CatalogueEntry<G> {
    text_agents: &'static [TextAgentKind],
    game: PhantomData<fn() -> G>,
}

impl<G: Complete> CatalogueEntry<G> {
    /// The entry of a game that these play too, beside its own agents.
    pub fn with(text_agents: &'static [TextAgentKind]) -> Box<dyn GameEntry> {
        Box::new(CatalogueEntry::<G> { text_agents, game: PhantomData })
    }
}

impl<G: Complete> GameEntry for CatalogueEntry<G> {
    fn info(&self) -> GameInfo {
        G::INFO
    }

    fn options(&self) -> Vec<Param> {
        G::options()
    }

    fn agents(&self) -> Vec<AgentInfo> {
        let own = G::roster().into_iter().map(|kind| {
            let AgentKind { name, version, summary, params, .. } = kind;
            AgentInfo { name, version, summary, params }
        });
        let spoken = self.text_agents.iter().map(|kind| {
            let TextAgentKind { name, version, summary, params, .. } = *kind;
            AgentInfo { name, version, summary, params: params() }
        });
        own.chain(spoken).collect()
    }

    fn measures(&self) -> Vec<(&'static str, &'static str, Per)> {
        measure::all::<G>().iter().map(|m| (m.name, m.help, m.per)).collect()
    }

    fn computed_tables(&self) -> Vec<(&'static str, &'static str)> {
        G::computed_tables().iter().map(|computed_table| (computed_table.name, computed_table.help)).collect()
    }

    fn benches(&self) -> Vec<Bench> {
        G::benches()
    }

    fn long_benches(&self) -> Vec<Bench> {
        G::long_benches()
    }

    fn rule_steps(&self) -> Vec<RuleStep> {
        G::rule_steps()
    }

    fn rule_picture(&self, step: &RuleStep, locale: Locale) -> Option<Result<Illustration, Error>> {
        crate::lessons::rule_picture::<G>(step, locale)
    }

    fn lessons(&self) -> Vec<[&'static str; 3]> {
        G::lessons().iter().map(|lesson| [lesson.task, lesson.praise, lesson.advice]).collect()
    }

    fn teach(&self, number: usize, actions: &[String], locale: Locale) -> Result<Taught, Error> {
        crate::lessons::teach::<G>(number, actions, locale)
    }

    fn puzzle_task(&self) -> &'static str {
        G::TASK
    }

    fn puzzles(&self) -> &'static str {
        G::PUZZLES
    }

    fn open(&self, rules: &str) -> Result<Arc<dyn AnyGame>, Error> {
        let place = || format!("rules of {}", G::INFO.name);
        let options = Params::parse(rules, G::options()).map_err(|e| e.at(place()))?;
        options.refuse_pipes().map_err(|e| e.at(place()))?;
        let game = G::new(&options).map_err(|e| e.at(place()))?;
        Ok(Arc::new(Opened { game, options, text_agents: self.text_agents, graph: OnceLock::new() }))
    }
}

/// The entry called `name`, or the nearest names.
pub fn find<'a>(entries: &'a [Box<dyn GameEntry>], name: &str) -> Result<&'a dyn GameEntry, Error> {
    let known: Vec<&str> = entries.iter().map(|entry| entry.info().name).collect();
    let found = entries.iter().find(|entry| entry.info().name == name);
    found.map(Box::as_ref).ok_or_else(|| Error::input(unknown("game", name, &known)))
}

/// A game with its options chosen, spoken to in text.
pub trait AnyGame: Send + Sync {
    /// What it is.
    fn info(&self) -> GameInfo;
    /// All options as `key=value,…`.
    fn rules(&self) -> String;
    /// The same with the content of the files that they name: what it changes with, results change with.
    fn identity(&self) -> String;
    /// Only the options that differ from the defaults.
    fn rules_short(&self) -> String;
    /// How many play.
    fn seats(&self) -> usize;
    /// Whether every seat sees everything.
    fn open_information(&self) -> bool;
    /// A position to start from, dealt from `seed`.
    fn start(&self, seed: Seed) -> String;
    /// The same game with the options that a position shows: a position of another board wants agents of that board.
    fn for_position(&self, position: &str) -> Result<Arc<dyn AnyGame>, Error>;
    /// What can be done in a position, as everybody or as one seat may see it.
    fn moves(&self, position: &str, seat: Option<Seat>) -> Result<Situation, Error>;
    /// The position after an action.
    fn step(&self, position: &str, action: &str) -> Result<Situation, Error>;
    /// Counts action sequences from a position (or the start) for each depth from 0; `each` hears of them
    /// as they come.
    fn perft(&self, position: Option<&str>, depth: u32, each: &mut dyn FnMut(u32, u64)) -> Result<(), Error>;
    /// Prepares an agent.
    fn agent(&self, spec: &str) -> Result<AnyAgent, Error>;
    /// How an agent plays, in one short text.
    fn signature(&self, agent: &AnyAgent) -> Result<Signature, Error>;
    /// An agent that is spoken to in text, whose decisions draw from `seed` as at our tables.
    fn host(&self, agent: &AnyAgent, seat: Seat, seed: Seed) -> Box<dyn TextAgent>;
    /// Prepares measures by their names.
    fn meter(&self, names: &[String]) -> Result<Meter, Error>;
    /// The computed table called `name`.
    fn computed_table(&self, name: &str) -> Result<Sheet, Error>;
    /// Plays a game; `agents` are the players of the seats with their numbers in the experiment.
    fn play(
        &self,
        agents: &[(&AnyAgent, usize)],
        seeds: &GameSeeds,
        settings: &Settings<'_>,
        meter: Option<&Meter>,
    ) -> Finished;
    /// The chances of the first of two agents, computed and not sampled: when it plays first, and when it plays
    /// second. Refused for games too large, and for agents whose choices depend on more than the position.
    fn exact(&self, agents: [&AnyAgent; 2]) -> Result<[Chances; 2], Error>;
    /// What an agent thinks of a position: a full state, or the view of the seat to move.
    fn analyse(
        &self,
        position: &str,
        agent: &AnyAgent,
        seed: Seed,
        settings: &Settings<'_>,
        report: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, Error>;
    /// A table for people and agents. `players[seat]` is nobody for a person.
    fn table(
        &self,
        position: Option<&str>,
        players: &[Option<&AnyAgent>],
        seed: Seed,
    ) -> Result<Box<dyn AnyTable>, Error> {
        let numbered = players.iter().enumerate().map(|(number, player)| player.map(|agent| (agent, number)));
        self.match_table(position, &numbered.collect::<Vec<_>>(), &GameSeeds::of(seed, 0, 0))
    }
    /// The same as a game of a match, in which agents have numbers: they decide as [`play`](AnyGame::play) lets them.
    fn match_table(
        &self,
        position: Option<&str>,
        players: &[Option<(&AnyAgent, usize)>],
        seeds: &GameSeeds,
    ) -> Result<Box<dyn AnyTable>, Error>;
    /// The state before the first action of the game with these seeds.
    fn dealt(&self, seeds: &GameSeeds) -> Arc<dyn AnyState>;
    /// The state that a position tells, without a past; chance draws from `chance`. A position of another board is
    /// refused: [`for_position`](AnyGame::for_position) gives the game that has it.
    fn state(&self, position: &str, chance: Seed) -> Result<Arc<dyn AnyState>, Error>;
    /// What a seat sees, in text, as a view.
    fn view(&self, text: &str, seat: Seat) -> Result<Arc<dyn AnyView>, Error>;
    /// An agent of the caller's own. Results change with its name and `identity`.
    fn own_agent(&self, name: &str, identity: &str, maker: Arc<dyn ViewMaker>) -> AnyAgent;
    /// Replays a record, or says where it goes wrong.
    fn replay(&self, record: &Record) -> Result<(), Error>;
    /// What can be proved of a position by looking at so many others at most; nothing where that makes no puzzle.
    fn prove(&self, position: &str, nodes: u64) -> Result<Option<Proof<String>>, Error>;
    /// A picture of a position as a seat sees it.
    fn picture(&self, position: &str, look: &Look) -> Result<String, Error>;
    /// The shapes of its arrays.
    fn layout(&self) -> Layout;
    /// The symmetries of its arrays.
    fn symmetries(&self) -> Vec<Symmetry>;
    /// Many games side by side, stepped by arrays. Each of `opponents` plays all seats but one in as many places.
    fn batch(
        &self,
        options: BatchOptions,
        opponents: &[(AnyAgent, usize)],
    ) -> Result<Box<dyn AnyBatch>, Error>;
}

/// An agent prepared for one game.
#[derive(Clone)]
pub struct AnyAgent {
    /// Name and all parameters.
    pub full: String,
    /// Name and the parameters that differ from the defaults.
    pub short: String,
    /// What people call it: a name of its own, or else as in `short`.
    pub label: String,
    /// Name, all parameters, the content of the files that they name, the agent that it rests on where such a file names
    /// one, and a version other than the first: what it changes with, results change with.
    pub identity: String,
    /// The same without the versions: what agents share whose results are of the same experiment.
    pub family: String,
    /// The version of its kind.
    pub version: u32,
    /// Whether a program outside plays: what it does wrongly is not our mistake.
    pub outside: bool,
    maker: Arc<dyn Any + Send + Sync>,
}

/// What people call each of some agents. Where two that differ have the same name it stands beside what they are.
pub fn labels(agents: &[AnyAgent]) -> Vec<String> {
    let shared = |agent: &AnyAgent| {
        agents.iter().any(|other| other.label == agent.label && other.short != agent.short)
    };
    let label = |agent: &AnyAgent| match shared(agent) {
        true => format!("{} ({})", agent.label, agent.short),
        false => agent.label.clone(),
    };
    agents.iter().map(label).collect()
}

impl AnyAgent {
    fn maker<G: Game>(&self) -> &Arc<dyn Maker<G>> {
        let maker = self.maker.downcast_ref::<Arc<dyn Maker<G>>>();
        maker.expect("an agent sits only at tables of the game it was prepared for")
    }

    /// The agent in its seat; one that cannot be seated has somebody sit in for it who loses by that reason.
    pub(crate) fn seated<G: Game>(&self, seat: Seat, seed: Seed) -> Box<dyn crate::Agent<G>> {
        let made = guarded(|| self.maker::<G>().seat(seat, seed)).and_then(|made| made);
        made.unwrap_or_else(|fault| Box::new(Absent(fault)))
    }

    /// Whose trouble it is that it gives no answer.
    pub fn failed(&self, fault: &Fault, last_words: Option<String>) -> Error {
        let kind = match fault {
            Fault::Cancelled => ErrorKind::Busy,
            _ if self.outside => ErrorKind::Outside,
            Fault::Crash(_) => ErrorKind::Internal,
            // It was asked what it cannot know.
            Fault::Resigned | Fault::Timeout | Fault::Disconnected(_) | Fault::Protocol(_) => {
                ErrorKind::Input
            }
        };
        let words = last_words.map_or_else(String::new, |words| format!("\n{words}"));
        Error::new(kind, format!("{} gave no answer: {fault}{words}", self.short))
    }
}

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The game itself.
    pub record: Record,
    /// What each seat spent.
    pub efforts: [Effort; MAX_SEATS],
    /// What was measured, one list of numbers for each measure.
    pub measured: Vec<Vec<f64>>,
}

/// A position and what can be done in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Situation {
    /// The position, or what the seat sees of it.
    pub position: String,
    /// Who acts.
    pub actor: Actor,
    /// The legal actions in canonical order, as far as the seat knows them.
    pub actions: Vec<String>,
    /// The probability of each action, when chance acts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub probabilities: Vec<f64>,
    /// The score of each seat, when the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Vec<f64>>,
}

struct Opened<G: Complete> {
    game: G,
    options: Params,
    text_agents: &'static [TextAgentKind],
    /// All positions, once somebody has asked for a computed result.
    graph: OnceLock<Result<Graph<G::State>, Error>>,
}

impl<G: Complete> Opened<G> {
    fn read_state(&self, text: &str) -> Result<G::State, Error> {
        self.game.read_state(text.trim()).map_err(|e| Error::from(e).at(format!("{} position", G::INFO.name)))
    }

    /// Refuses a position of another board or number of players, which this game's arrays have no place for.
    fn check_fit(&self, state: &G::State) -> Result<(), Error> {
        let (name, seats, own) = (G::INFO.name, state.seats(), self.game.seats());
        if seats != own {
            return Err(Error::input(format!("{name} position: it has {seats} seats, this game has {own}")));
        }
        let mut shown = self.game.shown(state);
        shown.retain(|(key, value)| self.options.text(key) != value);
        if shown.is_empty() || G::new(&self.options.with(&shown)?)?.layout() == self.game.layout() {
            return Ok(());
        }
        let shows: Vec<String> = shown.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let has: Vec<String> =
            shown.iter().map(|(key, _)| format!("{key}={}", self.options.text(key))).collect();
        let (shows, has) = (shows.join(","), has.join(","));
        Err(Error::input(format!("{name} position: it is of a game with {shows}, this game has {has}")))
    }

    fn read_action(&self, state: &G::State, text: &str) -> Result<G::Action, Error> {
        let place = || format!("{} action", G::INFO.name);
        let action = self.game.read_action(text.trim()).map_err(|e| Error::from(e).at(place()))?;
        if state.is_legal(action) {
            return Ok(action);
        }
        let why = self.game.refusal(state, action);
        Err(Error::input(format!("{}: {} is not legal: {why}", place(), text.trim())))
    }

    fn situation(&self, state: &G::State) -> Situation {
        let mut actions = Vec::new();
        state.actions(&mut actions);
        let chance = state.actor() == Actor::Chance;
        Situation {
            position: self.game.write_state(state),
            actor: state.actor(),
            actions: self.write(&actions),
            probabilities: actions.iter().filter(|_| chance).map(|&a| state.probability(a)).collect(),
            outcome: state.actor().is_over().then(|| state.outcome().scores().to_vec()),
        }
    }

    fn write(&self, actions: &[G::Action]) -> Vec<String> {
        actions.iter().map(|&a| self.game.write_action(a)).collect()
    }
}

impl<G: Complete> AnyGame for Opened<G> {
    fn info(&self) -> GameInfo {
        G::INFO
    }

    fn rules(&self) -> String {
        self.options.full()
    }

    fn identity(&self) -> String {
        self.options.identity()
    }

    fn rules_short(&self) -> String {
        self.options.short()
    }

    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn open_information(&self) -> bool {
        crate::table::is_open::<G>()
    }

    fn start(&self, seed: Seed) -> String {
        self.game.write_state(&self.game.start(&mut Rng::new(seed)))
    }

    fn for_position(&self, position: &str) -> Result<Arc<dyn AnyGame>, Error> {
        // What is no full state is a view, and shows the options of the game it is read by.
        let shown = self.read_state(position).map(|state| self.game.shown(&state)).unwrap_or_default();
        let options = self.options.with(&shown)?;
        let (game, text_agents) = (G::new(&options)?, self.text_agents);
        Ok(Arc::new(Opened { game, options, text_agents, graph: OnceLock::new() }))
    }

    fn moves(&self, position: &str, seat: Option<Seat>) -> Result<Situation, Error> {
        let state = self.read_state(position)?;
        let mut situation = self.situation(&state);
        if let Some(seat) = seat {
            if seat.index() >= state.seats() {
                return Err(Error::input(format!("seat {seat}: this position has {} seats", state.seats())));
            }
            let view = self.game.view(&state, seat);
            let mut choices = Vec::new();
            if state.actor() == Actor::Seat(seat) {
                view.choices(&mut choices);
            }
            situation.position = self.game.write_view(&view, seat);
            situation.actions = self.write(&choices);
            situation.probabilities.clear();
        }
        Ok(situation)
    }

    fn step(&self, position: &str, action: &str) -> Result<Situation, Error> {
        let mut state = self.read_state(position)?;
        let action = self.read_action(&state, action)?;
        state.apply(action);
        Ok(self.situation(&state))
    }

    fn perft(&self, position: Option<&str>, depth: u32, each: &mut dyn FnMut(u32, u64)) -> Result<(), Error> {
        let state = match position {
            Some(text) => self.read_state(text)?,
            None => self.game.start(&mut Rng::new(Seed::new(0))),
        };
        for d in 0..=depth {
            each(d, perft(&state, d));
        }
        Ok(())
    }

    fn agent(&self, spec: &str) -> Result<AnyAgent, Error> {
        let spec = AgentSpec::parse(spec);
        let own = G::roster();
        let (params, maker, program, version) = if let Some(kind) = own.iter().find(|k| k.name == spec.name) {
            let (params, maker) = kind.prepare(&self.game, &spec)?;
            (params, maker, String::new(), kind.version)
        } else if let Some(kind) = self.text_agents.iter().find(|kind| kind.name == spec.name) {
            let (params, maker, program) = self.prepare_text(kind, &spec)?;
            (params, maker, program, kind.version)
        } else if let Some(found) = registered::find(self, &spec.name) {
            if !spec.params.is_empty() {
                return Err(Error::input(format!(
                    "{}: it takes no parameters, not {}",
                    spec.name, spec.params
                )));
            }
            return found;
        } else {
            let spoken = self.text_agents.iter().map(|kind| kind.name);
            let offered = registered();
            let known = own.iter().map(|kind| kind.name).chain(spoken);
            let known: Vec<&str> = known.chain(offered.iter().map(String::as_str)).collect();
            return Err(Error::input(unknown(&format!("{} agent", G::INFO.name), &spec.name, &known)));
        };
        let name = |params: String| AgentSpec { name: spec.name.clone(), params }.to_string();
        let mut family = name(params.identity()) + &program;
        // Games that were kept before agents had versions are of the first.
        let mut versions = if version == 1 { String::new() } else { format!(";version {version}") };
        if let Some(RestsOn { family: other, version }) = maker.rests_on() {
            let _ = write!(family, ";rests on {other}");
            let _ = write!(versions, ";rests on version {version}");
        }
        let identity = family.clone() + &versions;
        let (full, short, maker) = (name(params.full()), name(params.short()), Arc::new(maker));
        let outside = params.reaching_out().any(|(param, _)| param.kind == ParamKind::Program);
        let label = params.label().unwrap_or(&short).to_owned();
        Ok(AnyAgent { full, short, label, identity, family, version, outside, maker })
    }

    fn signature(&self, agent: &AnyAgent) -> Result<Signature, Error> {
        let refuse =
            |fault: Fault| Error::input(format!("agent {}: it gave no answer: {fault}", agent.short));
        Signature::of(&self.game, agent.maker::<G>().as_ref()).map_err(refuse)
    }

    fn host(&self, agent: &AnyAgent, seat: Seat, seed: Seed) -> Box<dyn TextAgent> {
        Box::new(Hosted::new(self.game.clone(), agent.seated(seat, seed), seat, seed))
    }

    fn meter(&self, names: &[String]) -> Result<Meter, Error> {
        Meter::of::<G>(names)
    }

    fn computed_table(&self, name: &str) -> Result<Sheet, Error> {
        let all = G::computed_tables();
        let known: Vec<&str> = all.iter().map(|computed_table| computed_table.name).collect();
        let found = all.iter().find(|computed_table| computed_table.name == name).ok_or_else(|| {
            Error::input(unknown(&format!("computed table of {}", G::INFO.name), name, &known))
        })?;
        Ok((found.compute)(&self.game))
    }

    fn play(
        &self,
        agents: &[(&AnyAgent, usize)],
        seeds: &GameSeeds,
        settings: &Settings<'_>,
        meter: Option<&Meter>,
    ) -> Finished {
        let seated = agents.iter().map(|&(agent, number)| {
            let (name, version) = (agent.full.clone(), agent.version);
            RecordAgent { name, version, number }
        });
        let players = agents
            .iter()
            .enumerate()
            .map(|(seat, &(agent, number))| (agent.seated(Seat::new(seat), seeds.agent(number)), number))
            .collect();
        let mut decisions = Vec::new();
        let played = play(&self.game, seeds, players, settings, &mut |state, thought| {
            if let (Some(_), Actor::Seat(seat)) = (meter, state.actor()) {
                decisions.push(Decision::of(seat, thought));
            }
        });
        let record = Record::of(&self.game, &played, &self.options.full(), seated.collect(), seeds, settings);
        let finished = FinishedGame { game: &self.game, played: &played, decisions: &decisions };
        let measured = meter.map_or_else(Vec::new, |meter| meter.read(&finished));
        Finished { record, efforts: played.efforts, measured }
    }

    fn exact(&self, agents: [&AnyAgent; 2]) -> Result<[Chances; 2], Error> {
        let place = || format!("{} ({})", G::INFO.name, self.options.full());
        if self.game.seats() != 2 {
            return Err(Error::input("exact results are for games of two seats").at(place()));
        }
        let reach = || Graph::reach(self.game.start(&mut Rng::new(Seed::new(0))));
        let graph = self.graph.get_or_init(reach).as_ref().map_err(|e| e.clone().at(place()))?;
        let policy = |agent: &AnyAgent| {
            agent.maker::<G>().policy(graph).ok_or_else(|| {
                Error::input(format!(
                    "agent {}: its choices depend on more than the position, so only sampling tells",
                    agent.short
                ))
            })
        };
        let [first, second] = [policy(agents[0])?, policy(agents[1])?];
        let as_first = graph.chances([&first, &second])[0];
        let as_second = graph.chances([&second, &first])[0].reversed();
        Ok([as_first, as_second])
    }

    fn analyse(
        &self,
        position: &str,
        agent: &AnyAgent,
        seed: Seed,
        settings: &Settings<'_>,
        report: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, Error> {
        let (view, seat) = match self.read_state(position) {
            Ok(state) => {
                let seat = self.to_move(state.actor())?;
                (self.game.view(&state, seat), seat)
            }
            // Not the whole truth: then it must be what the seat to move sees.
            Err(not_state) => Seat::all(self.game.seats())
                .filter_map(|seat| Some((self.game.read_view(position.trim(), seat).ok()?, seat)))
                .find(|(view, seat)| view.turn() == Actor::Seat(*seat))
                .ok_or(not_state)?,
        };
        let mut player = agent.seated::<G>(seat, seed);
        let rng = Rng::new(seed.child("ply").at(0));
        let mut listen = |thought: &Thought<G::Action>| report(&write_thought(&self.game, thought));
        let mut thinking = crate::Thinking::new(rng, settings.budget, settings.cancel).reporting(&mut listen);
        let thought = guarded(|| player.think(&view, &mut thinking)).and_then(|t| t);
        thought
            .map(|thought| write_thought(&self.game, &thought))
            .map_err(|fault| agent.failed(&fault, player.last_words()))
    }

    fn match_table(
        &self,
        position: Option<&str>,
        players: &[Option<(&AnyAgent, usize)>],
        seeds: &GameSeeds,
    ) -> Result<Box<dyn AnyTable>, Error> {
        let start = match position {
            Some(text) => self.read_state(text)?,
            None => self.game.start(&mut Rng::new(seeds.deal)),
        };
        if start.seats() != players.len() {
            return Err(Error::input(format!(
                "{} position: it has {} seats, but {} players sit down",
                G::INFO.name,
                start.seats(),
                players.len()
            )));
        }
        let mut table = Table::new(self.game.clone(), start, seeds.chance);
        for (seat, player) in players.iter().enumerate() {
            let Some((agent, number)) = *player else { continue };
            let (seat, seed) = (Seat::new(seat), seeds.agent(number));
            table.sit(seat, agent.seated(seat, seed), seed);
        }
        Ok(Box::new(table))
    }

    fn dealt(&self, seeds: &GameSeeds) -> Arc<dyn AnyState> {
        let start = self.game.start(&mut Rng::new(seeds.deal));
        Arc::new(TypedState::new(Arc::new(self.game.clone()), start, seeds.chance))
    }

    fn state(&self, position: &str, chance: Seed) -> Result<Arc<dyn AnyState>, Error> {
        let state = self.read_state(position)?;
        self.check_fit(&state)?;
        Ok(Arc::new(TypedState::new(Arc::new(self.game.clone()), state, chance)))
    }

    fn view(&self, text: &str, seat: Seat) -> Result<Arc<dyn AnyView>, Error> {
        let (name, seats) = (G::INFO.name, self.game.seats());
        if seat.index() >= seats {
            return Err(Error::input(format!("seat {seat}: this game has {seats} seats")));
        }
        let view = self.game.read_view(text.trim(), seat);
        let view = view.map_err(|e| Error::from(e).at(format!("{name} view")))?;
        self.check_fit(&view.sample(&mut Rng::new(Seed::new(0))))?;
        Ok(Arc::new(TypedView::alone(Arc::new(self.game.clone()), seat, view)))
    }

    fn own_agent(&self, name: &str, identity: &str, maker: Arc<dyn ViewMaker>) -> AnyAgent {
        let maker: Arc<dyn Maker<G>> = Arc::new(FromViews { game: Arc::new(self.game.clone()), maker });
        let [full, short, label] = [(); 3].map(|()| name.to_owned());
        let identity = format!("{name};{identity}");
        let family = identity.clone();
        AnyAgent { full, short, label, identity, family, version: 0, outside: true, maker: Arc::new(maker) }
    }

    fn replay(&self, record: &Record) -> Result<(), Error> {
        record.replay(&self.game).map(|_| ())
    }

    fn prove(&self, position: &str, nodes: u64) -> Result<Option<Proof<String>>, Error> {
        let state = self.read_state(position)?;
        let proof = self.game.prove(&state, nodes);
        Ok(proof.map(|proof| proof.map(|&action| self.game.write_action(action))))
    }

    fn picture(&self, position: &str, look: &Look) -> Result<String, Error> {
        let (state, viewer) = (self.read_state(position)?, look.viewer);
        if viewer.index() >= state.seats() {
            let seats = state.seats();
            return Err(Error::input(format!("seat {viewer}: this position has {seats} seats")));
        }
        let view = self.game.view(&state, viewer);
        let known = self.game.marks(&view);
        if let Some(strange) = look.marks.iter().find(|mark| !known.contains(mark)) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(Error::input(unknown("mark", strange, &known)));
        }
        Ok(self.game.picture(&view, look, None))
    }

    fn layout(&self) -> Layout {
        self.game.layout()
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.game.symmetries()
    }

    fn batch(
        &self,
        options: BatchOptions,
        opponents: &[(AnyAgent, usize)],
    ) -> Result<Box<dyn AnyBatch>, Error> {
        let places: usize = opponents.iter().map(|(_, places)| places).sum();
        if places > options.games {
            let games = options.games;
            return Err(Error::input(format!("opponents in {places} places of a batch of {games} games")));
        }
        let seated = opponents.iter().flat_map(|(agent, places)| {
            let maker = Arc::clone(agent.maker::<G>());
            let opponent = Arc::new(Opponent { name: agent.short.clone(), maker });
            iter::repeat_n(Some(opponent), *places)
        });
        Ok(Box::new(Batch::new(self.game.clone(), options, seated.collect(), G::write_state)?))
    }
}

impl<G: Complete> Opened<G> {
    /// Prepares a text agent; the text is what results change with beside its parameters.
    fn prepare_text(
        &self,
        kind: &TextAgentKind,
        spec: &AgentSpec,
    ) -> Result<(Params, Arc<dyn Maker<G>>, String), Error> {
        let place = || format!("agent {}", spec.name);
        let params = Params::parse(&spec.params, (kind.params)()).map_err(|e| e.at(place()))?;
        let GameInfo { name, version, .. } = G::INFO;
        let game = GameSpec { name, version, rules: self.options.full(), seats: self.game.seats() };
        let maker = (kind.build)(&params, &game).map_err(|e| e.at(place()))?;
        let identity = maker.identity();
        let params = match maker.name() {
            Some(name) => params.labelled(&name),
            None => params,
        };
        Ok((params, Arc::new(FromText { game: self.game.clone(), maker }), identity))
    }

    fn to_move(&self, actor: Actor) -> Result<Seat, Error> {
        actor.seat().ok_or_else(|| {
            let why = if actor == Actor::Chance { "chance is to act" } else { "the game is over" };
            Error::input(format!("{} position: no seat is to move: {why}", G::INFO.name))
        })
    }
}

/// Sits in for an agent that could not be seated, and loses by the reason why.
struct Absent(Fault);

impl<G: Game> crate::Agent<G> for Absent {
    fn think(
        &mut self,
        _: &G::View,
        _: &mut crate::Thinking<'_, G::Action>,
    ) -> Result<Thought<G::Action>, Fault> {
        Err(self.0.clone())
    }
}
