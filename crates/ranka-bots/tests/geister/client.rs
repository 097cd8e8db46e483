//! Our client at a little server with all the original's oddities.

use crate::little_server::{LittleGame, Wire, play_out};
use ranka_bots::geister::{Client, ServerGame};
use ranka_bots::net::Log;
use ranka_core::{AnyGame, CatalogueEntry, Error, GameSeeds, Seat, Seed, Settings, Wdl};
use ranka_geister::Geister;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

fn geister() -> Arc<dyn AnyGame> {
    CatalogueEntry::<Geister>::with(&[]).open("plies=300").unwrap()
}

/// Plays one game at a port.
fn play(port: u16, seat: Seat, agent: &str, number: u64) -> Result<ServerGame, Error> {
    let game = geister();
    let log = Log::silent();
    let client = Client {
        host: "127.0.0.1",
        port,
        seat,
        game: &*game,
        agent: &game.agent(agent).unwrap(),
        number: seat.index(),
        settings: Settings::default(),
        patience: Duration::from_secs(30),
        silence: Duration::from_secs(60),
        log: &log,
    };
    client.play(&GameSeeds::of(Seed::new(5), number, 0))
}

/// Plays one game of a random first player against what `server` does.
fn against(server: impl FnOnce(&TcpListener) + Send) -> ServerGame {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::scope(|scope| {
        scope.spawn(|| server(&listener));
        play(port, Seat::FIRST, "random", 0).unwrap()
    })
}

const START: &str = "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u";

/// Greets the client and tells where the game begins.
fn begin(wire: &mut Wire) -> LittleGame {
    let reds = wire.greets();
    let game = LittleGame::new([&reds, "ABCD"]);
    wire.says(&format!("MOV?{}", game.board(0, false)));
    game
}

#[test]
fn whole_games_come_out_as_the_server_says() {
    let game = geister();
    for seat in [Seat::FIRST, Seat::SECOND] {
        for agent in ["random", "blue-rush", "purple-max:depth=3", "suspicion:depth=2"] {
            let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
            let port = listener.local_addr().unwrap().port();
            thread::scope(|scope| {
                scope.spawn(|| {
                    let mut seed = 7 + seat.index() as u32;
                    for _ in 0..6 {
                        let mut wire = Wire::accept(&listener);
                        play_out(&mut wire, seat.index(), &mut seed);
                        assert_eq!(wire.hears(), None, "after the end the client closes");
                    }
                });
                for number in 0..6 {
                    let played = play(port, seat, agent, number).unwrap();
                    assert_ne!(played.verdict, None, "{agent}: {:?}", played.why);
                    let record = played.record.unwrap();
                    game.replay(&record).unwrap();
                    let score = record.outcome[seat.index()];
                    let verdict = [Some(Wdl::Loss), Some(Wdl::Draw), Some(Wdl::Win)][(2.0 * score) as usize];
                    assert_eq!((record.end.reason.name(), played.verdict), ("rules", verdict));
                    let other = record.actions.split(' ').nth(seat.other().index()).unwrap();
                    assert_eq!(other, "set:BCFG");
                }
            });
        }
    }
}

#[test]
fn lines_in_crumbs_are_lines() {
    let played = against(|listener| {
        let mut wire = Wire::accept(listener);
        wire.crumbs = true;
        play_out(&mut wire, 0, &mut 3);
    });
    assert_ne!(played.verdict, None, "{:?}", played.why);
}

#[test]
fn who_is_thrown_out_before_the_game_comes_again() {
    let played = against(|listener| {
        for i in 0..4 {
            let mut wire = Wire::accept(listener);
            if i % 2 == 1 {
                wire.says("NG ");
            }
        }
        play_out(&mut Wire::accept(listener), 0, &mut 3);
    });
    assert_ne!(played.verdict, None, "{:?}", played.why);
}

