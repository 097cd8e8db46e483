//! Batches of every game: the same bytes whatever the threads, and the same games as when they are played one by one.
#![allow(clippy::unwrap_used)]

mod common;

use common::RULES;
use ranka_core::{
    Actor, AnyBatch, Batch, BatchArrays, BatchOptions, Encoding, GameSeeds, Notation, Params, Position, Rng,
    Seat, SeatObserver, Seed,
};
use ranka_games::catalogue;
use std::sync::Arc;

const GAMES: usize = 70;

/// What a step wrote.
#[derive(Clone, PartialEq)]
struct Written {
    observations: Vec<f32>,
    masks: Vec<u8>,
    actors: Vec<i32>,
    rewards: Vec<f32>,
    ends: Vec<u8>,
}

impl Written {
    fn of(batch: &dyn AnyBatch) -> Written {
        let (games, layout) = (batch.games(), batch.layout());
        Written {
            observations: vec![f32::NAN; games * batch.observers() * layout.observation_len()],
            masks: vec![7; games * layout.actions()],
            actors: vec![-1; games],
            rewards: vec![f32::NAN; games * batch.seats()],
            ends: vec![9; games],
        }
    }

    fn arrays(&mut self) -> BatchArrays<'_> {
        BatchArrays {
            observations: &mut self.observations,
            masks: &mut self.masks,
            actors: &mut self.actors,
            rewards: &mut self.rewards,
            ends: &mut self.ends,
        }
    }

    /// For each game one of its legal actions.
    fn choose(&self, rng: &mut Rng) -> Vec<i64> {
        let rows = self.masks.chunks_exact(self.masks.len() / self.actors.len());
        let pick = |row: &[u8]| {
            let legal: Vec<i64> = (0i64..).zip(row).filter(|&(_, &mask)| mask == 1).map(|(i, _)| i).collect();
            rng.pick(&legal)
        };
        rows.map(pick).collect()
    }
}

fn options(all_seats: bool) -> BatchOptions {
    let (seed, cancel) = (Seed::new(11), Arc::default());
    BatchOptions { games: GAMES, seed, all_seats, ply_cap: Some(90), threads: None, cancel }
}

#[test]
fn threads_do_not_matter() {
    for (name, rules) in RULES {
        let play = |threads: Option<usize>| -> Vec<Written> {
            let game = ranka_games::game(name).unwrap().open(rules).unwrap();
            let mut batch = game.batch(BatchOptions { threads, ..options(true) }, &[]).unwrap();
            assert_eq!(batch.layout(), &game.layout());
            let mut written = Written::of(&*batch);
            batch.observe(written.arrays()).unwrap();
            let mut actions = vec![0; GAMES];
            let step = |_| {
                batch.sample(&mut actions).unwrap();
                batch.step(&actions, written.arrays()).unwrap();
                written.clone()
            };
            (0..40).map(step).collect()
        };
        let one = play(Some(1));
        for threads in [Some(3), None] {
            let differs = one.iter().zip(&play(threads)).position(|(one, other)| one != other);
            assert_eq!(differs, None, "{name} {rules}, {threads:?} threads: the step at which they differ");
        }
    }
}

#[test]
fn samples_are_all_legal_actions_alike_often() {
    let game = ranka_games::game("kalah").unwrap().open("").unwrap();
    let mut batch = game.batch(options(false), &[]).unwrap();
    let (mut actions, mut counts) = (vec![0; GAMES], [0.0; 6]);
    for _ in 0..1000 {
        batch.sample(&mut actions).unwrap();
        actions.iter().for_each(|&action| counts[action as usize] += 1.0);
    }
    let expected = 1000.0 * GAMES as f64 / 6.0;
    let chi2: f64 = counts.iter().map(|count| (count - expected).powi(2) / expected).sum();
    assert!(chi2 < 25.0, "χ² = {chi2} with 5 degrees of freedom: {counts:?}");
    let error = batch.sample(&mut actions[1..]).unwrap_err().to_string();
    assert_eq!(error, "69 actions for 70 games");
}

/// A game beside the batch.
struct Single<G: Encoding> {
    state: G::State,
    observers: Vec<SeatObserver<G>>,
    seeds: GameSeeds,
    draws: u64,
    plies: u32,
    number: u64,
}

impl<G: Encoding> Single<G> {
    fn new(game: &G, number: u64) -> Single<G> {
        let seeds = GameSeeds::of(Seed::new(11), number, 0);
        let mut single = Single {
            state: game.start(&mut Rng::new(seeds.deal)),
            observers: Seat::all(game.seats()).map(|seat| SeatObserver::new(game, seat)).collect(),
            seeds,
            draws: 0,
            plies: 0,
            number,
        };
        single.draw(game);
        single
    }

