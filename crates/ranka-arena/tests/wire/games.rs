//! Every game can be found and looked at: those that were played into the store, and those that came from elsewhere.

use crate::client::{Server, mine_or_over};
use ranka_arena::ServerLimits;
use ranka_core::{Record, Seed};
use ranka_lab::{GameLimits, Keeping, Pairing, Runner, Seating, Store, run_stored_match, short_identity};
use serde_json::json;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

static GO_ON: AtomicBool = AtomicBool::new(false);

/// Plays a match into the store of a server: the pairing's name, and the records.
fn play(server: &Server, agents: [&str; 2], games: u64) -> (String, Vec<Record>) {
    let game = ranka_games::game("kalah").unwrap().open("houses=3,seeds=2").unwrap();
    let agents = agents.map(|agent| game.agent(agent).unwrap()).to_vec();
    let pairing =
        Pairing::new(game, agents, Seating::Swapped, Seed::new(1), GameLimits::default(), &[]).unwrap();
    let mut store = Store::open(&server.path("store.sqlite")).unwrap();
    let keeping = Keeping { store: &mut store, fresh: false, any_version: false, most: games };
    let mut records = Vec::new();
    run_stored_match(&pairing, games, Runner { threads: 1, cancel: &GO_ON }, keeping, |_, record| {
        records.push(record.clone());
        Ok(())
    })
    .unwrap();
    (short_identity(pairing.identity()).to_owned(), records)
}

fn lines(records: &[Record]) -> String {
    records.iter().map(|record| serde_json::to_string(record).unwrap() + "\n").collect()
}

