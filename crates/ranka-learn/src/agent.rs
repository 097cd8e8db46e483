//! `network`: a network file at the table of any game, by its policy alone or at the head of a search.

use crate::evaluator::Evaluator;
use crate::leaf_evaluator::{NetworkLeafEvaluator, Observed, ObservedEyes, SeatObservers};
use crate::network::Network;
use crate::policy::{NetworkPlayer, Weighed};
use ranka_core::{
    Agent, AgentKind, Budget, Encoding, Error, Fault, Observer as _, Param, Params, Rng, Scale, Seat, Seed,
    Thinking, Thought, Told, View as _,
};
use ranka_search::agents::effort;
use ranka_search::{Limits, Puct, PuctConfig, Sampled, SeatEyes, draw_world};
use std::path::Path;
use std::sync::Arc;

/// The parameters of a network at a table, beside the network itself.
pub fn params(playouts: &'static str) -> Vec<Param> {
    vec![
        Param::int(
            "playouts",
            0,
            100_000_000,
            playouts,
            "positions judged for each decision; 0: the policy alone",
        ),
        Param::int("ms", 0, 3_600_000, "0", "milliseconds for each decision instead; 0: count playouts"),
        Param::real("c", 0.0, 10.0, "1.25", "exploration in mean + c·prior·√N / (1 + n)"),
        Param::real(
            "temperature",
            0.0,
            10.0,
            "1",
            "how evenly the policy alone mixes: 0 always takes the likeliest",
        ),
    ]
}

/// The agent of every game that plays by a file.
pub fn network_kind<G: Encoding>() -> AgentKind<G> {
    let mut all = vec![Param::file("file", &[""], "the network, as `ranka train` writes it")];
    all.extend(params("200"));
    AgentKind {
        name: "network",
        version: 2,
        summary: "A network that you trained: by its policy alone, or at the head of a tree search.",
        params: all,
        build: |game, params| {
            let file = params.text("file");
            if file.is_empty() {
                return Err(Error::input("file: name the network, as in file=mine.net"));
            }
            let network = Arc::new(Network::read_for(Path::new(file), game)?);
            let (game, style) = (game.clone(), Style::read(params));
            Ok(Arc::new(move |seat: Seat, _: Seed| {
                NetworkAgent::new(|| network.evaluator(), &game, seat, style)
            }))
        },
    }
}

/// A game's agents with the one that plays by an ONNX file, where the program was built with a runtime for such.
pub fn with_onnx<G: Encoding>(#[allow(unused_mut)] mut kinds: Vec<AgentKind<G>>) -> Vec<AgentKind<G>> {
    #[cfg(feature = "onnx")]
    kinds.push(crate::onnx::kind());
    kinds
}

/// How a network plays.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// What a decision may take where the match does not say.
    pub effort: Budget,
    /// Exploration of the search.
    pub exploration: f64,
    /// How evenly the policy alone mixes.
    pub temperature: f64,
}

impl Style {
    /// As [`params`] say.
    pub fn read(params: &Params) -> Style {
        Style {
            effort: effort(params),
            exploration: params.real("c"),
            temperature: params.real("temperature"),
        }
    }
}

/// A network at a seat, which may lead a search through worlds that look like its view.
pub struct NetworkAgent<G: Encoding> {
    game: Arc<G>,
    eyes: ObservedEyes<G>,
    player: NetworkPlayer<G>,
    observers: SeatObservers<G>,
    search: Puct<Observed<G>, NetworkLeafEvaluator>,
    style: Style,
}

impl<G: Encoding> NetworkAgent<G> {
    /// A network that was [read](crate::Network::read_for) for this game, at a seat at the start of a game.
    pub fn new(
        evaluator: impl Fn() -> Box<dyn Evaluator>,
        game: &G,
        seat: Seat,
        style: Style,
    ) -> NetworkAgent<G> {
        let config = PuctConfig { exploration: style.exploration, ..PuctConfig::default() };
        NetworkAgent {
            game: Arc::new(game.clone()),
            eyes: ObservedEyes(SeatEyes { game: game.clone(), seat }),
            search: Puct::new(config, NetworkLeafEvaluator::new(evaluator(), game)),
            player: NetworkPlayer::new(evaluator(), game.clone(), seat),
            observers: SeatObservers::new(game),
            style,
        }
    }
}

impl<G: Encoding> NetworkAgent<G> {
    /// The network and what its seat remembers, for whoever asks it before a search.
    pub fn player(&mut self) -> &mut NetworkPlayer<G> {
        &mut self.player
    }

    /// Searches worlds that `draw` draws, all of which look the same to the seat.
    pub fn search(
        &mut self,
        thinking: &mut Thinking<'_, G::Action>,
        mut draw: impl FnMut(&mut Rng) -> G::State,
    ) -> Result<Thought<G::Action>, Fault> {
        let budget = thinking.budget.unwrap_or(self.style.effort);
        let limits = Limits::new(Some(budget), thinking.cancel_flag());
        let mut rng = thinking.rng.clone();
        let mut report = |found: &Sampled<G::Action>| thinking.report(&found.thought(Scale::Score));
        let world = |rng: &mut Rng| Observed::new(Arc::clone(&self.game), draw(rng), self.observers.clone());
        let found = self.search.search(&self.eyes, world, limits, &mut rng, &mut report);
        found.map(|found| found.thought(Scale::Score)).ok_or(Fault::Cancelled)
    }
}

impl<G: Encoding> Agent<G> for NetworkAgent<G> {
    fn think(
        &mut self,
        view: &G::View,
        thinking: &mut Thinking<'_, G::Action>,
    ) -> Result<Thought<G::Action>, Fault> {
        let budget = thinking.budget.unwrap_or(self.style.effort);
        if matches!(budget, Budget::Playouts(0)) {
            let (_, weighed) = self.player.weigh(view);
            let drawn = Weighed::draw(weighed, self.style.temperature, &mut thinking.rng);
            // An encoding may have no number for a rare action: where no legal one has any, any will do.
            let choice = drawn.unwrap_or_else(|| view.random_choice(&mut thinking.rng));
            return Ok(Thought { nodes: 1, ..Thought::plain(choice) });
        }
        let past = self.player.past().clone();
        self.search(thinking, |rng| draw_world(view, |world| past.allows(world), rng))
    }

    fn told(&mut self, event: &Told<'_, G>) {
        self.player.told(event);
        self.observers.told(event);
    }
}
