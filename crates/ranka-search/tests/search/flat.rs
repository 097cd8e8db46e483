//! Flat Monte Carlo shares its playouts as promised and finds what playouts can find.

use crate::toys::Maze;
use ranka_core::{Actor, Position, Rng, Scale, Seat, Seed};
use ranka_search::{Flat, FlatRule, Limits, Stop, Tried, Uniform};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

const UCB1: FlatRule = FlatRule::Ucb1 { exploration: 0.5 };

fn maze(salt: u64) -> Maze {
    Maze { seats: 3, chance: true, ..Maze::new(salt, 12, 5) }
}

/// The expected outcome for `seat` when everybody plays at random.
fn random_play(position: &Maze, seat: Seat) -> f64 {
    if position.actor().is_over() {
        return position.outcome().score(seat);
    }
    let mut actions = Vec::new();
    position.actions(&mut actions);
    let values = actions.iter().map(|&action| {
        let mut next = position.clone();
        next.apply(action);
        let share = match position.actor() {
            Actor::Chance => position.probability(action),
            _ => 1.0 / actions.len() as f64,
        };
        share * random_play(&next, seat)
    });
    values.sum()
}

#[test]
fn the_means_are_those_of_random_play() {
    for salt in 0..20 {
        let root = maze(salt);
        let seat = root.actor().seat().unwrap();
        let expected = |tried: &Tried<u8>| {
            let mut next = root.clone();
            next.apply(tried.action);
            random_play(&next, seat)
        };
        for rule in [FlatRule::Equal, UCB1] {
            let mut rng = Rng::new(Seed::new(salt));
            let found = Flat::new(rule, Uniform).search(&root, Limits::count(20_000), &mut rng).unwrap();
            let best = found.actions.iter().map(expected).fold(0.0, f64::max);
            for tried in found.actions.iter().filter(|tried| tried.visits > 1000) {
                assert!((tried.mean - expected(tried)).abs() < 0.06, "{tried:?}");
            }
            assert!(best - expected(found.best()) < 0.04);
            assert!(found.actions.iter().all(|tried| tried.mean <= found.best().mean));
        }
    }
}

#[test]
fn equal_means_equal_and_ucb1_does_what_its_formula_says() {
    let root = maze(4);
    let mut actions = Vec::new();
    root.actions(&mut actions);
    let arms = actions.len();
    assert!(arms > 2);
    for count in [0, 1, 10 * arms as u64, 10 * arms as u64 + 2] {
        let mut rng = Rng::new(Seed::new(1));
        let found =
            Flat::new(FlatRule::Equal, Uniform).search(&root, Limits::count(count), &mut rng).unwrap();
        let each = (count / arms as u64).max(1);
        assert!(found.actions.iter().all(|tried| tried.visits == each), "{count}: {found:?}");
    }

    let seat = root.actor().seat().unwrap();
    let (mut rng, mut scratch) = (Rng::new(Seed::new(2)), Vec::new());
    let mut naive = vec![(0.0f64, 0.0f64); arms];
    for done in 0..500 {
        let mut arm = 0;
        let mut highest = f64::NEG_INFINITY;
        for (i, &(n, sum)) in naive.iter().enumerate() {
            let promise =
                if n == 0.0 { f64::INFINITY } else { sum / n + 0.5 * (f64::from(done).ln() / n).sqrt() };
            if promise > highest {
                (arm, highest) = (i, promise);
            }
        }
        let mut position = root.clone();
        position.apply(actions[arm]);
        position.playout(&mut rng, &mut scratch);
        naive[arm].0 += 1.0;
        naive[arm].1 += position.outcome().score(seat);
    }
    let mut same_rng = Rng::new(Seed::new(2));
    let found = Flat::new(UCB1, Uniform).search(&root, Limits::count(500), &mut same_rng).unwrap();
    let got: Vec<(f64, f64)> = found.actions.iter().map(|tried| (tried.visits as f64, tried.mean)).collect();
    let wanted: Vec<(f64, f64)> = naive.iter().map(|&(n, sum)| (n, sum / n)).collect();
    assert_eq!(got, wanted);
    assert_eq!((rng, found.playouts, found.stopped), (same_rng, 500, Some(Stop::Count)));
    let thought = found.thought(Scale::Score);
    assert_eq!((thought.choice, thought.candidates.len(), thought.nodes), (found.best().action, arms, 500));
}

#[test]
fn a_search_stops_when_told() {
    let root = maze(4);
    let mut rng = Rng::new(Seed::new(1));
    let cancel = AtomicBool::new(true);
    let cancelled = Limits { cancel: &cancel, ..Limits::NONE };
    let late = Limits { deadline: Some(Instant::now()), ..Limits::NONE };
    for rule in [FlatRule::Equal, UCB1] {
        let mut flat = Flat::new(rule, Uniform);
        assert_eq!(flat.search(&root, cancelled, &mut rng), None);
        let found = flat.search(&root, late, &mut rng).unwrap();
        assert_eq!((found.playouts, found.stopped), (found.actions.len() as u64, Some(Stop::Deadline)));
    }
}
