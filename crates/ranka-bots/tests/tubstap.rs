//! TUBSTAP's protocol, spoken by little clients and servers that were written from its description alone.
#![allow(clippy::unwrap_used)]

mod notes;
mod relay;

use notes::Notes;
use ranka_bots::net::Sides;
use ranka_bots::net::{self, Log};
use ranka_bots::tubstap::{Client, Options, Score, Server};
use ranka_core::{
    AnyGame, CatalogueEntry, EndReason, Error, Game, GameSeeds, Params, Record, Seat, Seed, Settings, Wdl,
    WdlCounts,
};
use ranka_tubstap::{MapFile, Rules, Tubstap};
use relay::{Cuts, Relay};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(60);

/// The worked example of the description, on one line.
const MAP: &str = "SIZEX[8];SIZEY[7];TURNLIMIT[20];HPTHRESHOLD[10];UNITNUMRED[2];UNITNUMBLUE[2];AUTHOR[spec];\
MAPCOM[terrain mix];UNIT[1,3,panzer,0,8,0];UNIT[2,4,infantry,0,10,0];UNIT[6,3,antiair,1,10,0];\
UNIT[5,1,attacker,1,6,0];MAP[0,0,0,0,0,0,0,0];MAP[0,1,3,4,3,5,1,0];MAP[0,1,2,1,3,6,1,0];MAP[0,5,5,5,5,5,5,0];\
MAP[0,3,1,4,1,2,1,0];MAP[0,1,1,3,3,1,1,0];MAP[0,0,0,0,0,0,0,0];";

fn options() -> Options {
    let game = Tubstap::on(MapFile::read(MAP.as_bytes()).unwrap(), Rules::default()).unwrap();
    Options { patience: LONG, ..Options::new(game, "map=crossing".to_owned()) }
}

/// Runs a server while `visit` visits it, and hands out the games that were played.
fn served(options: Options, visit: impl FnOnce(SocketAddr)) -> Vec<Record> {
    let server = Server::bind(options, net::Server::LOOPBACK, 0).unwrap();
    let (stop, records) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        scope.spawn(|| {
            server.run(&Log::silent(), &stop, &|record| records.lock().unwrap().push(record.clone()))
        });
        let visited = catch_unwind(AssertUnwindSafe(|| visit(server.address())));
        stop.store(true, Ordering::Relaxed);
        visited.unwrap_or_else(|panic| resume_unwind(panic));
    });
    records.into_inner().unwrap()
}

/// One end of a connection, byte by byte.
struct Raw(BufReader<TcpStream>);

impl Raw {
    fn over(stream: TcpStream) -> Raw {
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        Raw(BufReader::new(stream))
    }

    fn join(address: SocketAddr) -> Raw {
        Raw::over(TcpStream::connect(address).unwrap())
    }

    fn send(&mut self, bytes: impl AsRef<[u8]>) -> &mut Raw {
        self.0.get_mut().write_all(bytes.as_ref()).unwrap();
        self
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        match self.0.read_line(&mut line) {
            Err(error) if error.kind() == ErrorKind::ConnectionReset => String::new(),
            read => read.map(|_| line).unwrap(),
        }
    }

    #[track_caller]
    fn hears(&mut self, expected: &str) -> &mut Raw {
        assert_eq!(self.hear(), format!("{expected}\r\n"));
        self
    }

    /// A client's answer to a command.
    #[track_caller]
    fn answers(&mut self, command: &str, answer: &str) -> &mut Raw {
        self.hears(command).send(format!("= {answer}\r\n\r\n"))
    }

    /// A server's question, and the answer that must come.
    #[track_caller]
    fn asks(&mut self, command: &str, answer: &str) -> &mut Raw {
        self.send(format!("{command}\r\n")).hears(&format!("= {answer}")).hears("")
    }
}

