//! Alpha-beta finds what plain minimax finds.

use crate::toys::{Maze, Sow, hash};
use ranka_core::{Actor, Keyed, Position, Rng, Scale, Seat, Seed};
use ranka_search::{AlphaBeta, DepthUnit, Evaluate, Found, Limits, Root, Stop, Transpositions};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Stores and ends, with an order of its own.
#[derive(Clone, Copy)]
struct Stores;

impl Evaluate<Sow> for Stores {
    fn leaf(&self, position: &Sow, seat: Seat) -> i32 {
        position.margin(seat)
    }
    fn terminal(&self, position: &Sow, seat: Seat, _ply: u32) -> i32 {
        5000 * position.margin(seat).signum()
    }
}

#[derive(Clone, Copy)]
struct Worth;

impl Evaluate<Maze> for Worth {
    fn leaf(&self, position: &Maze, seat: Seat) -> i32 {
        position.worth(seat)
    }
    fn terminal(&self, position: &Maze, seat: Seat, _ply: u32) -> i32 {
        10 * position.worth(seat)
    }
}

/// Sooner wins are better, and some positions are known without search.
#[derive(Clone, Copy)]
struct Sooner;

impl Evaluate<Maze> for Sooner {
    const COUNTS_PLIES: bool = true;
    fn leaf(&self, position: &Maze, seat: Seat) -> i32 {
        position.worth(seat)
    }
    fn terminal(&self, position: &Maze, seat: Seat, ply: u32) -> i32 {
        position.worth(seat).signum() * (1000 - ply as i32)
    }
    fn settled(&self, position: &Maze, seat: Seat, ply: u32) -> Option<i32> {
        if position.actor().is_over() {
            return Some(self.terminal(position, seat, ply));
        }
        (position.number(20, 6) == 0).then(|| position.worth(seat).signum() * (999 - ply as i32))
    }
}

/// Another evaluation, which looks at the actions in some strange order.
#[derive(Clone, Copy)]
struct Shuffled<E>(E);

impl<P: Position<Action = u8> + Keyed, E: Evaluate<P>> Evaluate<P> for Shuffled<E> {
    const COUNTS_PLIES: bool = E::COUNTS_PLIES;
    fn leaf(&self, position: &P, seat: Seat) -> i32 {
        self.0.leaf(position, seat)
    }
    fn terminal(&self, position: &P, seat: Seat, ply: u32) -> i32 {
        self.0.terminal(position, seat, ply)
    }
    fn settled(&self, position: &P, seat: Seat, ply: u32) -> Option<i32> {
        self.0.settled(position, seat, ply)
    }
    fn order(&self, position: &P, action: u8) -> i32 {
        (hash(&[position.key(), u64::from(action)]) % 3) as i32 - 1
    }
}

/// The value for `seat` of its action, by plain minimax.
fn minimax<P: Position, E: Evaluate<P>>(
    evaluate: &E,
    unit: DepthUnit,
    position: &P,
    action: P::Action,
    (depth, ply): (u32, u32),
) -> i32 {
    let seat = position.actor().seat().unwrap();
    let mut next = position.clone();
    next.apply(action);
    let same = next.actor() == Actor::Seat(seat);
    let depth = if same && unit == DepthUnit::Turn { depth } else { depth - 1 };
    if let Some(value) = evaluate.settled(&next, seat, ply + 1) {
        return value;
    }
    if depth == 0 {
        return evaluate.leaf(&next, seat);
    }
    let mut actions = Vec::new();
    next.actions(&mut actions);
    let values = actions.iter().map(|&a| minimax(evaluate, unit, &next, a, (depth, ply + 1)));
    let best = values.max().unwrap();
    if same { best } else { -best }
}

