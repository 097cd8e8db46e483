//! How long an answer takes in positions of real play beyond the book, each asked of an agent that has seen nothing before:
//! `cargo run --release -p ranka-kalah --example answers -- 300 perfect`, with games to take positions from and the agent.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use ranka_core::{Actor, AgentSpec, Maker, Position, Rng, Roster, Seat, Seed, Thinking, seconds};
use ranka_kalah::{Book, Kalah, State};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

static NEVER: AtomicBool = AtomicBool::new(false);

fn recruit(game: &Kalah, agent: &str) -> Arc<dyn Maker<Kalah>> {
    game.recruit(&AgentSpec::parse(agent)).unwrap().1
}

/// Positions that games of all kinds of players come to after 4 to 16 plies, with who is to move there.
fn real_play(game: &Kalah, count: u64) -> Vec<State> {
    let players =
        ["random", "minimax:depth=2", "minimax:depth=5", "minimax:depth=8", "level:rank=3", "level:rank=7"];
    let makers = players.map(|player| recruit(game, player));
    let play = |number: u64| {
        let seed = Seed::new(number);
        let mut rng = Rng::new(seed);
        let mut agents = Seat::all(2)
            .map(|seat| makers[rng.index(makers.len())].seat(seat, seed).unwrap())
            .collect::<Vec<_>>();
        let (mut state, plies) = (game.first(), 4 + rng.below(13));
        for ply in 0..plies {
            let Actor::Seat(mover) = state.actor() else { return None };
            let rng = Rng::new(seed.child("ply").at(u64::from(ply)));
            let thought = agents[mover.index()].think(&state, &mut Thinking::new(rng, None, &NEVER)).unwrap();
            state.apply(thought.choice);
        }
        (!state.actor().is_over()).then_some(state)
    };
    (0..count).into_par_iter().filter_map(play).collect()
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let games = arguments.next().map_or(200, |games| games.parse().expect("how many games is a number"));
    let agent = arguments.next().unwrap_or_else(|| "perfect".to_owned());
    let game = Kalah::standard(6, 4);
    let (maker, book) =
        (recruit(&game, &agent), Book::shipped(&game).expect("a book for the standard board"));
    let positions = real_play(&game, games);
    let answer = |state: &State| {
        let Actor::Seat(mover) = state.actor() else { unreachable!("the game goes on there") };
        let mut player = maker.seat(mover, Seed::new(1)).unwrap();
        // The time of the thread that thinks: others may be at work on this machine.
        Duration::from_secs_f64(seconds(1, || {
            let mut thinking = Thinking::new(Rng::new(Seed::new(1)), None, &NEVER);
            player.think(state, &mut thinking).unwrap();
        }))
    };
    let (known, unknown): (Vec<State>, Vec<State>) =
        positions.into_iter().partition(|state| book.judge(state).is_some());
    println!("{agent}: {} positions in the book, {} beyond it", known.len(), unknown.len());
    let mut times: Vec<(Duration, &State)> = unknown.iter().map(|state| (answer(state), state)).collect();
    times.sort_by_key(|(took, _)| *took);
    let share = |share: f64| times[((times.len() - 1) as f64 * share) as usize].0;
    let slow = times.iter().filter(|(took, _)| *took > Duration::from_secs(1)).count();
    println!(
        "median {:.3?}, nine of ten {:.3?}, 99 of 100 {:.3?}, longest {:.3?}; longer than a second {slow}",
        share(0.5),
        share(0.9),
        share(0.99),
        share(1.0)
    );
    let longest = times.last().expect("positions beyond the book").1;
    println!("the longest has {} seeds in the houses: {longest:?}", longest.in_houses());
}
