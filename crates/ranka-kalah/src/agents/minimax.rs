//! `minimax`: looks a number of sowings or turns ahead and counts the stores.

use crate::{House, Kalah, State};
use ranka_core::{
    Actor, Agent, AgentKind, Fault, Graph, Maker, Param, Params, Position, Scale, Seat, Seed, Thinking,
    Thought, Ties,
};
use ranka_search::{AlphaBeta, DepthUnit, Evaluate, Found, Limits, Root, Transpositions};
use std::sync::Arc;

/// What the paper gives for a won game; no margin comes near.
const WIN: i32 = 5000;

pub(super) fn kind() -> AgentKind<Kalah> {
    AgentKind {
        name: "minimax",
        version: 1,
        summary: "Looks ahead and plays for the most seeds in its store.",
        params: vec![
            Param::int("depth", 1, 12, "4", "how far to look ahead"),
            Param::choice(
                "unit",
                &["sowing", "turn"],
                "what depth counts: every sowing, or only turns that pass",
            ),
            Ties::PARAM,
        ],
        build: |_, params| Ok(Arc::new(Minimax::of(params))),
    }
}

#[derive(Clone, Copy)]
struct Minimax {
    depth: u32,
    unit: DepthUnit,
    ties: Ties,
}

impl Minimax {
    fn of(params: &Params) -> Minimax {
        let unit = if params.text("unit") == "turn" { DepthUnit::Turn } else { DepthUnit::Action };
        Minimax { depth: params.int("depth") as u32, unit, ties: Ties::of(params) }
    }
}

struct Stores;

impl Evaluate<State> for Stores {
    fn leaf(&self, state: &State, seat: Seat) -> i32 {
        state.margin(seat)
    }

    fn terminal(&self, state: &State, seat: Seat, _ply: u32) -> i32 {
        WIN * state.margin(seat).signum()
    }

    /// Extra turns first, then the house nearest the store.
    fn order(&self, state: &State, house: House) -> i32 {
        let Some(house) = house.index() else { return 0 };
        let again = state.seeds(state.mover, house) as usize == state.houses() - house;
        if again { 100 + house as i32 } else { house as i32 }
    }
}

impl Maker<Kalah> for Minimax {
    fn seat(&self, _: Seat, _: Seed) -> Result<Box<dyn Agent<Kalah>>, Fault> {
        // Room for the positions of one search; a shallow one needs little, and games are many.
        let entries = 1usize << (2 * self.depth).clamp(8, 18);
        let search = AlphaBeta::new(Stores, self.unit, Transpositions::with_entries(entries));
        Ok(Box::new(Player { minimax: *self, search }))
    }

    /// The values of all positions to depth 0, 1, 2 … one after the other: each rests on the one before.
    fn policy(&self, graph: &Graph<State>) -> Option<Vec<f64>> {
        let settled = |state: &State| {
            let over = state.actor().is_over();
            over.then(|| WIN * state.margin(Seat::FIRST).signum())
        };
        let mut shallower: Vec<i32> = (0..graph.len())
            .map(|node| graph.position(node))
            .map(|state| settled(state).unwrap_or_else(|| state.margin(Seat::FIRST)))
            .collect();
        let mut choices = Vec::new();
        for _ in 0..self.depth {
            choices.clear();
            choices.resize(graph.edge_count(), 0);
            shallower = graph.sweep(|node, same_depth: &[i32]| {
                let state = graph.position(node);
                let Actor::Seat(mover) = state.actor() else { return settled(state).unwrap_or(0) };
                let sign = if mover == Seat::FIRST { 1 } else { -1 };
                let mut best = i32::MIN;
                for (edge, (_, target)) in graph.edge_range(node).zip(graph.edges(node)) {
                    let again = graph.position(target).actor() == Actor::Seat(mover);
                    let free = again && self.unit == DepthUnit::Turn;
                    let value = sign * if free { same_depth[target] } else { shallower[target] };
                    choices[edge] = value;
                    best = best.max(value);
                }
                sign * best
            });
        }
        let mut policy = Vec::with_capacity(graph.edge_count());
        for node in 0..graph.len() {
            let values: Vec<f64> = choices[graph.edge_range(node)].iter().copied().map(f64::from).collect();
            if !values.is_empty() {
                self.ties.spread(&values, &mut policy);
            }
        }
        Some(policy)
    }
}

struct Player {
    minimax: Minimax,
    search: AlphaBeta<State, Stores>,
}

impl Agent<Kalah> for Player {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, House>) -> Result<Thought<House>, Fault> {
        // Every decision starts cold, so that a rebuilt agent reaches the same depth on the same budget.
        self.search.forget();
        let limits = Limits::new(thinking.budget, thinking.cancel_flag());
        let ties = self.minimax.ties;
        let mut report = |found: &Found<House>| {
            thinking.report(&thought(found, found.best().action));
        };
        let found = self.search.search(view, Root::Values, 1..=self.minimax.depth, limits, &mut report);
        let found = found.ok_or(Fault::Cancelled)?;
        let values: Vec<f64> = found.actions.iter().map(|scored| f64::from(scored.value)).collect();
        let chosen = ties.pick(&values, &mut thinking.rng);
        Ok(thought(&found, found.actions[chosen].action))
    }
}

fn thought(found: &Found<House>, choice: House) -> Thought<House> {
    Thought { win: Some(f64::from(WIN)), ..found.thought(choice, Scale::Own, 1.0) }
}
