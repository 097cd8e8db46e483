//! The sets of bits against the plain rules, position by position.

use ranka_core::{Position, Rng, Seed, perft};
use ranka_tubstap::generate::{MapSymmetry, Plan, read_army};
use ranka_tubstap::naive::actions;
use ranka_tubstap::{Rules, State, maps};

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
            symmetry: MapSymmetry::None,
            limit: 12,
            seed: Seed::new(seed as u64),
            ..Plan::default()
        };
        compared += compare(plan.map().unwrap().state(Rules::default()).unwrap(), &mut rng);
    }
    assert!(compared > 1000, "{compared}");
}
