//! Learning a table from play.

use super::exact::exact;
use super::table::{Backup, QKind, QTable, Reward, key};
use crate::action::House;
use crate::rules::Kalah;
use crate::state::State;
use ranka_core::{Actor, Agent, Error, Graph, Maker, Position, Rng, Seat, Seed, Thinking, Told};
use ranka_search::qlearn::{self, Learning, Next, Task, Transition};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Learning counts as done when nothing changed by more than this …
const TOLERANCE: f64 = 1e-4;
/// … in so many episodes, everything was tried …
const WINDOW: u64 = 10_000;
/// … and, where the truth is known, no value is farther from it. Without this a value that was last looked at
/// before its successors settled could stay wrong for ever.
const CLOSE: f64 = 1e-3;

/// What to learn and how.
#[derive(Clone)]
pub struct TrainingOptions {
    /// What a value shall mean.
    pub kind: QKind,
    /// Who acts between two decisions, for [`Backup::FixedOpponent`].
    pub opponent: Option<Arc<dyn Maker<Kalah>>>,
    /// How far a value moves towards its target.
    pub rate: f64,
    /// The probability of a random action.
    pub exploration: f64,
    /// The share of episodes that begin anywhere instead of at the start.
    pub exploring_starts: f64,
    /// When to give up.
    pub episodes: u64,
    /// All randomness comes from here.
    pub seed: Seed,
}

/// How it goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingProgress {
    /// Episodes played.
    pub episodes: u64,
    /// Actions visited at least once.
    pub visited: usize,
    /// Actions that can be visited, where that is known.
    pub reachable: Option<usize>,
    /// The largest change of a value in the last ten thousand episodes.
    pub change: f64,
    /// The largest distance from the exact value, where that is known.
    pub error: Option<f64>,
}

/// The result.
pub struct TrainingResult {
    /// The table.
    pub table: QTable,
    /// How it ended.
    pub progress: TrainingProgress,
    /// Whether it converged before the episodes were used up.
    pub converged: bool,
}

/// Learns a table. `report` is called every ten thousand episodes and may stop the learning by answering false.
pub fn train(
    game: &Kalah,
    options: &TrainingOptions,
    report: &mut dyn FnMut(&TrainingProgress) -> bool,
) -> Result<TrainingResult, Error> {
    let mut table = QTable::new(game, options.kind)?;
    // Where the whole game is small, learning can begin anywhere and be held against the truth.
    let graph = Graph::reach(game.first()).ok();
    let policy = |graph: &Graph<State>| options.opponent.as_ref().and_then(|opponent| opponent.policy(graph));
    let truth = match &graph {
        Some(graph) => exact(game, options.kind, graph, policy(graph).as_deref()).ok(),
        None => None,
    };
    let school = School { game, options, graph: graph.as_ref(), opponent: RefCell::new(None) };
    let learning =
        Learning { rate: options.rate, discount: options.kind.discount, exploration: options.exploration };
    let reachable = truth.as_ref().map(QTable::actions);
    let mut progress =
        TrainingProgress { episodes: 0, visited: 0, reachable, change: f64::INFINITY, error: None };
    let mut change: f64 = 0.0;
    let mut converged = false;
    while progress.episodes < options.episodes && !converged {
        let mut rng = Rng::new(options.seed.child("episode").at(progress.episodes));
        change = change.max(qlearn::episode(&school, &mut table.values, &learning, &mut rng));
        progress.episodes += 1;
        if progress.episodes.is_multiple_of(WINDOW) || progress.episodes == options.episodes {
            progress.visited = table.actions();
            progress.change = change;
            progress.error = truth.as_ref().map(|truth| table.largest_error(truth));
            converged = change < TOLERANCE
                && reachable.is_none_or(|all| progress.visited >= all)
                && progress.error.is_none_or(|error| error < CLOSE);
            change = 0.0;
            if !report(&progress) {
                break;
            }
        }
    }
    Ok(TrainingResult { table, progress, converged })
}

