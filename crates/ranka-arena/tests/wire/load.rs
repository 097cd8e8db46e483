//! Two hundred games at once, while a search takes all it can get: nothing is lost, and answers stay quick.
//!
//! `cargo test --release -p ranka-arena --test wire two_hundred -- --nocapture` tells how long answers took.

use crate::client::{Client, Server, actions, mine_or_over};
use ranka_arena::ServerLimits;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

const GAMES: usize = 200;
const MOVES: usize = 12;
/// How long a person looks at the board at least; up to twice as long.
const LOOK: Duration = Duration::from_millis(400);
/// The 99th percentile must stay below this. Two idle cores need a hundredth of it: only a server that makes games wait
/// for each other, or for the search, comes near it.
const SLOWEST: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_games_lose_and_double_nothing() {
    let server = Arc::new(Server::start(ServerLimits::default()).await);
    let mut busy = search_without_end(&server).await;
    let mut games = Vec::new();
    for number in 0..GAMES {
        let server = Arc::clone(&server);
        games.push(tokio::spawn(async move { play(&server, number).await }));
    }
    let mut times = Vec::new();
    for game in games {
        times.extend(game.await.unwrap());
    }
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    eprintln!(
        "{} moves in {GAMES} games at once beside a search: median {:?}, 99th percentile {:?}, longest {:?}",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
    assert!(at(0.99) < SLOWEST, "the 99th percentile is {:?}", at(0.99));
    // It still thinks: nobody's move has ended it.
    busy.say(serde_json::json!({ "do": "resign" })).await;
    let end = busy.until(|game| !game["result"].is_null()).await;
    assert_eq!(log_of(&end, 1), Vec::<String>::new());
}

/// A game whose agent has more to think about than the test lasts.
async fn search_without_end(server: &Server) -> Client {
    let form = [("game", "tantrix"), ("who1", "uct"), ("params1", "playouts=100000000")];
    let seat = server.lay(&form).await;
    let mut client = server.connect(&seat).await;
    let game = client.until(mine_or_over).await;
    client.act(&game, &actions(&game)[0]).await;
    client.until(|game| game["players"][1]["thinks"] == true).await;
    client
}

/// Plays some moves against a random agent and checks the log after each. Gives how long each answer took.
async fn play(server: &Server, number: usize) -> Vec<Duration> {
    let seed = number.to_string();
    let form = [("game", "kalah"), ("who1", "random"), ("pace", "0"), ("seed", seed.as_str())];
    let seat = server.lay(&form).await;
    let mut client = server.connect(&seat).await;
    let mut game = client.until(mine_or_over).await;
    let mut times = Vec::new();
    let mut own = Vec::new();
    for turn in 0..MOVES {
        if !game["result"].is_null() {
            break;
        }
        let actions = actions(&game);
        let action = actions[(turn * 5 + number) % actions.len()].clone();
        let at = game["at"].as_u64();
        tokio::time::sleep(LOOK + LOOK * ((number * 37 + turn * 101) % 100) as u32 / 100).await;
        let begun = Instant::now();
        client.act(&game, &action).await;
        own.push(action);
        let answer = client.until(|game| game["at"].as_u64() > at).await;
        times.push(begun.elapsed());
        game = if mine_or_over(&answer) { answer } else { client.until(mine_or_over).await };
        assert_eq!(log_of(&game, 0), own, "the log has each of my moves once");
    }
    // What the store has is what was played: a second look from outside the connection says the same.
    let mut again = server.connect(&seat).await;
    assert_eq!(again.until(|_| true).await["log"], game["log"]);
    times
}

fn log_of(game: &Value, seat: u64) -> Vec<String> {
    let log = game["log"].as_array().unwrap().iter();
    log.filter(|line| line["by"] == seat).map(|line| line["action"].as_str().unwrap().to_owned()).collect()
}
