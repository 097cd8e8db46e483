//! A store that is slow to write keeps nobody waiting but who has something to write.

use crate::client::{Client, Server, actions, mine_or_over};
use ranka_arena::ServerLimits;
use serde_json::Value;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How many write at once: more than there are workers.
const WRITERS: usize = 6;
/// How long the store is held at most: a server that waits for it gives up its pages only then.
const HELD: Duration = Duration::from_secs(20);
/// How long a page may take meanwhile.
const SOON: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_come_while_the_store_is_being_written() {
    let server = Server::start(ServerLimits::default()).await;
    let mut tables: Vec<(String, Client, Value)> = Vec::new();
    for number in 0..WRITERS {
        let seed = number.to_string();
        let form = [("game", "kalah"), ("who1", "random"), ("pace", "0"), ("seed", seed.as_str())];
        let seat = server.lay(&form).await;
        let mut client = server.connect(&seat).await;
        let game = client.until(mine_or_over).await;
        tables.push((seat, client, game));
    }
    assert_eq!(server.get("/").await.0, 200, "what is drawn once is drawn");

    // Another program writes, and takes its time.
    let database = server.database();
    let (enough, held) = mpsc::channel::<()>();
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    let writing = thread::spawn(move || {
        let _ = held.recv_timeout(HELD);
        database.execute_batch("COMMIT").unwrap();
    });
    for (_, client, game) in &mut tables {
        client.act(game, &actions(game)[0]).await;
    }
    // By now all of them wait for the store; who looks at their tables waits for them.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let onlookers = tables.iter().map(|(seat, ..)| seat.split('/').next().unwrap().to_owned());
    let onlookers: Vec<String> = onlookers.collect();
    let waiting: Vec<_> = (onlookers.into_iter())
        .map(|id| {
            let host = server.host.clone();
            tokio::task::spawn_blocking(move || get(&host, &format!("/t/{id}")))
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(200)).await;
    for page in ["/", "/watch", "/agents", "/agents/kalah", "/position?game=kalah", "/new/tantrix"] {
        let begun = Instant::now();
        assert_eq!(server.get(page).await.0, 200, "{page}");
        assert!(begun.elapsed() < SOON, "{page} took {:?}", begun.elapsed());
    }
    assert!(!writing.is_finished(), "the store was free all the time");
    assert!(waiting.iter().all(|page| !page.is_finished()), "nobody sees what is not kept yet");

    enough.send(()).unwrap();
    writing.join().unwrap();
    for (_, client, game) in &mut tables {
        let at = game["at"].as_u64();
        let on = client.until(|game| game["at"].as_u64() > at).await;
        assert_eq!(on["log"][0]["action"], actions(game)[0].as_str());
    }
    for page in waiting {
        assert!(page.await.unwrap().starts_with("HTTP/1.1 200"));
    }
}

/// A request by a client that shares no thread with the server.
fn get(host: &str, path: &str) -> String {
    use std::io::{Read as _, Write as _};
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}