/// The learner's world.
struct School<'a> {
    game: &'a Kalah,
    options: &'a TrainingOptions,
    graph: Option<&'a Graph<State>>,
    /// Who plays the other side in this episode.
    opponent: RefCell<Option<Box<dyn Agent<Kalah>>>>,
}

impl Task for School<'_> {
    type State = State;
    type Key = u128;

    fn slots(&self) -> usize {
        self.game.houses
    }

    fn start(&self, rng: &mut Rng) -> (State, bool) {
        let mut state = self.game.first();
        let anywhere = self.graph.filter(|_| rng.chance(self.options.exploring_starts));
        if let Some(graph) = anywhere {
            while state.actor().is_over() || state == self.game.first() {
                state = *graph.position(rng.index(graph.len()));
            }
        }
        if self.options.kind.backup != Backup::SelfPlay {
            // From the start the learner may sit on either side; elsewhere it is whoever moves.
            let waits = anywhere.is_none() && rng.chance(0.5);
            let learner = if waits { state.mover.other() } else { state.mover };
            let seated = self
                .options
                .opponent
                .as_ref()
                .map(|maker| maker.seat(learner.other(), Seed::new(rng.bits())));
            *self.opponent.borrow_mut() = seated.and_then(Result::ok);
            self.let_opponent_play(&mut state, learner, rng);
        }
        (state, anywhere.is_some())
    }

    fn key(&self, state: &State) -> u128 {
        key(state)
    }

    fn legal(&self, state: &State, slots: &mut Vec<usize>) {
        let mut houses = Vec::new();
        state.actions(&mut houses);
        slots.extend(houses.iter().filter_map(|house| house.index()));
    }

    fn step(&self, state: &mut State, slot: usize, rng: &mut Rng) -> Transition {
        let kind = &self.options.kind;
        let before = *state;
        let learner = before.mover;
        self.advance(state, House::new(slot), learner);
        let mut reward = kind.reward(&before, state);
        let next = match state.actor() {
            Actor::Seat(seat) if seat == learner => Next::Same,
            Actor::Seat(_) if kind.backup == Backup::SelfPlay => Next::Opponent,
            Actor::Seat(_) => {
                reward += kind.discount * self.let_opponent_play(state, learner, rng);
                if state.actor().is_over() { Next::Over } else { Next::Same }
            }
            _ => Next::Over,
        };
        Transition { reward, next }
    }
}

impl School<'_> {
    /// Lets the opponent of `learner` play until it is the learner's turn or the game is over; tells what that
    /// is worth to the learner as a reward.
    fn let_opponent_play(&self, state: &mut State, learner: Seat, rng: &mut Rng) -> f64 {
        let mut reward = 0.0;
        while state.actor() == Actor::Seat(learner.other()) {
            let before = *state;
            let house = self.opponents_choice(&before, rng);
            self.advance(state, house, before.mover);
            let gain = self.options.kind.reward(&before, state);
            match self.options.kind.reward {
                Reward::Delta => reward -= gain,
                Reward::Level if state.actor().is_over() => reward -= gain,
                Reward::Level => {}
            }
        }
        reward
    }

    /// What the opponent plays. One that gives no answer moves at random, as the random environment does.
    fn opponents_choice(&self, state: &State, rng: &mut Rng) -> House {
        static NEVER: AtomicBool = AtomicBool::new(false);
        let mut opponent = self.opponent.borrow_mut();
        let thought = opponent.as_mut().and_then(|opponent| {
            let mut thinking = Thinking::new(Rng::new(Seed::new(rng.bits())), None, &NEVER);
            opponent.think(state, &mut thinking).ok()
        });
        match thought {
            Some(thought) if state.is_legal(thought.choice) => thought.choice,
            _ => state.random_action(rng, &mut Vec::new()),
        }
    }

    fn advance(&self, state: &mut State, house: House, by: Seat) {
        let before = *state;
        state.apply(house);
        if let Some(opponent) = self.opponent.borrow_mut().as_mut() {
            opponent.told(&Told { by: Some(by), action: Some(house), before: &before, after: state });
        }
    }
}
