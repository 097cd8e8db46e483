//! Games by another version of an agent are never mixed in silently.
#![allow(clippy::unwrap_used, clippy::single_range_in_vec_init)]

use ranka_core::{AnyAgent, AnyGame, Budget, Seed};
use ranka_lab::experiment::{Experiment, Findings, Run, Size, Tournament, version_words};
use ranka_lab::export::{GameRows, csv_to};
use ranka_lab::stats::{EloModel, Sprt};
use ranka_lab::{GameLimits, Pairing, Replayer, Runner, Seating, Sequential, Shard, Store, VersionCount};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

static GO_ON: AtomicBool = AtomicBool::new(false);
const RUNNER: Runner<'_> = Runner { threads: 1, cancel: &GO_ON };

fn kalah() -> Arc<dyn AnyGame> {
    ranka_games::game("kalah").unwrap().open("houses=3,seeds=2").unwrap()
}

/// An agent as it would be of that version; it plays alike in all.
fn of_version(spec: &str, version: u32) -> AnyAgent {
    let mut agent = kalah().agent(spec).unwrap();
    agent.version = version;
    agent.identity = format!("{};version {version}", agent.family);
    if version == 1 {
        agent.identity = agent.family.clone();
    }
    agent
}

fn pairing(version: u32) -> Pairing {
    let agents = vec![of_version("minimax:depth=2", version), of_version("random", 1)];
    Pairing::new(kalah(), agents, Seating::Swapped, Seed::new(3), GameLimits::default(), &[]).unwrap()
}

fn play_into(store: &mut Store, pairing: &Pairing, first: u64, count: u64) {
    let key = store.key(pairing).unwrap();
    let games = Shard { pairing, first, count }.run(&GO_ON);
    store.add(games.iter().map(|(number, game)| (key, *number, game))).unwrap();
}

fn count(versions: &[u32], games: u64) -> VersionCount {
    VersionCount { versions: versions.to_vec(), games }
}

#[test]
fn versions_share_a_family_and_no_identity() {
    let [one, two] = [1, 2].map(pairing);
    assert_eq!(one.family(), two.family());
    assert_ne!(one.identity(), two.identity());
    assert_eq!(one.identity(), one.family(), "games from before agents had versions are of the first");
    let mut other = of_version("minimax:depth=3", 2);
    other.version = 2;
    let agents = vec![other, of_version("random", 1)];
    let other =
        Pairing::new(kalah(), agents, Seating::Swapped, Seed::new(3), GameLimits::default(), &[]).unwrap();
    assert_ne!(other.family(), two.family());
}

#[test]
fn other_versions_are_left_out_and_told_unless_asked_for() {
    let mut store = Store::in_memory().unwrap();
    let [one, two, three] = [1, 2, 3].map(pairing);
    play_into(&mut store, &one, 0, 4);
    let apart = store.sources(&two, false).unwrap();
    assert_eq!(apart.missing(&store, 6).unwrap(), [0..6]);
    assert!(apart.results(&store, 6).unwrap().is_empty());
    assert_eq!(apart.left_out(&store, 6).unwrap(), [count(&[1, 1], 4)]);
    assert_eq!(apart.left_out(&store, 3).unwrap(), [count(&[1, 1], 3)]);
    let told = store.left_out([(&two, 6), (&one, 6)]).unwrap();
    assert_eq!(told.into_iter().collect::<Vec<_>>(), [("version 1 of minimax".to_owned(), 4)]);

    let together = store.sources(&two, true).unwrap();
    assert_eq!(together.missing(&store, 6).unwrap(), [4..6]);
    assert!(together.left_out(&store, 6).unwrap().is_empty());
    let taken = together.results(&store, 6).unwrap();
    assert_eq!(VersionCount::of(&taken), [count(&[1, 1], 4)]);

    // Those of its own version go before, then the newest of the others.
    play_into(&mut store, &two, 2, 3);
    let by = |store: &Store, pairing: &Pairing| {
        let taken = store.sources(pairing, true).unwrap().results(store, 9).unwrap();
        taken.iter().map(|game| (game.number, game.versions[0])).collect::<Vec<_>>()
    };
    assert_eq!(by(&store, &two), [(0, 1), (1, 1), (2, 2), (3, 2), (4, 2)]);
    assert_eq!(by(&store, &one), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 2)]);
    assert_eq!(by(&store, &three), by(&store, &two));
    let apart = store.sources(&three, false).unwrap().left_out(&store, 9).unwrap();
    assert_eq!(apart, [count(&[2, 1], 3), count(&[1, 1], 2)], "a number is told of once");
    // What is there anyway is not told.
    play_into(&mut store, &two, 0, 2);
    assert!(store.left_out([(&two, 5)]).unwrap().is_empty());
}

fn tournament(version: u32) -> Experiment {
    let tournament = Tournament {
        game: kalah(),
        agents: vec![of_version("minimax:depth=2", version), of_version("random", 1)],
        games: 6,
        points: [1.0, 0.5, 0.0],
        final_of: None,
        final_games: None,
        seating: Seating::Swapped,
        seed: 3,
        limits: GameLimits::default(),
    };
    tournament.plan().unwrap()
}

