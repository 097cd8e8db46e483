//! `perfect`: never gives away a seed, by exact solving.

use super::knowledge::{BOOK, Knowledge, TABLES, Tables, thought};
use crate::solve::{Interval, Judgement, Solver};
use crate::{House, Kalah, State};
use ranka_core::{
    Actor, Agent, AgentKind, Fault, Graph, Maker, Param, Position, Seat, Seed, Thinking, Thought, Ties,
};
use ranka_search::Limits;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Once the best moves are known, so many positions are searched to tell what the others are worth.
const REFINE: u64 = 200_000;

/// The most seeds of positions that are solved on one thread. What the book leaves to be solved in games of a perfect
/// player on the standard board has no more; beyond, one second of one thread may be too short.
const ALONE: u32 = 37;

pub(super) fn kind() -> AgentKind<Kalah> {
    AgentKind {
        name: "perfect",
        version: 4,
        summary: "Plays perfectly: the standard board from a book, tables and search; it knows no budget, and larger boards take long.",
        params: vec![
            Param::choice(
                "aim",
                &["margin", "result"],
                "the largest final margin, or any move that is known to keep the best result",
            ),
            Ties::PARAM,
            BOOK,
            TABLES,
        ],
        build: |game, params| {
            let knowledge = Knowledge::of(game, params, Tables::Large)?;
            let table_bits = (game.houses as u32 * game.seeds).clamp(10, 22);
            let by_result = params.text("aim") == "result";
            Ok(Arc::new(Perfect { knowledge, table_bits, by_result, ties: Ties::of(params) }))
        },
    }
}

#[derive(Clone)]
struct Perfect {
    knowledge: Knowledge,
    table_bits: u32,
    by_result: bool,
    ties: Ties,
}

impl Perfect {
    fn solver(&self) -> Solver {
        self.knowledge.solver(self.table_bits)
    }

    fn wish(&self, margin: i32) -> f64 {
        f64::from(if self.by_result { margin.signum() } else { margin })
    }

    /// How much each move is wanted. What a move is worth at least counts: the best are exact.
    fn wishes(&self, moves: &Judgement) -> Vec<f64> {
        moves.iter().map(|(_, known)| self.wish(known.lower)).collect()
    }

    /// Keeps of the moves that are not best only that they are worse. What else several threads find out of them differs
    /// from run to run, and must not change what is played.
    fn forget_the_rest(&self, moves: &mut Judgement, view: &State) {
        let Actor::Seat(mover) = view.actor() else { return };
        let best = moves.iter().map(|(_, known)| known.lower).max().unwrap_or(0);
        let least = view.margin(mover) - view.in_houses() as i32;
        for (_, known) in moves.iter_mut().filter(|(_, known)| known.upper < best) {
            *known = Interval { lower: least, upper: best - self.knowledge.step() };
        }
    }
}

impl Maker<Kalah> for Perfect {
    fn seat(&self, _: Seat, _: Seed) -> Result<Box<dyn Agent<Kalah>>, Fault> {
        // In a game that is before the first move is waited for.
        self.knowledge.endgame();
        Ok(Box::new(Player { perfect: self.clone(), alone: None, together: None }))
    }

    fn policy(&self, graph: &Graph<State>) -> Option<Vec<f64>> {
        let mut solver = self.solver();
        let mut policy = Vec::with_capacity(graph.edge_count());
        for node in (0..graph.len()).filter(|&node| !graph.position(node).actor().is_over()) {
            let moves = solver.moves(graph.position(node), &AtomicBool::new(false)).ok()?;
            let wishes: Vec<f64> = moves.iter().map(|&(_, margin)| self.wish(margin)).collect();
            self.ties.spread(&wishes, &mut policy);
        }
        Some(policy)
    }
}

struct Player {
    perfect: Perfect,
    /// For positions of few seeds, and for the others. What one has learned would change the effort of the other.
    alone: Option<Solver>,
    together: Option<Solver>,
}

impl Player {
    /// The best moves by proof, and how many positions that took on one thread.
    fn proof(&mut self, view: &State, thinking: &mut Thinking<'_, House>) -> Result<(Judgement, u64), Fault> {
        let limits = Limits { cancel: thinking.cancel_flag(), ..Limits::NONE };
        let mut report = |moves: &Judgement, nodes: u64| {
            // Until it is proven, the move with the most hope.
            if let Some((house, _)) = moves.iter().max_by_key(|(_, known)| (known.lower, known.upper)) {
                thinking.report(&thought(moves, *house, nodes));
            }
        };
        let perfect = &self.perfect;
        let few = view.in_houses() <= ALONE;
        let solver = if few {
            self.alone.get_or_insert_with(|| perfect.solver())
        } else {
            self.together.get_or_insert_with(|| perfect.solver().on(threads()))
        };
        let before = solver.nodes();
        let refine = if few { REFINE } else { 0 };
        let mut moves = solver.judge(view, refine, limits, &mut report).map_err(|_| Fault::Cancelled)?;
        if !few {
            self.perfect.forget_the_rest(&mut moves, view);
        }
        // How many positions several threads search differs from run to run, and what an agent tells must not.
        Ok((moves, if few { solver.nodes() - before } else { 0 }))
    }
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Agent<Kalah> for Player {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, House>) -> Result<Thought<House>, Fault> {
        let (moves, nodes) = match self.perfect.knowledge.book(view) {
            Some(moves) => (moves, 0),
            None => self.proof(view, thinking)?,
        };
        let chosen = self.perfect.ties.pick(&self.perfect.wishes(&moves), &mut thinking.rng);
        Ok(thought(&moves, moves[chosen].0, nodes))
    }
}
