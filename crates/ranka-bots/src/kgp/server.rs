//! The server: lets clients in, pairs those that want to play, and sets problems to those that want to be tested.

use super::peer::Peer;
use super::table::{Pairing, Sitting};
use super::{session, web, wire};
use crate::net::{self, ConnectionSlots, Log, Sides};
use ranka_core::{AnyAgent, AnyGame, Error, Record, Rng, Seed};
use ranka_kalah::Kalah;
use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How long to wait before looking whether we stop.
const TICK: Duration = Duration::from_millis(200);

/// What a TCP client gets for whom there is no place.
const FULL: &[u8] = b"2 error \"Too many connections\"\r\ngoodbye\r\n";

/// A player of the server's own.
#[derive(Clone)]
pub struct ServedAgent {
    /// The game as the agent was prepared for it.
    pub game: Arc<dyn AnyGame>,
    /// The agent.
    pub agent: AnyAgent,
}

/// How the server plays.
#[derive(Clone)]
pub struct Options {
    /// The board and the rules.
    pub game: Kalah,
    /// The same in words, as records keep it.
    pub rules: String,
    /// The games of a pairing; then both are sent away.
    pub games: u32,
    /// Who is South. Chance decides at the reference server.
    pub sides: Sides,
    /// How long a client may think about a state.
    pub time: Duration,
    /// How long a client may take to choose its mode, to answer a ping or to solve a problem.
    pub patience: Duration,
    /// Whether forced moves are played without asking.
    pub skip_forced: bool,
    /// Whether clients are told clock, opponent and game before each game.
    pub hints: bool,
    /// Whether problems count houses from 1; the reference server counts from 0.
    pub problems_from_one: bool,
    /// Whoever comes plays against this; else those who come play each other.
    pub opponent: Option<ServedAgent>,
    /// After so many pairings the server stops.
    pub pairings: Option<u64>,
    /// How many clients may be connected.
    pub places: usize,
    /// Names of this machine under which browsers may come.
    pub names: Vec<String>,
    /// What all randomness of the server's own follows from.
    pub seed: Seed,
}

impl Options {
    /// The reference server's manners for a game: 5 seconds a move, 20 for everything else.
    pub fn new(game: Kalah, rules: String) -> Result<Options, Error> {
        if game.rules.pie {
            return Err(Error::input("pie=on: the protocol has no way to swap"));
        }
        Ok(Options {
            game,
            rules,
            games: 1,
            sides: Sides::Swapped,
            time: Duration::from_secs(5),
            patience: Duration::from_secs(20),
            skip_forced: true,
            hints: false,
            problems_from_one: false,
            opponent: None,
            pairings: None,
            places: 64,
            names: Vec::new(),
            seed: Seed::new(0),
        })
    }
}

/// A server that listens.
pub struct Server {
    options: Options,
    tcp: net::Server,
    web: Option<net::Server>,
}

impl Server {
    /// Listens for TCP, and for WebSocket if that has a port too; with port 0 the system chooses one.
    pub fn bind(options: Options, host: IpAddr, port: u16, web: Option<u16>) -> Result<Server, Error> {
        let tcp = net::Server::bind(host, port)?;
        let web = web.map(|port| net::Server::bind(host, port)).transpose()?;
        Ok(Server { options, tcp, web })
    }

    /// Where it listens for TCP.
    pub fn address(&self) -> SocketAddr {
        self.tcp.address()
    }

    /// Where it listens for WebSocket.
    pub fn web_address(&self) -> Option<SocketAddr> {
        self.web.as_ref().map(net::Server::address)
    }

    /// Serves until `stop` is set or the last pairing is over. `keep` is handed every game as it ends.
    pub fn run(&self, log: &Log, stop: &AtomicBool, keep: &(dyn Fn(&Record) + Sync)) {
        let closing = &AtomicBool::new(false);
        let hall = Hall {
            options: &self.options,
            log,
            closing,
            keep,
            lobby: Mutex::default(),
            entered: Condvar::new(),
            problem_sets: AtomicU64::new(0),
        };
        let places = ConnectionSlots::new(self.options.places);
        let over_tcp = |stream: TcpStream, peer: SocketAddr, _: u64| match wire::tcp(
            stream,
            wire::Side::Server,
            closing,
        ) {
            Ok((sender, receiver)) => session::serve(&hall, peer, sender, receiver),
            Err(error) => log.note(peer, format_args!("is lost: {error}")),
        };
        let over_web = |stream: TcpStream, peer: SocketAddr, _: u64| match wire::accept(
            stream,
            &self.options.names,
            self.options.patience,
            closing,
        ) {
            Ok((sender, receiver)) => session::serve(&hall, peer, sender, receiver),
            Err(error) => log.note(peer, format_args!("is refused: {error}")),
        };
        let (mut begun, done) = (0, &AtomicU64::new(0));
        let most = self.options.pairings.unwrap_or(u64::MAX);
        thread::scope(|scope| {
            scope.spawn(|| self.tcp.serve(&places, FULL, log, closing, over_tcp));
            if let Some(server) = &self.web {
                scope.spawn(|| server.serve(&places, web::FULL, log, closing, over_web));
            }
            while !stop.load(Ordering::Relaxed) && done.load(Ordering::Relaxed) < most {
                let Some(sitting) = hall.pair(begun < most) else { continue };
                let pairing = Pairing { hall: &hall, number: begun, sitting };
                begun += 1;
                scope.spawn(move || {
                    pairing.play();
                    done.fetch_add(1, Ordering::Relaxed);
                    pairing.hall.entered.notify_all();
                });
            }
            closing.store(true, Ordering::Relaxed);
        });
    }
}

/// What all clients of a server share.
pub(super) struct Hall<'a> {
    pub(super) options: &'a Options,
    pub(super) log: &'a Log,
    /// Set when the server stops.
    pub(super) closing: &'a AtomicBool,
    pub(super) keep: &'a (dyn Fn(&Record) + Sync),
    lobby: Mutex<VecDeque<Arc<Peer>>>,
    /// Somebody entered, or a pairing is over.
    entered: Condvar,
    problem_sets: AtomicU64,
}

impl Hall<'_> {
    /// A client waits for an opponent.
    pub(super) fn enter(&self, peer: Arc<Peer>) {
        self.lobby.lock().unwrap_or_else(PoisonError::into_inner).push_back(peer);
        self.entered.notify_all();
    }

    /// The randomness of the next client's problems.
    pub(super) fn problems(&self) -> Rng {
        let set = self.problem_sets.fetch_add(1, Ordering::Relaxed);
        Rng::new(self.options.seed.child("problems").at(set))
    }

    /// The next two that play each other; waits for them a moment.
    fn pair(&self, wanted: bool) -> Option<[Sitting; 2]> {
        let mut lobby = self.lobby.lock().unwrap_or_else(PoisonError::into_inner);
        lobby.retain(|peer| peer.gone().is_none());
        let needed = if self.options.opponent.is_some() { 1 } else { 2 };
        if !wanted || lobby.len() < needed {
            drop(self.entered.wait_timeout(lobby, TICK));
            return None;
        }
        let first = Sitting::Client(lobby.pop_front()?);
        let second = match &self.options.opponent {
            Some(_) => Sitting::House,
            None => Sitting::Client(lobby.pop_front()?),
        };
        Some([first, second])
    }
}
