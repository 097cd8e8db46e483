//! A window on the endless table: where the cells around a board stand in arrays of a fixed size.
//!
//! The board is turned by 0, 60 or 120° until it is as low as it can be, and the window is centred on it. Few boards reach
//! beyond. The spaces there stand, in the order in which they became known, in the places that are free, beginning with the
//! last: there are more places than a board can have tiles and spaces, so each has one, however the board lies.

use crate::board::Board;
use crate::cells::MOST_CELLS;
use crate::hex::Hex;

/// Rows of the window.
pub(crate) const HEIGHT: usize = 15;
/// Columns of the window.
pub(crate) const WIDTH: usize = 19;
pub(crate) const CELLS: usize = HEIGHT * WIDTH;

const _: () = assert!(CELLS >= MOST_CELLS, "every tile and space has a place");

/// How a board stands in the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    /// The clockwise turns of 60° after which the board is seen.
    pub(crate) turns: u8,
    /// The turned cell that is in the middle.
    middle: Hex,
    /// Whether every cell beside the board is within the window.
    whole: bool,
}

impl Window {
    pub(crate) fn of(board: &Board) -> Window {
        let (low, high) = (&board.extent().low, &board.extent().high);
        // The axes along which the board then extends to the right and up: q and r; q + r and -q; r and -(q + r).
        let axes = [(0, 1, 1), (2, 0, -1), (1, 2, -1)];
        let span = |axis: usize| high[axis] - low[axis];
        let (turns, (x, y, sign)) =
            (0..3).zip(axes).min_by_key(|&(_, (_, y, _))| span(y)).unwrap_or((0, axes[0]));
        let middle = |axis: usize| (low[axis] + high[axis]).div_euclid(2);
        Window {
            turns,
            middle: Hex::new(middle(x), sign * middle(y)),
            // Both ends need a cell more, and a half is rounded.
            whole: span(x) as usize + 4 <= WIDTH && span(y) as usize + 4 <= HEIGHT,
        }
    }

    fn turned(self, place: Hex) -> Hex {
        (0..self.turns).fold(place, |place, _| place.turned())
    }

    /// Where a cell within the window stands, as row · columns + column. North is up.
    #[inline]
    pub(crate) fn inside(self, place: Hex) -> Option<usize> {
        let place = self.turned(place);
        let x = i32::from(place.q) - i32::from(self.middle.q) + WIDTH as i32 / 2;
        let y = i32::from(self.middle.r) - i32::from(place.r) + HEIGHT as i32 / 2;
        let within = (0..WIDTH as i32).contains(&x) && (0..HEIGHT as i32).contains(&y);
        within.then(|| y as usize * WIDTH + x as usize)
    }

    /// The cell that stands there if it is within the window.
    fn within(self, at: usize) -> Hex {
        let (column, row) = ((at % WIDTH) as i8, (at / WIDTH) as i8);
        let place =
            Hex::new(column - WIDTH as i8 / 2 + self.middle.q, self.middle.r + HEIGHT as i8 / 2 - row);
        (self.turns..6).fold(place, |place, _| place.turned())
    }

    /// The spaces beyond the window.
    fn beyond(self, board: &Board) -> impl Iterator<Item = Hex> {
        board
            .frontier_set()
            .iter()
            .map(|cell| board.at(cell))
            .filter(move |&place| self.inside(place).is_none())
    }

    /// The places within the window where nothing is, the last one first.
    fn free(self, board: &Board) -> impl Iterator<Item = usize> {
        let mut taken = [false; CELLS];
        board.known().filter_map(|place| self.inside(place)).for_each(|at| taken[at] = true);
        (0..CELLS).rev().filter(move |&at| !taken[at])
    }

    /// The space that stands there.
    pub(crate) fn space(self, board: &Board, at: usize) -> Option<Hex> {
        let place = self.within(at);
        if board.tiles() == 0 {
            return (place == Hex::ORIGIN).then_some(place);
        }
        if board.find(place).is_some() {
            return Some(place);
        }
        if self.whole {
            return None;
        }
        let rank = self.free(board).position(|free| free == at)?;
        self.beyond(board).nth(rank)
    }

    /// Where a space stands.
    #[inline]
    pub(crate) fn place(self, board: &Board, space: Hex) -> Option<usize> {
        self.inside(space).or_else(|| {
            let rank = self.beyond(board).position(|other| other == space)?;
            self.free(board).nth(rank)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Phase, Tantrix};
    use ranka_core::{Game, Position, Rng, Seed};
    use std::collections::HashMap;

    #[test]
    fn cells_beside_the_board_have_places_of_their_own() {
        let mut beyond = 0;
        for number in 0..400 {
            let mut rng = Rng::new(Seed::new(number));
            let mut state = Tantrix::standard(2).start(&mut rng);
            while state.phase() != Phase::Over {
                let board = state.board();
                let window = Window::of(board);
                let mut taken = HashMap::new();
                for place in board.frontier() {
                    let at = window.place(board, place).expect("a place for every space");
                    assert_eq!(taken.insert(at, place), None, "{window:?} {place}");
                    assert_eq!(window.space(board, at), Some(place), "{window:?}");
                    beyond += usize::from(window.inside(place).is_none());
                    assert!(!window.whole || window.inside(place).is_some(), "{window:?} {place}");
                }
                let tiles = state.played().iter().filter_map(|action| window.inside(action.placement()?.at));
                assert!(tiles.into_iter().all(|at| !taken.contains_key(&at)), "{window:?}");
                let action = match state.phase() {
                    Phase::Draw => state.draw(&mut rng),
                    _ => state.random_action(&mut rng, &mut Vec::new()),
                };
                state.apply(action);
            }
        }
        assert!(beyond > 50, "only {beyond} spaces were beyond the window");
    }

    /// Neighbours in the table are neighbours in the window, and sides turn with it.
    #[test]
    fn steps_lead_to_neighbours() {
        let middle = WIDTH * (HEIGHT / 2) + WIDTH / 2;
        let step = |side: usize| {
            [-(WIDTH as isize), 1, WIDTH as isize + 1, WIDTH as isize, -1, -(WIDTH as isize) - 1][side]
        };
        for turns in 0..3 {
            let window = Window { turns, middle: Hex::ORIGIN, whole: true };
            assert_eq!(window.inside(Hex::ORIGIN), Some(middle));
            for side in 0..6 {
                let seen = (side + usize::from(turns)) % 6;
                assert_eq!(window.inside(Hex::ORIGIN.step(side)), middle.checked_add_signed(step(seen)));
            }
        }
    }
}
