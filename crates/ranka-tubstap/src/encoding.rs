//! Views and actions as arrays over the cells inside the ring of walls; Blue sees the board turned by half a turn.
//!
//! Maps of the usual sizes share one frame, beyond whose board all is wall, so that a network plays on all of them. A
//! larger map has a frame of its own. Each unit of a side has a slot, its rank by id among those that live. A position
//! that does not fit into the frame has no place in these arrays: it is observed as zeros, and its actions have no number.

use crate::action::Action;
use crate::cells::Cells;
use crate::field::{Place, at_width};
use crate::kinds::{Kind, Team, Terrain};
use crate::rules::Tubstap;
use crate::setup::MOST_HP;
use crate::sight::Sight;
use crate::state::{MOST_UNITS, State, ids};
use ranka_core::{Actor, Encoding, Layout, Position, Seat, Symmetry};

/// The frame that maps share: rows and columns, and slots of a side. All maps of the competitions fit in.
const SIDE: usize = 8;
const SHARED_SLOTS: usize = 8;

const KINDS: usize = Kind::ALL.len();

/// The first plane of each group.
const GROUND: usize = 0; // kinds of terrain, defence
const CLOCK: usize = GROUND + Terrain::ALL.len() + 1;
const CLOCKS: [&str; 8] = [
    "own turn",
    "half-turns left",
    "end is near",
    "own side moves last",
    "own HP",
    "other's HP",
    "lead",
    "lead by the threshold",
];
const UNITS: usize = CLOCK + CLOCKS.len(); // HP by kind: own, other's
const ACTED: usize = UNITS + 2 * KINDS; // own, other's
const THREATS: usize = ACTED + 2; // where units can strike, by kind: own, other's
const SLOTS: usize = THREATS + 2 * KINDS; // for each slot these
const PER_SLOT: [&str; 5] = ["stands", "can go", "would suffer", "can take", "would lose"];
/// Beside these, what kind of unit it is, a plane for each kind.
const SLOT_PLANES: usize = PER_SLOT.len() + KINDS;

/// Planes of actions of a slot: the cell where it goes without attack; the cell that it attacks, a plane for each side
/// of it on which it then stands; and the cell at which it fires from afar.
const ACTS: usize = 6;
const GO: usize = 0;
const FIRE: usize = 5;

/// No terrain has more.
const MOST_STARS: usize = 4;

/// Where an attacker stands, seen from its target: right, above, left, below.
const SIDES: [(i8, i8); 4] = [(1, 0), (0, -1), (-1, 0), (0, 1)];

/// Leads beyond this many thresholds are no more telling.
const CLEAR: f32 = 2.0;

fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

fn hp(hp: u32) -> f32 {
    hp as f32 / MOST_HP as f32
}

/// The cells of the arrays, as a seat sees them: those of the board, in the corner of the frame.
#[derive(Clone, Copy)]
struct Grid {
    /// Columns and rows of the board.
    board: (usize, usize),
    frame: Frame,
    turned: bool,
}

/// What the arrays have room for.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Frame {
    width: usize,
    height: usize,
    slots: usize,
}

impl Frame {
    fn cells(self) -> usize {
        self.width * self.height
    }
}

impl Grid {
    /// A cell of the board, as it is seen or as it is: turning twice leaves all as it was.
    fn turn(self, x: usize, y: usize) -> (usize, usize) {
        let (width, height) = self.board;
        if self.turned { (width - 1 - x, height - 1 - y) } else { (x, y) }
    }

    fn seen(self, place: Place) -> usize {
        let (x, y) = self.turn(usize::from(place.x) - 1, usize::from(place.y) - 1);
        y * self.frame.width + x
    }

    /// The place that is seen in a cell; nothing beyond the board.
    fn real(self, cell: usize) -> Option<Place> {
        let (x, y) = (cell % self.frame.width, cell / self.frame.width);
        let inside = x < self.board.0 && y < self.board.1;
        let (x, y) = if inside { self.turn(x, y) } else { return None };
        Some(Place::new((x + 1) as u8, (y + 1) as u8))
    }

    /// A side as it is seen, which is another side of the real board for Blue, and the other way round.
    fn side(self, side: usize) -> usize {
        if self.turned { (side + 2) % 4 } else { side }
    }
}

