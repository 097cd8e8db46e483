//! The client: answers for one of our agents.

use super::LONGEST_LINE;
use super::command::Command;
use super::wire::write_action;
use crate::net::{self, CONNECT_LIMIT, Ending, LineBuffer, LineReader, Log, Trouble};
use ranka_core::{
    Actor, AnyAgent, AnyGame, Error, Fault, Game, GameSeeds, Notation, Params, Position, Seat, Seed,
    Settings, TableAgents, Wdl, WdlCounts,
};
use ranka_tubstap::{Action, MapFile, RecordedAct, State, Team, Tubstap};
use std::sync::atomic::AtomicBool;

/// What came of the games, as far as a client can see it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games that began.
    pub games: u64,
    /// Of these, won, drawn and lost ones; others ended before the rules had decided them.
    pub results: WdlCounts,
}

/// An agent that plays one game after the other.
///
/// Its decisions in game `k` of a connection are those of agent `number` in game `k` of a match with the same seed.
pub struct Client<'a> {
    /// The game under the rules that the server does not tell; maps come from the server.
    pub game: &'a dyn AnyGame,
    /// Who plays.
    pub agent: &'a AnyAgent,
    /// What to answer when asked for a name.
    pub name: String,
    /// How much the agent may think.
    pub settings: Settings<'a>,
    /// What all randomness follows from.
    pub seed: Seed,
    /// The agent's number in the match.
    pub number: usize,
}

/// The game that is being played.
struct Seated {
    state: State,
    team: Team,
    table: Box<dyn TableAgents>,
}

/// What the client knows between two commands.
struct Memory {
    rules: Tubstap,
    map: Option<MapFile>,
    seated: Option<Seated>,
    score: Score,
}

