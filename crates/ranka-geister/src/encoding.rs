//! Views and actions as arrays: 6×6 planes with the own side at the bottom, and what each ghost has done so far.

use crate::action::Action;
use crate::rules::Geister;
use crate::setup::SetUp;
use crate::square::{Bits, OFF, Square, TARGETS, exits, neighbours, turned};
use crate::state::Phase;
use crate::view::View;
use ranka_core::{Encoding, Layout, Observer, Seat, Symmetry, Told};

const SIDE: usize = 6;
const CELLS: usize = SIDE * SIDE;

/// What is counted of every ghost, in plane order. Colours are told by deeds: who hides threatens, who flees is blue,
/// who stands on an exit and stays is red.
const DEEDS: [&str; 7] =
    ["moves", "approaches", "flights", "stayed under threat", "declined an exit", "captures", "idle"];
const MOVES: usize = 0;
const APPROACHES: usize = 1;
const FLIGHTS: usize = 2;
const STAYED: usize = 3;
const DECLINED: usize = 4;
const CAPTURES: usize = 5;
const IDLE: usize = 6;

/// Counts are written as shares of this; more is no more telling.
const MANY: [u8; DEEDS.len()] = [16, 8, 8, 8, 4, 4, 32];

/// Where a ghost began, which its letter says: one of four columns, and whether in the front row.
const HOMES: [&str; 5] =
    ["from column b", "from column c", "from column d", "from column e", "from the front row"];

/// The moves that are shown, latest first.
const LATEST: usize = 3;

/// The first plane of each group.
const GHOSTS: usize = 0; // own blue, own red, the other's
const TAKEN: usize = 3; // own blue, own red, other's blue, other's red
const MOVED: usize = TAKEN + 4; // from and to of the latest moves
const CLOCK: usize = MOVED + 2 * LATEST; // set-up, ply
const PAST: usize = CLOCK + 2; // deeds and homes of own ghosts, then of the other's
const PER_SIDE: usize = DEEDS.len() + HOMES.len();
const PLANES: usize = PAST + 2 * PER_SIDE;

const STEPS: usize = 4 * CELLS;

/// What both sides' ghosts have done, and the latest moves. Both seats see the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deeds {
    counts: [[[u8; 8]; DEEDS.len()]; 2],
    /// From and to, on the first player's board; [`OFF`] where there is none.
    latest: [(u8, u8); LATEST],
}

impl Deeds {
    fn count(&mut self, seat: Seat, deed: usize, ghost: usize) {
        let count = &mut self.counts[seat.index()][deed][ghost];
        *count = count.saturating_add(1);
    }

    pub(crate) fn see_step(&mut self, before: &View, seat: Seat, from: Square, to: Square) {
        let open = &before.open;
        let enemies = open.ghosts[seat.other().index()];
        let threatened = neighbours(enemies);
        for ghost in 0..8 {
            let place = open.places[seat.index()][ghost];
            if place == OFF {
                continue;
            }
            let stands = Square::at(place).bit();
            if place == from.0 {
                self.counts[seat.index()][IDLE][ghost] = 0;
                self.count(seat, MOVES, ghost);
                // Whoever was taken no longer threatens.
                let near = neighbours(enemies & !to.bit()) & to.bit() != 0;
                if near {
                    self.count(seat, APPROACHES, ghost);
                } else if threatened & stands != 0 {
                    self.count(seat, FLIGHTS, ghost);
                }
                if enemies & to.bit() != 0 {
                    self.count(seat, CAPTURES, ghost);
                }
            } else {
                self.count(seat, IDLE, ghost);
                if threatened & stands != 0 {
                    self.count(seat, STAYED, ghost);
                }
            }
            if exits(seat) & stands != 0 {
                self.count(seat, DECLINED, ghost);
            }
        }
        self.latest.rotate_right(1);
        self.latest[0] = (from.0, to.0);
    }
}

impl Observer<Geister> for Deeds {
    fn new(_game: &Geister, _seat: Seat) -> Deeds {
        Deeds { counts: [[[0; 8]; DEEDS.len()]; 2], latest: [(OFF, OFF); LATEST] }
    }

    fn told(&mut self, event: &Told<'_, Geister>) {
        if let (Some(seat), Some(Action::Step { from, to })) = (event.by, event.action) {
            self.see_step(event.before, seat, from, to);
        }
    }
}

/// A square as `seat` sees it from its own side.
fn seen_from(seat: Seat, square: u8) -> usize {
    usize::from(if seat == Seat::FIRST { square } else { 35 - square })
}

fn seen_set(seat: Seat, set: Bits) -> Bits {
    if seat == Seat::FIRST { set } else { turned(set) }
}

fn write_set(plane: &mut [f32; CELLS], mut set: Bits) {
    while set != 0 {
        plane[set.trailing_zeros() as usize] = 1.0;
        set &= set - 1;
    }
}

impl Encoding for Geister {
    type Observer = Deeds;

