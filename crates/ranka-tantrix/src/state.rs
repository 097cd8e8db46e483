//! A position: board, open hands, bag, and where in its turn the mover is.

use crate::action::{Action, Deed, Placement};
use crate::board::Board;
use crate::cells::{CellSet, MOST_CELLS};
use crate::hand::Hand;
use crate::hex::Hex;
use crate::tiles::{Colour, TILES, Tile, TileSet};
use ranka_core::{Actor, MAX_SEATS, Outcome, Position, Rng, Seat};
use std::fmt;
use std::hash::{Hash, Hasher};

/// What is asked of the mover.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Chance draws a tile for the mover.
    Draw,
    /// The mover must fill a forced space.
    Forced,
    /// The mover places a tile anywhere.
    Free,
    /// Nothing: the game is over.
    Over,
}

impl Phase {
    /// The word in notation.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Draw => "draw",
            Phase::Forced => "forced",
            Phase::Free => "free",
            Phase::Over => "over",
        }
    }
}

/// A position. A copy takes a few kilobytes in one piece, so search copies instead of taking back.
#[derive(Clone)]
pub struct State {
    board: Board,
    played: [Action; TILES],
    hands: [Hand; MAX_SEATS],
    bag: TileSet,
    colours: [Colour; MAX_SEATS],
    seats: u8,
    mover: Seat,
    freed: bool,
    phase: Phase,
    exactly3: bool,
}

/// The parts of a position that do not follow from others.
pub(crate) struct Parts<'a> {
    pub(crate) board: &'a [Placement],
    pub(crate) hands: &'a [Hand],
    pub(crate) bag: TileSet,
    pub(crate) colours: &'a [Colour],
    pub(crate) mover: Seat,
    pub(crate) freed: bool,
    /// Whether the mover still has to draw.
    pub(crate) drawing: bool,
    pub(crate) exactly3: bool,
}

impl State {
    /// The position with these parts; whoever can do nothing is passed over.
    ///
    /// # Errors
    /// The number of the first tile on the board that does not lie beside an earlier one with matching edges.
    pub(crate) fn assemble(parts: &Parts<'_>) -> Result<State, usize> {
        let mut state = State {
            board: Board::new(),
            played: [Action::place(Tile::new(1), 0, Hex::ORIGIN); TILES],
            hands: [Hand::EMPTY; MAX_SEATS],
            bag: parts.bag,
            colours: [Colour::Blue; MAX_SEATS],
            seats: parts.hands.len() as u8,
            mover: parts.mover,
            freed: parts.freed,
            phase: Phase::Draw,
            exactly3: parts.exactly3,
        };
        state.hands[..parts.hands.len()].copy_from_slice(parts.hands);
        state.colours[..parts.colours.len()].copy_from_slice(parts.colours);
        for (number, &placement) in parts.board.iter().enumerate() {
            if !state.lay(placement) {
                return Err(number);
            }
        }
        if state.bag.is_empty() {
            state.board.lift();
        }
        if !parts.drawing {
            state.settle();
        }
        Ok(state)
    }

    /// Lays a tile, if it lies beside another and matches.
    fn lay(&mut self, placement: Placement) -> bool {
        let Placement { tile, rotation, at } = placement;
        if self.board.tiles() == 0 {
            if at != Hex::ORIGIN {
                return false;
            }
            self.remember(placement);
            self.board.begin(tile, rotation);
            return true;
        }
        let Some(cell) = self.board.find(at) else { return false };
        let around = self.board.around(at);
        let matches = |side: usize| around[side].is_none_or(|colour| colour == tile.colour(rotation, side));
        if !(0..6).all(matches) {
            return false;
        }
        self.remember(placement);
        self.board.place(tile, rotation, cell);
        true
    }

    fn remember(&mut self, Placement { tile, rotation, at }: Placement) {
        self.played[self.board.tiles()] = Action::place(tile, rotation, at);
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How many tiles have been placed.
    #[inline]
    pub fn plies(&self) -> usize {
        self.board.tiles()
    }

    /// The placements so far, in order.
    pub fn played(&self) -> &[Action] {
        &self.played[..self.board.tiles()]
    }

    /// A seat's tiles in the order held.
    pub fn hand(&self, seat: Seat) -> impl ExactSizeIterator<Item = Tile> + '_ {
        self.hands[seat.index()].iter()
    }

