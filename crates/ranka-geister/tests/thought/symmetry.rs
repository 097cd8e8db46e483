//! Values do not change when the board is mirrored, or when the seats change sides.

use crate::common::{endgame, evaluation, game, position, values};
use ranka_core::{Game, Position, Rng, Seat, Seed};
use ranka_geister::State;
use ranka_geister::duel::Duel;
use ranka_geister::eacp::{Ask, Eacp};
use ranka_search::Limits;

/// The board's letters and the captured ones, each sent through `map`.
fn mapped(state: &State, mover: Seat, map: impl Fn(usize) -> usize, swap: bool) -> State {
    let mut board = [' '; 36];
    let mut left = [4; 4];
    let letters = ['R', 'B', 'r', 'b'];
    for seat in Seat::all(2) {
        for (square, red) in state.ghosts(seat) {
            let seat = if swap { seat.other() } else { seat };
            let kind = 2 * seat.index() + usize::from(!red);
            board[map(square.index())] = letters[kind];
            left[kind] -= 1;
        }
    }
    let captured: String = (0..4).map(|kind| letters[kind].to_string().repeat(left[kind])).collect();
    position(&board, &captured, mover)
}

/// All that is searched for the one to move, with the squares of its own view sent through `map`.
fn searched(state: &State, map: impl Fn(usize) -> usize) -> Vec<Vec<(usize, usize, i32)>> {
    let view = game().view(state, state.actor().seat().unwrap());
    let purple = values(&Duel::purple(&view), 4, evaluation(true));
    let mut eacp = Eacp::new(evaluation(true), 1 << 10);
    let eacp = eacp.steps(&view, 3, Ask::Values, Limits::NONE).unwrap();
    let eacp = eacp.iter().map(|&(hop, value)| (hop.from.index(), hop.to.index(), value)).collect();
    [purple, eacp]
        .into_iter()
        .map(|steps: Vec<_>| {
            let mut steps: Vec<_> = steps.into_iter().map(|(from, to, v)| (map(from), map(to), v)).collect();
            steps.sort();
            steps
        })
        .collect()
}

#[test]
fn mirrored_and_turned_positions_are_worth_the_same() {
    let mut rng = Rng::new(Seed::new(3));
    let mirror = |index: usize| index / 6 * 6 + 5 - index % 6;
    for _ in 0..100 {
        let state = endgame(&mut rng, 3);
        let mover = state.actor().seat().unwrap();
        if Duel::purple(&game().view(&state, mover)).actor().is_over() {
            continue;
        }
        let values = searched(&state, |i| i);
        assert_eq!(searched(&mapped(&state, mover, mirror, false), mirror), values);
        // Each sits where the other sat: in its own view nothing has changed.
        let turned = mapped(&state, mover.other(), |i| 35 - i, true);
        assert_eq!(searched(&turned, |i| i), values);
    }
}
