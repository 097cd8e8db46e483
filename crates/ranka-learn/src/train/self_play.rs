//! A generation of games: what the present weights do, and what came of it. A pure function of weights and seed.

use super::conv::LANES;
use super::outcomes::{self, Outcomes};
use super::ppo::log;
use super::tower::{Pass, Tower};
use crate::policy::softmax;
use ranka_core::{AnyAgent, AnyBatch, AnyGame, BatchArrays, BatchOptions, Error, MAX_SEATS, Rng, Seat, Seed};
use rayon::prelude::*;
use std::sync::Arc;

/// Boards that are evaluated together.
pub(crate) const CHUNK: usize = 32;

/// What was seen, done and found in the decisions of a generation, one after the other.
#[derive(Default)]
pub(crate) struct Experience {
    pub(crate) observations: Vec<f32>,
    /// The legal actions of all decisions, and where each decision's begin.
    pub(crate) legal: Vec<u32>,
    pub(crate) begins: Vec<usize>,
    /// Which of its legal actions was taken, and how likely that was.
    pub(crate) chosen: Vec<u32>,
    pub(crate) log_likelihood: Vec<f32>,
    /// How much better than expected it went for who acted.
    pub(crate) advantage: Vec<f32>,
    /// What the outcome was, or was thought to be later, as seen by who acted.
    pub(crate) target: Vec<Outcomes>,
    pub(crate) finished: usize,
}

impl Experience {
    pub(crate) fn len(&self) -> usize {
        self.chosen.len()
    }

    pub(crate) fn legal_of(&self, decision: usize) -> &[u32] {
        let end = self.begins.get(decision + 1).copied().unwrap_or(self.legal.len());
        &self.legal[self.begins[decision]..end]
    }
}

/// A batch of games with room for what it writes.
pub(crate) struct Games {
    batch: Box<dyn AnyBatch>,
    pub(crate) observations: Vec<f32>,
    pub(crate) masks: Vec<u8>,
    pub(crate) actors: Vec<i32>,
    pub(crate) rewards: Vec<f32>,
    pub(crate) ends: Vec<u8>,
}

impl Games {
    pub(crate) fn new(
        game: &dyn AnyGame,
        games: usize,
        ply_cap: u32,
        seed: Seed,
        opponents: &[(AnyAgent, usize)],
    ) -> Result<Games, Error> {
        let (cancel, ply_cap) = (Arc::default(), Some(ply_cap));
        let options = BatchOptions { games, seed, all_seats: false, ply_cap, threads: None, cancel };
        let batch = game.batch(options, opponents)?;
        let layout = batch.layout();
        let mut made = Games {
            observations: vec![0.0; games * layout.observation_len()],
            masks: vec![0; games * layout.actions()],
            actors: vec![0; games],
            rewards: vec![0.0; games * batch.seats()],
            ends: vec![0; games],
            batch,
        };
        made.write(|batch, arrays| batch.observe(arrays))?;
        Ok(made)
    }

    pub(crate) fn step(&mut self, actions: &[i64]) -> Result<(), Error> {
        self.write(|batch, arrays| batch.step(actions, arrays))
    }

    fn write(
        &mut self,
        write: impl FnOnce(&mut dyn AnyBatch, BatchArrays<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let arrays = BatchArrays {
            observations: &mut self.observations,
            masks: &mut self.masks,
            actors: &mut self.actors,
            rewards: &mut self.rewards,
            ends: &mut self.ends,
        };
        write(self.batch.as_mut(), arrays)
    }
}

/// What a network decided in one game.
#[derive(Clone, Default)]
pub(crate) struct Decision {
    legal: Vec<u32>,
    pub(crate) chosen: u32,
    log_likelihood: f32,
    /// As seen by who acts.
    outcomes: Outcomes,
}

impl Decision {
    pub(crate) fn action(&self) -> i64 {
        i64::from(self.legal[self.chosen as usize])
    }
}

/// A network that decides in many games at once.
pub(crate) struct Deciders<'t> {
    passes: Vec<Pass<'t>>,
    pub(crate) decisions: Vec<Decision>,
}

