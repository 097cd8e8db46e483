//! A search that is stopped because nobody looks changes nothing: who comes back sees the game that it would have been.

use super::*;
use crate::hall::record_of;
use crate::opening::Sitter;
use ranka_core::{Record, Rng, Seed, Settings};
use std::time::{Duration, Instant};

/// Agents that think for some milliseconds: time enough to be stopped in.
const GAMES: [(&str, &str, [&str; 2]); 5] = [
    ("kalah", "", ["minimax:depth=10", "minimax:depth=8,unit=turn"]),
    ("geister", "plies=16", ["purple-max:depth=8,ties=uniform", "naotti-1.1:depth=6"]),
    (
        "labyrinth",
        "cards-per-player=1,ply-cap=12",
        ["static:budget=4000,threshold=100000", "inference:budget=4000,threshold=100000"],
    ),
    ("tantrix", "", ["uct:playouts=150", "darwin:playouts=150"]),
    ("tubstap", "map=duel,limit=5", ["uct:playouts=4000", "uct-fpu:playouts=4000"]),
];

fn room(game: &str, rules: &str, agents: [&str; 2]) -> Result<Room, Error> {
    let opened = ranka_games::game(game)?.open(rules)?;
    let opening = Opening {
        game: game.to_owned(),
        rules: rules.to_owned(),
        seats: agents.map(|agent| Sitter::Agent(agent.to_owned())).to_vec(),
        levels: std::collections::BTreeMap::new(),
        seed: 5,
        start: opened.start(Seed::new(5)),
        position: None,
        seeded: true,
        pace: 0,
        hints: false,
        clock: None,
        teaches: None,
    };
    let agents = agents.iter().map(|agent| opened.agent(agent).map(Some)).collect::<Result<_, _>>()?;
    let room = Room::new("test".to_owned(), opening, Prepared { game: opened, agents }, None)?;
    room.present.store(1, Ordering::SeqCst);
    Ok(room)
}

/// Plays to the end. `delay` says when the next search is stopped, if it is; tells how many were.
fn drive(room: &Room, mut delay: impl FnMut() -> Option<Duration>) -> Result<u32, Error> {
    let mut stopped = 0;
    loop {
        let next = room.next(&mut room.play());
        let Next::Think { mut thinker, stop, generation } = next else {
            if matches!(next, Next::Wait) {
                return Ok(stopped);
            }
            continue;
        };
        let (delay, done) = (delay(), AtomicBool::new(false));
        let answer = std::thread::scope(|scope| {
            let (stop, done) = (&stop, &done);
            let stopper = delay.map(|delay| {
                scope.spawn(move || {
                    std::thread::park_timeout(delay);
                    if !done.load(Ordering::Relaxed) {
                        stop.store(true, Ordering::Relaxed);
                    }
                })
            });
            let settings = Settings { cancel: stop, ..Settings::default() };
            let answer = thinker.think(&settings, &mut |_| {});
            done.store(true, Ordering::Relaxed);
            if let Some(stopper) = stopper {
                stopper.thread().unpark();
            }
            answer
        });
        stopped += u32::from(answer == Err(Fault::Cancelled));
        room.thought(&mut room.play(), thinker, generation, answer)?;
    }
}

fn played(room: &Room) -> Option<Record> {
    record_of(room, Duration::from_secs(1))
}

/// How often each game is played with searches that are stopped, until enough were.
const ROUNDS: u64 = 20;

#[test]
fn a_search_that_was_stopped_leaves_no_trace() -> Result<(), Error> {
    for (game, rules, agents) in GAMES {
        let whole = room(game, rules, agents)?;
        let begun = Instant::now();
        drive(&whole, || None)?;
        let record = played(&whole);
        assert!(record.is_some(), "{game} came to no end");
        let usual = begun.elapsed() / record.as_ref().map_or(1, |record| record.plies.max(1));
        let mut stopped = 0;
        for round in 0..ROUNDS {
            let mut rng = Rng::new(Seed::new(7).at(round));
            let troubled = room(game, rules, agents)?;
            // Every other search is let through, or it would never end.
            stopped += drive(&troubled, || rng.chance(0.5).then(|| usual.mul_f64(rng.unit())))?;
            assert_eq!(played(&troubled), record, "{game}");
            if stopped > 4 {
                break;
            }
        }
        assert!(stopped > 0, "{game}: no search was stopped");
    }
    Ok(())
}
