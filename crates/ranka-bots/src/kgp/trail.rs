//! What happened between two states that a client was shown. The protocol shows boards and no moves; but agents remember moves.

use super::Board;
use ranka_core::{Actor, Position, Seat};
use ranka_kalah::{House, State};

/// How many positions are looked at. The longest real gaps need far fewer.
const MOST_POSITIONS: u32 = 200_000;

/// Moves that lead from `from` to a position in which `me` is to move on `board`, one at least. In between, the opponent plays
/// anything and `me` plays `first` or else anything at once, later only what is forced, because a server asks for the rest.
pub(super) fn trail(from: &State, me: Seat, first: Option<House>, board: &Board) -> Option<Vec<House>> {
    let mut search = Search { me, board, left: MOST_POSITIONS, trail: Vec::new() };
    if from.actor() != Actor::Seat(me) {
        return search.continues(from).then_some(search.trail);
    }
    let mut houses: Vec<House> = first.into_iter().filter(|&house| from.is_legal(house)).collect();
    from.actions(&mut houses);
    houses.into_iter().any(|house| search.steps(from, house)).then_some(search.trail)
}

struct Search<'a> {
    me: Seat,
    board: &'a Board,
    left: u32,
    trail: Vec<House>,
}

impl Search<'_> {
    fn steps(&mut self, from: &State, house: House) -> bool {
        let mut next = *from;
        next.apply(house);
        self.trail.push(house);
        let found = self.arrived(&next) || self.continues(&next);
        if !found {
            self.trail.pop();
        }
        found
    }

    fn arrived(&self, state: &State) -> bool {
        state.actor() == Actor::Seat(self.me) && Board::of(state, self.me) == *self.board
    }

    fn continues(&mut self, state: &State) -> bool {
        let Actor::Seat(mover) = state.actor() else { return false };
        let overshot = Seat::all(2).any(|seat| {
            let side = usize::from(seat != self.me);
            state.store(seat) > self.board.stores[side]
        });
        if overshot || self.left == 0 {
            return false;
        }
        self.left -= 1;
        let mut houses = Vec::new();
        state.actions(&mut houses);
        if mover == self.me && houses.len() > 1 {
            return false;
        }
        houses.into_iter().any(|house| self.steps(state, house))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_core::{Rng, Seed};
    use ranka_kalah::Kalah;

    /// Plays games at random, shows one side what the protocol shows it, and looks whether the trail is found.
    #[test]
    fn what_was_not_shown_is_found() {
        let mut rng = Rng::new(Seed::new(3));
        for game in 0..300 {
            let (houses, seeds) = [(6, 4), (3, 3), (4, 2), (8, 8)][game % 4];
            let me = Seat::new(game / 4 % 2);
            let mut state = Kalah::standard(houses, seeds).first();
            let mut shown: Option<(State, House)> = None;
            let mut since = Vec::new();
            while let Actor::Seat(seat) = state.actor() {
                let mut legal = Vec::new();
                state.actions(&mut legal);
                let house = rng.pick(&legal);
                if seat == me && legal.len() > 1 {
                    let board = Board::of(&state, me);
                    let from = shown.map_or(Kalah::standard(houses, seeds).first(), |(state, _)| state);
                    if !since.is_empty() {
                        let found = trail(&from, me, shown.map(|(_, house)| house), &board).unwrap();
                        let mut there = from;
                        found.iter().for_each(|&house| there.apply(house));
                        assert_eq!(there, state);
                        assert_eq!(found.len(), since.len(), "as many plies as there were");
                    }
                    shown = Some((state, house));
                    since.clear();
                }
                since.push(house);
                state.apply(house);
            }
        }
    }

    #[test]
    fn another_game_is_not_taken_for_this_one() {
        let start = Kalah::standard(6, 4).first();
        let board = Board::of(&start, Seat::FIRST);
        assert_eq!(trail(&start, Seat::FIRST, None, &board), None);
        assert_eq!(trail(&start, Seat::SECOND, None, &board), None);
    }
}
