//! What is tested, and how hard.

use crate::place::{Line, Place, at};
use ranka_core::{Actor, AgentSpec, Game, GameSeeds, Maker, Notation, Params, Position, Rng, Roster, Seed};
use std::sync::Arc;

/// A game under given rules, and how thoroughly to test it. The same battery always plays the same games.
pub struct Battery<'a, G: Game> {
    pub(crate) game: G,
    pub(crate) rules: String,
    pub(crate) games: u64,
    pub(crate) seed: u64,
    pub(crate) plies: usize,
    pub(crate) invariant: Box<dyn Fn(&G::State) + 'a>,
    pub(crate) agents: Vec<String>,
    pub(crate) agent_games: u64,
}

/// The game under the rules that `key=value,…` names, and all its options spelled out.
///
/// # Panics
/// If the rules are refused.
pub(crate) fn open<G: Game>(rules: &str) -> (G, String) {
    let opened = Params::parse(rules, G::options()).and_then(|params| Ok((G::new(&params)?, params.full())));
    opened.unwrap_or_else(|error| panic!("{} does not open with rules {rules:?}: {error}", G::INFO.name))
}

impl<'a, G: Game> Battery<'a, G> {
    /// The game under these rules, `key=value,…`: 20 random games from seed 0 of at most 10 000 actions,
    /// no invariant, no agents.
    ///
    /// # Panics
    /// If the rules are refused.
    pub fn of(rules: &str) -> Battery<'a, G> {
        let (game, rules) = open(rules);
        Battery {
            game,
            rules,
            games: 20,
            seed: 0,
            plies: 10_000,
            invariant: Box::new(|_| {}),
            agents: Vec::new(),
            agent_games: 2,
        }
    }

    /// The game under test.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// How many random games to visit.
    pub fn games(mut self, games: u64) -> Self {
        self.games = games;
        self
    }

    /// The seed from which all randomness comes.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Every game is over after at most this many actions, chance's included.
    pub fn plies(mut self, plies: usize) -> Self {
        self.plies = plies;
        self
    }

    /// What must hold in every position that is reached; it panics where it does not.
    pub fn invariant(mut self, holds: impl Fn(&G::State) + 'a) -> Self {
        self.invariant = Box::new(holds);
        self
    }

    /// The agents to test, `name:key=value,…`. Choose small budgets: each decides a few hundred times.
    pub fn agents(mut self, specs: &[&str]) -> Self {
        self.agents = specs.iter().map(|&spec| spec.to_owned()).collect();
        self
    }

    /// How many games each agent plays (2 unless said otherwise); its other tests grow with it.
    pub fn agent_games(mut self, games: u64) -> Self {
        self.agent_games = games;
        self
    }

    pub(crate) fn root(&self) -> Seed {
        Seed::new(self.seed)
    }

    /// The seeds of a random game.
    pub(crate) fn seeds(&self, number: u64) -> GameSeeds {
        GameSeeds::of(self.root(), number, 0)
    }

    /// `kalah (houses=6,…), seed 1`: how every failure begins.
    pub(crate) fn name(&self) -> String {
        format!("{} ({}), seed {}", G::INFO.name, self.rules, self.seed)
    }
}

impl<G: Notation> Battery<'_, G> {
    /// The random games. Seats take any legal action, unlisted ones too.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Line<G>> {
        (0..self.games).map(|number| self.line(number))
    }

    fn line(&self, number: u64) -> Line<G> {
        let seeds = self.seeds(number);
        let mut rng = Rng::new(self.root().child("random play").at(number));
        let start = at(|| self.name(), || self.game.start(&mut Rng::new(seeds.deal)));
        let mut line = Line { number, states: vec![start], actions: Vec::new() };
        loop {
            let place = Place { battery: self, line: &line, index: line.actions.len() };
            let next = place.check(|| {
                let state = place.state();
                let action = match state.actor() {
                    Actor::Over => return None,
                    Actor::Chance => state.draw(&mut rng),
                    Actor::Seat(seat) => {
                        let legal = legal(state);
                        assert!(!legal.is_empty(), "{seat:?} is to act but has no action");
                        rng.pick(&legal)
                    }
                };
                assert!(place.index < self.plies, "the game is not over after {} actions", self.plies);
                let mut after = state.clone();
                after.apply(action);
                Some((action, after))
            });
            let Some((action, after)) = next else { return line };
            line.actions.push(action);
            line.states.push(after);
        }
    }

    /// Checks every position of the random games, the last one of each too.
    pub(crate) fn at_every_position(&self, mut check: impl FnMut(&Place<'_, '_, G>)) {
        for line in self.lines() {
            for index in 0..line.states.len() {
                let place = Place { battery: self, line: &line, index };
                place.check(|| check(&place));
            }
        }
    }

    /// Checks `count` of the positions that are `fit`, or all if there are fewer: for what is costly.
    pub(crate) fn at_some_positions(
        &self,
        count: u64,
        fit: impl Fn(&G::State) -> bool,
        mut check: impl FnMut(&Place<'_, '_, G>),
    ) {
        let lines: Vec<Line<G>> = self.lines().collect();
        let mut places = Vec::new();
        for line in &lines {
            let fitting = (0..line.states.len()).filter(|&index| fit(&line.states[index]));
            places.extend(fitting.map(|index| Place { battery: self, line, index }));
        }
        Rng::new(self.root().child("some positions")).shuffle(&mut places);
        for place in places.iter().take(count as usize) {
            place.check(|| check(place));
        }
    }
}

impl<G: Roster> Battery<'_, G> {
    /// The agents, prepared.
    pub(crate) fn recruits(&self) -> Vec<(&str, Arc<dyn Maker<G>>)> {
        let recruit = |spec: &'_ str| match self.game.recruit(&AgentSpec::parse(spec)) {
            Ok((_, maker)) => maker,
            Err(error) => panic!("{}: {error}", self.name()),
        };
        self.agents.iter().map(|spec| (spec.as_str(), recruit(spec))).collect()
    }
}

/// The canonical list.
pub(crate) fn listed<P: Position>(position: &P) -> Vec<P::Action> {
    let mut out = Vec::new();
    position.actions(&mut out);
    out
}

/// The canonical list and what it leaves out.
pub(crate) fn legal<P: Position>(position: &P) -> Vec<P::Action> {
    let mut out = listed(position);
    position.unlisted(&mut out);
    out
}
