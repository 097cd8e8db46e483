//! Whole matches between our own agents through our own server.

use crate::house::{Left, options, serve};
use crate::relay::{Cuts, Relay};
use ranka_bots::geister::{Client, Options, ServerGame};
use ranka_bots::net::Log;
use ranka_core::{AnyGame, CatalogueEntry, GameSeeds, Seat, Seed, Settings};
use ranka_geister::Geister;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

fn geister() -> Arc<dyn AnyGame> {
    CatalogueEntry::<Geister>::with(&[]).open("plies=300").unwrap()
}

fn play(ports: [u16; 2], seat: Seat, number: usize, agent: &str, seeds: &GameSeeds) -> ServerGame {
    let game = geister();
    let client = Client {
        host: "127.0.0.1",
        port: ports[seat.index()],
        seat,
        game: &*game,
        agent: &game.agent(agent).unwrap(),
        number,
        settings: Settings::default(),
        patience: Duration::from_secs(60),
        silence: Duration::from_secs(120),
        log: &Log::silent(),
    };
    client.play(seeds).unwrap()
}

#[test]
fn a_match_over_the_protocol_is_the_match_in_one_process() {
    let matches = [
        ["random", "blue-rush"],
        ["purple-max:depth=3", "naotti-1.1:depth=2"],
        ["suspicion:depth=3", "purple-dfpn"],
    ];
    compare(&matches, None);
}

#[test]
fn it_does_not_matter_in_which_pieces_lines_arrive() {
    compare(&[["random", "blue-rush"]], Some(Cuts::Random(Seed::new(1))));
}

/// The same matches in one process and over the protocol, where what passes may be cut on its way.
fn compare(matches: &[[&str; 2]], cuts: Option<Cuts>) {
    let game = geister();
    for names in matches {
        let agents = names.map(|name| game.agent(name).unwrap());
        for turned in [0, 1] {
            // In the second game of each pair the first agent has the second seat.
            let number = |seat: Seat| (seat.index() + turned) % 2;
            let all_seeds: Vec<GameSeeds> =
                (0..6).map(|pair| GameSeeds::of(Seed::new(11), pair, turned as u64)).collect();
            let mut told = Vec::new();
            // Our client tells lines apart.
            let left = serve(Options { pace: Duration::ZERO, ..options() }, |ports| {
                let relays =
                    cuts.map(|cuts| ports.map(|port| Relay::to(([127, 0, 0, 1], port).into(), cuts)));
                let ports = relays
                    .as_ref()
                    .map_or(ports, |relays| relays.each_ref().map(|relay| relay.address.port()));
                let series = |seat: Seat| {
                    let name = names[number(seat)];
                    all_seeds
                        .iter()
                        .map(|seeds| play(ports, seat, number(seat), name, seeds))
                        .collect::<Vec<_>>()
                };
                told = thread::scope(|scope| {
                    let both = [Seat::FIRST, Seat::SECOND].map(|seat| scope.spawn(move || series(seat)));
                    both.map(|series| series.join().unwrap()).into_iter().collect()
                });
            });
            for (i, seeds) in all_seeds.iter().enumerate() {
                let players = [Seat::FIRST, Seat::SECOND].map(|seat| (&agents[number(seat)], number(seat)));
                let here = game.play(&players, seeds, &Settings::default(), None).record;
                let there = &left.records[i];
                assert_eq!(
                    (&there.actions, &there.end, &there.outcome),
                    (&here.actions, &here.end, &here.outcome)
                );
                for (seat, played) in told.iter().map(|played: &Vec<ServerGame>| &played[i]).enumerate() {
                    let record = played.record.as_ref().unwrap();
                    assert_eq!((&record.actions, record.seed), (&here.actions, here.seed));
                    assert_eq!((&record.agents[seat], &record.numbers), (&here.agents[seat], &here.numbers));
                }
            }
        }
    }
}

/// As many pairs of clients as tables, each playing on as long as `more` says. Answers also with how many
/// games the clients have seen, and how long it took.
fn soak(tables: usize, agents: [&str; 2], more: impl Fn(u64) -> bool + Sync) -> (Left, u64, Duration) {
    let (played, begun, mut took) = (AtomicU64::new(0), Instant::now(), Duration::ZERO);
    let left = serve(Options { tables, ..options() }, |ports| {
        thread::scope(|scope| {
            for table in 0..tables {
                // A game needs both, so both must agree on whether there is another.
                let pair = Arc::new((Barrier::new(2), AtomicBool::new(true)));
                for seat in [Seat::FIRST, Seat::SECOND] {
                    let (pair, played, more) = (pair.clone(), &played, &more);
                    scope.spawn(move || {
                        for round in 0.. {
                            if pair.0.wait().is_leader() {
                                pair.1.store(more(round), Ordering::Relaxed);
                            }
                            pair.0.wait();
                            if !pair.1.load(Ordering::Relaxed) {
                                return;
                            }
                            let seeds = GameSeeds::of(Seed::new(table as u64), round, 0);
                            let game = play(ports, seat, seat.index(), agents[seat.index()], &seeds);
                            assert_ne!(game.verdict, None, "{:?}", game.why);
                            played.fetch_add(1, Ordering::Relaxed);
                        }
                    });
                }
            }
        });
        took = begun.elapsed();
    });
    (left, played.into_inner(), took)
}

#[test]
fn fifty_tables_at_once_lose_no_game() {
    let (left, played, _) = soak(50, ["random", "blue-rush"], |round| round < 2);
    assert_eq!((left.records.len(), played), (100, 200));
    assert!(left.ends().iter().all(|end| *end == ("rules", None)), "{:?}", left.summary);
}

/// `cargo test --release -p ranka-bots --test geister -- --ignored --nocapture`; RANKA_SOAK_SECONDS says how
/// long.
#[test]
#[ignore = "takes ten minutes; a hundred games at fifty tables are played in every run"]
fn fifty_tables_for_ten_minutes_lose_no_game() {
    let seconds = std::env::var("RANKA_SOAK_SECONDS").map_or(600, |text| text.parse().unwrap());
    let begun = Instant::now();
    let (left, played, took) =
        soak(50, ["random", "blue-rush"], |_| begun.elapsed() < Duration::from_secs(seconds));
    println!("{} games in {took:?}: {:?}", left.records.len(), left.summary);
    assert_eq!(left.records.len() as u64 * 2, played);
    assert!(left.ends().iter().all(|end| *end == ("rules", None)), "{:?}", left.summary);
}
