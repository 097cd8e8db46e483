//! Every game has its opponents by strength, and each of them can play.
#![allow(clippy::unwrap_used)]

use ranka_games::{Strength, catalogue, levels};

#[test]
fn every_game_has_five_levels_that_can_play() {
    for entry in catalogue() {
        let name = entry.info().name;
        let strengths: Vec<Strength> = levels(name).iter().map(|level| level.strength).collect();
        let fixed: Vec<Strength> = strengths.iter().copied().filter(|&one| one != Strength::Adapts).collect();
        assert_eq!(fixed, Strength::ALL[..5], "{name}");
        for level in levels(name) {
            let game = entry.open(level.rules).unwrap();
            let agent = game.agent(level.agent);
            assert!(agent.is_ok(), "{name}, {:?}: {}", level.strength, agent.err().unwrap());
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
