//! The arena in which a search tree grows. A node is reached from its parent by a step; what a step is, the search says.

use crate::Values;
use ranka_core::Seat;

/// The root's place.
pub(crate) const ROOT: u32 = 0;
/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// A sequence of steps, by its last one.
pub(crate) struct Node<S> {
    /// What leads here; nothing at the root.
    pub(crate) step: Option<S>,
    /// What it counts for while it was never visited.
    pub(crate) prior: f64,
    pub(crate) visits: u32,
    /// In how many iterations it could have been chosen. Counted only where that is not always so.
    pub(crate) available: u32,
    first_child: u32,
    next_sibling: u32,
}

/// All nodes, in vectors that never take more than they are allowed.
pub(crate) struct Tree<S> {
    nodes: Vec<Node<S>>,
    /// The sums of the values of each node for each seat.
    sums: Vec<f64>,
    seats: usize,
    most: usize,
}

impl<S: Copy> Tree<S> {
    pub(crate) const fn bytes_per_node(seats: usize) -> usize {
        size_of::<Node<S>>() + seats * size_of::<f64>()
    }

    pub(crate) fn new() -> Tree<S> {
        Tree { nodes: Vec::new(), sums: Vec::new(), seats: 2, most: 1 }
    }

    /// Forgets everything but the root, and keeps the memory. However little is allowed, there is room for
    /// `at_least` nodes.
    pub(crate) fn reset(&mut self, seats: usize, memory: usize, at_least: usize) {
        let most = (memory / Self::bytes_per_node(seats)).clamp(at_least, NONE as usize);
        if seats != self.seats || self.nodes.capacity() > most {
            *self = Tree { seats, ..Tree::new() };
        }
        self.nodes.clear();
        self.sums.clear();
        self.most = most;
        self.push(None, 0.0, NONE);
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn has_room(&self, for_nodes: usize) -> bool {
        self.nodes.len() + for_nodes <= self.most
    }

    /// Adds a child in front of its siblings.
    pub(crate) fn add(&mut self, parent: u32, step: S, prior: f64) -> u32 {
        let child = self.push(Some(step), prior, self.node(parent).first_child);
        self.nodes[parent as usize].first_child = child;
        child
    }

    fn push(&mut self, step: Option<S>, prior: f64, next_sibling: u32) -> u32 {
        if self.nodes.len() == self.nodes.capacity() {
            // Doubling, as a vector does by itself, but not beyond what is allowed.
            let more = self.nodes.len().max(64).min(self.most - self.nodes.len());
            self.nodes.reserve_exact(more);
            self.sums.reserve_exact(more * self.seats);
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(Node { step, prior, visits: 0, available: 0, first_child: NONE, next_sibling });
        self.sums.resize(self.nodes.len() * self.seats, 0.0);
        id
    }

    #[inline]
    pub(crate) fn node(&self, id: u32) -> &Node<S> {
        &self.nodes[id as usize]
    }

    pub(crate) fn has_children(&self, id: u32) -> bool {
        self.node(id).first_child != NONE
    }

    pub(crate) fn children(&self, id: u32) -> impl Iterator<Item = u32> {
        let link = |id: u32| (id != NONE).then_some(id);
        std::iter::successors(link(self.node(id).first_child), move |&id| link(self.node(id).next_sibling))
    }

    /// The mean value of a visited node.
    #[inline]
    pub(crate) fn mean(&self, id: u32, seat: Seat) -> f64 {
        self.sums[id as usize * self.seats + seat.index()] / f64::from(self.node(id).visits)
    }

    pub(crate) fn was_available(&mut self, id: u32) {
        self.nodes[id as usize].available += 1;
    }

    pub(crate) fn record(&mut self, id: u32, values: &Values) {
        self.visit(id);
        self.credit(id, values);
    }

    /// Counts a visit whose values are not known yet: until then it counts as one that lost.
    pub(crate) fn visit(&mut self, id: u32) {
        self.nodes[id as usize].visits += 1;
    }

    /// Adds the values of a visit that was counted before.
    pub(crate) fn credit(&mut self, id: u32, values: &Values) {
        let start = id as usize * self.seats;
        for (sum, value) in self.sums[start..start + self.seats].iter_mut().zip(values) {
            *sum += value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arena_stays_within_its_memory() {
        let mut tree = Tree::<u16>::new();
        for (seats, nodes) in [(2, 1000), (2, 3000), (2, 65), (4, 77), (3, 1), (3, 200)] {
            let memory = nodes * Tree::<u16>::bytes_per_node(seats);
            tree.reset(seats, memory, 1);
            while tree.has_room(1) {
                tree.add(ROOT, 7, 0.0);
            }
            assert_eq!(tree.len(), nodes);
            let taken = tree.nodes.capacity() * size_of::<Node<u16>>() + tree.sums.capacity() * 8;
            assert!(taken <= memory, "{taken} of {memory}");
        }
    }

    #[test]
    fn children_and_means_are_kept() {
        let mut tree = Tree::<u8>::new();
        tree.reset(2, 1 << 20, 1);
        let ids: Vec<u32> = (0..3).rev().map(|action| tree.add(ROOT, action, 0.5)).collect();
        let actions: Vec<u8> = tree.children(ROOT).map(|id| tree.node(id).step.unwrap()).collect();
        assert_eq!(actions, [0, 1, 2]);
        tree.record(ids[1], &[1.0, 0.0, 9.0, 9.0]);
        tree.record(ids[1], &[0.5, 0.5, 9.0, 9.0]);
        assert_eq!((tree.mean(ids[1], Seat::FIRST), tree.mean(ids[1], Seat::SECOND)), (0.75, 0.25));
        assert!(tree.has_children(ROOT) && !tree.has_children(ids[0]));
    }
}
