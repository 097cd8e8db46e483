//! Many games side by side, stepped at once: what learning plays.

use crate::encoding::{Encoding, Layout, Observer as _, Watch, seen_by};
use crate::opponents::Opponents;
use crate::{Actor, Error, GameSeeds, Maker, Outcome, Position, Rng, Seat, Seed, View};
use rayon::prelude::*;
use std::sync::Arc;

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
    /// Takes one action in every game, after which opponents and chance act until somebody else's turn comes. An index that is not legal is refused, and then no game has moved.
    fn step(&mut self, actions: &[i64], arrays: BatchArrays<'_>) -> Result<(), Error>;
    /// The position of one game, in text: the whole truth.
    fn position(&self, game: usize) -> String;
}

/// One place of the batch.
struct Slot<G: Encoding> {
    state: G::State,
    watches: Vec<Watch<G>>,
    opponents: Opponents<G>,
    /// The opponent that broke, if one did: it has lost.
    broken: Option<Seat>,
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
    /// Who plays the other seats, by place; nobody where all seats are the caller's.
    opponents: Vec<Option<Arc<dyn Maker<G>>>>,
    slots: Vec<Slot<G>>,
    write: fn(&G, &G::State) -> String,
}

/// What a place's games have in common.
struct Setting<'a, G: Encoding> {
    game: &'a G,
    options: &'a BatchOptions,
    opponent: Option<&'a Arc<dyn Maker<G>>>,
}

/// So many games running that end before the caller had anything to decide mean that none will.
const FRUITLESS: u32 = 100;

impl<G: Encoding> Slot<G> {
    /// The game with this number, or the next one in its place in which the caller has something to decide.
    fn begin(setting: &Setting<'_, G>, mut number: u64) -> Result<Slot<G>, Error> {
        for _ in 0..FRUITLESS {
            let slot = Slot::new(setting, number);
            if slot.ended(setting.options).is_none() {
                return Ok(slot);
            }
            number += setting.options.games as u64;
        }
        Err(Error::input(format!("{FRUITLESS} games running ended before there was anything to decide")))
    }

