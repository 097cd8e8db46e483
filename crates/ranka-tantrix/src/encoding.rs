//! Views and actions as arrays: a window on the table, in which every side of every tile has its colour, and every tile
//! of the own hand the places where it could go.
//!
//! Colours are counted from the viewer: the own one first, then the others' in turn order, then those that nobody has.
//! `window` says how the endless table is bounded.

use crate::action::{Action, Placement};
use crate::cells::Id;
use crate::hand::HAND;
use crate::hex::SIDE_NAMES;
use crate::rules::Tantrix;
use crate::state::{Phase, State};
use crate::tiles::{Colour, TILES, Tile, TileSet};
use crate::window::{CELLS, HEIGHT, WIDTH, Window};
use ranka_core::{Actor, Encoding, Layout, Position, Seat};

const COLOURS: usize = Colour::ALL.len();
const ROTATIONS: usize = 6;

/// The first plane of each group.
const TILE: usize = 0;
const SIDES: usize = TILE + 1; // for each side and colour: what a tile shows, and what a space asks for
const LINES: usize = SIDES + 6 * COLOURS; // for each colour how long the lines are that arrive at a space
const SPACES: usize = LINES + COLOURS;
const SPACE: [&str; 6] =
    ["space", "open space", "forced space", "controlled space", "crowding space", "tiles around"];
const FITS: usize = SPACES + SPACE.len(); // for each tile of the own hand, then the bag's share
const GAINS: usize = FITS + HAND + 1; // for each rotation and tile of the own hand
const WHOLE: usize = GAINS + ROTATIONS * HAND;
const WHOLES: [&str; 7] =
    ["own turn", "forced fill", "free move", "free move is made", "restrictions hold", "bag", "lead"];
const BAG: usize = WHOLE + WHOLES.len(); // the share of the bag's tiles with each colour
const SEATS: usize = BAG + COLOURS; // for each seat its score, how many of its tiles fit, and hold each colour
const PER_SEAT: usize = 2 + COLOURS;

/// Scores, lengths and gains are written as shares of these.
const HIGH_SCORE: f32 = 20.0;
const HIGH_GAIN: f32 = 8.0;

fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// For each colour its number as a seat counts them.
fn classes(view: &State, seat: Seat) -> [usize; COLOURS] {
    let mut classes = [COLOURS; COLOURS];
    let mut next = 0;
    for ahead in 0..view.seats() {
        let other = Seat::new((seat.index() + ahead) % view.seats());
        classes[view.colour(other) as usize] = next;
        next += 1;
    }
    for class in classes.iter_mut().filter(|class| **class == COLOURS) {
        *class = next;
        next += 1;
    }
    classes
}

/// Writes the share of tiles that have each colour.
fn write_colours(planes: &mut [[f32; CELLS]], tiles: TileSet, most: usize, classes: &[usize; COLOURS]) {
    for colour in Colour::ALL {
        let count = tiles.iter().filter(|tile| tile.edges().contains(&colour)).count();
        planes[classes[colour as usize]].fill(count as f32 / most.max(1) as f32);
    }
}

struct Writer<'a> {
    view: &'a State,
    seat: Seat,
    window: Window,
    classes: [usize; COLOURS],
    planes: &'a mut [[f32; CELLS]],
}

