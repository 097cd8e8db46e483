//! The reference server of the Kalah Game Protocol notes a state after it has sent it. A move that comes sooner is refused,
//! a `yield` that follows is accepted, and the server then plays any house for us.
#![allow(clippy::unwrap_used)]

use ranka_bots::kgp::{Address, Board, Chooser, Client, Mode, Score};
use ranka_bots::net::Log;
use ranka_core::{Error, Rng, Seed};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

/// A player that answers at once, so that every answer is in the race.
struct Instant;

impl Chooser for Instant {
    fn choose(
        &mut self,
        _: &Board,
        _: &AtomicBool,
        _: &mut dyn FnMut(usize),
    ) -> Result<Option<usize>, Error> {
        Ok(Some(2))
    }
}

/// What became of the states that a server has sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seen {
    states: u64,
    /// Moves that came before the server knew of its state.
    refused: u64,
    /// States that ended without a move.
    lost: u64,
}

/// A server some way off.
#[derive(Clone, Copy)]
struct Far {
    states: u64,
    /// How long each of its lines is on its way.
    trip: Duration,
}

/// Sends states to one client. Of the moves for each, the first `early` come before the state is known.
fn serve(stream: TcpStream, Far { states, trip }: Far, mut early: impl FnMut() -> u64) -> Seen {
    stream.set_nodelay(true).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut seen, mut id) = (Seen::default(), 2);
    let say = |line: String| {
        thread::sleep(trip);
        (&stream).write_all(format!("{line}\r\n").as_bytes()).unwrap();
    };
    let mut hear = move || {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let mut words = line.split_whitespace().map(str::to_owned);
        let number = words.next().unwrap().split('@').next().unwrap().to_owned();
        (number, words.next().unwrap())
    };
    say("2 kgp 1 0 1".to_owned());
    let (number, mode) = hear();
    assert_eq!(mode, "mode");
    say(format!("4@{number} ok"));
    for _ in 0..states {
        id += 100;
        let (mut unknown, mut moved) = (early(), false);
        say(format!("{id} state <3,0,0,3,3,3,3,3,3>"));
        loop {
            let (number, command) = hear();
            match command.as_str() {
                "move" if unknown > 0 => {
                    unknown -= 1;
                    seen.refused += 1;
                    say(format!("{}@{number} error \"No state associated with id\"", id + 2));
                }
                "move" => moved = true,
                "yield" => break,
                other => panic!("{other}"),
            }
        }
        seen.states += 1;
        seen.lost += u64::from(!moved);
        say(format!("{}@{id} stop", id + 50));
    }
    say("goodbye".to_owned());
    seen
}

/// More than the default, so that a machine that is busy with other tests is no reason for a lost move.
const SETTLE: Duration = Duration::from_millis(50);

fn race(far: Far, settle: Duration, early: impl FnMut() -> u64 + Send) -> (Seen, Score) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = Address::tcp("127.0.0.1", listener.local_addr().unwrap().port());
    thread::scope(|scope| {
        let server = scope.spawn(move || serve(listener.accept().unwrap().0, far, early));
        let mode = Mode::Freeplay(&mut Instant);
        let client = Client { settle, ..Client::default() };
        let score = client.run(&address, mode, &Log::silent(), &AtomicBool::new(false)).unwrap();
        (server.join().unwrap(), score)
    })
}

/// Ten thousand moves, by so many clients at a time.
fn ten_thousand(clients: u64, settle: Duration) -> Vec<(Seen, Score)> {
    thread::scope(|scope| {
        let clients: Vec<_> = (0..clients)
            .map(|client| {
                let mut rng = Rng::new(Seed::new(client));
                // Of four moves one is too early, and of these now and then the next as well.
                let near = Far { states: 10_000 / clients, trip: Duration::ZERO };
                let early = move || [1, 1, 1, 2].get(rng.index(16)).map_or(0, |n| *n);
                scope.spawn(move || race(near, settle, early))
            })
            .collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    })
}

fn sum(all: &[(Seen, Score)], of: fn(&Seen) -> u64) -> u64 {
    all.iter().map(|(seen, _)| of(seen)).sum()
}

#[test]
fn of_ten_thousand_moves_none_is_lost() {
    let all = ten_thousand(50, SETTLE);
    assert_eq!((sum(&all, |seen| seen.states), sum(&all, |seen| seen.lost)), (10_000, 0));
    assert!(sum(&all, |seen| seen.refused) > 2000, "{all:?}");
    assert_eq!(all.iter().map(|(_, score)| score.lost).sum::<u64>(), 0);
}

/// How many are lost with the 10 ms of the default is a matter of the machine: a refusal that our side reads later than that
/// comes after its `yield`. What is lost is counted.
#[test]
#[ignore = "what is lost depends on the machine: a measurement; with a longer pause none is, in every run"]
fn of_ten_thousand_moves_with_the_default_few_are_lost() {
    for clients in [1, 10, 50] {
        let all = ten_thousand(clients, Client::default().settle);
        let (refused, lost) = (sum(&all, |seen| seen.refused), sum(&all, |seen| seen.lost));
        let counted: u64 = all.iter().map(|(_, score)| score.lost).sum();
        eprintln!("{clients} clients: {refused} refused, {lost} lost, {counted} counted as lost");
        assert!(lost <= 100, "{lost}");
    }
}

#[test]
fn a_move_that_is_always_refused_is_counted_and_holds_nobody_up() {
    let (seen, score) = race(Far { states: 2, trip: Duration::ZERO }, SETTLE, || u64::MAX);
    assert_eq!((seen.states, seen.lost), (2, 2));
    assert_eq!(score, Score { answered: 2, failed: 0, lost: 2 });
}

#[test]
fn a_refusal_that_is_long_on_its_way_is_waited_for() {
    let (seen, score) = race(Far { states: 10, trip: Duration::from_millis(120) }, SETTLE, || 1);
    assert_eq!(seen, Seen { states: 10, refused: 10, lost: 0 });
    assert_eq!(score.lost, 0);
}
