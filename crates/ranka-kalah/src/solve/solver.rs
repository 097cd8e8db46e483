//! The solver as others use it: positions in, exact margins out.

use super::endgame::Endgame;
use super::progress::SolverProgress;
use super::search::{Busy, Common, Lookups, Search};
use super::steps::Steps;
use super::table::{Bounds, Table};
use crate::action::House;
use crate::board::{Board, Row};
use crate::rules::Kalah;
use crate::state::State;
use ranka_core::{Actor, Error, Position, Seat};
use ranka_search::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Boards with fewer seeds are solved before a second thread has started.
const TOO_SMALL_TO_SHARE: i32 = 26;

/// Solves positions of one game exactly.
pub struct Solver {
    game: Kalah,
    endgame: Option<Arc<Endgame>>,
    table: Arc<Table>,
    steps: Arc<Width>,
    threads: usize,
    busy: Box<Busy>,
    nodes: u64,
    lookups: Lookups,
    progress: Arc<SolverProgress>,
}

/// Narrow boards are quicker in half the memory.
enum Width {
    Narrow(Steps<u64>),
    Wide(Steps<u128>),
}

/// Nodes searched, and what the table of bounds was asked.
type Work = (u64, Lookups);

/// The search was cancelled or has used up what it may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// A solved position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The final margin for the one who moves, under perfect play.
    pub value: i32,
    /// The same for each legal move.
    pub moves: Vec<(House, i32)>,
    /// A line of perfect play to the end.
    pub line: Vec<House>,
}

/// What is known of a margin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// It is at least this.
    pub lower: i32,
    /// And at most this.
    pub upper: i32,
}

impl Interval {
    /// Nothing is known.
    pub const ANY: Interval = Interval { lower: i32::MIN, upper: i32::MAX };

    /// The question whether a margin is at least this.
    pub fn at_least(bound: i32) -> Interval {
        Interval { lower: bound, upper: bound }
    }

    /// Whether what is known answers what was asked for: it is exact, or all of it lies on one side of that.
    pub fn answers(self, wanted: Interval) -> bool {
        self.is_exact() || self.lower >= wanted.upper || self.upper < wanted.lower
    }

    /// Whether the margin itself is known.
    pub fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// The same for one who sees the margin with the other sign, after gaining `ahead`.
    fn seen(self, ahead: i32, same: bool) -> Interval {
        if same {
            Interval { lower: ahead + self.lower, upper: ahead + self.upper }
        } else {
            Interval { lower: -ahead - self.upper, upper: -ahead - self.lower }
        }
    }
}

impl Solver {
    /// A solver with a table of 2^`table_bits` entries, eight bytes each, and, if given, endgame tables.
    pub fn new(game: &Kalah, endgame: Option<Arc<Endgame>>, table_bits: u32) -> Result<Solver, Error> {
        if game.rules.early_majority || game.rules.pie {
            return Err(Error::input(
                "exact margins are for games played to the end from fixed sides: early-majority and pie must be off",
            ));
        }
        let most = crate::board::MOST_SEEDS;
        let steps = if game.houses <= u64::HOUSES {
            Width::Narrow(Steps::new(game, most))
        } else {
            Width::Wide(Steps::new(game, most))
        };
        Ok(Solver {
            game: *game,
            endgame,
            table: Arc::new(Table::new(table_bits)),
            steps: Arc::new(steps),
            threads: 1,
            busy: Busy::new(),
            nodes: 0,
            lookups: Lookups::default(),
            progress: Arc::default(),
        })
    }

    /// The same solver on so many threads. Values stay the same; how many positions are searched does not.
    pub fn on(self, threads: usize) -> Solver {
        Solver { threads: threads.max(1), ..self }
    }

