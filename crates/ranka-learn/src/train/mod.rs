//! Learning on a processor: self-play policy gradients, repeatable from a seed with any number of threads.
//!
//! Every generation plays games with the present weights (a pure function of weights and seed), and the weights learn from each
//! of their decisions once (proximal policy optimisation). What keeps self-play from running in circles where something is
//! hidden is a pull towards a reference that follows slowly, and games against other agents.

mod adam;
mod checkpoint;
mod conv;
mod outcomes;
mod ppo;
mod quantise;
mod self_play;
mod tower;

use crate::file::{NetworkShape, Trained};
use adam::Adam;
use checkpoint::{Progress, Subject};
use ppo::{Learner, Pace};
use ranka_core::{AnyAgent, AnyGame, Error, Seed};
use rayon::prelude::*;
use self_play::{Deciders, Decision, Games, Plan};
use serde::{Deserialize, Serialize};
use std::time::Instant;
use tower::{Pass, Tower};

/// How a training goes. What it comes to follows from these, the game and its rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingOptions {
    /// Where everything random comes from.
    pub seed: u64,
    /// How many generations of games.
    pub generations: u64,
    /// Games of a generation that are played side by side.
    pub games: usize,
    /// Decisions after which a game counts as drawn.
    pub ply_cap: u32,
    /// Channels of the tower, a multiple of 16.
    pub channels: usize,
    /// Residual blocks of the tower.
    pub blocks: usize,
    /// Agents that it also plays against, and in how many of the games.
    pub opponents: Vec<(String, usize)>,
    /// The rate of learning at the beginning and at the end.
    pub rate: [f32; 2],
    /// What spreading over actions is worth, at the beginning and at the end.
    pub entropy: [f32; 2],
    /// How strongly the reference pulls.
    pub pull: f32,
}

impl Default for TrainingOptions {
    fn default() -> TrainingOptions {
        TrainingOptions {
            seed: 0,
            generations: 1000,
            games: 128,
            ply_cap: 200,
            channels: 16,
            blocks: 2,
            opponents: Vec::new(),
            rate: [1e-3, 1e-4],
            entropy: [0.05, 0.02],
            pull: 0.05,
        }
    }
}

/// Decisions of a step of learning.
const MINIBATCH: usize = 256;

/// Of how many observations the largest activation is taken.
const LOOKED_AT: usize = 2048;

/// What is told of a generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generation {
    /// How many there have been.
    pub number: u64,
    /// Decisions that were learned from so far.
    pub decisions: u64,
    /// Games that this generation finished.
    pub finished: usize,
    /// The mean entropy of the policy, in nats.
    pub entropy: f64,
    /// The mean cross entropy between judgement and outcome, in nats.
    pub value_loss: f64,
}

/// A training under way.
pub struct Training<'g> {
    game: &'g dyn AnyGame,
    settings: TrainingOptions,
    opponents: Vec<(AnyAgent, usize)>,
    tower: Tower,
    learner: Learner,
    progress: Progress,
    largest: f32,
    rules: String,
}

impl<'g> Training<'g> {
    /// A training that begins.
    pub fn new(game: &'g dyn AnyGame, settings: TrainingOptions) -> Result<Training<'g>, Error> {
        let refuse = |what: String| Err(Error::input(what));
        if settings.channels == 0 || !settings.channels.is_multiple_of(conv::LANES) || settings.channels > 128
        {
            return refuse(format!("{} channels: 16, 32, … up to 128", settings.channels));
        }
        if settings.games == 0 || settings.generations == 0 || settings.ply_cap == 0 || settings.blocks > 20 {
            return refuse("at least one game, generation and decision, and at most 20 blocks".to_owned());
        }
        let opponents = settings.opponents.iter();
        let opponents: Vec<(AnyAgent, usize)> =
            opponents.map(|(spec, games)| Ok((game.agent(spec)?, *games))).collect::<Result<_, Error>>()?;
        if opponents.iter().map(|(_, games)| games).sum::<usize>() > settings.games {
            return refuse(format!("more than {} games with opponents", settings.games));
        }
        let layout = game.layout();
        let shape = NetworkShape {
            planes: layout.planes.len(),
            height: layout.height,
            width: layout.width,
            action_planes: layout.action_planes,
            loose_actions: layout.loose_actions,
            seats: game.seats(),
            channels: settings.channels,
            blocks: settings.blocks,
            beliefs: 0,
        };
        let tower = Tower::new(shape);
        let numbers = tower.first(Seed::new(settings.seed).at(0));
        let learner = Learner { reference: numbers.clone(), adam: Adam::new(tower.len), numbers };
        let rules = game.rules();
        Ok(Training {
            game,
            settings,
            opponents,
            tower,
            learner,
            progress: Progress::default(),
            largest: 0.0,
            rules,
        })
    }

    /// Goes on from a checkpoint of the same training; `place` is how messages call it.
    pub fn resume(&mut self, bytes: &[u8], place: &str) -> Result<(), Error> {
        let (progress, learner) = checkpoint::read(bytes, place, &self.subject(), self.tower.len)?;
        (self.progress, self.learner) = (progress, learner);
        Ok(())
    }

    /// All that is needed to go on later.
    pub fn checkpoint(&self) -> Vec<u8> {
        checkpoint::written(&self.subject(), self.progress, &self.learner)
    }

    fn subject(&self) -> Subject<'_> {
        Subject {
            game: self.game.info().name,
            rules: &self.rules,
            encoding: self.game.layout().version,
            settings: &self.settings,
        }
    }

