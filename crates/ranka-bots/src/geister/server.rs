//! The server: clients come to two ports and are paired in the order in which they come, each pair at a table
//! of its own.

mod lobby;
mod outbox;
mod seats;

use super::{MAX_TURN, PORTS, game, lines};
use crate::net::{ConnectionSlots, LineReader, Log, Server, SocketProbe, Trouble, held, send};
use lobby::Lobby;
use outbox::Outbox;
use ranka_core::{EndReason, Error, Record, Seat, Wdl, WdlCounts};
use ranka_geister::Geister;
use seats::TableCell;
use std::collections::BTreeMap;
use std::fs;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often a quiet client's clock is looked at.
const TICK: Duration = Duration::from_millis(50);

/// How long a client may stay after the end.
const LINGER: Duration = Duration::from_secs(5);

/// What the server does.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on.
    pub host: IpAddr,
    /// The ports of the first and the second player; 0 lets the system choose.
    pub ports: [u16; 2],
    /// What each player may use up in a game, beside the time of each move.
    pub budget: Duration,
    /// What each move may take once the budget is used up.
    pub timeout: Duration,
    /// A move is answered no sooner than this after it was asked for.
    pub wait: Duration,
    /// How long after a line was taken by a client it is sent the next; zero for clients that tell lines apart themselves.
    pub pace: Duration,
    /// Whether an illegal move loses; else it may be tried again.
    pub ng_terminate: bool,
    /// A game that has so many moves is drawn.
    pub max_turn: u32,
    /// How many games are played at a time.
    pub tables: usize,
    /// After so many games the server ends.
    pub games: Option<u64>,
    /// Where each game's log is kept, in the form of the original server.
    pub logs: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            host: Server::LOOPBACK,
            ports: PORTS,
            budget: Duration::from_secs(600),
            timeout: Duration::from_secs(10),
            wait: Duration::ZERO,
            pace: Duration::from_millis(5),
            ng_terminate: true,
            max_turn: MAX_TURN,
            tables: 64,
            games: None,
            logs: None,
        }
    }
}

/// What has been played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServedGames {
    /// Games as the first player sees them.
    pub results: WdlCounts,
    /// How many games ended by each reason.
    pub reasons: BTreeMap<EndReason, u64>,
}

/// A server that listens already.
pub struct GeisterServer {
    ports: [Server; 2],
    options: Options,
    game: Geister,
    rules: String,
}

/// What all tables share.
struct House<'a> {
    server: &'a GeisterServer,
    lobby: Mutex<Lobby>,
    /// Tables at which nobody plays any more, and games that were played. A table that is locked changes
    /// them, and the lobby locks tables: so they are not the lobby's.
    closed: AtomicU64,
    finished: AtomicU64,
    summary: Mutex<ServedGames>,
    probe: SocketProbe,
    log: &'a Log,
    keep: &'a (dyn Fn(&Record) + Sync),
    closing: AtomicBool,
}

impl GeisterServer {
    /// Listens on both ports.
    pub fn bind(options: Options) -> Result<GeisterServer, Error> {
        let (game, rules) = game(options.max_turn)?;
        if let Some(folder) = &options.logs {
            let refuse = |e| Error::writing(folder, e).at("logs");
            fs::create_dir_all(folder).map_err(refuse)?;
        }
        let [first, second] = options.ports;
        let ports = [Server::bind(options.host, first)?, Server::bind(options.host, second)?];
        Ok(GeisterServer { ports, options, game, rules })
    }

    /// Where the first and the second player connect.
    pub fn addresses(&self) -> [SocketAddr; 2] {
        [self.ports[0].address(), self.ports[1].address()]
    }

