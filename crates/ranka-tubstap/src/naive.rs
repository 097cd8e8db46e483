//! The rules and the random battles once more, as plainly as they can be written: the yardstick. Where units can go is
//! found by looking for the cheapest way cell by cell, and so is what they can attack from there.

use crate::action::Action;
use crate::field::Place;
use crate::playout::Tactics;
use crate::rules::Rules;
use crate::setup::Unit;
use crate::state::{State, ids};
use ranka_core::{Position, Rng};
use std::collections::BTreeMap;

/// The cheapest cost of every cell that a unit can pass.
fn costs(state: &State, unit: &Unit) -> BTreeMap<Place, u32> {
    let mut costs = BTreeMap::from([(unit.place, 0)]);
    let mut open = vec![unit.place];
    while let Some(from) = open.pop() {
        let neighbours = [(1, 0), (0, -1), (-1, 0), (0, 1)];
        for (dx, dy) in neighbours {
            let to = Place::new(from.x.wrapping_add_signed(dx), from.y.wrapping_add_signed(dy));
            let Some(step) = state.terrain(to).cost(unit.kind.movement_type()) else { continue };
            let cost = costs[&from] + step;
            let barred = state.unit_at(to).is_some_and(|other| other.team != unit.team);
            if !barred && cost <= unit.kind.points() && costs.get(&to).is_none_or(|&known| cost < known) {
                costs.insert(to, cost);
                open.push(to);
            }
        }
    }
    costs
}

/// All actions of the side to move, in canonical order.
pub fn actions(state: &State) -> Vec<Action> {
    let own: Vec<Unit> = state.units().filter(|unit| unit.team == state.mover() && !unit.acted).collect();
    let (mut attacks, mut moves) = (Vec::new(), Vec::new());
    for unit in own {
        let mut stops: Vec<Place> = costs(state, &unit).into_keys().collect();
        stops.retain(|&place| place == unit.place || state.unit_at(place).is_none());
        for enemy in state.units().filter(|other| other.team != unit.team) {
            if unit.kind.is_direct() {
                for (dx, dy) in [(1, 0), (0, -1), (-1, 0), (0, 1)] {
                    let Place { x, y } = enemy.place;
                    let stand = Place::new(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                    if stops.contains(&stand) {
                        attacks.push(Action::attack(unit.id, stand, enemy.id));
                    }
                }
            } else if (2..=3).contains(&unit.place.distance(enemy.place)) {
                attacks.push(Action::attack(unit.id, unit.place, enemy.id));
            }
        }
        stops.sort_by_key(|place| (place.x, place.y));
        moves.extend(stops.into_iter().map(|place| Action::go(unit.id, place)));
    }
    attacks.extend(moves);
    attacks
}

/// The same policies, drawn from lists of actions: the yardstick.
pub struct Plain;

impl Plain {
    /// As [`State::battle`].
    pub fn battle(state: &mut State, tactics: Tactics, until: u32, rng: &mut Rng) -> u32 {
        let mut acts = 0;
        while !state.actor().is_over() && state.turn() < until {
            let act = Plain::draw(state, tactics, rng);
            state.apply(act);
            acts += 1;
        }
        acts
    }

    fn draw(state: &State, tactics: Tactics, rng: &mut Rng) -> Action {
        let ready: Vec<u8> = ids(state.ready()).map(|unit| unit as u8).collect();
        let mut attacks = Vec::new();
        let mut all_attacks = state.clone();
        if state.rules().effective_only && tactics != Tactics::Uniform {
            all_attacks = state.with_rules(Rules { effective_only: false, ..state.rules() });
        }
        ready.iter().for_each(|&unit| all_attacks.attacks_of(unit, &mut attacks));
        let attack = match tactics {
            Tactics::Aggressive(p) => rng.chance(p),
            Tactics::AttackFirst => true,
            Tactics::Uniform => {
                ready.iter().for_each(|&unit| state.moves_of(unit, &mut attacks));
                true
            }
        };
        if attack && !attacks.is_empty() {
            return rng.pick(&attacks);
        }
        let unit = rng.pick(&ready);
        let mut acts = Vec::new();
        state.moves_of(unit, &mut acts);
        if matches!(tactics, Tactics::Aggressive(_)) {
            let own = attacks.iter().filter(|act| act.unit() == Some(unit));
            acts.extend(own.filter(|&&act| state.preview(act).is_some_and(|(damage, _)| damage > 0)));
        }
        rng.pick(&acts)
    }
}
