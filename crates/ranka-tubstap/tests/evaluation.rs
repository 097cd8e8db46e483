//! The learned judgement: files, learning, and what it says of positions.

use ranka_core::{Rng, Seed};
use ranka_tubstap::evaluation::{Experience, Learner, Model, play};
use std::sync::Arc;

fn experience(games: u64) -> Vec<Experience> {
    (0..games).flat_map(|game| play(Seed::new(5).at(game), None)).collect()
}

#[test]
fn a_file_comes_back_as_it_was_and_a_damaged_one_is_refused() {
    let model = Model::begin(&mut Rng::new(Seed::new(1))).rounded();
    let file = model.write("a test");
    assert!(Model::read(&file).unwrap() == model);
    let refused = |bytes: &[u8]| Model::read(bytes).err().unwrap().to_string();
    assert!(refused(&[]).contains("cut short"));
    assert!(refused(&file[..file.len() - 1]).contains("checksum"));
    let mut other = file.clone();
    other[file.len() / 2] ^= 1;
    assert!(refused(&other).contains("checksum"));
    other = b"something else".repeat(9);
    assert!(refused(&other).contains("does not begin with"));
}

#[test]
fn what_was_learned_foretells_games_that_were_not_learned_from() {
    let (learned_from, held_out) = (experience(60), experience(75).split_off(60));
    let mut learner = Learner::new(Model::begin(&mut Rng::new(Seed::new(2))));
    let loss = |learner: &mut Learner| {
        let losses = held_out.iter().map(|seen| learner.loss(&seen.position, seen.target));
        losses.sum::<f32>() / held_out.len() as f32
    };
    let before = loss(&mut learner);
    for _ in 0..3 {
        for seen in &learned_from {
            learner.learn(&seen.position, seen.target, 0.03);
        }
    }
    let after = loss(&mut learner);
    assert!(after < before - 0.03, "{before} then {after}");
}

/// A game follows from its seed alone, by playouts and by a model.
#[test]
fn games_to_learn_from_can_be_had_again() {
    let model = Arc::new(Model::begin(&mut Rng::new(Seed::new(3))));
    for judge in [None, Some(&model)] {
        let games = [0, 1].map(|_| play(Seed::new(9), judge));
        assert!(!games[0].is_empty());
        let targets = games.map(|game| game.iter().map(|seen| seen.target.to_bits()).collect::<Vec<_>>());
        assert_eq!(targets[0], targets[1]);
    }
}
