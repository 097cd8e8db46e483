//! A position: board, pawns, cards, and which half of whose turn it is.

use crate::action::{Action, Push};
use crate::board::Board;
use crate::cards::{Card, Cards};
use crate::maze::{Cell, ENTRIES, Entry};
use crate::rules::Rules;
use ranka_core::{Actor, MAX_SEATS, Outcome, Position, Rng, Seat};

/// The pawn and home of a seat that nobody has.
pub(crate) const NOWHERE: Cell = Cell::CORNERS[0];

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The mover must push.
    Push,
    /// The mover must say where it goes.
    Move,
    /// The game is over.
    Over,
}

/// A position. It copies in some 150 bytes, so search copies instead of taking back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(crate) board: Board,
    pub(crate) pawns: [Cell; MAX_SEATS],
    pub(crate) homes: [Cell; MAX_SEATS],
    pub(crate) cards: Cards,
    pub(crate) last: Option<Entry>,
    pub(crate) mover: Seat,
    pub(crate) phase: Phase,
    pub(crate) seats: u8,
    /// Actions so far; nothing where nobody counts, and then no cap is ever reached.
    pub(crate) ply: Option<u16>,
    pub(crate) rules: Rules,
}

impl State {
    /// Tiles and corridors.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Where a seat's pawn stands.
    #[inline]
    pub fn pawn(&self, seat: Seat) -> Cell {
        self.pawns[seat.index()]
    }

    /// Where a seat began and must return to.
    #[inline]
    pub fn home(&self, seat: Seat) -> Cell {
        self.homes[seat.index()]
    }

    /// Everybody's cards.
    pub fn cards(&self) -> &Cards {
        &self.cards
    }

    /// The entry of the push before.
    pub fn last(&self) -> Option<Entry> {
        self.last
    }

    /// Whose turn it is; when over, whose turn ended the game.
    #[inline]
    pub fn mover(&self) -> Seat {
        self.mover
    }

    /// What is asked for.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The entry that would take the last push back.
    #[inline]
    pub fn forbidden(&self) -> Option<Entry> {
        self.last.map(Entry::opposite)
    }

    /// The cells that the mover can reach as the board lies.
    #[inline]
    pub fn reach(&self) -> u64 {
        self.board.paths().region(self.pawn(self.mover))
    }

    /// Where a seat wants to be: at its current treasure, or at home when it has found all. Nothing while that
    /// treasure is on the extra tile or the card is not known.
    pub fn target(&self, seat: Seat) -> Option<Cell> {
        match self.cards.current(seat) {
            None => Some(self.home(seat)),
            Some(card) => self.board.find(card.treasure()?),
        }
    }

    /// Whether the game is won by the seat whose turn has just ended.
    pub(crate) fn is_won(&self) -> bool {
        let at_home = !self.rules.return_home || self.pawn(self.mover) == self.home(self.mover);
        at_home && self.cards.current(self.mover).is_none()
    }

    pub(crate) fn is_capped(&self) -> bool {
        self.ply.is_some_and(|ply| ply >= self.rules.ply_cap)
    }

    #[inline]
    fn end_turn(&mut self) {
        let treasure = self.cards.current(self.mover).and_then(Card::treasure);
        let collects = treasure.is_some() && self.board.tile(self.pawn(self.mover)).treasure() == treasure;
        if collects {
            self.cards.collect(self.mover);
        }
        // A treasure never lies at home, so it and the way home take two turns.
        if self.is_won() {
            self.phase = Phase::Over;
        } else if !self.is_capped() {
            self.mover = self.mover.next(self.seats());
            self.phase = Phase::Push;
        }
    }

    /// The pushes that differ, in standard order.
    fn pushes(&self) -> impl Iterator<Item = Push> {
        let (forbidden, rotations) = (self.forbidden(), self.board.extra().shape().rotations());
        Entry::all()
            .filter(move |&entry| Some(entry) != forbidden)
            .flat_map(move |entry| (0..rotations).map(move |rotation| Push { entry, rotation }))
    }
}

impl Position for State {
    type Action = Action;

    #[inline]
    fn seats(&self) -> usize {
        self.seats as usize
    }

    #[inline]
    fn actor(&self) -> Actor {
        if self.phase == Phase::Over { Actor::Over } else { Actor::Seat(self.mover) }
    }

    fn actions(&self, out: &mut Vec<Action>) {
        match self.phase {
            Phase::Push => out.extend(self.pushes().map(Action::Push)),
            Phase::Move => {
                let walk = self.board.paths().walk(self.pawn(self.mover));
                out.extend(walk.iter().map(|&cell| Action::Move(cell)));
            }
            Phase::Over => {}
        }
    }

    /// A straight looks the same after half a turn. Only one of the two spellings is listed.
    fn unlisted(&self, out: &mut Vec<Action>) {
        if self.phase == Phase::Push && self.board.extra().shape().rotations() == 2 {
            let turned = |push: Push| Push { rotation: push.rotation + 2, ..push };
            out.extend(self.pushes().map(|push| Action::Push(turned(push))));
        }
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        self.ply = self.ply.map(|ply| ply + 1);
        match action {
            Action::Push(Push { entry, rotation }) => {
                self.board.push(entry, rotation);
                for pawn in &mut self.pawns[..self.seats as usize] {
                    *pawn = entry.carried_pawn(*pawn);
                }
                self.last = Some(entry);
                self.phase = Phase::Move;
            }
            Action::Move(cell) => {
                self.pawns[self.mover.index()] = cell;
                self.end_turn();
            }
        }
        if self.is_capped() {
            self.phase = Phase::Over;
        }
    }

    fn outcome(&self) -> Outcome {
        if self.is_won() { Outcome::win(self.mover, self.seats()) } else { Outcome::draw(self.seats()) }
    }

    #[inline]
    fn is_legal(&self, action: Action) -> bool {
        match (self.phase, action) {
            (Phase::Push, Action::Push(push)) => push.rotation < 4 && Some(push.entry) != self.forbidden(),
            (Phase::Move, Action::Move(cell)) => self.reach() & cell.bit() != 0,
            _ => false,
        }
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _scratch: &mut Vec<Action>) -> Action {
        if self.phase == Phase::Push {
            let rotations = u32::from(self.board.extra().shape().rotations());
            let entries = ENTRIES - usize::from(self.last.is_some());
            let drawn = rng.below(entries as u32 * rotations);
            let mut entry = (drawn / rotations) as usize;
            entry += usize::from(self.forbidden().is_some_and(|forbidden| entry >= forbidden.index()));
            return Action::Push(Push { entry: Entry::new(entry), rotation: (drawn % rotations) as u8 });
        }
        let mut reach = self.reach();
        for _ in 0..rng.below(reach.count_ones()) {
            reach &= reach - 1;
        }
        Action::Move(Cell::new(reach.trailing_zeros() as usize))
    }
}