    fn apply(&mut self, game: &G, action: G::Action) {
        let before = self.state.clone();
        self.state.apply(action);
        self.observers.iter_mut().for_each(|observer| observer.follow(game, &before, action, &self.state));
    }

    fn draw(&mut self, game: &G) {
        while self.state.actor() == Actor::Chance {
            let action = self.state.draw(&mut Rng::new(self.seeds.chance.at(self.draws)));
            self.draws += 1;
            self.apply(game, action);
        }
    }
}

fn agrees_with_single_games<G: Encoding + Notation>(rules: &str) {
    let game = G::new(&Params::parse(rules, G::options()).unwrap()).unwrap();
    let layout = game.layout();
    let mut batch = Batch::new(game.clone(), options(false), Vec::new(), G::write_state).unwrap();
    let mut written = Written::of(&batch);
    let mut singles: Vec<Single<G>> = (0..GAMES as u64).map(|number| Single::new(&game, number)).collect();
    let mut rng = Rng::new(Seed::new(3));
    let mut ended = [0; 3];
    batch.observe(written.arrays()).unwrap();
    for _ in 0..150 {
        for (place, single) in singles.iter().enumerate() {
            let seat = single.state.actor().seat().unwrap();
            assert_eq!(written.actors[place], seat.index() as i32);
            assert_eq!(batch.position(place), game.write_state(&single.state));
            let mut array = vec![0.0; layout.observation_len()];
            single.observers[seat.index()].observe(&game, &single.state, &mut array);
            assert!(array == written.observations[place * array.len()..][..array.len()], "{rules}");
            let view = game.view(&single.state, seat);
            let mut actions = Vec::new();
            single.state.actions(&mut actions);
            let mut mask = vec![0; layout.actions()];
            for action in actions {
                mask[game.action_index(&view, seat, action).unwrap()] = 1;
            }
            assert!(mask == written.masks[place * mask.len()..][..mask.len()], "{rules}");
        }
        let chosen = written.choose(&mut rng);
        batch.step(&chosen, written.arrays()).unwrap();
        for (place, single) in singles.iter_mut().enumerate() {
            let seat = single.state.actor().seat().unwrap();
            let view = game.view(&single.state, seat);
            let action = game.indexed_action(&view, seat, chosen[place] as usize).unwrap();
            assert!(single.state.is_legal(action));
            single.apply(&game, action);
            single.draw(&game);
            single.plies += 1;
            let over = single.state.actor().is_over();
            let end = if over { 1 } else { 2 * u8::from(single.plies == 90) };
            let scores: Vec<f32> = match end {
                0 => vec![0.0; game.seats()],
                1 => single.state.outcome().scores().iter().map(|&score| score as f32).collect(),
                _ => vec![1.0 / game.seats() as f32; game.seats()],
            };
            assert_eq!(written.ends[place], end, "{rules}");
            assert_eq!(written.rewards[place * game.seats()..][..game.seats()], scores, "{rules}");
            ended[usize::from(end)] += 1;
            if end > 0 {
                *single = Single::new(&game, single.number + GAMES as u64);
            }
        }
    }
    assert!(ended[1] + ended[2] > GAMES, "{rules}: {ended:?} games ended");
}

#[test]
fn batches_play_what_single_games_play() {
    for (name, rules) in RULES {
        match name {
            "kalah" => agrees_with_single_games::<ranka_kalah::Kalah>(rules),
            "geister" => agrees_with_single_games::<ranka_geister::Geister>(rules),
            "labyrinth" => agrees_with_single_games::<ranka_labyrinth::Labyrinth>(rules),
            "tantrix" => agrees_with_single_games::<ranka_tantrix::Tantrix>(rules),
            _ => agrees_with_single_games::<ranka_tubstap::Tubstap>(rules),
        }
    }
    assert!(catalogue().iter().all(|entry| RULES.iter().any(|(name, _)| *name == entry.info().name)));
}

#[test]
fn wrong_steps_are_refused_and_nothing_moves() {
    let game = ranka_games::game("kalah").unwrap().open("").unwrap();
    let mut batch = game.batch(BatchOptions { games: 2, ..options(false) }, &[]).unwrap();
    let mut written = Written::of(&*batch);
    batch.observe(written.arrays()).unwrap();
    let before = batch.position(0);
    let refused = [
        (vec![0, 6], "action 6 is not legal in game 1 of the batch"),
        (vec![-1, 0], "action -1 is not legal in game 0 of the batch"),
        (vec![0], "1 actions for 2 games"),
    ];
    for (actions, expected) in refused {
        assert_eq!(batch.step(&actions, written.arrays()).unwrap_err().to_string(), expected);
        assert_eq!(batch.position(0), before);
    }
    written.masks.pop();
    let error = batch.step(&[0, 0], written.arrays()).unwrap_err().to_string();
    assert_eq!(error, "masks: 13 numbers, not 2 games of 7");
}
