//! A position: rows, stores, who moves, and what comes of a sowing.

use crate::action::House;
use crate::board::{Board, Filled, Row, Sown};
use crate::rules::{Capture, EndRule, Leftover, Rules};
use ranka_core::{Actor, Keyed, Outcome, Position, Rng, Seat};

/// How far the game is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// With the pie rule: South's first turn.
    Opening,
    /// With the pie rule: North may swap.
    Pie,
    /// The usual.
    Play,
    /// Over.
    Over,
}

/// A position. It copies in a few words, so search copies instead of taking back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(crate) rows: [u128; 2],
    pub(crate) stores: [u16; 2],
    pub(crate) houses: u8,
    pub(crate) mover: Seat,
    pub(crate) phase: Phase,
    pub(crate) rules: Rules,
}

impl State {
    /// Houses a side.
    pub fn houses(&self) -> usize {
        self.houses as usize
    }

    /// Seeds in a house of `seat`, counted from 0 in its sowing order.
    pub fn seeds(&self, seat: Seat, house: usize) -> u32 {
        self.rows[seat.index()].seeds(house)
    }

    /// Seeds in the store of `seat`.
    pub fn store(&self, seat: Seat) -> u32 {
        u32::from(self.stores[seat.index()])
    }

    /// Own store minus the other's.
    pub fn margin(&self, seat: Seat) -> i32 {
        self.store(seat) as i32 - self.store(seat.other()) as i32
    }

    /// All seeds, in houses and stores.
    pub fn total(&self) -> u32 {
        self.in_houses() + self.store(Seat::FIRST) + self.store(Seat::SECOND)
    }

    /// The seeds still in the houses.
    pub fn in_houses(&self) -> u32 {
        self.rows[0].total() + self.rows[1].total()
    }

    /// The options that the position does not show.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The houses of the one to move, then the other's.
    pub(crate) fn board(&self) -> Board<u128> {
        let mover = self.mover.index();
        Board { own: self.rows[mover], other: self.rows[mover ^ 1] }
    }

    /// Whether half a word holds a row. Most boards are narrow, and half words are quicker.
    #[inline]
    fn is_narrow(&self) -> bool {
        self.houses() <= u64::HOUSES
    }

    #[inline]
    fn sow<R: Row>(&mut self, house: usize) -> Sown {
        let (mover, other) = (self.mover.index(), self.mover.other().index());
        let mut board = Board { own: R::narrowed(self.rows[mover]), other: R::narrowed(self.rows[other]) };
        let sown = board.sow(self.houses(), house, self.rules.capture == Capture::Always);
        self.rows[mover] = board.own.into();
        self.rows[other] = board.other.into();
        sown
    }

    /// A random action the plain way. Apart and by value, so that the quick way is small enough to stand inside the
    /// playout's loop, which can then keep the position and the generator in registers.
    #[inline(never)]
    fn pick_listed(self, mut rng: Rng, scratch: &mut Vec<House>) -> (House, Rng) {
        scratch.clear();
        self.actions(scratch);
        (rng.pick(scratch), rng)
    }

    /// Ends the game if the rules say so, with `next` about to move.
    #[inline]
    fn settle(&mut self, next: Seat) {
        let emptied = match self.rules.end {
            EndRule::EitherEmpty => self.rows[0] == 0 || self.rows[1] == 0,
            EndRule::MoverEmpty => self.rows[next.index()] == 0,
        };
        if emptied || (self.rules.early_majority && self.has_majority()) {
            self.finish();
        } else {
            self.mover = next;
        }
    }

    /// Whether a store holds more than half of all seeds.
    pub(crate) fn has_majority(&self) -> bool {
        u32::from(self.stores[0].max(self.stores[1])) > self.total() / 2
    }

    #[cold]
    fn finish(&mut self) {
        if self.rules.leftover != Leftover::None {
            for side in 0..2 {
                self.stores[side] += self.rows[side].total() as u16;
                self.rows[side] = 0;
            }
        }
        self.phase = Phase::Over;
        // One spelling for finished positions: who would move next no longer matters.
        self.mover = Seat::FIRST;
    }
}

impl Position for State {
    type Action = House;

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn actor(&self) -> Actor {
        if self.phase == Phase::Over { Actor::Over } else { Actor::Seat(self.mover) }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<House>) {
        if self.phase == Phase::Over {
            return;
        }
        let row = self.rows[self.mover.index()];
        if self.is_narrow() {
            let filled = Filled::of(row as u64);
            out.extend((0..filled.count()).map(|n| House::new(filled.nth(n))));
        } else {
            out.extend((0..self.houses()).filter(|&house| row.seeds(house) > 0).map(House::new));
        }
        if self.phase == Phase::Pie {
            out.push(House::SWAP);
        }
    }

    #[inline(always)]
    fn apply(&mut self, action: House) {
        let Some(house) = action.index() else {
            self.rows.swap(0, 1);
            self.stores.swap(0, 1);
            self.phase = Phase::Play;
            self.mover = self.mover.other();
            return;
        };
        let mover = self.mover.index();
        let sown = if self.is_narrow() { self.sow::<u64>(house) } else { self.sow::<u128>(house) };
        self.stores[mover] += sown.gain as u16;
        let next = if sown.again { self.mover } else { self.mover.other() };
        if self.phase != Phase::Play {
            let opening = self.phase == Phase::Opening;
            self.phase = match (opening, sown.again) {
                (true, true) => Phase::Opening,
                (true, false) => Phase::Pie,
                _ => Phase::Play,
            };
        }
        self.settle(next);
    }

    fn outcome(&self) -> Outcome {
        Outcome::by_points(&self.stores.map(i32::from))
    }

    #[inline]
    fn is_legal(&self, action: House) -> bool {
        match action.index() {
            None => self.phase == Phase::Pie,
            Some(house) => {
                self.phase != Phase::Over
                    && house < self.houses()
                    && self.rows[self.mover.index()].seeds(house) > 0
            }
        }
    }

    #[inline(always)]
    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<House>) -> House {
        if !self.is_narrow() || self.phase == Phase::Pie {
            let picked;
            (picked, *rng) = self.pick_listed(rng.clone(), scratch);
            return picked;
        }
        let filled = Filled::of(self.rows[self.mover.index()] as u64);
        House::new(filled.nth(rng.below(filled.count())))
    }
}

impl Keyed for State {
    #[inline]
    fn key(&self) -> u64 {
        let rest = u64::from(self.stores[0])
            | u64::from(self.stores[1]) << 16
            | (self.phase as u64) << 32
            | (self.mover.index() as u64) << 40;
        let key = (self.board().key() ^ rest).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key ^ (key >> 29)
    }
}