    /// How many threads it solves on.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Another solver on one thread, which shares all that this one knows.
    pub fn fork(&self) -> Solver {
        Solver {
            game: self.game,
            endgame: self.endgame.clone(),
            table: Arc::clone(&self.table),
            steps: Arc::clone(&self.steps),
            threads: 1,
            busy: Busy::new(),
            nodes: 0,
            lookups: Lookups::default(),
            progress: Arc::clone(&self.progress),
        }
    }

    /// The game whose positions it solves.
    pub fn game(&self) -> &Kalah {
        &self.game
    }

    /// Its endgame tables.
    pub fn endgame(&self) -> Option<&Endgame> {
        self.endgame.as_deref()
    }

    /// Positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How often its table of bounds was asked so far, and knew something.
    pub fn lookups(&self) -> Lookups {
        self.lookups
    }

    /// Tells another thread how far it is.
    pub fn progress(&self) -> Arc<SolverProgress> {
        Arc::clone(&self.progress)
    }

    /// The final margin for `seat` under perfect play of both.
    pub fn margin(&mut self, state: &State, seat: Seat, cancel: &AtomicBool) -> Result<i32, Stopped> {
        let known = self.bounds(state, seat, Interval::ANY, cancel);
        if known.is_exact() { Ok(known.lower) } else { Err(Stopped) }
    }

    /// The margin for `seat` as far as `wanted` asks for it, or as is found out until it is cancelled.
    pub fn bounds(&mut self, state: &State, seat: Seat, wanted: Interval, cancel: &AtomicBool) -> Interval {
        self.narrow(state, seat, wanted, Limits { cancel, ..Limits::NONE })
    }

    /// The margin for `seat` as far as `wanted` asks for it: what is known ends up exact, or at least `wanted.upper`, or
    /// less than `wanted.lower`, or whatever it was when the limits were reached.
    pub fn narrow(&mut self, state: &State, seat: Seat, wanted: Interval, limits: Limits<'_>) -> Interval {
        let Actor::Seat(mover) = state.actor() else {
            let margin = state.margin(seat);
            return Interval { lower: margin, upper: margin };
        };
        let (ahead, same) = (state.margin(mover), mover == seat);
        // "At least `bound`" for one is "less than 1 − `bound`" for the other.
        let sided = |bound: i32| 1i32.saturating_sub(bound).saturating_sub(ahead);
        let wanted = if same {
            let sided = |bound: i32| bound.saturating_sub(ahead);
            Interval { lower: sided(wanted.lower), upper: sided(wanted.upper) }
        } else {
            Interval { lower: sided(wanted.upper), upper: sided(wanted.lower) }
        };
        let prove = |known: Interval| self.progress.prove(known.seen(ahead, same));
        let board = state.board();
        let (known, (nodes, lookups)) = match &*self.steps {
            Width::Narrow(steps) => {
                let board = Board { own: board.own as u64, other: board.other as u64 };
                self.windows(steps, &board, wanted, limits, &prove)
            }
            Width::Wide(steps) => self.windows(steps, &board, wanted, limits, &prove),
        };
        self.nodes += nodes;
        self.lookups += lookups;
        known.seen(ahead, same)
    }

    /// Zero windows that close in on a board's value, and the work that they were.
    fn windows<R: Row>(
        &self,
        steps: &Steps<R>,
        board: &Board<R>,
        wanted: Interval,
        limits: Limits<'_>,
        prove: &dyn Fn(Interval),
    ) -> (Interval, Work) {
        let seeds = (board.own.total() + board.other.total()) as i32;
        let threads = if seeds < TOO_SMALL_TO_SHARE { 1 } else { self.threads };
        let (mut nodes, mut lookups) = Work::default();
        let Bounds { mut lower, mut upper, .. } = {
            let done = AtomicBool::new(false);
            Search::new(&self.common(steps, None, &done, limits)).known(board, seeds)
        };
        // Most positions are worth about what they hold now.
        let mut value = 0;
        while lower < upper && lower < wanted.upper && wanted.lower <= upper {
            prove(Interval { lower, upper });
            let bound = value.clamp(lower + 1, upper).clamp(wanted.lower, wanted.upper);
            let limits = Limits { count: limits.count.saturating_sub(nodes), ..limits };
            let (found, work) = self.window(steps, board, seeds, bound, threads, limits);
            nodes += work.0;
            lookups += work.1;
            let Some(found) = found else { break };
            value = found;
            if value < bound { upper = value } else { lower = value }
        }
        (Interval { lower, upper }, (nodes, lookups))
    }

