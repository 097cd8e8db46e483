//! `naotti-1.0` and `naotti-1.1`: EACP, which searches every colouring of the enemy's ghosts as if it were known.

use super::player::{Common, Considered, Mover, Player, TIES, choose, depths, limits, thought};
use super::search::{STATIC_EXIT, TABLE};
use crate::action::Action;
use crate::duel::{LeafEvaluation, PurpleEvaluation};
use crate::eacp::{Ask, Eacp};
use crate::rules::Geister;
use crate::view::View;
use ranka_core::{AgentKind, Error, Fault, Maker, Param, Params, Seat, Seed, Thinking, Thought, Ties};
use std::sync::Arc;

pub(super) fn version_1_0() -> AgentKind<Geister> {
    AgentKind {
        name: "naotti-1.0",
        version: 1,
        summary: "Searches every colouring of the enemy's ghosts and plays for the worst; counts blue ghosts.",
        params: params(),
        build: |_, params| build(params, LeafEvaluation::Blues),
    }
}

pub(super) fn version_1_1() -> AgentKind<Geister> {
    AgentKind {
        name: "naotti-1.1",
        version: 1,
        summary: "Searches every colouring of the enemy's ghosts and plays for the worst; counts blue ghosts \
                  and the way to the exits.",
        params: params(),
        build: |_, params| build(params, LeafEvaluation::BluesAndDistance),
    }
}

fn params() -> Vec<Param> {
    let own = vec![
        Param::int("depth", 1, 12, "5", "plies to look ahead, the own step included"),
        STATIC_EXIT,
        TIES,
        Param::switch(
            "cut",
            true,
            "give up a step at the first colouring that makes it no better; same choice",
        ),
        Param::switch("explain", false, "the exact value of every step, for analysis (slower)"),
    ];
    Common::params(own, "0")
}

fn build(params: &Params, leaf: LeafEvaluation) -> Result<Arc<dyn Maker<Geister>>, Error> {
    let common = Common::read(params)?;
    let evaluation = PurpleEvaluation { leaf, static_exit: params.on("static-exit") };
    let (depth, ties) = (params.int("depth") as u32, Ties::of(params));
    let ask = match ties {
        _ if params.on("explain") || !params.on("cut") => Ask::Values,
        Ties::First => Ask::First,
        _ => Ask::AllBest,
    };
    Ok(Arc::new(move |_: Seat, _: Seed| {
        Player::new(common, Naotti { eacp: Eacp::new(evaluation, TABLE), depth, ask, ties })
    }))
}

struct Naotti {
    eacp: Eacp,
    depth: u32,
    ask: Ask,
    ties: Ties,
}

impl Mover for Naotti {
    fn choose(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let limits = limits(thinking);
        self.eacp.forget();
        let begun = self.eacp.nodes();
        let mut deepest = None;
        for depth in depths(self.depth, thinking) {
            // Like alpha-beta, the first depth is completed whatever it costs.
            let mut limits = limits;
            if deepest.is_none() {
                (limits.count, limits.deadline) = (u64::MAX, None);
            } else {
                limits.count = limits.count.saturating_sub(self.eacp.nodes() - begun);
            }
            let Some(steps) = self.eacp.steps(view, depth, self.ask, limits) else { break };
            deepest = Some((depth, steps));
        }
        let (depth, steps) = deepest.filter(|_| !thinking.cancelled()).ok_or(Fault::Cancelled)?;
        let values: Vec<i32> = steps.iter().map(|&(_, value)| value).collect();
        let choice = choose(self.ties, &values, thinking);
        let considered: Vec<Considered> =
            steps.iter().map(|&(hop, value)| Considered { hop, value, line: vec![hop] }).collect();
        Ok(thought(view, &considered, choice, self.eacp.nodes() - begun, depth))
    }
}
