//! The speeds that Tantrix promises.

use crate::naive::Naive;
use crate::{State, Tantrix};
use ranka_core::{Actor, Bench, BenchGoal, Game, Position, Rng, Seed, Speed, per_second};
use ranka_search::{Limits, Uct, UctConfig, Uniform};

impl Speed for Tantrix {
    fn benches() -> Vec<Bench> {
        vec![
            Bench {
                name: "complete random games of 56 plies",
                unit: "a second",
                goal: BenchGoal::AtLeast(10_000.0),
                run: || games(&start(), 100),
                naive: Some(|| games(&Naive::of(&start()), 1)),
            },
            Bench {
                name: "UCT iterations with full playouts after ply 4",
                unit: "a second",
                goal: BenchGoal::AtLeast(5_000.0),
                run: iterations,
                naive: None,
            },
        ]
    }
}

fn start() -> State {
    Tantrix::standard(2).start(&mut Rng::new(Seed::new(1)))
}

fn games<P: Position>(start: &P, at_once: u64) -> f64 {
    let mut rng = Rng::new(Seed::new(1));
    let mut scratch = Vec::new();
    per_second(|| {
        let whole = (0..at_once).filter(|_| {
            let actions = start.clone().playout(&mut rng, &mut scratch);
            assert!(actions <= 56 + 44, "more than all placements and draws");
            actions == 56 + 44
        });
        // About one game in ten thousand ends in a deadlock.
        assert!(whole.count() as u64 >= at_once - at_once.min(2), "hardly any game is cut short");
        at_once
    })
}

fn iterations() -> f64 {
    let mut rng = Rng::new(Seed::new(2));
    let mut opening = start();
    while opening.plies() < 4 || opening.actor() == Actor::Chance {
        let action = match opening.actor() {
            Actor::Chance => opening.draw(&mut rng),
            _ => opening.random_action(&mut rng, &mut Vec::new()),
        };
        opening.apply(action);
    }
    let mut uct = Uct::new(UctConfig { exploration: 0.3, ..UctConfig::default() }, Uniform);
    per_second(|| {
        let found = uct.search(&opening, Limits::count(1000), &mut rng, &mut |_| ()).expect("not cancelled");
        assert!(found.actions.len() > 1, "an opening position leaves a choice");
        found.playouts
    })
}
