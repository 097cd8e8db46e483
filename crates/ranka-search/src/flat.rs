//! Flat Monte Carlo: playouts after each action, and no tree.

use crate::limits::LimitChecker;
use crate::{FinalChoice, Limits, Sampled, Tried, UctPolicy};
use ranka_core::{Actor, MAX_SEATS, Position, Rng};

/// How often the clock and the cancel flag are looked at, in playouts.
const LOOK_EVERY: u64 = 16;

/// Which action gets the next playout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FlatRule {
    /// Each in turn. The playouts come in whole rounds, as many as fit into the count, but at least one.
    Equal,
    /// The one with the highest `mean + c·√(ln N / n)`, where those never tried come first.
    Ucb1 {
        /// The c.
        exploration: f64,
    },
}

/// A flat searcher.
pub struct Flat<L> {
    /// Which action gets the next playout.
    pub rule: FlatRule,
    /// Which action is chosen in the end.
    pub choice: FinalChoice,
    /// Playouts and their values; the other hooks but [`learn`](UctPolicy::learn) are not asked.
    pub policy: L,
}

impl<L> Flat<L> {
    /// A searcher that chooses the highest mean.
    pub const fn new(rule: FlatRule, policy: L) -> Flat<L> {
        Flat { rule, choice: FinalChoice::Mean, policy }
    }

    /// Searches for the seat to act until the limits (in playouts) are used up; without any it never
    /// ends. Every action is tried at least once, unless the search is cancelled meanwhile: then there is no
    /// answer. A single legal action is chosen without search.
    ///
    /// # Panics
    /// If no seat is to act.
    pub fn search<P: Position>(
        &mut self,
        root: &P,
        limits: Limits<'_>,
        rng: &mut Rng,
    ) -> Option<Sampled<P::Action>>
    where
        L: UctPolicy<P>,
    {
        self.search_worlds(|_| root.clone(), limits, rng)
    }

    /// The same where something is hidden: every playout begins in a world that is drawn for it. To the seat that
    /// searches all of them look alike, so it has the same actions in all.
    ///
    /// # Panics
    /// If no seat is to act.
    pub fn search_worlds<P: Position>(
        &mut self,
        mut world: impl FnMut(&mut Rng) -> P,
        limits: Limits<'_>,
        rng: &mut Rng,
    ) -> Option<Sampled<P::Action>>
    where
        L: UctPolicy<P>,
    {
        let first = world(rng);
        let Actor::Seat(seat) = first.actor() else { panic!("nobody is to act") };
        let mut list = Vec::new();
        first.actions(&mut list);
        let mut tried: Vec<_> =
            list.iter().map(|&action| Tried { action, visits: 0, mean: 0.0, line: vec![action] }).collect();
        let arms = tried.len();
        let mut sums = vec![0.0; arms];
        let mut limits = limits;
        if self.rule == FlatRule::Equal && limits.count < u64::MAX {
            limits.count -= limits.count % arms as u64;
        }
        let mut checker = LimitChecker::new(limits, LOOK_EVERY);
        checker.lenient(true);
        while arms > 1 && checker.go_on() {
            let done = checker.count() - 1;
            let arm = match self.rule {
                _ if done < arms as u64 => done as usize,
                FlatRule::Equal => (done % arms as u64) as usize,
                FlatRule::Ucb1 { exploration } => {
                    let log = libm::log(done as f64);
                    let promise = |arm: usize| {
                        let visits = tried[arm].visits as f64;
                        sums[arm] / visits + exploration * (log / visits).sqrt()
                    };
                    (1..arms).fold(0, |best, arm| if promise(arm) > promise(best) { arm } else { best })
                }
            };
            let mut position = world(rng);
            position.apply(tried[arm].action);
            self.policy.playout(&mut position, rng, &mut list);
            let values: [f64; MAX_SEATS] = self.policy.value(&position);
            tried[arm].visits += 1;
            sums[arm] += values[seat.index()];
            self.policy.learn(&[(seat, tried[arm].action)], &values[..first.seats()]);
            if checker.count() == arms as u64 {
                checker.lenient(false);
            }
        }
        if arms > 1 && tried[arms - 1].visits == 0 {
            return None;
        }
        for (tried, sum) in tried.iter_mut().zip(sums).filter(|(tried, _)| tried.visits > 0) {
            tried.mean = sum / tried.visits as f64;
        }
        let choice = self.choice.choose(tried.iter().map(|tried| (tried.visits, tried.mean))).unwrap_or(0);
        let (playouts, stopped) = (checker.count(), checker.stopped());
        let depth = u32::from(playouts > 0);
        Some(Sampled { actions: tried, choice, playouts, depth, nodes: 1, stopped })
    }
}
