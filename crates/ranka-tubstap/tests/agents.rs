//! Who beats whom, by a margin that no accident can explain.

#![allow(clippy::unwrap_used)]

use ranka_core::{AgentSpec, Game, GameSeeds, Params, Roster, Seat, Seed, Settings, play};
use ranka_tubstap::Tubstap;

/// The score of the first agent in so many games, in which the agents change sides.
fn score(rules: &str, agents: [&str; 2], games: u64) -> f64 {
    let game = Tubstap::new(&Params::parse(rules, Tubstap::options()).unwrap()).unwrap();
    let makers = agents.map(|spec| game.recruit(&AgentSpec::parse(spec)).unwrap().1);
    (0..games)
        .map(|number| {
            let seeds = GameSeeds::of(Seed::new(1), number / 2, number % 2);
            let swapped = (number % 2) as usize;
            let seated = [0, 1].map(|seat| {
                let agent = seat ^ swapped;
                (makers[agent].seat(Seat::new(seat), seeds.agent(agent)).unwrap(), agent)
            });
            let played = play(&game, &seeds, seated.into(), &Settings::default(), &mut |_, _| {});
            played.outcome.score(Seat::new(swapped))
        })
        .sum()
}

#[test]
fn each_agent_beats_the_simpler_one() {
    for (one, other, games, least) in [
        ("standard", "random", 20, 19.0),
        ("pair", "random", 20, 19.0),
        ("dlmc:m=30,n=15", "random", 10, 9.0),
        ("uct:playouts=1200", "standard", 8, 7.0),
        ("uct-fpu:playouts=1200", "standard", 8, 7.0),
    ] {
        let score = score("map=crossing", [one, other], games);
        assert!(score >= least, "{one} scores {score} of {games} against {other}");
    }
}
