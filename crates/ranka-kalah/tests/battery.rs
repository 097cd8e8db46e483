//! Kalah against the battery, and its golden files.
#![allow(clippy::unwrap_used)]

use ranka_battery::{Battery, battery, check_perft_file, check_playthrough, keys_agree, playthrough};
use ranka_kalah::{Kalah, State};

/// Boards and rules of every kind.
const RULES: [&str; 9] = [
    "",
    "houses=1,seeds=1",
    "houses=3,seeds=3",
    "houses=4,seeds=2,capture=always",
    "houses=2,seeds=9,end=mover-empty",
    "houses=12,seeds=20",
    "houses=5,seeds=3,leftover=none",
    "houses=6,seeds=4,early-majority=on",
    "houses=4,seeds=3,pie=on,leftover=opponent-of-emptied",
];

/// All agents that can play these rules, with little effort.
fn agents(rules: &str) -> Vec<&'static str> {
    let mut agents = vec![
        "random",
        "flat-mc:playouts=30",
        "uct:playouts=30",
        "minimax:depth=3",
        "minimax:depth=2,unit=turn,ties=last",
    ];
    // Their judge looks far ahead, and twelve houses are many.
    if !rules.contains("houses=12") {
        agents.extend(["level:rank=2", "partner:opponent=3,doubt=1"]);
    }
    if rules == "houses=3,seeds=3" {
        agents.extend([
            "max-q",
            "min-q:ties=first",
            "select-q:beta=0.3",
            "select-q:formula=literal",
            "strong:nodes=500",
            "strong:nodes=100000",
            "champion:nodes=300",
            "champion",
            "perfect",
        ]);
    }
    agents
}

fn rounds(rules: &str) -> Battery<'static, Kalah> {
    let total = Battery::<Kalah>::of(rules).game().first().total();
    Battery::of(rules)
        .games(6)
        .invariant(move |state: &State| assert_eq!(state.total(), total, "no seed is lost"))
        .agents(&agents(rules))
}

#[test]
fn kalah_stands_the_battery() {
    for rules in RULES {
        battery(&rounds(rules));
        keys_agree(&rounds(rules));
    }
}

#[test]
fn perft() {
    check_perft_file::<Kalah>("tests/kalah.perft");
}

#[test]
fn playthroughs() {
    for (name, rules) in [
        ("standard", ""),
        ("n3m3", "houses=3,seeds=3"),
        ("pie", "houses=4,seeds=2,pie=on"),
        ("mover-empty", "houses=3,seeds=4,end=mover-empty,leftover=none,capture=always"),
    ] {
        check_playthrough(format!("tests/playthroughs/{name}.txt"), &playthrough::<Kalah>(rules, 1));
    }
}

#[test]
fn lessons_can_be_learned_from() {
    ranka_battery::lessons_teach::<Kalah>();
}