/// Two clients at the beginning of their game.
fn pair(address: SocketAddr) -> [Raw; 2] {
    let mut red = Raw::join(address);
    red.answers("name", "Rot");
    let mut blue = Raw::join(address);
    blue.answers("name", "Blau");
    red.answers("opponent Blau", "");
    blue.answers("opponent Rot", "");
    for (color, raw) in [&mut red, &mut blue].into_iter().enumerate() {
        raw.answers(&format!("MAP {MAP}"), "").answers(&format!("Color {color}"), "");
    }
    [red, blue]
}

#[test]
fn a_game_as_the_original_program_leads_it() {
    let records = served(options(), |address| lead(pair(address)));
    assert_led(&records);
}

/// A whole game.
fn lead([mut red, mut blue]: [Raw; 2]) {
    // The panzer hits the antiair tank for 6 and gets 1 back; its client leaves the damages open.
    red.answers("Genmove", "0,6,2,1,3,2,6,3,2,0,0");
    blue.answers("play 0,6,2,1,3,2,6,3,2,6,1", "");
    red.answers("Genmove", "1,3,4,2,4,-1,0,0,1,0,0");
    blue.answers("play 1,3,4,2,4,-1,0,0,1,0,0", "");
    // Blue ends its turn with its first answer, so it is asked once.
    blue.answers("Genmove", "-1,-1,-1,0,0,-1,0,0,3,0,0");
    red.answers("play 0,0,0,0,0,-1,0,0,3,0,0", "");
    red.answers("Genmove", "-1,-1,-1,0,0,-1,0,0,0,0,0");
    red.answers("gameover", "");
    blue.answers("gameover", "");
    assert_eq!((red.hear(), blue.hear()), (String::new(), String::new()));
}

fn assert_led(records: &[Record]) {
    let [record] = records else { panic!("one game was played: {records:?}") };
    assert_eq!(record.actions, "0@6,2>2 1@3,4 end");
    assert_eq!((record.end.reason, record.end.seat), (EndReason::Resigned, Some(Seat::FIRST)));
    assert_eq!(
        (&record.agents[..], &record.outcome[..]),
        (&["Rot".to_owned(), "Blau".to_owned()][..], &[0.0, 1.0][..])
    );
}

/// Does something for every number below `most`, several at a time.
fn for_each(most: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(1);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while let byte @ 1.. = next.fetch_add(1, Ordering::Relaxed)
                    && byte < most
                {
                    work(byte);
                }
            });
        }
    });
}

#[test]
fn answers_may_be_split_before_every_byte() {
    let most = "= 0,6,2,1,3,2,6,3,2,0,0\r\n\r\n".len() * 4 + 6 * "= \r\n\r\n".len();
    for_each(most, |byte| {
        let records = served(options(), |address| {
            let relay = Relay::to(address, Cuts::Once { server: false, byte });
            lead(pair(relay.address));
        });
        assert_led(&records);
    });
}

/// Lets red do something when it is asked for its first action, and tells how the game ended.
fn ending(options: Options, misbehave: impl FnOnce(&mut Raw)) -> Record {
    let mut records = served(options, |address| {
        let [mut red, mut blue] = pair(address);
        red.hears("Genmove");
        misbehave(&mut red);
        drop(red);
        let mut told = blue.hear();
        if told.starts_with("play ") {
            told = blue.send("= \r\n\r\n").hear();
        }
        assert_eq!(told, "gameover\r\n");
        blue.send("= \r\n\r\n");
        assert_eq!(blue.hear(), "");
    });
    assert_eq!(records.len(), 1);
    records.remove(0)
}

