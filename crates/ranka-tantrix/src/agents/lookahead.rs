//! A tree over placements whose leaves are judged by the learned evaluation, and by what a few random playouts make of
//! their scores.
//!
//! A node belongs to whoever acts and to the tiles that it holds: what others have drawn meanwhile does not split it, so
//! that draws are sampled where they matter and shared where they do not. When a node is made, every placement in it is
//! judged at once, before the tile that would be drawn for it; these judgements are where the search begins, and they
//! tell which placements are worth a look.

use crate::evaluation::{Fitting, Model, shares};
use crate::{Action, State};
use ranka_core::{Actor, MAX_SEATS, Position, Rng, Seat};
use std::sync::Arc;

/// No node.
const NONE: u32 = u32::MAX;

/// The most edges: some 60 MB. The tree grows no further then, and the search goes on in it.
const MOST_EDGES: usize = 1 << 20;

/// A playout counts as so many judgements: about as long as it takes early in a game.
const PLAYOUT: u64 = 14;

/// How the tree is walked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// How much placements are tried that look worse so far.
    pub(super) exploration: f64,
    /// How sharply placements are told apart by the first judgement: small is sharp.
    pub(super) temperature: f64,
    /// As how many visits the first judgement counts.
    pub(super) trust: f64,
    /// Random playouts from every new leaf, their weight beside the judgement, and the lead at the end of one that makes
    /// the odds e to one.
    pub(super) playouts: u32,
    pub(super) mix: f64,
    pub(super) spread: f64,
}

/// Somebody's decision.
#[derive(Clone, Copy)]
struct Node {
    seat: Seat,
    held: u64,
    /// The next node after the same placement.
    next: u32,
    first: u32,
    count: u32,
    visits: u32,
}

/// A placement.
#[derive(Clone, Copy)]
struct Edge {
    action: Action,
    share: f32,
    chances: [f32; MAX_SEATS],
    sums: [f32; MAX_SEATS],
    visits: u32,
    /// The first of the nodes after it.
    nodes: u32,
}

/// What is known of a placement at the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looked {
    pub(super) action: Action,
    pub(super) visits: u32,
    pub(super) chance: f64,
}

/// The search, with room that is used again.
pub(super) struct Lookahead {
    model: Arc<Model>,
    style: Style,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    path: Vec<(u32, u32)>,
    list: Vec<Action>,
    fitting: Fitting,
    /// How many positions were judged since the search began, and how deep the tree is.
    pub(super) judged: u64,
    pub(super) depth: u32,
}

impl Lookahead {
    pub(super) fn new(model: Arc<Model>, style: Style) -> Lookahead {
        Lookahead {
            model,
            style,
            nodes: Vec::new(),
            edges: Vec::new(),
            path: Vec::new(),
            list: Vec::new(),
            fitting: Fitting::new(),
            judged: 0,
            depth: 0,
        }
    }

    /// Begins a search where a seat is to act.
    pub(super) fn begin(&mut self, root: &State) {
        (self.judged, self.depth) = (0, 0);
        self.nodes.clear();
        self.edges.clear();
        self.expand(root, root.mover());
    }

    /// Whether there is anything to choose.
    pub(super) fn is_forced(&self) -> bool {
        self.nodes[0].count < 2
    }

    /// Adds a node for the decision in a position; the chances after its best placement.
    fn expand(&mut self, state: &State, seat: Seat) -> [f32; MAX_SEATS] {
        self.list.clear();
        state.actions(&mut self.list);
        self.fitting.forget();
        let first = self.edges.len();
        let mut best = 0;
        for place in 0..self.list.len() {
            let action = self.list[place];
            let mut after = state.clone();
            after.apply(action);
            let chances = self.model.chances_after(state, &mut self.fitting, &after, action);
            let chances = chances.map(|chance| chance as f32);
            self.judged += 1;
            self.edges.push(Edge {
                action,
                share: 0.0,
                chances,
                sums: [0.0; MAX_SEATS],
                visits: 0,
                nodes: NONE,
            });
            if chances[seat.index()] > self.edges[first + best].chances[seat.index()] {
                best = place;
            }
        }
        let highest = self.edges[first + best].chances[seat.index()];
        let edges = &mut self.edges[first..];
        let mut sum = 0.0;
        for edge in edges.iter_mut() {
            let below = f64::from(edge.chances[seat.index()] - highest);
            edge.share = libm::exp(below / self.style.temperature) as f32;
            sum += edge.share;
        }
        edges.iter_mut().for_each(|edge| edge.share /= sum);
        let count = edges.len() as u32;
        self.nodes.push(Node {
            seat,
            held: state.held(seat).0,
            next: NONE,
            first: first as u32,
            count,
            visits: 0,
        });
        self.edges[first + best].chances
    }