    fn common<'a, R: Row>(
        &'a self,
        steps: &'a Steps<R>,
        busy: Option<&'a Busy>,
        done: &'a AtomicBool,
        limits: Limits<'a>,
    ) -> Common<'a, R> {
        let (endgame, table, progress) = (self.endgame.as_deref(), &self.table, &*self.progress);
        Common { steps, endgame, table, busy, done, limits, progress }
    }

    /// One window on all threads: whichever is done first has the answer.
    fn window<R: Row>(
        &self,
        steps: &Steps<R>,
        board: &Board<R>,
        seeds: i32,
        bound: i32,
        threads: usize,
        limits: Limits<'_>,
    ) -> (Option<i32>, Work) {
        let done = AtomicBool::new(false);
        let common = self.common(steps, (threads > 1).then_some(&*self.busy), &done, limits);
        let work = || {
            let mut search = Search::new(&common);
            let value = search.probe(board, board.short_key(), seeds, bound);
            if !search.stopped {
                done.store(true, Ordering::Relaxed);
            }
            ((!search.stopped).then_some(value), (search.nodes, search.lookups))
        };
        if threads == 1 {
            return work();
        }
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let (mut value, (mut nodes, mut lookups)) = work();
            for other in others {
                let (found, (more, asked)) =
                    other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                value = value.or(found);
                nodes += more;
                lookups += asked;
            }
            (value, (nodes, lookups))
        })
    }

    /// The margin of each legal move, for the one who moves, in canonical order.
    pub fn moves(&mut self, state: &State, cancel: &AtomicBool) -> Result<Vec<(House, i32)>, Stopped> {
        let Actor::Seat(mover) = state.actor() else { return Ok(Vec::new()) };
        let mut houses = Vec::new();
        state.actions(&mut houses);
        houses
            .into_iter()
            .map(|house| {
                let mut next = *state;
                next.apply(house);
                Ok((house, self.margin(&next, mover, cancel)?))
            })
            .collect()
    }

    /// Value, every move's value, and a line of perfect play that takes the first best move each time.
    pub fn solve(&mut self, state: &State, cancel: &AtomicBool) -> Result<Solution, Stopped> {
        let moves = self.moves(state, cancel)?;
        let value = moves.iter().map(|&(_, value)| value).max().unwrap_or_else(|| state.margin(Seat::FIRST));
        let line = self.line(state, cancel)?;
        Ok(Solution { value, moves, line })
    }

    /// A line of perfect play to the end, which takes the first best move each time.
    pub fn line(&mut self, state: &State, cancel: &AtomicBool) -> Result<Vec<House>, Stopped> {
        let mut line = Vec::new();
        let mut at = *state;
        let mut houses = Vec::new();
        while let Actor::Seat(mover) = at.actor() {
            let value = self.margin(&at, mover, cancel)?;
            houses.clear();
            at.actions(&mut houses);
            let keeps = |solver: &mut Solver, house| {
                let mut next = at;
                next.apply(house);
                // One window: is it worth the value or not?
                let known = solver.bounds(&next, mover, Interval::at_least(value), cancel);
                (known.lower >= value).then_some(next)
            };
            let found = houses.iter().find_map(|&house| Some((house, keeps(self, house)?)));
            let Some((house, next)) = found else { return Err(Stopped) };
            line.push(house);
            at = next;
        }
        Ok(line)
    }
}
