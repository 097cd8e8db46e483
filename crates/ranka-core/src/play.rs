//! The match loop: plays one game to its end and always knows why it ended.

use crate::record::End;
use crate::{
    Actor, Agent, Budget, EndReason, Fault, Game, GameSeeds, MAX_SEATS, Notation, Outcome, Rng, Seat, Table,
    Thought,
};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What a match decides for all its games.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// A game that reaches this many plies is drawn.
    pub ply_cap: u32,
    /// How much agents may think, if not their own parameters decide.
    pub budget: Option<Budget>,
    /// Thinking longer than this about one action loses. Results then depend on the machine.
    pub move_limit: Option<Duration>,
    /// Set from outside to stop.
    pub cancel: &'a AtomicBool,
}

/// The cap when nobody sets one: far beyond any game of ours, but an end.
const PLY_CAP: u32 = 10_000;

static NEVER: AtomicBool = AtomicBool::new(false);

impl Default for Settings<'static> {
    fn default() -> Settings<'static> {
        Settings { ply_cap: PLY_CAP, budget: None, move_limit: None, cancel: &NEVER }
    }
}

/// What a seat's agent has spent on a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// How often it was asked.
    pub decisions: u32,
    /// How long it thought in all.
    pub time: Duration,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    /// Where it began.
    pub start: G::State,
    /// Where it ended.
    pub last: G::State,
    /// Every action, chance's included.
    pub actions: Vec<G::Action>,
    /// How many of them the seats took.
    pub plies: u32,
    /// Why it ended.
    pub end: End,
    /// What it was worth to each seat.
    pub outcome: Outcome,
    /// What each seat spent: its time is the only thing here that two runs do not share.
    pub efforts: [Effort; MAX_SEATS],
}

/// Plays one game. `agents` holds the player of each seat in order, with the number it has in the
/// experiment; `watch` sees every decision before it is carried out.
pub fn play<G: Notation>(
    game: &G,
    seeds: &GameSeeds,
    agents: Vec<(Box<dyn Agent<G>>, usize)>,
    settings: &Settings<'_>,
    watch: &mut dyn FnMut(&G::State, &Thought<G::Action>),
) -> Played<G> {
    let start = game.start(&mut Rng::new(seeds.deal));
    let mut table = Table::new(game.clone(), start, seeds.chance);
    for (seat, (agent, number)) in agents.into_iter().enumerate() {
        table.sit(Seat::new(seat), agent, seeds.agent(number));
    }
    loop {
        match table.actor() {
            Actor::Over => break,
            Actor::Chance => table.draw(),
            Actor::Seat(_) if table.plies() >= settings.ply_cap => table.stop(EndReason::PlyCap, None, None),
            Actor::Seat(seat) => match table.think(settings, None) {
                Ok(thought) => {
                    watch(table.state(), &thought);
                    if table.act(thought.choice).is_err() {
                        table.refuse(game.write_action(thought.choice));
                    }
                }
                Err(fault) => {
                    let (reason, detail) = EndReason::of(fault);
                    let to_blame = (reason != EndReason::Cancelled).then_some(seat);
                    table.stop(reason, to_blame, detail);
                }
            },
        }
    }
    table.into_played()
}

impl EndReason {
    /// How a game ends by an agent's fault, and what is known beyond that.
    pub fn of(fault: Fault) -> (EndReason, Option<String>) {
        match fault {
            Fault::Cancelled => (EndReason::Cancelled, None),
            Fault::Resigned => (EndReason::Resigned, None),
            Fault::Crash(why) => (EndReason::Crash, Some(why)),
            Fault::Timeout => (EndReason::Timeout, None),
            Fault::Disconnected(why) => (EndReason::Disconnected, Some(why)),
            Fault::Protocol(why) => (EndReason::Protocol, Some(why)),
        }
    }
}
