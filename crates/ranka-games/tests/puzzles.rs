//! The puzzles that come with the games: every one is proved again, and can be read in both languages.
#![allow(clippy::unwrap_used)]

use ranka_core::{Budget, Seat, Seed, Settings};
use ranka_games::{Hunt, analysts, catalogue, game, proof_of, puzzle_of_the_day, puzzles};
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::AtomicBool;

#[test]
fn every_puzzle_is_proved_and_its_line_can_be_played() {
    let japanese: BTreeMap<String, String> =
        toml::from_str(include_str!("../../../words/ja.toml")).expect("a flat table of texts");
    for entry in catalogue() {
        let name = entry.info().name;
        assert!(puzzles(name).len() >= 20, "{name} has {} puzzles", puzzles(name).len());
        assert!(japanese.contains_key(entry.puzzle_task()), "{:?}", entry.puzzle_task());
        let mut seen = HashSet::new();
        for puzzle in puzzles(name) {
            assert!(seen.insert(&puzzle.position), "{name} asks twice for {}", puzzle.position);
            assert!((1..=4).contains(&puzzle.difficulty));
            let proof = proof_of(name, puzzle).unwrap();
            assert!(japanese.contains_key(proof.says.pattern), "{:?}", proof.says.pattern);
            assert_eq!(proof.line.join(" "), puzzle.line, "{name}: {}", puzzle.position);
            assert!(proof.right.contains(&proof.line[0]));
            let opened = game(name).unwrap().open(&puzzle.rules).unwrap();
            let mut table =
                opened.table(Some(&puzzle.position), &vec![None; opened.seats()], Seed::new(0)).unwrap();
            let choices = table.choices(table.actor().seat().unwrap());
            assert!(proof.right.len() < choices.len(), "whatever one does is right");
            for action in &proof.line {
                table.replay(action).unwrap();
            }
        }
    }
}

/// What was proved holds in play: who begins rightly and goes on perfectly gets what was promised.
#[test]
fn what_is_proved_comes_true() {
    for puzzle in puzzles("tubstap") {
        let opened = game("tubstap").unwrap().open(&puzzle.rules).unwrap();
        let mut table = opened.table(Some(&puzzle.position), &[None, None], Seed::new(0)).unwrap();
        let winner = table.actor().seat().unwrap();
        for action in puzzle.line.split(' ') {
            assert_eq!(table.actor().seat(), Some(winner), "it is all in one turn");
            table.act(action).unwrap();
        }
        assert_eq!(table.result().unwrap().0[winner.index()], 1.0);
    }
    for puzzle in puzzles("geister") {
        let opened = game("geister").unwrap().open(&puzzle.rules).unwrap();
        let mut table = opened.table(Some(&puzzle.position), &[None, None], Seed::new(0)).unwrap();
        let winner = table.actor().seat().unwrap();
        for action in puzzle.line.split(' ') {
            table.act(action).unwrap();
        }
        assert_eq!(table.result().unwrap().0[winner.index()], 1.0);
        let told: usize = proof_of("geister", puzzle).unwrap().says.words[0].parse().unwrap();
        assert_eq!(
            puzzle.line.split(' ').count(),
            told,
            "the other holds out as long as it can: {}",
            puzzle.line
        );
    }
    // Kalah's perfect player agrees on what is best.
    for puzzle in puzzles("kalah").iter().step_by(4) {
        let opened = game("kalah").unwrap().open(&puzzle.rules).unwrap();
        let perfect = opened.agent("perfect").unwrap();
        let thought = opened
            .analyse(&puzzle.position, &perfect, Seed::new(1), &Settings::default(), &mut |_| {})
            .unwrap();
        let proof = proof_of("kalah", puzzle).unwrap();
        assert!(proof.right.contains(&thought.choice), "{}: {}", puzzle.position, thought.choice);
    }
}

#[test]
fn a_hunt_finds_the_same_again() {
    let game = game("labyrinth").unwrap().open("").unwrap();
    let by = game.agent("random").unwrap();
    let cancel = AtomicBool::new(false);
    let hunt = Hunt { game: game.as_ref(), by: &by, seed: Seed::new(5), count: 3, games: 4, cancel: &cancel };
    let first = hunt.run(&mut |_, _| {}).unwrap();
    assert!(!first.is_empty());
    assert_eq!(first, hunt.run(&mut |_, _| {}).unwrap());
}

#[test]
fn every_day_has_its_puzzle() {
    let days: HashSet<_> = (20_000..20_100).map(|day| puzzle_of_the_day(day).unwrap()).collect();
    assert_eq!(days.len(), 100, "a hundred days, a hundred puzzles");
    let games: HashSet<_> = days.iter().map(|(game, _)| *game).collect();
    assert_eq!(games.len(), catalogue().len());
}

/// Analysts tell winning chances that come true: over games of players who know what they do, where the analyst gives a seat
/// so much, that is about what it gets.
#[test]
fn analysts_are_calibrated() {
    for (name, players, games, look, tolerance) in
        [("kalah", "strong:nodes=3000", 60, 10_000, 0.15), ("labyrinth", "static", 30, 60, 0.2)]
    {
        let settings = Settings { budget: Some(Budget::Nodes(look)), ..Settings::default() };
        let game = game(name).unwrap().open("").unwrap();
        let (agent, judging) =
            (game.agent(players).unwrap(), game.agent(&analysts(name).unwrap()[0]).unwrap());
        let random = game.agent("random").unwrap();
        // Expected and actual scores, by what was expected: less than a third, between, more than two thirds.
        let mut bins = [(0.0, 0.0, 0u32); 3];
        for number in 0..games {
            let mut table = game.table(None, &vec![Some(&agent); game.seats()], Seed::new(number)).unwrap();
            let mut other = game.table(None, &vec![Some(&random); game.seats()], Seed::new(number)).unwrap();
            let mut told = Vec::new();
            while let Some(seat) = table.actor().seat() {
                if table.plies() < 4 {
                    // Games differ from the beginning.
                    let thought = other.choose(&Settings::default()).unwrap();
                    other.act(&thought.choice).unwrap();
                    table.act(&thought.choice).unwrap();
                    continue;
                }
                if table.plies() % 8 == 5 {
                    let thought = game
                        .analyse(&table.view(seat), &judging, Seed::new(1), &settings, &mut |_| {})
                        .unwrap();
                    let chances = ranka_games::chances(name, &judging.short, &thought).unwrap();
                    if let Some(best) = chances.into_iter().max_by(f64::total_cmp) {
                        told.push((seat, best));
                    }
                }
                table.think(&Settings::default()).unwrap();
            }
            let scores = table.result().unwrap().0;
            for (seat, chance) in told {
                let bin = &mut bins[((3.0 * chance) as usize).min(2)];
                *bin = (bin.0 + chance, bin.1 + scores[Seat::index(seat)], bin.2 + 1);
            }
        }
        for (expected, actual, count) in bins.into_iter().filter(|bin| bin.2 >= 30) {
            let (expected, actual) = (expected / f64::from(count), actual / f64::from(count));
            println!("{name}: expected {expected:.2}, came true {actual:.2} ({count} positions)");
            assert!(
                (expected - actual).abs() < tolerance,
                "{name}: {expected:.2} expected, {actual:.2} came true"
            );
        }
    }
}