/// The place on this side of another, if that is on the board.
fn beside(place: Place, side: usize) -> Option<Place> {
    let (dx, dy) = SIDES[side];
    let (x, y) = (place.x.checked_add_signed(dx)?, place.y.checked_add_signed(dy)?);
    Some(Place::new(x, y))
}

impl Tubstap {
    /// The frame of the map's positions.
    fn frame(&self) -> Frame {
        let (width, height) = self.start.size();
        let (width, height) = (usize::from(width) - 2, usize::from(height) - 2);
        let slots = most_units(&self.start);
        if width <= SIDE && height <= SIDE && slots <= SHARED_SLOTS {
            return Frame { width: SIDE, height: SIDE, slots: SHARED_SLOTS };
        }
        Frame { width, height, slots }
    }

    /// A position as a side sees it; nothing if it does not fit into the frame.
    fn grid(&self, view: &State, team: Team) -> Option<Grid> {
        let frame = self.frame();
        let (width, height) = view.size();
        let board = (usize::from(width) - 2, usize::from(height) - 2);
        let fits = board.0 <= frame.width && board.1 <= frame.height && most_units(view) <= frame.slots;
        fits.then_some(Grid { board, frame, turned: team == Team::Blue })
    }
}

/// How many units the larger side has.
fn most_units(state: &State) -> usize {
    state.alive.map(u32::count_ones).into_iter().max().unwrap_or(0) as usize
}

/// The slot of a unit that lives.
fn slot(view: &State, team: Team, id: usize) -> usize {
    (view.alive[team as usize] & ((1 << id) - 1)).count_ones() as usize
}

/// What depends on where units can go.
fn write_ways<const W: usize>(view: &State, team: Team, grid: Grid, out: &mut [f32]) {
    let cells = grid.frame.cells();
    let at = |cell: usize| grid.seen(view.field.place(cell));
    let ground = view.field.ground::<W>();
    let mut stops = [Cells::<W>::NONE; MOST_UNITS];
    let mut struck = [Cells::<W>::NONE; MOST_UNITS];
    for (side, team) in [team, team.other()].into_iter().enumerate() {
        let sight = Sight::<W>::new(view, team);
        for id in ids(view.alive[team as usize]) {
            let unit = view.slots[id];
            stops[id] = sight.stops(id);
            struck[id] =
                if unit.kind().is_direct() { ground.around(stops[id]) } else { ground.cannon(unit.cell()) };
            let threat = (THREATS + side * KINDS + unit.kind() as usize) * cells;
            let real = struck[id].iter().take_while(|&cell| cell < view.field.cells());
            real.for_each(|cell| out[threat + at(cell)] += hp(unit.hp()));
        }
    }
    let sight = Sight::<W>::new(view, team);
    for (slot, id) in ids(view.alive[team as usize]).enumerate() {
        let unit = view.slots[id];
        let out = &mut out[(SLOTS + slot * SLOT_PLANES) * cells..][..SLOT_PLANES * cells];
        out[at(unit.cell())] = 1.0;
        out[(PER_SLOT.len() + unit.kind() as usize) * cells..][..cells].fill(1.0);
        if view.acted >> id & 1 == 0 {
            stops[id].iter().for_each(|cell| out[cells + at(cell)] = 1.0);
            for enemy in ids(view.alive[team.other() as usize]) {
                let attacker = view.slots[enemy];
                let damage: [f32; MOST_STARS + 1] = std::array::from_fn(|stars| {
                    let power = view.field.rules.power;
                    hp(power.damage(attacker.kind(), attacker.hp(), unit.kind(), unit.hp(), stars as u32))
                });
                struck[enemy].and(stops[id]).iter().for_each(|cell| {
                    out[2 * cells + at(cell)] += damage[view.field.stars(cell) as usize];
                });
            }
            write_fights(view, &sight, id, stops[id], &mut out[3 * cells..], cells, &at);
        }
    }
}

