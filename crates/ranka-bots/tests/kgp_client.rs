//! The client of the Kalah Game Protocol, served by little servers that were written from the protocol's text alone.
#![allow(clippy::unwrap_used)]

use ranka_bots::kgp::{Address, AgentPlayer, Board, Chooser, Client, Mode, Score};
use ranka_bots::net::Log;
use ranka_core::{Error, Seed, Settings};
use ranka_kalah::Rules;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(60);

/// A server that says what the test wants and looks at every byte that comes.
struct Raw(BufReader<TcpStream>);

impl Raw {
    fn say(&mut self, lines: &str) -> &mut Raw {
        self.0.get_mut().write_all(lines.replace('\n', "\r\n").as_bytes()).unwrap();
        self
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        line
    }

    #[track_caller]
    fn hears(&mut self, expected: &str) -> &mut Raw {
        assert_eq!(self.hear(), format!("{expected}\r\n"));
        self
    }
}

/// Runs a client against a server.
fn served(client: &Client, mode: Mode<'_>, server: impl FnOnce(&mut Raw) + Send) -> Result<Score, Error> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = Address::tcp("127.0.0.1", listener.local_addr().unwrap().port());
    thread::scope(|scope| {
        let served = scope.spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            stream.set_read_timeout(Some(LONG)).unwrap();
            server(&mut Raw(BufReader::new(stream)));
        });
        let done = client.run(&address, mode, &Log::silent(), &AtomicBool::new(false));
        served.join().unwrap();
        done
    })
}

/// What a scripted player does with a state.
enum Step {
    Offer(usize),
    /// Thinks until the server says stop.
    UntilStopped,
    /// Thinks until the test says go on.
    UntilTold,
    Choose(usize),
}
use Step::*;

struct Script {
    steps: std::vec::IntoIter<Step>,
    go: Receiver<()>,
    seen: Vec<String>,
}

fn script(steps: Vec<Step>) -> (Script, Sender<()>) {
    let (told, go) = channel();
    (Script { steps: steps.into_iter(), go, seen: Vec::new() }, told)
}

impl Chooser for Script {
    fn choose(
        &mut self,
        board: &Board,
        cancel: &AtomicBool,
        offer: &mut dyn FnMut(usize),
    ) -> Result<Option<usize>, Error> {
        self.seen.push(board.to_string());
        loop {
            match self.steps.next().unwrap() {
                Offer(house) => offer(house),
                Choose(house) => return Ok(Some(house)),
                UntilTold => self.go.recv_timeout(LONG).unwrap(),
                UntilStopped => {
                    while !cancel.load(Ordering::Relaxed) {
                        thread::yield_now();
                    }
                    return Ok(None);
                }
            }
        }
    }
}

#[test]
fn the_worked_game_byte_for_byte() {
    let (mut script, _told) = script(vec![Offer(2), Offer(1), Choose(1), Offer(3), UntilStopped]);
    let score = served(&Client::named("lab-minimax"), Mode::Freeplay(&mut script), |server| {
        server.say("2 kgp 1 0 1\n").hears("1 set info:name \"lab-minimax\"").hears("3 mode freeplay");
        server.say("4@3 ok\n6 ping\n").hears("5@6 pong");
        server
            .say("8 state <3,0,0,3,3,3,3,3,3>\n")
            .hears("7@8 move 2")
            .hears("9@8 move 1")
            .hears("11@8 yield");
        server.say("10@8 stop\n12 state <3,1,0,0,4,4,3,3,3>\n").hears("13@12 move 3").say("14@12 stop\n");
        server.say("goodbye\n");
        assert_eq!(server.hear(), "", "and nothing more");
    });
    assert_eq!(score, Ok(Score { answered: 1, failed: 0, lost: 0 }));
    assert_eq!(script.seen, ["<3,0,0,3,3,3,3,3,3>", "<3,1,0,0,4,4,3,3,3>"]);
}

