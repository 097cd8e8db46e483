//! Alpha-beta for two seats, open information and no chance; exactly as good as plain minimax.
//!
//! A seat may act several times running: whether a position maximises or minimises is decided by who is to
//! act in it. Values are always told for the seat to act, and change sign only where the actor changes.

use crate::limits::LimitChecker;
use crate::{Bound, Limits, Stop, TranspositionEntry, Transpositions};
use ranka_core::{Actor, Candidate, Keyed, Position, Scale, Seat, Thought};
use std::ops::RangeInclusive;

/// The deepest search: a table entry keeps its depth in a byte.
pub const MAX_DEPTH: u32 = u8::MAX as u32;

/// Beyond every value.
const INFINITY: i32 = i32::MAX;

/// How often the clock and the cancel flag are looked at, in positions.
const LOOK_EVERY: u64 = 2048;

/// What a position is worth. Values are told for `seat` (more is better) and are the opposite for the other
/// seat; they stay within ±2³⁰.
pub trait Evaluate<P: Position> {
    /// Whether [`settled`](Evaluate::settled) looks at `ply`. Then what the table knows of a position is used
    /// only at the same distance from the root.
    const COUNTS_PLIES: bool = false;

    /// The value of a position at the horizon.
    fn leaf(&self, position: &P, seat: Seat) -> i32;

    /// The value of a finished game, reached after `ply` actions from the root.
    fn terminal(&self, position: &P, seat: Seat, ply: u32) -> i32;

    /// The value of a position that needs no search, asked before anything else at every position but the
    /// root. Whoever overrides this to end lines early must still answer for finished games.
    #[inline]
    fn settled(&self, position: &P, seat: Seat, ply: u32) -> Option<i32> {
        position.actor().is_over().then(|| self.terminal(position, seat, ply))
    }

    /// Which actions to look at first: higher before lower, equal ones in canonical order. This changes
    /// how long a search takes and never what it finds.
    #[inline]
    fn order(&self, _position: &P, _action: P::Action) -> i32 {
        0
    }
}

/// What a depth counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthUnit {
    /// Every action.
    Action,
    /// Every change of the seat to act; further actions of the same seat are free. Only for games in which
    /// no seat can act for ever.
    Turn,
}

/// What is asked of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// The exact value of every action.
    Values,
    /// Only the first of the best actions in canonical order: what a loop finds in which strictly greater
    /// replaces. The others are searched just far enough.
    Best,
}

/// An action at the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored<A> {
    /// The action.
    pub action: A,
    /// Its exact value for the seat to act.
    pub value: i32,
    /// Best play, the action itself first, up to the position whose value this is; only the action
    /// itself if lines are not wanted or the search was stopped just then.
    pub line: Vec<A>,
}

/// What the last completed iteration found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<A> {
    /// How deep it looked.
    pub depth: u32,
    /// With [`Root::Values`] every action in canonical order, with [`Root::Best`] only the best.
    pub actions: Vec<Scored<A>>,
    /// Positions looked at in all iterations so far.
    pub nodes: u64,
    /// Whether no line met the horizon: searching deeper finds the same values.
    pub solved: bool,
    /// Why there was no further iteration, if more were asked for.
    pub stopped: Option<Stop>,
}

impl<A: Copy> Found<A> {
    /// The first of the best actions.
    pub fn best(&self) -> &Scored<A> {
        let first = &self.actions[0];
        self.actions.iter().fold(first, |best, next| if next.value > best.value { next } else { best })
    }

    /// The answer of an agent that chooses `choice`; its candidates are the actions, with their values
    /// divided by `unit`.
    pub fn thought(&self, choice: A, scale: Scale, unit: f64) -> Thought<A> {
        let candidates = self.actions.iter().map(|scored| Candidate {
            pv: scored.line.clone(),
            ..Candidate::valued(scored.action, f64::from(scored.value) / unit)
        });
        Thought {
            candidates: candidates.collect(),
            scale,
            nodes: self.nodes,
            depth: self.depth,
            ..Thought::plain(choice)
        }
    }
}

