//! `perfect`: never gives away a seed, by exact solving.

use crate::solve::Solver;
use crate::{Endgame, House, Kalah, State};
use ranka_core::{
    Agent, AgentKind, Candidate, Fault, Graph, Maker, Param, Position, Scale, Seat, Seed, Thinking, Thought,
    Ties,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Endgame tables of up to this many boards are built when the agent is prepared.
const ENDGAME_BOARDS: u64 = 3_000_000;

pub(super) fn kind() -> AgentKind<Kalah> {
    AgentKind {
        name: "perfect",
        version: 1,
        summary: "Plays perfectly, and takes the time it needs: it knows no budget, and large boards take long.",
        params: vec![
            Param::choice(
                "aim",
                &["margin", "result"],
                "the largest final margin, or any move that keeps the best result",
            ),
            Ties::PARAM,
        ],
        build: |game, params| {
            let total = 2 * game.houses as u32 * game.seeds;
            // Small boards are solved in no time as they are.
            let seeds = Endgame::affordable(game.houses, ENDGAME_BOARDS).min(total / 4);
            let endgame = (seeds > 4).then(|| Arc::new(Endgame::build(game, seeds)));
            let table_bits = (total / 2).clamp(10, 22);
            Solver::new(game, endgame.clone(), 0)?; // refuses rules that cannot be solved
            let by_result = params.text("aim") == "result";
            Ok(Arc::new(Perfect { game: *game, endgame, table_bits, by_result, ties: Ties::of(params) }))
        },
    }
}

#[derive(Clone)]
struct Perfect {
    game: Kalah,
    endgame: Option<Arc<Endgame>>,
    table_bits: u32,
    by_result: bool,
    ties: Ties,
}

impl Perfect {
    fn solver(&self) -> Solver {
        Solver::new(&self.game, self.endgame.clone(), self.table_bits).expect("the rules were checked before")
    }

    fn wishes(&self, moves: &[(House, i32)]) -> Vec<f64> {
        let wish = |margin: i32| if self.by_result { margin.signum() } else { margin };
        moves.iter().map(|&(_, margin)| f64::from(wish(margin))).collect()
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
            self.ties.spread(&self.wishes(&moves), &mut policy);
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
        let moves = self.solver.moves(view, thinking.cancel_flag()).map_err(|_| Fault::Cancelled)?;
        let chosen = self.perfect.ties.pick(&self.perfect.wishes(&moves), &mut thinking.rng);
        let candidates = moves.iter().map(|&(house, margin)| Candidate::valued(house, f64::from(margin)));
        Ok(Thought {
            candidates: candidates.collect(),
            scale: Scale::Margin,
            nodes: self.solver.nodes() - before,
            ..Thought::plain(moves[chosen].0)
        })
    }
}
