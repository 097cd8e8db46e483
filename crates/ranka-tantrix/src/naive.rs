//! The rules once more, in the plainest way: a map of tiles, everything looked up anew, and rules B and C by
//! what they mean (filling all that must be filled may never leave a cell among four tiles) instead of by
//! the geometry of rows. A yardstick for speed and an oracle for tests.

use crate::action::{Action, Deed, Placement};
use crate::hex::{Hex, opposite};
use crate::state::{Phase, State};
use crate::tiles::{Colour, Tile, TileSet};
use crate::trace::trace_tiles;
use ranka_core::{Actor, Outcome, Position, Seat};
use std::collections::{BTreeMap, BTreeSet};

/// A position.
#[derive(Clone, Debug)]
pub struct Naive {
    tiles: BTreeMap<Hex, (Tile, u8)>,
    hands: Vec<TileSet>,
    bag: TileSet,
    colours: Vec<Colour>,
    mover: Seat,
    freed: bool,
    phase: Phase,
}

impl Naive {
    /// The same position; forced are spaces with three or more tiles around them.
    pub fn of(state: &State) -> Naive {
        let placed = state.played().iter().filter_map(|action| action.placement());
        Naive {
            tiles: placed.map(|p| (p.at, (p.tile, p.rotation))).collect(),
            hands: Seat::all(state.seats()).map(|seat| state.held(seat)).collect(),
            bag: state.bag(),
            colours: Seat::all(state.seats()).map(|seat| state.colour(seat)).collect(),
            mover: state.mover(),
            freed: state.freed(),
            phase: state.phase(),
        }
    }

    /// Empty cells beside a tile.
    pub fn frontier(&self) -> BTreeSet<Hex> {
        let beside = self.tiles.keys().flat_map(|&at| (0..6).map(move |side| at.step(side)));
        beside.filter(|at| !self.tiles.contains_key(at)).collect()
    }

    fn tiles_around(&self, at: Hex) -> usize {
        (0..6).filter(|&side| self.tiles.contains_key(&at.step(side))).count()
    }

    /// The colour that the tile beyond a side shows.
    fn shown(&self, at: Hex, side: usize) -> Option<Colour> {
        let &(tile, rotation) = self.tiles.get(&at.step(side))?;
        Some(tile.colour(rotation, opposite(side)))
    }

    /// How much shorter the rim gets when every cell with three or more tiles around it is filled, again and
    /// again: not at all on boards that rules B and C allow.
    pub fn closure_deficit(&self, placed: Option<Hex>) -> usize {
        let mut filled: BTreeSet<Hex> = self.tiles.keys().copied().chain(placed).collect();
        let rim = |cells: &BTreeSet<Hex>| -> usize {
            let sides = cells.iter().flat_map(|&at| (0..6).map(move |side| at.step(side)));
            sides.filter(|at| !cells.contains(at)).count()
        };
        let before = rim(&filled);
        loop {
            let around: Vec<Hex> =
                filled.iter().flat_map(|&at| (0..6).map(move |side| at.step(side))).collect();
            let next = around.into_iter().find(|&at| {
                !filled.contains(&at) && (0..6).filter(|&side| filled.contains(&at.step(side))).count() >= 3
            });
            match next {
                Some(at) => filled.insert(at),
                None => return before - rim(&filled),
            };
        }
    }

    fn matches(&self, Placement { tile, rotation, at }: Placement) -> bool {
        (0..6).all(|side| self.shown(at, side).is_none_or(|colour| colour == tile.colour(rotation, side)))
    }

    /// Whether a placement that matches keeps rule A.
    fn keeps_a(&self, Placement { tile, rotation, at }: Placement) -> bool {
        (0..6).filter(|&side| !self.tiles.contains_key(&at.step(side))).all(|side| {
            let colour = tile.colour(rotation, side);
            let beyond = at.step(side);
            (0..6).filter(|&other| self.shown(beyond, other) == Some(colour)).count() < 2
        })
    }