    fn new(setting: &Setting<'_, G>, number: u64) -> Slot<G> {
        let Setting { game, options, opponent } = *setting;
        let seeds = GameSeeds::of(options.seed, number, 0);
        let seats = game.seats();
        // The caller's seat goes round with the games.
        let free = Seat::new((number % seats as u64) as usize);
        let seated = opponent.map(|maker| Opponents::around(free, seats, maker.as_ref(), &seeds));
        let (opponents, broken) = match seated {
            Some(Ok(opponents)) => (opponents, None),
            Some(Err(_)) => (Opponents::nobody(), Some(free.next(seats))),
            None => (Opponents::nobody(), None),
        };
        let mut slot = Slot {
            state: game.start(&mut Rng::new(seeds.deal)),
            watches: Seat::all(seats).map(|seat| Watch::new(game, seat)).collect(),
            opponents,
            broken,
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
        let heard = G::Observer::REMEMBERS || !self.opponents.is_empty();
        let before = heard.then(|| self.state.clone());
        self.state.apply(action);
        if let Some(before) = before {
            for watch in &mut self.watches {
                watch.follow(game, &before, action, &self.state);
            }
            let broken = self.opponents.told(game, &before, action, &self.state);
            self.broken = self.broken.or(broken);
        }
    }

    /// Lets chance and the opponents act until it is the caller's turn, and lists what that seat can do.
    fn settle(&mut self, game: &G) {
        self.legal.clear();
        while self.broken.is_none() {
            match self.state.actor() {
                Actor::Chance => {
                    let action = self.state.draw(&mut Rng::new(self.chance.at(self.draws)));
                    self.draws += 1;
                    self.advance(game, action);
                }
                Actor::Seat(seat) if self.opponents.has(seat) => {
                    match self.opponents.answer(game, &self.state, seat, self.plies) {
                        Ok(action) => {
                            self.plies += 1;
                            self.advance(game, action);
                        }
                        Err(_) => self.broken = Some(seat),
                    }
                }
                Actor::Seat(seat) => return self.list(game, seat),
                Actor::Over => return,
            }
        }
    }

    fn list(&mut self, game: &G, seat: Seat) {
        let view = seen_by(game, &self.state, seat);
        self.scratch.clear();
        view.choices(&mut self.scratch);
        let numbered = |&action| Some((game.action_index(&view, seat, action)? as u32, action));
        self.legal.extend(self.scratch.iter().filter_map(numbered));
    }

    fn chosen(&self, index: i64) -> Option<G::Action> {
        self.legal.iter().find(|&&(number, _)| i64::from(number) == index).map(|&(_, action)| action)
    }

    /// How the game ended, and the scores, if it did: by the rules, or cut off.
    fn ended(&self, options: &BatchOptions) -> Option<(u8, Outcome)> {
        let seats = self.watches.len();
        // Where no legal action has a number (a cell beyond the encoding's window) the game cannot go on either.
        let cut = options.ply_cap.is_some_and(|cap| self.plies >= cap) || self.legal.is_empty();
        match (self.broken, self.state.actor()) {
            (Some(seat), _) => Some((1, Outcome::loss(seat, seats))),
            (None, Actor::Over) => Some((1, self.state.outcome())),
            (None, _) => cut.then(|| (2, Outcome::draw(seats))),
        }
    }

    /// Takes an action; writes the scores where the game ends, and begins the next one then.
    fn step(&mut self, setting: &Setting<'_, G>, action: G::Action, rewards: &mut [f32]) -> u8 {
        self.plies += 1;
        self.advance(setting.game, action);
        self.settle(setting.game);
        rewards.fill(0.0);
        let Some((end, outcome)) = self.ended(setting.options) else { return 0 };
        for (reward, &score) in rewards.iter_mut().zip(outcome.scores()) {
            *reward = score as f32;
        }
        let next = Slot::begin(setting, self.number + setting.options.games as u64);
        *self = next.expect("the first games had something to decide");
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

/// Games that are handed to a thread at once, so that it is worth it: many where a step takes no time, one where
/// opponents think.
fn chunk<T>(opponents: &[Option<T>]) -> usize {
    if opponents.iter().any(Option::is_some) { 1 } else { 32 }
}

impl<G: Encoding> Batch<G> {
    /// A batch of new games. `opponents` play all seats but one in the first places, one place each; `write` is how a
    /// position is told.
    pub fn new(
        game: G,
        options: BatchOptions,
        mut opponents: Vec<Option<Arc<dyn Maker<G>>>>,
        write: fn(&G, &G::State) -> String,
    ) -> Result<Batch<G>, Error> {
        opponents.resize(options.games, None);
        let slot = |(place, opponent): (usize, &Option<Arc<dyn Maker<G>>>)| {
            Slot::begin(
                &Setting { game: &game, options: &options, opponent: opponent.as_ref() },
                place as u64,
            )
        };
        let slots: Result<_, Error> =
            opponents.par_iter().with_min_len(chunk(&opponents)).enumerate().map(slot).collect();
        Ok(Batch { layout: game.layout(), slots: slots?, game, options, opponents, write })
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

    /// Does `step` in every place and writes where its game stands then.
    fn each(
        &mut self,
        arrays: BatchArrays<'_>,
        step: impl Fn(usize, &mut Slot<G>, &Setting<'_, G>, &mut [f32]) -> u8 + Send + Sync,
    ) {
        let Batch { game, layout, options, opponents, slots, .. } = self;
        let (game, layout, options): (&G, &Layout, &BatchOptions) = (game, layout, options);
        let len = layout.observation_len();
        let observers = if options.all_seats { game.seats() } else { 1 };
        let BatchArrays { observations, masks, actors, rewards, ends } = arrays;
        slots
            .par_iter_mut()
            .with_min_len(chunk(opponents))
            .zip(observations.par_chunks_exact_mut(len * observers))
            .zip(masks.par_chunks_exact_mut(layout.actions()))
            .zip(actors.par_iter_mut())
            .zip(rewards.par_chunks_exact_mut(game.seats()))
            .zip(ends.par_iter_mut())
            .zip(opponents.par_iter())
            .enumerate()
            .for_each(|(i, ((((((slot, out), mask), actor), rewards), end), opponent))| {
                let setting = Setting { game, options, opponent: opponent.as_ref() };
                *end = step(i, slot, &setting, rewards);
                slot.write(game, options.all_seats, len, out, mask, actor);
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
        self.each(arrays, |_, _, _, rewards| {
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
        self.each(arrays, |i, slot, setting, rewards| {
            let action = slot.chosen(actions[i]).expect("legal, as just checked");
            slot.step(setting, action, rewards)
        });
        Ok(())
    }

    fn position(&self, place: usize) -> String {
        (self.write)(&self.game, &self.slots[place].state)
    }
}
