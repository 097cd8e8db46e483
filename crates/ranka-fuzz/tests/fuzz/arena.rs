//! The arena: forms and the messages of tables, to a server in this process. Its tasks may not panic either.

use super::panics;
use ranka_arena::{Arena, Config, ServerLimits};
use ranka_bots::fuzz::{Reaction, Target};
use ranka_core::{GameSeeds, Seed, Settings};
use ranka_lab::Store;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::LazyLock;
use std::time::Duration;
use tungstenite::{Message, WebSocket};

/// How long the server may take for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// The server, which runs as long as the program, and the cookie by which it knows who sits at its machine.
static SERVER: LazyLock<(SocketAddr, String)> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let limits =
        ServerLimits { messages: 1_000_000, think: Duration::from_secs(1), ..ServerLimits::default() };
    let config = Config { host: [127, 0, 0, 1].into(), port: 0, next_port: false, names: Vec::new(), limits };
    // Experiments open the store's file once more, so it is a file.
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("arena.sqlite")).unwrap();
    let arena = runtime.block_on(Arena::bind(&config, store)).unwrap();
    let address = arena.address().unwrap();
    let cookie = format!("token-{}={}", address.port(), arena.token().expect("this machine is trusted"));
    std::thread::spawn(move || {
        runtime.block_on(arena.serve(std::future::pending())).unwrap();
        drop(folder);
    });
    (address, cookie)
});

/// What a server answers that has no time.
const BUSY: u16 = 503;

pub(crate) fn targets() -> Vec<Target> {
    vec![forms(), messages()]
}

/// The samples name no agent that takes long: what is asked here is whether anything breaks.
fn forms() -> Target {
    let new = |rest: &str| format!("/new\n{rest}");
    let samples = [
        new("game=kalah&who0=person&who1=random&rules=houses%3D3%2Cseeds%3D3&seed=1&pace=0"),
        new("game=geister&who0=person&who1=person&rule-plies=20"),
        new("game=tubstap&who0=person&who1=random&rules=map%3Dduel&teaches=mine"),
        new("game=labyrinth&who0=person&who1=random&who2=person&who3=random"),
        new("game=tantrix&who0=person&who1=random"),
        format!("/paste\nrecord={}", encoded(&record())),
        format!("/experiments/own\nsource={}&size=quick", encoded(EXPERIMENT)),
        "/experiments/match\ngame=kalah&a=random&b=random&games=2".to_owned(),
        "/position?game=kalah&position=start&rules=\n".to_owned(),
        "/settings?language=ja&back=%2F\n".to_owned(),
    ];
    Target::new("arena forms", samples, |input| {
        let text = String::from_utf8_lossy(input);
        let (path, body) = text.split_once('\n').unwrap_or((&text, ""));
        // The way is one that HTTP can carry; what is behind it may be anything.
        let path: String = path.chars().filter(char::is_ascii_graphic).collect();
        let verb = if body.is_empty() { "GET" } else { "POST" };
        let (status, answer) = request(verb, &path, body);
        assert!(status != 500, "{verb} {path} {body:?}: {answer}");
        if path.starts_with("/experiments") {
            // One that was begun would keep others from beginning, and the machine busy.
            request("POST", "/experiments/stop", "");
        }
        panics::none_elsewhere();
        let answer: String = answer.chars().filter(|c| c.is_alphabetic() || *c == ' ').take(400).collect();
        let status_in_letters = "x".repeat(status.into());
        // Another experiment may not have stopped yet.
        Reaction::told(status < 400 || status == BUSY, &format!("{status_in_letters} {answer}"))
    })
}

const EXPERIMENT: &str = "title = \"Mine\"\nquestion = \"Who?\"\ngame = \"kalah\"\nrules = \"houses=3,seeds=3\"\n\
    games = { quick = 2, full = 2 }\n[[pairing]]\nname = \"one\"\nagents = [\"random\", \"random\"]\n";

/// A game as it is pasted.
fn record() -> String {
    let game = ranka_games::game("kalah").unwrap().open("houses=3,seeds=3").unwrap();
    let random = game.agent("random").unwrap();
    let seeds = GameSeeds::of(Seed::new(1), 0, 0);
    let played = game.play(&[(&random, 0), (&random, 1)], &seeds, &Settings::default(), None);
    serde_json::to_string(&played.record).unwrap()
}

/// Text as a form carries it.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

thread_local!(static CONNECTION: RefCell<Option<BufReader<TcpStream>>> = const { RefCell::new(None) });

