//! The tree search does, step by step, what a naive one does.

use crate::toys::{Maze, Sow, expectimax, hash};
use ranka_core::{Actor, Keyed, MAX_SEATS, Position, Rng, Scale, Seat, Seed};
use ranka_search::{
    Chance, FinalChoice, Limits, Perspective, Sampled, Stop, Total, Uct, UctConfig, UctPolicy, Uniform,
    Values, Widening,
};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A policy with an opinion on everything.
#[derive(Clone, Default)]
struct Opinions {
    heard: Vec<(Vec<(Seat, u8)>, Vec<f64>)>,
}

impl<P: Keyed<Action = u8>> UctPolicy<P> for Opinions {
    fn playout(&mut self, position: &mut P, rng: &mut Rng, scratch: &mut Vec<u8>) {
        // Mostly the first action.
        while !position.actor().is_over() {
            let action = match position.actor() {
                Actor::Chance => position.draw(rng),
                _ if rng.chance(0.3) => position.random_action(rng, scratch),
                _ => {
                    scratch.clear();
                    position.actions(scratch);
                    scratch[0]
                }
            };
            position.apply(action);
        }
    }

    fn value(&mut self, end: &P) -> Values {
        let mut values = [0.0; MAX_SEATS];
        for (seat, value) in values.iter_mut().enumerate().take(end.seats()) {
            *value = (hash(&[end.key(), seat as u64]) % 5) as f64 / 4.0;
        }
        values
    }

    fn prior(&self, position: &P, action: u8) -> Option<f64> {
        let number = hash(&[position.key(), u64::from(action), 1]) % 4;
        (number > 0).then_some(number as f64 / 3.0)
    }

    fn merit(&self, position: &P, action: u8) -> f64 {
        (hash(&[position.key(), u64::from(action), 2]) % 4) as f64 / 4.0
    }

    fn learn(&mut self, path: &[(Seat, u8)], values: &[f64]) {
        self.heard.push((path.to_vec(), values.to_vec()));
    }
}

type Path = Vec<(Seat, u8)>;

#[derive(Clone, Default)]
struct Stat {
    visits: u32,
    available: u32,
    sums: Values,
    prior: f64,
}

/// The straightforward search: nodes in a map from their paths.
struct Naive<L> {
    config: UctConfig,
    policy: L,
    nodes: HashMap<Path, Stat>,
    root_seat: Seat,
    depth: usize,
}

impl<L> Naive<L> {
    fn new<P: Position<Action = u8>>(config: UctConfig, policy: L, root: &P) -> Naive<L> {
        let nodes = HashMap::from([(Vec::new(), Stat::default())]);
        Naive { config, policy, nodes, root_seat: root.actor().seat().unwrap(), depth: 0 }
    }

    fn descend<P: Position<Action = u8>>(
        &mut self,
        mut position: P,
        path: Path,
        open: bool,
        rng: &mut Rng,
    ) -> Values
    where
        L: UctPolicy<P>,
    {
        let mut open = open;
        while position.actor() == Actor::Chance {
            let drawn = position.draw(rng);
            position.apply(drawn);
            open = true;
        }
        self.depth = self.depth.max(path.len());
        let values = match position.actor().seat().and_then(|seat| self.choose(&position, seat, &path, open))
        {
            Some(step) => {
                let mut next = position.clone();
                next.apply(step.1);
                let mut longer = path.clone();
                longer.push(step);
                self.descend(next, longer, open, rng)
            }
            None => {
                self.policy.playout(&mut position, rng, &mut Vec::new());
                let values = self.policy.value(&position);
                self.policy.learn(&path, &values[..position.seats()]);
                values
            }
        };
        let stat = self.nodes.get_mut(&path).unwrap();
        stat.visits += 1;
        stat.sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        values
    }