fn root_values<P: Position, E: Evaluate<P>>(
    evaluate: &E,
    unit: DepthUnit,
    root: &P,
    depth: u32,
) -> Vec<(P::Action, i32)> {
    let mut actions = Vec::new();
    root.actions(&mut actions);
    actions.into_iter().map(|action| (action, minimax(evaluate, unit, root, action, (depth, 0)))).collect()
}

/// Plays a line and tells what stands at its end: it must be legal, and end where minimax ends.
fn value_of_line<P: Position, E: Evaluate<P>>(
    evaluate: &E,
    unit: DepthUnit,
    root: &P,
    depth: u32,
    line: &[P::Action],
) -> i32 {
    let seat = root.actor().seat().unwrap();
    let (mut position, mut depth) = (root.clone(), depth);
    for (i, &action) in line.iter().enumerate() {
        assert!(position.is_legal(action), "{action:?} is not legal");
        let before = position.actor();
        position.apply(action);
        if unit == DepthUnit::Action || position.actor() != before {
            depth -= 1;
        }
        let settled = evaluate.settled(&position, seat, i as u32 + 1);
        if let Some(value) = settled.or_else(|| (depth == 0).then(|| evaluate.leaf(&position, seat))) {
            assert_eq!(i + 1, line.len(), "the line goes on after its end");
            return value;
        }
    }
    panic!("the line {line:?} stops before its end")
}

/// Everything that alpha-beta promises for this position, compared with minimax, with one and the same
/// searcher, so that what an earlier search left in the table is there too.
fn agrees<P: Keyed, E: Evaluate<P>>(search: &mut AlphaBeta<P, E>, unit: DepthUnit, root: &P, depth: u32) {
    let wanted: Vec<_> = (1..=depth).map(|d| root_values(search.evaluate(), unit, root, d)).collect();
    let mut reported = 0;
    let mut check = |found: &Found<P::Action>| {
        reported += 1;
        let got: Vec<_> = found.actions.iter().map(|scored| (scored.action, scored.value)).collect();
        assert_eq!(got, wanted[found.depth as usize - 1]);
    };
    let found = search.search(root, Root::Values, 1..=depth, Limits::NONE, &mut check).unwrap();
    assert_eq!((found.depth, found.stopped), (reported, None));
    assert!(found.solved || found.depth == depth);
    let deepest = &wanted[depth as usize - 1];
    for (scored, wanted) in found.actions.iter().zip(deepest) {
        assert_eq!(scored.value, wanted.1, "solved early, but not the value of the full depth");
        assert_eq!(scored.line[0], scored.action);
        let value = value_of_line(search.evaluate(), unit, root, found.depth, &scored.line);
        assert_eq!(value, scored.value, "{:?}", scored.line);
    }
    let highest = deepest.iter().map(|&(_, value)| value).max().unwrap();
    let first_best = deepest.iter().find(|&&(_, value)| value == highest).unwrap();
    for depths in [1..=depth, depth..=depth] {
        let best = search.search(root, Root::Best, depths, Limits::NONE, &mut |_| ()).unwrap();
        let scored = &best.actions[0];
        assert_eq!((best.actions.len(), (scored.action, scored.value)), (1, *first_best));
        assert_eq!(value_of_line(search.evaluate(), unit, root, best.depth, &scored.line), scored.value);
    }
    assert_eq!(found.best().action, first_best.0);
}

#[test]
fn sowing_with_extra_moves_is_searched_exactly() {
    let mut rng = Rng::new(Seed::new(1));
    for unit in [DepthUnit::Action, DepthUnit::Turn] {
        for entries in [1, 64, 1 << 14] {
            let mut plain = AlphaBeta::new(Stores, unit, Transpositions::with_entries(entries));
            let mut shuffled = AlphaBeta::new(Shuffled(Stores), unit, Transpositions::with_entries(entries));
            for _ in 0..60 {
                let root = Sow::random(&mut rng);
                if !root.actor().is_over() {
                    let depth = if unit == DepthUnit::Action { 7 } else { 3 };
                    agrees(&mut plain, unit, &root, depth);
                    agrees(&mut shuffled, unit, &root, depth);
                }
            }
        }
    }
}

