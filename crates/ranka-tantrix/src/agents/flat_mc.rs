//! `flat-mc`: random playouts after every placement, and no tree.

use super::closing::Closing;
use super::options;
use super::tree::Policy;
use crate::{Action, State, Tantrix};
use ranka_core::{Agent, AgentKind, Budget, Fault, Param, Params, Scale, Seat, Seed, Thinking, Thought};
use ranka_search::{Flat, FlatRule, Limits};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Tantrix> {
    AgentKind {
        name: "flat-mc",
        version: 1,
        summary: "Plays random games after every placement and takes the best mean.",
        params: options::joined(&[
            &options::PLAYOUTS,
            &[
                Param::choice(
                    "rule",
                    &["equal", "ucb"],
                    "each placement in turn, or by upper confidence bounds",
                ),
                Param::real("c", 0.0, 10.0, "0.3", "exploration of ucb"),
            ],
            &options::CLOSING,
        ]),
        build: |_, params| {
            let params = params.clone();
            Ok(Arc::new(move |_: Seat, _: Seed| FlatMc::new(&params)))
        },
    }
}

struct FlatMc {
    flat: Flat<Policy>,
    budget: Budget,
    closing: Closing,
}

impl FlatMc {
    fn new(params: &Params) -> FlatMc {
        let rule = match params.text("rule") {
            "ucb" => FlatRule::Ucb1 { exploration: params.real("c") },
            _ => FlatRule::Equal,
        };
        let policy = Policy::new(options::evaluation(params), None, false);
        FlatMc {
            flat: Flat::new(rule, policy),
            budget: options::budget(params),
            closing: options::closing(params),
        }
    }
}

impl Agent<Tantrix> for FlatMc {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        if self.closing.applies(view) {
            return self.closing.think(view, thinking);
        }
        self.flat.policy.bench.begin(view);
        let limits = Limits::new(Some(thinking.budget.unwrap_or(self.budget)), thinking.cancel_flag());
        let found = self.flat.search(view, limits, &mut thinking.rng).ok_or(Fault::Cancelled)?;
        Ok(found.thought(Scale::Score))
    }
}
