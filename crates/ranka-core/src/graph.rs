//! A whole game as a graph, where it is small enough: then values and results are computed, not sampled.

use crate::{Actor, Error, Position, Rng, Seat, Seed};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::hash::{BuildHasher, Hash};
use std::ops::Range;

/// The most positions a graph may have: some hundreds of megabytes.
const MOST_POSITIONS: usize = 4_000_000;

/// Every position that can be reached from a start, and how.
pub struct Graph<P: Position> {
    positions: Vec<P>,
    /// Where the edges of each position begin; one entry more than there are positions.
    first_edge: Vec<u32>,
    edges: Vec<(P::Action, u32)>,
    /// Positions such that each comes after everything that leads to it.
    order: Vec<u32>,
}

/// The probabilities of a two-seat game's results, for one of the seats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Chances {
    /// Winning.
    pub win: f64,
    /// Drawing.
    pub draw: f64,
    /// Losing.
    pub loss: f64,
}

impl Chances {
    /// The expected score.
    pub fn score(&self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// The same for the other seat.
    pub fn reversed(&self) -> Chances {
        Chances { win: self.loss, draw: self.draw, loss: self.win }
    }

    fn add(&mut self, weight: f64, other: &Chances) {
        self.win += weight * other.win;
        self.draw += weight * other.draw;
        self.loss += weight * other.loss;
    }
}

/// At so many positions, and at four times as many each time, games are sampled to see whether the rest can be hoped for.
/// It is far below the limit, so that what is too large is refused at once, and above what is small anyway.
const SAMPLED_FROM: usize = 1 << 16;

/// Positions that a sample plays on with at a ply.
const SAMPLE: usize = 4_000;

/// At how many plies a position comes up at most, on average: 1.9 to 3.4 on boards of Kalah.
const PLIES_OF_A_POSITION: f64 = 4.0;

/// Whether more positions than allowed follow `found`, by two samples of them, ply by ply: the fewer positions they share
/// the more there must be (the estimate of Lincoln and Petersen, which is too small where some positions are likelier than
/// others). Where it says no, there may still be too many.
fn is_hopeless<P: Position + Hash>(found: &[P]) -> bool {
    const PLIES: usize = 300;
    let mut rng = Rng::new(Seed::new(0).child("reach"));
    let mut sample = || (0..SAMPLE).map(|_| found[rng.index(found.len())].clone()).collect::<Vec<P>>();
    let (mut one, mut other) = (sample(), sample());
    let mut sum = 0.0;
    for _ in 0..PLIES {
        let (here, there) = (advance(&mut one, &mut rng), advance(&mut other, &mut rng));
        if here.is_empty() || there.is_empty() {
            break;
        }
        let both = here.intersection(&there).count();
        sum += (here.len() * there.len()) as f64 / (both + 1) as f64;
        if sum / PLIES_OF_A_POSITION > MOST_POSITIONS as f64 {
            return true;
        }
    }
    false
}

/// Goes on to some of the positions that follow, and gives their keys. Each is equally likely, however many ways lead to
/// it: random games would soon crowd into the likeliest.
fn advance<P: Position + Hash>(sample: &mut Vec<P>, rng: &mut Rng) -> FxHashSet<u64> {
    let (mut actions, mut seen, mut following) = (Vec::new(), FxHashSet::default(), Vec::new());
    for position in sample.drain(..) {
        actions.clear();
        position.actions(&mut actions);
        for &action in &actions {
            let mut next = position.clone();
            next.apply(action);
            let key = FxBuildHasher.hash_one(&next);
            if seen.insert(key) {
                following.push((key, next));
            }
        }
    }
    rng.shuffle(&mut following);
    following.truncate(SAMPLE);
    let keys = following.iter().map(|(key, _)| *key).collect();
    sample.extend(following.into_iter().map(|(_, position)| position));
    keys
}

impl<P: Position + Eq + Hash> Graph<P> {
    /// Finds everything that can be reached from `start`, the position with index 0. Refused for games that are
    /// too large, or in which a position can come again.
    pub fn reach(start: P) -> Result<Graph<P>, Error> {
        let mut index = FxHashMap::default();
        index.insert(start.clone(), 0u32);
        let mut graph =
            Graph { positions: vec![start], first_edge: vec![0], edges: Vec::new(), order: Vec::new() };
        let mut actions = Vec::new();
        let (mut at, mut look_at) = (0, SAMPLED_FROM);
        while at < graph.positions.len() {
            actions.clear();
            graph.positions[at].actions(&mut actions);
            for &action in &actions {
                let mut next = graph.positions[at].clone();
                next.apply(action);
                let fresh = graph.positions.len() as u32;
                let target = *index.entry(next).or_insert_with_key(|next| {
                    graph.positions.push(next.clone());
                    fresh
                });
                graph.edges.push((action, target));
            }
            graph.first_edge.push(graph.edges.len() as u32);
            let found = graph.positions.len();
            let hopeless = found > look_at && {
                look_at *= 4;
                is_hopeless(&graph.positions[at..])
            };
            if hopeless || found > MOST_POSITIONS {
                return Err(Error::input(format!(
                    "more than {MOST_POSITIONS} positions can be reached: too many to compute exactly"
                )));
            }
            at += 1;
        }
        graph.sort()?;
        Ok(graph)
    }

