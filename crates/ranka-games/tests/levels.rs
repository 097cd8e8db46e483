//! Every game has its opponents by strength, and each of them can play.
#![allow(clippy::unwrap_used)]

use ranka_games::{Strength, analysts, catalogue, levels, solvers};

/// Rules other than the usual ones.
const RULES: &[(&str, &str)] = &[
    ("kalah", "houses=4,seeds=2"),
    ("kalah", "capture=always,pie=on"),
    ("geister", "plies=60"),
    ("labyrinth", "players=4"),
    ("labyrinth", "players=3,cards-per-player=2"),
    ("tantrix", "players=3"),
    ("tantrix", "players=4"),
    ("tubstap", "map=crossing"),
];

#[test]
fn every_game_has_all_strengths_under_all_rules() {
    let usual = catalogue().iter().map(|entry| (entry.info().name, ""));
    for (name, rules) in usual.chain(RULES.iter().copied()) {
        let strengths: Vec<Strength> = levels(name).iter().map(|level| level.strength).collect();
        assert_eq!(strengths, Strength::ALL, "{name}");
        let game = ranka_games::game(name).unwrap().open(rules).unwrap();
        for level in levels(name) {
            assert!(
                level.agent(game.as_ref()).is_some(),
                "{name} by {rules:?}: nobody is {:?}",
                level.strength
            );
        }
    }
}

#[test]
fn puzzles_are_tried_by_three_agents_that_can_play() {
    for entry in catalogue() {
        let name = entry.info().name;
        let game = entry.open("").unwrap();
        let solvers = solvers(name).unwrap();
        assert_eq!(solvers.len(), 3, "{name}");
        for agent in solvers.iter().chain(analysts(name).unwrap()) {
            assert!(game.agent(agent).is_ok(), "{name}: {agent}");
        }
    }
}

#[test]
fn names_read_back() {
    for strength in Strength::ALL {
        assert_eq!(Strength::of_name(strength.name()), Some(strength));
    }
    assert_eq!(Strength::of_name("grandmaster"), None);
    assert_eq!(Strength::ALL.map(Strength::dots), [1, 2, 3, 4, 5, 0]);
}
