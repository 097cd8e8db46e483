//! What the bot protocol adds to an action: `ranka bench bots`.

use ranka_core::{AnyGame, Bench, BenchGoal, Error, GameSeeds, Seed, Settings};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A game against this program as a bot, compared with the same game without one.
pub(super) const ADDED: Bench = Bench {
    name: "what the bot protocol adds to an action of a bot, Kalah(6,4)",
    unit: "µs",
    goal: BenchGoal::AtMost(100.0),
    run: || added().expect("Kalah, its agents and this program are at hand"),
    naive: None,
};

const GAMES: u64 = 200;

fn added() -> Result<f64, Error> {
    let kalah = ranka_games::game("kalah")?.open("")?;
    let program = std::env::current_exe()
        .map_err(|error| Error::internal(format!("where this program is: {error}")))?;
    // Only this program counts, not what else lies in its folder: there may be thousands of files.
    let program = program.display();
    let bot =
        format!("bot:cmd=\"'{program}' bot serve random\",files=\"'{program}'\",restart=keep,seed=open");
    // Taken in turns, so that what else the machine does hits both alike.
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let (with, decisions, games) = play(&kalah, &bot)?;
        let (without, _, same) = play(&kalah, "random")?;
        assert_eq!(games, same, "a bot plays as the agent that it is");
        best = best.min(with.saturating_sub(without).as_secs_f64() * 1e6 / decisions as f64);
    }
    Ok(best)
}

/// The time that games take, how often the first agent decided in them, and what was played.
fn play(kalah: &Arc<dyn AnyGame>, agent: &str) -> Result<(Duration, u64, Vec<String>), Error> {
    let (agent, other) = (kalah.agent(agent)?, kalah.agent("random")?);
    let game = |number| {
        let seeds = GameSeeds::of(Seed::new(1), number, 0);
        kalah.play(&[(&agent, 0), (&other, 1)], &seeds, &Settings::default(), None)
    };
    // The process is started by a game that does not count.
    game(GAMES);
    let begun = Instant::now();
    let games: Vec<_> = (0..GAMES).map(game).collect();
    let took = begun.elapsed();
    let decisions = games.iter().map(|game| u64::from(game.efforts[0].decisions)).sum();
    Ok((took, decisions, games.into_iter().map(|game| game.record.actions).collect()))
}
