//! A day of play at fifty tables, with a restart every hour: nothing is lost, and memory stays flat. Nobody thinks about
//! moves here, which is how a day fits into minutes: a person is taken to move every ten seconds.
//!
//! `cargo test -p ranka-arena --test wire soak -- --ignored --nocapture`; RANKA_SOAK_HOURS says how long.
#![cfg(target_os = "linux")]

use crate::client::{Client, Server, actions, mine_or_over};
use ranka_arena::Limits;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long, at how many tables, and how many moves each person makes in an hour.
#[derive(Clone, Copy)]
struct Soak {
    hours: usize,
    tables: usize,
    moves: usize,
}

const GAMES: [&str; 5] = ["kalah", "geister", "tubstap", "labyrinth", "tantrix"];

/// Megabytes that this process has in memory.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1024.0
}

/// A table as its person remembers it.
#[derive(Clone)]
struct Table {
    seat: String,
    log: Value,
    finished: usize,
    laid: usize,
}

async fn lay(server: &Server, number: usize, laid: usize) -> String {
    let seed = (number * 10_000 + laid).to_string();
    let game = GAMES[(number + laid) % GAMES.len()];
    let form = [("game", game), ("who1", "random"), ("pace", "0"), ("seed", seed.as_str())];
    server.lay(&form).await
}

/// An hour at one table, and at the next ones when a game is over.
async fn sit(server: Arc<Server>, number: usize, moves: usize, table: Option<Table>) -> Table {
    let mut table = match table {
        Some(table) => table,
        None => Table { seat: lay(&server, number, 0).await, log: Value::Null, finished: 0, laid: 1 },
    };
    let mut client: Client = server.connect(&table.seat).await;
    let mut game = client.until(mine_or_over).await;
    if !table.log.is_null() {
        assert_eq!(game["log"], table.log, "table {number}: the restart has changed the game");
    }
    for turn in 0..moves {
        if !game["result"].is_null() {
            table.finished += 1;
            table.seat = lay(&server, number, table.laid).await;
            table.laid += 1;
            client = server.connect(&table.seat).await;
            game = client.until(mine_or_over).await;
            continue;
        }
        let (at, actions) = (game["at"].as_u64(), actions(&game));
        client.act(&game, &actions[(turn * 7 + number) % actions.len()]).await;
        game = client.until(|game| mine_or_over(game) && game["at"].as_u64() > at).await;
    }
    table.log = game["log"].clone();
    table
}

/// Plays it, with a restart after every hour; how many games were finished.
fn soaked(soak: Soak) -> usize {
    let Soak { hours, moves, .. } = soak;
    let mut tables: Vec<Option<Table>> = vec![None; soak.tables];
    let (mut kept, mut memories, begun) = (None::<Arc<Server>>, Vec::new(), Instant::now());
    for hour in 0..hours {
        // Everything of the server but its store ends with its runtime.
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        tables = runtime.block_on(async {
            let limits = Limits { messages: 100_000, ..Limits::default() };
            let server = match &kept {
                Some(server) => Arc::new(server.again(limits).await),
                None => Arc::new(Server::start(limits).await),
            };
            let sitting: Vec<_> = tables
                .iter()
                .enumerate()
                .map(|(number, table)| tokio::spawn(sit(Arc::clone(&server), number, moves, table.clone())))
                .collect();
            let mut tables = Vec::new();
            for table in sitting {
                tables.push(Some(table.await.unwrap()));
            }
            kept = Some(server);
            tables
        });
        runtime.shutdown_timeout(Duration::from_secs(30));
        memories.push(memory());
        let (finished, took) = (finished(&tables), begun.elapsed());
        eprintln!("hour {}: {finished} games finished, {:.0} MB, {took:.0?}", hour + 1, memories[hour]);
    }
    // What the first hours fill stays: caches, the allocator's reserves.
    let (early, late) = (memories[(hours - 1).min(hours / 4)], memories[hours - 1]);
    assert!(late < 1.25 * early + 16.0, "memory grows: {memories:.0?} MB");
    finished(&tables)
}

fn finished(tables: &[Option<Table>]) -> usize {
    tables.iter().flatten().map(|table| table.finished).sum()
}

#[test]
fn hours_with_restarts_lose_nothing_and_keep_memory_flat() {
    let finished = soaked(Soak { hours: 4, tables: 10, moves: 30 });
    assert!(finished > 5, "only {finished} games were finished");
}

#[test]
#[ignore = "a day at fifty tables takes long; the hours above are the same in small"]
fn a_day_at_fifty_tables_with_restarts_keeps_memory_flat() {
    let hours = std::env::var("RANKA_SOAK_HOURS").map_or(24, |text| text.parse().unwrap());
    soaked(Soak { hours, tables: 50, moves: 360 });
}