/// An alpha-beta searcher: an evaluation, and a table that is kept from search to search.
///
/// Its values equal those of plain minimax of the same depth, whatever the size of the table: a table entry
/// ends a line only if it was searched to exactly the depth that is needed, and otherwise only says
/// which action to look at first.
pub struct AlphaBeta<P: Keyed, E: Evaluate<P>> {
    evaluate: E,
    unit: DepthUnit,
    table: Transpositions,
    /// Whether the actions at the root shall come with their lines, which costs a little time.
    pub lines: bool,
    /// All levels share these lists: each appends its own actions and takes them away again.
    list: Vec<P::Action>,
    /// Beside each action of `list`, which one to look at first: (how early, place in canonical order).
    order: Vec<(i32, u16)>,
    /// Whether the part of the tree that is being looked at met the horizon.
    horizon: bool,
    nodes: u64,
}

impl<P: Keyed, E: Evaluate<P>> AlphaBeta<P, E> {
    /// A searcher with lines.
    pub fn new(evaluate: E, unit: DepthUnit, table: Transpositions) -> AlphaBeta<P, E> {
        let (list, order) = (Vec::new(), Vec::new());
        AlphaBeta { evaluate, unit, table, lines: true, list, order, horizon: false, nodes: 0 }
    }

    /// The evaluation.
    pub fn evaluate(&self) -> &E {
        &self.evaluate
    }

    /// Forgets what the table knows: a search then looks at the same positions whatever came before.
    pub fn forget(&mut self) {
        self.table.clear();
    }

    /// Positions looked at in all searches so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches for the seat to act, with every depth of `depths` in turn until the limits (in positions) are
    /// used up: `1..=12` is iterative deepening, `5..=5` a search of depth 5. The first depth is always
    /// completed, unless the search is cancelled meanwhile: then there is no answer. `report` hears of every
    /// completed iteration.
    ///
    /// # Panics
    /// If no seat is to act, or the depths are empty, 0 or beyond [`MAX_DEPTH`].
    pub fn search(
        &mut self,
        root: &P,
        goal: Root,
        depths: RangeInclusive<u32>,
        limits: Limits<'_>,
        report: &mut dyn FnMut(&Found<P::Action>),
    ) -> Option<Found<P::Action>> {
        assert!(
            !depths.is_empty() && *depths.start() > 0 && *depths.end() <= MAX_DEPTH,
            "depths {depths:?} are not within 1..={MAX_DEPTH}"
        );
        let mut checker = LimitChecker::new(limits, LOOK_EVERY);
        self.table.age();
        let mut found: Option<Found<P::Action>> = None;
        for depth in depths {
            checker.lenient(found.is_none());
            let first = found.as_ref().map(|found| found.best().action);
            match self.iteration(root, goal, depth, first, &mut checker) {
                Some(next) => {
                    report(&next);
                    let solved = next.solved;
                    found = Some(next);
                    if solved {
                        break;
                    }
                }
                None => {
                    if let Some(found) = &mut found {
                        found.stopped = checker.stopped();
                    }
                    break;
                }
            }
        }
        self.nodes += checker.count();
        found
    }

    /// The value of a position for `seat`, `ply` actions from what the evaluation takes for the root, if it
    /// lies strictly between `alpha` and `beta`; otherwise a bound on that side of the window. Nothing when
    /// the limits are used up before.
    ///
    /// # Panics
    /// If the depth is beyond [`MAX_DEPTH`].
    pub fn value_between(
        &mut self,
        position: &P,
        seat: Seat,
        (depth, ply): (u32, u32),
        (alpha, beta): (i32, i32),
        limits: Limits<'_>,
    ) -> Option<i32> {
        assert!(depth <= MAX_DEPTH, "depth {depth} is beyond {MAX_DEPTH}");
        let mut checker = LimitChecker::new(limits, LOOK_EVERY);
        let value = self.value(position, seat, depth, ply, alpha, beta, &mut checker);
        self.nodes += checker.count();
        checker.stopped().is_none().then_some(value)
    }

