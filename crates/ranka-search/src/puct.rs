//! PUCT: tree search led by an evaluator, a network say, that gives every position a policy and values (Silver et al.
//! 2017).
//!
//! Any number of seats, several actions a turn, chance (an open loop, or what the seat sees of it where something is hidden)
//! and hidden information: every iteration walks through a world that is drawn for it, in a tree of what the searching
//! seat can tell apart, as in [`Ismcts`](crate::Ismcts). A walk ends where some action has no prior yet; there the
//! evaluator is asked. Walks can be gathered and evaluated together: until its values are known, a walk counts as one that
//! lost, so that the next one goes elsewhere.

use crate::information::InfoTree;
use crate::limits::LimitChecker;
use crate::tree::NONE;
use crate::{Eyes, FinalChoice, Limits, Sampled, Values};
use ranka_core::{Actor, MAX_SEATS, Position, Rng, Seat};

/// The first report of progress, in walks; then whenever their number has doubled.
const FIRST_REPORT: u64 = 256;

/// A position to be evaluated, with room for the answer.
#[derive(Clone, Debug)]
pub struct Leaf<P: Position> {
    position: P,
    seat: Seat,
    actions: Vec<P::Action>,
    /// To be filled: how likely each action is, or anything in proportion to that.
    pub priors: Vec<f64>,
    /// To be filled: what the position is worth to each seat, 0 to 1.
    pub values: Values,
}

impl<P: Position> Leaf<P> {
    /// The position. A seat is to act.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// That seat.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// What it can do, in canonical order.
    pub fn actions(&self) -> &[P::Action] {
        &self.actions
    }
}

/// What a search asks of a network: a policy and values.
pub trait LeafEvaluator<P: Position> {
    /// Fills in the priors and values of all leaves, together if that is quicker. Priors are 1 and values 0 before.
    fn evaluate(&mut self, leaves: &mut [Leaf<P>]);
}

/// The numbers and rules of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PuctConfig {
    /// The c in `mean + c·prior·√N / (1 + n)`, where N is how often the action could have been chosen.
    pub exploration: f64,
    /// What an action that was never tried counts for: the mean of its node less this, and not below 0.
    pub reduction: f64,
    /// How many walks are evaluated together.
    pub batch: usize,
    /// Which action is chosen in the end.
    pub choice: FinalChoice,
    /// The most memory that the tree may take, in bytes (though the root's actions always find room). When
    /// it is used up the tree grows no further, and the search goes on in it.
    pub memory: usize,
}

impl Default for PuctConfig {
    fn default() -> PuctConfig {
        PuctConfig {
            exploration: 1.25,
            reduction: 0.1,
            batch: 1,
            choice: FinalChoice::VisitsThenMean,
            memory: 256 << 20,
        }
    }
}

/// A searcher: a configuration, an evaluator, and memory that is used again in the next search.
pub struct Puct<P: Position, V> {
    /// The configuration.
    pub config: PuctConfig,
    /// The evaluator.
    pub evaluator: V,
    info: InfoTree<P::Action>,
    /// The leaves of this batch, the first `waiting` of a vector that only grows, and the walks to them.
    leaves: Vec<Leaf<P>>,
    walks: Vec<Vec<u32>>,
    waiting: usize,
    priors: Vec<f64>,
}

impl<P: Position, V: LeafEvaluator<P>> Puct<P, V> {
    /// A searcher.
    pub fn new(config: PuctConfig, evaluator: V) -> Puct<P, V> {
        Puct {
            config,
            evaluator,
            info: InfoTree::new(),
            leaves: Vec::new(),
            walks: Vec::new(),
            waiting: 0,
            priors: Vec::new(),
        }
    }

    /// Searches for the seat to act until the limits (in walks) are used up; without any it never ends. `world` draws a
    /// world; all that it draws look the same to the seat, whose `eyes` tell what it sees of what follows
    /// ([`AllSeeing`](crate::AllSeeing) where nothing is hidden). There are at least two walks, one to evaluate the root and one beyond,
    /// unless the search was cancelled before: then there is no answer. A single legal action is chosen without search.
    /// `report` hears of progress ever more rarely.
    ///
    /// # Panics
    /// If no seat is to act.
    pub fn search<E: Eyes<P>>(
        &mut self,
        eyes: &E,
        mut world: impl FnMut(&mut Rng) -> P,
        limits: Limits<'_>,
        rng: &mut Rng,
        report: &mut dyn FnMut(&Sampled<P::Action>),
    ) -> Option<Sampled<P::Action>> {
        let first = world(rng);
        let Actor::Seat(seat) = first.actor() else { panic!("nobody is to act") };
        if let Some(only) = self.info.reset(&first, self.config.memory) {
            return Some(Sampled::forced(only));
        }
        // An evaluation takes long, so the clock is looked at before each.
        let mut checker = LimitChecker::new(limits, 1);
        checker.lenient(true);
        let mut next_report = FIRST_REPORT;
        loop {
            // The root is evaluated alone: all walks of a batch would end there.
            let batch = if checker.count() == 0 { 1 } else { self.config.batch.max(1) };
            self.waiting = 0;
            let mut goes_on = true;
            while self.waiting < batch && goes_on {
                goes_on = checker.go_on();
                if goes_on {
                    self.walk(eyes, world(rng), rng);
                }
                if checker.count() == 2 {
                    checker.lenient(false);
                }
            }
            self.resolve(eyes);
            if !goes_on {
                return self.info.found(&first, seat, self.config.choice, &checker);
            }
            if checker.count() >= next_report {
                next_report *= 2;
                report(&self.info.found(&first, seat, self.config.choice, &checker)?);
            }
        }
    }

