//! Who beats whom, by a margin that no accident can explain.
#![allow(clippy::unwrap_used)]

use ranka_core::{AgentSpec, GameSeeds, Roster, Seat, Seed, Settings, play};
use ranka_tantrix::Tantrix;

/// The score of the first agent in so many games, in which the agents change seats.
fn score(agents: [&str; 2], games: u64) -> f64 {
    let game = Tantrix::standard(2);
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
        ("greedy", "random", 20, 17.0),
        ("flat-mc:playouts=300", "random", 20, 17.0),
        ("darwin:playouts=300", "greedy", 20, 13.0),
    ] {
        let score = score([one, other], games);
        assert!(score >= least, "{one} scores {score} of {games} against {other}");
    }
}