    fn iteration(
        &mut self,
        root: &P,
        goal: Root,
        depth: u32,
        first: Option<P::Action>,
        checker: &mut LimitChecker<'_>,
    ) -> Option<Found<P::Action>> {
        let seat = seat_to_act(root);
        let mut actions = Vec::new();
        root.actions(&mut actions);
        self.list.clear();
        self.order.clear();
        self.horizon = false;
        let mut scored = match goal {
            Root::Values => {
                let mut all = Vec::with_capacity(actions.len());
                for &action in &actions {
                    let value = self.after(root, seat, action, depth, 0, -INFINITY, INFINITY, checker);
                    if checker.stopped().is_some() {
                        return None;
                    }
                    all.push(Scored { action, value, line: vec![action] });
                }
                all
            }
            Root::Best => {
                let earlier = first.and_then(|first| actions.iter().position(|&action| action == first));
                let places = earlier.into_iter().chain((0..actions.len()).filter(|&i| Some(i) != earlier));
                let mut best: Option<(usize, i32)> = None;
                for i in places {
                    // An action that stands before the best so far replaces it if it is as good.
                    let alpha = best.map_or(-INFINITY, |(place, value)| value - i32::from(i < place));
                    let value = self.after(root, seat, actions[i], depth, 0, alpha, INFINITY, checker);
                    if checker.stopped().is_some() {
                        return None;
                    }
                    if value > alpha {
                        best = Some((i, value));
                    }
                }
                let (i, value) = best.expect("a seat that is to act has an action");
                vec![Scored { action: actions[i], value, line: vec![actions[i]] }]
            }
        };
        let solved = !self.horizon;
        if self.lines {
            for scored in &mut scored {
                self.extend(root, depth, scored, checker);
            }
        }
        Some(Found { depth, actions: scored, nodes: checker.count(), solved, stopped: None })
    }

