//! The arena: forms and the messages of tables, to a server in this process. Its tasks may not panic either.

use crate::engine::{Target, words};
use ranka_arena::{Arena, Config, Limits};
use ranka_lab::Store;
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tungstenite::{Message, WebSocket};

/// How long the server may take for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// Panics of whatever thread.
static PANICS: AtomicU64 = AtomicU64::new(0);

/// The server, which runs as long as the program.
static SERVER: LazyLock<SocketAddr> = LazyLock::new(|| {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        usual(panic);
    }));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let limits = Limits { messages: 1_000_000, think: Duration::from_secs(1), ..Limits::default() };
    let config = Config { host: [127, 0, 0, 1].into(), port: 0, next_port: false, names: Vec::new(), limits };
    // Experiments open the store's file once more, so it is a file.
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("arena.sqlite")).unwrap();
    let arena = runtime.block_on(Arena::bind(&config, store)).unwrap();
    let address = arena.address().unwrap();
    std::thread::spawn(move || {
        runtime.block_on(arena.serve(std::future::pending())).unwrap();
        drop(folder);
    });
    address
});

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
        new("game=tantrix&who0=person&params1=x%3D1&who1=random&position=start"),
        "/records\nrecord=%7B%22format%22%3A2%7D".to_owned(),
        "/experiments\nname=a&source=x&size=quick".to_owned(),
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
        assert_eq!(PANICS.load(Ordering::Relaxed), 0, "a task panicked");
        u64::from(status)
            ^ words(&answer.chars().filter(|c| c.is_alphabetic() || *c == ' ').take(400).collect::<String>())
    })
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
    let stream = TcpStream::connect(*SERVER).unwrap();
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
        "{verb} /{} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
        path.trim_start_matches('/'),
        *SERVER,
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

/// Every line of an input is a message of one seat of a table at which two people sit.
fn messages() -> Target {
    let samples = [
        "{\"do\":\"act\",\"at\":0,\"action\":\"1\"}\n{\"do\":\"act\",\"at\":1,\"action\":\"2\"}",
        "{\"do\":\"act\",\"at\":0,\"action\":\"set:ABCD\"}\n{\"do\":\"take-back\"}",
        "{\"do\":\"preview\",\"at\":0,\"action\":\"3\"}\n{\"do\":\"judge\",\"at\":0,\"label\":\"skip\"}",
        "{\"do\":\"resign\"}",
    ];
    Target::new("arena messages", samples, |input| {
        thread_local!(static TABLE: RefCell<Option<(WebSocket<TcpStream>, u32)>> = const { RefCell::new(None) });
        let text = String::from_utf8_lossy(input);
        TABLE.with_borrow_mut(|table| {
            let (mut socket, used) = table.take().unwrap_or_else(|| (sit_down(input.len()), 0));
            for line in text.lines().take(8) {
                let _ = socket.send(Message::text(line));
            }
            let mut answer = 0;
            // The answer to a ping comes after those to what was said before.
            let _ = socket.send(Message::Ping(vec![1].into()));
            let stays = loop {
                match socket.read() {
                    Ok(Message::Pong(_)) => break true,
                    Ok(Message::Text(text)) if text.contains("\"error\"") => answer ^= words(&text),
                    Ok(Message::Close(_)) | Err(_) => break false,
                    Ok(_) => {}
                }
            };
            assert_eq!(PANICS.load(Ordering::Relaxed), 0, "a task panicked");
            *table = (stays && used < 200).then_some((socket, used + 1));
            answer
        })
    })
}

fn sit_down(which: usize) -> WebSocket<TcpStream> {
    let game = ["kalah", "geister", "labyrinth", "tantrix", "tubstap"][which % 5];
    let form = format!("game={game}&who0=person&who1=person&seed=1");
    let mut connection = connect();
    let request = format!(
        "POST /new HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
        *SERVER,
        form.len()
    );
    connection.get_mut().write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    let seat = answer.lines().find_map(|line| line.strip_prefix("location: /t/")).expect("a seat");
    let stream = connect().into_inner();
    tungstenite::client::client(format!("ws://{}/live/{seat}", *SERVER), stream).unwrap().0
}
