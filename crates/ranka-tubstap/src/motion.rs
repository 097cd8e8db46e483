//! How a unit marches, and what a fight costs.

use crate::action::Action;
use crate::field::Place;
use crate::picture::{cell_id, loss, unit_id};
use crate::rules::Tubstap;
use crate::setup::Unit;
use crate::state::State;
use ranka_core::{Motion, Position, Step};
use std::collections::{BTreeMap, BTreeSet};

impl Motion for Tubstap {
    fn motion(&self, view: &State, act: Action) -> Vec<Step> {
        if !view.is_legal(act) {
            return Vec::new();
        }
        let Some(unit) = act.unit().and_then(|id| view.unit(id)) else { return Vec::new() };
        let own = unit_id(unit.id);
        let over: Vec<String> = march(view, &unit, act.to()).into_iter().map(cell_id).collect();
        let mut steps = Vec::new();
        if !over.is_empty() {
            steps.push(Step::Walk { piece: own.clone(), over });
        }
        let fight = act.target().and_then(|id| view.unit(id)).zip(view.preview(act));
        if let Some((target, (damage, counter))) = fight {
            let other = unit_id(target.id);
            for (at, hp, had) in [(other, damage, target.hp), (own, counter, unit.hp)] {
                steps.extend((hp > 0).then(|| Step::Tell { at: at.clone(), text: loss(hp) }));
                steps.extend((hp >= u32::from(had)).then_some(Step::Leave { piece: at }));
            }
        }
        steps
    }
}

/// The cheapest way to a place, without the place that the unit stands on.
fn march(state: &State, unit: &Unit, to: Place) -> Vec<Place> {
    let mut came: BTreeMap<Place, (u32, Place)> = BTreeMap::from([(unit.place, (0, unit.place))]);
    let mut open = BTreeSet::from([(0, unit.place)]);
    while let Some((cost, from)) = open.pop_first() {
        for (dx, dy) in [(1, 0), (0, -1), (-1, 0), (0, 1)] {
            let next = Place::new(from.x.wrapping_add_signed(dx), from.y.wrapping_add_signed(dy));
            let Some(step) = state.terrain(next).cost(unit.kind.movement_type()) else { continue };
            let barred = state.unit_at(next).is_some_and(|other| other.team != unit.team);
            if !barred && came.get(&next).is_none_or(|&(known, _)| cost + step < known) {
                came.insert(next, (cost + step, from));
                open.insert((cost + step, next));
            }
        }
    }
    let mut way = Vec::new();
    let mut at = to;
    while at != unit.place {
        way.push(at);
        let Some(&(_, before)) = came.get(&at) else { return vec![to] };
        at = before;
    }
    way.reverse();
    way
}
