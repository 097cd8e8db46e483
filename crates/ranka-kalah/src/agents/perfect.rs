//! `perfect`: never gives away a seed, by exact solving.

use super::deep;
use super::knowledge::{BOOK, Knowledge, thought};
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

/// A position that takes more than so many, a fifth of a second, is worth building tables for.
const HARD: u64 = 1_000_000;

pub(super) fn kind() -> AgentKind<Kalah> {
    AgentKind {
        name: "perfect",
        version: 2,
        summary: "Plays perfectly: the standard board from a book, tables and search; it knows no budget, and larger boards take long.",
        params: vec![
            Param::choice(
                "aim",
                &["margin", "result"],
                "the largest final margin, or any move that keeps the best result",
            ),
            Ties::PARAM,
            BOOK,
        ],
        build: |game, params| {
            let knowledge = Knowledge::of(game, params)?;
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

impl Player {
    /// Finds the best moves. What is hard is gone on with by deeper tables as soon as they are there.
    fn judge(&mut self, view: &State, thinking: &mut Thinking<'_, House>) -> Result<Judgement, Fault> {
        let game = *self.perfect.knowledge.game();
        let begun = self.solver.nodes();
        let (mut best_known, mut tried) = (Judgement::new(), 0);
        loop {
            let deep = deep::ready(&game);
            let count = if deep.is_some() { u64::MAX } else { tried + HARD };
            deep.into_iter().for_each(|table| self.solver.deepen(table));
            let spent = self.solver.nodes() - begun;
            let limits = Limits { count, cancel: thinking.cancel_flag(), ..Limits::NONE };
            let mut report = |moves: &Judgement, nodes: u64| {
                // A search that begins anew knows at first less than was told before.
                if best_known.is_empty() {
                    best_known.clone_from(moves);
                }
                for ((_, known), (_, found)) in best_known.iter_mut().zip(moves) {
                    known.lower = known.lower.max(found.lower);
                    known.upper = known.upper.min(found.upper);
                }
                // Until it is proven, the move with the most hope.
                let hope = best_known.iter().max_by_key(|(_, known)| (known.lower, known.upper));
                if let Some(&(house, _)) = hope {
                    thinking.report(&thought(&best_known, house, spent + nodes));
                }
            };
            match self.solver.judge(view, REFINE, limits, &mut report) {
                Ok(moves) => return Ok(moves),
                Err(_) if thinking.cancelled() => return Err(Fault::Cancelled),
                Err(_) => deep::wanted(&game),
            }
            tried = count;
        }
    }
}

impl Agent<Kalah> for Player {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, House>) -> Result<Thought<House>, Fault> {
        let before = self.solver.nodes();
        let moves = match self.perfect.knowledge.book(view) {
            Some(moves) => moves,
            None => self.judge(view, thinking)?,
        };
        let perfect = &self.perfect;
        let chosen = perfect.ties.pick(&perfect.wishes(&moves), &mut thinking.rng);
        Ok(thought(&moves, moves[chosen].0, self.solver.nodes() - before))
    }
}