/// For each enemy that a unit can attack now, what that would take from the enemy and, from the best cell, cost.
fn write_fights<const W: usize>(
    view: &State,
    sight: &Sight<'_, W>,
    id: usize,
    stops: Cells<W>,
    out: &mut [f32],
    cells: usize,
    at: &impl Fn(usize) -> usize,
) {
    for enemy in ids(view.alive[view.team(id).other() as usize]) {
        let fights = sight.stands(id, stops, enemy).map(|cell| view.exchange(id, cell, enemy));
        if let Some((damage, counter)) = fights.min_by_key(|&(_, counter)| counter) {
            let cell = at(view.slots[enemy].cell());
            out[cell] = hp(damage);
            out[cells + cell] = hp(counter);
        }
    }
}

/// A mirror or turn of the board: columns and rows change places, then columns and rows are counted from the other end.
struct Mirror {
    transposed: bool,
    columns: bool,
    rows: bool,
}

impl Mirror {
    /// All but standing still.
    const ALL: [Mirror; 7] = {
        let mut all = [const { Mirror { transposed: false, columns: false, rows: false } }; 7];
        let mut i = 0;
        while i < 7 {
            let bits = i + 1;
            all[i] = Mirror { transposed: bits & 4 != 0, columns: bits & 1 != 0, rows: bits & 2 != 0 };
            i += 1;
        }
        all
    };

    /// The cell whose content comes to this one.
    fn cell(&self, grid: Grid, cell: usize) -> usize {
        let (x, y) = (cell % grid.frame.width, cell / grid.frame.width);
        let (width, height) = grid.board;
        if x >= width || y >= height {
            return cell;
        }
        let (x, y) = if self.transposed { (y, x) } else { (x, y) };
        let x = if self.columns { width - 1 - x } else { x };
        let y = if self.rows { height - 1 - y } else { y };
        y * grid.frame.width + x
    }

    /// The side that comes to this one.
    fn side(&self, side: usize) -> usize {
        let (dx, dy) = SIDES[side];
        let (dx, dy) = if self.transposed { (dy, dx) } else { (dx, dy) };
        let moved = (if self.columns { -dx } else { dx }, if self.rows { -dy } else { dy });
        SIDES.iter().position(|&known| known == moved).expect("mirrors map sides to sides")
    }
}

impl Encoding for Tubstap {
    type Observer = ();

    fn layout(&self) -> Layout {
        let mut planes: Vec<String> = Terrain::ALL.map(|terrain| terrain.name().to_owned()).into();
        planes.push("defence".to_owned());
        planes.extend(CLOCKS.map(str::to_owned));
        let sides = |what: &str| -> Vec<String> {
            let of = |whose: &str| Kind::ALL.map(|kind| format!("{whose} {}{what}", kind.name()));
            ["own", "other's"].map(of).concat()
        };
        planes.extend(sides(""));
        planes.extend(["own unit has acted", "other's unit has acted"].map(str::to_owned));
        planes.extend(sides(" can strike"));
        let Frame { width, height, slots } = self.frame();
        for slot in 0..slots {
            planes.extend(PER_SLOT.map(|what| format!("slot {slot} {what}")));
            planes.extend(Kind::ALL.map(|kind| format!("slot {slot} is {}", kind.name())));
        }
        Layout { version: 2, planes, height, width, action_planes: ACTS * slots, loose_actions: 1 }
    }

    fn observe(&self, view: &State, seat: Seat, _past: &(), out: &mut [f32]) {
        out.fill(0.0);
        let team = Team::of(seat);
        let Some(grid) = self.grid(view, team) else { return };
        let cells = grid.frame.cells();
        for at in 0..cells {
            let terrain = grid.real(at).map_or(Terrain::Wall, |place| view.field.terrain_at(place));
            out[(GROUND + terrain as usize) * cells + at] = 1.0;
            out[(CLOCK - 1) * cells + at] = terrain.stars() as f32 / 4.0;
        }

        let left = view.limit() - view.turn();
        let (own, other) = (view.hp(team) as f32, view.hp(team.other()) as f32);
        let most = (grid.frame.slots as u32 * MOST_HP) as f32;
        let lead = own - other;
        let clear = CLEAR * (view.threshold() + u32::from(!view.rules().reaching_wins)).max(1) as f32;
        let whole: [f32; CLOCKS.len()] = [
            flag(view.actor() == Actor::Seat(seat)),
            left as f32 / view.limit() as f32,
            1.0 / (1 + left) as f32,
            flag((view.mover() == team) == (left % 2 == 1)),
            own / most,
            other / most,
            lead / most,
            lead.clamp(-clear, clear) / clear,
        ];
        for (plane, value) in out.chunks_exact_mut(cells).skip(CLOCK).zip(whole) {
            plane.fill(value);
        }

        for (side, team) in [team, team.other()].into_iter().enumerate() {
            for id in ids(view.alive[team as usize]) {
                let unit = view.slots[id];
                let at = grid.seen(view.field.place(unit.cell()));
                out[(UNITS + side * KINDS + unit.kind() as usize) * cells + at] = hp(unit.hp());
                out[(ACTED + side) * cells + at] = flag(view.acted >> id & 1 == 1);
            }
        }
        at_width!(view.field, W => write_ways::<W>(view, team, grid, out));
    }