    /// How many generations there have been.
    pub fn generation(&self) -> u64 {
        self.progress.generation
    }

    /// Whether all generations are played.
    pub fn is_over(&self) -> bool {
        self.progress.generation >= self.settings.generations
    }

    /// Plays a generation and learns from it.
    pub fn advance(&mut self) -> Result<Generation, Error> {
        let begun = Instant::now();
        let TrainingOptions { seed, games, ply_cap, generations, .. } = self.settings;
        let seed = Seed::new(seed).at(1 + self.progress.generation);
        let plan = Plan { game: self.game, games, ply_cap, opponents: &self.opponents, lambda: 0.95 };
        let experience = self_play::generation(&self.tower, &self.learner.numbers, &plan, seed.at(0))?;
        let done = self.progress.generation as f32 / generations as f32;
        let between = |[first, last]: [f32; 2]| first + (last - first) * done;
        let pace = Pace {
            rate: between(self.settings.rate),
            entropy: between(self.settings.entropy),
            pull: self.settings.pull,
            clip: 0.2,
            minibatch: MINIBATCH,
            follow: 0.01,
        };
        let lesson = self.learner.learn(&self.tower, &experience, &pace, seed.at(1));
        self.progress.generation += 1;
        self.progress.decisions += experience.len() as u64;
        self.progress.minutes += begun.elapsed().as_secs_f64() / 60.0;
        Ok(Generation {
            number: self.progress.generation,
            decisions: self.progress.decisions,
            finished: experience.finished,
            entropy: lesson.entropy,
            value_loss: lesson.value_loss,
        })
    }

    /// The share of points that the present weights get in so many games against an agent, in each seat as often.
    pub fn measure(&self, agent: &AnyAgent, games: usize, seed: Seed) -> Result<f64, Error> {
        let opponents = [(agent.clone(), games)];
        let cap = self.settings.ply_cap.saturating_mul(4);
        let mut played = Games::new(self.game, games, cap, seed.at(0), &opponents)?;
        let mut deciders = Deciders::new(&self.tower, games);
        let (mut open, mut points, mut ply) = (vec![true; games], 0.0, 0);
        while open.contains(&true) {
            ply += 1;
            let actors = played.actors.clone();
            deciders.decide(&self.tower, &self.learner.numbers, &played, seed.at(ply));
            let actions: Vec<i64> = deciders.decisions.iter().map(Decision::action).collect();
            played.step(&actions)?;
            let seats = played.rewards.len() / games;
            for place in (0..games).filter(|&place| played.ends[place] > 0) {
                if std::mem::take(&mut open[place]) {
                    points += f64::from(played.rewards[place * seats + actors[place] as usize]);
                }
            }
        }
        Ok(points / games as f64)
    }

    /// The present weights as a network file.
    pub fn network(&mut self, command: &str, hardware: &str) -> Result<Vec<u8>, Error> {
        self.look()?;
        let trained = Trained {
            command: command.to_owned(),
            seed: self.settings.seed,
            decisions: self.progress.decisions,
            hardware: hardware.to_owned(),
            minutes: self.progress.minutes,
        };
        let made_for = (self.game.info().name, self.game.layout().version);
        Ok(quantise::written(&self.tower, &self.learner.numbers, made_for, self.largest, trained))
    }

    /// Finds the largest activation in games of the present weights.
    fn look(&mut self) -> Result<(), Error> {
        let games = 64;
        let seed = Seed::new(self.settings.seed).at(0).at(1);
        let plan =
            Plan { game: self.game, games, ply_cap: self.settings.ply_cap, opponents: &[], lambda: 1.0 };
        let seen = self_play::generation(&self.tower, &self.learner.numbers, &plan, seed)?;
        let length = self.tower.shape.planes * self.tower.shape.cells();
        let step = seen.len().div_ceil(LOOKED_AT).max(1);
        let looked: Vec<usize> = (0..seen.len()).step_by(step).collect();
        let largest = looked.par_chunks(self_play::CHUNK).map(|decisions| {
            let mut pass = Pass::new(&self.tower, decisions.len());
            for (board, decision) in decisions.iter().enumerate() {
                pass.put(board, &seen.observations[decision * length..][..length]);
            }
            pass.forward(&self.learner.numbers);
            pass.largest()
        });
        self.largest = largest.reduce(|| 0.0, f32::max);
        Ok(())
    }
}
