//! What must hold in every game: no ghost is lost, and the board has no better half.

mod common;

use common::game;
use ranka_core::{Actor, Game, Position, Rng, Seat, Seed};
use ranka_geister::{Action, SetUp, Square, State};

/// Shows every position of some random games, and the action that led to it.
fn random_games(count: u64, mut each: impl FnMut(&State, Option<Action>)) {
    for seed in 0..count {
        let mut rng = Rng::new(Seed::new(seed));
        let mut state = game().start(&mut rng);
        each(&state, None);
        while !state.actor().is_over() {
            let action = state.random_action(&mut rng, &mut Vec::new());
            state.apply(action);
            each(&state, Some(action));
        }
    }
}

#[test]
fn every_ghost_is_on_the_board_or_captured_or_has_left() {
    let mut escapes = 0;
    random_games(300, |state, action| {
        if state.ghosts(Seat::SECOND).count() == 0 && state.ply() == 0 {
            return; // the set-ups
        }
        let view = game().view(state, Seat::FIRST);
        let left = usize::from(matches!(action, Some(Action::Escape { .. })));
        let on_board: usize = Seat::all(2).map(|seat| state.ghosts(seat).count()).sum();
        assert_eq!(on_board + view.captured().count() + left, 16, "{state:?}");
        escapes += left;
    });
    assert!(escapes > 10, "only {escapes} games ended by an escape");
}

/// The action on a board whose columns are reversed. A set-up names the same squares by other letters: a row of four
/// ghosts, read from the other end.
fn mirrored(action: Action) -> Action {
    let mirror = |square: Square| Square::new(square.row() * 6 + 5 - square.column());
    match action {
        Action::Step { from, to } => Action::Step { from: mirror(from), to: mirror(to) },
        Action::Escape { from } => Action::Escape { from: mirror(from) },
        Action::SetUp(set_up) => {
            let letters = set_up.reds().map(|ghost| "DCBAHGFE".as_bytes()[ghost] as char).collect::<String>();
            Action::SetUp(SetUp::of(&letters).expect("four letters"))
        }
    }
}

#[test]
fn a_mirrored_game_is_the_mirror_image() {
    let mut other = None;
    random_games(200, |state, action| {
        let twin = match (action, other) {
            (Some(action), Some(mut twin)) => {
                let twin: &mut State = &mut twin;
                twin.apply(mirrored(action));
                *twin
            }
            _ => *state,
        };
        other = Some(twin);
        assert_eq!(twin.actor(), state.actor());
        if twin.actor() == Actor::Over {
            assert_eq!(twin.outcome(), state.outcome());
        }
        let (mut here, mut there) = (Vec::new(), Vec::new());
        state.actions(&mut here);
        twin.actions(&mut there);
        let mut here: Vec<Action> = here.into_iter().map(mirrored).collect();
        here.sort();
        there.sort();
        assert_eq!(here, there, "{state:?}");
    });
}