    #[inline]
    pub(crate) fn hand_of(&self, seat: Seat) -> &Hand {
        &self.hands[seat.index()]
    }

    /// A seat's tiles as a set.
    #[inline]
    pub fn held(&self, seat: Seat) -> TileSet {
        self.hands[seat.index()].held()
    }

    /// The tiles in the bag.
    #[inline]
    pub fn bag(&self) -> TileSet {
        self.bag
    }

    /// The tiles that are not on the board: in the bag or in a hand.
    pub fn unplayed(&self) -> TileSet {
        self.hands.iter().fold(self.bag, |all, hand| all.or(hand.held()))
    }

    /// A seat's colour.
    #[inline]
    pub fn colour(&self, seat: Seat) -> Colour {
        self.colours[seat.index()]
    }

    /// Whose turn it is; chance draws for this seat too.
    #[inline]
    pub fn mover(&self) -> Seat {
        self.mover
    }

    /// Whether this turn's free move has been made.
    #[inline]
    pub fn freed(&self) -> bool {
        self.freed
    }

    /// What is asked of the mover.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether only spaces with exactly three tiles around them are forced.
    pub fn exactly3(&self) -> bool {
        self.exactly3
    }

    /// A seat's score: the best line of its colour.
    #[inline]
    pub fn score(&self, seat: Seat) -> i32 {
        self.board.score(self.colour(seat))
    }

    /// A seat's score minus the best of the others'.
    #[inline]
    pub fn margin(&self, seat: Seat) -> i32 {
        let others = Seat::all(self.seats()).filter(|&other| other != seat);
        self.score(seat) - others.map(|other| self.score(other)).max().unwrap_or(0)
    }

    /// A seat's score, and the best of the others', after a placement that matches, without making it.
    pub(crate) fn scores_after(&self, Placement { tile, rotation, at }: Placement, seat: Seat) -> (i32, i32) {
        let best = match self.board.find(at) {
            Some(cell) => self.board.scores_after(tile, rotation, cell),
            // The first tile.
            None => Colour::ALL.map(|colour| u8::from(tile.edges().contains(&colour))),
        };
        let score = |seat: Seat| i32::from(best[self.colour(seat) as usize]);
        let others = Seat::all(self.seats()).filter(|&other| other != seat);
        (score(seat), others.map(score).max().unwrap_or(0))
    }

    /// Appends the mover's placements that the rules allow on forced spaces only, or anywhere; not in canonical
    /// order.
    fn placements(&self, forced_only: bool, out: &mut Vec<Action>) {
        let hand = &self.hands[self.mover.index()];
        for cell in self.cells(forced_only).iter() {
            let at = self.board.at(cell);
            let mut fits = self.board.fits_of(cell, hand);
            while fits != 0 {
                let (tile, rotation) = hand.turned(fits.trailing_zeros());
                out.push(Action::place(tile, rotation, at));
                fits &= fits - 1;
            }
        }
    }

    /// Appends the placements of the seat to act, not in canonical order: for playouts.
    #[inline]
    pub(crate) fn choices_unsorted(&self, out: &mut Vec<Action>) {
        if self.board.tiles() == 0 {
            self.actions(out);
        } else {
            self.placements(self.phase == Phase::Forced, out);
        }
    }

    /// The cells where a tile may be placed as far as rules B and C go.
    #[inline]
    pub(crate) fn cells(&self, forced_only: bool) -> CellSet {
        if forced_only {
            self.board.forced_set(self.exactly3).minus(self.board.beside_set())
        } else {
            self.board.open_set()
        }
    }

    /// Whether `seat` can place a tile.
    #[inline]
    fn can_place(&self, seat: Seat, forced_only: bool) -> bool {
        let hand = &self.hands[seat.index()];
        self.cells(forced_only).iter().any(|cell| self.board.fits_of(cell, hand) != 0)
    }