    fn sort(&mut self) -> Result<(), Error> {
        let mut entries = vec![0u32; self.len()];
        self.edges.iter().for_each(|&(_, target)| entries[target as usize] += 1);
        self.order = (0..self.len() as u32).filter(|&node| entries[node as usize] == 0).collect();
        let mut at = 0;
        while let Some(&node) = self.order.get(at) {
            for edge in self.edge_range(node as usize) {
                let target = self.edges[edge].1;
                entries[target as usize] -= 1;
                if entries[target as usize] == 0 {
                    self.order.push(target);
                }
            }
            at += 1;
        }
        if self.order.len() < self.len() {
            return Err(Error::input(
                "positions can come again: such a game cannot be computed in one sweep",
            ));
        }
        Ok(())
    }
}

impl<P: Position> Graph<P> {
    /// How many positions there are, finished ones included.
    #[allow(clippy::len_without_is_empty)] // there is always the start
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// A position.
    pub fn position(&self, node: usize) -> &P {
        &self.positions[node]
    }

    /// The places of a position's edges among all edges.
    pub fn edge_range(&self, node: usize) -> Range<usize> {
        self.first_edge[node] as usize..self.first_edge[node + 1] as usize
    }

    /// How many edges there are in all.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// A position's actions in canonical order, each with the position it leads to.
    pub fn edges(&self, node: usize) -> impl ExactSizeIterator<Item = (P::Action, usize)> + '_ {
        self.edges[self.edge_range(node)].iter().map(|&(action, target)| (action, target as usize))
    }

    /// Computes something for every position from what it is for the positions it leads to.
    pub fn sweep<T: Clone + Default>(&self, mut value: impl FnMut(usize, &[T]) -> T) -> Vec<T> {
        let mut values = vec![T::default(); self.len()];
        for &node in self.order.iter().rev() {
            values[node as usize] = value(node as usize, &values);
        }
        values
    }

    /// The chances of the first seat from every position when the two seats play by these probabilities, one for
    /// each edge; chance plays by its own.
    pub fn chances(&self, policies: [&[f64]; 2]) -> Vec<Chances> {
        self.sweep(|node, known: &[Chances]| {
            let position = self.position(node);
            let seat = match position.actor() {
                Actor::Over => return result(position.outcome().score(Seat::FIRST)),
                Actor::Seat(seat) => Some(seat),
                Actor::Chance => None,
            };
            let mut sum = Chances::default();
            for (edge, (action, target)) in self.edge_range(node).zip(self.edges(node)) {
                let weight =
                    seat.map_or_else(|| position.probability(action), |seat| policies[seat.index()][edge]);
                sum.add(weight, &known[target]);
            }
            sum
        })
    }
}

fn result(score: f64) -> Chances {
    let sure = |yes: bool| f64::from(u8::from(yes));
    Chances { win: sure(score > 0.5), draw: sure(score == 0.5), loss: sure(score < 0.5) }
}
