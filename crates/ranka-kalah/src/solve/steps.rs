//! Sowing by table: what each number of seeds in each house does, worked out once per game.

use crate::board::{Board, Row};
use crate::rules::{Capture, EndRule, Kalah, Leftover};

/// One sowing, as far as house and seeds tell. Only a capture depends on more.
#[derive(Clone, Copy, Default)]
struct Step<R> {
    /// What the own row gets after its house is emptied, and what the other row gets.
    own: R,
    other: R,
    gain: u8,
    /// The own house in which the last seed falls; one past the last house for any other place.
    last: u8,
    again: bool,
}

/// All sowings of a game on boards of up to so many seeds.
pub(super) struct Steps<R> {
    pub(super) game: Kalah,
    bank_alone: bool,
    /// For each house a step per number of seeds; a power of two of them, so that a mask replaces the bounds check.
    steps: Vec<Step<R>>,
    stride: usize,
}

/// A board after a sowing, seen by its next mover.
#[derive(Clone, Copy, Default)]
pub(super) struct Next<R> {
    pub(super) board: Board<R>,
    pub(super) gain: i32,
    pub(super) again: bool,
}

impl<R: Row> Steps<R> {
    /// The sowings of houses with up to `most` seeds.
    pub(super) fn new(game: &Kalah, most: u32) -> Steps<R> {
        let stride = (most as usize + 1).next_power_of_two();
        let mut steps = vec![Step::default(); (game.houses * stride).next_power_of_two()];
        for house in 0..game.houses {
            for seeds in 1..=most as usize {
                steps[house * stride + seeds] = step(game.houses, house, seeds);
            }
        }
        Steps { game: *game, bank_alone: game.rules.capture == Capture::Always, steps, stride }
    }

    /// The board after sowing `house`, which is not empty.
    #[inline]
    pub(super) fn after(&self, board: &Board<R>, house: usize) -> Next<R> {
        let houses = self.game.houses;
        let place = house * self.stride + board.own.seeds(house) as usize;
        let step = &self.steps[place & (self.steps.len() - 1)];
        let (mut own, mut other) = (board.own.emptied(house) + step.own, board.other + step.other);
        let (mut gain, last) = (i32::from(step.gain), usize::from(step.last));
        // The lane behind the last house is always empty.
        if own.seeds(last) == 1 {
            let prize = other.seeds(houses - 1 - last) as i32;
            if prize > 0 || self.bank_alone {
                own = own.emptied(last);
                other = other.emptied(houses - 1 - last);
                gain += prize + 1;
            }
        }
        let board = if step.again { Board { own, other } } else { Board { own: other, other: own } };
        Next { board, gain, again: step.again }
    }

    /// The value of a board with so many seeds, if the game is over there.
    #[inline]
    pub(super) fn settled(&self, board: &Board<R>, seeds: i32) -> Option<i32> {
        let nothing = R::default();
        let kept = if self.game.rules.leftover == Leftover::None { 0 } else { seeds };
        if board.own == nothing {
            Some(-kept)
        } else if board.other == nothing && self.game.rules.end == EndRule::EitherEmpty {
            Some(kept)
        } else {
            None
        }
    }
}

fn step<R: Row>(houses: usize, house: usize, seeds: usize) -> Step<R> {
    let (mut own, mut other) = (vec![0; houses], vec![0; houses]);
    let (mut at, mut gain) = (house, 0);
    for _ in 0..seeds {
        at = (at + 1) % (2 * houses + 1);
        match at {
            at if at < houses => own[at] += 1,
            at if at == houses => gain += 1,
            at => other[at - houses - 1] += 1,
        }
    }
    let (own, other) = (R::packed(&own), R::packed(&other));
    Step { own, other, gain, last: at.min(houses) as u8, again: at == houses }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use ranka_core::{Rng, Seed};

    #[test]
    fn a_step_is_a_sowing() {
        let mut rng = Rng::new(Seed::new(7));
        for capture in [Capture::Nonempty, Capture::Always] {
            let rules = Rules { capture, ..Rules::STANDARD };
            for houses in 1..=7 {
                let game = Kalah::with(houses, 1, rules).expect("a small board");
                let steps = Steps::<u64>::new(&game, 7 * 2 * 20);
                for _ in 0..2000 {
                    let mut row = || {
                        let seeds: Vec<u32> = (0..houses)
                            .map(|_| if rng.below(3) == 0 { rng.below(20) } else { rng.below(3) })
                            .collect();
                        u64::packed(&seeds)
                    };
                    let board = Board { own: row(), other: row() };
                    for house in (0..houses).filter(|&house| board.own.seeds(house) > 0) {
                        let next = steps.after(&board, house);
                        let expected = board.after(houses, house, &rules);
                        assert_eq!((next.board, next.gain, next.again), expected, "{board:?}, {house}");
                    }
                }
            }
        }
    }
}
