//! Views and actions as arrays over the cells inside the ring of walls; Blue sees the board turned by half a turn.
//!
//! Their shape is that of the map that the rules name. Each unit of a side has a slot, its rank by id among those of its
//! side on that map, which it keeps until the game is over. A position of a board with another size has no place in these
//! arrays: it is observed as zeros, and its actions have no number.

use crate::action::Act;
use crate::cells::Cells;
use crate::field::{Place, at_width};
use crate::kinds::{Kind, Team, Terrain};
use crate::rules::Tubstap;
use crate::setup::MOST_HP;
use crate::sight::Sight;
use crate::state::{State, ids};
use ranka_core::{Actor, Encoding, Layout, Position, Seat, Symmetry};

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
const PER_SLOT: [&str; 4] = ["stands", "can go", "can take", "would lose"];

/// Planes of actions of a slot: the cell where it goes without attack; the cell that it attacks, a plane for each side
/// of it on which it then stands; and the cell at which it fires from afar.
const ACTS: usize = 6;
const GO: usize = 0;
const FIRE: usize = 5;

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

/// The cells of the arrays, as a seat sees them.
#[derive(Clone, Copy)]
struct Grid {
    width: usize,
    height: usize,
    turned: bool,
}

impl Grid {
    fn cells(self) -> usize {
        self.width * self.height
    }

    fn seen(self, place: Place) -> usize {
        let cell = (usize::from(place.y) - 1) * self.width + usize::from(place.x) - 1;
        if self.turned { self.cells() - 1 - cell } else { cell }
    }