impl Writer<'_> {
    fn set(&mut self, plane: usize, at: usize, value: f32) {
        self.planes[plane][at] = value;
    }

    fn side_plane(&self, side: usize, colour: Colour) -> usize {
        let seen = (side + usize::from(self.window.turns)) % 6;
        SIDES + seen * COLOURS + self.classes[colour as usize]
    }

    fn write_tile(&mut self, Placement { tile, rotation, at }: Placement) {
        let Some(at) = self.window.inside(at) else { return };
        self.set(TILE, at, 1.0);
        for side in 0..6 {
            self.set(self.side_plane(side, tile.colour(rotation, side)), at, 1.0);
        }
    }

    fn write_space(&mut self, cell: Id) {
        let board = self.view.board();
        let Some(at) = self.window.place(board, board.at(cell)) else { return };
        let mut around = 0u8;
        let mut lines = [0u8; COLOURS];
        for (side, line, colour, length) in board.arrivals(cell) {
            self.set(self.side_plane(side, colour), at, 1.0);
            around += 1;
            // A line that arrives twice counts once.
            let again = board.arrivals(cell).any(|(before, other, ..)| before < side && other == line);
            lines[self.classes[colour as usize]] += if again { 0 } else { length };
        }
        for (class, &length) in lines.iter().enumerate() {
            self.set(LINES + class, at, f32::from(length) / HIGH_SCORE);
        }
        let spaces = [
            true,
            board.open_set().has(cell),
            board.forced_set(self.view.exactly3()).has(cell),
            board.controlled_set().has(cell),
            board.beside_set().has(cell),
        ];
        for (i, holds) in spaces.into_iter().enumerate() {
            self.set(SPACES + i, at, flag(holds));
        }
        self.set(SPACES + spaces.len(), at, f32::from(around) / 6.0);
        let bag = self.view.bag();
        let fits = board.fits(cell, bag.0).into_iter().fold(0, |all, fits| all | fits);
        self.set(FITS + HAND, at, fits.count_ones() as f32 / bag.len().max(1) as f32);
    }

    /// Where the own tiles fit and, if it is the own turn, what placing them brings.
    fn write_own_fits(&mut self, acts: bool) {
        let (view, board) = (self.view, self.view.board());
        let hand = view.hand_of(self.seat);
        let margin = view.margin(self.seat);
        for cell in view.cells(acts && view.phase() == Phase::Forced).iter() {
            let mut fits = board.fits_of(cell, hand);
            if fits == 0 {
                continue;
            }
            let Some(at) = self.window.place(board, board.at(cell)) else { continue };
            while fits != 0 {
                let bit = fits.trailing_zeros();
                fits &= fits - 1;
                self.set(FITS + bit as usize % HAND, at, 1.0);
                if acts {
                    let (tile, rotation) = hand.turned(bit);
                    let best = board.scores_after(tile, rotation, cell);
                    let score = |seat: Seat| i32::from(best[view.colour(seat) as usize]);
                    let others = Seat::all(view.seats()).filter(|&other| other != self.seat);
                    let after = score(self.seat) - others.map(score).max().unwrap_or(0);
                    let plane = GAINS + self.turned(usize::from(rotation)) * HAND + bit as usize % HAND;
                    self.set(plane, at, (after - margin) as f32 / HIGH_GAIN);
                }
            }
        }
    }

    fn turned(&self, rotation: usize) -> usize {
        (rotation + usize::from(self.window.turns)) % ROTATIONS
    }

    /// How many tiles of a seat fit into each open space.
    fn write_fits(&mut self, plane: usize, seat: Seat) {
        let (board, hand) = (self.view.board(), self.view.hand_of(seat));
        for cell in board.open_set().iter() {
            let fits = board.fits_of(cell, hand);
            let tiles = (0..ROTATIONS).fold(0, |all, rotation| all | fits >> (HAND * rotation)) & 0o77;
            let Some(at) = self.window.place(board, board.at(cell)) else { continue };
            self.set(plane, at, tiles.count_ones() as f32 / HAND as f32);
        }
    }
}

impl Encoding for Tantrix {
    type Observer = ();