    /// Finds out what comes next.
    fn settle(&mut self) {
        // Everybody is looked at once, and the mover once more if its free move is behind it.
        for _ in 0..=self.seats {
            if self.hands[self.mover.index()].len() > 0 {
                if self.can_place(self.mover, true) {
                    self.phase = Phase::Forced;
                    return;
                }
                if !self.freed {
                    if self.board.tiles() == 0 || self.can_place(self.mover, false) {
                        self.phase = Phase::Free;
                        return;
                    }
                    if self.board.restricted() {
                        // A deadlock: the game is drawn.
                        self.phase = Phase::Over;
                        return;
                    }
                }
            }
            self.mover = self.mover.next(self.seats());
            self.freed = false;
        }
        // One spelling for finished games.
        self.mover = Seat::FIRST;
        self.phase = Phase::Over;
    }

    /// Who is likely to act next, and whether only to fill a forced space: a tile that is still to be drawn is left out.
    pub(crate) fn next_to_act(&self) -> (Seat, bool) {
        if self.phase != Phase::Draw {
            return (self.mover, self.phase == Phase::Forced);
        }
        if self.can_place(self.mover, true) {
            return (self.mover, true);
        }
        let next = if self.freed { self.mover.next(self.seats()) } else { self.mover };
        (next, next != self.mover && self.can_place(next, true))
    }

    /// Goes on without the draw that is due, as if the bag were closed but not empty: for looking ahead.
    pub(crate) fn skip_draw(&mut self) {
        debug_assert_eq!(self.phase, Phase::Draw);
        self.settle();
    }

    /// Why a placement is not legal now, in words that name the rule; nothing if it is legal.
    pub(crate) fn objection(&self, Placement { tile, rotation, at }: Placement) -> Option<String> {
        let held = self.held(self.mover);
        if !held.has(tile) {
            return Some(format!("tile {tile} is not in the hand of seat {}", self.mover));
        }
        if self.board.tiles() == 0 {
            let first = at == Hex::ORIGIN && rotation == 0;
            return (!first).then(|| "the first tile goes to 0,0 without rotation".to_owned());
        }
        let Some(cell) = self.board.find(at) else {
            let taken = self.played().iter().any(|other| other.placement().is_some_and(|p| p.at == at));
            return Some(if taken {
                format!("there is a tile at {at}")
            } else {
                format!("{at} touches no tile")
            });
        };
        let around = self.board.around(at);
        for (side, name) in crate::hex::SIDE_NAMES.iter().enumerate() {
            let shown = tile.colour(rotation, side);
            if let Some(colour) = around[side].filter(|&colour| colour != shown) {
                return Some(format!("its {name} edge is {} and meets {}", shown.name(), colour.name()));
            }
        }
        let forced = self.board.forced_set(self.exactly3);
        if self.phase == Phase::Forced && !forced.has(cell) {
            return Some("a forced space must be filled first".to_owned());
        }
        if self.board.controlled_set().minus(self.board.crowded_set()).has(cell) {
            return Some(format!("{at} is on a controlled side (rule C)"));
        }
        if self.board.beside_set().has(cell) {
            return Some("an empty cell would have four tiles around it (rule B)".to_owned());
        }
        let fits = self.board.fits(cell, TileSet::NONE.with(tile).0);
        (fits[usize::from(rotation)] == 0)
            .then(|| "an empty cell would have three links of one colour (rule A)".to_owned())
    }
}

impl Position for State {
    type Action = Action;

    #[inline]
    fn seats(&self) -> usize {
        usize::from(self.seats)
    }

    #[inline]
    fn actor(&self) -> Actor {
        match self.phase {
            Phase::Draw => Actor::Chance,
            Phase::Forced | Phase::Free => Actor::Seat(self.mover),
            Phase::Over => Actor::Over,
        }
    }

    fn actions(&self, out: &mut Vec<Action>) {
        let start = out.len();
        let held = self.held(self.mover);
        match self.phase {
            Phase::Over => {}
            Phase::Draw => out.extend(self.bag.iter().map(Action::draw)),
            Phase::Free if self.board.tiles() == 0 => {
                out.extend(held.iter().map(|tile| Action::place(tile, 0, Hex::ORIGIN)));
            }
            phase => {
                self.placements(phase == Phase::Forced, out);
                out[start..].sort_unstable();
            }
        }
    }