    fn layout(&self) -> Layout {
        let mut planes: Vec<String> = ["own blue", "own red", "other's ghosts"].map(str::to_owned).into();
        planes.extend(
            ["own blue taken", "own red taken", "other's blue taken", "other's red taken"].map(str::to_owned),
        );
        for back in 1..=LATEST {
            planes.extend(["from", "to"].map(|end| format!("{end} of move -{back}")));
        }
        planes.extend(["set-up", "ply"].map(str::to_owned));
        for whose in ["own", "other's"] {
            planes.extend(DEEDS.iter().chain(&HOMES).map(|name| format!("{whose} {name}")));
        }
        Layout { version: 1, planes, height: SIDE, width: SIDE, action_planes: 4, loose_actions: 70 }
    }

    fn observe(&self, view: &View, seat: Seat, past: &Deeds, out: &mut [f32]) {
        out.fill(0.0);
        let open = &view.open;
        let (me, you) = (seat.index(), seat.other().index());
        let planes = out.as_chunks_mut::<CELLS>().0;
        let own_reds = view.reds[me].unwrap_or(0);
        write_set(&mut planes[GHOSTS], seen_set(seat, open.ghosts[me] & !own_reds));
        write_set(&mut planes[GHOSTS + 1], seen_set(seat, own_reds));
        write_set(&mut planes[GHOSTS + 2], seen_set(seat, open.ghosts[you]));
        for (i, (whose, red)) in
            [(seat, false), (seat, true), (seat.other(), false), (seat.other(), true)].into_iter().enumerate()
        {
            planes[TAKEN + i].fill(open.captured.count(whose, red) as f32 / 4.0);
        }
        for (i, (from, to)) in past.latest.into_iter().enumerate().filter(|(_, (from, _))| *from != OFF) {
            planes[MOVED + 2 * i][seen_from(seat, from)] = 1.0;
            planes[MOVED + 2 * i + 1][seen_from(seat, to)] = 1.0;
        }
        planes[CLOCK].fill(f32::from(u8::from(open.phase == Phase::SetUp)));
        planes[CLOCK + 1].fill(f32::from(open.ply) / f32::from(open.limit));
        for (side, whose) in [me, you].into_iter().enumerate() {
            let first = PAST + side * PER_SIDE;
            for ghost in (0..8).filter(|&ghost| open.places[whose][ghost] != OFF) {
                let at = seen_from(seat, open.places[whose][ghost]);
                for (deed, many) in MANY.into_iter().enumerate() {
                    planes[first + deed][at] =
                        f32::from(past.counts[whose][deed][ghost].min(many)) / f32::from(many);
                }
                // The other's A stands at the viewer's e2.
                let column = if whose == me { ghost % 4 } else { 3 - ghost % 4 };
                planes[first + DEEDS.len() + column][at] = 1.0;
                planes[first + DEEDS.len() + 4][at] = f32::from(u8::from(ghost < 4));
            }
        }
    }

    fn action_index(&self, _view: &View, seat: Seat, action: Action) -> Option<usize> {
        match action {
            Action::Step { from, to } => {
                let [from, to] = [from, to].map(|square| seen_from(seat, square.0));
                let direction = TARGETS[from].iter().position(|&target| usize::from(target) == to)?;
                Some(direction * CELLS + from)
            }
            // An escape is a step to the north, off the board.
            Action::Escape { from } => Some(seen_from(seat, from.0)),
            Action::SetUp(set_up) => Some(STEPS + set_up.number()),
        }
    }

    fn indexed_action(&self, _view: &View, seat: Seat, index: usize) -> Option<Action> {
        if index >= STEPS {
            return SetUp::all().nth(index - STEPS).map(Action::SetUp);
        }
        let (direction, from) = (index / CELLS, index % CELLS);
        let real = |square: usize| Square::new(seen_from(seat, square as u8));
        match TARGETS[from][direction] {
            OFF if direction == 0 && exits(seat) & real(from).bit() != 0 => {
                Some(Action::Escape { from: real(from) })
            }
            OFF => None,
            to => Some(Action::Step { from: real(from), to: real(usize::from(to)) }),
        }
    }

    /// Left and right change places: squares, the columns where ghosts began, and steps to the east and west.
    fn symmetries(&self) -> Vec<Symmetry> {
        let mirrored = |cell: usize| cell / SIDE * SIDE + SIDE - 1 - cell % SIDE;
        let plane = |i: usize| {
            let homes = |side: usize| PAST + side * PER_SIDE + DEEDS.len();
            match [0, 1].map(homes).into_iter().find(|&first| (first..first + 4).contains(&i)) {
                Some(first) => first + 3 - (i - first),
                None => i,
            }
        };
        let observation = (0..PLANES * CELLS).map(|i| plane(i / CELLS) * CELLS + mirrored(i % CELLS));
        let steps = (0..STEPS).map(|i| {
            let direction = [0, 3, 2, 1][i / CELLS];
            direction * CELLS + mirrored(i % CELLS)
        });
        let set_ups = SetUp::all().map(|set_up| STEPS + set_up.mirrored().number());
        vec![Symmetry {
            observation: observation.map(|i| i as u32).collect(),
            actions: steps.chain(set_ups).map(|i| i as u32).collect(),
        }]
    }
}
