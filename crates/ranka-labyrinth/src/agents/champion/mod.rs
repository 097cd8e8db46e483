//! `champion`: looks at every turn, at what the others may push after it, and at the own turn after that.

mod beliefs;
mod ground;
mod outlook;
mod standing;
mod table;

use crate::action::Action;
use crate::rules::Labyrinth;
use crate::state::Phase;
use crate::view::View;
use beliefs::Beliefs;
use outlook::Outlook;
use ranka_core::{
    Agent, AgentKind, Budget, Candidate, Fault, Param, Scale, Seat, Seed, Thinking, Thought, Told,
    View as _,
};
use ranka_search::agents::effort;
use standing::{Clock, Pace};
use std::sync::Arc;
use std::time::{Duration, Instant};
use table::Table;

/// What a good player finds.
const PACE: Pace = Pace { fresh: 0.6, ready: 0.75 };

pub(super) fn kind() -> AgentKind<Labyrinth> {
    AgentKind {
        name: "champion",
        version: 3,
        summary: "Weighs every turn by the chance to find something in the next one, whatever the others push, against \
                  their chances, and so by who will win the race.",
        params: vec![
            Param::int("playouts", 1, 100_000_000, "4000", "ways to go on that are looked at for each decision"),
            Param::int("ms", 0, 3_600_000, "0", "milliseconds for each decision instead; 0: count playouts"),
        ],
        build: |_, params| {
            let effort = effort(params);
            Ok(Arc::new(move |_: Seat, _: Seed| Champion {
                effort,
                beliefs: Beliefs::new(),
                clock: Clock::new(PACE),
                outlook: None,
            }))
        },
    }
}

struct Champion {
    effort: Budget,
    beliefs: Beliefs,
    clock: Clock,
    /// The room of the last decision.
    outlook: Option<Outlook>,
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

    fn spend(&mut self) -> bool {
        if self.left == 0 || self.until.is_some_and(|until| Instant::now() >= until) {
            return false;
        }
        self.left -= 1;
        true
    }
}

/// Ways to go on that a line is given in a round.
const ROUND: usize = 6;

impl Agent<Labyrinth> for Champion {
    fn think(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let mut allowed = Allowed::new(thinking.budget.unwrap_or(self.effort));
        let table = Table::new(view, &self.beliefs);
        let mut rng = thinking.rng.clone();
        let outlook = match &mut self.outlook {
            Some(outlook) => {
                outlook.begin(&table, &self.clock, &mut rng);
                outlook
            }
            none => none.insert(Outlook::new(&table, &self.clock, &mut rng)),
        };
        let mut nodes = 0;
        let mut order: Vec<usize> = (0..outlook.lines.len()).collect();
        let mut kept = order.len();
        'rounds: loop {
            let mut looked = false;
            for &line in &order[..kept] {
                for _ in 0..ROUND {
                    if thinking.cancelled() {
                        return Err(Fault::Cancelled);
                    }
                    if !allowed.spend() {
                        break 'rounds;
                    }
                    if !outlook.look(line, &mut rng) {
                        break;
                    }
                    nodes += 1;
                    looked = true;
                }
            }
            let best: Vec<f64> = (0..order.len()).map(|line| outlook.best(line).1).collect();
            order.sort_by(|&one, &two| best[two].total_cmp(&best[one]));
            if !looked {
                if kept == order.len() {
                    break;
                }
                kept = order.len();
            } else {
                kept = (kept / 2).max(6).min(order.len());
            }
        }

        let mut choices = Vec::new();
        view.choices(&mut choices);
        let moves = view.shown().phase() == Phase::Move;
        let value = |(i, &action): (usize, &Action)| match action {
            Action::Push(_) => Candidate::valued(action, outlook.best(i).1),
            Action::Move(cell) => Candidate::valued(action, outlook.chance(0, cell)),
        };
        let candidates: Vec<Candidate<Action>> = choices.iter().enumerate().map(value).collect();
        let chosen = candidates.iter().reduce(|best, next| if next.value > best.value { next } else { best });
        let choice = chosen.map_or(choices[0], |candidate| candidate.action);
        let depth = if moves { 5 } else { 6 };
        Ok(Thought { candidates, scale: Scale::Score, nodes, depth, ..Thought::plain(choice) })
    }

    fn told(&mut self, event: &Told<'_, Labyrinth>) {
        self.beliefs.told(event);
    }
}
