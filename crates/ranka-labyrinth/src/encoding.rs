//! Views and actions as arrays: the board turned until the own home is the top left corner, where everybody can go,
//! and what the others' walks tell of their cards.
//!
//! A quarter turn maps the fixed tiles onto each other, so what is seen from every corner is alike and nothing is lost
//! by turning. Treasures are shown only by what they are to the viewer: an own goal, or a goal that another may have.

use crate::action::{Action, Push};
use crate::cards::Card;
use crate::maze::{CELLS, Cell, Entry, SIDE, cells};
use crate::rules::Labyrinth;
use crate::state::{Phase, State};
use crate::tile::{Shape, TREASURES};
use crate::trails::Trails;
use crate::view::View;
use ranka_core::{Actor, Encoding, Game as _, Layout, Position, Seat};

const ROTATIONS: usize = 4;

/// The first plane of each group.
const OPEN: usize = 0; // up, right, down, left
const SLIDES: usize = OPEN + 4; // row, column
const EXTRA: usize = SLIDES + 2; // straight, corner, branch
const FORBIDDEN: usize = EXTRA + 3;
const CLOCK: usize = FORBIDDEN + 1; // push, move, ply
const TARGET: usize = CLOCK + 3; // where, on the extra tile, the way home
const NEXT: usize = TARGET + 3; // where, on the extra tile
const NEARNESS: usize = NEXT + 2; // after a push, for each rotation
const REACH: usize = NEARNESS + ROTATIONS; // likewise
const JOINED: usize = REACH + ROTATIONS;
const SEATS: usize = JOINED + 1;
const PER_SEAT: usize = 5; // pawn, home, reach, cards left, turn
const PER_OTHER: usize = 4; // may be after, on the extra tile, left lying, drawn to

/// The most cards that a seat can have.
const MOST_CARDS: f32 = 12.0;

/// Counts beyond these are no more telling.
const MANY_LEFT: u8 = 4;
const FAR_DRAWN: i8 = 12;

/// Where each cell is seen when the board is turned anticlockwise by 0 to 3 quarters.
const SEEN: [[u8; CELLS]; 4] = {
    let mut seen = [[0; CELLS]; 4];
    let mut cell = 0;
    while cell < CELLS {
        let (mut x, mut y) = (cell % SIDE, cell / SIDE);
        let mut quarters = 0;
        while quarters < 4 {
            seen[quarters][cell] = (SIDE * y + x) as u8;
            (x, y) = (y, SIDE - 1 - x);
            quarters += 1;
        }
        cell += 1;
    }
    seen
};

/// For each cell the cells that are so many rows and columns away from it.
static RINGS: [[u64; 2 * SIDE - 1]; CELLS] = {
    let mut rings = [[0; 2 * SIDE - 1]; CELLS];
    let mut pair = 0;
    while pair < CELLS * CELLS {
        let (one, two) = (pair / CELLS, pair % CELLS);
        let steps = (one % SIDE).abs_diff(two % SIDE) + (one / SIDE).abs_diff(two / SIDE);
        rings[one][steps] |= 1 << two;
        pair += 1;
    }
    rings
};

/// How the viewer looks at the board: turned anticlockwise by so many quarters that the own home is top left.
#[derive(Clone, Copy)]
struct Turned(usize);

impl Turned {
    fn of(state: &State, seat: Seat) -> Turned {
        Turned(Cell::CORNERS.iter().position(|&corner| corner == state.home(seat)).unwrap_or(0))
    }

    fn seen(self, cell: Cell) -> usize {
        usize::from(SEEN[self.0][cell.index()])
    }

    fn real(self, cell: usize) -> Cell {
        Cell::new(usize::from(SEEN[(4 - self.0) % 4][cell]))
    }

    /// How a tile is seen that lies at `rotation`. Of a straight's four, the first two stay the listed ones.
    fn seen_rotation(self, shape: Shape, rotation: usize) -> usize {
        let turns = usize::from(shape.rotations());
        rotation / turns * turns + (rotation + ROTATIONS - self.0) % turns
    }

    fn real_rotation(self, shape: Shape, rotation: usize) -> usize {
        Turned((4 - self.0) % 4).seen_rotation(shape, rotation)
    }

    fn write(self, plane: &mut [f32; CELLS], set: u64) {
        for cell in cells(set) {
            plane[self.seen(cell)] = 1.0;
        }
    }
}

/// Where something lies: a cell, or nothing for the extra tile.
type Place = Option<Cell>;

/// Where a push takes what lies at `place`.
fn pushed(place: Place, entry: Entry) -> Place {
    place.map_or(Some(entry.cell()), |cell| entry.carried(cell))
}

