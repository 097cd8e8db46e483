//! The protocols of bots and communities: lines, and the state machines behind them. These are driven as their peers would
//! drive them, over real connections where there are some.

use super::files::through_a_file;
use super::panics;
use ranka_bots::fuzz::{Reaction, Target};
use ranka_bots::kgp::{Address, AgentPlayer, Mode, ServedAgent};
use ranka_bots::net::{self, Log};
use ranka_bots::{geister, kgp, stdio, tubstap};
use ranka_core::{AnyGame, EndReason, Error, GameSeeds, Params, Seat, Seed, Settings};
use ranka_kalah::{Kalah, Rules};
use ranka_tubstap::{Rules as MapRules, Tubstap, maps};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, Mutex};
use std::thread;
use std::time::Duration;

static NEVER: AtomicBool = AtomicBool::new(false);

/// How long anything may be waited for here.
const LONG: Duration = Duration::from_secs(8);

pub(crate) fn targets() -> Vec<Target> {
    let parsers = [stdio::PARSER, geister::PARSER, kgp::PARSER, tubstap::PARSER]
        .map(|parser| Target::new(format!("protocol {}", parser.name), parser.samples, parser.read));
    let machines = [
        stdio_bot(),
        stdio_host(),
        kgp_client(),
        kgp_solver(),
        kgp_server(),
        tubstap_client(),
        tubstap_server(),
        geister_client(),
    ];
    parsers.into_iter().chain(machines).collect()
}

fn open(game: &str, rules: &str) -> Result<Arc<dyn AnyGame>, Error> {
    ranka_games::game(game)?.open(rules)
}

/// What a host says to our bot.
fn stdio_bot() -> Target {
    let samples = ranka_games::catalogue().iter().map(|entry| {
        let (info, game) = (entry.info(), entry.open("").unwrap());
        let nobody = vec![None; game.seats()];
        let table = game.match_table(None, &nobody, &GameSeeds::of(Seed::new(1), 0, 0)).unwrap();
        format!(
            "ranka 1\nnewgame {} {}\nrules {}\nseats {}\nseat 0\nseed 7\nisready\nview {}\ngo nodes 20\nover rules 1 0\nquit\n",
            info.name,
            info.version,
            game.rules(),
            game.seats(),
            table.view(Seat::FIRST)
        )
    });
    Target::new("machine stdio bot", samples.collect::<Vec<_>>(), |input| {
        let mut said = Vec::new();
        let done = stdio::serve(&open, Some("random"), None, input, &mut said);
        Reaction::all([Reaction::of(&done), Reaction::told(true, &String::from_utf8_lossy(&said))])
    })
}

/// Says the next lines of a file, up to a line of two dashes, whenever it is asked for something.
const BOT: &str = r#"exec 3< "$1"
while read -r word rest; do
    case $word in
        ranka|isready|go) while IFS= read -r line <&3 && [ "$line" != -- ]; do printf '%s\n' "$line"; done ;;
        quit) exit ;;
    esac
done
"#;

/// What a bot says to our host.
fn stdio_host() -> Target {
    let game = open("kalah", "houses=1,seeds=1").unwrap();
    // With one seed in one house the first move is the last.
    let samples = [
        "name A\nversion 1\ngames kalah\n--\nready\n--\nready\n--\ninfo nodes 3 value 0.5\naction 1\n",
        "--\nready\n--\nready\n--\naction 1\n",
    ];
    Target::new("machine stdio host", samples, move |input| {
        through_a_file("lines", input, |path| {
            let bot = path.with_file_name("bot.sh");
            std::fs::write(&bot, BOT).unwrap();
            let command = format!("sh {} {}", bot.display(), path.display());
            let spec =
                format!("bot:cmd=\"{command}\",files=\"{}\",start=2000,move=2000,grace=100", path.display());
            let played = game.agent(&spec).map(|bot| {
                let random = game.agent("random").unwrap();
                let seeds = GameSeeds::of(Seed::new(1), 0, 0);
                game.play(&[(&bot, 0), (&random, 1)], &seeds, &Settings::default(), None).record.end
            });
            let taken = played.as_ref().is_ok_and(|end| end.reason == EndReason::Rules);
            let words = played.map_or_else(
                |error| error.to_string(),
                |end| format!("{} {}", end.reason.name().replace('-', ""), end.detail.unwrap_or_default()),
            );
            Reaction::told(taken, &words)
        })
    })
}

/// Lets a client of ours talk to a server that says the lines of `input`, and listens for a moment after some.
fn served<T>(input: &[u8], client: impl FnOnce(SocketAddr) -> T) -> T {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || {
            let Ok((stream, _)) = listener.accept() else { return };
            let _ = talk(&stream, input);
        });
        client(address)
    })
}

