//! `champion:explain=on`: what every house is worth, told while more and more of it is proven.

use super::strong::{Outlook, Strong, guess, share};
use crate::solve::{Interval, Judgement, Solver};
use crate::{House, Kalah, State};
use ranka_core::{
    Actor, Agent, Candidate, Fault, Maker, Position, Proven, Scale, Seat, Seed, Thinking, Thought,
};
use ranka_search::{AlphaBeta, Found, Limits, MAX_DEPTH, Root};
use std::time::Instant;

/// The share of the budget for a first look ahead, so that there is something to tell at once.
const LOOK: f64 = 0.2;

/// The share of what is left then for a proof of the best move; the rest is for the margins of the others or, where it
/// could not be proven, for looking further ahead.
const PROOF: f64 = 0.75;

pub(super) struct Explaining(pub(super) Strong);

impl Maker<Kalah> for Explaining {
    fn seat(&self, _: Seat, _: Seed) -> Result<Box<dyn Agent<Kalah>>, Fault> {
        Ok(Box::new(Player { strong: self.0.clone(), search: self.0.search() }))
    }
}

struct Player {
    strong: Strong,
    search: AlphaBeta<State, Outlook>,
}

/// What is known of a house.
struct Insight {
    house: House,
    /// What is proven of its margin.
    known: Interval,
    /// The margin that a look ahead promises.
    looked: Option<i32>,
    line: Vec<House>,
}

impl Insight {
    /// Takes in what is proven; it never becomes less.
    fn learn(&mut self, found: Interval) {
        let Interval { lower, upper } = self.known;
        self.known = Interval { lower: lower.max(found.lower), upper: upper.min(found.upper) };
    }

    /// The margin as far as one can tell.
    fn margin(&self) -> i32 {
        self.looked.unwrap_or(self.known.lower).clamp(self.known.lower, self.known.upper)
    }

    /// The winning chance: what is proven is sure.
    fn chance(&self) -> f64 {
        let Interval { lower, upper } = self.known;
        if lower.signum() == upper.signum() {
            return 0.5 + 0.5 * f64::from(lower.signum());
        }
        // No guess is as sure as a proof.
        guess(f64::from(self.margin())).clamp(0.01, 0.99)
    }
}

/// What is known of a position, and what it took.
struct Picture {
    /// What follows from the seeds alone, which is not worth telling.
    trivial: Interval,
    insights: Vec<Insight>,
    depth: u32,
    nodes: u64,
}

impl Picture {
    fn new(view: &State) -> Picture {
        let ahead = match view.actor() {
            Actor::Seat(mover) => view.margin(mover),
            _ => 0,
        };
        let seeds = view.in_houses() as i32;
        let trivial = Interval { lower: ahead - seeds, upper: ahead + seeds };
        let mut houses = Vec::new();
        view.actions(&mut houses);
        let insight = |house| Insight { house, known: trivial, looked: None, line: vec![house] };
        Picture { trivial, insights: houses.into_iter().map(insight).collect(), depth: 0, nodes: 0 }
    }

    fn learn(&mut self, moves: &Judgement) {
        for (insight, &(_, found)) in self.insights.iter_mut().zip(moves) {
            insight.learn(found);
        }
    }

    /// Takes in what was looked ahead for; a search that begins anew is not heard before it comes further.
    fn look(&mut self, found: &Found<House>) {
        if found.depth < self.depth {
            return;
        }
        self.depth = found.depth;
        for (insight, scored) in self.insights.iter_mut().zip(&found.actions) {
            insight.looked = Some(scored.value);
            // What the book knows by heart goes further and is sure.
            if insight.line.len() <= scored.line.len() {
                insight.line.clone_from(&scored.line);
            }
            if found.solved {
                insight.learn(Interval { lower: scored.value, upper: scored.value });
            }
        }
    }

    fn margins(&self) -> Vec<f64> {
        self.insights.iter().map(|insight| f64::from(insight.margin())).collect()
    }

    fn thought(&self, choice: House) -> Thought<House> {
        let trivial = self.trivial;
        let candidate = |insight: &Insight| {
            let Interval { lower, upper } = insight.known;
            let told = |is_news: bool, bound| (is_news || lower == upper).then_some(bound);
            let proven = Proven {
                least: told(lower > trivial.lower, lower),
                most: told(upper < trivial.upper, upper),
            };
            Candidate {
                proven: (proven.least.is_some() || proven.most.is_some()).then_some(proven),
                pv: insight.line.clone(),
                ..Candidate::valued(insight.house, insight.chance())
            }
        };
        Thought {
            candidates: self.insights.iter().map(candidate).collect(),
            scale: Scale::Score,
            win: Some(1.0),
            nodes: self.nodes,
            depth: self.depth,
            ..Thought::plain(choice)
        }
    }

