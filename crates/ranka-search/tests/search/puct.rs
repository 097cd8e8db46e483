//! PUCT does, step by step, what a naive one does, and comes to play perfectly.

use crate::fog::{Coin, CoinEyes, DRAW, Fog, FogEyes, LOOK};
use crate::ismcts::{Key, choices};
use crate::toys::{Maze, Sow, expectimax, hash};
use ranka_core::{Actor, Keyed, MAX_SEATS, Position, Rng, Seat, Seed};
use ranka_search::{AllSeeing, Eyes, Leaf, LeafEvaluator, Limits, Puct, PuctConfig, Sampled, Stop, Values};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// An evaluator with an opinion on everything, also that some actions are out of the question.
struct Opinions;

fn opinion<P: Keyed<Action = u8>>(position: &P, actions: &[u8]) -> (Vec<f64>, Values) {
    let number = |topic: u64, n: u64| hash(&[position.key(), topic]) % n;
    let mut values = [0.0; MAX_SEATS];
    for (seat, value) in values.iter_mut().enumerate().take(position.seats()) {
        *value = number(seat as u64, 5) as f64 / 4.0;
    }
    (actions.iter().map(|&action| number(100 + u64::from(action), 4) as f64).collect(), values)
}

impl<P: Keyed<Action = u8>> LeafEvaluator<P> for Opinions {
    fn evaluate(&mut self, leaves: &mut [Leaf<P>]) {
        for leaf in leaves {
            assert_eq!(leaf.position().actor(), Actor::Seat(leaf.seat()));
            (leaf.priors, leaf.values) = opinion(leaf.position(), leaf.actions());
        }
    }
}

/// No opinion; values by playouts.
struct Playouts(Rng);

impl<P: Position> LeafEvaluator<P> for Playouts {
    fn evaluate(&mut self, leaves: &mut [Leaf<P>]) {
        for leaf in leaves {
            assert!(leaf.priors.iter().all(|&prior| prior == 1.0) && leaf.values == [0.0; MAX_SEATS]);
            let mut end = leaf.position().clone();
            end.playout(&mut self.0, &mut Vec::new());
            let outcome = end.outcome();
            leaf.values[..outcome.scores().len()].copy_from_slice(outcome.scores());
        }
    }
}

#[derive(Clone, Default)]
struct Stat {
    visits: u32,
    available: u32,
    prior: f64,
    sums: Values,
}

/// The straightforward search: nodes in a map from their paths.
struct Naive {
    config: PuctConfig,
    nodes: HashMap<Vec<Key>, Stat>,
    depth: usize,
}

/// The prefixes of a path, the path itself last.
fn prefixes(path: &[Key]) -> impl Iterator<Item = Vec<Key>> {
    (0..=path.len()).map(|len| path[..len].to_vec())
}

