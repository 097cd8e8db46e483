//! One of our agents behind the client: it remembers the game, although the protocol shows only boards.

use super::Board;
use super::trail::trail;
use ranka_core::{
    Error, Fault, Game, GameEntry, GameSeeds, Notation, Params, Position, Seat, Seed, Settings, TableAgents,
};
use ranka_kalah::{House, Kalah, State};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Who chooses the houses for a client.
pub trait Chooser {
    /// Chooses for South on this board, a house counted from 1. Each better choice on the way goes to `offer`; once `cancel` is
    /// set nobody waits any more. Nothing means that it was cancelled, or has an [excuse](Chooser::excuse).
    fn choose(
        &mut self,
        board: &Board,
        cancel: &AtomicBool,
        offer: &mut dyn FnMut(usize),
    ) -> Result<Option<usize>, Error>;

    /// Hears that the next state belongs to another game.
    fn new_game(&mut self) {}

    /// Hears how long the server waits for the answer to each of the next states, if it has told.
    fn clock(&mut self, _limit: Option<Duration>) {}

    /// Why it did not answer, if not because it was cancelled.
    fn excuse(&mut self) -> Option<String> {
        None
    }
}

/// An agent that plays one game after the other.
///
/// Its decisions in game `k` of a connection are those of agent `number` in game `k` of a match with the same seed.
pub struct AgentPlayer<'a> {
    entry: &'a dyn GameEntry,
    rules: String,
    agent: String,
    settings: Settings<'static>,
    seed: Seed,
    number: usize,
    games: u64,
    seated: Option<Seated>,
    clock: Option<Duration>,
    excuse: Option<String>,
}

/// The agent in the game that is being played.
struct Seated {
    kalah: Kalah,
    me: Seat,
    /// The position that was shown last; the table stands there too.
    state: State,
    table: Box<dyn TableAgents>,
    /// What the agent chose in it.
    choice: Option<House>,
}

impl<'a> AgentPlayer<'a> {
    /// The agent `agent`, at whatever board a server shows; `entry` is Kalah's in the catalogue, and `rules` are the options
    /// that no board shows. What is wrong with either is told now and not in the first game.
    pub fn new(
        entry: &'a dyn GameEntry,
        rules: &str,
        agent: &str,
        settings: Settings<'static>,
        seed: Seed,
        number: usize,
    ) -> Result<AgentPlayer<'a>, Error> {
        entry.open(rules)?.agent(agent)?;
        let (rules, agent) = (rules.to_owned(), agent.to_owned());
        Ok(AgentPlayer {
            entry,
            rules,
            agent,
            settings,
            seed,
            number,
            games: 0,
            seated: None,
            clock: None,
            excuse: None,
        })
    }

    /// How many games it has seen the beginning of.
    pub fn games(&self) -> u64 {
        self.games
    }

    fn sit_down(&mut self, board: &Board) -> Result<Seated, Error> {
        let position = format!("{board} S");
        let game = self.entry.open(&self.rules)?.for_position(&position)?;
        let kalah = Kalah::new(&Params::parse(&game.rules(), Kalah::options())?)?;
        let agent = game.agent(&self.agent)?;
        let shown = kalah.read_state(&position)?;
        // South sees the start itself; North sees what South has made of it. Any other board begins a game of its own.
        let (me, start, moves) = match trail(&kalah.first(), Seat::SECOND, None, board) {
            Some(moves) => (Seat::SECOND, kalah.first(), moves),
            None => (Seat::FIRST, shown, Vec::new()),
        };
        let seeds = GameSeeds::of(self.seed, self.games / 2, self.games % 2);
        self.games += 1;
        let players = [Seat::FIRST, Seat::SECOND].map(|seat| (seat == me).then_some((&agent, self.number)));
        let table = game.match_table(Some(&kalah.write_state(&start)), &players, &seeds)?;
        let mut seated = Seated { kalah, me, state: start, table, choice: None };
        seated.play(&moves)?;
        Ok(seated)
    }
}

impl Seated {
    /// Goes on to the board that is shown now; says whether it is of the same game. Which of our moves was counted, the board
    /// tells.
    fn follow(&mut self, board: &Board) -> Result<bool, Error> {
        let moves = trail(&self.state, self.me, self.choice.take(), board);
        moves.map_or(Ok(false), |moves| self.play(&moves).map(|()| true))
    }

    fn play(&mut self, moves: &[House]) -> Result<(), Error> {
        moves.iter().try_for_each(|&house| {
            self.state.apply(house);
            self.table.act(&self.kalah.write_action(house))
        })
    }
}

impl Chooser for AgentPlayer<'_> {
    fn choose(
        &mut self,
        board: &Board,
        cancel: &AtomicBool,
        offer: &mut dyn FnMut(usize),
    ) -> Result<Option<usize>, Error> {
        let goes_on = match &mut self.seated {
            Some(seated) => seated.follow(board)?,
            None => false,
        };
        if !goes_on {
            self.seated = Some(self.sit_down(board)?);
        }
        let Some(seated) = &mut self.seated else { return Ok(None) };
        let kalah = seated.kalah;
        let read = |text: &str| kalah.read_action(text).ok();
        let move_limit = [self.settings.move_limit, self.clock].into_iter().flatten().min();
        let settings = Settings { cancel, move_limit, ..self.settings };
        let mut report = |thought: &ranka_core::Thought<String>| {
            if let Some(house) = read(&thought.choice).and_then(House::index) {
                offer(house + 1);
            }
        };
        match seated.table.choose_aloud(&settings, &mut report) {
            Ok(thought) if !seated.table.choices(seated.me).contains(&thought.choice) => {
                self.excuse = Some(format!("{} is not legal", thought.choice));
                Ok(None)
            }
            Ok(thought) => {
                seated.choice = read(&thought.choice);
                Ok(seated.choice.and_then(House::index).map(|house| house + 1))
            }
            Err(Fault::Cancelled) => Ok(None),
            // The server plays for us where we are silent, and the next game gets a new player.
            Err(fault) => {
                let words = seated.table.last_words(seated.me);
                self.excuse = Some(words.map_or(fault.to_string(), |words| format!("{fault}; {words}")));
                Ok(None)
            }
        }
    }

    fn clock(&mut self, limit: Option<Duration>) {
        self.clock = limit;
    }

    fn excuse(&mut self) -> Option<String> {
        self.excuse.take()
    }

    fn new_game(&mut self) {
        self.seated = None;
    }
}
