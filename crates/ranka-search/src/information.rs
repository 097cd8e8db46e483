//! The tree of what one seat can tell apart, grown by walks through worlds that look the same to it.
//!
//! Nodes are of two kinds by turns: who is seen to do what, and what the searching seat then sees. Where nothing is hidden
//! the second kind is left out, and the tree is one of actions alone.

use crate::limits::LimitChecker;
use crate::tree::{NONE, ROOT, Tree};
use crate::{Eyes, FinalChoice, Sampled, Tried};
use ranka_core::{Position, Rng, Seat};

/// How a node is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step<A> {
    /// A seat acts; if the action is hidden, it is any that is.
    Act(Seat, Option<A>),
    /// This is what is seen of the position when somebody is to act next.
    Look(u64),
}

/// The tree, the walk through it, and what can be chosen at the walk's place.
pub(crate) struct InfoTree<A> {
    pub(crate) tree: Tree<Step<A>>,
    /// The nodes of the current walk.
    pub(crate) path: Vec<u32>,
    /// Who did what on it.
    pub(crate) acts: Vec<(Seat, A)>,
    /// What can be done now: the actions that are seen, in canonical order, and those that are not.
    pub(crate) list: Vec<A>,
    pub(crate) hidden: Vec<A>,
    /// The child of each action that is seen, then one for all that are not; [`NONE`] where there is none yet.
    pub(crate) slots: Vec<u32>,
    sorted: Vec<(A, u32)>,
    /// The most decisions of a walk.
    pub(crate) depth: u32,
}

impl<A: Copy + Ord> InfoTree<A> {
    pub(crate) fn new() -> InfoTree<A> {
        InfoTree {
            tree: Tree::new(),
            path: Vec::new(),
            acts: Vec::new(),
            list: Vec::new(),
            hidden: Vec::new(),
            slots: Vec::new(),
            sorted: Vec::new(),
            depth: 0,
        }
    }