    /// One way through the tree in a world, to the end of the game or to a leaf that waits to be evaluated.
    fn walk<E: Eyes<P>>(&mut self, eyes: &E, mut position: P, rng: &mut Rng) {
        self.info.begin();
        loop {
            while position.actor() == Actor::Chance {
                let drawn = position.draw(rng);
                position.apply(drawn);
            }
            let Actor::Seat(seat) = position.actor() else {
                let mut values = [0.0; MAX_SEATS];
                let outcome = position.outcome();
                values[..outcome.scores().len()].copy_from_slice(outcome.scores());
                self.info.path.iter().for_each(|&id| self.info.tree.record(id, &values));
                return;
            };
            let room = self.info.look(eyes, &position);
            self.info.gather(eyes, &position, seat);
            if !room || self.info.slots.contains(&NONE) {
                return self.wait(position, seat);
            }
            let place = self.select(seat);
            self.info.take(&mut position, seat, place, rng);
        }
    }

    /// The most promising choice; the first of equals.
    fn select(&mut self, seat: Seat) -> usize {
        let info = &mut self.info;
        info.slots.iter().for_each(|&id| info.tree.was_available(id));
        let here = info.here();
        let node = info.tree.node(here);
        let mean = if node.visits > 0 { info.tree.mean(here, seat) } else { 0.0 };
        let untried = (mean - self.config.reduction).max(0.0);
        let all: f64 = info.slots.iter().map(|&id| info.tree.node(id).prior).sum();
        let share = |prior: f64| if all > 0.0 { prior / all } else { 1.0 / info.slots.len() as f64 };
        let mut best = (0, f64::NEG_INFINITY);
        for (place, &id) in info.slots.iter().enumerate() {
            let child = info.tree.node(id);
            let mean = if child.visits > 0 { info.tree.mean(id, seat) } else { untried };
            let often = f64::from(child.available).sqrt() / f64::from(1 + child.visits);
            let promise = mean + self.config.exploration * share(child.prior) * often;
            if promise > best.1 {
                best = (place, promise);
            }
        }
        best.0
    }

    /// Puts the position at which the walk ended among those to be evaluated.
    fn wait(&mut self, position: P, seat: Seat) {
        let info = &mut self.info;
        info.path.iter().for_each(|&id| info.tree.visit(id));
        if self.waiting == self.leaves.len() {
            let values = [0.0; MAX_SEATS];
            let leaf = Leaf { position, seat, actions: Vec::new(), priors: Vec::new(), values };
            self.leaves.push(leaf);
            self.walks.push(Vec::new());
        } else {
            let leaf = &mut self.leaves[self.waiting];
            (leaf.position, leaf.seat, leaf.values) = (position, seat, [0.0; MAX_SEATS]);
        }
        let leaf = &mut self.leaves[self.waiting];
        leaf.actions.clear();
        leaf.position.actions(&mut leaf.actions);
        leaf.priors.clear();
        leaf.priors.resize(leaf.actions.len(), 1.0);
        self.walks[self.waiting].clone_from(&info.path);
        self.waiting += 1;
    }

    /// Has the waiting leaves evaluated, adds what is missing to the tree and gives every walk its values.
    fn resolve<E: Eyes<P>>(&mut self, eyes: &E) {
        let (leaves, info) = (&mut self.leaves[..self.waiting], &mut self.info);
        if leaves.is_empty() {
            return;
        }
        self.evaluator.evaluate(leaves);
        for (leaf, walk) in leaves.iter().zip(&self.walks) {
            info.path.clone_from(walk);
            info.gather(eyes, &leaf.position, leaf.seat);
            // What is seen keeps its order, so the actions are gone through once.
            self.priors.clear();
            self.priors.resize(info.slots.len(), 0.0);
            let mut seen = 0;
            for (action, prior) in leaf.actions.iter().zip(&leaf.priors) {
                let visible = info.list.get(seen) == Some(action);
                self.priors[if visible { seen } else { info.list.len() }] += prior;
                seen += usize::from(visible);
            }
            let missing = info.slots.iter().filter(|&&id| id == NONE).count();
            if info.tree.has_room(missing) {
                // Backwards, so that the children stand in canonical order.
                for place in (0..info.slots.len()).rev() {
                    if info.slots[place] == NONE {
                        info.add(leaf.seat, place, self.priors[place]);
                    }
                }
            }
            walk.iter().for_each(|&id| info.tree.credit(id, &leaf.values));
        }
    }
}