impl Client<'_> {
    /// Connects and answers until the server closes the connection or `stop` is set.
    pub fn run(&self, host: &str, port: u16, log: &Log, stop: &AtomicBool) -> Result<Score, Error> {
        let place = format!("server {host}:{port}");
        let lost = |error: std::io::Error| Error::outside(format!("{place}: {error}"));
        let rules = Tubstap::new(&Params::parse(&self.game.rules(), Tubstap::options())?)?;
        let mut memory = Memory { rules, map: None, seated: None, score: Score::default() };
        let stream = net::connect(host, port, CONNECT_LIMIT)?;
        let lines = LineBuffer::new(Ending::Lf, LONGEST_LINE);
        let mut reader = LineReader::new(stream.try_clone().map_err(lost)?, lines, stop);
        loop {
            let line = match reader.line(None) {
                Ok(line) if line.trim().is_empty() => continue,
                Ok(line) => line,
                Err(Trouble::Stopped) => break,
                // Closing is how a server of this protocol says goodbye.
                Err(Trouble::Gone(_)) if memory.seated.is_none() && memory.score.games > 0 => break,
                Err(Trouble::Gone(why)) => {
                    memory.settle();
                    let ended = memory.score.results.games() == memory.score.games;
                    if ended && memory.score.games > 0 {
                        break;
                    }
                    return Err(Error::outside(why).at(place));
                }
                Err(trouble) => return Err(Error::outside(trouble.to_string()).at(place)),
            };
            let answer = match Command::read(&line) {
                Ok(command) => match self.answer(command, &mut memory, log) {
                    Ok(Some(answer)) => format!("= {answer}\r\n\r\n"),
                    // Whoever stops us gives nothing up: the game is left without an answer.
                    Ok(None) => break,
                    Err(error) => return Err(error.from_outside().at(place)),
                },
                Err(error) => {
                    log.note("server", format_args!("is refused: {error}"));
                    format!("? {error}\r\n\r\n")
                }
            };
            net::send(&stream, answer.as_bytes()).map_err(lost)?;
        }
        memory.settle();
        Ok(memory.score)
    }

    /// The answer to a command; nothing if we were stopped before there was one.
    fn answer(&self, command: Command, memory: &mut Memory, log: &Log) -> Result<Option<String>, Error> {
        match command {
            Command::Name => return Ok(Some(self.name.clone())),
            Command::Opponent(_) => {}
            Command::Map(map) => memory.map = Some(*map),
            Command::Color(team) => {
                memory.settle();
                let map = memory.map.as_ref().ok_or_else(|| Error::outside("Color came before MAP"))?;
                memory.seated = Some(self.sit_down(map, team, memory)?);
                memory.score.games += 1;
            }
            Command::Genmove => return self.genmove(memory, log),
            Command::Play(RecordedAct::Surrender) => {
                if memory.seated.take().is_some() {
                    memory.score.results.add(Wdl::Win);
                }
            }
            Command::Play(RecordedAct::Taken(taken)) => {
                let (seated, rules) = memory.seated()?;
                seated.play(taken.act, rules)?;
            }
            Command::Status => {
                let (Seated { state, team, .. }, _) = memory.seated()?;
                return Ok(Some(format!("{} {}", state.hp(*team), state.hp(team.other()))));
            }
            Command::Gameover => memory.settle(),
        }
        Ok(Some(String::new()))
    }

    fn sit_down(&self, map: &MapFile, team: Team, memory: &Memory) -> Result<Seated, Error> {
        let state = map.state(memory.rules.rules)?;
        let games = memory.score.games;
        let seeds = GameSeeds::of(self.seed, games / 2, games % 2);
        let players = [Seat::FIRST, Seat::SECOND];
        let players = players.map(|seat| (seat == team.seat()).then_some((self.agent, self.number)));
        let table = self.game.match_table(Some(&memory.rules.write_state(&state)), &players, &seeds)?;
        Ok(Seated { state, team, table })
    }

    fn genmove(&self, memory: &mut Memory, log: &Log) -> Result<Option<String>, Error> {
        let (seated, rules) = memory.seated()?;
        if seated.state.actor() != Actor::Seat(seated.team.seat()) {
            return Err(Error::outside("it asks for an action although it is not our turn"));
        }
        let why = match seated.table.choose(&self.settings) {
            Ok(thought) => match rules.read_action(&thought.choice) {
                Ok(act) if seated.state.is_legal(act) => {
                    let answer = write_action(RecordedAct::now(&seated.state, act));
                    seated.play(act, rules)?;
                    return Ok(Some(answer));
                }
                _ => format!("{} is not legal", thought.choice),
            },
            Err(Fault::Cancelled) => return Ok(None),
            Err(fault) => {
                let words = seated.table.last_words(seated.team.seat());
                words.map_or(fault.to_string(), |words| format!("{fault}; {words}"))
            }
        };
        // This game is lost; the next one gets a new player.
        log.note("our agent", format_args!("surrenders: {why}"));
        memory.seated = None;
        memory.score.results.add(Wdl::Loss);
        Ok(Some(write_action(RecordedAct::Surrender)))
    }
}

impl Memory {
    fn seated(&mut self) -> Result<(&mut Seated, &Tubstap), Error> {
        let seated = self.seated.as_mut();
        let seated = seated.ok_or_else(|| Error::outside("it speaks of a game that has not begun"))?;
        Ok((seated, &self.rules))
    }

    /// Counts the result of a game that is over.
    fn settle(&mut self) {
        let Some(Seated { state, team, .. }) = self.seated.take() else { return };
        if state.actor().is_over() {
            self.score.results.add(match state.verdict() {
                Some(winner) if winner == team => Wdl::Win,
                None => Wdl::Draw,
                Some(_) => Wdl::Loss,
            });
        }
    }
}

impl Seated {
    fn play(&mut self, act: Action, rules: &Tubstap) -> Result<(), Error> {
        if !self.state.is_legal(act) {
            let why = rules.refusal(&self.state, act);
            return Err(Error::outside(format!("it tells of {act}, which is not legal: {why}")));
        }
        self.state.apply(act);
        self.table.act(&rules.write_action(act))
    }
}