impl<'t> Deciders<'t> {
    pub(crate) fn new(tower: &'t Tower, games: usize) -> Deciders<'t> {
        Deciders {
            passes: (0..games.div_ceil(CHUNK)).map(|_| Pass::new(tower, CHUNK.min(games))).collect(),
            decisions: vec![Decision::default(); games],
        }
    }

    /// Draws an action in every game.
    pub(crate) fn decide(&mut self, tower: &Tower, numbers: &[f32], games: &Games, seed: Seed) {
        let (length, actions) =
            (tower.shape.planes * tower.shape.cells(), games.masks.len() / games.actors.len());
        let (observations, masks) = (&games.observations, &games.masks);
        let chunks = self.passes.par_iter_mut().zip(self.decisions.par_chunks_mut(CHUNK)).enumerate();
        chunks.for_each(|(chunk, (pass, decisions))| {
            let first = chunk * CHUNK;
            for board in 0..decisions.len() {
                pass.put(board, &observations[(first + board) * length..][..length]);
            }
            pass.forward(numbers);
            let mut probabilities = Vec::new();
            for (board, decision) in decisions.iter_mut().enumerate() {
                let place = first + board;
                decision.legal.clear();
                let mask = &masks[place * actions..][..actions];
                decision.legal.extend((0u32..).zip(mask).filter(|(_, legal)| **legal > 0).map(|(i, _)| i));
                probabilities.clear();
                let logit = |&action: &u32| pass.logit_of(pass.logit(board, action as usize));
                probabilities.extend(decision.legal.iter().map(logit));
                softmax(&mut probabilities);
                let chosen = draw(&probabilities, &mut Rng::new(seed.at(place as u64)));
                decision.chosen = chosen as u32;
                decision.log_likelihood = log(probabilities[chosen]);
                decision.outcomes = outcomes_of(pass, tower, board);
            }
        });
    }
}

/// The probabilities of outcomes that a network sees for a board.
pub(crate) fn outcomes_of(pass: &Pass<'_>, tower: &Tower, board: usize) -> Outcomes {
    let kinds = tower.shape.outcomes();
    let mut outcomes = [0.0; MAX_SEATS];
    let logits = &pass.value[board * tower.value.outputs..][..kinds];
    outcomes[..kinds].copy_from_slice(logits);
    softmax(&mut outcomes[..kinds]);
    outcomes
}

pub(super) fn draw(probabilities: &[f32], rng: &mut Rng) -> usize {
    let mut rest = rng.unit() as f32;
    let past = |&probability: &f32| {
        rest -= probability;
        rest < 0.0
    };
    // Rounding can leave a little over.
    probabilities.iter().position(past).unwrap_or_else(|| {
        let most = |&(_, a): &(usize, &f32), &(_, b): &(usize, &f32)| a.total_cmp(b);
        probabilities.iter().enumerate().max_by(most).map_or(0, |(i, _)| i)
    })
}

/// How a generation is played.
pub(crate) struct Plan<'a> {
    pub(crate) game: &'a dyn AnyGame,
    pub(crate) games: usize,
    /// Decisions of the network after which a game is a draw.
    pub(crate) ply_cap: u32,
    /// Who sits in the first places, against the network.
    pub(crate) opponents: &'a [(AnyAgent, usize)],
    /// How far a result reaches back.
    pub(crate) lambda: f32,
}

/// One step of all games, until it is known what came of it.
struct Ply {
    observations: Vec<f32>,
    actors: Vec<i32>,
    decisions: Vec<Decision>,
    ends: Vec<u8>,
    rewards: Vec<f32>,
}

