//! Many games side by side, stepped at once: what learning plays.

use crate::encoding::{Encoding, Layout, Observer as _, SeatObserver, seen_by};
use crate::opponents::Opponents;
use crate::{Actor, Error, Fault, GameSeeds, Maker, Outcome, Position, Rng, Seat, Seed, View};
use rayon::prelude::*;
use rayon::{Scope, ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

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

impl<'a> BatchArrays<'a> {
    /// The rows of the first `part` of `games` games, and those of the others.
    fn split_at(self, part: usize, games: usize) -> (BatchArrays<'a>, BatchArrays<'a>) {
        let BatchArrays { observations, masks, actors, rewards, ends } = self;
        let (observations, other_observations) = split_rows(observations, part, games);
        let (masks, other_masks) = split_rows(masks, part, games);
        let (actors, other_actors) = split_rows(actors, part, games);
        let (rewards, other_rewards) = split_rows(rewards, part, games);
        let (ends, other_ends) = split_rows(ends, part, games);
        (
            BatchArrays { observations, masks, actors, rewards, ends },
            BatchArrays {
                observations: other_observations,
                masks: other_masks,
                actors: other_actors,
                rewards: other_rewards,
                ends: other_ends,
            },
        )
    }
}

fn split_rows<T>(rows: &mut [T], part: usize, games: usize) -> (&mut [T], &mut [T]) {
    rows.split_at_mut(rows.len() / games * part)
}

/// How a batch plays.
#[derive(Clone, Debug)]
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
    /// How many threads, that of the caller included; without, those of Rayon's current pool work.
    pub threads: Option<usize>,
    /// Breaks off the thinking of opponents, and with it the batch.
    pub cancel: Arc<AtomicBool>,
}

/// Who plays the other seats in a place of the batch.
pub struct Opponent<G: Encoding> {
    /// Its name, for whoever asks what is wrong with it.
    pub name: String,
    /// It is seated anew for every game.
    pub maker: Arc<dyn Maker<G>>,
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
    /// Takes one action in every game, after which opponents and chance act until somebody else's turn comes. An index that
    /// is not legal is refused, and then no game has moved. Where opponents leave nothing to decide, or were cancelled,
    /// the batch cannot go on, and says so from then on.
    fn step(&mut self, actions: &[i64], arrays: BatchArrays<'_>) -> Result<(), Error>;
    /// Draws one of the legal actions in every game, all alike likely. What is drawn follows from the batch's seed and
    /// from how often it was asked.
    fn sample(&mut self, actions: &mut [i64]) -> Result<(), Error>;
    /// The position of one game, in text: the whole truth.
    fn position(&self, game: usize) -> String;
}

/// One place of the batch.
struct Slot<G: Encoding> {
    state: G::State,
    observers: Vec<SeatObserver<G>>,
    opponents: Opponents<G>,
    /// The opponent that broke, if one did, and how: it has lost.
    broken: Option<(Seat, Fault)>,
    /// What can be done, with its number.
    legal: Vec<(u32, G::Action)>,
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
    opponents: Vec<Option<Arc<Opponent<G>>>>,
    slots: Vec<Slot<G>>,
    /// What is done in every game of this step.
    chosen: Vec<G::Action>,
    /// Where samples come from, by place.
    samplers: Vec<Rng>,
    /// Threads of its own beside that of the caller.
    pool: Option<ThreadPool>,
    /// Why it cannot go on.
    failed: Option<Error>,
    write: fn(&G, &G::State) -> String,
}

/// What a place's games have in common.
struct Setting<'a, G: Encoding> {
    game: &'a G,
    options: &'a BatchOptions,
    opponent: Option<&'a Opponent<G>>,
}

/// Places side by side, with their rows of the arrays.
struct Part<'a, G: Encoding> {
    slots: &'a mut [Slot<G>],
    opponents: &'a [Option<Arc<Opponent<G>>>],
    /// Nothing where they stay as they are.
    chosen: Option<&'a [G::Action]>,
    arrays: BatchArrays<'a>,
}

/// So many games running that end before the caller had anything to decide mean that none will.
const FRUITLESS: u32 = 100;

impl<G: Encoding> Slot<G> {
    /// A place whose first game is `number`, or the next one in which the caller has something to decide.
    fn new(setting: &Setting<'_, G>, number: u64, scratch: &mut Vec<G::Action>) -> Result<Slot<G>, Error> {
        let mut slot = Slot {
            state: setting.game.start(&mut Rng::new(GameSeeds::of(setting.options.seed, number, 0).deal)),
            observers: Vec::new(),
            opponents: Opponents::nobody(),
            broken: None,
            legal: Vec::new(),
            chance: setting.options.seed,
            draws: 0,
            plies: 0,
            number,
        };
        slot.begin(setting, number, scratch)?;
        Ok(slot)
    }

