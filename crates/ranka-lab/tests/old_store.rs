//! A store that was written before agents had versions, when some parameters were spelled with underscores, is opened,
//! and every game in it is found again.
#![allow(clippy::unwrap_used)]

use ranka_core::{Budget, Record, Seat, Seed};
use ranka_lab::{GameLimits, Pairing, Replayer, Seating, Store};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Version 0.1.0 wrote this, identities included, by `ranka tournament`, `sprt`, `experiment run` and `record import`
/// (`sqlite3 store.sqlite .dump`, and the two pragmas).
const OLD: &str = include_str!("old_store.sql");

/// What was asked of that program, in the spelling of today: seed, seating, games, game, rules, agents.
const ASKED: [(u64, Seating, u64, &str, &str, &[&str]); 9] = [
    (
        3,
        Seating::Swapped,
        2,
        "kalah",
        "houses=2,seeds=1,end=mover-empty,leftover=none,early-majority=on",
        &["max-q:backup=random-env", "random"],
    ),
    (
        4,
        Seating::Swapped,
        2,
        "kalah",
        "houses=3,seeds=2,leftover=opponent-of-emptied,pie=on",
        &["minimax:depth=2,unit=turn", "random"],
    ),
    (0, Seating::Random, 4, "kalah", "houses=2,seeds=2", &["minimax:depth=1", "random"]),
    (5, Seating::Swapped, 2, "geister", "plies=9", &["purple-max:depth=2,ties=uniform", "suspicion:depth=2"]),
    (
        6,
        Seating::Swapped,
        2,
        "labyrinth",
        "cards-per-player=1,return-home=off,ply-cap=6,open-hands=on",
        &["big-brain:budget=2", "saboteur:factor=1"],
    ),
    (
        6,
        Seating::Swapped,
        3,
        "labyrinth",
        "players=3,cards-per-player=1,ply-cap=6,shuffle=max-region-4",
        &["distance:budget=2", "random", "random-original"],
    ),
    (
        7,
        Seating::Swapped,
        2,
        "tubstap",
        "map=duel,limit=3,effective-only=on",
        &["uct:playouts=20,expand=2", "dlmc:m=3,n=2,d=1,sample=attack-first,policy=mix70,eval=weighted"],
    ),
    (
        8,
        Seating::Fixed,
        1,
        "tantrix",
        "",
        &[
            "small-loop:playouts=4,loop-weight=1,loop-most=5,loop-until=9",
            "counting-obstructor:playouts=4,count-forced=on,count-weight=1,endgame-nodes=100",
        ],
    ),
    (9, Seating::Swapped, 2, "kalah", "houses=2,seeds=2", &["minimax:depth=2", "random"]),
];

fn old_store(path: &Path) -> Store {
    rusqlite::Connection::open(path).unwrap().execute_batch(OLD).unwrap();
    Store::open(path).unwrap()
}

fn pairing(asked: &(u64, Seating, u64, &str, &str, &[&str])) -> Pairing {
    let (seed, seating, _, game, rules, agents) = asked;
    let game = ranka_games::game(game).unwrap().open(rules).unwrap();
    let agents = agents.iter().map(|spec| game.agent(spec).unwrap()).collect();
    let limits = match seed {
        4 => GameLimits { budget: Some(Budget::Nodes(500)), ply_cap: 30, ..GameLimits::default() },
        0 => GameLimits { move_limit: Some(Duration::from_secs(60)), ..GameLimits::default() },
        _ => GameLimits::default(),
    };
    let measures: &[String] = match seed {
        9 => &["plies", "margin", "value"].map(str::to_owned),
        _ => &[],
    };
    Pairing::new(game, agents, *seating, Seed::new(*seed), limits, measures).unwrap()
}

#[test]
fn every_game_is_found_again_and_is_the_game_that_is_played_today() {
    let folder = tempfile::tempdir().unwrap();
    let store = old_store(&folder.path().join("old.sqlite"));
    let go_on = AtomicBool::new(false);
    for asked in &ASKED {
        let pairing = pairing(asked);
        let (sources, games) = (store.sources(&pairing, true).unwrap(), asked.2);
        assert!(sources.missing(&store, games).unwrap().is_empty(), "{asked:?} is not found");
        // An agent whose version has risen since plays otherwise: its games are known, and are not these.
        if pairing.agents().iter().any(|agent| agent.version > 1) {
            assert_eq!(store.missing(sources.own, games).unwrap(), vec![0..games]);
            continue;
        }
        let (key, results) = (sources.own, store.results(sources.own, games).unwrap());
        for number in 0..games {
            let record = store.record(key, number).unwrap().unwrap();
            Replayer::default().check(&record).unwrap();
            assert_eq!(
                record.versions,
                vec![1; asked.5.len()],
                "what was kept before is of the first version"
            );
            let played = pairing.play(number, &go_on);
            assert_eq!(
                (&record.start, &record.actions, &record.outcome, &record.numbers),
                (
                    &played.record.start,
                    &played.record.actions,
                    &played.record.outcome,
                    &played.record.numbers
                )
            );
            assert_eq!(
                format!("{:?}", results[number as usize].measured),
                format!("{:?}", played.measured),
                "what was measured is what is measured"
            );
        }
    }
    let pairings = store.pairings().unwrap();
    assert_eq!(pairings.len(), ASKED.len(), "nothing was added under another identity");
    assert_eq!(pairings.iter().map(|pairing| pairing.games).sum::<u64>(), 20);
}

#[test]
fn old_records_replay() {
    let folder = tempfile::tempdir().unwrap();
    let store = old_store(&folder.path().join("old.sqlite"));
    let imported: Vec<Record> = store.imported().unwrap().into_iter().map(|(_, record)| record).collect();
    assert_eq!(imported.len(), 1);
    assert_eq!(
        (imported[0].format, imported[0].versions.len(), imported[0].version_of(Seat::SECOND)),
        (1, 0, 1)
    );
    Replayer::default().check(&imported[0]).unwrap();
}