#[test]
fn a_server_that_is_not_there_is_an_error() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let game = geister();
    let client = Client {
        host: "127.0.0.1",
        port,
        seat: Seat::FIRST,
        game: &*game,
        agent: &game.agent("random").unwrap(),
        number: 0,
        settings: Settings::default(),
        patience: Duration::from_millis(200),
        silence: Duration::from_secs(60),
        log: &Log::silent(),
    };
    let error = client.play(&GameSeeds::of(Seed::new(5), 0, 0)).unwrap_err().to_string();
    assert!(error.starts_with(&format!("server 127.0.0.1:{port}: ")), "{error}");
}

#[test]
fn an_end_without_a_decided_board_is_void() {
    for word in ["WON:", "LST:"] {
        let played = against(|listener| {
            let mut wire = Wire::accept(listener);
            let game = begin(&mut wire);
            wire.hears().unwrap();
            // A stale timer strikes, or the other has left: one cannot know.
            wire.says(&format!("{word}{}", game.board(0, true)));
            let _ = wire.hears();
        });
        assert_eq!(played.verdict, None);
        assert_eq!(played.record.unwrap().end.reason.name(), "cancelled");
    }
}

#[test]
fn an_end_in_the_middle_of_nothing_is_void() {
    let played = against(|listener| {
        let mut wire = Wire::accept(listener);
        let reds = wire.greets();
        wire.says(&format!("WON:{}", LittleGame::new([&reds, ""]).board(0, true)));
        let _ = wire.hears();
    });
    assert_eq!(played.verdict, None);
}

#[test]
fn repeated_ends_and_open_sockets_do_not_matter() {
    let played = against(|listener| {
        let mut wire = Wire::accept(listener);
        let reds = wire.greets();
        let mut game = LittleGame::new([&reds, "ABCD"]);
        // The second player, who is not to be seen, walks out at once: it takes what it needs.
        game.ghosts[1][4].0 = crate::little_server::Spot::Escaped;
        let end = format!("LST:{}", game.board(0, true));
        wire.says(&format!("{end}\r\n{end}\r\nNG \r\n{end}"));
        assert_eq!(wire.hears(), None);
    });
    // That is no game by the rules, and the client does not believe it.
    assert_eq!(played.verdict, None);
}

#[test]
fn a_refused_move_is_a_lost_game() {
    let played = against(|listener| {
        let mut wire = Wire::accept(listener);
        let game = begin(&mut wire);
        wire.hears().unwrap();
        wire.says(&format!("NG \r\nLST:{}", game.board(0, true)));
        let _ = wire.hears();
    });
    assert_eq!(played.verdict, Some(Wdl::Loss));
    let end = played.record.unwrap().end;
    assert_eq!((end.reason.name(), end.seat), ("illegal", Some(Seat::FIRST)));
}

#[test]
fn a_server_that_goes_on_waiting_after_a_refusal_is_left() {
    let played = against(|listener| {
        let mut wire = Wire::accept(listener);
        begin(&mut wire);
        wire.hears().unwrap();
        wire.says("NG ");
        assert_eq!(wire.hears(), None);
    });
    assert_eq!(
        (played.verdict, played.why.unwrap().as_str()),
        (Some(Wdl::Loss), "the server refuses our move")
    );
}

#[test]
fn a_server_that_vanishes_or_talks_nonsense_makes_the_game_void() {
    let scripts: [&(dyn Fn(&mut Wire) + Sync); 6] = [
        &|_| (),
        &|wire| wire.says("HELLO"),
        &|wire| wire.says("MOV?14R"),
        &|wire| wire.says(&format!("MOV?{}", START.replace("11u", "14u"))),
        &|wire| wire.says(&format!("MOV?{}", START.replace("41u", "21u").replace("21u", "41u"))),
        &|wire| wire.says(&"x".repeat(5000)),
    ];
    for script in scripts {
        let played = against(|listener| {
            let mut wire = Wire::accept(listener);
            begin(&mut wire);
            wire.hears().unwrap();
            script(&mut wire);
        });
        assert_eq!(played.verdict, None);
        assert!(played.why.unwrap().starts_with("the server: "));
    }
}