    fn choose<P: Position<Action = u8>>(
        &mut self,
        position: &P,
        seat: Seat,
        path: &Path,
        open: bool,
    ) -> Option<(Seat, u8)>
    where
        L: UctPolicy<P>,
    {
        let config = self.config;
        let visits = self.nodes[path].visits;
        let mut legal = Vec::new();
        position.actions(&mut legal);
        if legal.len() > 1 && !path.is_empty() && visits <= config.threshold {
            return None;
        }
        if let Some(least) = config.prune {
            let merit = |&action: &u8| self.policy.merit(position, action);
            let most = legal.iter().map(merit).fold(0.0, f64::max);
            let good: Vec<u8> = legal.iter().copied().filter(|action| merit(action) >= least).collect();
            let best = legal.iter().copied().filter(|action| merit(action) == most).collect();
            legal = if good.is_empty() { best } else { good };
        }
        let prior =
            |action: u8| self.policy.prior(position, action).or(config.first_play).unwrap_or(f64::INFINITY);
        let mut considered: Vec<(u8, f64)> = legal.iter().map(|&action| (action, prior(action))).collect();
        if let Some(widening) = config.widening {
            considered.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap());
            let width = widening.factor * f64::from(visits.max(1)).powf(widening.power);
            considered.truncate(width.ceil() as usize);
        }
        let root_visits = self.nodes[&Vec::new()].visits;
        let mut best: Option<((Seat, u8), f64)> = None;
        for (action, prior) in considered {
            let mut child_path = path.clone();
            child_path.push((seat, action));
            let child = self.nodes.entry(child_path).or_insert(Stat { prior, ..Stat::default() });
            let total = match config.total {
                Total::Root => root_visits,
                Total::Parent if open => child.available,
                Total::Parent => visits,
            };
            let by = if config.perspective == Perspective::Own { seat } else { self.root_seat };
            let n = f64::from(child.visits);
            let promise = if child.visits == 0 {
                child.prior
            } else {
                child.sums[by.index()] / n + config.exploration * (f64::from(total).ln() / n).sqrt()
            };
            child.available += 1;
            if best.is_none_or(|(_, highest)| promise > highest) {
                best = Some(((seat, action), promise));
            }
        }
        Some(best.unwrap().0)
    }
}

/// Runs both with the same random numbers and compares all that can be compared.
fn agrees<P: Keyed<Action = u8>, L: UctPolicy<P> + Clone>(
    config: UctConfig,
    policy: L,
    root: &P,
    seed: u64,
) -> (Sampled<u8>, L) {
    const PLAYOUTS: u64 = 200;
    let mut rng = Rng::new(Seed::new(seed));
    let mut naive = Naive::new(config, policy.clone(), root);
    for _ in 0..PLAYOUTS {
        naive.descend(root.clone(), Vec::new(), false, &mut rng);
    }
    let mut same_rng = Rng::new(Seed::new(seed));
    let mut uct = Uct::new(config, policy);
    let found = uct.search(root, Limits::count(PLAYOUTS), &mut same_rng, &mut |_| ()).unwrap();
    assert_eq!(rng, same_rng, "both drew the same numbers");
    assert_eq!((found.playouts, found.stopped), (PLAYOUTS, Some(Stop::Count)));
    assert_eq!(found.depth as usize, naive.depth);
    if config.widening.is_none() {
        assert_eq!(found.nodes, naive.nodes.len());
    }
    let mut order = Vec::new();
    root.actions(&mut order);
    order.retain(|&action| found.actions.iter().any(|tried| tried.action == action));
    assert_eq!(order, found.actions.iter().map(|tried| tried.action).collect::<Vec<_>>());
    let seat = naive.root_seat;
    for tried in &found.actions {
        let stat = naive.nodes.get(&vec![(seat, tried.action)]).cloned().unwrap_or_default();
        assert_eq!(tried.visits, u64::from(stat.visits));
        if stat.visits > 0 {
            assert_eq!(tried.mean, stat.sums[seat.index()] / f64::from(stat.visits));
        }
        let mut position = root.clone();
        for &action in &tried.line {
            assert!(position.is_legal(action) && position.actor() != Actor::Chance);
            position.apply(action);
        }
    }
    let rank = |tried: &&ranka_search::Tried<u8>| match config.choice {
        FinalChoice::Mean => (tried.mean, 0.0),
        FinalChoice::Visits => (tried.visits as f64, 0.0),
        FinalChoice::VisitsThenMean => (tried.visits as f64, tried.mean),
    };
    let tried = || found.actions.iter().filter(|tried| tried.visits > 0);
    let highest = tried().map(|tried| rank(&tried)).fold((-1.0, -1.0), |a, b| if b > a { b } else { a });
    assert_eq!(found.best().action, tried().find(|tried| rank(tried) == highest).unwrap().action);
    (found, uct.policy)
}

