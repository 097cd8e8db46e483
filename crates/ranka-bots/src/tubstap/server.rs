//! The server: pairs clients in the order in which they come, and lets each pair play.

use super::peer::Peer;
use super::play::Play;
use crate::net::{self, ConnectionSlots, Log, Loss, Sides, held, told_apart};
use ranka_core::{
    Actor, EndReason, Error, Game, GameSeeds, Record, RecordAgent, Rng, Seat, Seed, Settings, Table,
};
use ranka_tubstap::Tubstap;
use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How long to wait before looking whether we stop.
const TICK: Duration = Duration::from_millis(200);

/// What a client gets for whom there is no place. There is no command for it, so the connection just ends.
const FULL: &[u8] = b"";

/// How the server plays.
#[derive(Clone)]
pub struct Options {
    /// The map and the rules.
    pub game: Tubstap,
    /// The same in words, as records keep it.
    pub rules: String,
    /// The games of a pairing; then both are sent away.
    pub games: u32,
    /// Who is red: always who came first at the original program.
    pub sides: Sides,
    /// What a turn should take at most. Who takes longer is told of in the log, as by the original program.
    pub time: Duration,
    /// How long a client may take for one answer before it loses.
    pub patience: Duration,
    /// After so many pairings the server stops.
    pub pairings: Option<u64>,
    /// How many clients may be connected.
    pub places: usize,
    /// What the deals follow from, where the rules have noise.
    pub seed: Seed,
}

impl Options {
    /// The original program's manners: one game, ten seconds a turn.
    pub fn new(game: Tubstap, rules: String) -> Options {
        Options {
            game,
            rules,
            games: 1,
            sides: Sides::Swapped,
            time: Duration::from_secs(10),
            patience: Duration::from_secs(60),
            pairings: None,
            places: 64,
            seed: Seed::new(0),
        }
    }
}

/// A server that listens.
pub struct Server {
    options: Options,
    tcp: net::Server,
}

/// What all clients of a server share.
struct Hall<'a> {
    options: &'a Options,
    log: &'a Log,
    /// Set when the server stops.
    closing: &'a AtomicBool,
    keep: &'a (dyn Fn(&Record) + Sync),
    lobby: Mutex<VecDeque<Peer<'a>>>,
    /// Peers whose threads need not wait for them any longer.
    left: Mutex<Vec<SocketAddr>>,
    changed: Condvar,
    begun: AtomicU64,
    done: AtomicU64,
}

impl Server {
    /// Listens; with port 0 the system chooses one.
    pub fn bind(options: Options, host: IpAddr, port: u16) -> Result<Server, Error> {
        Ok(Server { options, tcp: net::Server::bind(host, port)? })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.tcp.address()
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
            left: Mutex::default(),
            changed: Condvar::new(),
            begun: AtomicU64::new(0),
            done: AtomicU64::new(0),
        };
        let places = ConnectionSlots::new(self.options.places);
        let most = self.options.pairings.unwrap_or(u64::MAX);
        thread::scope(|scope| {
            scope.spawn(|| {
                self.tcp.serve(&places, FULL, log, closing, |stream, address, number| {
                    hall.attend(stream, address, number);
                });
            });
            while !stop.load(Ordering::Relaxed) && hall.done.load(Ordering::Relaxed) < most {
                let left = held(&hall.left);
                drop(hall.changed.wait_timeout(left, TICK));
            }
            closing.store(true, Ordering::Relaxed);
        });
    }
}

impl<'a> Hall<'a> {
    /// Takes a client in. Whoever makes a pair complete plays it in its own thread; the other's thread waits.
    fn attend(&self, stream: TcpStream, address: SocketAddr, number: u64) {
        self.log.note(address, "connected");
        let Ok(mut peer) = Peer::new(stream, (number, address), self.closing) else { return };
        if let Err(loss) = peer.introduce(self.options.patience) {
            return self.part(&peer, &loss.detail);
        }
        let Some(mut pair) = self.enter(peer) else { return self.wait_for(address) };
        let waiting = pair[0].address;
        // Who connected first is the first, even if it was slower to tell its name.
        pair.sort_by_key(|peer| peer.number);
        let [first, second] = pair;
        let number = self.begun.fetch_add(1, Ordering::Relaxed);
        let most = self.options.pairings;
        if most.is_none_or(|most| number < most) {
            self.play_all(number, first, second);
            self.done.fetch_add(1, Ordering::Relaxed);
        } else {
            self.part(&first, "all games are played");
            self.part(&second, "all games are played");
        }
        self.release(waiting);
    }

