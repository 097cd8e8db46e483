//! Learning on a processor: the same from the same seed, whatever stops it and however many work on it; and it learns.
#![allow(clippy::unwrap_used)]

use ranka_core::{AnyGame, Seed};
use ranka_learn::train::{Training, TrainingOptions};
use ranka_learn::{Network, Scratch};
use std::sync::Arc;

fn open(game: &str, rules: &str) -> Arc<dyn AnyGame> {
    ranka_games::game(game).unwrap().open(rules).unwrap()
}

fn short(generations: u64) -> TrainingOptions {
    TrainingOptions { seed: 3, generations, games: 40, ply_cap: 60, ..TrainingOptions::default() }
}

fn learned(game: &dyn AnyGame, settings: &TrainingOptions, threads: usize) -> Vec<u8> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut training = Training::new(game, settings.clone()).unwrap();
        while !training.is_over() {
            training.advance().unwrap();
        }
        training.checkpoint()
    })
}

/// A checkpoint without the line that tells the time.
fn numbers(checkpoint: &[u8]) -> &[u8] {
    let line = checkpoint.iter().position(|&byte| byte == b'\n').unwrap();
    &checkpoint[line..checkpoint.len() - 32]
}

#[test]
fn the_number_of_threads_does_not_matter() {
    for (game, rules) in [("kalah", ""), ("geister", ""), ("labyrinth", "players=3"), ("tubstap", "")] {
        let game = open(game, rules);
        let opponents = vec![("random".to_owned(), 3)];
        let settings = TrainingOptions { opponents, games: 36, ply_cap: 12, ..short(2) };
        let one = learned(game.as_ref(), &settings, 1);
        assert!(
            numbers(&one) == numbers(&learned(game.as_ref(), &settings, 3)),
            "{game:?}",
            game = game.rules()
        );
        let other = TrainingOptions { seed: 4, ..settings };
        assert!(numbers(&one) != numbers(&learned(game.as_ref(), &other, 1)));
    }
}

#[test]
fn a_training_goes_on_as_if_it_had_not_been_stopped() {
    let game = open("kalah", "");
    let settings = short(4);
    let whole = learned(game.as_ref(), &settings, 2);
    let mut first = Training::new(game.as_ref(), settings.clone()).unwrap();
    first.advance().unwrap();
    first.advance().unwrap();
    let kept = first.checkpoint();
    let mut second = Training::new(game.as_ref(), settings.clone()).unwrap();
    second.resume(&kept, "kept").unwrap();
    assert_eq!(second.generation(), 2);
    while !second.is_over() {
        second.advance().unwrap();
    }
    assert!(numbers(&whole) == numbers(&second.checkpoint()));

    let refused = |bytes: &[u8], settings: &TrainingOptions| {
        let mut training = Training::new(game.as_ref(), settings.clone()).unwrap();
        training.resume(bytes, "kept").unwrap_err().to_string()
    };
    let mut damaged = kept.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    assert!(refused(&damaged, &settings).contains("checksum"));
    assert!(refused(&kept[..middle], &settings).contains("checksum"));
    let other = TrainingOptions { seed: 99, ..settings };
    assert!(refused(&kept, &other).contains("other settings"));
}

#[test]
fn what_is_written_can_be_read() {
    let game = open("kalah", "houses=4,seeds=3");
    let mut training = Training::new(game.as_ref(), short(1)).unwrap();
    let random = game.agent("random").unwrap();
    let even = training.measure(&random, 100, Seed::new(1)).unwrap();
    assert!((0.35..0.65).contains(&even), "{even} before anything was learned");
    training.advance().unwrap();
    let bytes = training.network("a test", "a processor").unwrap();
    let network = Network::parse(&bytes, "test").unwrap();
    assert_eq!(network.header().trained.command, "a test");
    let observation = vec![0.5; game.layout().observation_len()];
    let mut scratch = Scratch::new(&network);
    let sum: f32 = network.evaluate(&observation, &mut scratch).outcome.iter().sum();
    assert!((sum - 1.0).abs() < 1e-4);
}

#[test]
fn it_learns_to_beat_random_play() {
    let game = open("tubstap", "map=duel");
    let random = game.agent("random").unwrap();
    let settings = TrainingOptions { games: 64, ply_cap: 100, ..short(20) };
    let mut training = Training::new(game.as_ref(), settings).unwrap();
    let before = training.measure(&random, 200, Seed::new(1)).unwrap();
    while !training.is_over() {
        training.advance().unwrap();
    }
    let after = training.measure(&random, 200, Seed::new(1)).unwrap();
    assert!((0.35..0.65).contains(&before), "{before}");
    assert!(after > 0.75, "{before} before and {after} after");
}

#[test]
fn settings_that_nobody_can_mean_are_refused() {
    let game = open("kalah", "");
    let refused =
        |settings: TrainingOptions| Training::new(game.as_ref(), settings).err().unwrap().to_string();
    assert!(refused(TrainingOptions { channels: 20, ..short(1) }).contains("20 channels"));
    assert!(refused(TrainingOptions { games: 0, ..short(1) }).contains("at least one"));
    let many = vec![("random".to_owned(), 41)];
    assert!(refused(TrainingOptions { opponents: many, ..short(1) }).contains("more than 40"));
    let nobody = vec![("nobody".to_owned(), 1)];
    assert!(refused(TrainingOptions { opponents: nobody, ..short(1) }).contains("nobody"));
}
