//! A position: what both see, the colours, and what steps, captures and escapes make of them.

use crate::action::Action;
use crate::setup::SetUp;
use crate::square::{BOARD, Bits, OFF, Square, TARGETS, east, exits, home, neighbours, north, south, west};
use ranka_core::{Actor, Outcome, Position, Rng, Seat};

/// How far the game is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Phase {
    /// A seat is to say which of its ghosts are red.
    SetUp,
    /// The usual.
    Play,
    /// This seat has won.
    Won(Seat),
    /// The moves have run out.
    Drawn,
}

/// The captured ghosts in order of capture, two bits each below a leading one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Captured(u32);

impl Captured {
    pub(crate) const NONE: Captured = Captured(1);

    /// At most 13 can be captured: whoever has lost all of a colour has ended the game.
    #[inline]
    pub(crate) fn push(&mut self, owner: Seat, red: bool) {
        self.0 = self.0 << 2 | (owner.index() as u32) << 1 | u32::from(red);
    }

    /// Owner and whether red, in order of capture.
    pub(crate) fn iter(self) -> impl Iterator<Item = (Seat, bool)> {
        let count = (31 - self.0.leading_zeros()) / 2;
        (0..count).rev().map(move |i| {
            let code = self.0 >> (2 * i);
            (Seat::new(code as usize >> 1 & 1), code & 1 == 1)
        })
    }

    pub(crate) fn count(self, owner: Seat, red: bool) -> u32 {
        self.iter().filter(|&ghost| ghost == (owner, red)).count() as u32
    }
}

/// What both seats see: everything but the colours on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Open {
    /// Where each seat's ghosts are.
    pub(crate) ghosts: [Bits; 2],
    /// The same by letter: the place of each ghost A to H, or [`OFF`].
    pub(crate) places: [[u8; 8]; 2],
    pub(crate) captured: Captured,
    /// Moves made.
    pub(crate) ply: u16,
    /// At which ply the game is drawn.
    pub(crate) limit: u16,
    pub(crate) phase: Phase,
    /// Who acts; the first seat when it is over, so that a position has one spelling.
    pub(crate) mover: Seat,
}

impl Open {
    #[inline]
    pub(crate) fn actor(&self) -> Actor {
        match self.phase {
            Phase::SetUp | Phase::Play => Actor::Seat(self.mover),
            Phase::Won(_) | Phase::Drawn => Actor::Over,
        }
    }

    /// The legal actions of the one to act, whose red ghosts are `reds`.
    #[inline]
    pub(crate) fn actions(&self, reds: Bits, out: &mut Vec<Action>) {
        match self.phase {
            Phase::Play => self.steps(reds, out),
            Phase::SetUp => out.extend(SetUp::all().map(Action::SetUp)),
            Phase::Won(_) | Phase::Drawn => {}
        }
    }

    #[inline]
    fn steps(&self, reds: Bits, out: &mut Vec<Action>) {
        let own = self.ghosts[self.mover.index()];
        let leaving = own & !reds & exits(self.mover);
        let free = BOARD & !own;
        // From where a step to the north, east, south, west is possible.
        let movable = [south(free), west(free), north(free), east(free)];
        let mut rest = own;
        while rest != 0 {
            let from = rest.trailing_zeros() as usize;
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            for (direction, movable) in movable.into_iter().enumerate() {
                if movable & bit != 0 {
                    let to = Square::new(TARGETS[from][direction] as usize);
                    out.push(Action::Step { from: Square::new(from), to });
                }
            }
            if leaving & bit != 0 {
                out.push(Action::Escape { from: Square::new(from) });
            }
        }
    }

    /// Whether the one to act, whose red ghosts are `reds`, may take this action.
    pub(crate) fn is_legal(&self, reds: Bits, action: Action) -> bool {
        let own = self.ghosts[self.mover.index()];
        match (self.phase, action) {
            (Phase::SetUp, Action::SetUp(_)) => true,
            (Phase::Play, Action::Step { from, to }) => {
                own & from.bit() != 0 && neighbours(from.bit()) & to.bit() & !own != 0
            }
            (Phase::Play, Action::Escape { from }) => own & !reds & exits(self.mover) & from.bit() != 0,
            _ => false,
        }
    }

    /// The ghost of `seat` (A is 0) on a square.
    pub(crate) fn ghost_on(&self, seat: Seat, square: Square) -> Option<usize> {
        self.places[seat.index()].iter().position(|&place| place == square.index() as u8)
    }

    /// Sends the ghost that is at `from` to `to`.
    #[inline]
    fn relocate(&mut self, seat: Seat, from: u8, to: u8) {
        // All eight places at once: the byte that is equal to `from` becomes zero and is found by its borrow.
        // Bytes above it may be found falsely, but the lowest is right, and there is exactly one.
        const ONES: u64 = 0x0101_0101_0101_0101;
        let places = &mut self.places[seat.index()];
        let differences = u64::from_le_bytes(*places) ^ (ONES * u64::from(from));
        let zero = differences.wrapping_sub(ONES) & !differences & (ONES << 7);
        places[(zero.trailing_zeros() as usize / 8) & 7] = to;
    }

