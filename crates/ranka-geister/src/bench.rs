//! The speeds that Geister promises.

use crate::duel::{Duel, Judge, Leaf, Purple};
use crate::rules::{Action, Geister, State};
use crate::view::View;
use ranka_core::{
    AgentSpec, Bench, GameSeeds, Goal, Maker, Position, Rng, Roster, Seat, Seed, Settings, Speed, Thought,
    per_second, play, seconds,
};
use ranka_search::{AlphaBeta, DepthUnit, Limits, Root, Transpositions};
use std::sync::Arc;
use std::time::Duration;

impl Speed for Geister {
    fn benches() -> Vec<Bench> {
        vec![
            Bench {
                name: "random playouts",
                unit: "a second",
                goal: Goal::AtLeast(200_000.0),
                run: playouts,
                naive: None,
            },
            Bench {
                name: "purple nodes, depth 5, positions of a game",
                unit: "a second",
                goal: Goal::AtLeast(50e6),
                run: purple_nodes,
                naive: None,
            },
            Bench {
                name: "purple-max, a move on average over games",
                unit: "ms",
                goal: Goal::AtMost(0.3),
                run: || series(20).per_move_of_purple_max(),
                naive: None,
            },
            Bench {
                name: "naotti-1.1's thinking time by purple-max's (the paper: 49)",
                unit: "times",
                goal: Goal::AtLeast(1.0),
                run: || series(20).ratio(),
                naive: None,
            },
            Bench {
                name: "200 games of purple-max and naotti-1.1",
                unit: "s",
                goal: Goal::AtMost(60.0),
                run: || seconds(1, || assert!(series(200).decisions[0] > 0)),
                naive: None,
            },
        ]
    }
}

const GAME: Geister = Geister { plies: 200 };

fn playouts() -> f64 {
    let mut rng = Rng::new(Seed::new(1));
    let (mut scratch, mut set_ups) = (Vec::new(), Vec::new());
    let mut start = State::before_the_set_ups(GAME.plies);
    start.actions(&mut set_ups);
    start.apply(set_ups[0]);
    start.apply(set_ups[69]);
    per_second(|| {
        for _ in 0..1000 {
            let plies = start.clone().playout(&mut rng, &mut scratch);
            assert!((5..=200).contains(&plies), "a random game of {plies} plies");
        }
        1000
    })
}

fn purple_nodes() -> f64 {
    let judge = Judge { leaf: Leaf::BluesAndDistance, static_exit: true };
    let table = Transpositions::with_entries(1 << 13);
    let mut search: AlphaBeta<Duel<Purple>, Judge> = AlphaBeta::new(judge, DepthUnit::Action, table);
    search.lines = false;
    let mut positions = Vec::new();
    series_watched(2, &mut |state, _| {
        if let Some(seat) = state.actor().seat().filter(|_| state.ply() > 0) {
            positions.push(Duel::purple(&View::of(state, seat)));
        }
    });
    positions.retain(|duel| !duel.actor().is_over());
    assert!(positions.len() > 50, "two games have {} positions", positions.len());
    per_second(|| {
        let before = search.nodes();
        for duel in &positions {
            search.forget();
            let found = search.search(duel, Root::Best, 5..=5, Limits::NONE, &mut |_| ());
            assert!(found.is_some_and(|found| found.depth == 5));
        }
        search.nodes() - before
    })
}

/// What games of purple-max against naotti-1.1 cost.
struct Series {
    time: [Duration; 2],
    decisions: [u32; 2],
}

impl Series {
    fn per_move_of_purple_max(&self) -> f64 {
        1000.0 * self.time[0].as_secs_f64() / f64::from(self.decisions[0])
    }

    fn ratio(&self) -> f64 {
        self.time[1].as_secs_f64() / self.time[0].as_secs_f64()
    }
}

fn series(games: u64) -> Series {
    series_watched(games, &mut |_, _| {})
}

/// Games with seats swapped every second one; at most half may be won by naotti-1.1.
fn series_watched(games: u64, watch: &mut dyn FnMut(&State, &Thought<Action>)) -> Series {
    let makers: [Arc<dyn Maker<Geister>>; 2] = ["purple-max", "naotti-1.1"].map(|name| {
        let recruited = GAME.recruit(&AgentSpec::parse(name));
        recruited.expect("agents of our own with default parameters").1
    });
    let mut series = Series { time: [Duration::ZERO; 2], decisions: [0; 2] };
    let mut won = 0.0;
    for game in 0..games {
        let seeds = GameSeeds::of(Seed::new(1), game / 2, game % 2);
        let order = if game % 2 == 0 { [0, 1] } else { [1, 0] };
        let seated = order.into_iter().enumerate().map(|(seat, agent)| {
            let player = makers[agent].seat(Seat::new(seat), seeds.agent(agent));
            (player.expect("our agents sit down"), agent)
        });
        let played = play(&GAME, &seeds, seated.collect(), &Settings::default(), watch);
        for (seat, &agent) in order.iter().enumerate() {
            series.time[agent] += played.efforts[seat].time;
            series.decisions[agent] += played.efforts[seat].decisions;
        }
        won += played.outcome.score(Seat::new(order[0]));
    }
    assert!(games < 20 || won >= 0.4 * games as f64, "purple-max scored only {won} of {games}");
    series
}