#[test]
fn every_way_to_fail_has_its_name() {
    let reason = |misbehave: fn(&mut Raw)| {
        let record = ending(options(), misbehave);
        assert_eq!(
            (record.end.seat, &record.outcome[..]),
            (Some(Seat::FIRST), &[0.0, 1.0][..]),
            "{record:?}"
        );
        (record.end.reason, record.end.detail.unwrap())
    };
    let (why, detail) = reason(|red| {
        red.send("= 0,6,6,1,3,-1,0,0,1,0,0\r\n\r\n");
    });
    assert_eq!((why, detail.starts_with("0@6,6: ")), (EndReason::Illegal, true), "{detail}");
    let (why, _) = reason(|red| {
        red.send("= 2,6,3,6,3,-1,0,0,1,0,0\r\n\r\n");
    });
    assert_eq!(why, EndReason::Illegal, "the other's unit");
    let (why, detail) = reason(|red| {
        red.send("= hello\r\n\r\n");
    });
    assert_eq!(
        (why, detail.contains("\"hello\" is no whole number")),
        (EndReason::Protocol, true),
        "{detail}"
    );
    let (why, detail) = reason(|red| {
        red.send("hello\r\n");
    });
    assert_eq!((why, detail.contains("expected \"= text\"")), (EndReason::Protocol, true), "{detail}");
    let (why, _) = reason(|red| {
        red.send(b"\xff\xfe\x00\r\n");
    });
    assert_eq!(why, EndReason::Protocol);
    let (why, detail) = reason(|red| {
        let _ = red.0.get_mut().write_all(&vec![b'='; 1 << 20]);
    });
    assert_eq!((why, detail.as_str()), (EndReason::Protocol, "the line is too long"));
    let (why, detail) = reason(|red| {
        let _ = red.0.get_mut().write_all("= 1\r\n".repeat(10_000).as_bytes());
    });
    assert_eq!((why, detail.ends_with("it has no end")), (EndReason::Protocol, true), "{detail}");
    // Two answers to one question: the second belongs to none.
    let (why, detail) = reason(|red| {
        let action = "= 1,2,4,2,4,-1,0,0,1,0,0\r\n\r\n";
        red.send(action.repeat(2));
    });
    assert_eq!(
        (why, detail.starts_with("nobody asked for \"= 1,2,4")),
        (EndReason::Protocol, true),
        "{detail}"
    );
    let (why, _) = reason(|red| red.0.get_ref().shutdown(std::net::Shutdown::Both).unwrap());
    assert_eq!(why, EndReason::Disconnected);
    let silent = ending(Options { patience: Duration::from_millis(500), ..options() }, |red| {
        assert_eq!(red.hear(), "", "the game ends, and gameover is not asked of one who owes an answer");
    });
    assert_eq!((silent.end.reason, silent.end.seat), (EndReason::Timeout, Some(Seat::FIRST)));
}

#[test]
fn bad_guests_disturb_nobody_and_there_are_only_so_many_places() {
    let options = Options { places: 4, patience: Duration::from_secs(2), ..options() };
    let records = served(options, |address| {
        // One leaves before it has an opponent, one says nothing at all: neither becomes anybody's opponent.
        Raw::join(address).answers("name", "gone");
        let mut mute = Raw::join(address);
        mute.hears("name");
        assert_eq!(mute.hear(), "");
        let [mut red, mut blue] = pair(address);
        let waiting: Vec<Raw> = (0..2).map(|_| Raw::join(address)).collect();
        let mut late = Raw::join(address);
        while late.hear() == "name\r\n" {
            // A place was still free.
            late = Raw::join(address);
        }
        drop(waiting);
        red.answers("Genmove", "-1,-1,-1,0,0,-1,0,0,3,0,0");
        blue.answers("play 0,0,0,0,0,-1,0,0,3,0,0", "").answers("Genmove", "-1,-1,-1,0,0,-1,0,0,0,0,0");
        red.answers("gameover", "");
        blue.answers("gameover", "");
    });
    assert_eq!(
        (records.len(), records[0].end.reason, records[0].end.seat),
        (1, EndReason::Resigned, Some(Seat::SECOND))
    );
}