/// A request on a connection that is kept; status and body.
fn request(verb: &str, path: &str, body: &str) -> (u16, String) {
    CONNECTION.with_borrow_mut(|kept| {
        for _ in 0..2 {
            let mut connection = kept.take().unwrap_or_else(connect);
            if let Some((status, answer, keep)) = exchange(&mut connection, verb, path, body) {
                *kept = keep.then_some(connection);
                return (status, answer);
            }
        }
        panic!("the server does not answer {verb} {path} {body:?}")
    })
}

fn connect() -> BufReader<TcpStream> {
    let stream = TcpStream::connect(SERVER.0).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_nodelay(true).unwrap();
    BufReader::new(stream)
}

/// Nothing if the connection was closed before an answer, as a server may.
fn exchange(
    connection: &mut BufReader<TcpStream>,
    verb: &str,
    path: &str,
    body: &str,
) -> Option<(u16, String, bool)> {
    let request = format!(
        "{verb} /{} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
        path.trim_start_matches('/'),
        SERVER.0,
        SERVER.1,
        body.len()
    );
    connection.get_mut().write_all(request.as_bytes()).ok()?;
    let (mut status, mut length, mut keep, mut line) = (0, 0, true, String::new());
    loop {
        line.clear();
        if connection.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let head = line.trim_end().to_ascii_lowercase();
        if let Some(rest) = head.strip_prefix("http/1.1 ") {
            status = rest.split(' ').next()?.parse().ok()?;
        } else if let Some(rest) = head.strip_prefix("content-length: ") {
            length = rest.parse().ok()?;
        } else if head == "connection: close" {
            keep = false;
        } else if head.is_empty() {
            break;
        }
    }
    let mut answer = vec![0; length];
    connection.read_exact(&mut answer).ok()?;
    Some((status, String::from_utf8_lossy(&answer).into_owned(), keep))
}

/// The first line of an input says which game; every further one is a message of one seat of a table at which two people
/// sit. Every game has a table, which is a new one when its game is over or it was used often.
fn messages() -> Target {
    let act = |action: &str| format!("{{\"do\":\"act\",\"at\":0,\"action\":\"{action}\"}}");
    // Each is the first that its table hears.
    let samples = [
        format!("kalah\n{}", act("1")),
        format!("geister\n{}", act("set:ABCD")),
        "tantrix\n{\"do\":\"resign\"}".to_owned(),
        format!("tubstap\n{}", act("end").replace("act\"", "preview\"")),
        "tubstap\n{\"do\":\"hint\"}".to_owned(),
    ];
    Target::new("arena messages", samples, |input| {
        thread_local!(static TABLES: RefCell<HashMap<&'static str, (WebSocket<TcpStream>, u32)>> = RefCell::default());
        let text = String::from_utf8_lossy(input);
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let game = GAMES.into_iter().find(|game| first.starts_with(game)).unwrap_or(GAMES[input.len() % 5]);
        TABLES.with_borrow_mut(|tables| {
            let (mut socket, used) = tables.remove(game).unwrap_or_else(|| (sit_down(game), 0));
            for line in lines.take(8) {
                let _ = socket.send(Message::text(line));
            }
            let mut errors = Vec::new();
            // The answer to a ping comes after those to what was said before.
            let _ = socket.send(Message::Ping(vec![1].into()));
            let stays = loop {
                match socket.read() {
                    Ok(Message::Pong(_)) => break true,
                    Ok(Message::Text(text)) if text.contains("\"error\"") => {
                        errors.push(text.replace('"', " "))
                    }
                    Ok(Message::Close(_)) | Err(_) => break false,
                    Ok(_) => {}
                }
            };
            panics::none_elsewhere();
            if stays && used < 200 {
                tables.insert(game, (socket, used + 1));
            }
            Reaction::told(stays && errors.is_empty(), &errors.join(" "))
        })
    })
}

const GAMES: [&str; 5] = ["kalah", "geister", "labyrinth", "tantrix", "tubstap"];

fn sit_down(game: &str) -> WebSocket<TcpStream> {
    let form = format!("game={game}&who0=person&who1=person&hints=on&seed=1");
    let mut connection = connect();
    let request = format!(
        "POST /new HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
        SERVER.0,
        form.len()
    );
    connection.get_mut().write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    let seat = answer.lines().find_map(|line| line.strip_prefix("location: /t/")).expect("a seat");
    let stream = connect().into_inner();
    tungstenite::client::client(format!("ws://{}/live/{seat}", SERVER.0), stream).unwrap().0
}