    /// Begins the game with this number, or the next one in its place in which the caller has something to decide.
    fn begin(
        &mut self,
        setting: &Setting<'_, G>,
        mut number: u64,
        scratch: &mut Vec<G::Action>,
    ) -> Result<(), Error> {
        for _ in 0..FRUITLESS {
            self.deal(setting, number);
            self.settle(setting, scratch);
            if self.ended(setting)?.is_none() {
                return Ok(());
            }
            number += setting.options.games as u64;
        }
        let why = match (&self.broken, setting.opponent) {
            (Some((seat, fault)), Some(opponent)) => format!(": {} at seat {seat}: {fault}", opponent.name),
            _ => String::new(),
        };
        Err(Error::input(format!("{FRUITLESS} games running ended before there was anything to decide{why}")))
    }

    /// Lays the game with this number out. What the last one had allocated is used again.
    fn deal(&mut self, setting: &Setting<'_, G>, number: u64) {
        let Setting { game, options, opponent } = *setting;
        let seeds = GameSeeds::of(options.seed, number, 0);
        let seats = game.seats();
        // The caller's seat goes round with the games.
        let free = Seat::new((number % seats as u64) as usize);
        let seated = opponent.map(|other| Opponents::around(free, seats, other.maker.as_ref(), &seeds));
        (self.opponents, self.broken) = match seated {
            Some(Ok(opponents)) => (opponents, None),
            Some(Err(fault)) => (Opponents::nobody(), Some((free.next(seats), fault))),
            None => (Opponents::nobody(), None),
        };
        self.state = game.start(&mut Rng::new(seeds.deal));
        self.observers.clear();
        self.observers.extend(Seat::all(seats).map(|seat| SeatObserver::new(game, seat)));
        (self.chance, self.draws, self.plies, self.number) = (seeds.chance, 0, 0, number);
    }

    fn advance(&mut self, game: &G, action: G::Action) {
        let heard = G::Observer::REMEMBERS || !self.opponents.is_empty();
        let before = heard.then(|| self.state.clone());
        self.state.apply(action);
        if let Some(before) = before {
            for observer in &mut self.observers {
                observer.follow(game, &before, action, &self.state);
            }
            let broken = self.opponents.told(game, &before, action, &self.state);
            self.broken = self.broken.take().or(broken);
        }
    }

    /// Lets chance and the opponents act until it is the caller's turn, and lists what that seat can do.
    fn settle(&mut self, setting: &Setting<'_, G>, scratch: &mut Vec<G::Action>) {
        let game = setting.game;
        self.legal.clear();
        while self.broken.is_none() {
            match self.state.actor() {
                Actor::Chance => {
                    let action = self.state.draw(&mut Rng::new(self.chance.at(self.draws)));
                    self.draws += 1;
                    self.advance(game, action);
                }
                Actor::Seat(seat) if self.opponents.has(seat) => {
                    match self.opponents.answer(game, &self.state, seat, self.plies, &setting.options.cancel)
                    {
                        Ok(action) => {
                            self.plies += 1;
                            self.advance(game, action);
                        }
                        Err(fault) => self.broken = Some((seat, fault)),
                    }
                }
                Actor::Seat(seat) => return self.list(game, seat, scratch),
                Actor::Over => return,
            }
        }
    }

    fn list(&mut self, game: &G, seat: Seat, scratch: &mut Vec<G::Action>) {
        let view = seen_by(game, &self.state, seat);
        scratch.clear();
        view.choices(scratch);
        let numbered = |&action| Some((game.action_index(&view, seat, action)? as u32, action));
        self.legal.extend(scratch.iter().filter_map(numbered));
    }

    fn chosen(&self, game: &G, index: i64) -> Option<G::Action> {
        let listed = self.legal.iter().find(|&&(number, _)| i64::from(number) == index);
        listed.map(|&(_, action)| action).or_else(|| self.unlisted(game, index))
    }

    /// An action that the rules accept though they do not list it.
    #[cold]
    fn unlisted(&self, game: &G, index: i64) -> Option<G::Action> {
        let (seat, index) = (self.state.actor().seat()?, usize::try_from(index).ok()?);
        let action = game.indexed_action(&seen_by(game, &self.state, seat), seat, index)?;
        self.state.is_legal(action).then_some(action)
    }

