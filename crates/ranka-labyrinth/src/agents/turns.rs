//! Agents that decide push and move together, although the game asks for one after the other.

use super::alone::{Scene, Setting, Turn};
use crate::action::{Action, Push};
use crate::rules::Labyrinth;
use crate::state::Phase;
use crate::view::View;
use ranka_core::{Agent, Budget, Candidate, Fault, Rng, Seat, Seed, Thinking, Thought, Told};
use std::time::{Duration, Instant};

/// Plans the rest of a turn and what may come after it.
pub(super) trait Planner: Send {
    /// A plan for the seat of `view`, which is to push, or has pushed and is to move. All chance comes from `rng`, so
    /// that the same is planned again when it is asked again.
    fn plan(&mut self, view: &View, effort: &Effort<'_>, rng: Rng) -> Result<Plan, Fault>;
}

/// What was planned.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    /// This turn and maybe more.
    pub(super) turns: Vec<Turn>,
    /// What the planner makes of it; nothing if it chose blindly.
    pub(super) value: Option<i32>,
    /// What it makes of each push that it looked at, in standard order; empty if it does not compare.
    pub(super) pushes: Vec<(Push, i32)>,
    /// Positions expanded.
    pub(super) nodes: u64,
}

/// How much a planner may do.
pub(super) struct Effort<'a> {
    /// What the match allows, if it says so.
    expansions: Option<u64>,
    deadline: Option<Instant>,
    cancelled: &'a dyn Fn() -> bool,
}

impl<'a> Effort<'a> {
    fn new(budget: Option<Budget>, cancelled: &'a dyn Fn() -> bool) -> Effort<'a> {
        let (expansions, ms) = match budget {
            None => (None, None),
            Some(Budget::Nodes(n) | Budget::Playouts(n)) => (Some(n), None),
            Some(Budget::Millis(ms)) => (Some(u64::MAX), Some(ms)),
        };
        let deadline = ms.and_then(|ms| Instant::now().checked_add(Duration::from_millis(ms)));
        Effort { expansions, deadline, cancelled }
    }

    /// The most expansions: the match's, or else the agent's own.
    pub(super) fn expansions(&self, own: u64) -> u64 {
        self.expansions.unwrap_or(own)
    }

    /// When to stop: the match's deadline or, if the match says nothing, after the agent's own time, if it has one.
    pub(super) fn deadline(&self, own_ms: Option<u64>) -> Option<Instant> {
        let own = || own_ms.filter(|_| self.expansions.is_none()).map(Duration::from_millis);
        self.deadline.or_else(|| Instant::now().checked_add(own()?))
    }

    /// An error when nobody waits for the answer any more.
    pub(super) fn go_on(&self) -> Result<(), Fault> {
        if (self.cancelled)() { Err(Fault::Cancelled) } else { Ok(()) }
    }
}

/// A planner at a seat.
///
/// The plan made before the push tells the move after it. It is kept, but the same plan is made again, from what
/// the agent was told and the chance of that turn, when somebody else has taken this one's place.
pub(super) struct Turns<P> {
    planner: P,
    seat: Seat,
    seed: Seed,
    /// How many own pushes there were so far: each turn has its own chance.
    pushes: u64,
    /// What was seen before the push of this turn.
    before: Option<View>,
    kept: Option<(View, Plan)>,
}

impl<P: Planner> Turns<P> {
    pub(super) fn new(planner: P, seat: Seat, seed: Seed) -> Turns<P> {
        Turns { planner, seat, seed: seed.child("turn"), pushes: 0, before: None, kept: None }
    }

    /// The move that was planned together with the push that led to `view`, if it was planned.
    fn rest(&mut self, view: &View, effort: &Effort<'_>) -> Result<Option<Plan>, Fault> {
        let Some(before) = self.before else { return Ok(None) };
        let plan = match self.kept.take() {
            Some((at, plan)) if at == before => plan,
            _ => self.planner.plan(&before, effort, Rng::new(self.seed.at(self.pushes - 1)))?,
        };
        let push = plan.turns[0].push;
        let as_planned = push.is_some_and(|push| leads_to(&before, push, view));
        Ok(as_planned.then_some(plan))
    }
}

fn leads_to(before: &View, push: Push, after: &View) -> bool {
    let mut board = *before.shown().board();
    board.push(push.entry, push.rotation);
    board == *after.shown().board()
}

impl<P: Planner> Agent<Labyrinth> for Turns<P> {
    fn think(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let cancelled = || thinking.cancelled();
        let effort = Effort::new(thinking.budget, &cancelled);
        if view.shown().phase() == Phase::Push {
            let plan = self.planner.plan(view, &effort, Rng::new(self.seed.at(self.pushes)))?;
            let thought = push_thought(&plan);
            self.kept = Some((*view, plan));
            return Ok(thought);
        }
        let plan = match self.rest(view, &effort)? {
            Some(plan) => plan,
            None => self.planner.plan(view, &effort, Rng::new(self.seed.at(self.pushes)))?,
        };
        Ok(move_thought(&plan))
    }

    fn told(&mut self, event: &Told<'_, Labyrinth>) {
        self.before = None;
        if event.by == Some(self.seat) && matches!(event.action, Some(Action::Push(_))) {
            self.before = Some(*event.before);
            self.pushes += 1;
        }
    }
}

/// The actions of a plan.
fn actions(turns: &[Turn]) -> impl Iterator<Item = Action> {
    turns.iter().flat_map(|turn| turn.push.map(Action::Push).into_iter().chain([Action::Move(turn.cell)]))
}

fn push_thought(plan: &Plan) -> Thought<Action> {
    let pv: Vec<Action> = actions(&plan.turns).collect();
    let choice = pv[0];
    let mut candidates: Vec<Candidate<Action>> = plan
        .pushes
        .iter()
        .map(|&(push, value)| Candidate::valued(Action::Push(push), f64::from(value)))
        .collect();
    match (candidates.iter_mut().find(|candidate| candidate.action == choice), plan.value) {
        (Some(candidate), _) => candidate.pv = pv,
        (None, Some(value)) => {
            candidates = vec![Candidate { pv, ..Candidate::valued(choice, f64::from(value)) }];
        }
        (None, None) => candidates.clear(),
    }
    Thought { candidates, nodes: plan.nodes, depth: 2 * plan.turns.len() as u32, ..Thought::plain(choice) }
}

fn move_thought(plan: &Plan) -> Thought<Action> {
    let pv: Vec<Action> =
        actions(&plan.turns).skip_while(|action| matches!(action, Action::Push(_))).collect();
    let choice = pv[0];
    let depth = pv.len() as u32;
    let candidate = |value| Candidate { pv, ..Candidate::valued(choice, f64::from(value)) };
    let candidates = plan.value.map(candidate).into_iter().collect();
    Thought { candidates, nodes: plan.nodes, depth, ..Thought::plain(choice) }
}

/// Spells the plan's straights with the rotations 0 and 1 only, as the game lists them.
pub(super) fn spelled(setting: &Setting, root: &Scene, turns: &mut [Turn]) {
    let mut scene = *root;
    for turn in turns {
        let shape = scene.extra_shape(setting);
        let next = scene.played(setting, *turn);
        if let Some(push) = &mut turn.push {
            push.rotation %= shape.rotations();
        }
        scene = next;
    }
}
