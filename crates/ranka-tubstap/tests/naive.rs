//! The rules once more, as plainly as they can be written, against the sets of bits: where units can go by
//! looking for the cheapest way cell by cell, and what they can attack from there.

#![allow(clippy::unwrap_used)]

use ranka_core::{Position, Rng, Seed, perft};
use ranka_tubstap::generate::{Plan, Symmetry, read_army};
use ranka_tubstap::{Act, Place, Rules, State, Unit, maps};
use std::collections::BTreeMap;

/// The cheapest cost of every cell that a unit can pass.
fn costs(state: &State, unit: &Unit) -> BTreeMap<Place, u32> {
    let mut costs = BTreeMap::from([(unit.place, 0)]);
    let mut open = vec![unit.place];
    while let Some(from) = open.pop() {
        let neighbours = [(1, 0), (0, -1), (-1, 0), (0, 1)];
        for (dx, dy) in neighbours {
            let to = Place::new(from.x.wrapping_add_signed(dx), from.y.wrapping_add_signed(dy));
            let Some(step) = state.terrain(to).cost(unit.kind.gait()) else { continue };
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

/// All actions in canonical order.
fn actions(state: &State) -> Vec<Act> {
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
                        attacks.push(Act::attack(unit.id, stand, enemy.id));
                    }
                }
            } else if (2..=3).contains(&unit.place.distance(enemy.place)) {
                attacks.push(Act::attack(unit.id, unit.place, enemy.id));
            }
        }
        stops.sort_by_key(|place| (place.x, place.y));
        moves.extend(stops.into_iter().map(|place| Act::go(unit.id, place)));
    }
    attacks.extend(moves);
    attacks
}

/// Sequences of so many actions.
fn count(state: &State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let after = |act| {
        let mut next = state.clone();
        next.apply(act);
        next
    };
    let over = state.actor().is_over();
    actions(state).into_iter().filter(|_| !over).map(|act| count(&after(act), depth - 1)).sum()
}

#[test]
fn sequences_on_our_maps() {
    for name in maps::names() {
        let start = maps::find(name).unwrap().state(Rules::default()).unwrap();
        assert_eq!(count(&start, 2), perft(&start, 2), "{name}");
    }
}

/// Plays at random and compares the lists at every position.
fn compare(mut state: State, rng: &mut Rng) -> u32 {
    let mut compared = 0;
    while !state.actor().is_over() {
        let mut list = Vec::new();
        state.actions(&mut list);
        assert_eq!(list, actions(&state), "in {state:?}");
        state.apply(rng.pick(&list));
        compared += 1;
    }
    compared
}

#[test]
fn actions_are_those_of_the_plain_rules() {
    let mut rng = Rng::new(Seed::new(5));
    let mut compared = 0;
    for name in maps::names() {
        let start = maps::find(name).unwrap().state(Rules::default()).unwrap();
        compared += (0..3).map(|_| compare(start.clone(), &mut rng)).sum::<u32>();
    }
    // Boards of one word and of many, odd shapes, walls inside, and the sea.
    for (seed, size) in
        [(8, 8), (10, 10), (11, 10), (5, 30), (30, 5), (13, 13), (22, 20)].into_iter().enumerate()
    {
        let army = read_army("F A P U R I I").unwrap();
        let plan = Plan {
            size,
            armies: [army.clone(), army],
            mix: [5, 50, 10, 15, 10, 10, 5],
            symmetry: Symmetry::None,
            limit: 12,
            seed: Seed::new(seed as u64),
            ..Plan::default()
        };
        compared += compare(plan.map().unwrap().state(Rules::default()).unwrap(), &mut rng);
    }
    assert!(compared > 1000, "{compared}");
}
