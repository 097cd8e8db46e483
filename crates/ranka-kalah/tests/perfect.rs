//! `perfect` never gives up what the start is worth, whoever plays against it.
#![allow(clippy::unwrap_used)]

use ranka_core::{Actor, Agent, AgentSpec, Maker, Position, Rng, Roster, Seat, Seed, Thinking};
use ranka_kalah::{Book, Endgame, Judgement, Kalah, Solver};
use ranka_search::Limits;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

static NEVER: AtomicBool = AtomicBool::new(false);

fn recruit(game: &Kalah, agent: &str) -> Arc<dyn Maker<Kalah>> {
    game.recruit(&AgentSpec::parse(agent)).unwrap().1
}

/// Plays games with `perfect` in both seats in turn, and gives the longest that it thought.
fn hold(game: &Kalah, value: i32, agent: &str, against: &str, games: u64) -> Duration {
    let (perfect, opponent) = (recruit(game, agent), recruit(game, against));
    // Who aims for the result alone may give away seeds, not the result.
    let by_result = agent.ends_with("aim=result") || agent.starts_with("champion");
    let kept = |margin: i32| if by_result { margin.signum() } else { margin };
    let mut longest = Duration::ZERO;
    for number in 0..games {
        let seed = Seed::new(number);
        let seat = Seat::new(number as usize % 2);
        let mut agents: [Box<dyn Agent<Kalah>>; 2] =
            [perfect.seat(seat, seed).unwrap(), opponent.seat(seat.other(), seed).unwrap()];
        let mut state = game.first();
        let mut ply = 0;
        while let Actor::Seat(mover) = state.actor() {
            let begun = Instant::now();
            let mut thinking = Thinking::new(Rng::new(Seed::new(1000 * number + ply)), None, &NEVER);
            let thought = agents[usize::from(mover != seat)].think(&state, &mut thinking).unwrap();
            if mover == seat {
                longest = longest.max(begun.elapsed());
            }
            state.apply(thought.choice);
            ply += 1;
        }
        let expected = if seat == Seat::FIRST { value } else { -value };
        let margin = state.margin(seat);
        assert!(
            kept(margin) >= kept(expected),
            "{game:?} against {against}, game {number}: {margin} as {seat}"
        );
    }
    longest
}

#[test]
fn the_value_of_the_start_is_kept() {
    for (houses, seeds, value) in [(4, 3, 6), (5, 3, 6), (3, 6, -8), (4, 4, 2)] {
        let game = Kalah::standard(houses, seeds);
        for opponent in ["random", "minimax:depth=4", "minimax:depth=7", "perfect"] {
            hold(&game, value, "perfect", opponent, 20);
        }
        hold(&game, value, "perfect:aim=result", "random", 20);
        hold(&game, value, "champion", "minimax:depth=7", 20);
    }
}

/// Solves every `step`th position of the book anew, those with few seeds first: they are the quickest.
fn check_book(step: usize, most: usize) {
    let game = Kalah::standard(6, 4);
    let book = Book::shipped(&game).expect("a book for the standard board");
    let tables = Arc::new(Endgame::build(&game, 16, 2));
    let mut solver = Solver::new(&game, Some(tables), 22).unwrap().on(2);
    let positions = book.positions();
    for state in positions.iter().step_by(step).take(most) {
        let told = book.judge(state).unwrap();
        let solved = solver.judge(state, 0, Limits::NONE, &mut |_, _| {}).unwrap();
        let best = |judged: &Judgement| judged.iter().map(|(_, interval)| interval.lower).max();
        assert_eq!(best(&told), best(&solved), "{state:?}");
        for ((house, told), (_, solved)) in told.iter().zip(&solved) {
            // How much is found out of a worse house differs from search to search, but never what is true.
            assert!(told.lower <= solved.upper && solved.lower <= told.upper, "{house:?} of {state:?}");
        }
    }
}

#[test]
fn the_book_says_what_the_solver_finds() {
    check_book(997, 3);
}

#[test]
#[ignore = "takes minutes"]
fn more_of_the_book_says_what_the_solver_finds() {
    check_book(1009, usize::MAX);
}

/// The standard board, which takes longer: `cargo test --release -p ranka-kalah --test perfect -- --ignored --nocapture`,
/// with `GAMES` games against each.
#[test]
#[ignore = "takes minutes"]
fn the_standard_board_is_kept() {
    let games = std::env::var("GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(100);
    let game = Kalah::standard(6, 4);
    for opponent in ["random", "minimax:depth=4", "minimax:depth=8", "minimax:depth=12", "strong", "perfect"]
    {
        for agent in ["perfect", "champion:ms=100"] {
            let longest = hold(&game, 8, agent, opponent, games);
            eprintln!(
                "{agent}, {games} games against {opponent}: the result kept, longest thought {longest:.2?}"
            );
        }
    }
}
