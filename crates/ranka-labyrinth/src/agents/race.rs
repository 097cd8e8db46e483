//! `race`: counts turns. What it makes of a turn is how many turns it is ahead of whoever needs the fewest of the others,
//! so all its pushes and moves can be compared, and one knows how the game stands.

use super::alone::{Entries, Scene, Setting, scene};
use super::criteria::{Outlook, Static};
use crate::action::Action;
use crate::state::Phase;
use crate::{Labyrinth, View};
use ranka_core::{
    Agent, AgentKind, Budget, Candidate, Fault, Param, Position as _, Scale, Seat, Seed, Thinking, Thought,
    View as _,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Turns that a card takes, by and large: what the criteria of the thesis need.
const A_CARD: f64 = 2.5;
/// Turns until the target if it can be reached in the next, which the others may prevent.
const NEXT: f64 = 1.2;
/// Turns until the target if it cannot, and more for each step that it is away or if its tile is shut.
const LATER: f64 = 1.8;
const A_STEP: f64 = 0.12;

pub(super) fn kind() -> AgentKind<Labyrinth> {
    AgentKind {
        name: "race",
        version: 1,
        summary: "Compares every push and move by the turns that it is ahead of the others.",
        params: vec![Param::int(
            "ahead",
            0,
            100_000,
            "12",
            "positions from which it looks whether the target is reached in the next turn",
        )],
        build: |_, params| {
            let ahead = params.int("ahead") as u64;
            Ok(Arc::new(move |_: Seat, _: Seed| Race { ahead }))
        },
    }
}

struct Race {
    ahead: u64,
}

/// A turn that was looked at.
struct Ended {
    action: Action,
    scene: Scene,
    /// Turns until the target is reached.
    turns: f64,
}

/// All turns of the seat to move; the action is the push, or the move if that is what is left.
fn turns(setting: &Setting, root: &Scene) -> Vec<Ended> {
    let mut ended = Vec::new();
    for pushed in root.pushes(setting, Entries::Legal, false) {
        let outlook = Outlook::new::<Static>(setting, &pushed, None);
        for &cell in pushed.walk(setting.seat).iter() {
            let at = outlook.at(cell);
            let turns = match at.arrived {
                true => 0.0,
                false => LATER + A_STEP * f64::from(at.d + 2 * at.w),
            };
            let action = pushed.push.map_or(Action::Move(cell), Action::Push);
            ended.push(Ended { action, scene: root.after(setting, &pushed, cell), turns });
        }
    }
    ended
}

impl Agent<Labyrinth> for Race {
    fn think(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let begun = Instant::now();
        let (setting, root) = scene(view);
        let mut ended = turns(&setting, &root);
        // The nearest first; equally near ones stay in standard order.
        ended.sort_by(|one, two| one.turns.total_cmp(&two.turns));
        let (ahead, until) = match thinking.budget {
            None => (self.ahead, None),
            Some(Budget::Nodes(n) | Budget::Playouts(n)) => (n.saturating_sub(1), None),
            Some(Budget::Millis(ms)) => (u64::MAX, begun.checked_add(Duration::from_millis(ms))),
        };
        let mut nodes = 1;
        for end in ended.iter_mut().filter(|end| end.turns > 0.0) {
            if thinking.cancelled() {
                return Err(Fault::Cancelled);
            }
            if nodes > ahead || until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
            nodes += 1;
            let mut next = end.scene.pushes(&setting, Entries::Legal, false);
            let reached = next.any(|p| p.target.is_some_and(|cell| p.reach(setting.seat) & cell.bit() != 0));
            if reached {
                end.turns = NEXT;
            }
        }
        let lead = |turns: f64| lead(view) - turns;
        let mut choices = Vec::new();
        view.choices(&mut choices);
        let best = |&action: &Action| {
            let turns = ended.iter().filter(|end| end.action == action).map(|end| end.turns);
            Some(Candidate::valued(action, lead(turns.reduce(f64::min)?)))
        };
        let candidates: Vec<Candidate<Action>> = choices.iter().filter_map(best).collect();
        let chosen = candidates.iter().reduce(|best, next| if next.value > best.value { next } else { best });
        let choice = chosen.map_or(choices[0], |candidate| candidate.action);
        let depth = if view.shown().phase() == Phase::Push { 2 } else { 1 };
        Ok(Thought { candidates, scale: Scale::Own, nodes, depth, ..Thought::plain(choice) })
    }
}

/// How many turns the others need for all that they have to find, less what remains to find here after the present card.
fn lead(view: &View) -> f64 {
    let state = view.shown();
    let left = |seat: Seat| state.cards().pile(seat).len() as f64;
    let others = Seat::all(state.seats()).filter(|&seat| seat != view.seat());
    let nearest = others.map(left).fold(f64::INFINITY, f64::min);
    // With an empty pile only the way home is left.
    A_CARD * (nearest + 1.0) - A_CARD * left(view.seat())
}
