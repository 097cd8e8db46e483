//! Upper confidence bounds for trees: Monte Carlo tree search with hooks, for 2 to 4 seats, with chance.
//!
//! A node is a sequence of the seats' actions. What chance does is drawn anew in every iteration and is
//! not part of the sequence (an *open loop*): after it, only the children that are legal this time are
//! considered, and each counts how often it was available. Before the first action of chance the same sequence
//! always leads to the same position; there, and so everywhere in a game without chance, the tree is an ordinary
//! one and actions are listed only once. [`Chance::Nodes`] keeps the outcomes of chance apart instead, each with
//! a node of its own.

use crate::limits::LimitChecker;
use crate::tree::{NONE, ROOT, Tree};
use crate::{FinalChoice, Limits, Sampled, Tried, UctPolicy};
use ranka_core::{Actor, Position, Rng, Seat};

/// How often the clock and the cancel flag are looked at, in playouts.
const LOOK_EVERY: u64 = 16;

/// The first report of progress, in playouts; then whenever their number has doubled.
const FIRST_REPORT: u64 = 1024;

/// What N is in `mean + c·√(ln N / n)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// The visits of the parent; after an action of chance, how often the child was available.
    Parent,
    /// All playouts so far, at every node (TUBSTAP's author).
    Root,
}

/// By whose values a seat chooses inside the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Perspective {
    /// By its own: everybody wants to win.
    Own,
    /// By those of the seat to act at the root, as if everybody wanted that seat to win (TUBSTAP's
    /// author; for replication).
    Root,
}

/// How the tree treats chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// What chance did is no part of the tree: nodes are sequences of the seats' actions.
    OpenLoop,
    /// Every outcome that was drawn has a node, reached as often as it is drawn.
    Nodes,
}

/// Progressive widening: of a node with N visits only the first `factor · N^power` actions are considered,
/// rounded up, in the order of their priors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// The factor.
    pub factor: f64,
    /// The power, below 1.
    pub power: f64,
}

/// The numbers and rules of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UctConfig {
    /// The c of the upper confidence bound.
    pub exploration: f64,
    /// What the bound takes for N.
    pub total: Total,
    /// A node gets children when it was visited more often than this.
    pub threshold: u32,
    /// By whose values seats choose.
    pub perspective: Perspective,
    /// How the tree treats chance.
    pub chance: Chance,
    /// What an action counts for while it was never tried, if the policy has no prior for it; without
    /// this, actions that were never tried come first.
    pub first_play: Option<f64>,
    /// Actions with less merit than this do not enter the tree; if none has as much, those with the most do.
    pub prune: Option<f64>,
    /// Whether few actions are considered at first.
    pub widening: Option<Widening>,
    /// Which action is chosen in the end.
    pub choice: FinalChoice,
    /// The most memory that the tree may take, in bytes (though the root's actions always find room). When
    /// it is used up the tree grows no further, and the search goes on in it.
    pub memory: usize,
}

impl Default for UctConfig {
    fn default() -> UctConfig {
        UctConfig {
            exploration: std::f64::consts::SQRT_2,
            total: Total::Parent,
            threshold: 0,
            perspective: Perspective::Own,
            chance: Chance::OpenLoop,
            first_play: None,
            prune: None,
            widening: None,
            choice: FinalChoice::VisitsThenMean,
            memory: 256 << 20,
        }
    }
}

/// A tree searcher: a configuration, a policy, and memory that is used again in the next search.
pub struct Uct<P: Position, L: UctPolicy<P>> {
    /// The configuration.
    pub config: UctConfig,
    /// The policy.
    pub policy: L,
    tree: Tree<(Seat, P::Action)>,
    /// The deepest that the tree was walked.
    depth: u32,
    /// The nodes and the steps of the current iteration.
    path: Vec<u32>,
    steps: Vec<(Seat, P::Action)>,
    /// The children among which to choose now.
    slots: Vec<u32>,
    list: Vec<P::Action>,
    sorted: Vec<(P::Action, u32)>,
    ranked: Vec<(f64, u32, P::Action)>,
    merits: Vec<f64>,
}

impl<P: Position, L: UctPolicy<P>> Uct<P, L> {
    /// A searcher.
    pub fn new(config: UctConfig, policy: L) -> Uct<P, L> {
        Uct {
            config,
            policy,
            tree: Tree::new(),
            depth: 0,
            path: Vec::new(),
            steps: Vec::new(),
            slots: Vec::new(),
            list: Vec::new(),
            sorted: Vec::new(),
            ranked: Vec::new(),
            merits: Vec::new(),
        }
    }

    /// What one node takes of the memory, in bytes.
    pub const fn bytes_per_node(seats: usize) -> usize {
        Tree::<(Seat, P::Action)>::bytes_per_node(seats)
    }