    /// Forgets everything for a search from `first`; the root's actions always find room. Gives the only action where
    /// there is no choice.
    pub(crate) fn reset<P: Position<Action = A>>(&mut self, first: &P, memory: usize) -> Option<A> {
        self.list.clear();
        first.actions(&mut self.list);
        self.tree.reset(first.seats(), memory, 1 + self.list.len());
        self.depth = 0;
        match self.list[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Begins a walk at the root.
    pub(crate) fn begin(&mut self) {
        self.path.clear();
        self.path.push(ROOT);
        self.acts.clear();
    }

    /// Where the walk is.
    pub(crate) fn here(&self) -> u32 {
        self.path.last().copied().unwrap_or(ROOT)
    }

    /// Goes to the node of what is seen now; false if there is none and no room for it.
    pub(crate) fn look<P, E>(&mut self, eyes: &E, position: &P) -> bool
    where
        P: Position<Action = A>,
        E: Eyes<P>,
    {
        // At the root every world looks the same.
        if !E::HIDDEN || self.acts.is_empty() {
            return true;
        }
        let (here, step) = (self.here(), Step::Look(eyes.look(position)));
        let tree = &mut self.tree;
        let known = tree.children(here).find(|&id| tree.node(id).step == Some(step));
        let node = known.or_else(|| tree.has_room(1).then(|| tree.add(here, step, 0.0)));
        self.path.extend(node);
        node.is_some()
    }

    /// Lists what the seat to act can do, and finds the children.
    pub(crate) fn gather<P, E>(&mut self, eyes: &E, position: &P, seat: Seat)
    where
        P: Position<Action = A>,
        E: Eyes<P>,
    {
        self.list.clear();
        self.hidden.clear();
        position.actions(&mut self.list);
        if E::HIDDEN {
            let hidden = &mut self.hidden;
            self.list.retain(|&action| {
                let seen = eyes.seen(position, action).is_some();
                if !seen {
                    hidden.push(action);
                }
                seen
            });
        }
        self.sorted.clear();
        self.sorted.extend(self.list.iter().zip(0..).map(|(&action, place)| (action, place)));
        self.sorted.sort_unstable();
        let visible = self.list.len();
        self.slots.clear();
        self.slots.resize(visible + usize::from(!self.hidden.is_empty()), NONE);
        for child in self.tree.children(self.here()) {
            let Some(Step::Act(by, action)) = self.tree.node(child).step else { continue };
            if by != seat {
                continue;
            }
            let place = match action {
                Some(action) => {
                    let found = self.sorted.binary_search_by_key(&action, |&(action, _)| action);
                    found.ok().map(|found| self.sorted[found].1 as usize)
                }
                None => Some(visible),
            };
            if let Some(slot) = place.and_then(|place| self.slots.get_mut(place)) {
                *slot = child;
            }
        }
    }

    /// Adds the child of the choice at `place`.
    pub(crate) fn add(&mut self, seat: Seat, place: usize, prior: f64) {
        let step = Step::Act(seat, self.list.get(place).copied());
        self.slots[place] = self.tree.add(self.here(), step, prior);
    }

    /// Takes the choice at `place`; of hidden actions any.
    pub(crate) fn take<P>(&mut self, position: &mut P, seat: Seat, place: usize, rng: &mut Rng)
    where
        P: Position<Action = A>,
    {
        let action = self.list.get(place).copied().unwrap_or_else(|| rng.pick(&self.hidden));
        position.apply(action);
        self.path.push(self.slots[place]);
        self.acts.push((seat, action));
        self.depth = self.depth.max(self.acts.len() as u32);
    }

    /// What the tree says now of the actions at the root; nothing before the first of them was tried.
    pub(crate) fn found<P>(
        &self,
        root: &P,
        seat: Seat,
        choice: FinalChoice,
        checker: &LimitChecker<'_>,
    ) -> Option<Sampled<A>>
    where
        P: Position<Action = A>,
    {
        let mut order = Vec::new();
        root.actions(&mut order);
        let mut actions: Vec<Tried<A>> = Vec::with_capacity(order.len());
        for &action in &order {
            let is_it = |&id: &u32| self.tree.node(id).step == Some(Step::Act(seat, Some(action)));
            let Some(id) = self.tree.children(ROOT).find(is_it) else { continue };
            let (visits, mean) = self.rank(id, seat);
            actions.push(Tried { action, visits, mean, line: self.line(id, action, choice) });
        }
        let choice = choice.choose(actions.iter().map(|tried| (tried.visits, tried.mean)))?;
        let (playouts, stopped) = (checker.count(), checker.stopped());
        Some(Sampled { actions, choice, playouts, depth: self.depth, nodes: self.tree.len(), stopped })
    }

    fn rank(&self, id: u32, seat: Seat) -> (u64, f64) {
        let visits = self.tree.node(id).visits;
        (u64::from(visits), if visits > 0 { self.tree.mean(id, seat) } else { 0.0 })
    }

    /// The choices that would be made from a child of the root on, up to where it depends on what then shows.
    fn line(&self, child: u32, action: A, choice: FinalChoice) -> Vec<A> {
        let (mut node, mut line) = (child, vec![action]);
        loop {
            let mut looks =
                self.tree.children(node).filter(|&id| matches!(self.tree.node(id).step, Some(Step::Look(_))));
            match (looks.next(), looks.next()) {
                (Some(only), None) => node = only,
                (Some(_), Some(_)) => return line,
                (None, _) => {}
            }
            let ranks = self.tree.children(node).map(|id| match self.tree.node(id).step {
                Some(Step::Act(seat, _)) => self.rank(id, seat),
                _ => (0, 0.0),
            });
            let Some(next) = choice.choose(ranks) else { return line };
            node = self.tree.children(node).nth(next).expect("it was chosen among the children");
            let Some(Step::Act(_, Some(action))) = self.tree.node(node).step else { return line };
            line.push(action);
        }
    }
}
