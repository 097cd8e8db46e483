//! Many games side by side, stepped at once: what learning plays.

use crate::encoding::{Encoding, Layout, Observer as _, Watch, seen_by};
use crate::{Actor, Error, GameSeeds, Position, Rng, Seat, Seed, View};
use rayon::prelude::*;

/// What a step writes, for each game one row.
pub struct BatchArrays<'a> {
    /// What is observed: by the seat that is to act, or, in a batch that observes all seats, by every seat in turn order
    /// from it.
    pub observations: &'a mut [f32],
    /// For each action whether it is legal, 0 or 1.
    pub masks: &'a mut [u8],
    /// The seat that is to act.
    pub actors: &'a mut [i32],
    /// The score of each seat where the step ended the game, 0 else.
    pub rewards: &'a mut [f32],
    /// 0 where the game goes on, 1 where it ended by the rules, 2 where it was cut off and scored as a draw. A new game
    /// has then begun in its place.
    pub ends: &'a mut [u8],
}

/// How a batch plays.
#[derive(Clone, Copy, Debug)]
pub struct BatchOptions {
    /// How many games.
    pub games: usize,
    /// Where everything random comes from. Game `i` in place `k` of a batch of `n` is game `k + i·n` of this seed,
    /// however many threads there are.
    pub seed: Seed,
    /// Whether every seat's observation is written, and not only that of the seat that is to act.
    pub all_seats: bool,
    /// Decisions after which a game is cut off.
    pub ply_cap: Option<u32>,
}