    fn apply(&mut self, action: Action) {
        match action.deed() {
            Deed::Draw(tile) => {
                self.bag = self.bag.without(tile);
                self.hands[self.mover.index()].push(tile);
                if self.bag.is_empty() {
                    self.board.lift();
                }
                self.settle();
            }
            Deed::Place(placement) => {
                let Placement { tile, rotation, at } = placement;
                self.remember(placement);
                if self.board.tiles() == 0 {
                    self.board.begin(tile, rotation);
                } else {
                    let cell = self.board.find(at).expect("a legal placement is beside a tile");
                    self.board.place(tile, rotation, cell);
                }
                self.hands[self.mover.index()].remove(tile);
                self.freed |= self.phase == Phase::Free;
                if self.bag.is_empty() {
                    self.settle();
                } else {
                    self.phase = Phase::Draw;
                }
            }
        }
    }

    /// A deadlock is a draw; else the highest score wins.
    fn outcome(&self) -> Outcome {
        if self.board.restricted() {
            return Outcome::draw(self.seats());
        }
        let scores = [0, 1, 2, 3].map(|seat| self.score(Seat::new(seat)));
        Outcome::by_points(&scores[..self.seats()])
    }

    fn is_legal(&self, action: Action) -> bool {
        match (action.deed(), self.phase) {
            (Deed::Draw(tile), Phase::Draw) => self.bag.has(tile),
            (Deed::Place(placement), Phase::Forced | Phase::Free) => self.objection(placement).is_none(),
            _ => false,
        }
    }

    #[inline]
    fn probability(&self, _action: Action) -> f64 {
        1.0 / self.bag.len() as f64
    }

    /// Any tile of the bag. In ascending order, so that games that have drawn the same so far and draw from
    /// the same stream go on to draw the same.
    #[inline]
    fn draw(&self, rng: &mut Rng) -> Action {
        Action::draw(self.bag.nth(rng.index(self.bag.len())))
    }

    fn random_action(&self, rng: &mut Rng, _scratch: &mut Vec<Action>) -> Action {
        let hand = &self.hands[self.mover.index()];
        if self.board.tiles() == 0 {
            return Action::place(hand.held().nth(rng.index(hand.len())), 0, Hex::ORIGIN);
        }
        let cells = self.cells(self.phase == Phase::Forced);
        let mut counts = [0u8; MOST_CELLS];
        let mut total = 0;
        for (cell, count) in cells.iter().zip(&mut counts) {
            *count = self.board.fits_of(cell, hand).count_ones() as u8;
            total += u32::from(*count);
        }
        let mut chosen = rng.below(total);
        for (cell, count) in cells.iter().zip(counts) {
            let count = u32::from(count);
            if chosen < count {
                let mut fits = self.board.fits_of(cell, hand);
                (0..chosen).for_each(|_| fits &= fits - 1);
                let (tile, rotation) = hand.turned(fits.trailing_zeros());
                return Action::place(tile, rotation, self.board.at(cell));
            }
            chosen -= count;
        }
        unreachable!("the chosen number is below the total")
    }
}

impl State {
    /// Everything that a position is; the rest follows from it.
    fn identity(&self) -> (&[Action], &[Hand], TileSet, &[Colour], Seat, bool, Phase, bool) {
        (
            self.played(),
            &self.hands[..self.seats()],
            self.bag,
            &self.colours[..self.seats()],
            self.mover,
            self.freed,
            self.phase,
            self.exactly3,
        )
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State({})", crate::notation::written(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tantrix;
    use ranka_core::{Game, Seed};

    #[test]
    fn scores_after_a_placement_are_those_after_making_it() {
        for number in 0..20 {
            let mut rng = Rng::new(Seed::new(number));
            let mut state = Tantrix::standard(2 + number as usize % 3).start(&mut rng);
            while !state.actor().is_over() {
                let mut actions = Vec::new();
                state.actions(&mut actions);
                for action in &actions {
                    let Deed::Place(placement) = action.deed() else { break };
                    let mut next = state.clone();
                    next.apply(*action);
                    for seat in Seat::all(state.seats()) {
                        let (own, other) = state.scores_after(placement, seat);
                        assert_eq!(
                            (own, own - other),
                            (next.score(seat), next.margin(seat)),
                            "{action} in {state:?}"
                        );
                    }
                }
                state.apply(rng.pick(&actions));
            }
        }
    }
}
