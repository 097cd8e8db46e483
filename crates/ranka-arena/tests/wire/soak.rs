//! A day of play at fifty tables, with a restart every hour: nothing is lost, and memory stays flat. Nobody thinks about
//! moves here, which is how a day fits into minutes: a person is taken to move every ten seconds.
//!
//! The server is a process of its own, this program once more, so that its memory is that of nothing else. It lives through
//! all restarts: what one server leaves behind would add up.
//!
//! `cargo test -p ranka-arena --test wire soak -- --ignored --nocapture`; RANKA_SOAK_HOURS says how long.
#![cfg(target_os = "linux")]

use crate::client::{Client, Server, actions, mine_or_over};
use ranka_arena::{Arena, Config, ServerLimits};
use ranka_lab::Store;
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
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

/// Tells the server where its store is, and that it is one.
const STORE: &str = "RANKA_SOAK_STORE";

/// What comes before the address that a server tells.
const HERE: &str = "the arena is at ";

/// The server's process. It begins anew whenever it is told a line, and ends with its input.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    folder: Arc<tempfile::TempDir>,
}

impl Process {
    fn start() -> Process {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "soak::the_soaks_own_server", "--ignored", "--nocapture"]);
        command.env(STORE, folder.path().join("store.sqlite")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Process { child, input, output, folder }
    }

    /// The server that has just begun.
    fn server(&mut self) -> Server {
        let mut line = String::new();
        while !line.contains(HERE) {
            line.clear();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has ended");
        }
        let mut words = line.split_once(HERE).unwrap().1.split_whitespace();
        Server::elsewhere(words.next().unwrap(), words.next(), Arc::clone(&self.folder))
    }

    fn restart(&mut self) {
        self.input.as_mut().unwrap().write_all(b"again\n").unwrap();
    }

    /// Megabytes that it has in memory.
    fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1024.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

#[test]
#[ignore = "what the soak starts in a process of its own"]
fn the_soaks_own_server() {
    let Ok(store) = std::env::var(STORE) else { return };
    let mut line = String::new();
    loop {
        // Everything of the server but its store ends with its runtime.
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(serve(Path::new(&store)));
        line.clear();
        let again = std::io::stdin().lock().read_line(&mut line).unwrap() > 0;
        runtime.shutdown_timeout(Duration::from_secs(30));
        if !again {
            return;
        }
    }
}

/// Begins to serve, and tells where.
async fn serve(store: &Path) {
    let limits = ServerLimits { messages: 100_000, ..ServerLimits::default() };
    let config = Config { host: [127, 0, 0, 1].into(), port: 0, next_port: false, names: Vec::new(), limits };
    let arena = Arena::bind(&config, Store::open(store).unwrap()).await.unwrap();
    let (address, token) = (arena.address().unwrap(), arena.token().unwrap_or_default().to_owned());
    tokio::spawn(arena.serve(std::future::pending()));
    // Not printed, for that the tests' runner would keep to itself.
    std::io::stdout().write_all(format!("{HERE}{address} {token}\n").as_bytes()).unwrap();
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
    let (mut process, mut memories, begun) = (Process::start(), Vec::new(), Instant::now());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    for hour in 0..hours {
        if hour > 0 {
            process.restart();
        }
        let server = Arc::new(process.server());
        tables = runtime.block_on(async {
            let sitting: Vec<_> = tables
                .iter()
                .enumerate()
                .map(|(number, table)| tokio::spawn(sit(Arc::clone(&server), number, moves, table.clone())))
                .collect();
            let mut tables = Vec::new();
            for table in sitting {
                tables.push(Some(table.await.unwrap()));
            }
            tables
        });
        memories.push(process.memory());
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