/// For each push what it would do for the own pawn: how near it then gets to its target and how many cells it reaches.
fn write_pushes(state: &State, seat: Seat, turned: Turned, planes: &mut [[f32; CELLS]]) {
    let (shape, forbidden, target) = (state.board.extra().shape(), state.forbidden(), state.target(seat));
    for entry in Entry::all().filter(|&entry| Some(entry) != forbidden) {
        let (at, aim) = (turned.seen(entry.cell()), pushed(target, entry));
        let pawn = entry.carried_pawn(state.pawn(seat));
        for rotation in 0..shape.rotations() {
            let mut maze = *state.board.maze();
            maze.push(entry, shape.openings(rotation));
            let region = maze.paths().region(pawn);
            let seen = turned.seen_rotation(shape, usize::from(rotation));
            if let Some(aim) = aim {
                let steps = RINGS[aim.index()].iter().take_while(|&&ring| ring & region == 0).count();
                planes[NEARNESS + seen][at] = 1.0 / (1 + steps) as f32;
            }
            planes[REACH + seen][at] = region.count_ones() as f32 / CELLS as f32;
        }
    }
}

/// For each cell the share of pushes after which a pawn that stands there now could walk to the target.
fn write_joined(state: &State, seat: Seat, turned: Turned, plane: &mut [f32; CELLS]) {
    let (shape, target) = (state.board.extra().shape(), state.target(seat));
    let share = 1.0 / (12.0 * f32::from(shape.rotations()));
    for entry in Entry::all() {
        let Some(aim) = pushed(target, entry) else { continue };
        for rotation in 0..shape.rotations() {
            let mut maze = *state.board.maze();
            maze.push(entry, shape.openings(rotation));
            let region = maze.paths().region(aim);
            // Back to where the pawns stand now; who is pushed out comes in at the entry.
            let mut before = entry.opposite().carried_set(region);
            if region & entry.cell().bit() != 0 {
                before |= entry.far().bit();
            }
            cells(before).for_each(|cell| plane[turned.seen(cell)] += share);
        }
    }
}

/// The treasures, a bit each, that are seen on no card: each may be any card that lies face down.
fn unseen(state: &State) -> u32 {
    let seen = state.cards.all().iter().filter_map(|card| card.treasure());
    seen.fold((1 << TREASURES) - 1, |unseen, treasure| unseen & !(1 << treasure.index()))
}

/// The treasures that a card may be.
fn possible(card: Option<&Card>, unseen: u32) -> u32 {
    card.map_or(0, |card| card.treasure().map_or(unseen, |treasure| 1 << treasure.index()))
}

/// Marks those treasures of a set that lie on the board, and fills the next plane if the extra tile has one of them.
fn write_treasures(planes: &mut [[f32; CELLS]], set: u32, places: &[Place; TREASURES], turned: Turned) {
    for (treasure, place) in places.iter().enumerate() {
        if set >> treasure & 1 != 0 {
            match place {
                Some(cell) => planes[0][turned.seen(*cell)] = 1.0,
                None => planes[1].fill(1.0),
            }
        }
    }
}

fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

impl Encoding for Labyrinth {
    type Observer = Trails;

    fn layout(&self) -> Layout {
        let mut planes: Vec<String> = [
            "open up",
            "open right",
            "open down",
            "open left",
            "row slides",
            "column slides",
            "extra tile straight",
            "extra tile corner",
            "extra tile branch",
            "forbidden entry",
            "push",
            "move",
            "ply",
            "own target",
            "own target on the extra tile",
            "own way home",
            "may be own next",
            "may be own next on the extra tile",
        ]
        .map(str::to_owned)
        .into();
        for what in ["nearness to the target", "cells in reach"] {
            planes.extend((0..ROTATIONS).map(|rotation| format!("{what} after a push turned {rotation}")));
        }
        planes.push("pushes that join to the target".to_owned());
        for other in 0..self.seats() {
            let whose = if other == 0 { "own".to_owned() } else { format!("other {other}'s") };
            planes.extend(
                ["pawn", "home", "reach", "cards left", "turn"].map(|what| format!("{whose} {what}")),
            );
            if other > 0 {
                let may = ["may be after", "may be after on the extra tile", "left lying", "was drawn to"];
                planes.extend(may.map(|what| format!("other {other} {what}")));
            }
        }
        Layout {
            version: 1,
            planes,
            height: SIDE,
            width: SIDE,
            action_planes: 1 + ROTATIONS,
            loose_actions: 0,
        }
    }

