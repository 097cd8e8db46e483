//! Two agents of Geister against each other: each pair of games is played with the seats exchanged.
//!
//! `cargo run --release -p ranka-geister --example tournament [AGENT [AGENT]]`
#![allow(clippy::print_stdout)] // it shows the result

use ranka_core::{
    AgentSpec, Error, Fault, Game, GameSeeds, Params, Picture, Roster, Seat, Seed, Settings, play,
};
use ranka_geister::Geister;

const PAIRS: u64 = 5;

fn main() -> Result<(), Error> {
    let mut names = std::env::args().skip(1);
    let names =
        ["purple-max:depth=3", "random"].map(|usual| names.next().unwrap_or_else(|| usual.to_owned()));
    let game = Geister::new(&Params::defaults(Geister::options()))?;
    let recruit = |name: &str| Ok::<_, Error>(game.recruit(&AgentSpec::parse(name))?.1);
    let makers = [recruit(&names[0])?, recruit(&names[1])?];
    let mut score = 0.0;
    for (pair, turned) in (0..PAIRS).flat_map(|pair| [(pair, 0), (pair, 1)]) {
        let seeds = GameSeeds::of(Seed::new(1), pair, turned);
        let seated: Result<Vec<_>, Fault> = Seat::all(2)
            .map(|seat| {
                let agent = seat.index() ^ turned as usize;
                Ok((makers[agent].seat(seat, seeds.agent(agent))?, agent))
            })
            .collect();
        let seated = seated.map_err(|fault| Error::internal(fault.to_string()))?;
        let played = play(&game, &seeds, seated, &Settings::default(), &mut |_, _| ());
        score += played.outcome.score(Seat::new(turned as usize));
        if (pair, turned) == (0, 0) {
            println!("The first game ended so, after {} moves:\n", played.plies);
            println!("{}", game.sketch(&game.view(&played.last, Seat::FIRST), Seat::FIRST));
        }
    }
    println!("{} scores {score} of {} against {}", names[0], 2 * PAIRS, names[1]);
    Ok(())
}
