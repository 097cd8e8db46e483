//! The speeds that TUBSTAP promises.

use crate::agents::UnitTree;
use crate::naive::Plain;
use crate::{Rules, State, Tactics, Tubstap, maps};
use ranka_core::{Bench, BenchGoal, Position, Rng, Seed, Speed, per_second, perft, seconds};
use ranka_search::Limits;

impl Speed for Tubstap {
    fn benches() -> Vec<Bench> {
        vec![
            Bench {
                name: "playouts by the author's policy on crossing",
                unit: "a second",
                goal: BenchGoal::AtLeast(50_000.0),
                run: || playouts(maps::NAMES[0], |state, rng| state.battle(Tactics::AUTHOR, u32::MAX, rng)),
                naive: Some(|| {
                    playouts(maps::NAMES[0], |state, rng| {
                        Plain::battle(state, Tactics::AUTHOR, u32::MAX, rng)
                    })
                }),
            },
            Bench {
                name: "the same on citadel, with every kind of unit",
                unit: "a second",
                goal: BenchGoal::AtLeast(20_000.0),
                run: || playouts("citadel", |state, rng| state.battle(Tactics::AUTHOR, u32::MAX, rng)),
                naive: None,
            },
            Bench {
                name: "one decision of uct with 2000 playouts on crossing",
                unit: "s",
                goal: BenchGoal::AtMost(0.04),
                run: || seconds(5, decide),
                naive: None,
            },
            Bench {
                name: "perft 3 of crossing",
                unit: "s",
                goal: BenchGoal::AtMost(0.5),
                run: || seconds(3, || assert_eq!(perft(&start(maps::NAMES[0]), 3), PERFT)),
                naive: None,
            },
        ]
    }
}

/// Sequences of three unit actions on the default map.
const PERFT: u64 = 115_264;

fn start(map: &str) -> State {
    let map = maps::find(map).expect("it comes with Ranka");
    map.state(Rules::default()).expect("it is sound")
}

fn playouts(map: &str, battle: impl Fn(&mut State, &mut Rng) -> u32) -> f64 {
    let (start, mut rng) = (start(map), Rng::new(Seed::new(1)));
    per_second(|| {
        for _ in 0..100 {
            let mut state = start.clone();
            let acts = battle(&mut state, &mut rng);
            assert!(state.actor().is_over() && (10..600).contains(&acts), "a battle of {acts} actions");
        }
        100
    })
}

fn decide() {
    let (start, mut rng) = (start(maps::NAMES[0]), Rng::new(Seed::new(1)));
    let found = UnitTree::plain(2000).search(&start, Limits::NONE, &mut rng, &mut |_| ());
    let found = found.expect("nobody cancels it");
    assert!(found.playouts == 2000 && start.is_legal(found.best().action));
}
