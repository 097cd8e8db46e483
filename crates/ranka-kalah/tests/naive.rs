//! The packed rules against the plain ones, move by move.
#![allow(clippy::unwrap_used)]

use ranka_core::{Game, Params, Position, Rng, Seat, Seed};
use ranka_kalah::{Kalah, naive::Naive};

#[test]
fn packed_and_naive_rules_agree() {
    let mut compared = 0;
    for houses in 1..=12 {
        for rules in [
            "",
            "capture=always",
            "end=mover-empty",
            "leftover=none",
            "early-majority=on",
            "capture=always,end=mover-empty,leftover=opponent-of-emptied",
        ] {
            for seeds in [1, 2, 3, 4, 7, 20] {
                let text = format!("houses={houses},seeds={seeds},{rules}");
                let options = Params::parse(text.trim_end_matches(','), Kalah::options()).unwrap();
                let game = Kalah::new(&options).unwrap();
                let mut rng = Rng::new(Seed::new(seeds as u64));
                for _ in 0..10 {
                    let mut state = game.start(&mut rng);
                    let mut naive = Naive::of(&state);
                    loop {
                        let (mut packed, mut plain) = (Vec::new(), Vec::new());
                        state.actions(&mut packed);
                        naive.actions(&mut plain);
                        assert_eq!(packed, plain);
                        if packed.is_empty() {
                            break;
                        }
                        let action = rng.pick(&packed);
                        state.apply(action);
                        naive.apply(action);
                        assert_eq!(Naive::of(&state), naive, "{text}");
                        compared += 1;
                    }
                    for seat in Seat::all(2) {
                        assert_eq!(state.outcome().score(seat), naive.outcome().score(seat));
                    }
                }
            }
        }
    }
    assert!(compared > 100_000, "only {compared} moves were compared");
}
