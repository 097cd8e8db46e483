//! People who play each other: names, hints, codes for phones, who has won, and a server for the whole network.

use crate::client::{Server, mine_or_over};
use ranka_arena::{Arena, Config, ServerLimits};
use ranka_lab::Store;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// Two people at a table of Kalah; gives the paths of their seats.
async fn two(server: &Server, more: &[(&str, &str)]) -> [String; 2] {
    let mut form = vec![("game", "kalah"), ("who1", "person"), ("name", " Ayako\u{7} ")];
    form.extend(more);
    let first = server.lay(&form).await;
    let mut client = server.connect(&first).await;
    let game = client.until(|_| true).await;
    let link = game["invitations"][0]["link"].as_str().unwrap().to_owned();
    let (_, head, _) = server.post(&link, &[("name", "Ben")]).await;
    let second = head.lines().find_map(|line| line.strip_prefix("location: /t/")).unwrap().to_owned();
    [first, second]
}

#[tokio::test(flavor = "multi_thread")]
async fn people_have_names_and_hints_only_where_all_know_of_them() {
    let server = Server::start(ServerLimits::default()).await;
    let [first, second] = two(&server, &[]).await;
    let mut ayako = server.connect(&first).await;
    let game = ayako.until(mine_or_over).await;
    assert_eq!(
        (game["players"][0]["name"].as_str(), game["players"][1]["name"].as_str()),
        (Some("You"), Some("Ben"))
    );
    assert_eq!(game["hints"], false);
    ayako.say(json!({ "do": "hint" })).await;
    assert!(ayako.complaint().await.contains("no hints"));
    let mut ben = server.connect(&second).await;
    let game = ben.until(|_| true).await;
    assert_eq!(game["players"][0]["name"], "Ayako", "what cannot be seen is no part of a name");
    assert_eq!(game["waits"], "Waiting for Ayako");
    let id = first.split('/').next().unwrap();
    let (_, page) = server.get("/watch").await;
    assert!(page.contains(&format!("/t/{id}")) && page.contains("running"), "{page}");
    ben.say(json!({ "do": "resign" })).await;
    let end = ayako.until(|game| !game["result"].is_null()).await;
    assert_eq!(
        (end["result"]["text"].as_str(), end["result"]["won"].as_bool()),
        (Some("You win"), Some(true))
    );
    let (_, page) = server.get("/watch").await;
    assert!(page.contains("Ayako wins") && !page.contains("running"), "{page}");
    // Who plays again keeps the name, at the other seat too.
    let (status, head, _) = server.post(&format!("/again/{first}"), &[("shift", "1")]).await;
    assert_eq!(status, 303);
    let next = head.lines().find_map(|line| line.strip_prefix("location: /t/")).unwrap().to_owned();
    let mut again = server.connect(&next).await;
    assert_eq!(again.until(|_| true).await["players"][0]["name"], "Ben");

    let [first, _] = two(&server, &[("hints", "on")]).await;
    let mut client = server.connect(&first).await;
    assert_eq!(client.until(|_| true).await["hints"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_tells_of_hints_and_has_a_code_for_phones() {
    let server = Server::start(ServerLimits::default()).await;
    for (hints, told) in [(&[("hints", "on")][..], "may ask for hints"), (&[], "Nobody gets hints")] {
        let mut form = vec![("game", "kalah"), ("who1", "person")];
        form.extend(hints);
        let seat = server.lay(&form).await;
        let game = server.connect(&seat).await.until(|_| true).await;
        let link = game["invitations"][0]["link"].as_str().unwrap().to_owned();
        assert!(server.get(&link).await.1.contains(told));
        let (status, code) = server.get(&format!("/code{link}")).await;
        assert_eq!(status, 200);
        assert!(code.starts_with("<svg") && code.len() > 3000, "{code}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_for_the_whole_network_is_called_by_any_address() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("store.sqlite")).unwrap();
    let config = Config {
        host: [0, 0, 0, 0].into(),
        port: 0,
        next_port: false,
        names: Vec::new(),
        limits: ServerLimits::default(),
    };
    let arena = Arena::bind(&config, store).await.unwrap();
    assert_eq!(arena.token(), None, "it trusts nobody");
    let port = arena.address().unwrap().port();
    tokio::spawn(arena.serve(std::future::pending()));
    for (host, status) in
        [("127.0.0.1", 200), ("192.168.7.7", 200), ("localhost", 200), ("evil.example", 403)]
    {
        let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let request = format!("GET /watch HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{host}: {answer}");
    }
}

#[test]
fn a_terminal_shows_the_code_in_half_blocks() {
    let code = ranka_arena::qr_for_terminal("http://192.168.1.7:4126/").unwrap();
    let widths: Vec<usize> = code.lines().map(|line| line.chars().count()).collect();
    assert!(widths.iter().all(|&width| width == widths[0]) && widths.len() * 2 >= widths[0], "{code}");
    assert!(code.chars().all(|c| "█▀▄ \n".contains(c)));
}
