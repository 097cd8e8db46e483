//! Learns the champion's judgement from games against itself on random maps.
//!
//!     cargo run --release -p ranka-tubstap --example learn_evaluation -- OUT GENERATIONS MINUTES SEED [FROM]
//!
//! The first generation plays by playouts, the others by what was learned before; `FROM` is a file to begin with
//! instead. Games are spread over all processors; each follows from its number alone.

use ranka_core::{Rng, Seed};
use ranka_tubstap::evaluation::{Experience, Learner, Model, play};
use rayon::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Games that are played at a time.
const BLOCK: u64 = 512;
/// Of the positions, one in so many tests what was learned.
const HELD_OUT: usize = 50;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [out, generations, minutes, seed, from @ ..] = &args[..] else {
        eprintln!("learn_evaluation OUT GENERATIONS MINUTES SEED [FROM]");
        std::process::exit(2);
    };
    let number = |text: &String| -> f64 { text.parse().unwrap_or_else(|_| panic!("{text:?} is no number")) };
    let (generations, minutes, seed) =
        (number(generations) as u64, number(minutes), Seed::new(number(seed) as u64));
    let mut model = from
        .first()
        .map(|path| Model::read(&std::fs::read(path).expect("the file")).expect("a model"))
        .map(Arc::new);
    let mut pool: Vec<Experience> = Vec::new();
    let mut played = 0;
    for generation in 0..generations {
        let begun = Instant::now();
        let until = begun + Duration::from_secs_f64(60.0 * minutes);
        let (mut games, before) = (0, pool.len());
        while Instant::now() < until {
            let first = played;
            played += BLOCK;
            let judge = model.as_ref();
            let block: Vec<Experience> = (first..first + BLOCK)
                .into_par_iter()
                .flat_map_iter(|game| play(seed.child("game").at(game), judge))
                .collect();
            pool.extend(block);
            games += BLOCK;
        }
        // Older games tell of weaker play.
        let most = 12_000_000;
        if pool.len() > most {
            pool.drain(..pool.len() - most);
        }
        let grown = pool.len() - before.min(pool.len());
        eprintln!("generation {generation}: {games} games, {grown} positions, {} in all", pool.len());
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
