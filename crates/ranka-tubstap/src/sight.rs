//! What units can do: where they can go, and whom they can attack.

use crate::action::Action;
use crate::cells::Cells;
use crate::field::{Ground, at_width};
use crate::kinds::Team;
use crate::state::{State, ids};

/// A position seen by one side, as sets of cells.
pub(crate) struct Sight<'a, const W: usize> {
    pub(crate) state: &'a State,
    ground: Ground<'a, W>,
    pub(crate) enemies: u32,
    own_cells: Cells<W>,
    enemy_cells: Cells<W>,
}

impl<'a, const W: usize> Sight<'a, W> {
    pub(crate) fn new(state: &'a State, team: Team) -> Sight<'a, W> {
        let enemies = state.alive[team.other() as usize];
        let cells = |set: u32| {
            let mut cells = Cells::NONE;
            ids(set).for_each(|id| cells.insert(state.slots[id].cell()));
            cells
        };
        Sight {
            state,
            ground: state.field.ground(),
            enemies,
            own_cells: cells(state.alive[team as usize]),
            enemy_cells: cells(enemies),
        }
    }

    /// The cells on which a unit can end, its own included.
    pub(crate) fn stops(&self, unit: usize) -> Cells<W> {
        let slot = self.state.slots[unit];
        let kind = slot.kind();
        let reached = self.ground.reach(slot.cell(), kind.movement_type(), kind.points(), self.enemy_cells);
        reached.without(self.own_cells).or(Cells::only(slot.cell()))
    }

    /// The cells that a unit can attack now, whoever stands there.
    #[inline]
    pub(crate) fn field_of_fire(&self, unit: usize) -> Cells<W> {
        let slot = self.state.slots[unit];
        if slot.kind().is_direct() {
            self.ground.around(self.stops(unit))
        } else {
            self.ground.cannon(slot.cell())
        }
    }

    /// The cells from which a unit that can end on `stops` can attack `enemy`, in the order right, above, left
    /// and below of it.
    pub(crate) fn stands(&self, unit: usize, stops: Cells<W>, enemy: usize) -> impl Iterator<Item = usize> {
        let (slot, target) = (self.state.slots[unit], Cells::only(self.state.slots[enemy].cell()));
        let ground = self.ground;
        let sides = if slot.kind().is_direct() {
            let sides =
                [ground.right(target), ground.above(target), ground.left(target), ground.below(target)];
            sides.map(|side| side.and(stops))
        } else {
            let within = !ground.cannon(slot.cell()).and(target).is_empty();
            let here = if within { Cells::only(slot.cell()) } else { Cells::NONE };
            [here, Cells::NONE, Cells::NONE, Cells::NONE]
        };
        sides.into_iter().flat_map(Cells::iter)
    }

    /// Appends a unit's attacks in canonical order.
    fn attacks(&self, unit: usize, stops: Cells<W>, out: &mut Vec<Action>) {
        let effective_only = self.state.field.rules.effective_only;
        if self.state.slots[unit].kind().is_direct()
            && self.ground.around(stops).and(self.enemy_cells).is_empty()
        {
            return;
        }
        for enemy in ids(self.enemies) {
            if effective_only && self.state.damage(unit, enemy) == 0 {
                continue;
            }
            let place = |cell| self.state.field.place(cell);
            let stands = self.stands(unit, stops, enemy);
            out.extend(stands.map(|cell| Action::attack(unit as u8, place(cell), enemy as u8)));
        }
    }

    /// Appends a unit's moves without attack in canonical order.
    fn moves(&self, unit: usize, stops: Cells<W>, out: &mut Vec<Action>) {
        out.extend(stops.iter().map(|cell| Action::go(unit as u8, self.state.field.place(cell))));
    }

    /// The first cell from which a unit can attack an enemy.
    fn first_stand(&self, unit: usize, enemy: usize) -> Option<usize> {
        self.stands(unit, self.stops(unit), enemy).next()
    }
}

/// Questions that do not ask whose turn it is, nor who has acted.
impl State {
    /// Appends the attacks of a unit that lives, in canonical order.
    pub fn attacks_of(&self, unit: u8, out: &mut Vec<Action>) {
        let unit = usize::from(unit);
        at_width!(self.field, W => {
            let sight = Sight::<W>::new(self, self.team(unit));
            sight.attacks(unit, sight.stops(unit), out);
        });
    }

    /// Appends the moves without attack of a unit that lives, staying included, in canonical order.
    pub fn moves_of(&self, unit: u8, out: &mut Vec<Action>) {
        let unit = usize::from(unit);
        at_width!(self.field, W => {
            let sight = Sight::<W>::new(self, self.team(unit));
            sight.moves(unit, sight.stops(unit), out);
        });
    }

    /// Appends all attacks, then all moves, of the units of `team` in the set.
    pub(crate) fn acts_of(&self, team: Team, units: u32, out: &mut Vec<Action>) {
        at_width!(self.field, W => {
            let sight = Sight::<W>::new(self, team);
            let mut stops = [Cells::NONE; crate::MOST_UNITS];
            for unit in ids(units) {
                stops[unit] = sight.stops(unit);
                sight.attacks(unit, stops[unit], out);
            }
            ids(units).for_each(|unit| sight.moves(unit, stops[unit], out));
        });
    }

    /// Whether a unit that lives can go to a cell and, if asked, attack an enemy from there.
    pub(crate) fn can(&self, unit: usize, cell: usize, target: Option<usize>) -> bool {
        at_width!(self.field, W => {
            let sight = Sight::<W>::new(self, self.team(unit));
            let stops = sight.stops(unit);
            stops.has(cell) && target.is_none_or(|enemy| sight.stands(unit, stops, enemy).any(|stand| stand == cell))
        })
    }

    /// The cell from which a unit would attack an enemy, the first in canonical order.
    pub(crate) fn stand_against(&self, unit: usize, enemy: usize) -> Option<usize> {
        at_width!(self.field, W => Sight::<W>::new(self, self.team(unit)).first_stand(unit, enemy))
    }

    /// The enemies whom a unit could attack now.
    pub(crate) fn targets(&self, unit: usize) -> u32 {
        at_width!(self.field, W => {
            let sight = Sight::<W>::new(self, self.team(unit));
            let stops = sight.stops(unit);
            ids(sight.enemies)
                .filter(|&enemy| sight.stands(unit, stops, enemy).next().is_some())
                .fold(0, |set, enemy| set | 1 << enemy)
        })
    }
}
