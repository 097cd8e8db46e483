//! Tantrix against the battery, and its golden files.

use ranka_battery::{Battery, battery, check_perft_file, check_playthrough, playthrough};
use ranka_tantrix::{State, Tantrix};

fn rounds(rules: &str, games: u64) -> Battery<'static, Tantrix> {
    Battery::of(rules)
        .games(games)
        .plies(100)
        .invariant(|state: &State| {
            let tiles = state.plies() + state.unplayed().len();
            assert_eq!(tiles, 56, "no tile is lost");
        })
        .agents(&["random"])
}

#[test]
fn tantrix_stands_the_battery() {
    for (rules, games) in [("", 2), ("players=3,colours=YGB", 1), ("players=4,exactly3=on", 1)] {
        battery(&rounds(rules, games));
    }
}

#[test]
fn perft() {
    check_perft_file::<Tantrix>("tests/tantrix.perft");
}

#[test]
fn playthroughs() {
    for (name, rules) in [("two", ""), ("four", "players=4,exactly3=on")] {
        check_playthrough(format!("tests/playthroughs/{name}.txt"), &playthrough::<Tantrix>(rules, 1));
    }
}