    /// Tells of it as it is now.
    fn tell(&self, thinking: &mut Thinking<'_, House>) {
        let best =
            self.insights.iter().reduce(|best, next| if next.margin() > best.margin() { next } else { best });
        if let Some(best) = best {
            thinking.report(&self.thought(best.house));
        }
    }
}

impl Player {
    /// Looks ahead as far as the limits allow.
    fn look(
        &mut self,
        view: &State,
        picture: &mut Picture,
        limits: Limits<'_>,
        thinking: &mut Thinking<'_, House>,
    ) -> Result<(), Fault> {
        let before = picture.nodes;
        let mut report = |found: &Found<House>| {
            picture.nodes = before + found.nodes;
            picture.look(found);
            picture.tell(thinking);
        };
        // The first depth is always searched through.
        let limits = Limits { count: limits.count.max(1), ..limits };
        let found = self.search.search(view, Root::Values, 1..=MAX_DEPTH.min(60), limits, &mut report);
        let found = found.ok_or(Fault::Cancelled)?;
        picture.nodes = before + found.nodes;
        picture.look(&found);
        Ok(())
    }
}

/// What is left after so many positions.
fn less(limits: Limits<'_>, nodes: u64) -> Limits<'_> {
    Limits { count: limits.count.saturating_sub(nodes), ..limits }
}

/// Positions that are searched in a millisecond, by and large.
const A_MILLISECOND: u64 = 2_000;

/// Room for about as many positions as will be searched, as a power of two: a glance needs no large table, and a long proof
/// is lost in a small one.
fn table_bits(limits: Limits<'_>) -> u32 {
    let in_time = |deadline: Instant| {
        let left = deadline.saturating_duration_since(Instant::now()).as_millis() as u64;
        left.saturating_mul(A_MILLISECOND)
    };
    limits.count.min(limits.deadline.map_or(u64::MAX, in_time)).max(1).ilog2().clamp(14, 22)
}

/// Finds out what the houses are worth of which only bounds are known: first the results, then the margins.
fn refine(
    view: &State,
    picture: &mut Picture,
    solver: &mut Solver,
    limits: Limits<'_>,
    thinking: &mut Thinking<'_, House>,
) {
    let Actor::Seat(mover) = view.actor() else { return };
    for asked in [Interval::at_least(1), Interval::at_least(0), Interval::ANY] {
        for place in 0..picture.insights.len() {
            let Insight { house, known, .. } = picture.insights[place];
            if known.answers(asked) {
                continue;
            }
            let (before, rest) = (solver.nodes(), less(limits, picture.nodes));
            let asked = if asked == Interval::ANY { known } else { asked };
            let found = solver.narrow(&view.after(house), mover, asked, rest);
            picture.nodes += solver.nodes() - before;
            picture.insights[place].learn(found);
            picture.tell(thinking);
        }
    }
}

impl Agent<Kalah> for Player {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, House>) -> Result<Thought<House>, Fault> {
        let limits = Limits::new(Some(thinking.budget.unwrap_or(self.strong.own)), thinking.cancel_flag());
        let mut picture = Picture::new(view);
        let by_heart = self.strong.knowledge.book(view);
        if let Some(moves) = &by_heart {
            picture.learn(moves);
            for insight in &mut picture.insights {
                insight.line.extend(self.strong.knowledge.line(&view.after(insight.house)));
            }
            picture.tell(thinking);
        }
        self.search.forget();
        self.look(view, &mut picture, share(limits, LOOK), thinking)?;
        // Every decision starts cold, so that a rebuilt agent decides the same on the same budget.
        let mut solver = self.strong.knowledge.solver(table_bits(limits));
        let known = by_heart.is_some() || {
            let before = picture.nodes;
            let mut report = |moves: &Judgement, nodes: u64| {
                picture.nodes = before + nodes;
                picture.learn(moves);
                picture.tell(thinking);
            };
            let proof = solver.judge(view, 0, share(less(limits, before), PROOF), &mut report);
            picture.nodes = before + solver.nodes();
            proof.is_ok_and(|moves| {
                picture.learn(&moves);
                true
            })
        };
        if known {
            refine(view, &mut picture, &mut solver, limits, thinking);
        } else {
            let rest = less(limits, picture.nodes);
            self.look(view, &mut picture, rest, thinking)?;
        }
        if thinking.cancelled() {
            return Err(Fault::Cancelled);
        }
        let chosen = self.strong.ties.pick(&picture.margins(), &mut thinking.rng);
        Ok(picture.thought(picture.insights[chosen].house))
    }
}
