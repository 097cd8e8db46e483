//! Views and actions as arrays: two rows of houses, the own one at the bottom in sowing order, the other's above it
//! such that houses that face each other share a column.

use crate::action::House;
use crate::board::{Board, Row};
use crate::rules::{Capture, Kalah, MOST_HOUSES};
use crate::state::{Phase, State};
use ranka_core::{Encoding, Layout, Position, Seat};

/// Counts of seeds that have a plane of their own, from 0. Where a last seed falls depends on the exact count, which a
/// scaled one hides; more seeds than this are rare and share a plane.
const EXACT: usize = 14;

/// Planes that say something of each house: its seeds, scaled and exact, and what sowing it brings.
const OF_HOUSES: usize = EXACT + 4;

/// The houses of a board, by cell. Signed numbers, since processors turn four of those into floats at once.
struct Houses<const CELLS: usize> {
    seeds: [i32; CELLS],
    gain: [i32; CELLS],
    again: [i32; CELLS],
}

impl<const CELLS: usize> Houses<CELLS> {
    #[inline]
    fn of<R: Row>(own: R, other: R, bank_alone: bool) -> Houses<CELLS> {
        let mut houses = Houses { seeds: [0; CELLS], gain: [0; CELLS], again: [0; CELLS] };
        let count = CELLS / 2;
        houses.tell(Board { own, other }, bank_alone, |house| count + house);
        houses.tell(Board { own: other, other: own }, bank_alone, |house| count - 1 - house);
        houses
    }

    /// What is to be said of the houses of `board`'s own row, at the cells where they stand. Sowing each of them would
    /// take most of the time of an observation: what it gains can be read off where the last seed falls. What may be
    /// either is multiplied by 0 or 1, since no processor can foresee it.
    #[inline]
    fn tell<R: Row>(&mut self, board: Board<R>, bank_alone: bool, cell: impl Fn(usize) -> usize) {
        let (count, ring) = (CELLS / 2, CELLS + 1);
        // What is captured by a last seed so many houses after the first one, on this lap and on the next.
        let mut captured = [0_i16; 3 * MOST_HOUSES + 1];
        for house in 0..count {
            let empty = board.own.seeds(house) == 0;
            let facing = board.other.seeds(count - 1 - house) as i16;
            captured[house] = (facing + 1) * i16::from(empty & ((facing > 0) | bank_alone));
            captured[ring + house] = (facing + 2) * i16::from(empty);
        }
        for house in 0..count {
            let (seeds, to_store) = (board.own.seeds(house) as usize, count - house);
            let prize = captured[(house + seeds).min(captured.len() - 1)];
            let mut gain = i32::from(seeds >= to_store) + i32::from(prize) * i32::from(seeds > 0);
            let mut again = seeds == to_store;
            if seeds >= ring {
                (gain, again) = lapping(board, count, house, bank_alone);
            }
            self.seeds[cell(house)] = seeds as i32;
            self.gain[cell(house)] = gain;
            self.again[cell(house)] = i32::from(again);
        }
    }
}

/// What sowing a house with a lap's seeds or more brings. Such houses are rare: apart from the others' way.
#[cold]
#[inline(never)]
fn lapping<R: Row>(mut board: Board<R>, count: usize, house: usize, bank_alone: bool) -> (i32, bool) {
    let sown = board.sow(count, house, bank_alone);
    (sown.gain as i32, sown.again)
}

/// 1 or 0, without a branch.
#[inline]
fn flag(holds: bool) -> f32 {
    f32::from_bits(u32::from(holds).wrapping_neg() & 1.0_f32.to_bits())
}