    fn real(self, cell: usize) -> Place {
        let cell = if self.turned { self.cells() - 1 - cell } else { cell };
        Place::new((cell % self.width + 1) as u8, (cell / self.width + 1) as u8)
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
    /// Slots of a side: as many as the larger one has units on the map.
    fn slots(&self) -> usize {
        self.start.alive.map(u32::count_ones).into_iter().max().unwrap_or(0) as usize
    }

    /// The slot of a unit; nothing for one that is not of this side of the map.
    fn slot(&self, team: Team, id: usize) -> Option<usize> {
        let side = self.start.alive[team as usize];
        (side >> id & 1 == 1).then(|| (side & ((1 << id) - 1)).count_ones() as usize)
    }

    /// The unit in a slot of a side.
    fn in_slot(&self, team: Team, slot: usize) -> Option<usize> {
        ids(self.start.alive[team as usize]).nth(slot)
    }

    fn grid(&self, team: Team) -> Grid {
        let (width, height) = self.start.size();
        Grid { width: usize::from(width) - 2, height: usize::from(height) - 2, turned: team == Team::Blue }
    }

    /// What depends on where units can go.
    fn write_ways<const W: usize>(&self, view: &State, team: Team, grid: Grid, out: &mut [f32]) {
        let cells = grid.cells();
        let at = |cell: usize| grid.seen(view.field.place(cell));
        for (side, team) in [team, team.other()].into_iter().enumerate() {
            let sight = Sight::<W>::new(view, team);
            let ground = view.field.ground::<W>();
            for id in ids(view.alive[team as usize]) {
                let unit = view.slots[id];
                let stops = sight.stops(id);
                let threat = (THREATS + side * KINDS + unit.kind() as usize) * cells;
                let struck =
                    if unit.kind().is_direct() { ground.around(stops) } else { ground.cannon(unit.cell()) };
                struck
                    .iter()
                    .take_while(|&cell| cell < cells)
                    .for_each(|cell| out[threat + at(cell)] += hp(unit.hp()));
                let slot = if side == 0 { self.slot(team, id) } else { None };
                if let Some(slot) = slot {
                    let first = (SLOTS + slot * PER_SLOT.len()) * cells;
                    out[first + at(unit.cell())] = 1.0;
                    if view.acted >> id & 1 == 0 {
                        stops.iter().for_each(|cell| out[first + cells + at(cell)] = 1.0);
                        write_fights(view, &sight, id, stops, &mut out[first + 2 * cells..], &at);
                    }
                }
            }
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
    at: &impl Fn(usize) -> usize,
) {
    let cells = view.field.cells();
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
        let (x, y) = (cell % grid.width, cell / grid.width);
        let (x, y) = if self.transposed { (y, x) } else { (x, y) };
        let x = if self.columns { grid.width - 1 - x } else { x };
        let y = if self.rows { grid.height - 1 - y } else { y };
        y * grid.width + x
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
        for slot in 0..self.slots() {
            planes.extend(PER_SLOT.map(|what| format!("slot {slot} {what}")));
        }
        let Grid { width, height, .. } = self.grid(Team::Red);
        Layout { version: 1, planes, height, width, action_planes: ACTS * self.slots(), loose_actions: 1 }
    }

    fn observe(&self, view: &State, seat: Seat, _past: &(), out: &mut [f32]) {
        out.fill(0.0);
        if view.size() != self.start.size() {
            return;
        }
        let team = Team::of(seat);
        let grid = self.grid(team);
        let cells = grid.cells();
        for cell in 0..cells {
            let place = view.field.place(cell);
            let at = grid.seen(place);
            out[(GROUND + view.field.terrain_at(place) as usize) * cells + at] = 1.0;
            out[(CLOCK - 1) * cells + at] = view.field.stars(cell) as f32 / 4.0;
        }

        let left = view.limit() - view.turn();
        let (own, other) = (view.hp(team) as f32, view.hp(team.other()) as f32);
        let most = (self.slots() as u32 * MOST_HP) as f32;
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
        at_width!(view.field, W => self.write_ways::<W>(view, team, grid, out));
    }

    fn action_index(&self, view: &State, seat: Seat, act: Act) -> Option<usize> {
        if view.size() != self.start.size() {
            return None;
        }
        let team = Team::of(seat);
        let grid = self.grid(team);
        let cells = grid.cells();
        let Some(id) = act.unit() else { return Some(ACTS * self.slots() * cells) };
        let first = ACTS * self.slot(team, usize::from(id))?;
        view.field.cell(act.to())?;
        let Some(target) = act.target() else { return Some(first * cells + grid.seen(act.to())) };
        let place = view.unit(target)?.place;
        let plane = match view.unit(id)?.kind.is_direct() {
            true => 1 + grid.side((0..4).find(|&side| beside(place, side) == Some(act.to()))?),
            false => FIRE,
        };
        Some((first + plane) * cells + grid.seen(place))
    }

    fn indexed_action(&self, view: &State, seat: Seat, index: usize) -> Option<Act> {
        if view.size() != self.start.size() {
            return None;
        }
        let team = Team::of(seat);
        let grid = self.grid(team);
        let (plane, place) = (index / grid.cells(), grid.real(index % grid.cells()));
        let (slot, act) = (plane / ACTS, plane % ACTS);
        if slot == self.slots() {
            return (index == ACTS * slot * grid.cells()).then_some(Act::END);
        }
        let unit = view.unit(self.in_slot(team, slot)? as u8)?;
        if act == GO {
            return Some(Act::go(unit.id, place));
        }
        let target = view.unit_at(place).filter(|target| target.team != team)?.id;
        match (unit.kind.is_direct(), act) {
            (true, FIRE) => None,
            (true, _) => {
                let stand = beside(place, grid.side(act - 1))?;
                view.field.cell(stand).map(|_| Act::attack(unit.id, stand, target))
            }
            (false, _) => (act == FIRE).then(|| Act::attack(unit.id, unit.place, target)),
        }
    }

    /// Those mirrors and turns of the board that leave its terrain as it is. Units keep their slots.
    fn symmetries(&self) -> Vec<Symmetry> {
        let layout = self.layout();
        let grid = self.grid(Team::Red);
        let cells = grid.cells();
        let terrain = |cell: usize| self.start.terrain(grid.real(cell));
        let fits = |mirror: &&Mirror| {
            (!mirror.transposed || grid.width == grid.height)
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