#[test]
fn the_worked_problem_byte_for_byte() {
    let verify = |from_one| Mode::Verify { rules: Rules::STANDARD, from_one, most: Some(2) };
    let score = served(&Client::named("x"), verify(false), |server| {
        server.say("2 kgp 1 0 1\n").hears("1 set info:name \"x\"").hears("3 mode verify");
        server.say("4 problem <6,15,10,1,3,6,2,10,9,1,7,2,0,1,11> 0\n");
        server.hears("5@4 solution <6,15,10,0,4,6,2,10,9,1,7,2,0,1,11> false").say("6@5 ok\n");
        server.say("8 problem <3,0,0,3,3,3,3,3,3> 0\n").hears("7@8 solution <3,1,0,0,4,4,3,3,3> true");
        server.say("10@7 error \"no\"\n").hears("goodbye");
        assert_eq!(server.hear(), "");
    });
    assert_eq!(score, Ok(Score { answered: 1, failed: 1, lost: 0 }));
    let score = served(&Client::default(), verify(true), |server| {
        server.say("2 kgp 1 1 0\n").hears("1 mode verify").say("4 problem <3,0,0,3,3,3,3,3,3> 1\n");
        server.hears("3@4 solution <3,1,0,0,4,4,3,3,3> true").say("6@3 ok\n");
        server.say("8 problem <3,0,0,3,3,3,3,3,3> 4\n");
        assert!(server.hear().starts_with("5@8 error \"house 3 (counted from 0)"));
        server.say("goodbye\n");
    });
    assert_eq!(score, Ok(Score { answered: 1, failed: 0, lost: 0 }));
}

#[test]
fn a_refused_move_is_said_again_before_yield() {
    let (mut script, _told) = script(vec![Choose(2), Choose(1), Choose(3)]);
    // Long enough for the server below to refuse in time, however busy the machine is.
    let client = Client { settle: Duration::from_millis(500), ..Client::default() };
    let score = served(&client, Mode::Freeplay(&mut script), |server| {
        server.say("2 kgp 1 0 1\n").hears("1 mode freeplay").say("4@1 ok\n");
        // The real server answers so when it was asked before it knew of its own state.
        server.say("6 state <3,0,0,3,3,3,3,3,3>\n").hears("3@6 move 2");
        server.say("8@3 error \"No state associated with id\"\n").hears("5@6 move 2");
        server.say("10 error \"No state associated with id\"\n").hears("7@6 move 2").hears("9@6 yield");
        // A yield that is refused is said again after the move.
        server.say("12@9 error \"No state associated with id\"\n").hears("11@6 move 2").hears("13@6 yield");
        server.say("14@6 stop\n");
        // What is refused when it is over cannot be said again: it is counted. About yield it changes nothing.
        server.say("16@13 error \"late\"\n18@11 error \"late\"\n20@11 error \"late\"\n");
        server
            .say("22 state <3,1,1,4,1,4,4,3,0>\n")
            .hears("15@22 move 1")
            .say("24@15 error \"no\"\n26@22 stop\n");
        server.say("28 state <3,1,1,4,1,4,4,3,0>\n").hears("17@28 move 3").hears("19@28 yield");
        server.say("30@28 stop\ngoodbye\n");
    });
    assert_eq!(score, Ok(Score { answered: 3, failed: 0, lost: 2 }));
}

#[test]
fn pings_are_answered_while_it_thinks_and_late_choices_stay_at_home() {
    let (mut script, told) = script(vec![UntilTold, Choose(2), Choose(3)]);
    let score = served(&Client::default(), Mode::Freeplay(&mut script), |server| {
        server.say("2 kgp 1 0 1\n").hears("1 mode freeplay").say("4@1 ok\n6 state <3,0,0,3,3,3,3,3,3>\n");
        server
            .say("8 ping\n10 ping \"still there?\"\n")
            .hears("3@8 pong")
            .hears("5@10 pong \"still there?\"");
        server.say("12@6 stop\n14 ping\n").hears("7@14 pong");
        told.send(()).unwrap();
        server
            .say("16 state <3,1,1,4,1,4,4,3,0>\n")
            .hears("9@16 move 3")
            .hears("11@16 yield")
            .say("goodbye\n");
    });
    assert_eq!(score, Ok(Score { answered: 2, failed: 1, lost: 0 }));
}

#[test]
fn what_makes_no_sense_is_passed_over() {
    let (mut script, _told) = script(vec![Choose(2)]);
    let score = served(&Client::default(), Mode::Freeplay(&mut script), |server| {
        server.say("\n???\n2 kgp 1 7 3\n").hears("1 mode freeplay").say("4@1 ok\n");
        server.0.get_mut().write_all(b"\xff\xfe\x00\n").unwrap();
        server
            .say("6 set game:opponent \"\"\n8 set a:b 1\n\n10 dance 1\n")
            .hears("3@10 error \"Unknown command\"");
        server.say("12@99 stop\nstate <3,0,0,3,3,3,3,3,3>\n").hears("5 error \"Unknown command\"");
        server
            .say("14 state < 3, 0,0, 3,3,3, 3,3,3 >\n")
            .hears("7@14 move 2")
            .hears("9@14 yield")
            .say("goodbye\n");
    });
    assert_eq!(score, Ok(Score { answered: 1, failed: 0, lost: 0 }));
}