impl Naive {
    fn credit(&mut self, path: &[Key], values: &Values) {
        for prefix in prefixes(path) {
            let stat = self.nodes.get_mut(&prefix).unwrap();
            stat.sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
    }

    /// Walks; tells the leaf that has to be evaluated.
    fn walk<P: Keyed<Action = u8>, E: Eyes<P>>(
        &mut self,
        eyes: &E,
        mut position: P,
        rng: &mut Rng,
    ) -> Option<(Vec<Key>, P)> {
        let mut path: Vec<Key> = Vec::new();
        let mut acts = 0;
        let ended = loop {
            while position.actor() == Actor::Chance {
                let drawn = position.draw(rng);
                position.apply(drawn);
            }
            let Actor::Seat(seat) = position.actor() else { break true };
            if acts > 0 && E::HIDDEN {
                path.push(Key::Look(eyes.look(&position)));
                self.nodes.entry(path.clone()).or_default();
            }
            let (choices, hidden) = choices(eyes, &position);
            let children: Vec<Vec<Key>> =
                choices.iter().map(|&choice| [&path[..], &[Key::Act(seat, choice)]].concat()).collect();
            if children.iter().any(|child| !self.nodes.contains_key(child)) {
                break false;
            }
            let sum: f64 = children.iter().map(|child| self.nodes[child].prior).sum();
            let here = &self.nodes[&path];
            let mean = if here.visits > 0 { here.sums[seat.index()] / f64::from(here.visits) } else { 0.0 };
            let mut best = (0, f64::NEG_INFINITY);
            for (place, child) in children.iter().enumerate() {
                let stat = self.nodes.get_mut(child).unwrap();
                stat.available += 1;
                let n = f64::from(stat.visits);
                let value = if n > 0.0 {
                    stat.sums[seat.index()] / n
                } else {
                    (mean - self.config.reduction).max(0.0)
                };
                let prior = if sum > 0.0 { stat.prior / sum } else { 1.0 / children.len() as f64 };
                let often = f64::from(stat.available).sqrt() / (1.0 + n);
                let promise = value + self.config.exploration * prior * often;
                if promise > best.1 {
                    best = (place, promise);
                }
            }
            path.push(Key::Act(seat, choices[best.0]));
            position.apply(choices[best.0].unwrap_or_else(|| rng.pick(&hidden)));
            acts += 1;
        };
        self.depth = self.depth.max(acts);
        for prefix in prefixes(&path) {
            self.nodes.get_mut(&prefix).unwrap().visits += 1;
        }
        if !ended {
            return Some((path, position));
        }
        let mut values = [0.0; MAX_SEATS];
        values[..position.seats()].copy_from_slice(position.outcome().scores());
        self.credit(&path, &values);
        None
    }

    fn resolve<P: Keyed<Action = u8>, E: Eyes<P>>(&mut self, eyes: &E, leaves: Vec<(Vec<Key>, P)>) {
        for (path, position) in leaves {
            let seat = position.actor().seat().unwrap();
            let mut legal = Vec::new();
            position.actions(&mut legal);
            let (priors, values) = opinion(&position, &legal);
            let (choices, _) = choices(eyes, &position);
            for choice in choices {
                let of = |action: u8| eyes.seen(&position, action) == choice;
                let prior = legal
                    .iter()
                    .zip(&priors)
                    .filter(|&(&action, _)| of(action))
                    .map(|(_, prior)| prior)
                    .sum();
                let child = [&path[..], &[Key::Act(seat, choice)]].concat();
                self.nodes.entry(child).or_insert(Stat { prior, ..Stat::default() });
            }
            self.credit(&path, &values);
        }
    }
}

const WALKS: u64 = 301;

fn agrees<P: Keyed<Action = u8>, E: Eyes<P>>(
    eyes: &E,
    world: impl Fn(&mut Rng) -> P,
    config: PuctConfig,
    seed: u64,
) -> Sampled<u8> {
    let mut rng = Rng::new(Seed::new(seed));
    let nodes = HashMap::from([(Vec::new(), Stat::default())]);
    let mut naive = Naive { config, nodes, depth: 0 };
    let first = world(&mut rng);
    let mut leaves = Vec::new();
    for walk in 0..WALKS {
        let world = world(&mut rng);
        leaves.extend(naive.walk(eyes, world, &mut rng));
        if walk == 0 || walk + 1 == WALKS || leaves.len() == config.batch {
            naive.resolve(eyes, std::mem::take(&mut leaves));
        }
    }
    let mut same_rng = Rng::new(Seed::new(seed));
    let mut puct = Puct::new(config, Opinions);
    let found = puct.search(eyes, world, Limits::count(WALKS), &mut same_rng, &mut |_| ()).unwrap();
    assert_eq!(rng, same_rng, "both drew the same numbers");
    assert_eq!((found.playouts, found.stopped), (WALKS, Some(Stop::Count)));
    assert_eq!((found.depth as usize, found.nodes), (naive.depth, naive.nodes.len()));
    let seat: Seat = first.actor().seat().unwrap();
    assert_eq!(found.actions.len(), choices(eyes, &first).0.len());
    for tried in &found.actions {
        let stat = &naive.nodes[&vec![Key::Act(seat, Some(tried.action))]];
        assert_eq!(tried.visits, u64::from(stat.visits));
        if stat.visits > 0 {
            assert_eq!(tried.mean, stat.sums[seat.index()] / f64::from(stat.visits));
        }
    }
    found
}

#[test]
fn the_tree_is_the_naive_one() {
    for salt in 0..120 {
        let maze = Maze { seats: 2 + salt as usize % 3, chance: salt % 2 == 0, ..Maze::new(salt, 9, 8) };
        let [one, more] = [1, 3].map(|batch| {
            let config = PuctConfig { exploration: 0.8, reduction: 0.2, batch, ..PuctConfig::default() };
            let fog = Fog::new(maze.clone());
            agrees(&AllSeeing, |_: &mut Rng| maze.clone(), config, salt);
            agrees(&FogEyes, |rng: &mut Rng| fog.drawn(rng), config, salt)
        });
        assert!(salt > 0 || one != more, "walks that wait lead elsewhere");
    }
    let sow = Sow { pits: [2, 1, 3, 0, 1, 3, 2, 0], mover: Seat::FIRST };
    agrees(&AllSeeing, |_: &mut Rng| sow.clone(), PuctConfig::default(), 1);
}

#[test]
fn with_many_walks_the_choice_is_perfect() {
    for batch in [1, 8] {
        for salt in 0..40 {
            let root = Maze::new(salt, 50, 5);
            let seat = root.actor().seat().unwrap();
            let config = PuctConfig { batch, ..PuctConfig::default() };
            let mut puct = Puct::new(config, Playouts(Rng::new(Seed::new(salt))));
            let mut rng = Rng::new(Seed::new(0));
            let limits = Limits::count(20_000);
            let found = puct.search(&AllSeeing, |_| root.clone(), limits, &mut rng, &mut |_| ()).unwrap();
            let own = |value: f64| if seat == Seat::FIRST { value } else { 1.0 - value };
            let mut next = root.clone();
            next.apply(found.best().action);
            let (best, chosen) = (own(expectimax(&root)), own(expectimax(&next)));
            assert!(best - chosen < 0.03, "salt {salt}: {chosen} instead of {best}: {found:?}");
            assert!((found.best().mean - best).abs() < 0.05, "salt {salt}: {best}: {found:?}");
        }
    }
}

#[test]
fn nobody_acts_on_what_only_the_search_knows() {
    for (may_look, expected) in [(false, DRAW), (true, LOOK)] {
        let mut puct = Puct::new(PuctConfig::default(), Playouts(Rng::new(Seed::new(5))));
        let mut rng = Rng::new(Seed::new(6));
        let world = |rng: &mut Rng| Coin::drawn(may_look, rng);
        let found = puct.search(&CoinEyes, world, Limits::count(3000), &mut rng, &mut |_| ()).unwrap();
        assert_eq!(found.best().action, expected);
    }
}

#[test]
fn a_search_stops_when_told_and_stays_within_its_memory() {
    let fog = Fog::new(Maze { seats: 3, ..Maze::new(4, 9, 8) });
    let world = |rng: &mut Rng| fog.drawn(rng);
    let mut rng = Rng::new(Seed::new(1));
    let mut puct = Puct::new(PuctConfig { memory: 0, batch: 4, ..PuctConfig::default() }, Opinions);
    let cancel = AtomicBool::new(true);
    let cancelled = Limits { cancel: &cancel, ..Limits::NONE };
    assert_eq!(puct.search(&FogEyes, world, cancelled, &mut rng, &mut |_| ()), None);
    let late = Limits { deadline: Some(Instant::now()), ..Limits::NONE };
    let found = puct.search(&FogEyes, world, late, &mut rng, &mut |_| ()).unwrap();
    assert_eq!((found.playouts, found.stopped), (2, Some(Stop::Deadline)));
    let mut reports = 0;
    let found = puct.search(&FogEyes, world, Limits::count(3000), &mut rng, &mut |_| reports += 1).unwrap();
    assert_eq!((found.nodes, found.playouts), (1 + found.actions.len(), 3000));
    assert!((3..=4).contains(&reports), "{reports}");
}
