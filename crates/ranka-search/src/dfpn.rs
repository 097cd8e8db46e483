//! df-pn: can the seat to act force its goal within so many actions, whatever the other does?
//!
//! Depth-first proof-number search for two seats, open information and no chance. It looks where the fewest
//! positions have to be decided, so that it finds narrow forced wins far beyond what alpha-beta reaches. The
//! number of actions that are left is part of what is being proved: nothing repeats then, and the answer is
//! exact.

use crate::limits::LimitChecker;
use crate::{Limits, Stop};
use ranka_core::{Actor, Keyed, Position, Seat};
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;

/// Beyond every number of positions that is still to be decided: never.
const NEVER: u32 = u32::MAX / 4;

/// How often the clock and the cancel flag are looked at, in positions.
const LOOK_EVERY: u64 = 256;

/// What the attacker wants.
pub trait Goal<P: Position> {
    /// Whether the attacker has it (`true`) or can no longer get it (`false`); nothing if that is open. Asked at
    /// every position but the root. A finished game must be decided.
    fn decided(&self, position: &P, attacker: Seat) -> Option<bool>;
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forced<A> {
    /// An action that forces the goal, and within how many actions; nothing if none was found.
    pub win: Option<(A, u32)>,
    /// Positions looked at.
    pub nodes: u64,
    /// Why the search gave up. If it did not, and found nothing, nothing can be forced within the depths asked
    /// for.
    pub stopped: Option<Stop>,
}

/// How many positions must still be decided, at least, to prove and to disprove something.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const OPEN: Numbers = Numbers { proof: 1, disproof: 1 };
    const PROVED: Numbers = Numbers { proof: 0, disproof: NEVER };
    const DISPROVED: Numbers = Numbers { proof: NEVER, disproof: 0 };
}

/// A position one action away.
#[derive(Clone, Copy)]
struct Child {
    key: u64,
    numbers: Numbers,
}

/// A searcher: a goal, and what it has found out during one question.
pub struct DfPn<P: Keyed, G: Goal<P>> {
    goal: G,
    known: FxHashMap<u64, Numbers>,
    entries: usize,
    /// All levels share these lists: each appends its own actions and takes them away again.
    actions: Vec<P::Action>,
    children: Vec<Child>,
}

impl<P: Keyed, G: Goal<P>> DfPn<P, G> {
    /// A searcher that remembers at most so many positions.
    pub fn new(goal: G, entries: usize) -> DfPn<P, G> {
        DfPn { goal, known: FxHashMap::default(), entries, actions: Vec::new(), children: Vec::new() }
    }

    /// Whether the seat to act can force its goal within one of these numbers of actions, tried in turn: with
    /// `1..=9` the quickest way is found. The limits count positions.
    ///
    /// # Panics
    /// If no seat is to act.
    pub fn solve(&mut self, root: &P, depths: RangeInclusive<u32>, limits: Limits<'_>) -> Forced<P::Action> {
        let attacker = root.actor().seat().expect("a seat is to act");
        let mut checker = LimitChecker::new(limits, LOOK_EVERY);
        self.known.clear();
        self.actions.clear();
        self.children.clear();
        for depth in depths.filter(|&depth| depth > 0) {
            let most = Numbers { proof: NEVER, disproof: NEVER };
            let numbers = self.expand(root, attacker, depth, most, &mut checker);
            if let Some(stopped) = checker.stopped() {
                return Forced { win: None, nodes: checker.count(), stopped: Some(stopped) };
            }
            if numbers.proof == 0 {
                let action = self.winning(root, attacker, depth, &mut checker);
                return Forced {
                    win: action.map(|action| (action, depth)),
                    nodes: checker.count(),
                    stopped: checker.stopped(),
                };
            }
        }
        Forced { win: None, nodes: checker.count(), stopped: None }
    }