/// Every combination of options.
fn configs() -> Vec<UctConfig> {
    let mut all = vec![UctConfig { exploration: 0.7, ..UctConfig::default() }];
    let mut vary =
        |change: &dyn Fn(UctConfig) -> Vec<UctConfig>| all = all.iter().flat_map(|&c| change(c)).collect();
    vary(&|c| [Total::Parent, Total::Root].map(|total| UctConfig { total, ..c }).to_vec());
    vary(&|c| {
        [Perspective::Own, Perspective::Root].map(|perspective| UctConfig { perspective, ..c }).to_vec()
    });
    vary(&|c| [0, 3].map(|threshold| UctConfig { threshold, ..c }).to_vec());
    vary(&|c| [None, Some(0.4)].map(|first_play| UctConfig { first_play, ..c }).to_vec());
    vary(&|c| [None, Some(0.5), Some(2.0)].map(|prune| UctConfig { prune, ..c }).to_vec());
    let narrow = Some(Widening { factor: 1.0, power: 0.4 });
    vary(&|c| [None, narrow].map(|widening| UctConfig { widening, ..c }).to_vec());
    let choices = [FinalChoice::Mean, FinalChoice::Visits, FinalChoice::VisitsThenMean];
    all.iter_mut().zip(choices.iter().cycle()).for_each(|(config, &choice)| config.choice = choice);
    all
}

/// Mazes in which the first position is a real choice.
fn mazes(seats: usize, chance: bool) -> impl Iterator<Item = Maze> {
    (0..).map(move |salt| Maze { seats, chance, ..Maze::new(salt, 9, 8) })
}

#[test]
fn the_tree_is_the_naive_one_for_every_option_and_kind_of_game() {
    for (i, config) in configs().into_iter().enumerate() {
        let seed = i as u64;
        for (seats, chance) in [(2, false), (2, true), (3, false), (3, true), (4, true)] {
            for root in mazes(seats, chance).skip(i % 5).step_by(7).take(2) {
                agrees(config, Uniform, &root, seed);
                let (found, policy) = agrees(config, Opinions::default(), &root, seed);
                assert_eq!(policy.heard.len() as u64, found.playouts);
                for tried in &found.actions {
                    let heard = policy.heard.iter().filter(|(path, _)| path[0].1 == tried.action);
                    let values: Vec<f64> = heard.map(|(path, values)| values[path[0].0.index()]).collect();
                    assert_eq!(values.len() as u64, tried.visits);
                    assert!((values.iter().sum::<f64>() - tried.mean * tried.visits as f64).abs() < 1e-9);
                }
            }
        }
        let sow = Sow { pits: [2, 1, 3, 0, 1, 3, 2, 0], mover: Seat::new(i % 2) };
        agrees(config, Uniform, &sow, seed);
        agrees(config, Opinions::default(), &sow, seed);
    }
}

#[test]
fn every_option_makes_a_difference() {
    let default = UctConfig { exploration: 0.7, ..UctConfig::default() };
    let options = [
        UctConfig { exploration: 0.2, ..default },
        UctConfig { total: Total::Root, ..default },
        UctConfig { perspective: Perspective::Root, ..default },
        UctConfig { threshold: 5, ..default },
        UctConfig { first_play: Some(0.3), ..default },
        UctConfig { prune: Some(0.5), ..default },
        UctConfig { widening: Some(Widening { factor: 1.0, power: 0.4 }), ..default },
        UctConfig { choice: FinalChoice::Mean, ..default },
        UctConfig { memory: 0, ..default },
        UctConfig { chance: Chance::Nodes, ..default },
    ];
    for option in options {
        let differs = |root: &Maze| {
            let run = |config| {
                let mut uct = Uct::new(config, Opinions::default());
                uct.search(root, Limits::count(30), &mut Rng::new(Seed::new(1)), &mut |_| ()).unwrap()
            };
            run(default) != run(option)
        };
        assert!(mazes(3, true).take(40).any(|root| differs(&root)), "{option:?}");
    }
}

