//! How the seeds travel: house by house, then what is captured, then what is swept up at the end.

use crate::action::House;
use crate::foresight::Sowing;
use crate::picture::{house_id, store_id};
use crate::rules::Kalah;
use crate::state::State;
use ranka_core::{Motion, Position, Seat, Step};

impl Motion for Kalah {
    fn motion(&self, view: &State, action: House) -> Vec<Step> {
        match action.index() {
            Some(house) if view.is_legal(action) => sowing(view, house),
            // The sides change hands; no seed moves.
            _ => Vec::new(),
        }
    }
}

fn carry(from: String, to: String, count: u32) -> Step {
    Step::Carry { from, to, count }
}

fn sowing(view: &State, house: usize) -> Vec<Step> {
    let (mover, houses) = (view.mover, view.houses());
    let sowing = Sowing::of(view, house);
    // The ring runs over the own houses, the own store and the other's houses.
    let place = |ring: usize| match ring {
        ring if ring < houses => house_id(mover, ring),
        ring if ring == houses => store_id(mover),
        ring => house_id(mover.other(), ring - houses - 1),
    };
    let around = (1..=sowing.seeds as usize).map(|seed| (house + seed) % (2 * houses + 1));
    let mut steps: Vec<Step> = around.map(|ring| carry(house_id(mover, house), place(ring), 1)).collect();
    if let Some(prize) = sowing.prize {
        let opposite = house_id(mover.other(), houses - 1 - sowing.last);
        steps.extend((prize > 0).then(|| carry(opposite, store_id(mover), prize)));
        steps.push(carry(place(sowing.last), store_id(mover), 1));
    }
    steps.extend(swept(view, house, &sowing));
    steps
}

/// What is left in the houses when the game ends, if somebody is given it.
fn swept(view: &State, house: usize, sowing: &Sowing) -> Vec<Step> {
    let (mover, houses) = (view.mover, view.houses());
    let mut after = *view;
    after.apply(House::new(house));
    if !after.actor().is_over() {
        return Vec::new();
    }
    let left = |seat: Seat, at: usize| {
        let ring = if seat == mover { at } else { houses + 1 + at };
        let before = if seat == mover && at == house { 0 } else { view.seeds(seat, at) };
        let taken = sowing
            .prize
            .is_some_and(|_| ring == sowing.last || seat != mover && at == houses - 1 - sowing.last);
        if taken { 0 } else { before + sowing.given[ring] }
    };
    let gain = |seat: Seat| if seat == mover { sowing.gain(view) } else { 0 };
    let swept = |seat: Seat| after.store(seat) - view.store(seat) - gain(seat);
    let row = |seat: Seat| -> u32 { (0..houses).map(|at| left(seat, at)).sum() };
    // A row goes to the store whose gain it makes up: its owner's, or under some rules the other's.
    let taker = |seat: Seat| {
        [seat, seat.other()].into_iter().find(|&taker| row(seat) > 0 && swept(taker) >= row(seat))
    };
    Seat::all(2)
        .filter_map(|seat| Some((seat, taker(seat)?)))
        .flat_map(|(seat, taker)| {
            (0..houses)
                .map(move |at| (seat, at, taker))
                .filter(|&(seat, at, _)| left(seat, at) > 0)
                .map(|(seat, at, taker)| carry(house_id(seat, at), store_id(taker), left(seat, at)))
                .collect::<Vec<_>>()
        })
        .collect()
}
