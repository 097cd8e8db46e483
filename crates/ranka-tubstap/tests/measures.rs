//! Measures, against games replayed by hand.

#![allow(clippy::unwrap_used)]

use ranka_core::{
    AgentSpec, Decision, FinishedGame, Game, GameSeeds, Measured, Params, Played, Position, Roster, Seat,
    Seed, Settings, play,
};
use ranka_tubstap::{Team, Tubstap};

fn game(rules: &str) -> Tubstap {
    Tubstap::new(&Params::parse(rules, Tubstap::options()).unwrap()).unwrap()
}

/// A game with all its decisions.
fn played(game: &Tubstap, agents: [&str; 2], seed: u64) -> (Played<Tubstap>, Vec<Decision>) {
    let seeds = GameSeeds::of(Seed::new(seed), 0, 0);
    let seated = [0, 1].map(|seat| {
        let (_, maker) = game.recruit(&AgentSpec::parse(agents[seat])).unwrap();
        (maker.seat(Seat::new(seat), seeds.agent(seat)).unwrap(), seat)
    });
    let mut decisions = Vec::new();
    let played = play(game, &seeds, seated.into(), &Settings::default(), &mut |state, thought| {
        decisions.push(Decision::of(Seat::new(state.mover() as usize), thought));
    });
    (played, decisions)
}

fn measured(game: &Tubstap, (played, decisions): &(Played<Tubstap>, Vec<Decision>), name: &str) -> Vec<f64> {
    let measures = Tubstap::measures();
    let measure = measures.iter().find(|measure| measure.name == name).unwrap();
    (measure.take)(&FinishedGame { game, played, decisions })
}

#[test]
fn ends_are_measured() {
    let game = game("map=crossing");
    let mut wiped_out = 0.0;
    for seed in 0..12 {
        let finished = played(&game, ["standard", "random"], seed);
        let of = |name: &str| measured(&game, &finished, name);
        let last = &finished.0.last;
        let hp = |team: Team| -> u32 {
            last.units().filter(|unit| unit.team == team).map(|unit| u32::from(unit.hp)).sum()
        };
        let (red, blue) = (f64::from(hp(Team::Red)), f64::from(hp(Team::Blue)));
        assert_eq!(of("hp"), [red, blue]);
        assert_eq!(of("margin"), [red - blue, blue - red]);
        assert_eq!(of("units").iter().sum::<f64>(), last.units().count() as f64);
        assert!(of("turns")[0] <= 29.0);
        assert_eq!(of("wiped-out")[0] == 1.0, red == 0.0 || blue == 0.0);
        assert!(of("wiped-out")[0] == 1.0 || of("turns")[0] == 29.0, "one or the other ends a game");
        wiped_out += of("wiped-out")[0];
    }
    assert!(wiped_out > 0.0, "the standard agent finishes some off");
}

/// Table 6 counts as the author's code does: the depth of the deepest node from which a child was selected.
#[test]
fn a_tree_that_is_only_its_root_has_depth_zero_and_deeper_trees_are_told() {
    let game = game("map=crossing");
    // Nothing is expanded but the root.
    let flat = played(&game, ["uct:playouts=200,expand=1000", "random"], 1);
    assert!(flat.1.iter().any(|decision| decision.depth == 1));
    assert_eq!(measured(&game, &flat, "deepest"), [0.0, 0.0]);
    // The first turn of the first side is its first six plies.
    let deep = played(&game, ["uct:playouts=400,expand=0", "random"], 1);
    let first: Vec<&Decision> = deep.1.iter().take(7).collect();
    assert!(first[..6].iter().all(|decision| decision.seat == Seat::FIRST && decision.depth >= 2));
    assert_eq!(first[6].seat, Seat::SECOND);
    let most = deep.1.iter().filter(|d| d.seat == Seat::FIRST).map(|d| d.depth).max().unwrap();
    assert_eq!(measured(&game, &deep, "deepest"), [f64::from(most - 1), 0.0]);
    let by_ply = measured(&game, &deep, "tree-depth");
    assert_eq!(by_ply[0], f64::from(first[0].depth - 1));
    assert!(by_ply[1].is_nan(), "who does not act does not look");
    assert!(deep.0.start.actor() == ranka_core::Actor::Seat(Seat::FIRST));
}
