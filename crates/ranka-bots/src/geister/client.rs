//! The client: an agent of ours at somebody's server.
//!
//! It trusts nothing but the board of the last `MOV?`: what happened since the one before follows from
//! comparing the two, so acknowledgements, repeated lines and the other oddities of the original server
//! cannot confuse it.

mod mirror;

use super::message::{Command, ServerMessage};
use super::{PORTS, kifu, lines};
use crate::net::{LineReader, Log, Trouble, connect, send};
use mirror::Mirror;
use ranka_core::{AnyAgent, AnyGame, EndReason, Error, Fault, GameSeeds, Record, Seat, Settings, Wdl};
use ranka_geister::SetUp;
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

/// The original server needs a moment between two games: who comes sooner is thrown out.
const PAUSE: Duration = Duration::from_millis(150);

/// How long the end may take to come after a refused move. A server that lets us try again sends nothing.
const AFTER_REFUSAL: Duration = Duration::from_secs(5);

/// A player at a server.
pub struct Client<'a> {
    /// The server's name or address.
    pub host: &'a str,
    /// Its port for our seat.
    pub port: u16,
    /// Our seat.
    pub seat: Seat,
    /// The game under the server's rules.
    pub game: &'a dyn AnyGame,
    /// Who plays.
    pub agent: &'a AnyAgent,
    /// The number that the agent has in the match, of which its seed follows.
    pub number: usize,
    /// How much it may think; its flag also stops the client.
    pub settings: Settings<'a>,
    /// How long to go on trying when the server does not let us in.
    pub patience: Duration,
    /// How long the server may be silent before we give up.
    pub silence: Duration,
    /// Who is told what happens.
    pub log: &'a Log,
}

/// A game that was played at a server.
#[derive(Clone, Debug)]
pub struct ServerGame {
    /// What became of it, as this client sees it; nothing if it does not count: the server ended it although the board
    /// is not decided, or broke off.
    pub verdict: Option<Wdl>,
    /// Why, if not by the rules.
    pub why: Option<String>,
    /// The game, where the server has told all colours at its end.
    pub record: Option<Record>,
}