    fn finish(&mut self, phase: Phase) {
        self.phase = phase;
        self.mover = Seat::FIRST;
    }
}

/// A position: what both see, and the colours. It copies in eight words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(crate) open: Open,
    /// Which of each seat's ghosts on the board are red; the others are blue.
    pub(crate) reds: [Bits; 2],
}

impl State {
    /// The empty board; a game that reaches `limit` moves is drawn.
    pub(crate) fn before_the_set_ups(limit: u16) -> State {
        let open = Open {
            ghosts: [0; 2],
            places: [[OFF; 8]; 2],
            captured: Captured::NONE,
            ply: 0,
            limit,
            phase: Phase::SetUp,
            mover: Seat::FIRST,
        };
        State { open, reds: [0; 2] }
    }

    /// The ghosts of a seat on the board, ascending by square: where, and whether red.
    pub fn ghosts(&self, seat: Seat) -> impl Iterator<Item = (Square, bool)> {
        let reds = self.reds[seat.index()];
        crate::square::squares(self.open.ghosts[seat.index()]).map(move |s| (s, reds & s.bit() != 0))
    }

    /// How many moves were made.
    pub fn ply(&self) -> u32 {
        u32::from(self.open.ply)
    }

    fn set_up(&mut self, set_up: SetUp) {
        let seat = self.open.mover;
        for (ghost, square) in home(seat).into_iter().enumerate() {
            self.open.ghosts[seat.index()] |= square.bit();
            self.open.places[seat.index()][ghost] = square.index() as u8;
            if set_up.is_red(ghost) {
                self.reds[seat.index()] |= square.bit();
            }
        }
        if seat == Seat::SECOND {
            self.open.phase = Phase::Play;
        }
        self.open.mover = seat.other();
    }

    #[inline]
    fn step(&mut self, from: Square, to: Square) {
        let open = &mut self.open;
        let (seat, other) = (open.mover, open.mover.other());
        let (me, you) = (seat.index(), other.index());
        let both = from.bit() | to.bit();
        open.ghosts[me] ^= both;
        let red = u64::from(self.reds[me] & from.bit() != 0).wrapping_neg();
        self.reds[me] ^= both & red;
        open.relocate(seat, from.index() as u8, to.index() as u8);
        open.ply += 1;
        if open.ghosts[you] & to.bit() != 0 {
            let red = self.reds[you] & to.bit() != 0;
            open.ghosts[you] ^= to.bit();
            self.reds[you] &= !to.bit();
            open.relocate(other, to.index() as u8, OFF);
            open.captured.push(other, red);
            let reds = self.reds[you];
            if red && reds == 0 {
                return open.finish(Phase::Won(other));
            }
            if !red && open.ghosts[you] == reds {
                return open.finish(Phase::Won(seat));
            }
        }
        if open.ply >= open.limit { open.finish(Phase::Drawn) } else { open.mover = other }
    }

    fn escape(&mut self, from: Square) {
        let seat = self.open.mover;
        self.open.ghosts[seat.index()] ^= from.bit();
        self.open.relocate(seat, from.index() as u8, OFF);
        self.open.ply += 1;
        self.open.finish(Phase::Won(seat));
    }
}

impl Position for State {
    type Action = Action;

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn actor(&self) -> Actor {
        self.open.actor()
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Action>) {
        self.open.actions(self.reds[self.open.mover.index()], out);
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        match action {
            Action::Step { from, to } => self.step(from, to),
            Action::Escape { from } => self.escape(from),
            Action::SetUp(set_up) => self.set_up(set_up),
        }
    }

    fn outcome(&self) -> Outcome {
        match self.open.phase {
            Phase::Won(seat) => Outcome::win(seat, 2),
            Phase::Drawn => Outcome::draw(2),
            Phase::SetUp | Phase::Play => panic!("the game is not over"),
        }
    }

    #[inline]
    fn is_legal(&self, action: Action) -> bool {
        self.open.is_legal(self.reds[self.open.mover.index()], action)
    }

    /// Draws a ghost and a direction until they make a step: every step is as likely as any other, and
    /// nothing is listed. Only where an escape is possible too, all actions are.
    #[inline]
    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<Action>) -> Action {
        let seat = self.open.mover;
        let own = self.open.ghosts[seat.index()];
        let leaving = own & !self.reds[seat.index()] & exits(seat);
        if self.open.phase != Phase::Play || leaving != 0 {
            scratch.clear();
            self.actions(scratch);
            return rng.pick(scratch);
        }
        let places = &self.open.places[seat.index()];
        let barred = own | 1 << OFF;
        loop {
            let mut bits = rng.bits();
            for _ in 0..12 {
                let from = places[bits as usize & 7];
                let to = TARGETS[from as usize & 63][bits as usize >> 3 & 3];
                if barred >> (to & 63) & 1 == 0 {
                    let [from, to] = [from, to].map(|place| Square::new(place as usize));
                    return Action::Step { from, to };
                }
                bits >>= 5;
            }
        }
    }
}