/// The games that a page lists, by their names.
fn listed(page: &str) -> Vec<&str> {
    let links = page.split("<td><a href=\"/replay/").skip(1);
    links.map(|rest| rest.split_once('"').unwrap().0).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pairing_lists_its_games_and_finds_those_that_are_looked_for() {
    let server = Server::start(ServerLimits::default()).await;
    let (id, records) = play(&server, ["random", "minimax:depth=1"], 120);
    let (_, page) = server.get("/watch").await;
    assert!(page.contains(&format!("href=\"/watch/{id}\"")) && page.contains("120 games"), "{page}");
    let list = async |query: &str| {
        let (status, page) = server.get(&format!("/watch/{id}{query}")).await;
        assert_eq!(status, 200, "{page}");
        page
    };
    // Pages of a bounded size, one after another.
    let first = list("").await;
    assert_eq!(listed(&first).len(), 50);
    assert!(first.contains("by the rules") && first.contains("random wins"), "{first}");
    assert!(first.contains("href=\"?page=2\"") && !first.contains("rel=\"prev\""), "{first}");
    let third = list("?page=3").await;
    let names: Vec<String> = (100..120).map(|number| format!("{id}/{number}")).collect();
    assert_eq!(listed(&third), names);
    assert!(third.contains("href=\"?page=2\"") && !third.contains("rel=\"next\""));
    assert!(list("?page=99").await.contains("There is no such game."));
    // Who lost.
    for (agent, lost_as) in [(0, 0.0), (1, 0.0)] {
        let seat = |record: &Record| record.numbers.iter().position(|&number| number == agent).unwrap();
        let lost = (0..).zip(&records).filter(|(_, record)| record.outcome[seat(record)] == lost_as);
        let expected: Vec<String> = lost.map(|(number, _)| format!("{id}/{number}")).take(50).collect();
        assert!(!expected.is_empty());
        assert_eq!(listed(&list(&format!("?show={agent}")).await), expected);
    }
    // The longest first.
    let plies = |name: &&str| records[name.split_once('/').unwrap().1.parse::<usize>().unwrap()].plies;
    let longest = list("?order=longest&page=2").await;
    assert!(listed(&longest).is_sorted_by_key(|name| std::cmp::Reverse(plies(name))));
    assert!(longest.contains("href=\"?page=3&amp;order=longest\""), "{longest}");
    assert_eq!(listed(&list("?show=faults").await), [""; 0]);
    // The name on the page is that of the program, and leads to the game.
    let (status, page) = server.get(&format!("/replay/{id}/7")).await;
    assert_eq!(status, 200);
    assert!(page.contains(&format!("<code>{id}/7</code>")), "{page}");
    assert_eq!(server.get(&format!("/replay/{id}/7/1")).await.0, 200);
    assert_eq!(server.get(&format!("/replay/{id}/120")).await.0, 404);
    let head = format!("GET /watch/{id}?show=0 HTTP/1.1\r\nHost: {}\r\nAccept-Language: ja", server.host);
    let (_, _, page) = server.request(&head, "").await;
    assert!(page.contains("手数の長い順") && page.contains("randomが負けた対局"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_records_are_pasted_at_once_and_listed() {
    let server = Server::start(ServerLimits { records: 40, ..ServerLimits::default() }).await;
    let elsewhere = Server::start(ServerLimits::default()).await;
    let (_, records) = play(&elsewhere, ["random", "minimax:depth=1"], 50);
    let paste = async |text: &str| {
        let (status, head, body) = server.post("/paste", &[("record", text)]).await;
        let location = head.lines().find_map(|line| line.strip_prefix("location: ")).unwrap_or("");
        (status, location.to_owned(), body)
    };
    let (status, location, body) = paste(&lines(&records[..30])).await;
    assert_eq!((status, location.as_str()), (303, "/watch/import?first=1&last=30"), "{body}");
    let (_, page) = server.get(&location).await;
    assert_eq!(listed(&page).len(), 30);
    assert_eq!(listed(&page)[29], "import/30");
    assert!(
        page.contains("Kalah")
            && page.contains("Lost by minimax:depth=1 (Kalah)")
            && page.contains("Lost by random (Kalah)"),
        "{page}"
    );
    assert_eq!(server.get("/replay/import/30").await.0, 200);
    let (_, page) = server.get("/watch/import?show=1&order=longest").await;
    assert!(!listed(&page).is_empty() && listed(&page).len() < 30, "{page}");
    // The same again are the same, one is shown at once, and nothing is kept of what has a mistake in it.
    assert_eq!(paste(&lines(&records[3..9])).await.1, "/watch/import?first=4&last=9");
    assert_eq!(paste(&lines(&records[4..5])).await.1, "/replay/import/5");
    let spoilt =
        lines(&records[30..33]).replacen("\"kalah\"", "\"kala\"", 2).replacen("\"kala\"", "\"kalah\"", 1);
    let (status, _, body) = paste(&spoilt).await;
    assert_eq!(status, 400);
    assert!(body.contains("record 2: ") && body.contains("did you mean kalah?"), "{body}");
    let (status, _, body) = paste(&format!("{}{{", lines(&records[30..31]))).await;
    assert!(status == 400 && body.contains("record 2: this is no record"), "{body}");
    assert_eq!(listed(&server.get("/watch/import").await.1).len(), 30);
    let (status, _, body) = paste(" \n ").await;
    assert!(status == 400 && body.contains("there is no record in this"), "{body}");
    // Bounded in number, and in all.
    let (status, _, body) = paste(&lines(&records[30..])).await;
    assert!(status == 503 && body.contains("takes no more"), "{body}");
    let many = lines(&records[..1]).repeat(501);
    let (status, _, body) = paste(&many).await;
    assert!(status == 413 || status == 400 && body.contains("more records than are taken"), "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_tell_nobody_from_afar_which_programs_play() {
    let far = Server::with_names(ServerLimits::default(), &["ranka.example"]).await;
    let (_, mut records) = play(&far, ["random", "minimax:depth=1"], 4);
    for record in &mut records {
        for agent in record.agents.iter_mut().filter(|agent| *agent != "random") {
            *agent = "bot:cmd=\"python3 /home/me/secret.py\"".to_owned();
        }
    }
    Store::open(&far.path("store.sqlite")).unwrap().import(&records).unwrap();
    for query in ["", "?show=0", "?show=1", "?show=faults"] {
        let (status, page) = far.get(&format!("/watch/import{query}")).await;
        assert_eq!(status, 200);
        assert!(!page.contains("secret.py") && page.contains("bot:cmd=…"), "{page}");
    }
    let here = far.another(&[]).await;
    assert!(here.get("/watch/import").await.1.contains("secret.py"));
}

/// Proofs of puzzles wait for no analysis, and who is to act waits for nobody.
#[tokio::test(flavor = "multi_thread")]
async fn a_puzzle_is_shown_while_others_think() {
    let server = Server::start(ServerLimits {
        analyses: 1,
        analysis: Duration::from_secs(5),
        ..ServerLimits::default()
    })
    .await;
    let head = |path: &str| {
        format!("POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json", server.host)
    };
    let asked =
        json!({ "game": "kalah", "rules": "seeds=6", "agent": "perfect", "growing": true }).to_string();
    let thinking = head("/analyse");
    let puzzle = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        server.request(&head("/puzzles/kalah/1"), "{\"actions\":[]}").await
    };
    let begun = Instant::now();
    let thought = async {
        let (status, ..) = server.request(&thinking, &asked).await;
        (status, begun.elapsed())
    };
    let puzzle = async {
        let (status, _, body) = puzzle.await;
        (status, body, begun.elapsed())
    };
    let ((analysed, thought), (status, body, shown)) = tokio::join!(thought, puzzle);
    assert_eq!((analysed, status), (200, 200), "{body}");
    assert!(shown < thought, "the puzzle was there after {shown:?}, the analysis after {thought:?}");
    let seat = server.lay(&[("game", "kalah"), ("who1", "random"), ("pace", "0")]).await;
    let game = server.connect(&seat).await.until(mine_or_over).await;
    assert_eq!(game["waits"], "", "nobody waits for oneself");
}

/// The names of the pairings or tables that a page of *Watch* leads to.
fn leads_to<'a>(page: &'a str, to: &str) -> Vec<&'a str> {
    let link = format!("<li><a href=\"/{to}/");
    page.split(link.as_str()).skip(1).map(|rest| rest.split_once('"').unwrap().0).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_pairing_and_table_can_be_reached_from_watch() {
    let server = Server::start(ServerLimits::default()).await;
    let all: Vec<String> =
        (1..=45).map(|n| play(&server, ["random", &format!("flat-mc:playouts={n}")], 1).0).collect();
    let (_, first) = server.get("/watch").await;
    let (_, second) = server.get("/watch?game=kalah&pairings=2").await;
    let mut listed = leads_to(&first, "watch");
    assert_eq!(listed.len(), 40);
    listed.extend(leads_to(&second, "watch"));
    assert_eq!(
        listed,
        all.iter().rev().map(String::as_str).collect::<Vec<_>>(),
        "the latest first, and each once"
    );
    assert!(first.contains("pairings=2\"") && !first.contains("rel=\"prev\""), "{first}");
    assert!(second.contains("pairings=1\"") && !second.contains("rel=\"next\""), "{second}");

    for _ in 0..42 {
        server.lay(&[("game", "kalah"), ("who1", "random")]).await;
    }
    server.lay(&[("game", "geister"), ("who1", "random")]).await;
    let list = async |query: &str| leads_to(&server.get(&format!("/watch{query}")).await.1, "t").len();
    assert_eq!([list("").await, list("?tables=2").await, list("?tables=3").await], [40, 3, 0]);
    assert_eq!([list("?game=geister").await, list("?game=kalah&tables=2").await], [1, 2]);
    let (_, geister) = server.get("/watch?game=geister").await;
    assert_eq!(leads_to(&geister, "watch"), [""; 0], "no match of that game was played");
    // Whatever else is asked for is no fault of the server's.
    for odd in ["?pairings=0", "?tables=18446744073709551615", "?game=%00%22%3E", "?pairings=-1", "?tables=x"]
    {
        let (status, page) = server.get(&format!("/watch{odd}")).await;
        assert!([200, 400].contains(&status), "{odd}: {status} {page}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_says_who_has_won_by_how_many_and_why() {
    let server = Server::start(ServerLimits::default()).await;
    let army = &ranka_games::puzzles("tubstap")[0];
    let kalah = "<6,20,18,0,0,0,0,0,1,0,3,2,0,4,0> S";
    for (game, position, line, told, told_all, japanese) in [
        (
            "kalah",
            kalah,
            "6",
            "You lose",
            "Hard (North) wins by 27 to 21 seeds: a row is empty",
            "27対21個でHard (北)の勝ちです",
        ),
        ("tubstap", &army.position, &army.line, "You win", "Person (Red) wins with ", "の部隊が全滅し"),
    ] {
        let form = [("game", game), ("who1", "level-hard"), ("pace", "0"), ("position", position)];
        let seat = server.lay(&form).await;
        let mut client = server.connect(&seat).await;
        let mut seen = client.until(mine_or_over).await;
        for action in line.split(' ').filter(|action| !action.is_empty()) {
            if !seen["result"].is_null() {
                break;
            }
            client.act(&seen, action).await;
            let at = seen["at"].as_u64();
            seen = client.until(|game| game["at"].as_u64() > at && mine_or_over(game)).await;
        }
        assert_eq!(seen["result"]["text"], told);
        let reason = seen["result"]["reason"].as_str().unwrap();
        let own = if told == "You win" { "Hard (Blue) has no units left, you have " } else { told_all };
        assert!(reason.starts_with(own), "{reason}");
        // Who only looks on is told the same by names.
        let table = seat.split('/').next().unwrap();
        let watched = server.connect(table).await.until(|game| !game["result"].is_null()).await;
        let reason = watched["result"]["reason"].as_str().unwrap();
        assert!(reason.starts_with(told_all), "{reason}");
        let head =
            format!("GET /replay/table/{table} HTTP/1.1\r\nHost: {}\r\nAccept-Language: ja", server.host);
        let (_, _, page) = server.request(&head, "").await;
        let said = page.split_once("id=\"reason\">").unwrap().1.split_once('<').unwrap().0;
        assert!(said.contains(japanese.split("Hard").next().unwrap()), "{said}");
    }
    // Agents among themselves, to the end of a labyrinth.
    let form = [
        ("game", "labyrinth"),
        ("rules", "cards-per-player=2"),
        ("who0", "champion"),
        ("who1", "random"),
        ("pace", "0"),
    ];
    let table = server.lay(&form).await;
    let seen = server.connect(&table).await.until(|game| !game["result"].is_null()).await;
    let reason = seen["result"]["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("champion (A) wins: home with all 2 treasures; random (B) has found "),
        "{reason}"
    );
}
