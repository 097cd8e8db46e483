//! Which positions a book holds, and in which order.

use super::{Page, Pages, narrow, placed};
use crate::board::{Board, Row};
use crate::rules::Kalah;
use ranka_core::Position;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a book holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Every position of so many plies.
    pub plies: u32,
    /// Beyond, what a perfect player can meet with at least so many seeds in the houses.
    pub seeds: u32,
}

/// How a position came about: by any moves at all, by moves of a perfect player who is to move now, or who waits.
const ANYHOW: u8 = 1;
const PERFECT_MOVES: u8 = 2;
const PERFECT_WAITS: u8 = 4;

pub(super) fn seeds(board: &Board<u64>) -> u32 {
    board.own.total() + board.other.total()
}

/// Plays through a book, ply by ply. `pages` tells what is known of the boards that come next, in order; which boards
/// follow depends on nothing else, so a book need not say which positions it speaks of.
pub(super) fn walk<E>(
    game: &Kalah,
    scope: Scope,
    mut pages: impl FnMut(&[Board<u64>]) -> Result<Vec<Page>, E>,
) -> Result<Pages, E> {
    let mut known = Pages::default();
    let mut seen: FxHashMap<Board<u64>, u8> = FxHashMap::default();
    let mut wave = BTreeMap::new();
    let first = narrow(&game.first());
    wave.insert((first.own, first.other), ANYHOW | PERFECT_MOVES | PERFECT_WAITS);
    for ply in 0.. {
        let boards: Vec<(Board<u64>, u8)> =
            wave.iter().map(|(&(own, other), &how)| (Board { own, other }, how)).collect();
        let wanted = boards.iter().filter(|(_, how)| how & (ANYHOW | PERFECT_MOVES) != 0);
        let asked: Vec<Board<u64>> =
            wanted.map(|&(board, _)| board).filter(|board| !known.contains_key(board)).collect();
        known.extend(asked.iter().copied().zip(pages(&asked)?));
        wave.clear();
        for (board, how) in boards {
            let state = placed(game, &board);
            let mut houses = Vec::new();
            state.actions(&mut houses);
            for house in houses {
                let next = state.after(house);
                if next.actor().is_over() {
                    continue;
                }
                let (moves, waits) = if next.actor() == state.actor() {
                    (PERFECT_MOVES, PERFECT_WAITS)
                } else {
                    (PERFECT_WAITS, PERFECT_MOVES)
                };
                let kept = known.get(&board).is_some_and(|page| page.keeps(house));
                let deep = next.in_houses() >= scope.seeds;
                let mut then = 0;
                then |= if how & ANYHOW != 0 && ply < scope.plies { ANYHOW } else { 0 };
                then |= if how & PERFECT_MOVES != 0 && deep && kept { moves } else { 0 };
                then |= if how & PERFECT_WAITS != 0 && deep { waits } else { 0 };
                let next = narrow(&next);
                let before = seen.entry(next).or_default();
                let fresh = then & !*before;
                *before |= fresh;
                if fresh != 0 {
                    *wave.entry((next.own, next.other)).or_default() |= fresh;
                }
            }
        }
        if wave.is_empty() {
            break;
        }
    }
    Ok(known)
}