/// Without chance at any depth; with it as long as nothing is decided after chance has acted, because an open
/// loop does not know what chance did. With nodes for chance, at any depth again.
#[test]
fn with_many_playouts_the_choice_is_perfect() {
    for (chance, layers, treated) in
        [(false, 5, Chance::OpenLoop), (true, 2, Chance::OpenLoop), (true, 5, Chance::Nodes)]
    {
        for salt in 0..40 {
            let root = Maze { chance, ..Maze::new(salt, 50, layers) };
            let seat = root.actor().seat().unwrap();
            let choice = FinalChoice::Visits;
            let mut uct = Uct::new(UctConfig { choice, chance: treated, ..UctConfig::default() }, Uniform);
            let found = uct
                .search(&root, Limits::count(20_000), &mut Rng::new(Seed::new(salt)), &mut |_| ())
                .unwrap();
            let own = |value: f64| if seat == Seat::FIRST { value } else { 1.0 - value };
            let worth = |action| {
                let mut next = root.clone();
                next.apply(action);
                own(expectimax(&next))
            };
            let best = own(expectimax(&root));
            let chosen = worth(found.best().action);
            assert!(best - chosen < 0.03, "salt {salt}: {chosen} instead of {best}: {found:?}");
            assert!((found.best().mean - best).abs() < 0.05, "salt {salt}: {best}: {found:?}");
        }
    }
}

#[test]
fn a_full_arena_grows_no_more_but_the_search_goes_on() {
    for chance in [false, true] {
        for root in mazes(2, chance).take(20) {
            for nodes in [0, 40] {
                let memory = nodes * Uct::<Maze, Uniform>::bytes_per_node(2);
                let mut uct = Uct::new(UctConfig { memory, ..UctConfig::default() }, Uniform);
                let found =
                    uct.search(&root, Limits::count(2000), &mut Rng::new(Seed::new(1)), &mut |_| ()).unwrap();
                assert!(found.nodes <= nodes.max(1 + found.actions.len()));
                assert_eq!(found.actions.iter().map(|tried| tried.visits).sum::<u64>(), 2000);
                assert!(found.actions.iter().all(|tried| tried.visits > 0));
            }
        }
    }
}

#[test]
fn a_search_stops_when_told_and_reports_meanwhile() {
    let root = mazes(2, true).next().unwrap();
    let mut uct = Uct::new(UctConfig::default(), Uniform);
    let mut rng = Rng::new(Seed::new(3));
    let mut reports = Vec::new();
    let cancel = AtomicBool::new(false);
    let limits = Limits { cancel: &cancel, ..Limits::NONE };
    let mut report = |found: &Sampled<u8>| {
        reports.push(found.playouts);
        cancel.store(found.playouts >= 4096, Ordering::Relaxed);
    };
    let found = uct.search(&root, limits, &mut rng, &mut report).unwrap();
    assert_eq!((reports, found.stopped), (vec![1024, 2048, 4096], Some(Stop::Cancelled)));
    assert!(found.playouts < 4096 + 20);
    assert_eq!(uct.search(&root, limits, &mut rng, &mut |_| ()), None, "cancelled before the first playout");

    let limits = Limits { deadline: Some(Instant::now()), ..Limits::NONE };
    let found = uct.search(&root, limits, &mut rng, &mut |_| ()).unwrap();
    assert_eq!((found.playouts, found.stopped), (1, Some(Stop::Deadline)));
    let thought = found.thought(Scale::Score);
    assert_eq!((thought.choice, thought.nodes, thought.candidates.len()), (found.best().action, 1, 1));
}

#[test]
fn a_forced_action_needs_no_search() {
    let root = Sow { pits: [0, 2, 0, 0, 1, 0, 0, 0], mover: Seat::FIRST };
    let mut rng = Rng::new(Seed::new(3));
    let found =
        Uct::new(UctConfig::default(), Uniform).search(&root, Limits::NONE, &mut rng, &mut |_| ()).unwrap();
    assert_eq!((found.best().action, found.playouts, found.stopped), (1, 0, None));
    assert_eq!(rng, Rng::new(Seed::new(3)));
    assert!(found.thought(Scale::Score).candidates.is_empty());
}