    /// Puts a peer into the lobby; two who are there play each other.
    fn enter(&self, peer: Peer<'a>) -> Option<[Peer<'a>; 2]> {
        let mut lobby = held(&self.lobby);
        while let Some(first) = lobby.pop_front() {
            if first.is_here() {
                self.log.note(peer.address, format_args!("is {:?} and plays {:?}", peer.name, first.name));
                return Some([first, peer]);
            }
            self.part(&first, "closed the connection");
            self.release(first.address);
        }
        self.log.note(peer.address, format_args!("is {:?} and waits", peer.name));
        lobby.push_back(peer);
        None
    }

    fn wait_for(&self, address: SocketAddr) {
        let mut left = held(&self.left);
        while !self.closing.load(Ordering::Relaxed) {
            if let Some(at) = left.iter().position(|&other| other == address) {
                left.swap_remove(at);
                return;
            }
            left = self.changed.wait_timeout(left, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn part(&self, peer: &Peer<'_>, why: &str) {
        self.log.note(peer.address, format_args!("left: {why}"));
        peer.end();
    }

    /// Lets the thread go that waits for a peer.
    fn release(&self, address: SocketAddr) {
        held(&self.left).push(address);
        self.changed.notify_all();
    }

    fn play_all(&self, number: u64, first: Peer<'a>, second: Peer<'a>) {
        let mut peers = [first, second];
        let mut why = "its games are over";
        for game in 0..u64::from(self.options.games) {
            if !self.play_one(number, game, &mut peers) {
                why = "there is nobody to play on with";
                break;
            }
        }
        peers.iter().for_each(|peer| self.part(peer, why));
    }

    /// Plays a game; says whether another can follow.
    fn play_one(&self, number: u64, game: u64, peers: &mut [Peer<'a>; 2]) -> bool {
        let options = self.options;
        let seed = if number == 0 { options.seed } else { options.seed.child("pairing").at(number) };
        let seeds = GameSeeds::of(seed, game / 2, game % 2);
        let players = options.sides.players(game, seed);
        let start = options.game.start(&mut Rng::new(seeds.deal));
        let mut table = Table::new(options.game.clone(), start, seeds.chance);
        let who = format!("pairing {} game {}", number + 1, game + 1);
        let named = told_apart([peers[0].name.clone(), peers[1].name.clone()]);
        let names = players.map(|player| named[player].clone());
        self.log.note(&who, format_args!("{} (red) against {} (blue)", names[0], names[1]));

        let mut play = Play { options, log: self.log, who: &who, players, peers, turn: (0, Duration::ZERO) };
        if let Err((seat, loss)) = play.begin(table.state(), game > 0) {
            stop(&mut table, seat, loss);
        }
        while let Actor::Seat(seat) = table.actor() {
            if let Err((seat, loss)) = play.step(&mut table, seat) {
                stop(&mut table, seat, loss);
            }
        }
        let all = play.finish();

        let played = table.into_played();
        let detail = played.end.detail.as_deref().map_or(String::new(), |detail| format!(" ({detail})"));
        let blame =
            played.end.seat.map_or(String::new(), |seat| format!(", {} is to blame", names[seat.index()]));
        let result = match played.outcome.scores() {
            [red, blue] if red > blue => format!("{} wins", names[0]),
            [red, blue] if red < blue => format!("{} wins", names[1]),
            _ => "a draw".to_owned(),
        };
        let (ended, turns) = (played.end.reason.name(), played.last.turn());
        self.log
            .note(&who, format_args!("{result}, ended by {ended}{blame}{detail} after {turns} half-turns"));
        let agents = names.iter().zip(players).map(|(name, number)| RecordAgent::visitor(name, number));
        // A turn that takes longer than its time is only told of; who keeps us waiting for an answer loses.
        let settings = Settings { move_limit: Some(options.patience), ..Settings::default() };
        let record = Record::of(&options.game, &played, &options.rules, agents.collect(), &seeds, &settings);
        (self.keep)(&Record { ply_cap: None, ..record });
        all
    }
}

/// Ends a game by somebody's fault.
fn stop(table: &mut Table<Tubstap>, seat: Seat, Loss { reason, detail }: Loss) {
    let to_blame = (reason != EndReason::Cancelled).then_some(seat);
    table.stop(reason, to_blame, Some(detail));
}
