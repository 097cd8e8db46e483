//! Trains the evaluation of Tantrix's champion by games with itself:
//! `cargo run --release -p ranka-tantrix --example learn_evaluation -- OUT [GAMES [SEED [FROM]]]`.
//! The result follows from games, seed and what it is trained from, whatever the number of threads.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // it shows how it goes

use ranka_tantrix::evaluation::{Model, TrainingOptions, train};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let out = arguments.first().expect("a file to write to");
    let games = arguments.get(1).map_or(60_000, |games| games.parse().unwrap());
    let seed = arguments.get(2).map_or(1, |seed| seed.parse().unwrap());
    let from = arguments.get(3).map(|file| Model::read(&std::fs::read(file).unwrap()).unwrap());
    let threads = std::env::var("THREADS").map_or(1, |threads| threads.parse().unwrap());
    let step = std::env::var("STEP").map_or(0.003, |step| step.parse().unwrap());
    let options = TrainingOptions { seed, games, batch: 32, lambda: 0.8, step, random: 0.02, threads };
    let before = from.as_ref().map_or(String::new(), |model| format!("{}; then ", model.made));
    let made = format!("{before}learn: games={games} seed={seed} step={step}");
    let begun = std::time::Instant::now();
    let mut model = train(&options, from, &mut |progress, model| {
        println!("{} games, surprise {:.4}, {:.0?}", progress.games, progress.surprise, begun.elapsed());
        let mut saved = model.clone();
        saved.made = format!("{made} (after {})", progress.games);
        std::fs::write(out, saved.write()).unwrap();
    });
    model.made = made;
    std::fs::write(out, model.write()).unwrap();
}
