//! The bit boards against the plain rules, action by action.

use crate::common;
use ranka_core::{Game, Position, Rng, Seat, Seed, perft};
use ranka_labyrinth::naive::Naive;

#[test]
fn packed_and_naive_rules_agree() {
    let mut compared = 0;
    for players in 2..=4 {
        for rules in [
            "",
            "return-home=off",
            "cards-per-player=1,ply-cap=0",
            "cards-per-player=2,shuffle=max-region-3,ply-cap=61",
        ] {
            let game = common::game(format!("players={players},{rules}").trim_end_matches(','));
            let mut rng = Rng::new(Seed::new(players as u64));
            for _ in 0..25 {
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
                    // What an ended game leaves half done is nobody's business.
                    if !state.actor().is_over() {
                        assert_eq!(Naive::of(&state), naive, "{rules}");
                    }
                    compared += 1;
                }
                for seat in Seat::all(players) {
                    assert_eq!(state.outcome().score(seat), naive.outcome().score(seat));
                }
            }
        }
    }
    assert!(compared > 50_000, "only {compared} actions were compared");
}

#[test]
fn packed_and_naive_rules_count_the_same() {
    let g = common::position_g("0,0;6,6", "cards=Mouse;Book found=-;- last=- mover=0 phase=push");
    assert_eq!(perft(&g, 4), perft(&Naive::of(&g), 4));
    for players in 2..=4 {
        let game = common::game(&format!("players={players}"));
        for seed in 0..3 {
            let state = game.start(&mut Rng::new(Seed::new(seed)));
            assert_eq!(perft(&state, 4), perft(&Naive::of(&state), 4));
        }
    }
}