    /// The value for `seat` of its action in `position`, which is searched to `depth`, `ply` actions from
    /// the root.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    fn after(
        &mut self,
        position: &P,
        seat: Seat,
        action: P::Action,
        depth: u32,
        ply: u32,
        alpha: i32,
        beta: i32,
        checker: &mut LimitChecker<'_>,
    ) -> i32 {
        let mut next = position.clone();
        next.apply(action);
        let depth = match self.unit {
            DepthUnit::Turn if next.actor() == Actor::Seat(seat) => depth,
            _ => depth - 1,
        };
        self.value(&next, seat, depth, ply + 1, alpha, beta, checker)
    }

    /// The value of a position for `seat`, if it lies between alpha and beta; else a bound on that side.
    /// Once the checker has stopped, the answer means nothing.
    #[allow(clippy::too_many_arguments)]
    fn value(
        &mut self,
        position: &P,
        seat: Seat,
        depth: u32,
        ply: u32,
        alpha: i32,
        beta: i32,
        checker: &mut LimitChecker<'_>,
    ) -> i32 {
        if !checker.go_on() {
            return 0;
        }
        if let Some(value) = self.evaluate.settled(position, seat, ply) {
            return value;
        }
        if depth == 0 {
            self.horizon = true;
            return self.evaluate.leaf(position, seat);
        }
        let actor = seat_to_act(position);
        if actor == seat {
            self.best_of(position, actor, depth, ply, alpha, beta, checker)
        } else {
            -self.best_of(position, actor, depth, ply, -beta, -alpha, checker)
        }
    }

    /// The value for `seat`, which is to act.
    #[allow(clippy::too_many_arguments)]
    fn best_of(
        &mut self,
        position: &P,
        seat: Seat,
        depth: u32,
        ply: u32,
        alpha: i32,
        beta: i32,
        checker: &mut LimitChecker<'_>,
    ) -> i32 {
        if depth == 1 && self.unit == DepthUnit::Action {
            return self.best_leaf(position, seat, ply, beta, checker);
        }
        let key = self.key(position, ply);
        let known = self.table.probe(key);
        if let Some(entry) = known.filter(|entry| u32::from(entry.depth) == depth) {
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= beta,
                Bound::Upper => entry.value <= alpha,
            };
            if cuts {
                self.horizon |= entry.horizon;
                return entry.value;
            }
        }
        let start = self.list.len();
        self.list_in_order(position, known);
        let horizon_elsewhere = std::mem::take(&mut self.horizon);
        let (mut best, mut best_place) = (-INFINITY, 0);
        for i in start..self.list.len() {
            let place = self.order[i].1;
            let action = self.list[start + usize::from(place)];
            let value = self.after(position, seat, action, depth, ply, alpha.max(best), beta, checker);
            if checker.stopped().is_some() {
                break;
            }
            if value > best {
                (best, best_place) = (value, place);
                if value >= beta {
                    break;
                }
            }
        }
        self.list.truncate(start);
        self.order.truncate(start);
        if checker.stopped().is_none() {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = TranspositionEntry {
                value: best,
                bound,
                depth: depth as u8,
                best: best_place,
                horizon: self.horizon,
            };
            self.table.store(key, entry);
        }
        self.horizon |= horizon_elsewhere;
        best
    }

    /// The value for `seat`, which is to act one action before the horizon: most positions are looked at here, and
    /// neither the table nor an order is worth its time.
    fn best_leaf(
        &mut self,
        position: &P,
        seat: Seat,
        ply: u32,
        beta: i32,
        checker: &mut LimitChecker<'_>,
    ) -> i32 {
        let start = self.list.len();
        position.actions(&mut self.list);
        let mut best = -INFINITY;
        let mut horizon = false;
        for &action in &self.list[start..] {
            if !checker.go_on() {
                break;
            }
            let mut next = position.clone();
            next.apply(action);
            let value = self.evaluate.settled(&next, seat, ply + 1).unwrap_or_else(|| {
                horizon = true;
                self.evaluate.leaf(&next, seat)
            });
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        self.list.truncate(start);
        self.horizon |= horizon;
        best
    }

    /// Appends the actions and the order in which to look at them: the table's first, then as the evaluation
    /// says.
    #[inline]
    fn list_in_order(&mut self, position: &P, known: Option<TranspositionEntry>) {
        let start = self.list.len();
        position.actions(&mut self.list);
        for i in start..self.list.len() {
            let place = (i - start) as u16;
            let early = match known {
                Some(entry) if entry.best == place => i32::MAX,
                _ => self.evaluate.order(position, self.list[i]),
            };
            // Insertion keeps equal ones in canonical order and needs no memory.
            let mut to = i;
            self.order.push((early, place));
            while to > start && self.order[to - 1].0 < early {
                self.order[to] = self.order[to - 1];
                to -= 1;
            }
            self.order[to] = (early, place);
        }
    }

    #[inline]
    fn key(&self, position: &P, ply: u32) -> u64 {
        let salt = if E::COUNTS_PLIES { u64::from(ply).wrapping_mul(0x9e37_79b9_7f4a_7c15) } else { 0 };
        position.key() ^ salt
    }

    /// Follows best play from an action at the root whose value is known. At each position the next action
    /// is one whose value is that of the position; the table answers most of these searches.
    fn extend(
        &mut self,
        root: &P,
        depth: u32,
        scored: &mut Scored<P::Action>,
        checker: &mut LimitChecker<'_>,
    ) {
        let (mut position, mut depth, mut ply) = (root.clone(), depth, 0);
        let (mut seat, mut value, mut action) = (seat_to_act(root), scored.value, scored.action);
        loop {
            position.apply(action);
            ply += 1;
            if self.unit == DepthUnit::Action || position.actor() != Actor::Seat(seat) {
                depth -= 1;
            }
            if depth == 0 || self.evaluate.settled(&position, seat, ply).is_some() {
                return;
            }
            let actor = seat_to_act(&position);
            if actor != seat {
                (seat, value) = (actor, -value);
            }
            let known = self.table.probe(self.key(&position, ply));
            self.list_in_order(&position, known);
            let next = (0..self.list.len()).find_map(|i| {
                let candidate = self.list[usize::from(self.order[i].1)];
                // No action is worth more than the position, so this window tells whether it is worth that.
                let worth = self.after(&position, seat, candidate, depth, ply, value - 1, value, checker);
                (checker.stopped().is_some() || worth >= value).then_some(candidate)
            });
            self.list.clear();
            self.order.clear();
            if checker.stopped().is_some() {
                return;
            }
            action = next.expect("some action is worth what the position is worth");
            scored.line.push(action);
        }
    }
}

/// The seat to act, where there is one.
#[inline]
fn seat_to_act<P: Position>(position: &P) -> Seat {
    match position.actor() {
        Actor::Seat(seat) => seat,
        Actor::Chance => panic!("alpha-beta is for games without chance"),
        Actor::Over => panic!("a finished game was not settled, or searched"),
    }
}
