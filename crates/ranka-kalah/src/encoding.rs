//! Views and actions as arrays: two rows of houses, the own one at the bottom in sowing order, the other's above it
//! such that houses that face each other share a column.

use crate::action::House;
use crate::board::{Board, Row};
use crate::rules::{Capture, Kalah};
use crate::state::{Phase, State};
use ranka_core::{Encoding, Layout, Position, Seat};

/// Counts of seeds that have a plane of their own, from 0. Where a last seed falls depends on the exact count, which a
/// scaled one hides; more seeds than this are rare and share a plane.
const EXACT: usize = 14;

/// The first plane of each group.
const SEEDS: usize = 0; // a scaled count, then one plane for each exact count, then more
const SOWING: usize = SEEDS + EXACT + 2; // gain, again
const STORES: usize = SOWING + 2; // own, other's, seeds in the houses
const PHASE: usize = STORES + 3; // own turn, opening, swap
const PLANES: usize = PHASE + 3;

/// Writes what is to be said of each house of `board`'s own row, where `cell` says that it stands.
fn write_row<R: Row>(game: &Kalah, board: Board<R>, out: &mut [f32], cell: impl Fn(usize) -> usize) {
    let cells = 2 * game.houses;
    let lap = 2 * game.houses + 1;
    let bank_alone = game.rules.capture == Capture::Always;
    for house in 0..game.houses {
        let seeds = board.own.seeds(house) as usize;
        let mut set = |plane: usize, value: f32| out[plane * cells + cell(house)] = value;
        set(SEEDS, seeds as f32 / lap as f32);
        set(SEEDS + 1 + seeds.min(EXACT), 1.0);
        if seeds > 0 {
            let sown = { board }.sow(game.houses, house, bank_alone);
            set(SOWING, sown.gain as f32 / lap as f32);
            set(SOWING + 1, f32::from(u8::from(sown.again)));
        }
    }
}

fn write_rows<R: Row>(game: &Kalah, view: &State, seat: Seat, out: &mut [f32]) {
    let [own, other] = [seat, seat.other()].map(|seat| R::narrowed(view.rows[seat.index()]));
    write_row(game, Board { own, other }, out, |house| game.houses + house);
    write_row(game, Board { own: other, other: own }, out, |house| game.houses - 1 - house);
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
        out.fill(0.0);
        if self.houses <= u64::HOUSES {
            write_rows::<u64>(self, view, seat, out);
        } else {
            write_rows::<u128>(self, view, seat, out);
        }
        let left = view.in_houses();
        let total = left + view.store(Seat::FIRST) + view.store(Seat::SECOND);
        let share = |seeds: u32| seeds as f32 / total as f32;
        let flag = |holds: bool| f32::from(u8::from(holds));
        let whole: [f32; PLANES - STORES] = [
            share(view.store(seat)),
            share(view.store(seat.other())),
            share(left),
            flag(view.actor().seat() == Some(seat)),
            flag(view.phase == Phase::Opening),
            flag(view.phase == Phase::Pie),
        ];
        for (plane, value) in out.chunks_exact_mut(2 * self.houses).skip(STORES).zip(whole) {
            plane.fill(value);
        }
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
