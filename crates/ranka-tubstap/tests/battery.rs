//! TUBSTAP against the battery, and its golden files.

use ranka_battery::{
    Battery, agents_can_be_rebuilt, agents_play, battery, check_perft_file, check_playthrough, playthrough,
};
use ranka_tubstap::{State, Team, Tubstap};

/// Maps and rules of every kind.
const RULES: [&str; 7] = [
    "map=duel",
    "map=crossing,limit=6",
    "map=bridge,judge=ge,limit=5",
    "map=ridge,effective-only=on,limit=5",
    "map=sky,power=paper,limit=5",
    "map=coast,limit=4,noise=both",
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

/// Agents with small budgets, on a small map and on one with every kind of unit.
#[test]
fn agents_stand_the_battery() {
    let agents = [
        "random",
        "flat-mc:playouts=60",
        "plain-uct:playouts=60",
        "standard",
        "pair",
        "dlmc:m=6,n=4,d=2,policy=mix70",
        "dlmc:m=4,n=2,d=1,policy=uniform,eval=weighted",
        "uct:playouts=60,expand=2",
        "uct:playouts=60,expand=3,opponent=max,final=visits,total=parent,score=ge",
        "uct-fpu:playouts=60,expand=2",
        "champion:nodes=20",
        "champion:nodes=20,playouts=0",
        "level:rank=2",
        "partner",
    ];
    for rules in ["map=duel", "map=sky,limit=4"] {
        let b = rounds(rules).agents(&agents);
        agents_play(&b);
        agents_can_be_rebuilt(&b);
    }
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

#[test]
fn lessons_can_be_learned_from() {
    ranka_battery::lessons_teach::<Tubstap>();
}
