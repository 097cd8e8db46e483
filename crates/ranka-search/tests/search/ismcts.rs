//! The search of information sets does, step by step, what a naive one does, and does not act on what it cannot know.

use crate::fog::{Coin, CoinEyes, DRAW, Fog, FogEyes, GUESS, LOOK};
use crate::toys::Maze;
use ranka_core::{Actor, Position, Rng, Seat, Seed};
use ranka_search::{
    AllSeeing, Eyes, FinalChoice, Flat, FlatRule, Ismcts, IsmctsConfig, Limits, Sampled, Stop, Uct,
    UctConfig, Uniform, Values, believed_world,
};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// How a node is reached.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    Act(Seat, Option<u8>),
    Look(u64),
}

#[derive(Clone, Default)]
struct Stat {
    visits: u32,
    available: u32,
    sums: Values,
}

/// What can be chosen: the actions that are seen, then one choice for all that are not, and these.
pub(crate) fn choices<P: Position<Action = u8>, E: Eyes<P>>(
    eyes: &E,
    position: &P,
) -> (Vec<Option<u8>>, Vec<u8>) {
    let mut legal = Vec::new();
    position.actions(&mut legal);
    let (seen, hidden): (Vec<u8>, Vec<u8>) =
        legal.into_iter().partition(|&action| eyes.seen(position, action).is_some());
    let mut choices: Vec<Option<u8>> = seen.into_iter().map(Some).collect();
    choices.extend((!hidden.is_empty()).then_some(None));
    (choices, hidden)
}

/// The straightforward search: nodes in a map from their paths.
struct Naive {
    exploration: f64,
    nodes: HashMap<Vec<Key>, Stat>,
    depth: usize,
}

impl Naive {
    fn iterate<P: Position<Action = u8>, E: Eyes<P>>(&mut self, eyes: &E, mut position: P, rng: &mut Rng) {
        let mut path: Vec<Key> = Vec::new();
        let mut visited = vec![path.clone()];
        let mut acts = 0;
        loop {
            while position.actor() == Actor::Chance {
                let drawn = position.draw(rng);
                position.apply(drawn);
            }
            let Actor::Seat(seat) = position.actor() else { break };
            if acts > 0 && E::HIDDEN {
                path.push(Key::Look(eyes.look(&position)));
                visited.push(path.clone());
                self.nodes.entry(path.clone()).or_default();
            }
            let (choices, hidden) = choices(eyes, &position);
            let after = |choice: Option<u8>| {
                let mut longer = path.clone();
                longer.push(Key::Act(seat, choice));
                longer
            };
            let untried: Vec<Option<u8>> =
                choices.iter().copied().filter(|&choice| !self.nodes.contains_key(&after(choice))).collect();
            let choice = if untried.is_empty() {
                let promise = |choice: Option<u8>| {
                    let stat = &self.nodes[&after(choice)];
                    let n = f64::from(stat.visits);
                    let bonus = (libm::log(f64::from(stat.available)) / n).sqrt();
                    stat.sums[seat.index()] / n + self.exploration * bonus
                };
                let better = |a: Option<u8>, b: Option<u8>| if promise(b) > promise(a) { b } else { a };
                choices.iter().copied().reduce(better).unwrap()
            } else {
                rng.pick(&untried)
            };
            self.nodes.entry(after(choice)).or_default();
            for &choice in &choices {
                if let Some(stat) = self.nodes.get_mut(&after(choice)) {
                    stat.available += 1;
                }
            }
            path = after(choice);
            visited.push(path.clone());
            position.apply(choice.unwrap_or_else(|| rng.pick(&hidden)));
            acts += 1;
            if !untried.is_empty() {
                break;
            }
        }
        self.depth = self.depth.max(acts);
        position.playout(rng, &mut Vec::new());
        for path in visited {
            let stat = self.nodes.get_mut(&path).unwrap();
            stat.visits += 1;
            stat.sums.iter_mut().zip(position.outcome().scores()).for_each(|(sum, score)| *sum += score);
        }
    }
}

const PLAYOUTS: u64 = 400;

/// Runs both with the same random numbers and compares all that can be compared.
fn agrees<P: Position<Action = u8>, E: Eyes<P>>(
    eyes: &E,
    world: impl Fn(&mut Rng) -> P,
    seed: u64,
) -> Sampled<u8> {
    let config = IsmctsConfig { exploration: 0.6, ..IsmctsConfig::default() };
    let mut rng = Rng::new(Seed::new(seed));
    let nodes = HashMap::from([(Vec::new(), Stat::default())]);
    let mut naive = Naive { exploration: config.exploration, nodes, depth: 0 };
    let first = world(&mut rng);
    for _ in 0..PLAYOUTS {
        let world = world(&mut rng);
        naive.iterate(eyes, world, &mut rng);
    }
    let mut same_rng = Rng::new(Seed::new(seed));
    let mut search = Ismcts::new(config, Uniform);
    let found = search.search(eyes, world, Limits::count(PLAYOUTS), &mut same_rng, &mut |_| ()).unwrap();
    assert_eq!(rng, same_rng, "both drew the same numbers");
    assert_eq!((found.playouts, found.stopped), (PLAYOUTS, Some(Stop::Count)));
    assert_eq!((found.depth as usize, found.nodes), (naive.depth, naive.nodes.len()));
    let seat = first.actor().seat().unwrap();
    let (all, _) = choices(eyes, &first);
    assert_eq!(found.actions.iter().map(|tried| Some(tried.action)).collect::<Vec<_>>(), all);
    for tried in &found.actions {
        let stat = &naive.nodes[&vec![Key::Act(seat, Some(tried.action))]];
        assert_eq!(tried.visits, u64::from(stat.visits));
        assert_eq!(tried.mean, stat.sums[seat.index()] / f64::from(stat.visits));
        assert_eq!(tried.line[0], tried.action);
    }
    found
}