#[test]
fn mazes_with_many_ways_to_a_position_are_searched_exactly() {
    for salt in 0..150 {
        for unit in [DepthUnit::Action, DepthUnit::Turn] {
            for (entries, width) in [(2, 6), (32, 12), (4096, 6), (4096, 100)] {
                let root = Maze::new(salt, width, 7);
                let table = || Transpositions::with_entries(entries);
                agrees(&mut AlphaBeta::new(Worth, unit, table()), unit, &root, 5);
                agrees(&mut AlphaBeta::new(Shuffled(Worth), unit, table()), unit, &root, 5);
                agrees(&mut AlphaBeta::new(Sooner, unit, table()), unit, &root, 5);
            }
        }
    }
}

/// Cycles bring a position back at another distance from the root, and a game walks through one table.
#[test]
fn cycles_and_a_whole_game_with_one_table_are_searched_exactly() {
    let unit = DepthUnit::Action;
    for salt in 0..60 {
        let mut worth = AlphaBeta::new(Worth, unit, Transpositions::with_entries(256));
        let mut sooner = AlphaBeta::new(Shuffled(Sooner), unit, Transpositions::with_entries(256));
        let mut position = Maze::new(salt, 20, 0);
        for step in 0..6 {
            if position.actor().is_over() {
                break;
            }
            agrees(&mut worth, unit, &position, 5);
            agrees(&mut sooner, unit, &position, 5);
            let mut actions = Vec::new();
            position.actions(&mut actions);
            position.apply(actions[step % actions.len()]);
        }
    }
}

#[test]
fn a_window_gives_the_value_or_a_bound_on_its_side() {
    let mut rng = Rng::new(Seed::new(5));
    for salt in 0..200 {
        let root = Maze::new(salt, 8, 8);
        let seat = root.actor().seat().unwrap();
        let mut search = AlphaBeta::new(Worth, DepthUnit::Action, Transpositions::with_entries(64));
        let exact = root_values(&Worth, DepthUnit::Action, &root, 5).iter().map(|v| v.1).max().unwrap();
        for _ in 0..20 {
            let alpha = rng.below(40) as i32 - 20;
            let beta = alpha + 1 + rng.below(6) as i32;
            for (viewer, exact) in [(seat, exact), (seat.other(), -exact)] {
                let got = search.value_between(&root, viewer, (5, 0), (alpha, beta), Limits::NONE).unwrap();
                assert!(if exact <= alpha {
                    got >= exact && got <= alpha
                } else if exact >= beta {
                    got <= exact && got >= beta
                } else {
                    got == exact
                });
            }
        }
    }
}

/// A position with a tree that takes a while.
fn big() -> Maze {
    Maze::new(5, 1 << 40, 60)
}

