//! `champion`: looks at every turn, at what the others may push after it, and at the own turn after that. What counts is
//! who will win the race: how likely one finds something next, and how likely the others do before.

mod beliefs;
mod ground;
mod outlook;
mod standing;
mod table;
#[cfg(test)]
mod tests;

use crate::action::Action;
use crate::rules::Labyrinth;
use crate::view::View;
use beliefs::Beliefs;
use outlook::{Outlook, RIVALS};
use ranka_core::{
    Agent, AgentKind, Budget, Candidate, Fault, Param, Scale, Seat, Seed, Thinking, Thought, Told, View as _,
};
use ranka_search::agents::effort;
use standing::{Clock, Pace, Standing};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use table::Table;

/// A good player's turns, by and large. With it the chances agree with how the thesis's players score among each other.
static CLOCK: LazyLock<Clock> = LazyLock::new(|| Clock::new(Pace { fresh: 0.6, ready: 0.75 }));
/// Ways to go on that each push is given before the worse half of the pushes is left alone.
const ROUND: usize = 6;
/// As many pushes are never left alone.
const FEW: usize = 6;

pub(super) fn kind() -> AgentKind<Labyrinth> {
    AgentKind {
        name: "champion",
        version: 3,
        summary: "Weighs its chance to find something in the next turn, whatever the others push, against theirs: who \
                  will win the race?",
        params: vec![
            Param::int(
                "playouts",
                1,
                100_000_000,
                "4000",
                "ways in which the others may go on that are looked at for each decision",
            ),
            Param::int("ms", 0, 3_600_000, "0", "milliseconds for each decision instead; 0: count playouts"),
        ],
        build: |_, params| {
            let effort = effort(params);
            Ok(Arc::new(move |_: Seat, _: Seed| Champion { effort, beliefs: Beliefs::new() }))
        },
    }
}

struct Champion {
    effort: Budget,
    beliefs: Beliefs,
}

/// What a decision may still take.
struct Allowed {
    left: u64,
    until: Option<Instant>,
}

impl Allowed {
    fn new(budget: Budget) -> Allowed {
        match budget {
            Budget::Nodes(n) | Budget::Playouts(n) => Allowed { left: n, until: None },
            Budget::Millis(ms) => {
                Allowed { left: u64::MAX, until: Instant::now().checked_add(Duration::from_millis(ms)) }
            }
        }
    }

    /// Takes one more, if it may.
    fn take(&mut self) -> bool {
        if self.left == 0 || self.until.is_some_and(|until| Instant::now() >= until) {
            return false;
        }
        self.left -= 1;
        true
    }
}

/// How it stands after a turn that finds nothing, and after one that does.
fn standings(table: &Table) -> [Standing; 2] {
    let mut lefts = [0; RIVALS];
    for (left, rival) in lefts.iter_mut().zip(table.rivals()) {
        *left = rival.left;
    }
    let lefts = &lefts[..table.rivals().len()];
    [table.left, table.left - 1].map(|own| Standing::new(&CLOCK, own, lefts, table.rounds))
}

/// Looks at what may follow, most at what looks best; answers how many ways to go on were looked at.
fn search(
    outlook: &mut Outlook,
    mut allowed: Allowed,
    thinking: &mut Thinking<'_, Action>,
) -> Result<u64, Fault> {
    let mut order: Vec<usize> = (0..outlook.lines()).collect();
    let mut best = vec![0.0; order.len()];
    let mut kept = order.len();
    let mut looked = 0;
    loop {
        let before = looked;
        for &line in &order[..kept] {
            for _ in 0..ROUND {
                if thinking.cancelled() {
                    return Err(Fault::Cancelled);
                }
                if outlook.is_done(line) {
                    break;
                }
                if !allowed.take() {
                    return Ok(looked);
                }
                outlook.look(line, &mut thinking.rng);
                looked += 1;
            }
        }
        let all = kept == order.len();
        if looked == before && all {
            return Ok(looked);
        }
        for (line, best) in best.iter_mut().enumerate() {
            *best = outlook.best(line).1;
        }
        order.sort_by(|&one, &two| best[two].total_cmp(&best[one]));
        // When nothing more can be learned of the best, the others have their turn.
        kept = if looked == before { order.len() } else { (kept / 2).max(FEW).min(order.len()) };
    }
}

impl Agent<Labyrinth> for Champion {
    fn think(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let allowed = Allowed::new(thinking.budget.unwrap_or(self.effort));
        let table = Table::new(view, &self.beliefs);
        let mut outlook = Outlook::new(&table, standings(&table), &mut thinking.rng);
        let nodes = search(&mut outlook, allowed, thinking)?;

        let mut choices = Vec::new();
        view.choices(&mut choices);
        // The lines are the pushes in the same order, or the one that was made.
        let candidate = |(i, &action): (usize, &Action)| match action {
            Action::Push(_) => {
                let (cell, chance) = outlook.best(i);
                Candidate { pv: vec![action, Action::Move(cell)], ..Candidate::valued(action, chance) }
            }
            Action::Move(cell) => Candidate::valued(action, outlook.chance(0, cell)),
        };
        let candidates: Vec<Candidate<Action>> = choices.iter().enumerate().map(candidate).collect();
        let chosen = candidates.iter().reduce(|best, next| if next.value > best.value { next } else { best });
        let choice = chosen.map_or(choices[0], |candidate| candidate.action);
        // The own turn, a push of each of the others, and a turn again.
        let depth = if table.pushed { 1 } else { 2 } + table.rivals().len() as u32 + 2;
        Ok(Thought { candidates, scale: Scale::Score, nodes, depth, ..Thought::plain(choice) })
    }

    fn told(&mut self, event: &Told<'_, Labyrinth>) {
        self.beliefs.told(event);
    }
}