#[test]
fn the_tree_is_the_naive_one() {
    let (mut hidden, mut deepest) = (0, 0);
    for salt in 0..120 {
        let maze = Maze { seats: 2 + salt as usize % 3, chance: salt % 2 == 0, ..Maze::new(salt, 9, 8) };
        agrees(&AllSeeing, |_: &mut Rng| maze.clone(), salt);
        let fog = Fog::new(maze);
        let found = agrees(&FogEyes, |rng: &mut Rng| fog.drawn(rng), salt);
        deepest = deepest.max(found.depth);
        // Some lines end because what was done, or what then shows, is not known.
        hidden += found.actions.iter().filter(|tried| tried.line.len() < 3).count();
    }
    assert!(hidden > 20 && deepest > 5, "{hidden} lines, depth {deepest}");
}

/// A search of each world alone thinks that it will know; this one does not, but it does use what a look will show.
#[test]
fn nobody_acts_on_what_only_the_search_knows() {
    let limits = Limits::count(3000);
    let best = |may_look: bool, rng: &mut Rng| {
        let mut search = Ismcts::new(IsmctsConfig::default(), Uniform);
        let world = |rng: &mut Rng| Coin::drawn(may_look, rng);
        let found = search.search(&CoinEyes, world, limits, rng, &mut |_| ()).unwrap();
        (found.best().action, found.best().mean)
    };
    for seed in 0..10 {
        let mut rng = Rng::new(Seed::new(seed));
        let (action, mean) = best(false, &mut rng);
        assert_eq!((action, mean), (DRAW, 0.5));
        let (action, mean) = best(true, &mut rng);
        assert!(action == LOOK && mean > 0.9, "{action}, {mean}");

        let choice = FinalChoice::VisitsThenMean;
        let mut uct = Uct::new(UctConfig::default(), Uniform);
        let mut alone = |rng: &mut Rng| {
            let world = Coin::drawn(false, rng);
            uct.search(&world, Limits::count(300), rng, &mut |_| ()).unwrap()
        };
        let mut sum = alone(&mut rng);
        for _ in 0..9 {
            sum.add(alone(&mut rng), choice);
        }
        assert_eq!((sum.best().action, sum.playouts), (GUESS, 3000));
        assert!(sum.best().mean > 0.9, "{sum:?}");
        assert_eq!(sum.actions.iter().map(|tried| tried.visits).sum::<u64>(), 3000);

        // Without a tree a guess is any guess.
        let world = |rng: &mut Rng| Coin::drawn(false, rng);
        let flat = Flat::new(FlatRule::Equal, Uniform).search_worlds(world, limits, &mut rng).unwrap();
        assert_eq!(flat.best().action, DRAW);
        assert!((flat.actions[1].mean - 1.0 / 3.0).abs() < 0.05, "{flat:?}");
    }
}

#[test]
fn believed_worlds_come_as_often_as_they_are_believed_in() {
    let mut rng = Rng::new(Seed::new(3));
    let mut counts = [0; 3];
    for _ in 0..3000 {
        let side = believed_world(
            60,
            |rng| Coin::drawn(false, rng).side,
            |&side| [1.0, 0.0, 3.0][usize::from(side)],
            &mut rng,
        );
        counts[usize::from(side)] += 1;
    }
    assert!(counts[1] == 0 && (680..820).contains(&counts[0]), "{counts:?}");
}

#[test]
fn a_search_stops_when_told_and_stays_within_its_memory() {
    let fog = Fog::new(Maze { seats: 3, ..Maze::new(4, 9, 8) });
    let world = |rng: &mut Rng| fog.drawn(rng);
    let mut rng = Rng::new(Seed::new(1));
    let mut search = Ismcts::new(IsmctsConfig { memory: 0, ..IsmctsConfig::default() }, Uniform);
    let cancel = AtomicBool::new(true);
    let cancelled = Limits { cancel: &cancel, ..Limits::NONE };
    assert_eq!(search.search(&FogEyes, world, cancelled, &mut rng, &mut |_| ()), None);
    let late = Limits { deadline: Some(Instant::now()), ..Limits::NONE };
    let found = search.search(&FogEyes, world, late, &mut rng, &mut |_| ()).unwrap();
    assert_eq!((found.playouts, found.stopped), (1, Some(Stop::Deadline)));
    let mut reports = 0;
    let found = search.search(&FogEyes, world, Limits::count(5000), &mut rng, &mut |_| reports += 1).unwrap();
    assert_eq!((found.nodes, found.playouts, reports), (1 + found.actions.len(), 5000, 3));
}