/// A batch of any game.
pub trait AnyBatch: Send {
    /// The shapes of the arrays.
    fn layout(&self) -> &Layout;
    /// How many games.
    fn games(&self) -> usize;
    /// How many play each.
    fn seats(&self) -> usize;
    /// How many observations each game writes.
    fn observers(&self) -> usize;
    /// Writes where the games stand; no game has ended.
    fn observe(&mut self, arrays: BatchArrays<'_>) -> Result<(), Error>;
    /// Takes one action in every game. An index that is not legal is refused, and then no game has moved.
    fn step(&mut self, actions: &[i64], arrays: BatchArrays<'_>) -> Result<(), Error>;
    /// The position of one game, in text: the whole truth.
    fn position(&self, game: usize) -> String;
}

/// One place of the batch.
struct Slot<G: Encoding> {
    state: G::State,
    watches: Vec<Watch<G>>,
    /// What can be done, with its number.
    legal: Vec<(u32, G::Action)>,
    scratch: Vec<G::Action>,
    chance: Seed,
    draws: u64,
    plies: u32,
    /// Which game this is.
    number: u64,
}

/// A batch of one game.
pub struct Batch<G: Encoding> {
    game: G,
    layout: Layout,
    options: BatchOptions,
    slots: Vec<Slot<G>>,
    write: fn(&G, &G::State) -> String,
}

impl<G: Encoding> Slot<G> {
    fn new(game: &G, seed: Seed, number: u64) -> Slot<G> {
        let seeds = GameSeeds::of(seed, number, 0);
        let mut slot = Slot {
            state: game.start(&mut Rng::new(seeds.deal)),
            watches: Seat::all(game.seats()).map(|seat| Watch::new(game, seat)).collect(),
            legal: Vec::new(),
            scratch: Vec::new(),
            chance: seeds.chance,
            draws: 0,
            plies: 0,
            number,
        };
        slot.settle(game);
        slot
    }

    fn advance(&mut self, game: &G, action: G::Action) {
        let before = G::Observer::REMEMBERS.then(|| self.state.clone());
        self.state.apply(action);
        if let Some(before) = before {
            for watch in &mut self.watches {
                watch.follow(game, &before, action, &self.state);
            }
        }
    }

    /// Lets chance act until a seat can, and lists what that seat can do.
    fn settle(&mut self, game: &G) {
        while self.state.actor() == Actor::Chance {
            let action = self.state.draw(&mut Rng::new(self.chance.at(self.draws)));
            self.draws += 1;
            self.advance(game, action);
        }
        self.legal.clear();
        if let Actor::Seat(seat) = self.state.actor() {
            let view = seen_by(game, &self.state, seat);
            self.scratch.clear();
            view.choices(&mut self.scratch);
            let numbered = |&action| Some((game.action_index(&view, seat, action)? as u32, action));
            self.legal.extend(self.scratch.iter().filter_map(numbered));
        }
    }

    fn chosen(&self, index: i64) -> Option<G::Action> {
        self.legal.iter().find(|&&(number, _)| i64::from(number) == index).map(|&(_, action)| action)
    }

    /// Takes an action; writes the scores where the game ends, and begins the next one then.
    fn step(&mut self, game: &G, action: G::Action, options: &BatchOptions, rewards: &mut [f32]) -> u8 {
        self.advance(game, action);
        self.plies += 1;
        self.settle(game);
        rewards.fill(0.0);
        // Where no legal action has a number (a cell beyond the encoding's window) the game cannot go on either.
        let capped = options.ply_cap.is_some_and(|cap| self.plies >= cap) || self.legal.is_empty();
        let end = match self.state.actor() {
            Actor::Over => 1,
            _ if capped => 2,
            _ => return 0,
        };
        if end == 1 {
            let outcome = self.state.outcome();
            for (reward, &score) in rewards.iter_mut().zip(outcome.scores()) {
                *reward = score as f32;
            }
        } else {
            rewards.fill(1.0 / rewards.len() as f32);
        }
        *self = Slot::new(game, options.seed, self.number + options.games as u64);
        end
    }

    fn write(
        &self,
        game: &G,
        all_seats: bool,
        len: usize,
        out: &mut [f32],
        mask: &mut [u8],
        actor: &mut i32,
    ) {
        let seat = self.state.actor().seat().expect("a batch's games stand at a seat's decision");
        *actor = seat.index() as i32;
        let seats = self.watches.len();
        let observers = if all_seats { seats } else { 1 };
        for (i, out) in out.chunks_exact_mut(len).enumerate().take(observers) {
            self.watches[(seat.index() + i) % seats].observe(game, &self.state, out);
        }
        mask.fill(0);
        for &(index, _) in &self.legal {
            mask[index as usize] = 1;
        }
    }
}

/// Games that are handed to a thread at once: enough work to be worth it.
const CHUNK: usize = 32;

impl<G: Encoding> Batch<G> {
    /// A batch of new games; `write` is how a position is told.
    pub fn new(game: G, options: BatchOptions, write: fn(&G, &G::State) -> String) -> Batch<G> {
        let slots = (0..options.games)
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|place| Slot::new(&game, options.seed, place as u64))
            .collect();
        Batch { layout: game.layout(), game, options, slots, write }
    }

    fn check(&self, arrays: &BatchArrays<'_>) -> Result<(), Error> {
        let games = self.slots.len();
        let observation = self.observers() * self.layout.observation_len();
        for (name, len, row) in [
            ("observations", arrays.observations.len(), observation),
            ("masks", arrays.masks.len(), self.layout.actions()),
            ("actors", arrays.actors.len(), 1),
            ("rewards", arrays.rewards.len(), self.game.seats()),
            ("ends", arrays.ends.len(), 1),
        ] {
            if len != games * row {
                return Err(Error::input(format!("{name}: {len} numbers, not {games} games of {row}")));
            }
        }
        Ok(())
    }

    fn each(
        &mut self,
        arrays: BatchArrays<'_>,
        step: impl Fn(usize, &mut Slot<G>, &mut [f32]) -> u8 + Send + Sync,
    ) {
        let (game, all_seats) = (&self.game, self.options.all_seats);
        let len = self.layout.observation_len();
        let observers = if all_seats { game.seats() } else { 1 };
        let BatchArrays { observations, masks, actors, rewards, ends } = arrays;
        self.slots
            .par_iter_mut()
            .with_min_len(CHUNK)
            .zip(observations.par_chunks_exact_mut(len * observers))
            .zip(masks.par_chunks_exact_mut(self.layout.actions()))
            .zip(actors.par_iter_mut())
            .zip(rewards.par_chunks_exact_mut(game.seats()))
            .zip(ends.par_iter_mut())
            .enumerate()
            .for_each(|(i, (((((slot, out), mask), actor), rewards), end))| {
                *end = step(i, slot, rewards);
                slot.write(game, all_seats, len, out, mask, actor);
            });
    }
}

impl<G: Encoding> AnyBatch for Batch<G> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn games(&self) -> usize {
        self.slots.len()
    }

    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn observers(&self) -> usize {
        if self.options.all_seats { self.game.seats() } else { 1 }
    }

    fn observe(&mut self, arrays: BatchArrays<'_>) -> Result<(), Error> {
        self.check(&arrays)?;
        self.each(arrays, |_, _, rewards| {
            rewards.fill(0.0);
            0
        });
        Ok(())
    }

    fn step(&mut self, actions: &[i64], arrays: BatchArrays<'_>) -> Result<(), Error> {
        self.check(&arrays)?;
        if actions.len() != self.slots.len() {
            let (given, games) = (actions.len(), self.slots.len());
            return Err(Error::input(format!("{given} actions for {games} games")));
        }
        let illegal = self.slots.iter().zip(actions).position(|(slot, &index)| slot.chosen(index).is_none());
        if let Some(place) = illegal {
            let index = actions[place];
            return Err(Error::input(format!("action {index} is not legal in game {place} of the batch")));
        }
        let (game, options) = (self.game.clone(), self.options);
        self.each(arrays, |i, slot, rewards| {
            let action = slot.chosen(actions[i]).expect("legal, as just checked");
            slot.step(&game, action, &options, rewards)
        });
        Ok(())
    }

    fn position(&self, place: usize) -> String {
        (self.write)(&self.game, &self.slots[place].state)
    }
}
