//! The speeds that TUBSTAP promises.

use crate::playout::Plain;
use crate::{Rules, State, Tactics, Tubstap, maps};
use ranka_core::{Bench, Goal, Position, Rng, Seed, Speed, per_second, perft, seconds};

impl Speed for Tubstap {
    fn benches() -> Vec<Bench> {
        vec![
            Bench {
                name: "playouts by the author's policy on crossing",
                unit: "a second",
                goal: Goal::AtLeast(50_000.0),
                run: || playouts(|state, rng| state.battle(Tactics::AUTHOR, u32::MAX, rng)),
                naive: Some(|| playouts(|state, rng| Plain::battle(state, Tactics::AUTHOR, u32::MAX, rng))),
            },
            Bench {
                name: "perft 3 of crossing",
                unit: "s",
                goal: Goal::AtMost(0.5),
                run: || seconds(3, || assert!(perft(&start(), 3) > 100_000)),
                naive: None,
            },
        ]
    }
}

fn start() -> State {
    let map = maps::find(maps::DEFAULT).expect("it comes with Ranka");
    map.state(Rules::default()).expect("it is sound")
}

fn playouts(battle: impl Fn(&mut State, &mut Rng) -> u32) -> f64 {
    let (start, mut rng) = (start(), Rng::new(Seed::new(1)));
    per_second(|| {
        for _ in 0..100 {
            let mut state = start.clone();
            let acts = battle(&mut state, &mut rng);
            assert!(state.actor().is_over() && (20..400).contains(&acts), "a battle of {acts} actions");
        }
        100
    })
}