#[test]
fn who_connects_first_is_red_even_if_it_is_slow_to_tell_its_name() {
    served(options(), |address| {
        let mut red = Raw::join(address);
        red.hears("name");
        let mut blue = Raw::join(address);
        blue.answers("name", "Blau");
        thread::sleep(Duration::from_millis(300));
        red.send("= Rot\r\n\r\n");
        red.answers("opponent Blau", "");
        blue.answers("opponent Rot", "");
        red.answers(&format!("MAP {MAP}"), "").answers("Color 0", "");
        blue.answers(&format!("MAP {MAP}"), "").answers("Color 1", "");
    });
}

#[test]
fn answers_that_come_before_their_question_are_no_answers() {
    for (unasked, why) in
        [("= 1,3,4,2,4,-1,0,0,1,0,0\r\n\r\n", "nobody asked for"), ("\r\n", "too many lines")]
    {
        let records = served(options(), |address| {
            let [mut red, mut blue] = pair(address);
            // Blue is not asked while red thinks.
            blue.send(unasked.repeat(5000));
            thread::sleep(Duration::from_millis(300));
            red.answers("Genmove", "1,3,4,2,4,-1,0,0,1,0,0");
            while !matches!(red.hear().as_str(), "gameover\r\n" | "") {}
        });
        let end = &records[0].end;
        assert_eq!((end.reason, end.seat), (EndReason::Protocol, Some(Seat::SECOND)));
        assert!(end.detail.as_ref().unwrap().starts_with(why), "{end:?}");
    }
}

/// A bot in the client's place.
fn bot_against(mode: &str, server: impl FnOnce(&mut Raw) + Send) -> Result<Score, Error> {
    let spec = format!("bot:cmd=\"{} {mode}\"", env!("CARGO_BIN_EXE_mock-bot"));
    client_of(ranka_games::game("tubstap").unwrap().open("").unwrap().as_ref(), &spec, server)
}

#[test]
fn a_bot_that_crashes_loses_its_game_and_no_more() {
    let score = bot_against("crash", |server| {
        for _ in 0..2 {
            server.asks(&format!("MAP {MAP}"), "").asks("Color 0", "").send("Genmove\r\n");
            assert!(server.hear().starts_with("= "));
            server.hears("").asks("Genmove", "0,0,0,0,0,-1,0,0,0,0,0").asks("gameover", "");
        }
    });
    assert_eq!(score, Ok(Score { games: 2, results: WdlCounts::new(0, 0, 2) }));
}

#[test]
fn who_is_stopped_while_it_thinks_leaves_without_an_answer() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let game = ranka_games::game("tubstap").unwrap().open("").unwrap();
    let agent = game.agent("uct:playouts=99999999").unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let settings = Settings { cancel: &STOP, ..Settings::default() };
    let client = Client {
        game: game.as_ref(),
        agent: &agent,
        name: "lab".to_owned(),
        settings,
        seed: Seed::new(1),
        number: 0,
    };
    thread::scope(|scope| {
        let served = scope.spawn(move || {
            let mut server = Raw::over(listener.accept().unwrap().0);
            server.asks(&format!("MAP {MAP}"), "").asks("Color 0", "").send("Genmove\r\n");
            thread::sleep(Duration::from_millis(100));
            STOP.store(true, Ordering::Relaxed);
            server.hear()
        });
        let score = client.run("127.0.0.1", port, &Log::silent(), &STOP);
        assert_eq!(score, Ok(Score { games: 1, results: WdlCounts::default() }), "nothing is given up");
        assert_eq!(served.join().unwrap(), "", "nothing is answered");
    });
}

/// Runs a client of ours against a server that the test plays.
fn client_against(agent: &str, server: impl FnOnce(&mut Raw) + Send) -> Result<Score, Error> {
    client_of(CatalogueEntry::<Tubstap>::with(&[]).open("").unwrap().as_ref(), agent, server)
}

