//! Whoever misbehaves is told so, and nobody else notices.

use crate::client::{Server, actions, mine_or_over};
use ranka_arena::ServerLimits;
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

const KALAH: &[(&str, &str)] = &[("game", "kalah"), ("who1", "random"), ("pace", "0"), ("seed", "1")];

#[tokio::test(flavor = "multi_thread")]
async fn foreign_pages_and_names_are_turned_away() {
    let server = Server::start(ServerLimits::default()).await;
    let host = &server.host;
    let (status, _, _) = server.request("GET / HTTP/1.1\r\nHost: evil.example", "").await;
    assert_eq!(status, 403, "a name that leads here by rebinding");
    let form = "Content-Type: application/x-www-form-urlencoded";
    for foreign in ["Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"] {
        let head = format!("POST /new HTTP/1.1\r\nHost: {host}\r\n{form}\r\n{foreign}");
        assert_eq!(server.request(&head, "game=kalah").await.0, 403, "{foreign}");
    }
    let head = format!("POST /new HTTP/1.1\r\nHost: {host}\r\n{form}\r\nOrigin: http://{host}");
    assert_eq!(server.request(&head, "game=kalah").await.0, 303, "our own page");
    let head = format!("POST /new HTTP/1.1\r\nHost: {host}\r\n{form}\r\nOrigin: https://{host}");
    assert_eq!(
        server.request(&head, "game=kalah").await.0,
        403,
        "nobody speaks TLS before an unnamed server"
    );
    let named = Server::with_names(ServerLimits::default(), &["ranka.example"]).await;
    for (origin, status) in [("https://ranka.example", 303), ("https://evil.example", 403)] {
        let head = format!("POST /new HTTP/1.1\r\nHost: ranka.example\r\n{form}\r\nOrigin: {origin}");
        assert_eq!(named.request(&head, "game=kalah").await.0, status, "{origin} behind a proxy");
    }
    let seat = server.lay(KALAH).await;
    let mut request = format!("ws://{host}/live/{seat}").into_client_request().unwrap();
    request.headers_mut().insert("origin", "http://evil.example".parse().unwrap());
    assert!(connect_async(request).await.is_err(), "a foreign page opens no connection");
    let (_, head, _) = server.request(&format!("GET / HTTP/1.1\r\nHost: {host}"), "").await;
    assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{head}");
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_forms_and_links_get_a_clear_answer() {
    let server = Server::start(ServerLimits { pasted: 64 * 1024, ..ServerLimits::default() }).await;
    for (form, said) in [
        (&[("game", "chess")][..], "chess"),
        (&[("game", "kalah"), ("rules", "houses=900")], "houses"),
        (&[("game", "kalah"), ("who1", "minimux")], "minimax"),
        (&[("game", "kalah"), ("who1", "minimax"), ("params1", "depth=x")], "depth"),
        (&[("game", "kalah"), ("position", "nonsense")], "nonsense"),
        (&[("game", "kalah"), ("seed", "-1")], "seed"),
        (&[("game", "kalah"), ("teaches", "mine")], "taught"),
        (&[("game", "tubstap"), ("teaches", "../x")], "../x"),
    ] {
        let (status, _, body) = server.post("/new", form).await;
        assert_eq!(status, 400, "{form:?}");
        assert!(body.contains(said), "{form:?}: {body}");
    }
    let seat = server.lay(KALAH).await;
    let id = seat.split('/').next().unwrap();
    for path in [
        "/t/nowhere",
        &format!("/t/{id}/wrongsecret"),
        "/replay/table/nowhere",
        "/replay/import/77",
        "/replay/0123456789ab/0",
        "/replay/0123456789ab/-1",
        "/watch/0123456789ab",
        "/experiments/kalah/no-such-table",
        "/experiments/no-such-paper/table-1",
        "/nothing",
        "/static/nothing",
    ] {
        assert_eq!(server.get(path).await.0, 404, "{path}");
    }
    assert_eq!(server.get("/new/chess").await.0, 400);
    assert!(connect_async(format!("ws://{}/live/{id}/wrongsecret", server.host)).await.is_err());
    let record = [("record", "{\"game\":1}")];
    assert_eq!(server.post("/paste", &record).await.0, 400);
    let long = "x".repeat(100_000);
    assert_eq!(server.post("/paste", &[("record", &long)]).await.0, 413, "too long");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_and_stale_messages_change_nothing() {
    let server = Server::start(ServerLimits::default()).await;
    let seat = server.lay(KALAH).await;
    let mut client = server.connect(&seat).await;
    let game = client.until(mine_or_over).await;
    for (message, said) in [
        ("nonsense".to_owned(), "no message"),
        (json!({ "do": "dance" }).to_string(), "no message"),
        (json!({ "do": "act", "at": 0, "action": "9" }).to_string(), "9"),
        (json!({ "do": "act", "at": 7, "action": "1" }).to_string(), "gone on"),
        (json!({ "do": "act", "at": 0, "action": "zz" }).to_string(), "zz"),
        (json!({ "do": "take-back" }).to_string(), "taken back"),
        (json!({ "do": "judge", "at": 0, "label": "good" }).to_string(), "nothing to judge"),
    ] {
        client.send(Message::Text(message.clone().into())).await.unwrap();
        let complaint = client.complaint().await;
        assert!(complaint.contains(said), "{message}: {complaint}");
    }
    client.send(Message::Binary(vec![0, 159, 146, 150].into())).await.unwrap();
    assert!(client.complaint().await.contains("text"));
    // The same action twice is taken once.
    let first = actions(&game)[0].clone();
    client.act(&game, &first).await;
    client.act(&game, &first).await;
    let complaint = client.complaint().await;
    assert!(complaint.contains("gone on") || complaint.contains("turn"), "{complaint}");
    let watcher = seat.split('/').next().unwrap();
    let mut onlooker = server.connect(watcher).await;
    let seen = onlooker.until(|_| true).await;
    assert!(seen["offers"].as_array().unwrap().is_empty(), "who watches is offered nothing");
    onlooker.say(json!({ "do": "resign" })).await;
    assert!(onlooker.complaint().await.contains("watches"));
}

#[tokio::test(flavor = "multi_thread")]
async fn floods_and_endless_messages_end_only_their_own_connection() {
    let server = Server::start(ServerLimits { messages: 5, ..ServerLimits::default() }).await;
    let seat = server.lay(KALAH).await;
    let mut calm = server.connect(&seat).await;
    let game = calm.until(mine_or_over).await;

    let mut flood = server.connect(&seat).await;
    for _ in 0..200 {
        if flood.send(Message::Text("{}".into())).await.is_err() {
            break;
        }
    }
    while flood.next().await.is_some() {}

    let mut endless = server.connect(&seat).await;
    let _ = endless.send(Message::Text("x".repeat(1_000_000).into())).await;
    while endless.next().await.is_some() {}

    // A client that never reads is left, sooner or later; the calm one goes on at once.
    let _silent = server.connect(&seat).await;
    let action = actions(&game)[0].clone();
    calm.act(&game, &action).await;
    let at = game["at"].as_u64();
    calm.until(|game| game["at"].as_u64() > at).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_waits_for_is_not_thought() {
    let server = Server::start(ServerLimits {
        grace: Duration::from_millis(50),
        searches: 1,
        ..ServerLimits::default()
    })
    .await;
    let form = [("game", "tantrix"), ("who0", "uct"), ("params0", "playouts=100000000"), ("who1", "person")];
    let seat = server.lay(&form).await;
    let mut client = server.connect(&seat).await;
    client.until(|game| game["players"][0]["thinks"] == true).await;
    drop(client);
    // There is one search at a time here: that another can think shows that this one was given up.
    let mut other = server.connect(&server.lay(KALAH).await).await;
    let game = other.until(mine_or_over).await;
    other.act(&game, "6").await;
    other.until(|game| game["log"].as_array().unwrap().iter().any(|line| line["by"] == 1)).await;
    drop(other);
    // Whoever comes back sets it thinking again.
    let mut back = server.connect(&seat).await;
    let game = back.until(|game| game["players"][0]["thinks"] == true).await;
    assert!(game["log"].as_array().unwrap().iter().all(|line| line["by"] != 0));
    // Otherwise it would think on, and the test wait for it.
    back.say(json!({ "do": "resign" })).await;
    back.until(|game| !game["result"].is_null()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_hall_takes_nobody_who_would_push_others_out() {
    let server = Server::start(ServerLimits { tables: 2, ..ServerLimits::default() }).await;
    let seats = [server.lay(KALAH).await, server.lay(KALAH).await];
    let mut clients = Vec::new();
    for seat in &seats {
        let mut client = server.connect(seat).await;
        client.until(mine_or_over).await;
        clients.push(client);
    }
    let (status, _, body) = server.post("/new", KALAH).await;
    assert_eq!(status, 503);
    assert!(body.contains("room for no more"), "{body}");
    // When somebody leaves there is room; the table that gave way comes back from the store.
    drop(clients.pop());
    let mut laid = None;
    for _ in 0..200 {
        if server.post("/new", KALAH).await.0 == 303 {
            laid = Some(());
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(laid.is_some());
    let mut again = server.connect(&seats[1]).await;
    again.until(mine_or_over).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_revealed_at_the_end_cannot_be_taken_back() {
    let server = Server::start(ServerLimits::default()).await;
    let form = [("game", "geister"), ("rules", "plies=2"), ("who1", "random"), ("pace", "0")];
    let seat = server.lay(&form).await;
    let mut client = server.connect(&seat).await;
    // The set-up can be taken back before the game begins; the end, which shows all colours, cannot.
    loop {
        let game = client.until(mine_or_over).await;
        if !game["result"].is_null() {
            assert_eq!(game["can_take_back"], false);
            break;
        }
        let action = actions(&game)[0].clone();
        client.act(&game, &action).await;
        let at = game["at"].as_u64();
        // The next state may be mine again already: it is asked for anew.
        client.until(|game| game["at"].as_u64() > at).await;
        client = server.connect(&seat).await;
    }
    client.say(json!({ "do": "take-back" })).await;
    assert!(client.complaint().await.contains("taken back"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_suggests_agents_but_no_programs_and_no_files() {
    let server = Server::start(ServerLimits::default()).await;
    let (_, page) = server.get("/new/tubstap?agent=uct:playouts=77").await;
    assert!(page.contains("playouts=77"), "a harmless one is filled in");
    for agent in ["bot:cmd=touch", "uct:prune=%2Fetc%2Fpasswd"] {
        for page in ["/new/tubstap?agent=", "/position?game=tubstap&agent="] {
            let (_, page) = server.get(&format!("{page}{agent}")).await;
            assert!(!page.contains("cmd=touch") && !page.contains("passwd"), "{agent}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn from_afar_nobody_starts_experiments() {
    let server = Server::with_names(ServerLimits::default(), &["ranka.example"]).await;
    let (_, page) = server.get("/experiments").await;
    assert!(page.contains("only-here") && !page.contains("name=\"size\"") && !page.contains("run-stop"));
    let form = [("experiment", "kalah/table-1"), ("size", "quick")];
    assert_eq!(server.post("/experiments", &form).await.0, 403);
    assert_eq!(server.post("/experiments/stop", &[]).await.0, 403);
    // Neither one's own: agents may name files and programs.
    assert_eq!(server.get("/experiments/own").await.0, 403);
    assert_eq!(server.post("/experiments/own", &[("source", "title = 1"), ("size", "quick")]).await.0, 403);
    let versus = [("game", "kalah"), ("a", "bot:cmd=true"), ("b", "random"), ("games", "2")];
    assert_eq!(server.post("/experiments/match", &versus).await.0, 403);
    // What a report links to lies in one folder, and nothing else can be named.
    for file in ["..%2F..%2Fstore.sqlite", ".hidden", "nothing.csv"] {
        assert_eq!(server.get(&format!("/report/kalah/kalah/{file}")).await.0, 404, "{file}");
    }
    let here = Server::start(ServerLimits::default()).await;
    let (_, page) = here.get("/experiments").await;
    assert!(!page.contains("only-here") && page.contains("name=\"size\""));
    assert_eq!(here.post("/experiments/stop", &[]).await.0, 303);
}

#[tokio::test(flavor = "multi_thread")]
async fn pasted_records_are_found_again_and_bounded() {
    let server = Server::start(ServerLimits { records: 1, ..ServerLimits::default() }).await;
    let mut records = Vec::new();
    for seed in ["1", "2"] {
        let seat = server.lay(&[("game", "kalah"), ("who1", "random"), ("pace", "0"), ("seed", seed)]).await;
        let mut client = server.connect(&seat).await;
        client.until(mine_or_over).await;
        client.say(json!({ "do": "resign" })).await;
        client.until(|game| !game["result"].is_null()).await;
        let id = seat.split('/').next().unwrap();
        records.push(server.get(&format!("/record/table/{id}")).await.1);
    }
    let (status, head, _) = server.post("/paste", &[("record", &records[0])]).await;
    assert_eq!(status, 303);
    let location = head.lines().find_map(|line| line.strip_prefix("location: ")).unwrap();
    assert_eq!(server.get(location).await.0, 200);
    assert_eq!(server.get(&format!("{location}/0")).await.0, 200);
    let (status, _, body) = server.post("/paste", &[("record", &records[1])]).await;
    assert_eq!(status, 503);
    assert!(body.contains("takes no more"), "{body}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_never_says_what_it_wants_makes_room_for_others() {
    let limits =
        ServerLimits { connections: 2, patience: Duration::from_millis(200), ..ServerLimits::default() };
    let server = Server::start(limits).await;
    let mut silent = Vec::new();
    for _ in 0..2 {
        let mut socket = tokio::net::TcpStream::connect(&server.host).await.unwrap();
        socket.write_all(b"GET / HTTP/1.1\r\nHost: ").await.unwrap();
        silent.push(socket);
    }
    assert_eq!(server.get("/").await.0, 200, "their places are taken only for a while");
    for mut socket in silent {
        // It may be told that it was too slow, but then it is over.
        assert!(socket.read_to_end(&mut Vec::new()).await.is_ok_and(|bytes| bytes < 1000));
    }
}
