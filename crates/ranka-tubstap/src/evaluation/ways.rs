//! How far it is over a field, nobody standing in the way: found once a game.

use crate::field::Field;
use crate::kinds::{Kind, MovementType};
use crate::state::State;

/// No way.
const NEVER: u8 = u8::MAX;

/// The points that each kind of movement costs until something can be attacked.
#[derive(Default)]
pub struct Ways {
    cells: usize,
    /// By movement type, then cannons: from where, to whom.
    tables: [Vec<u8>; 4],
}

impl Ways {
    /// The ways over a position's field.
    pub fn of(state: &State) -> Ways {
        let field = &state.field;
        let cells = field.cells();
        let distance = |a: usize, b: usize| field.place(a).distance(field.place(b));
        let around: Vec<Vec<usize>> =
            (0..cells).map(|a| (0..cells).filter(|&b| distance(a, b) == 1).collect()).collect();
        let afar: Vec<Vec<usize>> =
            (0..cells).map(|a| (0..cells).filter(|&b| (2..=3).contains(&distance(a, b))).collect()).collect();
        let mut tables = std::array::from_fn(|_| vec![NEVER; cells * cells]);
        for from in 0..cells {
            for movement_type in MovementType::ALL {
                let costs = costs_from(field, &around, from, movement_type);
                let mut fill = |table: usize, stands: &[Vec<usize>]| {
                    for (to, stands) in stands.iter().enumerate() {
                        tables[table][from * cells + to] =
                            stands.iter().map(|&stand| costs[stand]).min().unwrap_or(NEVER);
                    }
                };
                fill(movement_type as usize, &around);
                if movement_type == Kind::Cannon.movement_type() {
                    fill(3, &afar);
                }
            }
        }
        Ways { cells, tables }
    }

    /// The points that a unit of this kind on `from` needs until it can attack what stands on `to`.
    #[inline]
    pub(super) fn points(&self, kind: Kind, from: usize, to: usize) -> u32 {
        let table = if kind.is_direct() { kind.movement_type() as usize } else { 3 };
        u32::from(self.tables[table][from * self.cells + to])
    }
}

/// What it costs to get from a cell to every other.
fn costs_from(field: &Field, around: &[Vec<usize>], from: usize, movement_type: MovementType) -> Vec<u8> {
    let mut costs = vec![NEVER; around.len()];
    costs[from] = 0;
    // Cells by their cost: no step costs more than two points.
    let mut rings = vec![vec![from]];
    let mut cost = 0;
    while cost < rings.len() && cost < usize::from(NEVER) - 2 {
        for cell in std::mem::take(&mut rings[cost]) {
            if usize::from(costs[cell]) != cost {
                continue;
            }
            for &next in &around[cell] {
                let Some(step) = field.terrain_at(field.place(next)).cost(movement_type) else { continue };
                let there = cost + step as usize;
                if there < usize::from(costs[next]) {
                    costs[next] = there as u8;
                    rings.resize(rings.len().max(there + 1), Vec::new());
                    rings[there].push(next);
                }
            }
        }
        cost += 1;
    }
    costs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use crate::generate;
    use ranka_core::{Rng, Seed};

    /// Costs by going through all steps again and again until nothing is cheaper any more.
    fn plainly(state: &State, from: usize, movement_type: MovementType) -> Vec<u32> {
        let field = &state.field;
        let mut costs = vec![u32::from(NEVER); field.cells()];
        costs[from] = 0;
        loop {
            let mut cheaper = false;
            for a in 0..field.cells() {
                for b in 0..field.cells() {
                    if field.place(a).distance(field.place(b)) != 1 {
                        continue;
                    }
                    if let Some(step) = field.terrain_at(field.place(b)).cost(movement_type)
                        && costs[a] + step < costs[b]
                    {
                        costs[b] = costs[a] + step;
                        cheaper = true;
                    }
                }
            }
            if !cheaper {
                return costs;
            }
        }
    }

    #[test]
    fn ways_are_the_cheapest() {
        for number in 0..6 {
            let state =
                generate::drawn(&mut Rng::new(Seed::new(3).at(number))).state(Rules::default()).unwrap();
            let ways = Ways::of(&state);
            for kind in Kind::ALL {
                for from in (0..state.field.cells()).step_by(5) {
                    let costs = plainly(&state, from, kind.movement_type());
                    for to in 0..state.field.cells() {
                        let far = if kind.is_direct() { 1..=1 } else { 2..=3 };
                        let place = |cell| state.field.place(cell);
                        let stands =
                            (0..costs.len()).filter(|&c| far.contains(&place(c).distance(place(to))));
                        let least = stands.map(|cell| costs[cell]).min().unwrap_or(u32::from(NEVER));
                        assert_eq!(ways.points(kind, from, to), least, "{kind:?} {from} {to}");
                    }
                }
            }
        }
    }
}