fn client_of(game: &dyn AnyGame, agent: &str, server: impl FnOnce(&mut Raw) + Send) -> Result<Score, Error> {
    let agent = game.agent(agent).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (name, settings, seed) = ("lab".to_owned(), Settings::default(), Seed::new(1));
    let client = Client { game, agent: &agent, name, settings, seed, number: 0 };
    thread::scope(|scope| {
        let served = scope.spawn(move || server(&mut Raw::over(listener.accept().unwrap().0)));
        let score = client.run("127.0.0.1", port, &Log::silent(), &AtomicBool::new(false));
        served.join().unwrap();
        score
    })
}

#[test]
fn our_client_answers_as_the_original_does() {
    let score = client_against("standard", ask);
    assert_eq!(score, Ok(Score { games: 1, results: WdlCounts::new(1, 0, 0) }));
}

/// A game that our client wins.
fn ask(server: &mut Raw) {
    server.asks("name", "lab").asks("opponent M-UCT", "").asks(&format!("MAP {MAP}"), "").asks("Color 0", "");
    // The worked decisions of the standard player: the attack worth 42, then the only move of the infantry.
    server.asks("Genmove", "0,6,2,1,3,2,6,3,2,6,1").asks("Genmove", "1,3,4,2,4,-1,0,0,1,0,0");
    server.asks("status", "17 10");
    server.asks("play -1,-1,-1,0,0,-1,0,0,0,0,0", "").asks("gameover", "");
}

#[test]
fn commands_may_be_split_before_every_byte_and_come_all_at_once() {
    let game = CatalogueEntry::<Tubstap>::with(&[]).open("").unwrap();
    let agent = game.agent("standard").unwrap();
    let client = |address: SocketAddr| {
        let (name, settings, seed) = ("lab".to_owned(), Settings::default(), Seed::new(1));
        let client = Client { game: game.as_ref(), agent: &agent, name, settings, seed, number: 0 };
        client.run("127.0.0.1", address.port(), &Log::silent(), &AtomicBool::new(false))
    };
    for_each(MAP.len() + 150, |byte| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let relay = Relay::to(listener.local_addr().unwrap(), Cuts::Once { server: true, byte });
        let score = thread::scope(|scope| {
            scope.spawn(move || ask(&mut Raw::over(listener.accept().unwrap().0)));
            client(relay.address)
        });
        assert_eq!(
            score,
            Ok(Score { games: 1, results: WdlCounts::new(1, 0, 0) }),
            "split before byte {byte}"
        );
    });
    let score = client_against("standard", |server| {
        server.send(format!(
            "name\r\nopponent x\r\nMAP {MAP}\r\nColor 0\r\nGenmove\r\nGenmove\r\nplay -1,-1,-1,0,0,-1,0,0,0,0,0\r\ngameover\r\n"
        ));
        for answer in ["lab", "", "", "", "0,6,2,1,3,2,6,3,2,6,1", "1,3,4,2,4,-1,0,0,1,0,0", "", ""] {
            server.hears(&format!("= {answer}")).hears("");
        }
    });
    assert_eq!(score, Ok(Score { games: 1, results: WdlCounts::new(1, 0, 0) }));
}

#[test]
fn servers_that_make_no_sense_are_told_of() {
    let score = client_against("standard", |server| {
        server.send("\r\nprotocol_version\r\n");
        assert!(server.hear().starts_with("? unknown command \"protocol_version\""));
        server
            .hears("")
            .asks("name", "lab")
            .asks(&format!("MAP {MAP}"), "")
            .asks("Color 1", "")
            .asks("gameover", "");
    });
    assert_eq!(score, Ok(Score { games: 1, results: WdlCounts::default() }));
    let refused = |lines: &'static str| {
        let done = client_against("standard", move |server| {
            server.send(lines.replace("MAP!", &format!("MAP {MAP}\r\n")));
            while !server.hear().is_empty() {}
        });
        done.unwrap_err().to_string()
    };
    for (lines, why) in [
        ("Genmove\r\n", "a game that has not begun"),
        ("Color 0\r\n", "Color came before MAP"),
        ("MAP!Color 1\r\nGenmove\r\n", "it is not our turn"),
        ("MAP!Color 1\r\nplay 0,6,6,1,3,-1,0,0,1,0,0\r\n", "0@6,6, which is not legal"),
    ] {
        let error = refused(lines);
        assert!(error.starts_with("server 127.0.0.1:") && error.contains(why), "{error}");
    }
    let left = client_against("standard", |server| {
        server.asks(&format!("MAP {MAP}"), "").asks("Color 0", "");
    });
    assert!(left.unwrap_err().to_string().contains("closed the connection"));
}

