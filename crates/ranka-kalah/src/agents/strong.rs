//! `strong`: proves what its budget allows to prove, and looks ahead for the rest.

use super::knowledge::{BOOK, Knowledge, TABLES, Tables, thought};
use crate::solve::{Endgame, Interval, Judgement, Solver};
use crate::{House, Kalah, State};
use ranka_core::{
    Actor, Agent, AgentKind, Budget, Candidate, Error, Fault, Maker, Param, Params, Position, Scale, Seat,
    Seed, Thinking, Thought, Ties,
};
use ranka_search::{AlphaBeta, DepthUnit, Evaluate, Found, Limits, MAX_DEPTH, Root, Transpositions};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The share of the budget that a proof may take.
const PROOF: f64 = 0.5;

/// Seeds up to which a proof is tried first; beyond, it would only use up the budget.
const PROVABLE: u32 = 40;

/// Positions of one decision for which the tables have room, as a power of two.
const TABLE_BITS: u32 = 18;

pub(super) fn kind() -> AgentKind<Kalah> {
    AgentKind {
        name: "strong",
        version: 2,
        summary: "Plays from book and endgame tables, proves the best move if its budget allows, and looks ahead otherwise.",
        params: params("300000"),
        build: |game, params| Ok(Arc::new(Strong::new(game, params, PROOF, PROVABLE, Telling::Margins)?)),
    }
}

/// How much a decision may take, and which of the best moves is taken.
pub(super) fn params(nodes: &'static str) -> Vec<Param> {
    let ms = "milliseconds a decision may take instead; 0 for no such limit";
    vec![
        Param::int("nodes", 1, 1_000_000_000, nodes, "positions a decision may take"),
        Param::int("ms", 0, 3_600_000, "0", ms),
        Ties::PARAM,
        BOOK,
        TABLES,
    ]
}

/// What makes players who prove what they can.
#[derive(Clone)]
pub(super) struct Strong {
    pub(super) knowledge: Knowledge,
    pub(super) own: Budget,
    /// The share of the budget for a proof, and up to how many seeds one is tried.
    proof: f64,
    provable: u32,
    pub(super) ties: Ties,
    telling: Telling,
}

/// What values are told in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Telling {
    /// Final margins.
    Margins,
    /// Winning chances: what is proven is sure.
    Chances,
}

/// What could not be proven: so many seeds ahead give odds of three to one.
const SEEDS_FOR_THREE_TO_ONE: f64 = 4.0;

/// The winning chance that a margin promises which somebody looked ahead for.
pub(super) fn guess(margin: f64) -> f64 {
    1.0 / (1.0 + libm::pow(3.0, -margin / SEEDS_FOR_THREE_TO_ONE))
}

/// The winning chance of a move of which so much is proven. Where its result is not known, the most that it may be worth is
/// no proof of anything, and taken for a guess.
fn chance(known: Interval) -> f64 {
    if known.lower.signum() == known.upper.signum() {
        return 0.5 + 0.5 * f64::from(known.lower.signum());
    }
    guess(f64::from(known.upper))
}

impl Telling {
    /// A thought over what is proven of the moves.
    fn proven(self, moves: &Judgement, choice: House, nodes: u64) -> Thought<House> {
        if self == Telling::Margins {
            return thought(moves, choice, nodes);
        }
        let candidates = moves.iter().map(|&(house, known)| Candidate::valued(house, chance(known)));
        let candidates = candidates.collect();
        Thought { candidates, scale: Scale::Score, win: Some(1.0), nodes, ..Thought::plain(choice) }
    }

    /// A thought over what was looked ahead for.
    fn looked(self, found: &Found<House>, choice: House) -> Thought<House> {
        let mut thought = found.thought(choice, Scale::Margin, 1.0);
        if self == Telling::Chances {
            thought.candidates.iter_mut().for_each(|candidate| candidate.value = guess(candidate.value));
            (thought.scale, thought.win) = (Scale::Score, Some(1.0));
        }
        thought
    }
}

impl Strong {
    /// Reads the parameters `nodes`, `ms`, `ties`, `book` and `tables`.
    pub(super) fn new(
        game: &Kalah,
        params: &Params,
        proof: f64,
        provable: u32,
        telling: Telling,
    ) -> Result<Strong, Error> {
        let knowledge = Knowledge::of(game, params, Tables::Small)?;
        // Before the game: no budget pays for them.
        knowledge.endgame();
        let own = match params.int("ms") {
            0 => Budget::Nodes(params.int("nodes") as u64),
            ms => Budget::Millis(ms as u64),
        };
        Ok(Strong { knowledge, own, proof, provable, ties: Ties::of(params), telling })
    }

