//! The door: who is let in, who is trusted, and how much goes through it.

use crate::client::{Server, mine_or_over};
use futures_util::StreamExt as _;
use ranka_arena::ServerLimits;
use serde_json::{Value, json};
use std::io::Read as _;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

const PROGRAM: &[(&str, &str)] =
    &[("game", "kalah"), ("who1", "bot"), ("params1", "cmd=true"), ("pace", "0")];

#[tokio::test(flavor = "multi_thread")]
async fn programs_run_only_for_who_came_by_the_printed_address() {
    let server = Server::start(ServerLimits::default()).await;
    let stranger = server.without_token();
    let (status, _, body) = stranger.post("/new", PROGRAM).await;
    assert_eq!(status, 400);
    assert!(body.contains("the address that it printed"), "{body}");
    let asked = json!({ "game": "kalah", "agent": "bot:cmd=true" }).to_string();
    let head = format!("POST /analyse HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json", server.host);
    assert_eq!(stranger.request(&head, &asked).await.0, 400);
    let form = [("experiment", "kalah/table-1"), ("size", "quick")];
    assert_eq!(stranger.post("/experiments", &form).await.0, 403);
    assert_eq!(stranger.post("/new", &[("game", "kalah")]).await.0, 303, "anybody may play");
    assert_eq!(server.post("/new", PROGRAM).await.0, 303, "who has the token may");

    // The way in: the token becomes a cookie, and the address loses it.
    let token = server.token.clone().unwrap();
    let get = |path: String| format!("GET {path} HTTP/1.1\r\nHost: {}", server.host);
    let (status, head, _) = stranger.request(&get(format!("/watch?token={token}&x=1")), "").await;
    assert_eq!(status, 303);
    assert!(head.contains("location: /watch?x=1\r\n"), "{head}");
    assert!(head.contains(&format!("={token}; Path=/; SameSite=Strict; HttpOnly")), "{head}");
    let (_, head, _) = stranger.request(&get("/?token=guessed".to_owned()), "").await;
    assert!(!head.contains("set-cookie"), "{head}");
    let (_, head, _) = stranger.request(&get(format!("//evil.example/?token={token}")), "").await;
    assert!(head.contains("location: /\r\n"), "never to somebody else's server: {head}");

    let public = Server::with_names(ServerLimits::default(), &["ranka.example"]).await;
    assert_eq!(public.token, None, "where strangers come nobody is trusted");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_is_ours_only_with_a_port_behind_it() {
    let server = Server::start(ServerLimits::default()).await;
    for host in ["127.0.0.1:4310.evil.example", "127.0.0.1:80@evil.example", "127.0.0.1:"] {
        let (status, _, _) = server.request(&format!("GET / HTTP/1.1\r\nHost: {host}"), "").await;
        assert_eq!(status, 403, "{host}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_never_ends_a_request_makes_room_for_others() {
    let limits =
        ServerLimits { connections: 2, patience: Duration::from_millis(200), ..ServerLimits::default() };
    let server = Server::start(limits).await;
    let mut slow = Vec::new();
    for _ in 0..2 {
        let mut socket = tokio::net::TcpStream::connect(&server.host).await.unwrap();
        let head = format!(
            "POST /new HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 50\r\n\r\ngame=",
            server.host
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        slow.push(socket);
    }
    assert_eq!(server.get("/").await.0, 200, "their places are taken only for a while");
    for mut socket in slow {
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_explained_on_a_page() {
    let server = Server::start(ServerLimits::default()).await;
    for path in ["/replay/table/x/nonsense", "/settings?language=en&language=ja", "/thought/table/x/-1"] {
        let (status, page) = server.get(path).await;
        assert_eq!(status, 400, "{path}");
        assert!(
            page.contains("<h1>That did not work</h1>") && page.contains("could not be understood"),
            "{page}"
        );
    }
    let (status, _, page) = server.post("/paste", &[("wrong", "1")]).await;
    assert_eq!(status, 422);
    assert!(page.contains("<h1>That did not work</h1>") && page.contains("record"), "{page}");
    assert!(!page.contains("deserialize") && !page.contains("missing field"), "a parser's words: {page}");
    let (status, _, page) = server.post("/watch", &[]).await;
    assert_eq!(status, 405);
    assert!(page.contains("<h1>That did not work</h1>"), "{page}");
    let head = format!("POST /line HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json", server.host);
    let (status, _, answer) = server.request(&head, "{\"from\":1}").await;
    assert!([400, 422].contains(&status), "{status}");
    let answer: Value = serde_json::from_str(&answer).expect("a script is answered in JSON");
    let answer = answer["error"].as_str().unwrap();
    assert!(answer.contains("could not be understood"), "{answer}");
    assert!(!answer.contains("deserialize") && !answer.contains("field"), "a parser's words: {answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_sent_once_and_pages_are_packed() {
    let server = Server::start(ServerLimits::default()).await;
    let get = |path: &str, more: &str| {
        format!("GET {path} HTTP/1.1\r\nHost: {}\r\nAccept-Encoding: gzip{more}", server.host)
    };
    let mut home = 0;
    let (_, page) = server.get("/").await;
    let own = page.split(['"']).filter(|part| part.starts_with("/static/")).map(str::to_owned);
    let mut loaded: Vec<String> = std::iter::once("/".to_owned()).chain(own).collect();
    let mut place = 0;
    while let Some(path) = loaded.get(place).cloned() {
        place += 1;
        let (status, head, body) = server.bytes(&get(&path, ""), "").await;
        assert_eq!(status, 200);
        let packed = head.contains("content-encoding: gzip");
        assert!(packed || body.len() < 800, "{path}: {head}");
        home += head.len() + body.len();
        // What a script imports is loaded, too.
        let text = if path.ends_with(".js") { server.get(&path).await.1 } else { String::new() };
        for name in text.lines().filter_map(|line| line.strip_prefix("import ")?.split("\"./").nth(1)) {
            let import = format!("/static/{}", name.trim_end_matches([';', '"']));
            if !loaded.contains(&import) {
                loaded.push(import);
            }
        }
    }
    assert!(
        ["ranka.css", "page.js", "yours.js"].iter().all(|file| loaded.contains(&format!("/static/{file}")))
    );
    println!("the first page with all that it loads: {home} bytes");
    assert!(home < 60_000, "{home} bytes");
    let (_, head, _) = server.bytes(&get("/static/board.js", ""), "").await;
    let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag");
    let (status, _, body) =
        server.bytes(&get("/static/board.js", &format!("\r\nIf-None-Match: {tag}")), "").await;
    assert_eq!((status, body.len()), (304, 0));
    let (status, _, _) = server.bytes(&get("/static/board.js", "\r\nIf-None-Match: \"old\""), "").await;
    assert_eq!(status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_is_a_few_kilobytes_on_the_wire() {
    let server = Server::start(ServerLimits { messages: 1_000, ..ServerLimits::default() }).await;
    let two = ranka_games::catalogue().iter().map(|game| (game.info().name, ""));
    // Pictures of four players are the largest.
    for (name, rules) in two.chain([("labyrinth", "players=4")]) {
        // Its thoughts go over the wire, too, and a board grows until the end.
        let form = [
            ("game", name),
            ("rules", rules),
            ("who1", "level-beginner"),
            ("who2", "level-beginner"),
            ("who3", "level-beginner"),
            ("pace", "0"),
            ("seed", "5"),
        ];
        let form = if rules.is_empty() { [&form[..3], &form[5..]].concat() } else { form.to_vec() };
        let seat = server.lay(&form).await;
        let (mut packed, _) =
            connect_async(format!("ws://{}/live/{seat}?packed", server.host)).await.unwrap();
        let mut client = server.connect(&seat).await;
        let (mut most, mut packed_at, mut log) = (0, None, Vec::new());
        let mut game = client.until(mine_or_over).await;
        // To the end, but not for ever: by then a log is as long as any.
        for turn in 0..300 {
            if !game["result"].is_null() {
                break;
            }
            let offers = game["offers"].as_array().unwrap();
            let action = offers[7919 * turn % offers.len()]["action"].as_str().unwrap().to_owned();
            client.act(&game, &action).await;
            let at = game["at"].as_u64();
            let seen = client.until(|game| game["at"].as_u64() > at).await;
            // What the other connection was sent of the same.
            while packed_at < seen["at"].as_u64() {
                let message = packed.next().await.unwrap().unwrap();
                most = most.max(message.len());
                let text = match message {
                    Message::Text(text) => text.to_string(),
                    Message::Binary(bytes) => {
                        let mut text = String::new();
                        flate2::read::DeflateDecoder::new(bytes.as_ref()).read_to_string(&mut text).unwrap();
                        text
                    }
                    _ => continue,
                };
                let told: Value = serde_json::from_str(&text).unwrap();
                if told["kind"] != "game" {
                    continue;
                }
                packed_at = packed_at.max(told["at"].as_u64());
                log.truncate(told["from"].as_u64().unwrap() as usize);
                log.extend_from_slice(told["log"].as_array().unwrap());
            }
            if packed_at == seen["at"].as_u64() {
                assert_eq!(seen["log"], json!(log), "{name}: a page that keeps lines has them all");
            }
            // Who is to act again is told no more.
            game = if mine_or_over(&seen) { seen } else { client.until(mine_or_over).await };
        }
        println!("{name} {rules}: {most} bytes at most");
        assert!(most < 10_000, "{name} {rules}: {most} bytes");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_listens_is_told_that_the_server_is_there() {
    let server =
        Server::start(ServerLimits { beat: Duration::from_millis(40), ..ServerLimits::default() }).await;
    let seat = server.lay(&[("game", "kalah"), ("who1", "random")]).await;
    for path in [format!("/live/{seat}"), "/run".to_owned()] {
        let (mut socket, _) = connect_async(format!("ws://{}{path}", server.host)).await.unwrap();
        let mut beats = 0;
        while beats < 3 {
            let message = socket.next().await.unwrap().unwrap();
            beats += usize::from(message.to_text().unwrap_or("").contains("\"beat\""));
        }
    }
}