const SEED: u64 = 5;

/// The same match in one process and over the wire.
fn compare(rules: &str, agents: [&str; 2], games: u64, sides: Sides, cuts: Option<Cuts>) {
    let game = CatalogueEntry::<Tubstap>::with(&[]).open(rules).unwrap();
    let agents = agents.map(|agent| game.agent(agent).unwrap());
    let params = Params::parse(rules, Tubstap::options()).unwrap();
    let options = Options {
        games: games as u32,
        sides,
        patience: LONG,
        pairings: Some(1),
        seed: Seed::new(SEED),
        ..Options::new(Tubstap::new(&params).unwrap(), params.full())
    };
    let server = Server::bind(options, net::Server::LOOPBACK, 0).unwrap();
    let (stop, records, notes) = (AtomicBool::new(false), Mutex::new(Vec::new()), Notes::default());
    let scores = thread::scope(|scope| {
        scope.spawn(|| {
            server.run(&notes.log(), &stop, &|record| records.lock().unwrap().push(record.clone()))
        });
        let mut clients = Vec::new();
        for (number, agent) in agents.iter().enumerate() {
            let relay = cuts.map(|cuts| Relay::to(server.address(), cuts));
            let port = relay.as_ref().map_or(server.address(), |relay| relay.address).port();
            let (game, seed) = (game.as_ref(), Seed::new(SEED));
            let client = Client {
                game,
                agent,
                name: agent.short.clone(),
                settings: Settings::default(),
                seed,
                number,
            };
            clients.push(scope.spawn(move || {
                let _relay = relay;
                client.run("127.0.0.1", port, &Log::silent(), &AtomicBool::new(false)).unwrap()
            }));
            if number == 0 {
                notes.wait_for("and waits");
            }
        }
        clients.into_iter().map(|client| client.join().unwrap()).collect::<Vec<_>>()
    });
    let mut results = WdlCounts::default();
    for (n, wire) in records.into_inner().unwrap().iter().enumerate() {
        let n = n as u64;
        let order = if sides == Sides::Swapped && n % 2 == 1 { [1, 0] } else { [0, 1] };
        let seeds = GameSeeds::of(Seed::new(SEED), n / 2, n % 2);
        let process = game.play(&order.map(|i| (&agents[i], i)), &seeds, &Settings::default(), None).record;
        assert_eq!((&wire.actions, &wire.start), (&process.actions, &process.start), "game {n}");
        assert_eq!((&wire.outcome, &wire.end, wire.seed), (&process.outcome, &process.end, process.seed));
        game.replay(wire).unwrap();
        results.add(Wdl::of(wire.outcome[order[0]]));
    }
    assert_eq!(scores[0], Score { games, results });
    assert_eq!(scores[1], Score { games, results: results.reversed() });
}

#[test]
fn whole_matches_come_out_as_in_one_process() {
    compare("map=duel", ["uct:playouts=60", "standard"], 4, Sides::Swapped, None);
    compare("map=crossing", ["random", "standard"], 3, Sides::Fixed, None);
    compare("map=ridge,noise=both,limit=12", ["standard", "pair"], 4, Sides::Swapped, None);
}

#[test]
fn it_does_not_matter_in_which_pieces_lines_arrive() {
    for seed in 0..4 {
        compare(
            "map=crossing",
            ["random", "standard"],
            2,
            Sides::Swapped,
            Some(Cuts::Random(Seed::new(seed))),
        );
    }
}