#[test]
fn findings_say_which_versions_made_them() {
    let mut store = Store::in_memory().unwrap();
    let found = |store: &mut Store, version, any_version| {
        let run = Run { size: Size::Games(6), runner: RUNNER, fresh: false, any_version };
        let experiment = tournament(version);
        let played = run.play(&experiment, store, &mut |_| {}).unwrap();
        let mut csv = Vec::new();
        let rows = [GameRows::played(&experiment.pairings[0].pairing, played.pairings[0].stored(store))];
        csv_to(&mut csv, &rows).unwrap().unwrap();
        let finding = Findings::of(&experiment, Size::Games(6), &played).unwrap().pairings.remove(0);
        (finding.versions.clone(), finding.version_words(), String::from_utf8(csv).unwrap())
    };
    assert_eq!(found(&mut store, 1, false).0, [count(&[1, 1], 6)]);
    assert_eq!(found(&mut store, 1, false).1, None);
    let (versions, words, csv) = found(&mut store, 2, true);
    assert_eq!((versions, words), (vec![count(&[1, 1], 6)], None), "nothing had to be played");
    assert!(csv.lines().next().unwrap().contains("agent0.spec,agent0.version,agent0.seat"), "{csv}");

    let mut store = Store::in_memory().unwrap();
    play_into(&mut store, &tournament(1).pairings[0].pairing, 0, 4);
    let (versions, words, csv) = found(&mut store, 2, true);
    assert_eq!(versions, [count(&[2, 1], 2), count(&[1, 1], 4)]);
    assert_eq!(words.unwrap(), "2 games by version 2 of minimax, 4 games by version 1 of minimax");
    let version = |line: &str| line.contains(",ties=uniform\",2,");
    assert_eq!(csv.lines().filter(|line| version(line)).count(), 2, "{csv}");
    let (versions, words, _) = found(&mut store, 2, false);
    assert_eq!((versions, words), (vec![count(&[2, 1], 6)], Some("version 2 of minimax".to_owned())));
}

#[test]
fn an_agent_against_itself_is_told_once() {
    let agents = ["uct:playouts=20", "uct"].map(str::to_owned);
    assert_eq!(version_words(&agents, &[count(&[2, 2], 6)]).unwrap(), "version 2 of uct");
    let mixed = version_words(&agents, &[count(&[2, 2], 6), count(&[1, 1], 1)]).unwrap();
    assert_eq!(mixed, "6 games by version 2 of uct, 1 game by version 1 of uct");
    assert_eq!(version_words(&agents, &[]), None);
}

#[test]
fn sequential_tests_keep_versions_apart_too() {
    let test = Sprt::new(EloModel::Logistic, 0.0, 300.0, 0.05, 0.05).unwrap();
    let [one, two] = [1, 2].map(pairing);
    let run = |store: &mut Store, pairing, any_version, games| {
        let sequential = Sequential { pairing, test, games, runner: RUNNER, fresh: false, any_version };
        sequential.run(store, |_| {}).unwrap()
    };
    let mut store = Store::in_memory().unwrap();
    let old = run(&mut store, &one, false, 8);
    let key = store.key(&two).unwrap();
    assert_eq!(run(&mut store, &two, true, 8).results, old.results);
    assert!(store.results(key, 8).unwrap().is_empty(), "nothing had to be played");
    run(&mut store, &two, false, 8);
    assert_eq!(store.results(key, 8).unwrap().len() as u64, old.games);
}

#[test]
fn whatever_can_decide_a_game_is_in_its_record_and_its_identity() {
    let usual = GameLimits::default();
    let limits = [
        usual,
        GameLimits { ply_cap: 3, ..usual },
        GameLimits { budget: Some(Budget::Nodes(9)), ..usual },
        GameLimits { budget: Some(Budget::Playouts(9)), ..usual },
        GameLimits { move_limit: Some(Duration::from_secs(60)), ..usual },
        GameLimits { move_limit: Some(Duration::from_secs(61)), ..usual },
    ];
    let mut store = Store::in_memory().unwrap();
    let mut identities = BTreeSet::new();
    for limits in limits {
        let agents = vec![of_version("minimax:depth=2", 2), of_version("random", 1)];
        let pairing = Pairing::new(kalah(), agents, Seating::Swapped, Seed::new(3), limits, &[]).unwrap();
        assert!(identities.insert(pairing.identity().to_owned()), "{limits:?}");
        play_into(&mut store, &pairing, 0, 2);
        let record = store.record(store.key(&pairing).unwrap(), 1).unwrap().unwrap();
        assert_eq!(record, pairing.play(1, &GO_ON).record);
        assert_eq!(record.versions, [1, 2], "by seat");
        assert_eq!(record.ply_cap, Some(limits.ply_cap));
        assert_eq!(record.budget, limits.budget.map(|budget| budget.to_string()));
        assert_eq!(record.move_limit, limits.move_limit.map(|limit| limit.as_millis() as u64));
        Replayer::default().check(&record).unwrap();
    }
}
