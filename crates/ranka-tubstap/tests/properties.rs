//! What must hold in every game: nobody grows, nobody rises, and a side acts with each unit once a turn.
#![allow(clippy::unwrap_used)]

use ranka_core::{Position, Rng, Seed};
use ranka_tubstap::{Rules, State, Team, maps};
use std::collections::BTreeSet;

/// Plays random games on every map and shows each position with the one after it, and the unit that acted.
fn random_games(mut each: impl FnMut(&State, u8, &State)) {
    for (number, name) in maps::names().into_iter().enumerate() {
        for seed in 0..5 {
            let mut rng = Rng::new(Seed::new(seed).at(number as u64));
            let mut state = maps::find(name).unwrap().state(Rules::default()).unwrap();
            while !state.actor().is_over() {
                let act = state.random_action(&mut rng, &mut Vec::new());
                let before = state.clone();
                state.apply(act);
                each(&before, act.unit().unwrap(), &state);
            }
        }
    }
}

#[test]
fn hp_and_units_only_become_fewer() {
    let mut fallen = 0;
    random_games(|before, _, after| {
        for unit in after.units() {
            let was = before.unit(unit.id).expect("nobody rises");
            assert!(
                unit.hp <= was.hp && (unit.kind, unit.team) == (was.kind, was.team),
                "{was:?}, then {unit:?}"
            );
        }
        fallen += before.units().count() - after.units().count();
    });
    assert!(fallen > 50, "only {fallen} units fell");
}

#[test]
fn each_unit_acts_once_a_turn_and_then_the_other_side_does() {
    let (mut turn, mut acted) = ((0, Team::Red), BTreeSet::new());
    random_games(|before, unit, after| {
        if turn != (before.turn(), before.mover()) || before.units().all(|unit| !unit.acted) {
            (turn, acted) = ((before.turn(), before.mover()), BTreeSet::new());
        }
        assert_eq!(before.unit(unit).unwrap().team, before.mover());
        assert!(acted.insert(unit), "unit {unit} acts twice in {before:?}");
        assert!(after.turn() >= before.turn());
    });
}
