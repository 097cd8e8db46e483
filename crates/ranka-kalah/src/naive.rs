//! The rules once more, as plainly as they can be written: seed by seed, on an array.
//!
//! Tests hold the packed rules against this, and `ranka bench kalah` measures how much they gain.

use crate::action::House;
use crate::rules::{Capture, EndRule, Leftover, Rules};
use crate::state::State;
use ranka_core::{Actor, Outcome, Position, Seat};

/// A board as a ring of cells: South's houses and store, then North's.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Naive {
    cells: Vec<u32>,
    houses: usize,
    north_moves: bool,
    over: bool,
    rules: Rules,
}

impl Naive {
    /// The same position as `state`, which must not be under the pie rule.
    pub fn of(state: &State) -> Naive {
        let houses = state.houses();
        let mut cells = Vec::new();
        for seat in Seat::all(2) {
            cells.extend((0..houses).map(|house| state.seeds(seat, house)));
            cells.push(state.store(seat));
        }
        let north_moves = state.actor() == Actor::Seat(Seat::SECOND);
        Naive { cells, houses, north_moves, over: state.actor().is_over(), rules: state.rules() }
    }

    /// South's store minus North's.
    pub fn margin(&self) -> i32 {
        self.cells[self.store(false)] as i32 - self.cells[self.store(true)] as i32
    }

    fn first_house(&self, north: bool) -> usize {
        if north { self.houses + 1 } else { 0 }
    }

    fn store(&self, north: bool) -> usize {
        self.first_house(north) + self.houses
    }

    fn row_is_empty(&self, north: bool) -> bool {
        let first = self.first_house(north);
        self.cells[first..first + self.houses].iter().all(|&seeds| seeds == 0)
    }
}

impl Position for Naive {
    type Action = House;

    fn seats(&self) -> usize {
        2
    }

    fn actor(&self) -> Actor {
        if self.over { Actor::Over } else { Actor::Seat(Seat::new(usize::from(self.north_moves))) }
    }

    fn actions(&self, out: &mut Vec<House>) {
        if !self.over {
            let first = self.first_house(self.north_moves);
            out.extend((0..self.houses).filter(|&house| self.cells[first + house] > 0).map(House::new));
        }
    }

    fn apply(&mut self, action: House) {
        let me = self.north_moves;
        let house = action.index().expect("the naive rules know no pie");
        let mut at = self.first_house(me) + house;
        let mut hand = std::mem::take(&mut self.cells[at]);
        while hand > 0 {
            at = (at + 1) % self.cells.len();
            if at != self.store(!me) {
                self.cells[at] += 1;
                hand -= 1;
            }
        }
        let own = self.first_house(me)..self.store(me);
        if own.contains(&at) && self.cells[at] == 1 {
            let opposite = 2 * self.houses - at;
            if self.cells[opposite] > 0 || self.rules.capture == Capture::Always {
                let prize = std::mem::take(&mut self.cells[opposite]) + std::mem::take(&mut self.cells[at]);
                let store = self.store(me);
                self.cells[store] += prize;
            }
        }
        if at != self.store(me) {
            self.north_moves = !me;
        }
        let emptied = match self.rules.end {
            EndRule::EitherEmpty => self.row_is_empty(false) || self.row_is_empty(true),
            EndRule::MoverEmpty => self.row_is_empty(self.north_moves),
        };
        let half = self.cells.iter().sum::<u32>() / 2;
        let majority = self.rules.early_majority
            && (self.cells[self.store(false)] > half || self.cells[self.store(true)] > half);
        if emptied || majority {
            self.over = true;
            self.north_moves = false;
            if self.rules.leftover != Leftover::None {
                for north in [false, true] {
                    let (first, store) = (self.first_house(north), self.store(north));
                    let left: u32 = self.cells[first..store].iter().sum();
                    self.cells[first..store].fill(0);
                    self.cells[store] += left;
                }
            }
        }
    }

    fn outcome(&self) -> Outcome {
        Outcome::by_points(&[self.cells[self.store(false)] as i32, self.cells[self.store(true)] as i32])
    }
}
