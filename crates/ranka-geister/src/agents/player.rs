//! What all agents share: the set-up, escapes at once, and a look for a forced win if wanted.

use super::forced_win::ForcedWin;
use crate::action::Action;
use crate::duel::{Hop, WIN};
use crate::rules::Geister;
use crate::setup::SetUp;
use crate::view::View;
use ranka_core::{
    Agent, Budget, Candidate, Error, Fault, Param, Params, Thinking, Thought, Ties, Told, View as _,
};
use ranka_search::Limits;
use std::ops::RangeInclusive;
use std::time::Instant;

/// How an agent moves when the set-up is done and it cannot just walk out.
pub(super) trait Mover: Send {
    fn choose(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault>;

    fn told(&mut self, _event: &Told<'_, Geister>) {}
}

/// The parameters that all agents have.
#[derive(Clone, Copy)]
pub(super) struct Common {
    set_up: Option<SetUp>,
    dfpn: u32,
    dfpn_nodes: u64,
}

impl Common {
    /// Their declarations, after the agent's own; `dfpn` is the default depth of the look for a forced win.
    pub(super) fn params(own: Vec<Param>, dfpn: &'static str) -> Vec<Param> {
        let common = [
            Param::text("setup", "random", "the four red ghosts, such as ABCD; or random"),
            Param::int("dfpn", 0, 60, dfpn, "first look for a forced win within so many plies (0: do not)"),
            Param::int("dfpn-nodes", 1, 100_000_000, "5000", "give that up after so many positions"),
        ];
        own.into_iter().chain(common).collect()
    }

    pub(super) fn read(params: &Params) -> Result<Common, Error> {
        let set_up = match params.text("setup") {
            "random" => None,
            letters => Some(SetUp::of(letters).map_err(|why| {
                Error::input(format!("setup={letters}: {why}; expected random or letters such as ABCD"))
            })?),
        };
        let (dfpn, dfpn_nodes) = (params.int("dfpn") as u32, params.int("dfpn-nodes") as u64);
        Ok(Common { set_up, dfpn, dfpn_nodes })
    }
}

/// A seated agent.
pub(super) struct Player<M> {
    set_up: Option<SetUp>,
    forced: Option<ForcedWin>,
    mover: M,
}

impl<M> Player<M> {
    pub(super) fn new(common: Common, mover: M) -> Player<M> {
        let forced = (common.dfpn > 0).then(|| ForcedWin::new(common.dfpn, common.dfpn_nodes));
        Player { set_up: common.set_up, forced, mover }
    }
}

impl<M: Mover> Agent<Geister> for Player<M> {
    fn think(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let choices = choices(view);
        if let Action::SetUp(_) = choices[0] {
            let random = || thinking.rng.pick(&choices);
            return Ok(Thought::plain(self.set_up.map_or_else(random, Action::SetUp)));
        }
        if let Some(&escape) = choices.iter().find(|action| matches!(action, Action::Escape { .. })) {
            return Ok(Thought::plain(escape));
        }
        let Some(forced) = &mut self.forced else { return self.mover.choose(view, thinking) };
        let begun = Instant::now();
        let (win, looked) = forced.look(view, thinking)?;
        if let Some(thought) = win {
            return Ok(thought);
        }
        // The look and the choice share the budget; a choice must be made even if nothing is left.
        thinking.budget = thinking.budget.map(|budget| match budget {
            Budget::Nodes(nodes) => Budget::Nodes(nodes.saturating_sub(looked).max(1)),
            Budget::Millis(ms) => {
                Budget::Millis(ms.saturating_sub(begun.elapsed().as_millis() as u64).max(1))
            }
            playouts => playouts,
        });
        let mut thought = self.mover.choose(view, thinking)?;
        thought.nodes += looked;
        Ok(thought)
    }

    fn told(&mut self, event: &Told<'_, Geister>) {
        self.mover.told(event);
    }
}

/// The legal actions of the seat to act, of which there is always one.
pub(super) fn choices(view: &View) -> Vec<Action> {
    let mut choices = Vec::with_capacity(70);
    view.choices(&mut choices);
    choices
}

/// Which of several best steps is played.
pub(super) const TIES: Param =
    Ties::first("which of equally good steps, in the order by square from the own far left, then N, E, S, W");

/// The place of the chosen one among values in the order of generation.
pub(super) fn choose(ties: Ties, values: &[i32], thinking: &mut Thinking<'_, Action>) -> usize {
    let values: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
    ties.pick(&values, &mut thinking.rng)
}

/// The deepest that a search with a budget tries to get.
const DEEPEST: u32 = 60;

/// How deep to search: as the parameter says, or under a budget as deep as it allows.
pub(super) fn depths(depth: u32, thinking: &Thinking<'_, Action>) -> RangeInclusive<u32> {
    if thinking.budget.is_some() { 1..=DEEPEST } else { depth..=depth }
}

/// The limits that the circumstances set.
pub(super) fn limits<'a>(thinking: &Thinking<'a, Action>) -> Limits<'a> {
    Limits::new(thinking.budget, thinking.cancel_flag())
}

/// A step that was considered: its value and how it goes on.
pub(super) struct Considered {
    pub(super) hop: Hop,
    pub(super) value: i32,
    pub(super) line: Vec<Hop>,
}

/// The answer: the considered step at `choice`, with all of them as candidates.
pub(super) fn thought(
    view: &View,
    considered: &[Considered],
    choice: usize,
    nodes: u64,
    depth: u32,
) -> Thought<Action> {
    let action = |hop: Hop| hop.on_board(view.seat);
    let mut candidates: Vec<Candidate<Action>> = considered
        .iter()
        .map(|step| Candidate {
            pv: step.line.iter().map(|&hop| action(hop)).collect(),
            ..Candidate::valued(action(step.hop), f64::from(step.value))
        })
        .collect();
    // The order of generation is that of the own side; candidates are told in the board's.
    let canonical = choices(view);
    candidates.sort_by_key(|candidate| canonical.iter().position(|&action| action == candidate.action));
    let win = Some(f64::from(WIN));
    Thought { candidates, win, nodes, depth, ..Thought::plain(action(considered[choice].hop)) }
}
