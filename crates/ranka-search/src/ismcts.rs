//! Information set Monte Carlo tree search with a single observer (Cowling, Powley and Whitehouse 2012).
//!
//! Every iteration draws a world that looks to the searching seat like the present, and walks through one tree in it. Nodes
//! are what that seat can tell apart, so it cannot plan to act on what it does not know, as it does where each world is searched
//! alone; what an action reveals, later choices may depend on. The others are thought to know no more than that either.
//! Among the children that are legal in this world the upper confidence bound decides, where N is how often the child was
//! legal. Actions of others that are hidden from the seat are one choice to it: any of them, equally likely.

use crate::information::InfoTree;
use crate::limits::LimitChecker;
use crate::tree::NONE;
use crate::{Eyes, FinalChoice, Limits, Sampled, UctPolicy};
use ranka_core::{Actor, Position, Rng, Seat};

/// How often the clock and the cancel flag are looked at, in playouts.
const LOOK_EVERY: u64 = 16;

/// The first report of progress, in playouts; then whenever their number has doubled.
const FIRST_REPORT: u64 = 1024;

/// The numbers and rules of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IsmctsConfig {
    /// The c of the upper confidence bound.
    pub exploration: f64,
    /// Which action is chosen in the end.
    pub choice: FinalChoice,
    /// The most memory that the tree may take, in bytes (though the root's actions always find room). When
    /// it is used up the tree grows no further, and the search goes on in it.
    pub memory: usize,
}

impl Default for IsmctsConfig {
    fn default() -> IsmctsConfig {
        IsmctsConfig { exploration: 0.7, choice: FinalChoice::VisitsThenMean, memory: 256 << 20 }
    }
}

/// A searcher of information sets: a configuration, a policy for playouts and their values, and memory that is used
/// again in the next search.
pub struct Ismcts<A, L> {
    /// The configuration.
    pub config: IsmctsConfig,
    /// Playouts and their values; the other hooks but [`learn`](UctPolicy::learn) are not asked.
    pub policy: L,
    info: InfoTree<A>,
}

impl<A: Copy + Ord, L> Ismcts<A, L> {
    /// A searcher.
    pub fn new(config: IsmctsConfig, policy: L) -> Ismcts<A, L> {
        Ismcts { config, policy, info: InfoTree::new() }
    }

    /// Searches for the seat to act until the limits (in playouts) are used up; without any it never ends. `world` draws a
    /// world; all that it draws look the same to the seat, whose `eyes` tell what it sees of what follows. There is at
    /// least one playout, unless the search was cancelled before: then there is no answer. A single legal action is
    /// chosen without search. `report` hears of progress ever more rarely.
    ///
    /// # Panics
    /// If no seat is to act.
    pub fn search<P, E>(
        &mut self,
        eyes: &E,
        mut world: impl FnMut(&mut Rng) -> P,
        limits: Limits<'_>,
        rng: &mut Rng,
        report: &mut dyn FnMut(&Sampled<A>),
    ) -> Option<Sampled<A>>
    where
        P: Position<Action = A>,
        E: Eyes<P>,
        L: UctPolicy<P>,
    {
        let first = world(rng);
        let Actor::Seat(seat) = first.actor() else { panic!("nobody is to act") };
        if let Some(only) = self.info.reset(&first, self.config.memory) {
            return Some(Sampled::forced(only));
        }
        let mut checker = LimitChecker::new(limits, LOOK_EVERY);
        checker.lenient(true);
        let mut next_report = FIRST_REPORT;
        while checker.go_on() {
            self.iterate(eyes, world(rng), rng);
            if checker.count() == 1 {
                checker.lenient(false);
            }
            if checker.count() == next_report {
                next_report *= 2;
                report(&self.info.found(&first, seat, self.config.choice, &checker)?);
            }
        }
        self.info.found(&first, seat, self.config.choice, &checker)
    }

    /// One way through the tree in a world, and a playout from where it ends.
    fn iterate<P, E>(&mut self, eyes: &E, mut position: P, rng: &mut Rng)
    where
        P: Position<Action = A>,
        E: Eyes<P>,
        L: UctPolicy<P>,
    {
        let seats = position.seats();
        self.info.begin();
        loop {
            while position.actor() == Actor::Chance {
                let drawn = position.draw(rng);
                position.apply(drawn);
            }
            let Actor::Seat(seat) = position.actor() else { break };
            if !self.info.look(eyes, &position) {
                break;
            }
            self.info.gather(eyes, &position, seat);
            let fresh = self.untried(seat, rng);
            let Some(place) = fresh.or_else(|| self.select(seat)) else { break };
            let info = &mut self.info;
            info.slots.iter().filter(|&&id| id != NONE).for_each(|&id| info.tree.was_available(id));
            info.take(&mut position, seat, place, rng);
            if fresh.is_some() {
                break;
            }
        }
        self.policy.playout(&mut position, rng, &mut self.info.list);
        let values = self.policy.value(&position);
        for &id in &self.info.path {
            self.info.tree.record(id, &values);
        }
        self.policy.learn(&self.info.acts, &values[..seats]);
    }

    /// Any of the choices that were never tried, added to the tree; nothing if all were, or there is no room.
    fn untried(&mut self, seat: Seat, rng: &mut Rng) -> Option<usize> {
        let missing = self.info.slots.iter().filter(|&&id| id == NONE).count();
        if missing == 0 || !self.info.tree.has_room(1) {
            return None;
        }
        let drawn = rng.index(missing);
        let mut places = (0..self.info.slots.len()).filter(|&place| self.info.slots[place] == NONE);
        let place = places.nth(drawn)?;
        self.info.add(seat, place, 0.0);
        Some(place)
    }

    /// The most promising of the choices that are in the tree; the first of equals.
    fn select(&self, seat: Seat) -> Option<usize> {
        let tree = &self.info.tree;
        let mut best = None;
        for (place, &id) in self.info.slots.iter().enumerate().filter(|&(_, &id)| id != NONE) {
            let child = tree.node(id);
            let log = libm::log(f64::from(child.available));
            let bonus = self.config.exploration * (log / f64::from(child.visits)).sqrt();
            let promise = tree.mean(id, seat) + bonus;
            if best.is_none_or(|(_, highest)| promise > highest) {
                best = Some((place, promise));
            }
        }
        best.map(|(place, _)| place)
    }
}