    /// Searches for the seat to act until the limits (in playouts) are used up; without any it never
    /// ends. There is at least one playout, unless the search was cancelled before: then there is no answer.
    /// A single legal action is chosen without search. `report` hears of progress ever more rarely.
    ///
    /// # Panics
    /// If no seat is to act.
    pub fn search(
        &mut self,
        root: &P,
        limits: Limits<'_>,
        rng: &mut Rng,
        report: &mut dyn FnMut(&Sampled<P::Action>),
    ) -> Option<Sampled<P::Action>> {
        let Actor::Seat(seat) = root.actor() else { panic!("nobody is to act") };
        let mut checker = LimitChecker::new(limits, LOOK_EVERY);
        self.list.clear();
        root.actions(&mut self.list);
        self.tree.reset(root.seats(), self.config.memory, 1 + self.list.len());
        self.depth = 0;
        if let [only] = self.list[..] {
            return Some(Sampled::forced(only));
        }
        checker.lenient(true);
        let mut next_report = FIRST_REPORT;
        while checker.go_on() {
            self.iterate(root, seat, rng);
            if checker.count() == 1 {
                checker.lenient(false);
            }
            if checker.count() == next_report {
                next_report *= 2;
                report(&self.found(root, seat, &checker)?);
            }
        }
        self.found(root, seat, &checker)
    }

    /// One way through the tree, and a playout from where it ends.
    fn iterate(&mut self, root: &P, root_seat: Seat, rng: &mut Rng) {
        let mut position = root.clone();
        let mut node = ROOT;
        let mut open = false;
        self.path.clear();
        self.path.push(ROOT);
        self.steps.clear();
        'tree: loop {
            while position.actor() == Actor::Chance {
                let drawn = position.draw(rng);
                position.apply(drawn);
                match self.config.chance {
                    Chance::OpenLoop => open = true,
                    Chance::Nodes => {
                        let Some(child) = self.drawn_child(node, drawn) else { break 'tree };
                        node = child;
                        self.path.push(node);
                    }
                }
            }
            let Actor::Seat(seat) = position.actor() else { break };
            if !self.gather(node, &position, seat, open) {
                break;
            }
            let by = if self.config.perspective == Perspective::Own { seat } else { root_seat };
            node = self.select(node, by, open);
            let (_, action) = self.tree.node(node).step.expect("a child comes from an action");
            position.apply(action);
            self.path.push(node);
            self.steps.push((seat, action));
        }
        self.depth = self.depth.max(self.steps.len() as u32);
        self.policy.playout(&mut position, rng, &mut self.list);
        let values = self.policy.value(&position);
        for &id in &self.path {
            self.tree.record(id, &values);
        }
        self.policy.learn(&self.steps, &values[..root.seats()]);
    }

    /// The child of a node for what chance drew, added while there is room.
    fn drawn_child(&mut self, node: u32, drawn: P::Action) -> Option<u32> {
        let tree = &mut self.tree;
        let known =
            tree.children(node).find(|&id| tree.node(id).step.is_some_and(|(_, action)| action == drawn));
        // Nobody acted; which seat stands there is never asked.
        known.or_else(|| tree.has_room(1).then(|| tree.add(node, (Seat::FIRST, drawn), 0.0)))
    }

    /// Collects the children of a node among which to choose, adding what is missing; false if the tree ends
    /// here for now. A forced action never waits for the threshold, because there is nothing to learn first.
    fn gather(&mut self, node: u32, position: &P, seat: Seat, open: bool) -> bool {
        self.slots.clear();
        let visits = self.tree.node(node).visits;
        if open || !self.tree.has_children(node) {
            let ripe = node == ROOT || visits > self.config.threshold;
            // Where chance has no hand in it, the first visit told whether the action is forced.
            if !ripe && !open && visits > 0 {
                return false;
            }
            self.list.clear();
            position.actions(&mut self.list);
            if !ripe && self.list.len() > 1 {
                return false;
            }
            self.prune(position);
            if self.config.widening.is_some() {
                self.rank(position);
            }
            if open {
                self.list.truncate(self.width(visits));
                self.match_children(node, position, seat);
                return !self.slots.is_empty();
            }
            if !self.tree.has_room(self.list.len()) {
                return false;
            }
            for &action in self.list.iter().rev() {
                let prior = prior(&self.policy, &self.config, position, action);
                self.tree.add(node, (seat, action), prior);
            }
        }
        let width = self.width(visits);
        self.slots.extend(self.tree.children(node).take(width));
        true
    }

    /// How many actions are considered after so many visits.
    fn width(&self, visits: u32) -> usize {
        self.config.widening.map_or(usize::MAX, |widening| {
            let width = widening.factor * libm::pow(f64::from(visits.max(1)), widening.power);
            (width.ceil() as usize).max(1)
        })
    }