    /// The mean chance of a seat after a placement; the first judgement counts as some visits.
    fn chance(&self, edge: &Edge, seat: Seat) -> f64 {
        let trust = self.style.trust;
        let sum = f64::from(edge.sums[seat.index()]) + trust * f64::from(edge.chances[seat.index()]);
        sum / (f64::from(edge.visits) + trust)
    }

    /// The most promising placement of a node; the first of equals.
    fn select(&self, node: u32) -> u32 {
        let Node { seat, first, count, visits, .. } = self.nodes[node as usize];
        let scale = self.style.exploration * f64::from(visits + 1).sqrt();
        let mut best = (first, f64::NEG_INFINITY);
        for id in first..first + count {
            let edge = &self.edges[id as usize];
            let bonus = scale * f64::from(edge.share) / f64::from(edge.visits + 1);
            let promise = self.chance(edge, seat) + bonus;
            if promise > best.1 {
                best = (id, promise);
            }
        }
        best.0
    }

    /// The node after a placement for who acts now with these tiles.
    fn find(&self, edge: u32, seat: Seat, held: u64) -> Option<u32> {
        let mut id = self.edges[edge as usize].nodes;
        while id != NONE {
            let node = &self.nodes[id as usize];
            if node.seat == seat && node.held == held {
                return Some(id);
            }
            id = node.next;
        }
        None
    }

    /// One way through the tree, to a node that is new or to the end of the game.
    pub(super) fn look(&mut self, root: &State, rng: &mut Rng) {
        let mut state = root.clone();
        let mut node = 0;
        self.path.clear();
        let chances = loop {
            let edge = self.select(node);
            self.path.push((node, edge));
            state.apply(self.edges[edge as usize].action);
            while state.actor() == Actor::Chance {
                let drawn = state.draw(rng);
                state.apply(drawn);
            }
            let Actor::Seat(seat) = state.actor() else {
                self.judged += 1;
                break chances_at_the_end(&state);
            };
            match self.find(edge, seat, state.held(seat).0) {
                Some(known) => node = known,
                None if self.edges.len() >= MOST_EDGES => {
                    self.judged += 1;
                    break self.mixed(self.edges[edge as usize].chances, &state, rng);
                }
                None => {
                    let new = self.nodes.len() as u32;
                    let chances = self.expand(&state, seat);
                    let edge = &mut self.edges[edge as usize];
                    self.nodes[new as usize].next = edge.nodes;
                    edge.nodes = new;
                    break self.mixed(chances, &state, rng);
                }
            }
        };
        self.depth = self.depth.max(self.path.len() as u32);
        for &(node, edge) in &self.path {
            self.nodes[node as usize].visits += 1;
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            edge.sums.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += chance);
        }
    }

    /// A judgement of a position, mixed with what random playouts from it make of it.
    fn mixed(&mut self, mut chances: [f32; MAX_SEATS], state: &State, rng: &mut Rng) -> [f32; MAX_SEATS] {
        let Style { playouts, mix, spread, .. } = self.style;
        if playouts == 0 {
            return chances;
        }
        self.judged += PLAYOUT * u64::from(playouts);
        let mut played = [0.0; MAX_SEATS];
        for _ in 0..playouts {
            let mut end = state.clone();
            end.playout(rng, &mut self.list);
            let mut scores = [0.0; MAX_SEATS];
            for seat in Seat::all(end.seats()) {
                scores[seat.index()] = (f64::from(end.score(seat)) / spread) as f32;
            }
            let shares = shares(&scores[..end.seats()]);
            played.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
        }
        for (chance, played) in chances.iter_mut().zip(played) {
            let played = played / f64::from(playouts);
            *chance = ((1.0 - mix) * f64::from(*chance) + mix * played) as f32;
        }
        chances
    }

    /// What is known of the placements at the root, in canonical order.
    pub(super) fn looked(&self) -> impl Iterator<Item = Looked> + '_ {
        let Node { seat, first, count, .. } = self.nodes[0];
        (first..first + count).map(move |id| {
            let edge = &self.edges[id as usize];
            Looked { action: edge.action, visits: edge.visits, chance: self.chance(edge, seat) }
        })
    }
}

/// The outcome of a finished game.
fn chances_at_the_end(state: &State) -> [f32; MAX_SEATS] {
    let mut chances = [0.0; MAX_SEATS];
    for (chance, score) in chances.iter_mut().zip(state.outcome().scores()) {
        *chance = *score as f32;
    }
    chances
}
