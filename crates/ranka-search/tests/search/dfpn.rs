//! df-pn finds what trying everything finds.

use crate::toys::{Maze, Sow};
use ranka_core::{Position, Rng, Seat, Seed};
use ranka_search::{DfPn, Goal, Limits, Stop};
use std::sync::atomic::AtomicBool;

/// Winning the game; some positions are known without search.
#[derive(Clone, Copy)]
struct Winning;

impl Goal<Maze> for Winning {
    fn decided(&self, position: &Maze, attacker: Seat) -> Option<bool> {
        let over = position.actor().is_over();
        (over || position.number(20, 6) == 0).then(|| position.worth(attacker) > 3)
    }
}

impl Goal<Sow> for Winning {
    fn decided(&self, position: &Sow, attacker: Seat) -> Option<bool> {
        position.actor().is_over().then(|| position.margin(attacker) > 0)
    }
}

fn after<P: Position>(position: &P, action: P::Action) -> P {
    let mut next = position.clone();
    next.apply(action);
    next
}

/// Whether the attacker can force it within `left` actions, by trying everything.
fn forced<P: Position, G: Goal<P>>(goal: &G, position: &P, attacker: Seat, left: u32) -> bool {
    if let Some(decided) = goal.decided(position, attacker) {
        return decided;
    }
    if left == 0 {
        return false;
    }
    let attacks = position.actor().seat() == Some(attacker);
    let mut actions = Vec::new();
    position.actions(&mut actions);
    let mut next = actions.iter().map(|&action| forced(goal, &after(position, action), attacker, left - 1));
    if attacks { next.any(|won| won) } else { next.all(|won| won) }
}

/// The same for one action of the attacker at the root.
fn forces<P: Position, G: Goal<P>>(goal: &G, root: &P, action: P::Action, depth: u32) -> bool {
    let attacker = root.actor().seat().unwrap();
    forced(goal, &after(root, action), attacker, depth - 1)
}

/// Checks a root, and tells at which depth its win was found.
fn agrees<P: ranka_core::Keyed, G: Goal<P> + Copy>(goal: G, root: &P, deepest: u32) -> Option<u32> {
    let mut actions = Vec::new();
    root.actions(&mut actions);
    let wins = |depth| actions.iter().any(|&action| forces(&goal, root, action, depth));
    let soonest = (1..=deepest).find(|&depth| wins(depth));
    for entries in [0, 7, 1 << 20] {
        let found = DfPn::new(goal, entries).solve(root, 1..=deepest, Limits::NONE);
        assert_eq!(found.stopped, None);
        assert_eq!(found.win.map(|(_, depth)| depth), soonest, "with {entries} entries");
        if let Some((action, depth)) = found.win {
            assert!(forces(&goal, root, action, depth), "{action:?} forces nothing in {depth}");
        }
        let at_once = DfPn::new(goal, entries).solve(root, deepest..=deepest, Limits::NONE);
        assert_eq!(at_once.win.is_some(), wins(deepest));
        assert!(at_once.win.is_none_or(|(action, depth)| forces(&goal, root, action, depth)));
    }
    soonest
}

#[test]
fn mazes_with_many_ways_and_cycles_are_solved_exactly() {
    let mut found = [0; 8];
    for salt in 0..400 {
        for (width, layers) in [(6, 7), (100, 7), (20, 0), (5, 0)] {
            let depth = agrees(Winning, &Maze::new(salt, width, layers), 6);
            found[depth.unwrap_or(0) as usize] += 1;
        }
    }
    assert!(
        found[..7].iter().all(|&count| count > 3),
        "the mazes should have wins of every length: {found:?}"
    );
}

#[test]
fn sowing_with_extra_moves_is_solved_exactly() {
    let mut rng = Rng::new(Seed::new(2));
    let mut found = 0;
    for _ in 0..60 {
        let root = Sow::random(&mut rng);
        if !root.actor().is_over() {
            found += u32::from(agrees(Winning, &root, 8).is_some());
        }
    }
    assert!(found > 3);
}

#[test]
fn limits_stop_it_without_an_answer() {
    let solve = |root: &Maze, limits| DfPn::new(Winning, 1 << 20).solve(root, 30..=30, limits);
    let takes_a_while = |root: &Maze| solve(root, Limits::NONE).nodes > 40;
    let root = (0..).map(|salt| Maze::new(salt, 1 << 40, 40)).find(takes_a_while).unwrap();
    let whole = solve(&root, Limits::NONE).nodes;
    for budget in [1, 20, whole - 1] {
        let found = solve(&root, Limits::count(budget));
        assert_eq!((found.win, found.nodes, found.stopped), (None, budget, Some(Stop::Count)));
    }
    assert_eq!(solve(&root, Limits::count(whole)).stopped, None);
    let cancel = AtomicBool::new(true);
    let limits = Limits { cancel: &cancel, ..Limits::NONE };
    let found = DfPn::new(Winning, 1 << 20).solve(&root, 1..=30, limits);
    assert_eq!((found.win, found.stopped), (None, Some(Stop::Cancelled)));
}