    /// Finds the child of every listed action, or adds it while there is room.
    fn match_children(&mut self, node: u32, position: &P, seat: Seat) {
        self.sorted.clear();
        self.sorted.extend(self.list.iter().zip(0..).map(|(&action, place)| (action, place)));
        self.sorted.sort_unstable();
        self.slots.resize(self.list.len(), NONE);
        for child in self.tree.children(node) {
            let (by, action) = self.tree.node(child).step.expect("a child comes from an action");
            if by == seat
                && let Ok(found) = self.sorted.binary_search_by_key(&action, |&(action, _)| action)
            {
                self.slots[self.sorted[found].1 as usize] = child;
            }
        }
        for (slot, &action) in self.slots.iter_mut().zip(&self.list) {
            if *slot == NONE && self.tree.has_room(1) {
                let prior = prior(&self.policy, &self.config, position, action);
                *slot = self.tree.add(node, (seat, action), prior);
            }
        }
        self.slots.retain(|&slot| slot != NONE);
    }

    /// The most promising of the collected children; the first of equals.
    fn select(&mut self, node: u32, by: Seat, open: bool) -> u32 {
        let per_child = open && self.config.total == Total::Parent;
        let total = match self.config.total {
            Total::Parent => self.tree.node(node).visits,
            Total::Root => self.tree.node(ROOT).visits,
        };
        let log_total = libm::log(f64::from(total));
        let mut best = (self.slots[0], f64::NEG_INFINITY);
        for &id in &self.slots {
            let child = self.tree.node(id);
            let promise = if child.visits == 0 {
                child.prior
            } else {
                let log = if per_child { libm::log(f64::from(child.available)) } else { log_total };
                let bonus = self.config.exploration * (log / f64::from(child.visits)).sqrt();
                self.tree.mean(id, by) + bonus
            };
            if promise > best.1 {
                best = (id, promise);
            }
        }
        if open {
            self.slots.iter().for_each(|&id| self.tree.was_available(id));
        }
        best.0
    }

    /// Keeps the listed actions that have enough merit, or else those that have the most.
    fn prune(&mut self, position: &P) {
        let Some(least) = self.config.prune else { return };
        self.merits.clear();
        self.merits.extend(self.list.iter().map(|&action| self.policy.merit(position, action)));
        let most = self.merits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut merits = self.merits.iter();
        self.list.retain(|_| merits.next().is_some_and(|&merit| merit >= least.min(most)));
    }

    /// Puts the listed actions into the order of their priors.
    fn rank(&mut self, position: &P) {
        let priors = self.list.iter().map(|&action| prior(&self.policy, &self.config, position, action));
        self.ranked.clear();
        self.ranked
            .extend(priors.zip(0..).zip(&self.list).map(|((prior, place), &action)| (prior, place, action)));
        self.ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.list.clear();
        self.list.extend(self.ranked.iter().map(|&(_, _, action)| action));
    }

    /// What the tree says now; nothing before the first playout.
    fn found(&self, root: &P, seat: Seat, checker: &LimitChecker<'_>) -> Option<Sampled<P::Action>> {
        let tree = &self.tree;
        let mut order = Vec::new();
        root.actions(&mut order);
        let mut children: Vec<(usize, u32)> = tree
            .children(ROOT)
            .filter_map(|id| {
                let (_, action) = tree.node(id).step?;
                Some((order.iter().position(|&listed| listed == action)?, id))
            })
            .collect();
        children.sort_unstable();
        let actions = children.iter().map(|&(place, id)| Tried {
            action: order[place],
            visits: u64::from(tree.node(id).visits),
            mean: if tree.node(id).visits > 0 { tree.mean(id, seat) } else { 0.0 },
            line: self.line(root, seat, id),
        });
        let actions: Vec<_> = actions.collect();
        let choice = self.config.choice.choose(actions.iter().map(|tried| (tried.visits, tried.mean)))?;
        Some(Sampled {
            actions,
            choice,
            playouts: checker.count(),
            depth: self.depth,
            nodes: tree.len(),
            stopped: checker.stopped(),
        })
    }

    /// Follows the choices that would be made from a child of the root on, up to the next action of chance.
    fn line(&self, root: &P, root_seat: Seat, child: u32) -> Vec<P::Action> {
        let (mut position, mut node, mut line) = (root.clone(), child, Vec::new());
        while let Some((_, action)) = self.tree.node(node).step {
            position.apply(action);
            line.push(action);
            let Actor::Seat(seat) = position.actor() else { break };
            let by = if self.config.perspective == Perspective::Own { seat } else { root_seat };
            let tried = self.tree.children(node).map(|id| {
                let visits = u64::from(self.tree.node(id).visits);
                (visits, if visits > 0 { self.tree.mean(id, by) } else { 0.0 })
            });
            let Some(next) = self.config.choice.choose(tried) else { break };
            node = self.tree.children(node).nth(next).expect("it was chosen among the children");
        }
        line
    }
}

/// What an action that was never tried counts for.
fn prior<P: Position, L: UctPolicy<P>>(
    policy: &L,
    config: &UctConfig,
    position: &P,
    action: P::Action,
) -> f64 {
    policy.prior(position, action).or(config.first_play).unwrap_or(f64::INFINITY)
}