#[test]
fn a_used_up_budget_leaves_the_last_completed_iteration() {
    let root = big();
    let new = || AlphaBeta::new(Worth, DepthUnit::Action, Transpositions::with_mib(1));
    let mut search = new();
    search.lines = false;
    let mut nodes = Vec::new();
    let mut note = |found: &Found<u8>| nodes.push(found.nodes);
    let whole = search.search(&root, Root::Values, 1..=9, Limits::NONE, &mut note).unwrap();
    assert_eq!((whole.depth, whole.stopped, whole.nodes), (9, None, *nodes.last().unwrap()));
    for (budget, depth) in [(1, 1), (nodes[4], 5), (nodes[5] - 1, 5), (nodes[6] + 1, 7)] {
        let mut search = new();
        search.lines = false;
        let found = search.search(&root, Root::Values, 1..=9, Limits::count(budget), &mut |_| ()).unwrap();
        assert_eq!(found.depth, depth, "{budget} of {nodes:?}");
        assert_eq!((found.nodes, found.stopped), (nodes[depth as usize - 1], Some(Stop::Count)));
    }
    // A budget that ends among the lines leaves the values, and lines that are short but legal.
    let first = new().search(&root, Root::Values, 1..=1, Limits::NONE, &mut |_| ()).unwrap();
    let mut lengths = Vec::new();
    for budget in first.nodes..whole.nodes {
        let found = new().search(&root, Root::Values, 1..=9, Limits::count(budget), &mut |_| ()).unwrap();
        assert!(found.nodes <= budget);
        let wanted = root_values(&Worth, DepthUnit::Action, &root, found.depth.min(4));
        for (scored, wanted) in found.actions.iter().zip(wanted) {
            assert_eq!(scored.action, scored.line[0]);
            assert!(found.depth > 4 || scored.value == wanted.1);
        }
        lengths.push(found.actions[0].line.len() == found.depth as usize);
        if found.depth > 4 {
            break;
        }
    }
    assert!(lengths.contains(&true) && lengths.contains(&false));
    let seat = root.actor().seat().unwrap();
    assert_eq!(new().value_between(&root, seat, (9, 0), (-99, 99), Limits::count(100)), None);
}

#[test]
fn a_deadline_and_a_cancel_flag_stop_a_search_soon() {
    let root = big();
    let mut search = AlphaBeta::new(Worth, DepthUnit::Action, Transpositions::with_mib(1));
    let start = Instant::now();
    let limits = Limits { deadline: Some(start + Duration::from_millis(30)), ..Limits::NONE };
    let found = search.search(&root, Root::Best, 1..=200, limits, &mut |_| ()).unwrap();
    assert_eq!(found.stopped, Some(Stop::Deadline));
    assert!(start.elapsed() < Duration::from_secs(5));

    let cancel = AtomicBool::new(false);
    let limits = Limits { cancel: &cancel, ..Limits::NONE };
    let mut cancel_at_3 = |found: &Found<u8>| cancel.store(found.depth == 3, Ordering::Relaxed);
    let found = search.search(&root, Root::Best, 1..=200, limits, &mut cancel_at_3).unwrap();
    assert_eq!((found.depth, found.stopped), (3, Some(Stop::Cancelled)));
    assert_eq!(search.search(&root, Root::Best, 1..=200, limits, &mut |_| ()), None, "cancelled at once");
}

#[test]
fn the_table_saves_work_and_a_thought_tells_what_was_found() {
    let root = Maze::new(11, 30, 30);
    let mut nodes = [2, 1 << 16].map(|entries| {
        let mut search = AlphaBeta::new(Worth, DepthUnit::Action, Transpositions::with_entries(entries));
        search.lines = false;
        let found = search.search(&root, Root::Values, 10..=10, Limits::NONE, &mut |_| ()).unwrap();
        assert!(found.actions.iter().all(|scored| scored.line == [scored.action]));
        assert_eq!(search.nodes(), found.nodes);
        let mut again =
            || search.search(&root, Root::Values, 10..=10, Limits::NONE, &mut |_| ()).unwrap().nodes;
        let remembered = again();
        search.forget();
        let forgotten = search.search(&root, Root::Values, 10..=10, Limits::NONE, &mut |_| ()).unwrap().nodes;
        assert!(remembered <= forgotten && forgotten == found.nodes);
        assert_eq!(search.nodes(), 2 * found.nodes + remembered);
        let thought = found.thought(found.best().action, Scale::Own, 10.0);
        assert_eq!((thought.choice, thought.depth, thought.nodes), (found.best().action, 10, found.nodes));
        let values: Vec<f64> = thought.candidates.iter().map(|candidate| candidate.value * 10.0).collect();
        assert_eq!(values, found.actions.iter().map(|scored| f64::from(scored.value)).collect::<Vec<_>>());
        found.nodes
    });
    nodes.sort_unstable();
    assert!(nodes[0] * 3 < nodes[1], "{nodes:?}");
}