#[test]
fn servers_that_will_not_play_are_told_of() {
    let refused = |said: &'static str| {
        let (mut script, _told) = script(vec![]);
        let done = served(&Client::default(), Mode::Freeplay(&mut script), move |server| {
            server.say(said);
            while !server.hear().is_empty() {}
        });
        done.unwrap_err().to_string()
    };
    for (said, why) in [
        ("2 kgp 2 0 0\n", "we speak version 1"),
        ("2 error \"Too many connections\"\ngoodbye\n", "Too many connections"),
        ("goodbye\n", "before it began"),
        ("2 kgp 1 0 1\n4@1 error \"Unsupported mode\"\ngoodbye\n", "Unsupported mode"),
    ] {
        let error = refused(said);
        assert!(error.starts_with("server 127.0.0.1:") && error.contains(why), "{error}");
    }
    let (mut script, _told) = script(vec![Choose(1)]);
    let left = served(&Client::default(), Mode::Freeplay(&mut script), |server| {
        server.say("2 kgp 1 0 1\n").hears("1 mode freeplay").say("4@1 ok\n6 state <3,0,0,3,3,3,3,3,3>\n");
        server.hears("3@6 move 1");
    });
    assert!(left.unwrap_err().to_string().contains("closed the connection"));
}

/// A mock bot at play.
fn mock(mode: &str, more: &str) -> AgentPlayer<'static> {
    let agent = format!("bot:cmd=\"{} {mode}\",{more}", env!("CARGO_BIN_EXE_mock-bot"));
    let entry = ranka_games::game("kalah").unwrap();
    AgentPlayer::new(entry, "", &agent, Settings::default(), Seed::new(1), 0).unwrap()
}

#[test]
fn a_bot_that_is_late_once_plays_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("heard");
    let mut player = mock(&format!("late-once {}", file.display()), "move=60000");
    let questions = || {
        let heard = std::fs::read_to_string(&file).unwrap_or_default();
        heard.lines().filter(|line| line.starts_with("> go")).map(str::to_owned).collect::<Vec<_>>()
    };
    let score = served(&Client::default(), Mode::Freeplay(&mut player), |server| {
        server.say("2 kgp 1 0 1\n").hears("1 mode freeplay").say("4@1 ok\n6 set time:clock 50\n");
        server.say("8 state <3,0,0,3,3,3,3,3,3>\n").hears("3@8 move 1").hears("5@8 yield").say("10@8 stop\n");
        server.say("12 state <3,1,0,0,4,4,3,3,3>\n");
        while questions().len() < 2 {
            thread::sleep(Duration::from_millis(10));
        }
        // The server plays house 2 for us and house 1 for the other. The bot's own answer to this comes later.
        server.say("14@12 stop\n16 state <3,2,1,1,0,5,0,5,4>\n");
        server.hears("7@16 move 1").hears("9@16 yield").say("18@16 stop\ngoodbye\n");
    });
    assert_eq!(score, Ok(Score { answered: 2, failed: 1, lost: 0 }));
    assert_eq!((player.games(), questions().len()), (1, 3), "one process played all of it");
    assert!(questions().iter().all(|go| go.contains("50000")), "{:?}", questions());
}

#[test]
fn a_bot_that_crashes_is_replaced_in_the_next_game() {
    let mut player = mock("crash", "move=60000");
    let score = served(&Client::default(), Mode::Freeplay(&mut player), |server| {
        server.say("2 kgp 1 0 1\n").hears("1 mode freeplay").say("4@1 ok\n6 set game:id \"one\"\n");
        server.say("8 state <3,0,0,3,3,3,3,3,3>\n").hears("3@8 move 1").hears("5@8 yield").say("10@8 stop\n");
        server.say("12 state <3,1,0,0,4,4,3,3,3>\n14 ping\n").hears("7@14 pong");
        thread::sleep(Duration::from_secs(2));
        server.say("16@12 stop\n18 set game:id \"two\"\n20 state <3,0,0,3,3,3,3,3,3>\n");
        server.hears("9@20 move 1").hears("11@20 yield").say("22@20 stop\ngoodbye\n");
    });
    assert_eq!((score, player.games()), (Ok(Score { answered: 2, failed: 1, lost: 0 }), 2));
}
