//! The fast rules against the plain ones, action by action.
#![allow(clippy::unwrap_used)]

mod common;

use common::{listed, random_game};
use ranka_core::{Game, Notation, Position, Rng, Seed, perft};
use ranka_tantrix::naive::Naive;
use ranka_tantrix::{Colour, Tantrix};

#[test]
fn the_fast_rules_are_the_plain_ones() {
    for seed in 0..24 {
        let game = Tantrix::standard(2 + seed as usize % 3);
        let mut plain: Option<Naive> = None;
        random_game(&game, seed, |state, action| {
            let naive = plain.get_or_insert_with(|| Naive::of(state));
            assert_eq!(naive.actor(), state.actor());
            assert_eq!(listed(naive), listed(state), "{state:?}");
            assert_eq!(naive.frontier().into_iter().collect::<Vec<_>>(), state.board().frontier());
            for colour in Colour::ALL {
                let mut lines: Vec<(i32, bool)> = state
                    .board()
                    .lines(colour)
                    .map(|line| (line.length as i32, line.ends.is_none()))
                    .collect();
                lines.sort_unstable();
                assert_eq!(naive.lines(colour), lines, "{state:?}");
                assert_eq!(naive.score(colour), state.board().score(colour));
            }
            match action {
                Some(action) => naive.apply(action),
                None => assert_eq!(naive.outcome(), state.outcome()),
            }
        });
    }
}

#[test]
fn the_plain_rules_count_what_the_perft_file_says() {
    for line in include_str!("tantrix.perft").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let game = Tantrix::standard(2);
        let state = match fields[1] {
            "start" => game.start(&mut Rng::new(Seed::new(0))),
            text => game.read_state(text).unwrap(),
        };
        let counts: Vec<u64> = fields[2].split(' ').map(|count| count.parse().unwrap()).collect();
        for (depth, &count) in (1..=2).zip(&counts) {
            assert_eq!(perft(&Naive::of(&state), depth), count, "{line}");
        }
    }
}

#[test]
fn rules_b_and_c_are_what_filling_everything_means() {
    let game = Tantrix::standard(2);
    for seed in 100..112 {
        random_game(&game, seed, |state, _| {
            if state.bag().is_empty() || state.plies() == 0 {
                return;
            }
            let naive = Naive::of(state);
            assert_eq!(naive.closure_deficit(None), 0, "{state:?}");
            let forced = state.board().forced(false);
            for cell in state.board().frontier() {
                let closed = state.board().is_controlled(cell) && !forced.contains(&cell);
                assert_eq!(closed, naive.closure_deficit(Some(cell)) > 0, "{cell} of {state:?}");
            }
        });
    }
}