/// Writes plane by plane; that their length is known lets a processor take several cells at once.
fn write<R: Row, const CELLS: usize>(game: &Kalah, view: &State, seat: Seat, out: &mut [f32]) {
    let [own, other] = [seat, seat.other()].map(|seat| R::narrowed(view.rows[seat.index()]));
    let houses = Houses::<CELLS>::of(own, other, game.rules.capture == Capture::Always);
    let lap = (CELLS + 1) as f32;
    let (planes, _) = out.as_chunks_mut::<CELLS>();
    let (of_houses, whole) = planes.split_first_chunk_mut::<OF_HOUSES>().expect("as the layout says");
    let [scaled, counts @ .., gain, again] = of_houses;
    *scaled = houses.seeds.map(|seeds| seeds as f32 / lap);
    // Each house is in one of these planes: to mark it there is quicker than to compare it with each count.
    *counts = [[0.0; CELLS]; EXACT + 1];
    for (cell, &seeds) in houses.seeds.iter().enumerate() {
        counts[(seeds as usize).min(EXACT)][cell] = 1.0;
    }
    *gain = houses.gain.map(|gain| gain as f32 / lap);
    *again = houses.again.map(|again| again as f32);
    let left = houses.seeds.iter().sum::<i32>() as u32;
    let total = (left + view.store(Seat::FIRST) + view.store(Seat::SECOND)) as f32;
    let values = [
        view.store(seat) as f32 / total,
        view.store(seat.other()) as f32 / total,
        left as f32 / total,
        flag(view.actor().seat() == Some(seat)),
        flag(view.phase == Phase::Opening),
        flag(view.phase == Phase::Pie),
    ];
    for (plane, value) in whole.iter_mut().zip(values) {
        *plane = [value; CELLS];
    }
}

impl Encoding for Kalah {
    type Observer = ();

    fn layout(&self) -> Layout {
        let mut planes = vec!["seeds".to_owned()];
        planes.extend((0..EXACT).map(|seeds| format!("{seeds} seeds")));
        planes.push("more seeds".to_owned());
        planes.extend(
            [
                "gain when sown",
                "sows into the store",
                "own store",
                "other's store",
                "seeds in houses",
                "own turn",
                "opening",
                "swap allowed",
            ]
            .map(str::to_owned),
        );
        Layout {
            version: 1,
            planes,
            height: 2,
            width: self.houses,
            action_planes: 0,
            loose_actions: self.houses + 1,
        }
    }

    fn observe(&self, view: &State, seat: Seat, _past: &(), out: &mut [f32]) {
        let write = match self.houses {
            1 => write::<u64, 2>,
            2 => write::<u64, 4>,
            3 => write::<u64, 6>,
            4 => write::<u64, 8>,
            5 => write::<u64, 10>,
            6 => write::<u64, 12>,
            7 => write::<u64, 14>,
            8 => write::<u128, 16>,
            9 => write::<u128, 18>,
            10 => write::<u128, 20>,
            11 => write::<u128, 22>,
            _ => write::<u128, 24>,
        };
        write(self, view, seat, out);
    }

    /// The houses in sowing order, then the swap.
    fn action_index(&self, _view: &State, _seat: Seat, action: House) -> Option<usize> {
        action.index().map_or(Some(self.houses), |house| (house < self.houses).then_some(house))
    }

    fn indexed_action(&self, _view: &State, _seat: Seat, index: usize) -> Option<House> {
        match index {
            _ if index < self.houses => Some(House::new(index)),
            _ if index == self.houses => Some(House::SWAP),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_core::{Rng, Seed};

    fn as_sown<R: Row, const CELLS: usize>(rng: &mut Rng) {
        let count = CELLS / 2;
        let most = rng.below(if count > 6 { 20 } else { 40 }) + 1;
        let mut row = || R::packed(&(0..count).map(|_| rng.below(most)).collect::<Vec<_>>());
        let (own, other) = (row(), row());
        for bank_alone in [false, true] {
            let told = Houses::<CELLS>::of(own, other, bank_alone);
            for (cell, board, house) in (0..count).flat_map(|house| {
                let [mine, theirs] = [Board { own, other }, Board { own: other, other: own }];
                [(count + house, mine, house), (count - 1 - house, theirs, house)]
            }) {
                let sown = { board }.sow(count, house, bank_alone);
                assert_eq!(told.seeds[cell] as u32, board.own.seeds(house));
                assert_eq!(
                    (told.gain[cell] as u32, told.again[cell] == 1),
                    (sown.gain, sown.again),
                    "house {house} of {count}"
                );
            }
        }
    }

    #[test]
    fn gains_are_those_of_sowing() {
        let mut rng = Rng::new(Seed::new(4));
        for _ in 0..20_000 {
            as_sown::<u64, 2>(&mut rng);
            as_sown::<u64, 6>(&mut rng);
            as_sown::<u64, 12>(&mut rng);
            as_sown::<u64, 14>(&mut rng);
            as_sown::<u128, 16>(&mut rng);
            as_sown::<u128, 24>(&mut rng);
        }
    }
}