    /// The action that was proved. The table answers, unless it was full.
    fn winning(
        &mut self,
        root: &P,
        attacker: Seat,
        depth: u32,
        checker: &mut LimitChecker<'_>,
    ) -> Option<P::Action> {
        let mut actions = Vec::new();
        root.actions(&mut actions);
        let proved = |search: &DfPn<P, G>, action: P::Action| {
            let child = search.child(&after(root, action), attacker, depth - 1);
            child.numbers.proof == 0
        };
        if let Some(&action) = actions.iter().find(|&&action| proved(self, action)) {
            return Some(action);
        }
        let most = Numbers { proof: NEVER, disproof: NEVER };
        actions.into_iter().find(|&action| {
            let next = after(root, action);
            let open = self.child(&next, attacker, depth - 1).numbers.disproof != 0;
            open && self.expand(&next, attacker, depth - 1, most, checker).proof == 0
        })
    }

    /// What is known of a position with so many actions left.
    #[inline]
    fn child(&self, position: &P, attacker: Seat, left: u32) -> Child {
        let key = position.key() ^ u64::from(left).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let numbers = match self.goal.decided(position, attacker) {
            Some(true) => Numbers::PROVED,
            Some(false) => Numbers::DISPROVED,
            None if left == 0 => Numbers::DISPROVED,
            None => self.known.get(&key).copied().unwrap_or(Numbers::OPEN),
        };
        Child { key, numbers }
    }

    /// Looks on below an open position until one of its numbers reaches `most`.
    fn expand(
        &mut self,
        position: &P,
        attacker: Seat,
        left: u32,
        most: Numbers,
        checker: &mut LimitChecker<'_>,
    ) -> Numbers {
        if !checker.go_on() {
            return Numbers::OPEN;
        }
        let attacks = match position.actor() {
            Actor::Seat(seat) => seat == attacker,
            Actor::Chance => panic!("df-pn is for games without chance"),
            Actor::Over => panic!("a finished game was not decided"),
        };
        let start = self.actions.len();
        position.actions(&mut self.actions);
        for i in start..self.actions.len() {
            let child = self.child(&after(position, self.actions[i]), attacker, left - 1);
            self.children.push(child);
        }
        let numbers = loop {
            let (numbers, best, second) = summary(&self.children[start..], attacks);
            if numbers.proof >= most.proof || numbers.disproof >= most.disproof {
                break numbers;
            }
            let child = self.children[start + best].numbers;
            // The best child is looked at until it is no longer the best, or this position has what it needs.
            let most = if attacks {
                Numbers {
                    proof: most.proof.min(second.saturating_add(1)),
                    disproof: most.disproof - (numbers.disproof - child.disproof),
                }
            } else {
                Numbers {
                    proof: most.proof - (numbers.proof - child.proof),
                    disproof: most.disproof.min(second.saturating_add(1)),
                }
            };
            let next = after(position, self.actions[start + best]);
            let found = self.expand(&next, attacker, left - 1, most, checker);
            if checker.stopped().is_some() {
                break numbers;
            }
            let child = &mut self.children[start + best];
            child.numbers = found;
            let key = child.key;
            if self.known.len() < self.entries || self.known.contains_key(&key) {
                self.known.insert(key, found);
            }
        };
        self.actions.truncate(start);
        self.children.truncate(start);
        numbers
    }
}

fn after<P: Position>(position: &P, action: P::Action) -> P {
    let mut next = position.clone();
    next.apply(action);
    next
}

/// The numbers of a position from those of its children: the attacker needs one proof and the defender all, and
/// the other way round for disproofs. Also the place of the child to look at, and how hard its rival is.
#[inline]
fn summary(children: &[Child], attacks: bool) -> (Numbers, usize, u32) {
    let (mut least, mut second, mut best) = (u32::MAX, u32::MAX, 0);
    let (mut sum, mut decided) = (0u32, false);
    for (i, child) in children.iter().enumerate() {
        let Numbers { proof, disproof } = child.numbers;
        let (one, all) = if attacks { (proof, disproof) } else { (disproof, proof) };
        if one < least {
            (second, least, best) = (least, one, i);
        } else if one < second {
            second = one;
        }
        decided |= all == NEVER;
        sum = sum.saturating_add(all);
    }
    // A sum of many is not yet never.
    let all = if decided { NEVER } else { sum.min(NEVER - 1) };
    let one = least.min(NEVER);
    let numbers =
        if attacks { Numbers { proof: one, disproof: all } } else { Numbers { proof: all, disproof: one } };
    (numbers, best, second)
}