    /// Lets clients play until `stop` is set or all games are played. `keep` is handed every game as it ends.
    pub fn run(&self, log: &Log, stop: &AtomicBool, keep: &(dyn Fn(&Record) + Sync)) -> ServedGames {
        let house = House {
            server: self,
            lobby: Mutex::default(),
            closed: AtomicU64::new(0),
            finished: AtomicU64::new(0),
            summary: Mutex::default(),
            probe: SocketProbe::open(),
            log,
            keep,
            closing: AtomicBool::new(false),
        };
        // Who stays after the end keeps the place for a while, which must not keep others out.
        let places = ConnectionSlots::new(self.options.tables.saturating_mul(4));
        let ports = [Seat::FIRST, Seat::SECOND].map(|seat| (seat, &self.ports[seat.index()]));
        thread::scope(|scope| {
            for (seat, port) in ports {
                let (house, places) = (&house, &places);
                scope.spawn(move || {
                    port.serve(places, b"NG \r\n", log, &house.closing, |stream, peer, _| {
                        house.attend(seat, stream, peer);
                    });
                });
            }
            while !stop.load(Ordering::Relaxed) && house.games_left() > 0 {
                thread::sleep(TICK);
            }
            house.closing.store(true, Ordering::Relaxed);
        });
        house.summary.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl House<'_> {
    fn games_left(&self) -> u64 {
        let finished = self.finished.load(Ordering::Relaxed);
        self.server.options.games.map_or(u64::MAX, |games| games.saturating_sub(finished))
    }

    fn table(&self, seat: Seat) -> Option<Arc<TableCell>> {
        let most = self.games_left().min(self.server.options.tables as u64);
        let open = |number| TableCell::new(number, self.server);
        held(&self.lobby).find(seat, self.closed.load(Ordering::Relaxed), most, open)
    }

    /// One client, from its coming to its leaving.
    fn attend(&self, seat: Seat, stream: TcpStream, peer: SocketAddr) {
        let Ok(reading) = stream.try_clone() else { return };
        let Some(table) = self.table(seat) else {
            self.log.note(peer, "is refused: no table is free");
            let _ = send(&stream, b"NG \r\n");
            return;
        };
        self.log.note(peer, format_args!("is {} at table {}", name(seat), table.number()));
        let (outbox, clerk) = Outbox::new(stream, self.server.options.pace, &self.probe);
        thread::scope(|scope| {
            let clerk = thread::Builder::new().spawn_scoped(scope, || clerk.work());
            // Whoever sits down is asked first: the table itself says nothing before the answer.
            outbox.line("SET?");
            table.sit(seat, outbox, peer);
            match clerk {
                Ok(_) => self.listen(&table, seat, LineReader::new(reading, lines(), &self.closing)),
                Err(error) => drop(table.leave(self, seat, &format!("no thread for it: {error}"))),
            }
            table.rise(seat);
        });
        self.log.note(peer, format_args!("leaves table {}", table.number()));
    }

    /// Hears what a client says, until it leaves or is to leave.
    fn listen(&self, table: &TableCell, seat: Seat, mut reader: LineReader<'_>) {
        loop {
            let stays = match reader.line(Some(Instant::now() + TICK)) {
                Ok(line) => table.hear(self, seat, &line),
                Err(Trouble::Late) => table.watch(self, seat),
                Err(trouble @ (Trouble::NotText | Trouble::TooLong)) => {
                    table.hear_nonsense(self, seat, &trouble.to_string())
                }
                Err(Trouble::Stopped) => table.close(self),
                Err(trouble) => table.leave(self, seat, &trouble.to_string()),
            };
            if !stays {
                return;
            }
        }
    }

    /// Keeps a game that has ended.
    fn keep(&self, table: u64, record: &Record, kifu: &str) {
        {
            let mut summary = held(&self.summary);
            summary.results.add(Wdl::of(record.outcome[0]));
            *summary.reasons.entry(record.end.reason).or_default() += 1;
        }
        (self.keep)(record);
        if let Err(error) = self.write_log(kifu) {
            self.log.note(format_args!("table {table}"), error);
        }
        self.finished.fetch_add(1, Ordering::Relaxed);
        self.closed.fetch_add(1, Ordering::Relaxed);
    }

    /// Writes a log under the original server's name for it; two games that end at once get different ones.
    fn write_log(&self, kifu: &str) -> Result<(), Error> {
        let Some(folder) = &self.server.options.logs else { return Ok(()) };
        let now = jiff::Timestamp::now().strftime("%Y-%m-%d-%H-%M-%S-%3f").to_string();
        for attempt in 0.. {
            let again = if attempt == 0 { String::new() } else { format!("-{attempt}") };
            let path = folder.join(format!("log-{now}{again}.txt"));
            let file = fs::OpenOptions::new().write(true).create_new(true).open(&path);
            let refuse = |e: std::io::Error| Error::writing(&path, e).at("log");
            match file {
                Ok(mut file) => return std::io::Write::write_all(&mut file, kifu.as_bytes()).map_err(refuse),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(refuse(error)),
            }
        }
        Ok(())
    }
}

/// What a seat is called.
fn name(seat: Seat) -> &'static str {
    if seat == Seat::FIRST { "the first player" } else { "the second player" }
}