/// Plays until nearly every place has seen the end of its first game, or the cap.
pub(crate) fn generation(
    tower: &Tower,
    numbers: &[f32],
    plan: &Plan<'_>,
    seed: Seed,
) -> Result<Experience, Error> {
    debug_assert_eq!(tower.shape.channels % LANES, 0);
    let mut games = Games::new(plan.game, plan.games, plan.ply_cap, seed.at(0), plan.opponents)?;
    let mut deciders = Deciders::new(tower, plan.games);
    let mut plies = Vec::new();
    let mut over = vec![false; plan.games];
    // The last few are not worth waiting for: what they come to is judged instead.
    let open = plan.games / 20;
    while over.iter().filter(|over| !**over).count() > open && plies.len() < plan.ply_cap as usize {
        deciders.decide(tower, numbers, &games, seed.at(1 + plies.len() as u64));
        let observations = games.observations.clone();
        let actors = games.actors.clone();
        let actions: Vec<i64> = deciders.decisions.iter().map(Decision::action).collect();
        games.step(&actions)?;
        over.iter_mut().zip(&games.ends).for_each(|(over, &end)| *over |= end > 0);
        plies.push(Ply {
            observations,
            actors,
            decisions: deciders.decisions.clone(),
            ends: games.ends.clone(),
            rewards: games.rewards.clone(),
        });
    }
    deciders.decide(tower, numbers, &games, seed.at(1 + plies.len() as u64));
    Ok(judged(tower, plan, &plies, &games, &deciders))
}

/// What came of every decision: λ-returns of outcomes, in seat order.
fn judged(tower: &Tower, plan: &Plan<'_>, plies: &[Ply], games: &Games, last: &Deciders<'_>) -> Experience {
    let shape = &tower.shape;
    let seat = |actor: i32| Seat::new(actor as usize);
    let in_seats =
        |decision: &Decision, actor: i32| outcomes::turned(shape, &decision.outcomes, seat(actor), true);
    let ends = last.decisions.iter().zip(&games.actors);
    let mut following: Vec<Outcomes> = ends.map(|(decision, &actor)| in_seats(decision, actor)).collect();
    let mut next_values = following.clone();
    let mut targets = vec![Vec::new(); plies.len()];
    for (ply, targets) in plies.iter().zip(&mut targets).rev() {
        for place in 0..plan.games {
            let to = &mut following[place];
            if ply.ends[place] > 0 {
                *to = outcomes::of_scores(shape, &ply.rewards[place * shape.seats..][..shape.seats]);
            } else {
                for (to, value) in to.iter_mut().zip(&next_values[place]) {
                    *to = (1.0 - plan.lambda) * value + plan.lambda * *to;
                }
            }
            next_values[place] = in_seats(&ply.decisions[place], ply.actors[place]);
        }
        targets.clone_from(&following);
    }
    let mut experience = Experience::default();
    let length = shape.planes * shape.cells();
    for (ply, targets) in plies.iter().zip(&targets) {
        experience.finished += ply.ends.iter().filter(|end| **end > 0).count();
        for (place, decision) in ply.decisions.iter().enumerate() {
            // Nothing can be learned where there was no choice.
            if decision.legal.len() < 2 {
                continue;
            }
            let target = outcomes::turned(shape, &targets[place], seat(ply.actors[place]), false);
            experience.observations.extend_from_slice(&ply.observations[place * length..][..length]);
            experience.begins.push(experience.legal.len());
            experience.legal.extend_from_slice(&decision.legal);
            experience.chosen.push(decision.chosen);
            experience.log_likelihood.push(decision.log_likelihood);
            let gain = outcomes::score(shape, &target) - outcomes::score(shape, &decision.outcomes);
            experience.advantage.push(gain);
            experience.target.push(target);
        }
    }
    normalise(&mut experience.advantage);
    experience
}

fn normalise(numbers: &mut [f32]) {
    let count = numbers.len().max(1) as f32;
    let mean = numbers.iter().sum::<f32>() / count;
    let variance = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / count;
    let scale = 1.0 / (libm::sqrtf(variance) + 1e-6);
    numbers.iter_mut().for_each(|x| *x = (*x - mean) * scale);
}