    fn action_index(&self, view: &State, seat: Seat, act: Action) -> Option<usize> {
        let team = Team::of(seat);
        let grid = self.grid(view, team)?;
        let cells = grid.frame.cells();
        let Some(id) = act.unit() else { return Some(ACTS * grid.frame.slots * cells) };
        let unit = view.unit(id).filter(|unit| unit.team == team)?;
        let first = ACTS * slot(view, team, usize::from(id));
        view.field.cell(act.to())?;
        let Some(target) = act.target() else { return Some(first * cells + grid.seen(act.to())) };
        let place = view.unit(target)?.place;
        let plane = match unit.kind.is_direct() {
            true => 1 + grid.side((0..4).find(|&side| beside(place, side) == Some(act.to()))?),
            false => FIRE,
        };
        Some((first + plane) * cells + grid.seen(place))
    }

    fn indexed_action(&self, view: &State, seat: Seat, index: usize) -> Option<Action> {
        let team = Team::of(seat);
        let grid = self.grid(view, team)?;
        let cells = grid.frame.cells();
        let (slot, act) = (index / cells / ACTS, index / cells % ACTS);
        if slot == grid.frame.slots {
            return (index == ACTS * slot * cells).then_some(Action::END);
        }
        let place = grid.real(index % cells)?;
        let unit = view.unit(ids(view.alive[team as usize]).nth(slot)? as u8)?;
        if act == GO {
            return Some(Action::go(unit.id, place));
        }
        let target = view.unit_at(place).filter(|target| target.team != team)?.id;
        match (unit.kind.is_direct(), act) {
            (true, FIRE) => None,
            (true, _) => {
                let stand = beside(place, grid.side(act - 1))?;
                view.field.cell(stand).map(|_| Action::attack(unit.id, stand, target))
            }
            (false, _) => (act == FIRE).then(|| Action::attack(unit.id, unit.place, target)),
        }
    }

    /// Those mirrors and turns of the board that leave its terrain as it is. Units keep their slots.
    fn symmetries(&self) -> Vec<Symmetry> {
        let layout = self.layout();
        // Of maps that change from game to game nothing is known.
        let Some(grid) = self.grid(&self.start, Team::Red).filter(|_| !self.random) else {
            return Vec::new();
        };
        let cells = grid.frame.cells();
        let terrain = |cell: usize| grid.real(cell).map_or(Terrain::Wall, |place| self.start.terrain(place));
        let fits = |mirror: &&Mirror| {
            (!mirror.transposed || grid.board.0 == grid.board.1)
                && (0..cells).all(|cell| terrain(mirror.cell(grid, cell)) == terrain(cell))
        };
        let symmetry = |mirror: &Mirror| {
            let observation =
                (0..layout.observation_len()).map(|i| i / cells * cells + mirror.cell(grid, i % cells));
            let acts = (0..layout.action_planes * cells).map(|i| {
                let (plane, cell) = (i / cells, i % cells);
                let act = match plane % ACTS {
                    act @ (GO | FIRE) => act,
                    act => 1 + mirror.side(act - 1),
                };
                ((plane / ACTS * ACTS) + act) * cells + mirror.cell(grid, cell)
            });
            Symmetry {
                observation: observation.map(|i| i as u32).collect(),
                actions: acts.chain([layout.actions() - 1]).map(|i| i as u32).collect(),
            }
        };
        Mirror::ALL.iter().filter(fits).map(symmetry).collect()
    }
}