/// Says lines, and listens for a moment after each; then hears the other side out. Who asks for a game of the Kalah Game
/// Protocol waits for its first state.
fn talk(mut stream: &TcpStream, input: &[u8]) -> std::io::Result<String> {
    stream.set_nodelay(true)?;
    let (mut heard, mut bytes) = (Vec::new(), [0; 4096]);
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        if stream.write_all(line).is_err() {
            break;
        }
        let waits = line.ends_with(b" mode freeplay\n");
        stream.set_read_timeout(Some(Duration::from_millis(if waits { 500 } else { 1 })))?;
        while let Ok(count @ 1..) = stream.read(&mut bytes) {
            heard.extend(&bytes[..count]);
            if !waits || heard.windows(7).any(|part| part == b" state ") {
                break;
            }
        }
    }
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(LONG))?;
    let _ = stream.read_to_end(&mut heard);
    Ok(String::from_utf8_lossy(&heard).into_owned())
}

fn address_of(address: SocketAddr) -> Address {
    Address::tcp("127.0.0.1", address.port())
}

fn kgp_client() -> Target {
    let samples = [
        "2 kgp 1 0 1\r\n4@1 ok\r\n6 set time:clock \"5\"\r\n8 state <3,0,0,3,3,3,3,3,3>\r\n10@8 stop\r\n12 ping 3\r\ngoodbye\r\n",
        "2 kgp 1 0 1\r\n4@1 ok\r\n6 state <2,1,0,1,1,0,2>\r\n8@3 error \"No state associated with id\"\r\n10@6 stop\r\ngoodbye\r\n",
    ];
    Target::new("machine kgp client", samples, |input| {
        let entry = ranka_games::game("kalah").unwrap();
        let mut player = AgentPlayer::new(entry, "", "random", Settings::default(), Seed::new(1), 0).unwrap();
        let client = kgp::Client { settle: Duration::from_millis(1), ..kgp::Client::named("Spoilt") };
        let score = served(input, |address| {
            client.run(&address_of(address), Mode::Freeplay(&mut player), &Log::silent(), &NEVER)
        });
        Reaction::of(&score)
    })
}

fn kgp_solver() -> Target {
    let samples = [
        "2 kgp 1 0 1\r\n4 problem <6,15,10,1,3,6,2,10,9,1,7,2,0,1,11> 0\r\n6@3 ok\r\n8 problem <3,0,0,3,3,3,3,3,3> 2\r\ngoodbye\r\n",
    ];
    Target::new("machine kgp solver", samples, |input| {
        let score = served(input, |address| {
            let mode = Mode::Verify { rules: Rules::STANDARD, from_one: false, most: None };
            kgp::Client::default().run(&address_of(address), mode, &Log::silent(), &NEVER)
        });
        Reaction::of(&score)
    })
}

/// A server that runs as long as the program.
static KGP: LazyLock<SocketAddr> = LazyLock::new(|| {
    let kalah = Kalah::standard(3, 3);
    let game = open("kalah", "houses=3,seeds=3").unwrap();
    let agent = game.agent("random").unwrap();
    let options = kgp::Options {
        opponent: Some(ServedAgent { game, agent }),
        time: Duration::from_millis(200),
        patience: Duration::from_millis(500),
        ..kgp::Options::new(kalah, "houses=3,seeds=3".to_owned()).unwrap()
    };
    let server = kgp::Server::bind(options, net::Server::LOOPBACK, 0, None).unwrap();
    let address = server.address();
    thread::spawn(move || server.run(&Log::silent(), &NEVER, &|_| {}));
    address
});

fn kgp_server() -> Target {
    let samples = [
        "1 set info:name \"Spoilt\"\n3 mode freeplay\n5@6 move 1\n7@6 yield\ngoodbye\n",
        "1 mode freeplay\n3 ping 5\n5@6 move 3\n7@6 move 2\n9@6 yield\n11 goodbye\n",
        "1 mode verify\n3 ping\ngoodbye\n",
    ];
    Target::new("machine kgp server", samples, |input| {
        let heard = talk(&TcpStream::connect(*KGP).unwrap(), input).unwrap_or_default();
        panics::none_elsewhere();
        // All lines come at once, so whether a move meets its state is a matter of time; but everybody is answered.
        let answered = [" ok", " pong", " error"].iter().any(|word| heard.contains(word));
        Reaction::told(answered, &heard)
    })
}

static TUBSTAP: LazyLock<Arc<dyn AnyGame>> = LazyLock::new(|| open("tubstap", "map=duel").unwrap());