    /// What looks ahead where nothing can be proven.
    pub(super) fn search(&self) -> AlphaBeta<State, Outlook> {
        let evaluate = Outlook { endgame: self.knowledge.endgame() };
        AlphaBeta::new(evaluate, DepthUnit::Action, Transpositions::with_entries(1 << TABLE_BITS))
    }
}

/// A share of what may be taken.
pub(super) fn share(limits: Limits<'_>, share: f64) -> Limits<'_> {
    let now = Instant::now();
    let part = |deadline: Instant| now + deadline.saturating_duration_since(now).mul_f64(share);
    let count = if limits.count == u64::MAX { limits.count } else { (limits.count as f64 * share) as u64 };
    Limits { count, deadline: limits.deadline.map(part), ..limits }
}

impl Maker<Kalah> for Strong {
    fn seat(&self, _: Seat, _: Seed) -> Result<Box<dyn Agent<Kalah>>, Fault> {
        Ok(Box::new(Player { strong: self.clone(), search: self.search() }))
    }
}

/// The stores, or where the endgame tables know a position its final margin.
pub(super) struct Outlook {
    endgame: Option<Arc<Endgame>>,
}

impl Evaluate<State> for Outlook {
    fn leaf(&self, state: &State, seat: Seat) -> i32 {
        state.margin(seat)
    }

    fn terminal(&self, state: &State, seat: Seat, _ply: u32) -> i32 {
        state.margin(seat)
    }

    #[inline]
    fn settled(&self, state: &State, seat: Seat, _ply: u32) -> Option<i32> {
        let Actor::Seat(mover) = state.actor() else { return Some(state.margin(seat)) };
        let margin = state.margin(mover) + self.endgame.as_ref()?.worth(state)?;
        Some(if mover == seat { margin } else { -margin })
    }

    /// Extra turns first, then the house nearest the store.
    fn order(&self, state: &State, house: House) -> i32 {
        let Some(house) = house.index() else { return 0 };
        let again = state.seeds(state.mover, house) as usize == state.houses() - house;
        if again { 100 + house as i32 } else { house as i32 }
    }
}

struct Player {
    strong: Strong,
    search: AlphaBeta<State, Outlook>,
}

impl Player {
    /// Every decision starts cold, so that a rebuilt agent decides the same on the same budget.
    fn solver(&self) -> Solver {
        self.strong.knowledge.solver(TABLE_BITS)
    }

    /// The best moves, if its share of the budget is enough to prove them.
    fn proof(&self, view: &State, solver: &mut Solver, limits: Limits<'_>) -> Option<Judgement> {
        solver.judge(view, 0, share(limits, self.strong.proof), &mut |_, _| {}).ok()
    }
}

impl Agent<Kalah> for Player {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, House>) -> Result<Thought<House>, Fault> {
        let limits = Limits::new(Some(thinking.budget.unwrap_or(self.strong.own)), thinking.cancel_flag());
        let Strong { ties, telling, provable, .. } = self.strong;
        let mut solver = None;
        let known = self.strong.knowledge.book(view).or_else(|| {
            let tried = view.in_houses() <= provable;
            tried.then(|| self.proof(view, solver.insert(self.solver()), limits)).flatten()
        });
        let spent = solver.as_ref().map_or(0, Solver::nodes);
        let left = limits.count.saturating_sub(spent);
        if let Some(mut moves) = known {
            let margins: Vec<f64> = moves.iter().map(|(_, known)| f64::from(known.lower)).collect();
            let choice = moves[ties.pick(&margins, &mut thinking.rng)].0;
            if telling == Telling::Chances {
                let solver = solver.get_or_insert_with(|| self.solver());
                solver.results(view, &mut moves, Limits { count: left, ..limits });
            }
            if thinking.cancelled() {
                return Err(Fault::Cancelled);
            }
            return Ok(telling.proven(&moves, choice, solver.as_ref().map_or(0, Solver::nodes)));
        }
        if thinking.cancelled() {
            return Err(Fault::Cancelled);
        }
        self.search.forget();
        // The first depth is always searched through, so some time must be left for what comes after.
        let limits = Limits {
            count: left.max(1),
            deadline: limits.deadline.map(|deadline| deadline - Duration::from_millis(1)),
            ..limits
        };
        let mut report = |found: &Found<House>| {
            thinking.report(&telling.looked(found, found.best().action));
        };
        let found = self.search.search(view, Root::Values, 1..=MAX_DEPTH.min(60), limits, &mut report);
        let found = found.ok_or(Fault::Cancelled)?;
        let values: Vec<f64> = found.actions.iter().map(|scored| f64::from(scored.value)).collect();
        let chosen = found.actions[ties.pick(&values, &mut thinking.rng)].action;
        let thought = telling.looked(&found, chosen);
        Ok(Thought { nodes: thought.nodes + spent, ..thought })
    }
}
