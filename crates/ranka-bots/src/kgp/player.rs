//! One of our agents behind the client: it remembers the game, although the protocol shows only boards.

use super::Board;
use super::trail::trail;
use ranka_core::{
    AnyAgent, AnyGame, AnyTable, Entry, Fault, Game, GameSeeds, InputError, Notation, Params, Position, Seat,
    Seed, Settings,
};
use ranka_kalah::{House, Kalah, State};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Who chooses the houses for a client.
pub trait Chooser {
    /// Chooses for South on this board, a house counted from 1. Each better choice on the way goes to `offer`; once `cancel` is
    /// set nobody waits any more. Nothing means that it was cancelled.
    fn choose(
        &mut self,
        board: &Board,
        cancel: &AtomicBool,
        offer: &mut dyn FnMut(usize),
    ) -> Result<Option<usize>, InputError>;

    /// Hears that the next state belongs to another game.
    fn new_game(&mut self) {}
}

/// An agent that plays one game after the other.
///
/// Its decisions in game `k` of a connection are those of agent `number` in game `k` of a match with the same seed.
pub struct Player<'a> {
    entry: &'a dyn Entry,
    rules: String,
    agent: String,
    settings: Settings<'static>,
    seed: Seed,
    number: usize,
    games: u64,
    seated: Option<Seated>,
}

/// The agent in the game that is being played.
struct Seated {
    game: Arc<dyn AnyGame>,
    kalah: Kalah,
    agent: AnyAgent,
    seeds: GameSeeds,
    me: Seat,
    start: State,
    /// What led from the start to `state`.
    history: Vec<House>,
    /// The position that was shown last.
    state: State,
    table: Box<dyn AnyTable>,
    /// What the agent at the table has played in `state`.
    played: Option<House>,
}

impl<'a> Player<'a> {
    /// The agent `agent`, at whatever board a server shows; `entry` is Kalah's in the catalogue, and `rules` are the options
    /// that no board shows. What is wrong with either is told now and not in the first game.
    pub fn new(
        entry: &'a dyn Entry,
        rules: &str,
        agent: &str,
        settings: Settings<'static>,
        seed: Seed,
        number: usize,
    ) -> Result<Player<'a>, InputError> {
        entry.open(rules)?.agent(agent)?;
        let (rules, agent) = (rules.to_owned(), agent.to_owned());
        Ok(Player { entry, rules, agent, settings, seed, number, games: 0, seated: None })
    }

    /// How many games it has seen the beginning of.
    pub fn games(&self) -> u64 {
        self.games
    }

    fn sit_down(&mut self, board: &Board) -> Result<Seated, InputError> {
        let position = format!("{board} S");
        let game = self.entry.open(&self.rules)?.for_position(&position)?;
        let kalah = Kalah::new(&Params::parse(&game.rules(), Kalah::options())?)?;
        let agent = game.agent(&self.agent)?;
        let shown = kalah.read_state(&position)?;
        // South sees the start itself; North sees what South has made of it. Any other board begins a game of its own.
        let start = kalah.first();
        let (me, start, history) = match trail(&start, Seat::SECOND, None, board) {
            Some(history) => (Seat::SECOND, start, history),
            None => (Seat::FIRST, shown, Vec::new()),
        };
        let seeds = GameSeeds::of(self.seed, self.games / 2, self.games % 2);
        self.games += 1;
        let number = self.number;
        let state = history.iter().fold(start, |mut state, &house| {
            state.apply(house);
            state
        });
        let table = Seated::table(&game, &kalah, &agent, number, me, &start, &history, &seeds)?;
        Ok(Seated { game, kalah, agent, seeds, me, start, history, state, table, played: None })
    }
}

impl Seated {
    #[allow(clippy::too_many_arguments)]
    fn table(
        game: &Arc<dyn AnyGame>,
        kalah: &Kalah,
        agent: &AnyAgent,
        number: usize,
        me: Seat,
        start: &State,
        history: &[House],
        seeds: &GameSeeds,
    ) -> Result<Box<dyn AnyTable>, InputError> {
        let players = [Seat::FIRST, Seat::SECOND].map(|seat| (seat == me).then_some((agent, number)));
        let mut table = game.table_in(Some(&kalah.write_state(start)), &players, seeds)?;
        history.iter().try_for_each(|&house| table.act(&kalah.write_action(house)))?;
        Ok(table)
    }

    /// Goes on to the board that is shown now; says whether it is of the same game.
    fn follow(&mut self, board: &Board, number: usize) -> Result<bool, InputError> {
        let Some(moves) = trail(&self.state, self.me, self.played, board) else { return Ok(false) };
        let known = match self.played {
            Some(house) if house == moves[0] => 1,
            // Another move than ours was counted: the agent is told the true story from the start.
            Some(_) => {
                let Seated { game, kalah, agent, me, start, history, seeds, .. } = &*self;
                self.table = Seated::table(game, kalah, agent, number, *me, start, history, seeds)?;
                0
            }
            None => 0,
        };
        for (i, &house) in moves.iter().enumerate() {
            self.state.apply(house);
            if i >= known {
                self.table.act(&self.kalah.write_action(house))?;
            }
        }
        self.history.extend(moves);
        self.played = None;
        Ok(true)
    }
}

impl Chooser for Player<'_> {
    fn choose(
        &mut self,
        board: &Board,
        cancel: &AtomicBool,
        offer: &mut dyn FnMut(usize),
    ) -> Result<Option<usize>, InputError> {
        let goes_on = match &mut self.seated {
            Some(seated) => seated.follow(board, self.number)?,
            None => false,
        };
        if !goes_on {
            self.seated = Some(self.sit_down(board)?);
        }
        let Some(seated) = &mut self.seated else { return Ok(None) };
        let kalah = seated.kalah;
        let read = |text: &str| kalah.read_action(text).ok();
        let settings = Settings { cancel, ..self.settings };
        let mut report = |thought: &ranka_core::TextThought| {
            if let Some(house) = read(&thought.choice).and_then(House::index) {
                offer(house + 1);
            }
        };
        match seated.table.think_aloud(&settings, &mut report) {
            Ok(thought) => {
                seated.played = read(&thought.choice);
                Ok(seated.played.and_then(House::index).map(|house| house + 1))
            }
            Err(Fault::Cancelled) => Ok(None),
            Err(fault) => Err(InputError::new(format!("agent {}: {fault:?}", self.agent))),
        }
    }

    fn new_game(&mut self) {
        self.seated = None;
    }
}
