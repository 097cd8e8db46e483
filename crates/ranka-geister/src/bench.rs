//! The speeds that Geister promises.

use crate::duel::{Duel, LeafEvaluation, Purple, PurpleEvaluation};
use crate::rules::Geister;
use crate::state::State;
use crate::view::View;
use ranka_core::{
    AgentSpec, Bench, BenchGoal, GameSeeds, Maker, Position, Rng, Roster, Seat, Seed, Settings, Speed,
    Thinking, per_second, play, seconds,
};
use ranka_search::{AlphaBeta, DepthUnit, Limits, Root, Transpositions};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

impl Speed for Geister {
    fn benches() -> Vec<Bench> {
        vec![
            Bench {
                name: "random playouts",
                unit: "a second",
                goal: BenchGoal::AtLeast(200_000.0),
                run: playouts,
                naive: None,
            },
            Bench {
                name: "purple nodes at depth 5, over games",
                unit: "a second",
                goal: BenchGoal::AtLeast(50e6),
                run: purple_nodes,
                naive: None,
            },
            Bench {
                name: "purple-max, a move on average over games",
                unit: "ms",
                goal: BenchGoal::AtMost(0.3),
                run: || 1000.0 * Series::of(20).time_per_move()[0],
                naive: None,
            },
            Bench {
                name: "naotti-1.1's thinking time a move, by purple-max's (the paper: 49)",
                unit: "times",
                goal: BenchGoal::AtLeast(1.0),
                run: || {
                    let [purple, naotti] = Series::of(20).time_per_move();
                    naotti / purple
                },
                naive: None,
            },
            Bench {
                name: "the same without EACP's cut at the root",
                unit: "times",
                goal: BenchGoal::AtLeast(1.0),
                run: || {
                    let series = Series::of(2);
                    let [purple, _] = series.time_per_move();
                    series.seconds("naotti-1.1:cut=off", 1) / purple
                },
                naive: None,
            },
            Bench {
                name: "200 games of purple-max and naotti-1.1",
                unit: "s",
                goal: BenchGoal::AtMost(60.0),
                run: || seconds(1, || assert!(Series::of(200).score > 80.0)),
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
    let evaluation = PurpleEvaluation { leaf: LeafEvaluation::BluesAndDistance, static_exit: true };
    let table = Transpositions::with_entries(1 << 13);
    let mut search: AlphaBeta<Duel<Purple>, PurpleEvaluation> =
        AlphaBeta::new(evaluation, DepthUnit::Action, table);
    search.lines = false;
    let positions: Vec<Duel<Purple>> = Series::of(4).views.concat().iter().map(Duel::purple).collect();
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

const AGENTS: [&str; 2] = ["purple-max", "naotti-1.1"];

fn recruit(name: &str) -> Arc<dyn Maker<Geister>> {
    GAME.recruit(&AgentSpec::parse(name)).expect("an agent of our own").1
}

/// Games of purple-max against naotti-1.1, seats swapped every second one.
struct Series {
    /// What each of them saw when it had to think.
    views: [Vec<View>; 2],
    /// What purple-max scored.
    score: f64,
}

impl Series {
    fn of(games: u64) -> Series {
        let makers = AGENTS.map(recruit);
        let mut series = Series { views: [Vec::new(), Vec::new()], score: 0.0 };
        for game in 0..games {
            let seeds = GameSeeds::of(Seed::new(1), game / 2, game % 2);
            let order = if game % 2 == 0 { [0, 1] } else { [1, 0] };
            let seated = order.into_iter().enumerate().map(|(seat, agent)| {
                let player = makers[agent].seat(Seat::new(seat), seeds.agent(agent));
                (player.expect("our agents sit down"), agent)
            });
            let mut watch = |state: &State, thought: &ranka_core::Thought<_>| {
                if let Some(seat) = state.actor().seat().filter(|_| thought.nodes > 0) {
                    series.views[order[seat.index()]].push(View::of(state, seat));
                }
            };
            let played = play(&GAME, &seeds, seated.collect(), &Settings::default(), &mut watch);
            series.score += played.outcome.score(Seat::new(order[0]));
        }
        series
    }

    /// The processor time that each agent takes for one of its decisions.
    fn time_per_move(&self) -> [f64; 2] {
        [0, 1].map(|agent| self.seconds(AGENTS[agent], agent))
    }

    /// The processor time that an agent takes for a decision, on average over what one of the two saw.
    fn seconds(&self, name: &str, whose: usize) -> f64 {
        let never = AtomicBool::new(false);
        let mut agent = recruit(name).seat(Seat::FIRST, Seed::new(1)).expect("our agents sit down");
        let views = &self.views[whose];
        let whole = seconds(1, || {
            for view in views {
                let mut thinking = Thinking::new(Rng::new(Seed::new(1)), None, &never);
                assert!(agent.think(view, &mut thinking).is_ok(), "our agents answer");
            }
        });
        whole / views.len() as f64
    }
}
