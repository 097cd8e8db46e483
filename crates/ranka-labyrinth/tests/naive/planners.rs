//! The planners against plain ones that fit on a page: positions are whole boards, the best is found by looking at
//! all, and the formulas are written out as the thesis has them.

use crate::common;
use ranka_core::{AgentSpec, Game, Position, Rng, Roster, Seat, Seed, Settings, Table, Thinking, Thought};
use ranka_labyrinth::{Action, Board, Cell, Direction, Entry, Labyrinth, Push, State, Treasure, View, cells};
use std::sync::atomic::AtomicBool;

/// What one knows when the turn begins.
struct Knowledge {
    me: usize,
    target: Option<Treasure>,
    home: Cell,
    /// The others that have found everything, with their homes.
    homeward: Vec<(usize, Cell)>,
    unfound: Vec<Treasure>,
}

#[derive(Clone)]
struct Lone {
    board: Board,
    pawns: Vec<Cell>,
    last: Option<Entry>,
}

struct Node {
    lone: Lone,
    value: i32,
    path: Vec<(Push, Cell)>,
    expanded: bool,
}

fn knowledge(view: &View) -> (Knowledge, Lone) {
    let (state, me) = (view.shown(), view.seat());
    let seats = || Seat::all(state.seats());
    let target = state.cards().current(me).map(|card| card.treasure().expect("one knows one's own card"));
    let found: Vec<Treasure> =
        seats().flat_map(|seat| state.cards().found(seat)).filter_map(|card| card.treasure()).collect();
    let knowledge = Knowledge {
        me: me.index(),
        target,
        home: state.home(me),
        homeward: seats()
            .filter(|&seat| seat != me && state.cards().pile(seat).is_empty())
            .map(|seat| (seat.index(), state.home(seat)))
            .collect(),
        unfound: Treasure::all().filter(|t| !found.contains(t) && Some(*t) != target).collect(),
    };
    let pawns = seats().map(|seat| state.pawn(seat)).collect();
    (knowledge, Lone { board: *state.board(), pawns, last: state.last() })
}

impl Lone {
    fn target(&self, k: &Knowledge) -> Option<Cell> {
        k.target.map_or(Some(k.home), |treasure| self.board.find(treasure))
    }

    fn children(&self, k: &Knowledge) -> Vec<(Push, Cell, Lone)> {
        let mut children = Vec::new();
        for entry in Entry::all().filter(|entry| self.last.map(Entry::opposite) != Some(*entry)) {
            for rotation in 0..self.board.extra().shape().rotations() {
                let mut pushed = Lone { last: Some(entry), ..self.clone() };
                pushed.board.push(entry, rotation);
                pushed.pawns.iter_mut().for_each(|pawn| *pawn = entry.carried_pawn(*pawn));
                for &cell in pushed.board.paths().walk(pushed.pawns[k.me]).iter() {
                    let mut moved = pushed.clone();
                    moved.pawns[k.me] = cell;
                    children.push((Push { entry, rotation }, cell, moved));
                }
            }
        }
        children
    }

    fn count(&self, k: &Knowledge, player: usize) -> i32 {
        let region = self.board.paths().region(self.pawns[player]);
        let treasures = cells(region).filter_map(|cell| self.board.tile(cell).treasure());
        treasures.filter(|treasure| k.unfound.contains(treasure)).count() as i32
    }

    fn value(&self, k: &Knowledge, criterion: &str) -> i32 {
        let c = self.pawns[k.me];
        let target = self.target(k);
        let (mut d, mut w) = (15, 0);
        if let Some(t) = target {
            let (dx, dy) = (c.x() as i32 - t.x() as i32, c.y() as i32 - t.y() as i32);
            let mut needed = Vec::new();
            needed.extend((dx > 0).then_some(Direction::Right));
            needed.extend((dx < 0).then_some(Direction::Left));
            needed.extend((dy > 0).then_some(Direction::Down));
            needed.extend((dy < 0).then_some(Direction::Up));
            let openings = self.board.tile(t).openings();
            d = dx.abs() + dy.abs();
            w = i32::from(c != t && !needed.into_iter().any(|side| openings.has(side)));
        }
        let even = [c.x(), c.y()].map(|coordinate| coordinate.is_multiple_of(2));
        let s = i32::from(even == [true, true]);
        let u = i32::from(even[0] != even[1]);
        let a = self.count(k, k.me);
        let o: i32 = (0..self.pawns.len()).filter(|&p| p != k.me).map(|p| self.count(k, p)).sum();
        let threats = k
            .homeward
            .iter()
            .filter(|(player, home)| self.board.paths().region(self.pawns[*player]) & home.bit() != 0);
        match criterion {
            "inference" => 25 * i32::from(target == Some(c)) + a - o - 25 * threats.count() as i32,
            "distance" => 15 - d - 2 * w,
            "static" => 150 - 10 * d - 20 * w + 5 * s,
            "hybrid" => 10 * a - 10 * o + 150 - 10 * d - 20 * w + 5 * s,
            _ => 300 - 20 * d - 40 * w + 10 * s + 5 * u,
        }
    }
}