fn tubstap_client() -> Target {
    let map = maps::find("duel").unwrap();
    let map = tubstap::map_line(&map, &map.state(MapRules::default()).unwrap());
    let samples = [
        format!("name\r\nopponent standard\r\nMAP {map}\r\nColor 0\r\nGenmove\r\nstatus\r\ngameover\r\n"),
        format!("MAP {map}\r\nColor 1\r\nplay -1,-1,-1,0,0,-1,0,0,0,0,0\r\ngameover\r\n"),
    ];
    Target::new("machine tubstap client", samples, |input| {
        let agent = TUBSTAP.agent("random").unwrap();
        let client = tubstap::Client {
            game: TUBSTAP.as_ref(),
            agent: &agent,
            name: "Spoilt".to_owned(),
            settings: Settings::default(),
            seed: Seed::new(1),
            number: 0,
        };
        let score = served(input, |address| client.run("127.0.0.1", address.port(), &Log::silent(), &NEVER));
        Reaction::of(&score)
    })
}

/// A server that runs as long as the program, and how its last game ended.
static TUBSTAP_SERVER: LazyLock<SocketAddr> = LazyLock::new(|| {
    let params = Params::parse("map=duel", <Tubstap as ranka_core::Game>::options()).unwrap();
    let game = <Tubstap as ranka_core::Game>::new(&params).unwrap();
    let options = tubstap::Options {
        patience: Duration::from_millis(500),
        ..tubstap::Options::new(game, params.full())
    };
    let server = tubstap::Server::bind(options, net::Server::LOOPBACK, 0).unwrap();
    let address = server.address();
    thread::spawn(move || {
        server.run(&Log::silent(), &NEVER, &|record| *LAST.lock().unwrap() = record.end.reason.name());
    });
    address
});
static LAST: Mutex<&str> = Mutex::new("");

/// The answers of both clients, in the order in which they are asked, each up to an empty line. When none is left they leave.
fn tubstap_server() -> Target {
    let polite = "= Red\n\n= Blue\n\n=\n\n=\n\n=\n\n=\n\n=\n\n=\n\n";
    let surrender = "= -1,-1,-1,0,0,-1,0,0,0,0,0\n\n";
    let samples = [
        format!("{polite}{surrender}=\n\n=\n\n=\n\n"),
        format!("{polite}= 0,2,3,1,3,-1,0,0,1,0,0\n\n=\n\n{surrender}=\n\n=\n\n=\n\n"),
    ];
    Target::new("machine tubstap server", samples, |input| {
        let text = String::from_utf8_lossy(input).replace('\r', "");
        let answers =
            Mutex::new(text.split_inclusive("\n\n").map(str::to_owned).collect::<Vec<_>>().into_iter());
        *LAST.lock().unwrap() = "";
        let sit = || {
            let stream = TcpStream::connect(*TUBSTAP_SERVER).unwrap();
            stream.set_nodelay(true).unwrap();
            stream.set_read_timeout(Some(LONG)).unwrap();
            stream
        };
        let streams = [sit(), sit()];
        thread::scope(|scope| {
            for stream in &streams {
                let (answers, streams) = (&answers, &streams);
                scope.spawn(move || {
                    let mut reader = BufReader::new(stream);
                    let mut line = String::new();
                    while reader.read_line(&mut line).is_ok_and(|count| count > 0) {
                        let Some(answer) = answers.lock().unwrap().next() else { break };
                        if (&mut &*stream).write_all(answer.as_bytes()).is_err() {
                            break;
                        }
                        line.clear();
                    }
                    for stream in streams {
                        let _ = stream.shutdown(Shutdown::Both);
                    }
                });
            }
        });
        panics::none_elsewhere();
        let end = *LAST.lock().unwrap();
        Reaction::told(matches!(end, "rules" | "resigned"), end)
    })
}

fn geister_client() -> Target {
    let game = open("geister", "").unwrap();
    let agent = game.agent("random:setup=ABCD").unwrap();
    // The board as the first player sees it who has set up ABCD.
    let begun = "SET?\r\nOK \r\nMOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u\r\n";
    let samples = [begun.to_owned(), format!("{begun}OK \r\nSET?\r\nNG \r\n")];
    Target::new("machine geister client", samples, move |input| {
        let log = Log::silent();
        let played = served(input, |address| {
            let client = geister::Client {
                host: "127.0.0.1",
                port: address.port(),
                seat: Seat::FIRST,
                game: game.as_ref(),
                agent: &agent,
                number: 0,
                settings: Settings::default(),
                patience: Duration::ZERO,
                silence: LONG,
                log: &log,
            };
            client.play(&GameSeeds::of(Seed::new(1), 0, 0))
        });
        let why = played.map_or_else(|error| error.to_string(), |played| played.why.unwrap_or_default());
        // A server that leaves in the middle of a game has said nothing wrong.
        Reaction::told(why.contains("closed"), &why)
    })
}
