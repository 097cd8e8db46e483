//! `ranka` alone and `ranka serve`: the arena comes up, says where, and ends cleanly.
#![allow(clippy::unwrap_used)]

use crate::run::ranka;
use ranka_core::ErrorKind;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A server that runs, ended with the test.
struct Serving {
    process: Child,
    place: String,
    token: Option<String>,
    folder: TempDir,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn start(args: &[&str]) -> Serving {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite");
    let mut process = Command::new(env!("CARGO_BIN_EXE_ranka"))
        .args(args)
        .env("RANKA_STORE", &store)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let place = line.trim_end().strip_prefix("爛柯 Ranka is at http://").expect("it tells the address");
    let (place, query) = place.split_once('/').expect("an address ends with a path");
    Serving {
        process,
        place: place.to_owned(),
        token: query.strip_prefix("?token=").map(str::to_owned),
        folder,
    }
}

#[test]
fn the_arena_comes_up_on_loopback_and_ends_with_ctrl_c() {
    for args in [&["--port", "0"][..], &["serve", "--port", "0"]] {
        let mut serving = start(args);
        assert!(serving.place.starts_with("127.0.0.1:"), "{}", serving.place);
        assert!(
            serving.token.as_ref().is_some_and(|token| token.len() > 20),
            "the printed address has a token"
        );
        let mut stream = TcpStream::connect(&serving.place).unwrap();
        write!(stream, "GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", serving.place).unwrap();
        let mut page = String::new();
        stream.read_to_string(&mut page).unwrap();
        assert!(page.starts_with("HTTP/1.1 200") && page.contains("Five games"), "{page}");
        let asked = Command::new("kill").args(["-INT", &serving.process.id().to_string()]).status().unwrap();
        assert!(asked.success());
        assert_eq!(serving.process.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn a_port_that_is_taken_is_told_and_another_offered() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite");
    let refused =
        ranka(&["serve", "--port", &port, "--store", store.to_str().unwrap()]).failed(ErrorKind::Busy);
    assert!(refused.contains(&format!("cannot listen at 127.0.0.1:{port}")), "{refused}");
    assert!(refused.contains("--port 0"), "{refused}");
}

#[test]
fn a_store_serves_one_arena_at_a_time() {
    let serving = start(&["--port", "0"]);
    let store = serving.folder.path().join("store.sqlite");
    let refused =
        ranka(&["serve", "--port", "0", "--store", store.to_str().unwrap()]).failed(ErrorKind::Busy);
    assert!(refused.contains("store.sqlite: the store is in use by another arena"), "{refused}");
}

#[test]
fn who_plays_into_the_store_of_an_arena_is_told_where_to_look() {
    let mut serving = start(&["--port", "0"]);
    let store = serving.folder.path().join("store.sqlite");
    let play = || {
        let store = store.to_str().unwrap();
        ranka(&["match", "kalah", "random", "random", "--games", "2", "--store", store]).err
    };
    let said = play();
    let link = said.lines().last().unwrap();
    let path = link.strip_prefix(&format!("  http://{}", serving.place)).expect("a link to it");
    assert!(path.starts_with("/watch/"), "{said}");
    let mut stream = TcpStream::connect(&serving.place).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", serving.place).unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    // One that was killed is not to be found, and neither is one that has ended.
    serving.process.kill().unwrap();
    serving.process.wait().unwrap();
    assert!(!play().contains("http://"));
}

#[test]
fn a_class_room_is_called_by_an_address_and_trusts_nobody() {
    let serving = start(&["serve", "--lan", "--port", "0"]);
    assert_eq!(serving.token, None);
    let port = serving.place.rsplit_once(':').unwrap().1.to_owned();
    // The printed address works as a name, whichever way one gets here.
    let mut stream = TcpStream::connect(("127.0.0.1", port.parse().unwrap())).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", serving.place).unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_league_is_shown_as_it_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let league = folder.path().join("league").display().to_string();
    ranka(&["league", "new", &league, "--game", "kalah", "--title", "Course of the tests"]).done();
    let entrant = "\n[[entrant]]\nname = \"greedy\"\nagent = \"minimax:depth=1\"\n";
    let file = folder.path().join("league/league.toml");
    let text = std::fs::read_to_string(&file).unwrap().replace("games = 20", "games = 4");
    std::fs::write(&file, text + entrant).unwrap();
    let serving = start(&["serve", "--port", "0", "--league", &league]);
    let ask = |path: &str, more: &str| {
        let mut stream = TcpStream::connect(&serving.place).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{more}\r\n", serving.place)
            .unwrap();
        let mut page = String::new();
        stream.read_to_string(&mut page).unwrap();
        page
    };
    let get = |path: &str| ask(path, "");
    assert!(get("/").contains("href=\"/league\""), "every page leads to the league");
    for japanese in ["Accept-Language: ja\r\n", "Cookie: language=ja; theme=dark\r\n"] {
        let page = ask("/league/index.html", japanese);
        assert!(page.contains("順位表") && page.contains("href=\"/puzzles\""), "{page}");
        assert!(page.contains("action=\"/settings\""), "the language and the theme can be chosen: {page}");
        assert_eq!(page.contains("data-theme=\"dark\""), japanese.contains("dark"), "{page}");
    }
    assert!(get("/league/").contains("location: /league/index.html"));
    let before = get("/league/index.html");
    assert!(before.starts_with("HTTP/1.1 200") && before.contains("Course of the tests"), "{before}");
    assert!(!before.contains("4 games"), "{before}");
    let night = ranka(&["league", "run", "--league", &league]);
    assert_eq!(night.code, 0, "{}", night.err);
    // A look is good for some seconds.
    let begun = std::time::Instant::now();
    while !get("/league/index.html").contains("4 games") {
        assert!(begun.elapsed().as_secs() < 30, "the games are not shown");
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    let bot = get("/league/bots/greedy.html");
    let game = bot.split("games/").nth(1).and_then(|rest| rest.split_once(['#', '"'])).unwrap().0;
    let replay = get(&format!("/league/games/{game}"));
    assert!(replay.starts_with("HTTP/1.1 200") && replay.contains("id=\"film-data\""), "{replay}");
    assert_eq!(get("/league/downloads/kalah.jsonl").matches("\"game\":\"kalah\"").count(), 4);
    assert_eq!(get("/league/downloads/kalah.csv").lines().filter(|line| line.contains(",kalah,")).count(), 4);
    for nowhere in
        ["/league/bots/nobody.html", "/league/games/x.html", "/league/../Cargo.toml", "/league/league.toml"]
    {
        assert!(!get(nowhere).starts_with("HTTP/1.1 200"), "{nowhere}");
    }
}