    /// How the game ended, and the scores, if it did: by the rules, or cut off.
    fn ended(&self, setting: &Setting<'_, G>) -> Result<Option<(u8, Outcome)>, Error> {
        let seats = self.observers.len();
        // Where no legal action has a number (a cell beyond the encoding's window) the game cannot go on either.
        let cut = setting.options.ply_cap.is_some_and(|cap| self.plies >= cap) || self.legal.is_empty();
        Ok(match (&self.broken, self.state.actor()) {
            (Some((_, Fault::Cancelled)), _) => {
                return Err(Error::busy("its opponents were cancelled while they thought"));
            }
            (&Some((seat, _)), _) => Some((1, Outcome::loss(seat, seats))),
            (None, Actor::Over) => Some((1, self.state.outcome())),
            (None, _) => cut.then(|| (2, Outcome::draw(seats))),
        })
    }

    /// Takes an action; writes the scores where the game ends, and begins the next one then.
    fn step(
        &mut self,
        setting: &Setting<'_, G>,
        action: G::Action,
        rewards: &mut [f32],
        scratch: &mut Vec<G::Action>,
    ) -> Result<u8, Error> {
        self.plies += 1;
        self.advance(setting.game, action);
        self.settle(setting, scratch);
        let Some((end, outcome)) = self.ended(setting)? else { return Ok(0) };
        for (reward, &score) in rewards.iter_mut().zip(outcome.scores()) {
            *reward = score as f32;
        }
        self.begin(setting, self.number + setting.options.games as u64, scratch)?;
        Ok(end)
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
        if all_seats {
            let (before, from) = self.observers.split_at(seat.index());
            for (observer, out) in from.iter().chain(before).zip(out.chunks_exact_mut(len)) {
                observer.observe(game, &self.state, out);
            }
        } else {
            self.observers[seat.index()].observe(game, &self.state, out);
        }
        mask.fill(0);
        for &(index, _) in &self.legal {
            mask[index as usize] = 1;
        }
    }
}

impl<'a, G: Encoding> Part<'a, G> {
    /// The first `count` places, and the others.
    fn split_at(self, count: usize) -> (Part<'a, G>, Part<'a, G>) {
        let (arrays, other_arrays) = self.arrays.split_at(count, self.slots.len());
        let (slots, other_slots) = self.slots.split_at_mut(count);
        let (opponents, other_opponents) = self.opponents.split_at(count);
        let (chosen, other_chosen) = self.chosen.map(|chosen| chosen.split_at(count)).unzip();
        let other = Part {
            slots: other_slots,
            opponents: other_opponents,
            chosen: other_chosen,
            arrays: other_arrays,
        };
        (Part { slots, opponents, chosen, arrays }, other)
    }

    /// Moves on in every place and writes where its game stands then.
    fn play(self, game: &G, options: &BatchOptions, len: usize) -> Result<(), Error> {
        let (games, observers) = (self.slots.len(), observers(game, options));
        let BatchArrays { observations, masks, actors, rewards, ends } = self.arrays;
        let mut masks = masks.chunks_exact_mut(masks.len() / games);
        let mut observations = observations.chunks_exact_mut(len * observers);
        let mut rewards = rewards.chunks_exact_mut(game.seats());
        let mut scratch = Vec::new();
        let places = self.slots.iter_mut().zip(self.opponents).zip(actors).zip(ends).enumerate();
        for (place, (((slot, opponent), actor), end)) in places {
            let rows = (observations.next(), masks.next(), rewards.next());
            let (Some(out), Some(mask), Some(rewards)) = rows else { break };
            rewards.fill(0.0);
            *end = match self.chosen {
                Some(chosen) => {
                    let setting = Setting { game, options, opponent: opponent.as_deref() };
                    slot.step(&setting, chosen[place], rewards, &mut scratch)?
                }
                None => 0,
            };
            slot.write(game, options.all_seats, len, out, mask, actor);
        }
        Ok(())
    }
}

/// Works here and on as many other threads as make up `hands`.
fn share<'scope>(scope: &Scope<'scope>, hands: usize, work: &'scope (impl Fn() + Sync)) {
    (1..hands).for_each(|_| scope.spawn(move |_| work()));
    work();
}

/// How many observations each game writes.
fn observers<G: Encoding>(game: &G, options: &BatchOptions) -> usize {
    if options.all_seats { game.seats() } else { 1 }
}

