//! What must hold in every game: no seed is lost, and the two sides are alike.
#![allow(clippy::unwrap_used)]

use ranka_core::{Actor, Game, Notation, Params, Position, Rng, Seat, Seed};
use ranka_kalah::{Kalah, State};

const RULES: [&str; 5] = [
    "",
    "houses=3,seeds=9,capture=always",
    "houses=9,seeds=5,end=mover-empty",
    "houses=4,seeds=2,leftover=none",
    "houses=12,seeds=20,early-majority=on",
];

/// Shows every position of some random games.
fn random_games(game: &Kalah, mut each: impl FnMut(&State)) {
    for seed in 0..20 {
        let mut rng = Rng::new(Seed::new(seed));
        let mut state = game.start(&mut rng);
        each(&state);
        while !state.actor().is_over() {
            state.apply(state.random_action(&mut rng, &mut Vec::new()));
            each(&state);
        }
    }
}

fn game(rules: &str) -> Kalah {
    Kalah::new(&Params::parse(rules, Kalah::options()).unwrap()).unwrap()
}

#[test]
fn seeds_move_and_stores_only_grow() {
    for rules in RULES {
        let game = game(rules);
        let all = 2 * game.houses as u32 * game.seeds;
        let mut stores = [0; 2];
        random_games(&game, |state| {
            assert_eq!(state.total(), all, "{rules}");
            let now = [Seat::FIRST, Seat::SECOND].map(|seat| state.store(seat));
            if state.in_houses() == all {
                stores = now; // a new game
            }
            assert!(now[0] >= stores[0] && now[1] >= stores[1], "{rules}: {stores:?}, then {now:?}");
            stores = now;
        });
    }
}

/// The position with the players' sides exchanged.
fn turned(game: &Kalah, state: &State) -> State {
    let [own, other] = [Seat::SECOND, Seat::FIRST].map(|seat| {
        let houses = (0..state.houses()).map(|house| state.seeds(seat, house).to_string());
        (state.store(seat), houses.collect::<Vec<_>>().join(","))
    });
    let mover = match state.actor() {
        Actor::Seat(Seat::FIRST) => "N",
        Actor::Seat(_) => "S",
        _ => "-",
    };
    let text = format!("<{},{},{},{},{}> {mover}", state.houses(), own.0, other.0, own.1, other.1);
    game.read_state(&text).unwrap()
}

#[test]
fn the_sides_are_alike() {
    for rules in RULES {
        let game = game(rules);
        random_games(&game, |state| {
            let other = turned(&game, state);
            assert_eq!(turned(&game, &other), *state, "{rules}");
            let (mut here, mut there) = (Vec::new(), Vec::new());
            state.actions(&mut here);
            other.actions(&mut there);
            assert_eq!(here, there, "{rules}: {state:?}");
            for action in here {
                let (mut after, mut turned_after) = (*state, other);
                after.apply(action);
                turned_after.apply(action);
                assert_eq!(turned(&game, &after), turned_after, "{rules}: {action:?} in {state:?}");
            }
        });
    }
}
