//! `perfect`: never gives away a seed, by exact solving.

use super::knowledge::{BOOK, Knowledge, TABLES, Tables, thought};
use crate::solve::{Judgement, Solver};
use crate::{House, Kalah, State};
use ranka_core::{
    Agent, AgentKind, Fault, Graph, Maker, Param, Position, Seat, Seed, Thinking, Thought, Ties,
};
use ranka_search::Limits;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Once the best moves are known, so many positions are searched to tell what the others are worth.
const REFINE: u64 = 200_000;

pub(super) fn kind() -> AgentKind<Kalah> {
    AgentKind {
        name: "perfect",
        version: 3,
        summary: "Plays perfectly: the standard board from a book, tables and search; it knows no budget, and larger boards take long.",
        params: vec![
            Param::choice(
                "aim",
                &["margin", "result"],
                "the largest final margin, or any move that keeps the best result",
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
}

impl Maker<Kalah> for Perfect {
    fn seat(&self, _: Seat, _: Seed) -> Result<Box<dyn Agent<Kalah>>, Fault> {
        Ok(Box::new(Player { solver: self.solver(), perfect: self.clone() }))
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
    solver: Solver,
}

impl Agent<Kalah> for Player {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, House>) -> Result<Thought<House>, Fault> {
        let before = self.solver.nodes();
        let (perfect, solver) = (&self.perfect, &mut self.solver);
        let moves = match perfect.knowledge.book(view) {
            Some(moves) => moves,
            None => {
                let limits = Limits { cancel: thinking.cancel_flag(), ..Limits::NONE };
                let mut report = |moves: &Judgement, nodes: u64| {
                    // Until it is proven, the move with the most hope.
                    if let Some((house, _)) = moves.iter().max_by_key(|(_, known)| (known.lower, known.upper))
                    {
                        thinking.report(&thought(moves, *house, nodes));
                    }
                };
                solver.judge(view, REFINE, limits, &mut report).map_err(|_| Fault::Cancelled)?
            }
        };
        let chosen = perfect.ties.pick(&perfect.wishes(&moves), &mut thinking.rng);
        Ok(thought(&moves, moves[chosen].0, self.solver.nodes() - before))
    }
}
