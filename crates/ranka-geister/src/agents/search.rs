//! Alpha-beta in a game of thought, as several agents use it.

use super::player::{Considered, TIES, choose, depths, limits, thought};
use crate::action::Action;
use crate::duel::{Duel, Ghosts, LeafEvaluation, PurpleEvaluation};
use crate::view::View;
use ranka_core::{Fault, Param, Params, Thinking, Thought, Ties};
use ranka_search::{AlphaBeta, DepthUnit, Root, Transpositions};

/// Positions that a table holds: small enough to be emptied for every decision.
pub(super) const TABLE: usize = 1 << 13;

pub(super) const STATIC_EXIT: Param =
    Param::switch("static-exit", true, "a blue ghost on an exit that nobody can reach in time has won");

/// How to search.
#[derive(Clone, Copy)]
pub(super) struct Options {
    depth: u32,
    evaluation: PurpleEvaluation,
    ties: Ties,
    explain: bool,
}

impl Options {
    pub(super) fn params(depth: &'static str) -> Vec<Param> {
        vec![
            Param::int("depth", 1, 20, depth, "plies to look ahead"),
            STATIC_EXIT,
            TIES,
            Param::switch("explain", false, "the exact value of every step, for analysis (slower)"),
        ]
    }

    pub(super) fn read(params: &Params) -> Options {
        Options {
            depth: params.int("depth") as u32,
            evaluation: PurpleEvaluation {
                leaf: LeafEvaluation::BluesAndDistance,
                static_exit: params.on("static-exit"),
            },
            ties: Ties::of(params),
            explain: params.on("explain"),
        }
    }
}

/// A searcher for one kind of enemy.
pub(super) struct Search<E: Ghosts> {
    alphabeta: AlphaBeta<Duel<E>, PurpleEvaluation>,
    options: Options,
}

impl<E: Ghosts> Search<E> {
    pub(super) fn new(options: Options) -> Search<E> {
        let table = Transpositions::with_entries(TABLE);
        let mut alphabeta = AlphaBeta::new(options.evaluation, DepthUnit::Action, table);
        alphabeta.lines = options.explain;
        Search { alphabeta, options }
    }

    /// The best step in the position of thought that stands for `view`.
    pub(super) fn best(
        &mut self,
        view: &View,
        duel: &Duel<E>,
        thinking: &mut Thinking<'_, Action>,
    ) -> Result<Thought<Action>, Fault> {
        let Options { depth, ties, explain, .. } = self.options;
        let goal = if explain || ties != Ties::First { Root::Values } else { Root::Best };
        self.alphabeta.forget();
        let (depths, limits) = (depths(depth, thinking), limits(thinking));
        let found = self.alphabeta.search(duel, goal, depths, limits, &mut |_| ());
        let found = found.ok_or(Fault::Cancelled)?;
        let values: Vec<i32> = found.actions.iter().map(|scored| scored.value).collect();
        let choice = choose(ties, &values, thinking);
        let considered: Vec<Considered> = (found.actions.into_iter())
            .map(|scored| Considered { hop: scored.action, value: scored.value, line: scored.line })
            .collect();
        Ok(thought(view, &considered, choice, found.nodes, found.depth))
    }
}
