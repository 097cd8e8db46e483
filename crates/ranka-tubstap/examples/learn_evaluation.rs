//! Learns the champion's judgement from games against itself on random maps.
//!
//!     cargo run --release -p ranka-tubstap --example learn_evaluation -- OUT GENERATIONS GAMES SEED [FROM]
//!
//! Each generation plays so many games and learns from all that were played lately. The first plays by playouts, the
//! others by what was learned before; `FROM` is a file to begin with instead. Games are spread over all processors, but
//! each follows from its number alone, and so do the weights in the end.

use ranka_core::{Rng, Seed};
use ranka_tubstap::evaluation::{Experience, Learner, Model, play};
use rayon::prelude::*;
use std::sync::Arc;
use std::time::Instant;

/// Positions to learn from, at the most.
const MOST: usize = 12_000_000;
/// Of the positions, one in so many tests what was learned.
const HELD_OUT: usize = 50;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [out, generations, games, seed, from @ ..] = &args[..] else {
        eprintln!("learn_evaluation OUT GENERATIONS GAMES SEED [FROM]");
        std::process::exit(2);
    };
    let number = |text: &String| -> u64 { text.parse().unwrap_or_else(|_| panic!("{text:?} is no number")) };
    let (generations, games, seed) = (number(generations), number(games), Seed::new(number(seed)));
    let mut model = from
        .first()
        .map(|path| Model::read(&std::fs::read(path).expect("the file")).expect("a model"))
        .map(Arc::new);
    let mut pool: Vec<Experience> = Vec::new();
    for generation in 0..generations {
        let begun = Instant::now();
        let before = pool.len();
        let judge = model.as_ref();
        pool.par_extend(
            (generation * games..(generation + 1) * games)
                .into_par_iter()
                .flat_map_iter(|game| play(seed.child("game").at(game), judge)),
        );
        eprintln!(
            "generation {generation}: {games} games, {} positions, {:.0} s",
            pool.len() - before,
            begun.elapsed().as_secs_f64()
        );
        // Older games tell of weaker play.
        pool.drain(..pool.len().saturating_sub(MOST));
        let begin = || Model::begin(&mut Rng::new(seed.child("weights")));
        let mut learner = Learner::new(model.take().map_or_else(begin, |model| (*model).clone()));
        let mut rng = Rng::new(seed.child("order").at(generation));
        let mut order: Vec<usize> = (0..pool.len()).filter(|n| n % HELD_OUT != 0).collect();
        let epochs = 2;
        for epoch in 0..epochs {
            rng.shuffle(&mut order);
            for (n, &place) in order.iter().enumerate() {
                let done = (epoch as f32 + n as f32 / order.len() as f32) / epochs as f32;
                learner.learn(&pool[place].position, pool[place].target, 0.03 * (1.0 - done) + 0.001);
            }
            let tested = (0..pool.len()).step_by(HELD_OUT);
            let count = tested.clone().count() as f32;
            let loss: f32 = tested.map(|n| learner.loss(&pool[n].position, pool[n].target)).sum();
            eprintln!("  epoch {epoch}: loss {:.4}, {:.0} s", loss / count, begun.elapsed().as_secs_f64());
        }
        let learned = learner.model.rounded();
        let made = format!("learn_evaluation {}, generation {generation}", args[1..].join(" "));
        std::fs::write(out, learned.write(&made)).expect("the file can be written");
        model = Some(Arc::new(learned));
    }
}
