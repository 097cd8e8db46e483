//! How fast a network file is evaluated on one core: `cargo run --release -p ranka-learn --example evaluate FILE`.
#![allow(clippy::print_stdout)]

use ranka_core::{Error, Rng, Seed, seconds};
use ranka_learn::{Network, Scratch};
use std::path::PathBuf;

fn main() -> Result<(), Error> {
    let path = std::env::args().nth(1).ok_or_else(|| Error::input("which network file?"))?;
    let network = Network::read(&PathBuf::from(path))?;
    let (shape, mut scratch) = (*network.shape(), Scratch::new(&network));
    let mut rng = Rng::new(Seed::new(1));
    let observation: Vec<f32> = (0..shape.planes * shape.cells()).map(|_| rng.unit() as f32).collect();
    let spent = seconds(2000, || {
        network.evaluate(&observation, &mut scratch);
    });
    println!("{:.0} evaluations a second, {:.0} µs each", 1.0 / spent, 1e6 * spent);
    Ok(())
}