    fn layout(&self) -> Layout {
        let whose = |i: usize| match i {
            0 => "own".to_owned(),
            _ if i < self.players => format!("other {i}'s"),
            _ => format!("nobody's {}", i + 1 - self.players),
        };
        let mut planes = vec!["tile".to_owned()];
        for side in SIDE_NAMES {
            planes.extend((0..COLOURS).map(|class| format!("{} colour {side}", whose(class))));
        }
        planes.extend((0..COLOURS).map(|class| format!("{} lines arriving", whose(class))));
        planes.extend(SPACE.map(str::to_owned));
        planes.extend((0..HAND).map(|place| format!("hand {place} fits")));
        planes.push("bag fits".to_owned());
        for rotation in 0..ROTATIONS {
            planes.extend((0..HAND).map(|place| format!("gain of hand {place} turned {rotation}")));
        }
        planes.extend(WHOLES.map(str::to_owned));
        planes.extend((0..COLOURS).map(|class| format!("{} colour in the bag", whose(class))));
        for seat in (0..self.players).map(whose) {
            planes.extend([format!("{seat} score"), format!("{seat} hand fits")]);
            planes.extend((0..COLOURS).map(|class| format!("{} colour in {seat} hand", whose(class))));
        }
        Layout {
            version: 1,
            planes,
            height: HEIGHT,
            width: WIDTH,
            action_planes: ROTATIONS * HAND,
            loose_actions: 0,
        }
    }

    fn observe(&self, view: &State, seat: Seat, _past: &(), out: &mut [f32]) {
        out.fill(0.0);
        let planes = out.as_chunks_mut::<CELLS>().0;
        let (board, window) = (view.board(), Window::of(view.board()));
        let acts = view.actor() == Actor::Seat(seat);
        let classes = classes(view, seat);
        let mut writer = Writer { view, seat, window, classes, planes };
        view.played()
            .iter()
            .filter_map(|action| action.placement())
            .for_each(|placed| writer.write_tile(placed));
        board.frontier_set().iter().for_each(|cell| writer.write_space(cell));
        if board.tiles() == 0 {
            let middle = HEIGHT / 2 * WIDTH + WIDTH / 2;
            (0..view.hand_of(seat).len()).for_each(|place| writer.set(FITS + place, middle, 1.0));
        } else {
            writer.write_own_fits(acts);
        }
        // A position that was read may have more seats than the arrays.
        let seats = view.seats().min(self.players);
        for ahead in 0..seats {
            let other = Seat::new((seat.index() + ahead) % view.seats());
            let first = SEATS + ahead * PER_SEAT;
            writer.write_fits(first + 1, other);
            writer.planes[first].fill(view.score(other) as f32 / HIGH_SCORE);
            write_colours(&mut writer.planes[first + 2..], view.held(other), HAND, &classes);
        }
        let whole: [f32; WHOLES.len()] = [
            flag(acts),
            flag(view.phase() == Phase::Forced),
            flag(view.phase() == Phase::Free),
            flag(view.freed()),
            flag(board.restricted()),
            view.bag().len() as f32 / TILES as f32,
            view.margin(seat) as f32 / HIGH_SCORE,
        ];
        for (plane, value) in planes[WHOLE..].iter_mut().zip(whole) {
            plane.fill(value);
        }
        write_colours(&mut planes[BAG..], view.bag(), view.bag().len(), &classes);
    }

    /// A plane for each rotation and place in the hand, over the window.
    fn action_index(&self, view: &State, seat: Seat, action: Action) -> Option<usize> {
        let Placement { tile, rotation, at } = action.placement()?;
        let window = Window::of(view.board());
        let place = view.hand(seat).position(|held| held == tile)?;
        let plane = usize::from(rotation + window.turns) % ROTATIONS * HAND + place;
        Some(plane * CELLS + window.place(view.board(), at)?)
    }

    fn indexed_action(&self, view: &State, seat: Seat, index: usize) -> Option<Action> {
        let (plane, cell) = (index / CELLS, index % CELLS);
        if plane >= ROTATIONS * HAND {
            return None;
        }
        let window = Window::of(view.board());
        let tile: Tile = view.hand(seat).nth(plane % HAND)?;
        let rotation = (plane / HAND + ROTATIONS - usize::from(window.turns)) % ROTATIONS;
        Some(Action::place(tile, rotation as u8, window.space(view.board(), cell)?))
    }
}