    fn observe(&self, view: &View, seat: Seat, past: &Trails, out: &mut [f32]) {
        out.fill(0.0);
        let planes = out.as_chunks_mut::<CELLS>().0;
        let state = view.shown();
        let turned = Turned::of(state, seat);
        let (board, paths) = (&state.board, state.board.paths());

        for (cell, tile) in Cell::all().zip(board.tiles()) {
            let (at, open) = (turned.seen(cell), tile.openings().bits());
            for direction in (0..4).filter(|direction| open >> direction & 1 != 0) {
                planes[OPEN + (direction + 4 - turned.0) % 4][at] = 1.0;
            }
            planes[SLIDES][at] = flag(at / SIDE % 2 == 1);
            planes[SLIDES + 1][at] = flag(at % SIDE % 2 == 1);
        }
        planes[EXTRA + board.extra().shape() as usize].fill(1.0);
        if let Some(entry) = state.forbidden() {
            planes[FORBIDDEN][turned.seen(entry.cell())] = 1.0;
        }
        planes[CLOCK].fill(flag(state.phase == Phase::Push));
        planes[CLOCK + 1].fill(flag(state.phase == Phase::Move));
        let cap = f32::from(state.rules.ply_cap.max(1));
        planes[CLOCK + 2].fill(state.ply.map_or(0.0, |ply| f32::from(ply) / cap));

        let mut places = [None; TREASURES];
        for (cell, treasure) in Cell::all().zip(board.tiles().map(|tile| tile.treasure())) {
            if let Some(treasure) = treasure {
                places[treasure.index()] = Some(cell);
            }
        }
        let (pile, unseen) = (state.cards.pile(seat), unseen(state));
        match pile.first() {
            None => turned.write(&mut planes[TARGET], state.home(seat).bit()),
            card => write_treasures(&mut planes[TARGET..], possible(card, 0), &places, turned),
        }
        planes[TARGET + 2].fill(flag(pile.is_empty()));
        write_treasures(&mut planes[NEXT..], possible(pile.get(1), unseen), &places, turned);
        if state.actor() == Actor::Seat(seat) {
            match state.phase {
                Phase::Push => write_pushes(state, seat, turned, planes),
                _ => write_joined(state, seat, turned, &mut planes[JOINED]),
            }
        }

        let mut first = SEATS;
        // A position that was read may have more seats than the arrays.
        let seats = state.seats().min(self.seats());
        for other in (0..seats).map(|ahead| Seat::new((seat.index() + ahead) % state.seats())) {
            turned.write(&mut planes[first], state.pawn(other).bit());
            turned.write(&mut planes[first + 1], state.home(other).bit());
            turned.write(&mut planes[first + 2], paths.region(state.pawn(other)));
            let left = state.cards.pile(other);
            planes[first + 3].fill(left.len() as f32 / MOST_CARDS);
            planes[first + 4].fill(flag(state.actor() == Actor::Seat(other)));
            first += PER_SEAT;
            if other == seat {
                continue;
            }
            let goals = &mut planes[first..first + PER_OTHER];
            first += PER_OTHER;
            if left.is_empty() {
                turned.write(&mut goals[0], state.home(other).bit());
                continue;
            }
            let trail = past.of(other);
            // Who stood on the treasure of its card would have found it.
            let may = possible(left.first(), unseen & !trail.stood_on);
            write_treasures(goals, may, &places, turned);
            for (treasure, place) in
                places.iter().enumerate().filter(|(treasure, _)| may >> treasure & 1 != 0)
            {
                if let Some(cell) = place {
                    let at = turned.seen(*cell);
                    goals[2][at] =
                        f32::from(trail.left_lying[treasure].min(MANY_LEFT)) / f32::from(MANY_LEFT);
                    goals[3][at] =
                        f32::from(trail.drawn[treasure].clamp(-FAR_DRAWN, FAR_DRAWN)) / f32::from(FAR_DRAWN);
                }
            }
        }
    }

    /// A move is plane 0 at its cell; a push is at the cell of its entry, a plane for each rotation.
    fn action_index(&self, view: &View, seat: Seat, action: Action) -> Option<usize> {
        let state = view.shown();
        let turned = Turned::of(state, seat);
        Some(match action {
            Action::Move(cell) => turned.seen(cell),
            Action::Push(Push { entry, rotation }) => {
                let seen = turned.seen_rotation(state.board.extra().shape(), usize::from(rotation));
                (1 + seen) * CELLS + turned.seen(entry.cell())
            }
        })
    }

    fn indexed_action(&self, view: &View, seat: Seat, index: usize) -> Option<Action> {
        let state = view.shown();
        let turned = Turned::of(state, seat);
        let cell = turned.real(index % CELLS);
        match index / CELLS {
            0 => Some(Action::Move(cell)),
            plane @ 1..=ROTATIONS => {
                let entry = Entry::all().find(|entry| entry.cell() == cell)?;
                let rotation = turned.real_rotation(state.board.extra().shape(), plane - 1) as u8;
                Some(Action::Push(Push { entry, rotation }))
            }
            _ => None,
        }
    }
}
