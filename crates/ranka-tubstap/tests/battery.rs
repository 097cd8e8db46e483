//! TUBSTAP against the battery, and its golden files.

use ranka_battery::{Battery, battery, check_perft_file, check_playthrough, keys_agree, playthrough};
use ranka_tubstap::{State, Team, Tubstap};

/// Maps and rules of every kind.
const RULES: [&str; 7] = [
    "map=duel",
    "map=crossing,limit=6",
    "map=bridge,judge=ge,limit=5",
    "map=ridge,effective_only=on,limit=5",
    "map=sky,power=paper,limit=5",
    "map=coast,limit=4",
    "map=citadel,limit=4",
];

fn rounds(rules: &str) -> Battery<'static, Tubstap> {
    Battery::of(rules).games(2).plies(2000).invariant(|state: &State| {
        let mut places: Vec<_> = state.units().map(|unit| unit.place).collect();
        places.sort();
        places.dedup();
        assert_eq!(places.len(), state.units().count(), "nobody stands on another");
        for unit in state.units() {
            assert!((1..=10).contains(&unit.hp), "{unit:?}");
            assert!(
                unit.team == state.mover() || !unit.acted || state.turn() == 0,
                "{unit:?} waits, and has acted"
            );
        }
        assert_eq!(
            state.units().map(|unit| u32::from(unit.hp)).sum::<u32>(),
            state.hp(Team::Red) + state.hp(Team::Blue)
        );
    })
}

#[test]
fn tubstap_stands_the_battery() {
    for rules in RULES {
        battery(&rounds(rules));
    }
}

#[test]
fn keys() {
    keys_agree(&rounds("map=duel,limit=6"));
}

#[test]
fn perft() {
    check_perft_file::<Tubstap>("tests/tubstap.perft");
}

#[test]
fn playthroughs() {
    for (name, rules) in [("duel", "map=duel,limit=7"), ("sky", "map=sky,limit=2")] {
        check_playthrough(format!("tests/playthroughs/{name}.txt"), &playthrough::<Tubstap>(rules, 1));
    }
}