fn best_first(view: &View, criterion: &str, threshold: i32, budget: usize) -> (Vec<(Push, Cell)>, i32) {
    let (k, lone) = knowledge(view);
    let mut nodes: Vec<Node> = Vec::new();
    let (mut lone, mut path) = (lone, Vec::new());
    for expansions in 1.. {
        for (push, cell, child) in lone.children(&k) {
            let path = [&path[..], &[(push, cell)]].concat();
            nodes.push(Node { value: child.value(&k, criterion), lone: child, path, expanded: false });
        }
        // The first of the highest: `max_by_key` would give the last.
        let first_highest = |nodes: &[Node], all: bool| {
            (0..nodes.len()).filter(|&i| all || !nodes[i].expanded).rev().max_by_key(|&i| nodes[i].value)
        };
        let best = first_highest(&nodes, true).expect("there are nodes");
        if nodes[best].value > threshold || expansions == budget {
            return (nodes[best].path.clone(), nodes[best].value);
        }
        let next = first_highest(&nodes, false).expect("there are nodes");
        nodes[next].expanded = true;
        (lone, path) = (nodes[next].lone.clone(), nodes[next].path.clone());
    }
    unreachable!("the budget ends it")
}

/// A way to the target over whole turns, the shortest and the first in standard order.
fn breadth_first(view: &View, budget: usize) -> Option<Vec<(Push, Cell)>> {
    let (k, root) = knowledge(view);
    let mut queue = vec![(root, Vec::new())];
    for at in 0..budget {
        let (lone, path) = queue.get(at)?.clone();
        for (push, cell, child) in lone.children(&k) {
            let path = [&path[..], &[(push, cell)]].concat();
            if child.target(&k) == Some(cell) {
                return Some(path);
            }
            queue.push((child, path));
        }
    }
    None
}

/// Positions of games between players of some sense, in which a seat is to push.
fn views(players: usize) -> Vec<View> {
    let game = common::game(&format!("players={players}"));
    let (_, maker) = game.recruit(&AgentSpec::parse("slide:budget=5")).expect("a known agent");
    let mut states: Vec<State> = Vec::new();
    for seed in 0..3 {
        let mut table = Table::new(game, game.start(&mut Rng::new(Seed::new(seed))), Seed::new(0));
        for seat in Seat::all(players) {
            table.sit(seat, maker.seat(seat, Seed::new(seed)).expect("a seat"), Seed::new(seed));
        }
        while !table.actor().is_over() {
            if table.actions().len().is_multiple_of(2) {
                states.push(*table.state());
            }
            let thought = table.think(&Settings::default(), None).expect("an answer");
            table.act(thought.choice).expect("a legal action");
        }
    }
    states.iter().step_by(6).map(|state| game.view(state, state.mover())).collect()
}

fn think(game: &Labyrinth, spec: &str, view: &View) -> Thought<Action> {
    let (_, maker) = game.recruit(&AgentSpec::parse(spec)).expect("a known agent");
    let mut agent = maker.seat(view.seat(), Seed::new(1)).expect("a seat");
    let cancel = AtomicBool::new(false);
    agent.think(view, &mut Thinking::new(Rng::new(Seed::new(2)), None, &cancel)).expect("an answer")
}

fn plan(thought: &Thought<Action>) -> (Vec<Action>, f64) {
    let chosen = thought.candidates.iter().find(|candidate| candidate.action == thought.choice);
    let chosen = chosen.expect("the choice is explained");
    (chosen.pv.clone(), chosen.value)
}

fn actions(path: &[(Push, Cell)]) -> Vec<Action> {
    path.iter().flat_map(|&(push, cell)| [Action::Push(push), Action::Move(cell)]).collect()
}

#[test]
fn criteria_plan_as_the_plain_search_does() {
    let (mut compared, mut deep) = (0, 0);
    for players in 2..=4 {
        let game = common::game(&format!("players={players}"));
        for view in views(players) {
            for (criterion, threshold) in
                [("inference", 23), ("distance", 14), ("static", 145), ("hybrid", 145), ("slide", 290)]
            {
                let (path, value) = best_first(&view, criterion, threshold, 12);
                let found = plan(&think(&game, &format!("{criterion}:budget=12"), &view));
                assert_eq!(found, (actions(&path), f64::from(value)), "{criterion}: {view:?}");
                compared += 1;
                deep += usize::from(path.len() > 1);
            }
        }
    }
    assert!(compared > 100 && deep > 20, "{compared} plans, {deep} of them deep");
}

#[test]
fn big_brain_plans_as_the_plain_search_does() {
    let (mut compared, mut deep) = (0, 0);
    for players in 2..=4 {
        let game = common::game(&format!("players={players}"));
        for view in views(players) {
            // Big Brain queues a straight's half turns as well, so the plain search may go less far.
            let Some(path) = breadth_first(&view, 20) else { continue };
            let (found, value) = plan(&think(&game, "big-brain:preset=thesis,budget=100", &view));
            assert_eq!((found, value), (actions(&path), -(path.len() as f64)));
            compared += 1;
            deep += usize::from(path.len() > 1);
        }
    }
    assert!(compared > 20 && deep > 5, "{compared} plans, {deep} of them deep");
}