impl Client<'_> {
    /// The seat of a competition's port, and of any other: even ones are the first player's.
    pub fn seat_of(port: u16) -> Seat {
        if port % 2 == PORTS[0] % 2 { Seat::FIRST } else { Seat::SECOND }
    }

    /// Plays one game. An error is the server's absence; whatever happens in the game is part of the answer.
    pub fn play(&self, seeds: &GameSeeds) -> Result<ServerGame, Error> {
        let (stream, mut reader) = self.enter()?;
        let players =
            [Seat::FIRST, Seat::SECOND].map(|seat| (seat == self.seat).then_some((self.agent, self.number)));
        let table = self.game.match_table(None, &players, seeds)?;
        let mut mirror = Mirror::new(table, self.seat);
        let played = match self.converse(&stream, &mut reader, &mut mirror) {
            Ok(ending) => self.judge(&mirror, ending, seeds),
            Err(why) => ServerGame { verdict: why.verdict(), why: Some(why.to_string()), record: None },
        };
        let said = match played.verdict {
            Some(Wdl::Win) => "won",
            Some(Wdl::Draw) => "drew",
            Some(Wdl::Loss) => "lost",
            None => "had a void game",
        };
        let why = played.why.as_ref().map_or_else(String::new, |why| format!(": {why}"));
        self.log.note(format_args!("{}:{}", self.host, self.port), format_args!("we {said}{why}"));
        Ok(played)
    }

    /// Connects until the server asks for the set-up.
    fn enter(&self) -> Result<(TcpStream, LineReader<'_>), Error> {
        let begun = Instant::now();
        loop {
            let refused = match connect(self.host, self.port, self.patience.max(PAUSE)) {
                Err(error) => error,
                Ok(stream) => {
                    let place = || format!("server {}:{}", self.host, self.port);
                    let clone = stream.try_clone().map_err(|e| Error::outside(e.to_string()).at(place()))?;
                    let mut reader = LineReader::new(clone, lines(), self.settings.cancel);
                    match reader.line(Some(Instant::now() + self.silence)) {
                        Ok(line) if line == "SET?" => return Ok((stream, reader)),
                        Ok(line) => Error::outside(format!("it said {line:?} instead of SET?")).at(place()),
                        Err(trouble) => Error::outside(trouble.to_string()).at(place()),
                    }
                }
            };
            if begun.elapsed() > self.patience || self.settings.cancel.load(Ordering::Relaxed) {
                return Err(refused);
            }
            thread::sleep(PAUSE);
        }
    }

    /// Speaks with the server until it ends the game.
    fn converse(
        &self,
        stream: &TcpStream,
        reader: &mut LineReader<'_>,
        mirror: &mut Mirror,
    ) -> Result<ServerMessage, Broken> {
        let say = |line: String| {
            send(stream, format!("{line}\r\n").as_bytes()).map_err(|e| Broken::Server(e.to_string()))
        };
        // A line that we owe may be in vain, because the end is on its way already: so what is wrong with
        // sending shows in reading.
        let mut said = say(Command::set_up(mirror.set_up(&self.settings)?));
        let mut refused = false;
        loop {
            let patience = if refused { AFTER_REFUSAL } else { self.silence };
            let line = match reader.line(Some(Instant::now() + patience)) {
                Ok(line) => line,
                Err(Trouble::Late) if refused => return Err(Broken::Refused),
                Err(trouble) => {
                    return Err(said.err().unwrap_or_else(|| Broken::Server(trouble.to_string())));
                }
            };
            match ServerMessage::parse(&line, self.seat).map_err(|e| Broken::Server(e.to_string()))? {
                ServerMessage::AskMove(sight) => {
                    refused = false;
                    mirror.follow(&sight)?;
                    let (ghost, direction) = mirror.choose(&self.settings)?;
                    said = say(Command::going(ghost, direction));
                }
                ServerMessage::Accepted | ServerMessage::AskSetUp => {}
                ServerMessage::Refused => refused = true,
                end @ (ServerMessage::Won(_) | ServerMessage::Lost(_) | ServerMessage::Drawn(_)) => {
                    mirror.refused = refused;
                    return Ok(end);
                }
            }
        }
    }

    /// Whether the server's word agrees with the board.
    fn judge(&self, mirror: &Mirror, ending: ServerMessage, seeds: &GameSeeds) -> ServerGame {
        let (verdict, score, sight) = match ending {
            ServerMessage::Won(sight) => (Some(Wdl::Win), 1.0, sight),
            ServerMessage::Lost(sight) => (Some(Wdl::Loss), 0.0, sight),
            ServerMessage::Drawn(sight) => (Some(Wdl::Draw), 0.5, sight),
            _ => return ServerGame { verdict: None, why: None, record: None },
        };
        let (table, rules) = match mirror.record(&sight, score, &self.game.rules()) {
            Ok(finished) => finished,
            Err(error) => {
                return ServerGame { verdict: None, why: Some(error.to_string()), record: None };
            }
        };
        let (us, other) = (self.seat.index(), self.seat.other().index());
        let (mut agents, mut numbers) = (["remote".to_owned(), "remote".to_owned()], [0; 2]);
        agents[us] = self.agent.full.clone();
        (numbers[us], numbers[other]) = (self.number, usize::from(self.number == 0));
        let mut versions = vec![0; 2];
        versions[us] = self.agent.version;
        let budget = self.settings.budget.map(|budget| budget.to_string());
        let record = kifu::record(&table, rules, seeds.place(), agents, numbers);
        let record = record.map(|record| Record { versions, budget, ..record });
        let end = record.as_ref().map(|record| &record.end);
        let void = end.is_none_or(|end| end.reason == EndReason::Cancelled);
        let why = end.and_then(|end| end.detail.clone());
        ServerGame { verdict: if void { None } else { verdict }, why, record }
    }
}

/// Why a game broke off.
enum Broken {
    /// The server has left, is silent, or talks nonsense.
    Server(String),
    /// It refuses our move and goes on waiting.
    Refused,
    /// Our agent gave no move.
    Agent(Fault),
}

impl Broken {
    fn verdict(&self) -> Option<Wdl> {
        match self {
            Broken::Server(_) | Broken::Agent(Fault::Cancelled) => None,
            Broken::Refused | Broken::Agent(_) => Some(Wdl::Loss),
        }
    }
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Broken::Server(why) => write!(f, "the server: {why}"),
            Broken::Refused => f.write_str("the server refuses our move"),
            Broken::Agent(fault) => write!(f, "our agent gave no move: {fault}"),
        }
    }
}

impl From<Fault> for Broken {
    fn from(fault: Fault) -> Broken {
        Broken::Agent(fault)
    }
}

impl From<Error> for Broken {
    fn from(error: Error) -> Broken {
        Broken::Server(error.to_string())
    }
}

/// What a set-up of ours reads as in text.
fn read_set_up(action: &str) -> Option<SetUp> {
    SetUp::of(action.strip_prefix("set:")?).ok()
}
