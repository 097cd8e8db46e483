//! Random positions to test on.
#![allow(dead_code, clippy::unwrap_used)] // each test file uses a part of it

use ranka_core::{Actor, Game, Keyed, Notation, Params, Position, Rng, Seat, Seed};
use ranka_geister::duel::{Duel, Ghosts, LeafEvaluation, PurpleEvaluation};
use ranka_geister::{Geister, State};
use ranka_search::{AlphaBeta, DepthUnit, Limits, Root, Transpositions};

pub(crate) fn game() -> Geister {
    Geister::new(&Params::defaults(Geister::options())).unwrap()
}

pub(crate) fn evaluation(static_exit: bool) -> PurpleEvaluation {
    PurpleEvaluation { leaf: LeafEvaluation::BluesAndDistance, static_exit }
}

/// An endgame with one to `most` ghosts of each colour, anywhere on the board.
pub(crate) fn endgame(rng: &mut Rng, most: u32) -> State {
    let mut squares: Vec<usize> = (0..36).collect();
    rng.shuffle(&mut squares);
    let mut board = [' '; 36];
    let mut captured = String::new();
    for letter in ['R', 'B', 'r', 'b'] {
        let left = 1 + rng.index(most as usize);
        for _ in 0..left {
            board[squares.pop().unwrap()] = letter;
        }
        (left..4).for_each(|_| captured.push(letter));
    }
    position(&board, &captured, Seat::new(rng.index(2)))
}

/// A position from its board.
pub(crate) fn position(board: &[char; 36], captured: &str, mover: Seat) -> State {
    let rows: Vec<String> = board
        .chunks(6)
        .map(|row| {
            let mut text = String::new();
            let mut empty = 0;
            for &c in row.iter().chain(&['|']) {
                match c {
                    ' ' => empty += 1,
                    c => {
                        if empty > 0 {
                            text.push_str(&empty.to_string());
                        }
                        empty = 0;
                        text.push(c);
                    }
                }
            }
            text.trim_end_matches('|').to_owned()
        })
        .collect();
    let captured = if captured.is_empty() { "-" } else { captured };
    game().read_state(&format!("{} {} {captured} 40", rows.join("/"), mover.index() + 1)).unwrap()
}

/// Positions in which a seat moves and cannot just leave, from random games.
pub(crate) fn midgames(count: usize, seed: u64) -> Vec<State> {
    let game = game();
    let mut rng = Rng::new(Seed::new(seed));
    let mut positions = Vec::new();
    let mut scratch = Vec::new();
    while positions.len() < count {
        let mut state = game.start(&mut rng);
        let mut line = Vec::new();
        while let Actor::Seat(seat) = state.actor() {
            if state.ply() > 0 && !Duel::purple(&game.view(&state, seat)).actor().is_over() {
                line.push(state);
            }
            state.apply(state.random_action(&mut rng, &mut scratch));
        }
        positions.push(rng.pick(&line));
    }
    positions
}

/// The exact value of every hop at the root.
pub(crate) fn values<E: Ghosts>(
    duel: &Duel<E>,
    depth: u32,
    evaluation: PurpleEvaluation,
) -> Vec<(usize, usize, i32)>
where
    Duel<E>: Keyed<Action = ranka_geister::duel::Hop>,
{
    let table = Transpositions::with_entries(1 << 10);
    let mut search = AlphaBeta::new(evaluation, DepthUnit::Action, table);
    search.lines = false;
    let found = search.search(duel, Root::Values, depth..=depth, Limits::NONE, &mut |_| ()).unwrap();
    found.actions.iter().map(|s| (s.action.from.index(), s.action.to.index(), s.value)).collect()
}