    fn placements(&self, hand: TileSet, forced_only: bool) -> Vec<Action> {
        let mut out = Vec::new();
        let open: Vec<Hex> = self
            .frontier()
            .into_iter()
            .filter(|&at| !forced_only || self.tiles_around(at) >= 3)
            .filter(|&at| self.bag.is_empty() || self.closure_deficit(Some(at)) == 0)
            .collect();
        for tile in hand.iter() {
            for rotation in 0..6 {
                for &at in &open {
                    let placement = Placement { tile, rotation, at };
                    if self.matches(placement) && (self.bag.is_empty() || self.keeps_a(placement)) {
                        out.push(Action::place(tile, rotation, at));
                    }
                }
            }
        }
        out
    }

    fn settle(&mut self) {
        for _ in 0..=self.hands.len() {
            let hand = self.hands[self.mover.index()];
            if !self.placements(hand, true).is_empty() {
                self.phase = Phase::Forced;
                return;
            }
            if !self.freed {
                if !self.placements(hand, false).is_empty() {
                    self.phase = Phase::Free;
                    return;
                }
                if !self.bag.is_empty() {
                    self.phase = Phase::Over;
                    return;
                }
            }
            self.mover = self.mover.next(self.hands.len());
            self.freed = false;
        }
        self.mover = Seat::FIRST;
        self.phase = Phase::Over;
    }

    /// The best score of a colour: every line is walked from one of its tiles.
    pub fn score(&self, colour: Colour) -> i32 {
        self.lines(colour)
            .into_iter()
            .map(|(length, looped)| length * if looped { 2 } else { 1 })
            .max()
            .unwrap_or(0)
    }

    /// The length of every line of a colour, and whether it is a loop; sorted.
    pub fn lines(&self, colour: Colour) -> Vec<(i32, bool)> {
        let traces = trace_tiles(&self.tiles, colour);
        let mut lines: Vec<(i32, bool)> =
            traces.into_iter().map(|line| (line.cells.len() as i32, line.looped)).collect();
        lines.sort_unstable();
        lines
    }
}

impl Position for Naive {
    type Action = Action;

    fn seats(&self) -> usize {
        self.hands.len()
    }

    fn actor(&self) -> Actor {
        match self.phase {
            Phase::Draw => Actor::Chance,
            Phase::Forced | Phase::Free => Actor::Seat(self.mover),
            Phase::Over => Actor::Over,
        }
    }

    fn actions(&self, out: &mut Vec<Action>) {
        let hand = self.hands[self.mover.index()];
        match self.phase {
            Phase::Over => {}
            Phase::Draw => out.extend(self.bag.iter().map(Action::draw)),
            Phase::Free if self.tiles.is_empty() => {
                out.extend(hand.iter().map(|tile| Action::place(tile, 0, Hex::ORIGIN)));
            }
            phase => out.extend(self.placements(hand, phase == Phase::Forced)),
        }
    }

    fn apply(&mut self, action: Action) {
        let hand = &mut self.hands[self.mover.index()];
        match action.deed() {
            Deed::Draw(tile) => {
                self.bag = self.bag.without(tile);
                *hand = hand.with(tile);
                self.settle();
            }
            Deed::Place(Placement { tile, rotation, at }) => {
                *hand = hand.without(tile);
                self.tiles.insert(at, (tile, rotation));
                self.freed |= self.phase == Phase::Free;
                if self.bag.is_empty() {
                    self.settle();
                } else {
                    self.phase = Phase::Draw;
                }
            }
        }
    }

    fn outcome(&self) -> Outcome {
        if !self.bag.is_empty() {
            return Outcome::draw(self.seats());
        }
        let scores: Vec<i32> = self.colours.iter().map(|&colour| self.score(colour)).collect();
        Outcome::by_points(&scores)
    }
}
