//! Which house to sow first.

use super::endgame::settled;
use crate::board::{Board, Row};
use crate::rules::{Kalah, MOST_HOUSES};

/// What an extra turn is worth beside the seed it banks: its subtree shares most boards with those of its siblings.
const EXTRA_TURN: i32 = 2;

/// Houses by what they promise, the most first, and among equals the one nearest the store.
#[derive(Default)]
pub(super) struct Order {
    /// A promise, and in the lowest byte the house.
    ranked: [i32; MOST_HOUSES],
    count: usize,
}

impl Order {
    pub(super) fn houses(&self) -> impl Iterator<Item = u8> {
        self.ranked[..self.count].iter().map(|&ranked| ranked as u8)
    }

    #[inline]
    fn add(&mut self, promise: i32, house: usize) {
        let ranked = promise << 8 | house as i32;
        let mut place = self.count;
        while place > 0 && self.ranked[place - 1] < ranked {
            self.ranked[place] = self.ranked[place - 1];
            place -= 1;
        }
        self.ranked[place] = ranked;
        self.count += 1;
    }
}

/// The houses at sight, without sowing: extra turns first, then captures by their size.
#[inline]
pub(super) fn promising<R: Row>(board: &Board<R>, game: &Kalah) -> Order {
    /// More than any prize.
    const AGAIN: i32 = 1000;
    let mut order = Order::default();
    for house in filled(board, game) {
        order.add(if again(board, game, house) { AGAIN } else { prize(board, game, house) }, house);
    }
    order
}

/// The houses by what `depth` more sowings make of them.
pub(super) fn look_ahead<R: Row>(board: &Board<R>, game: &Kalah, depth: i32) -> Order {
    let mut order = Order::default();
    for house in filled(board, game) {
        let (next, gain, again) = board.after(game.houses, house, &game.rules);
        let value = expect(&next, game, depth, -i32::from(i16::MAX), i32::from(i16::MAX));
        order.add(gain + if again { EXTRA_TURN + value } else { -value }, house);
    }
    order
}

/// What the houses seem to be worth: alpha-beta, and at the end of its sight the best single sowing.
fn expect<R: Row>(board: &Board<R>, game: &Kalah, depth: i32, mut alpha: i32, beta: i32) -> i32 {
    if let Some(value) = settled(board, &game.rules) {
        return value;
    }
    if depth == 0 {
        let gain = |house| match prize(board, game, house) {
            0 => i32::from(board.own.seeds(house) as usize >= game.houses - house),
            prize => prize + 1,
        };
        return filled(board, game).map(gain).max().unwrap_or(0);
    }
    let mut best = i32::MIN;
    for house in promising(board, game).houses() {
        let (next, gain, again) = board.after(game.houses, usize::from(house), &game.rules);
        let value = if again {
            gain + expect(&next, game, depth - 1, alpha - gain, beta - gain)
        } else {
            gain - expect(&next, game, depth - 1, gain - beta, gain - alpha)
        };
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}

#[inline]
fn filled<R: Row>(board: &Board<R>, game: &Kalah) -> impl Iterator<Item = usize> {
    let own = board.own;
    (0..game.houses).filter(move |&house| own.seeds(house) > 0)
}

#[inline]
fn again<R: Row>(board: &Board<R>, game: &Kalah, house: usize) -> bool {
    board.own.seeds(house) as usize == game.houses - house
}

/// The seeds opposite the empty own house in which the sowing ends, if it ends before the store.
#[inline]
fn prize<R: Row>(board: &Board<R>, game: &Kalah, house: usize) -> i32 {
    let (seeds, to_store) = (board.own.seeds(house) as usize, game.houses - house);
    if seeds < to_store && board.own.seeds(house + seeds) == 0 {
        board.other.seeds(to_store - 1 - seeds) as i32
    } else {
        0
    }
}
