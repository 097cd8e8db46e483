//! A search that is stopped because nobody looks changes nothing: who comes back sees the game that it would have been.

use super::*;
use crate::hall::record_of;
use crate::opening::Sitter;
use ranka_core::{Record, Rng, Seed, Settings};
use std::time::{Duration, Instant};

const GAMES: [(&str, &str, [&str; 2]); 5] = [
    ("kalah", "houses=5,seeds=3", ["minimax:depth=9", "minimax:depth=8,unit=turn"]),
    ("geister", "plies=24", ["purple-max:depth=7,ties=uniform", "naotti-1.1:depth=5"]),
    (
        "labyrinth",
        "cards-per-player=1,ply-cap=24",
        ["static:budget=400", "big-brain:preset=thesis,budget=400"],
    ),
    ("tantrix", "", ["uct:playouts=60", "darwin:playouts=60"]),
    ("tubstap", "map=duel,limit=5", ["uct:playouts=400", "uct-fpu:playouts=400"]),
];

fn room(game: &str, rules: &str, agents: [&str; 2]) -> Result<Room, Error> {
    let opened = ranka_games::game(game)?.open(rules)?;
    let opening = Opening {
        game: game.to_owned(),
        rules: rules.to_owned(),
        seats: agents.map(|agent| Sitter::Agent(agent.to_owned())).to_vec(),
        seed: 5,
        start: opened.start(Seed::new(5)),
        position: None,
        seeded: true,
        pace: 0,
        teaches: None,
    };
    let agents = agents.iter().map(|agent| opened.agent(agent).map(Some)).collect::<Result<_, _>>()?;
    let room = Room::new(
        "test".to_owned(),
        opening,
        Policy { trusted: true },
        Prepared { game: opened, agents },
        None,
    )?;
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

#[test]
fn a_search_that_was_stopped_leaves_no_trace() -> Result<(), Error> {
    let mut stopped = 0;
    for (place, (game, rules, agents)) in (0..).zip(GAMES) {
        let whole = room(game, rules, agents)?;
        let begun = Instant::now();
        drive(&whole, || None)?;
        let record = played(&whole);
        let plies = record.as_ref().map_or(1, |record| record.plies.max(1));
        let usual = begun.elapsed() / plies;
        let mut rng = Rng::new(Seed::new(7).at(place));
        let troubled = room(game, rules, agents)?;
        // Every other search is let through, or it would never end.
        stopped += drive(&troubled, || rng.chance(0.5).then(|| usual.mul_f64(2.0 * rng.unit())))?;
        assert!(record.is_some(), "{game} came to no end");
        assert_eq!(played(&troubled), record, "{game}");
    }
    assert!(stopped > 10, "only {stopped} searches were stopped");
    Ok(())
}