impl<G: Encoding> Batch<G> {
    /// A batch of new games. `opponents` play all seats but one in the first places, one place each; `write` is how a
    /// position is told.
    pub fn new(
        game: G,
        options: BatchOptions,
        mut opponents: Vec<Option<Arc<Opponent<G>>>>,
        write: fn(&G, &G::State) -> String,
    ) -> Result<Batch<G>, Error> {
        let pool = options.threads.filter(|&threads| threads > 1).map(|threads| {
            let helpers = ThreadPoolBuilder::new().num_threads(threads - 1).build();
            helpers.map_err(|error| Error::input(format!("{threads} threads: {error}")))
        });
        let pool = pool.transpose()?;
        opponents.resize(options.games, None);
        let begin = |(place, opponent): (usize, &Option<Arc<Opponent<G>>>)| {
            let setting = Setting { game: &game, options: &options, opponent: opponent.as_deref() };
            Slot::new(&setting, place as u64, &mut Vec::new())
        };
        let everywhere = || opponents.par_iter().enumerate().map(begin).collect::<Result<Vec<_>, Error>>();
        let slots = match (&pool, options.threads) {
            (Some(pool), _) => pool.install(everywhere),
            (None, Some(_)) => opponents.iter().enumerate().map(begin).collect(),
            (None, None) => everywhere(),
        }?;
        let sampled = options.seed.child("sampled actions");
        let samplers = (0..options.games as u64).map(|place| Rng::new(sampled.at(place))).collect();
        let (layout, chosen) = (game.layout(), Vec::with_capacity(options.games));
        Ok(Batch { game, layout, options, opponents, slots, chosen, samplers, pool, failed: None, write })
    }

    /// How many threads work, that of the caller included.
    fn hands(&self) -> usize {
        self.pool.as_ref().map_or_else(
            || self.options.threads.unwrap_or_else(rayon::current_num_threads),
            |helpers| helpers.current_num_threads() + 1,
        )
    }

    /// How many games a thread takes at once: one where opponents think, many where a step takes no time.
    fn least(&self) -> usize {
        if self.opponents.iter().any(Option::is_some) { 1 } else { 32 }
    }

    /// Refuses what cannot be asked of a batch that cannot go on.
    fn check_going(&self) -> Result<(), Error> {
        self.failed.clone().map_or(Ok(()), |error| Err(error.at("this batch cannot go on")))
    }

    fn check(&self, arrays: &BatchArrays<'_>) -> Result<(), Error> {
        self.check_going()?;
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

    fn check_count(&self, actions: &[i64]) -> Result<(), Error> {
        let (given, games) = (actions.len(), self.slots.len());
        let wrong = || Error::input(format!("{given} actions for {games} games"));
        if given == games { Ok(()) } else { Err(wrong()) }
    }

    /// Takes the chosen actions, if any, and writes where the games stand then. Whoever calls works too: it would
    /// otherwise wait for others to wake up before anything is done.
    fn play(&mut self, step: bool, arrays: BatchArrays<'_>) -> Result<(), Error> {
        let (least, hands) = (self.least(), self.hands());
        let Batch { game, layout, options, opponents, slots, chosen, pool, failed, .. } = self;
        let chosen = step.then_some(chosen.as_slice());
        let all = Part { slots, opponents, chosen, arrays };
        if hands == 1 {
            *failed = all.play(game, options, layout.observation_len()).err();
            return failed.clone().map_or(Ok(()), Err);
        }
        let (left, found) = (Mutex::new(Some(all)), Mutex::new(None));
        let next = || {
            let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
            let all = left.take()?;
            if all.slots.len() <= least {
                return Some(all);
            }
            let (part, others) = all.split_at(least);
            *left = Some(others);
            Some(part)
        };
        let work = || {
            while let Some(part) = next() {
                if let Err(error) = part.play(game, options, layout.observation_len()) {
                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                    found.get_or_insert(error);
                }
            }
        };
        match pool {
            Some(pool) => pool.in_place_scope(|scope| share(scope, hands, &work)),
            None => rayon::in_place_scope(|scope| share(scope, hands, &work)),
        }
        *failed = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.clone().map_or(Ok(()), Err)
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
        observers(&self.game, &self.options)
    }

    fn observe(&mut self, arrays: BatchArrays<'_>) -> Result<(), Error> {
        self.check(&arrays)?;
        self.play(false, arrays)
    }

    fn step(&mut self, actions: &[i64], arrays: BatchArrays<'_>) -> Result<(), Error> {
        self.check(&arrays)?;
        self.check_count(actions)?;
        self.chosen.clear();
        let chosen = |(slot, &index): (&Slot<G>, &i64)| slot.chosen(&self.game, index);
        self.chosen.extend(self.slots.iter().zip(actions).map_while(chosen));
        let place = self.chosen.len();
        if let Some(index) = actions.get(place) {
            return Err(Error::input(format!("action {index} is not legal in game {place} of the batch")));
        }
        self.play(true, arrays)
    }

    fn sample(&mut self, actions: &mut [i64]) -> Result<(), Error> {
        self.check_going()?;
        self.check_count(actions)?;
        for ((action, slot), rng) in actions.iter_mut().zip(&self.slots).zip(&mut self.samplers) {
            *action = i64::from(rng.pick(&slot.legal).0);
        }
        Ok(())
    }

    fn position(&self, place: usize) -> String {
        (self.write)(&self.game, &self.slots[place].state)
    }
}
