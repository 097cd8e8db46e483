//! The tree search that most agents are: UCT, with playouts by averages or uniform, judged as the agent says.

use super::closing::Closing;
use super::evaluation::{Bench, Evaluation};
use super::mast::Mast;
use super::options;
use crate::{Action, Ordered, State, Tantrix};
use ranka_core::{
    Actor, Agent, Budget, Candidate, Fault, Maker, Params, Position, Rng, Scale, Seat, Seed, Thinking,
    Thought,
};
use ranka_search::{Limits, Uct, UctConfig, UctPolicy, Values};
use std::sync::Arc;

/// A position behind which there is a state: the state itself, or one whose bag has an order.
pub(super) trait Behind: Position<Action = Action> {
    fn behind(&self) -> &State;
}

impl Behind for State {
    fn behind(&self) -> &State {
        self
    }
}

impl Behind for Ordered {
    fn behind(&self) -> &State {
        self.state()
    }
}

/// Playouts and how they are judged.
pub(super) struct Policy {
    pub(super) bench: Bench,
    pub(super) mast: Option<Mast>,
    /// Whether unvisited children come in the order of their averages.
    order: bool,
    /// What the current playout did.
    steps: Vec<(Seat, Action)>,
}

impl Policy {
    pub(super) fn new(evaluation: Evaluation, mast: Option<Mast>, order: bool) -> Policy {
        Policy { bench: Bench::new(evaluation), mast, order, steps: Vec::new() }
    }
}

/// Before any upper confidence bound.
const FIRST: f64 = 1e6;

impl<P: Behind> UctPolicy<P> for Policy {
    fn playout(&mut self, position: &mut P, rng: &mut Rng, scratch: &mut Vec<Action>) {
        self.bench.leaf(position.behind());
        self.steps.clear();
        let watched = self.bench.evaluation.watches_playouts();
        if self.mast.is_none() && !watched {
            position.playout(rng, scratch);
            return;
        }
        loop {
            let action = match position.actor() {
                Actor::Over => return,
                Actor::Chance => position.draw(rng),
                Actor::Seat(seat) => {
                    if watched {
                        self.bench.pass(position.behind());
                    }
                    match &mut self.mast {
                        None => position.random_action(rng, scratch),
                        Some(mast) => {
                            scratch.clear();
                            position.behind().choices_unsorted(scratch);
                            let action = mast.choose(seat, scratch, rng);
                            self.steps.push((seat, action));
                            action
                        }
                    }
                }
            };
            position.apply(action);
        }
    }

    fn value(&mut self, end: &P) -> Values {
        self.bench.values(end.behind())
    }

    fn prior(&self, position: &P, action: Action) -> Option<f64> {
        let mast = self.mast.as_ref().filter(|_| self.order)?;
        Some(FIRST + mast.average(position.behind().mover(), action))
    }

    fn learn(&mut self, path: &[(Seat, Action)], values: &[f64]) {
        if let Some(mast) = &mut self.mast {
            for &(seat, action) in path.iter().chain(&self.steps) {
                mast.learn(seat, action, values[seat.index()]);
            }
        }
    }
}

/// Everything that makes one of these agents.
#[derive(Clone)]
pub(super) struct Plan {
    evaluation: Evaluation,
    budget: Budget,
    config: UctConfig,
    /// How many bag orders, each with a tree of its own; 0 for a single tree with draws in it.
    trees: usize,
    mast: Option<Mast>,
    order: bool,
    decay: f64,
    closing: Closing,
}

impl Plan {
    /// The plan of an agent with the parameters of tree, playouts and endgame, and uniform playouts.
    pub(super) fn uniform(params: &Params, evaluation: Evaluation) -> Plan {
        let config = UctConfig {
            exploration: params.real("c"),
            threshold: params.int("expand") as u32,
            choice: options::final_choice(params),
            chance: options::chance(params),
            ..UctConfig::default()
        };
        let trees = if params.text("chance") == "ensemble" { params.int("trees") as usize } else { 0 };
        Plan {
            evaluation,
            budget: options::budget(params),
            config,
            trees,
            mast: None,
            order: false,
            decay: 0.0,
            closing: options::closing(params),
        }
    }

    /// The same with playouts by averages.
    pub(super) fn averaging(params: &Params, evaluation: Evaluation) -> Plan {
        let mast = options::preference(params).map(|preference| Mast::new(preference, params.real("unseen")));
        let (order, decay) = (params.on("order"), params.real("decay"));
        Plan { mast, order, decay, ..Plan::uniform(params, evaluation) }
    }

    /// What makes players by this plan.
    pub(super) fn maker(self) -> Arc<dyn Maker<Tantrix>> {
        Arc::new(move |_: Seat, _: Seed| self.searcher())
    }

    fn searcher(&self) -> TreeSearcher {
        let policy = || Policy::new(self.evaluation, self.mast.clone(), self.order);
        TreeSearcher {
            plan: self.clone(),
            drawing: Uct::new(self.config, policy()),
            ordered: Uct::new(self.config, policy()),
        }
    }
}

struct TreeSearcher {
    plan: Plan,
    /// The search in which tiles are drawn, and the one whose bag has an order.
    drawing: Uct<State, Policy>,
    ordered: Uct<Ordered, Policy>,
}

impl Agent<Tantrix> for TreeSearcher {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        if self.plan.closing.applies(view) {
            return self.plan.closing.think(view, thinking);
        }
        let budget = thinking.budget.unwrap_or(self.plan.budget);
        // With an empty bag there is only one order left.
        if self.plan.trees > 0 && !view.bag().is_empty() {
            return self.ensemble(view, budget, thinking);
        }
        let policy = &mut self.drawing.policy;
        policy.bench.begin(view);
        if let Some(mast) = &mut policy.mast {
            mast.decay(self.plan.decay);
        }
        let limits = Limits::new(Some(budget), thinking.cancel_flag());
        let mut rng = thinking.rng.clone();
        let mut report =
            |found: &ranka_search::Sampled<Action>| thinking.report(&found.thought(Scale::Score));
        let found = self.drawing.search(view, limits, &mut rng, &mut report).ok_or(Fault::Cancelled)?;
        Ok(found.thought(Scale::Score))
    }
}

impl TreeSearcher {
    /// One tree for each of some bag orders; their visits are added up.
    fn ensemble(
        &mut self,
        view: &State,
        budget: Budget,
        thinking: &mut Thinking<'_, Action>,
    ) -> Result<Thought<Action>, Fault> {
        let share = |all: u64| (all / self.plan.trees as u64).max(1);
        let budget = match budget {
            Budget::Nodes(all) => Budget::Nodes(share(all)),
            Budget::Playouts(all) => Budget::Playouts(share(all)),
            Budget::Millis(all) => Budget::Millis(share(all)),
        };
        let policy = &mut self.ordered.policy;
        policy.bench.begin(view);
        if let Some(mast) = &mut policy.mast {
            mast.decay(self.plan.decay);
        }
        let mut rng = thinking.rng.clone();
        let mut candidates: Vec<Candidate<Action>> = Vec::new();
        let (mut playouts, mut depth) = (0, 0);
        for _ in 0..self.plan.trees {
            let root = Ordered::shuffled(view.clone(), &mut rng);
            let limits = Limits::new(Some(budget), thinking.cancel_flag());
            let found = self.ordered.search(&root, limits, &mut rng, &mut |_| ()).ok_or(Fault::Cancelled)?;
            playouts += found.playouts;
            depth = depth.max(found.depth);
            for tried in &found.actions {
                let known = candidates.iter_mut().find(|candidate| candidate.action == tried.action);
                let sum = tried.mean * tried.visits as f64;
                match known {
                    Some(candidate) => {
                        candidate.value += sum;
                        candidate.visits = candidate.visits.map(|visits| visits + tried.visits);
                    }
                    None => {
                        let (action, visits) = (tried.action, Some(tried.visits));
                        candidates.push(Candidate {
                            visits,
                            pv: vec![action],
                            ..Candidate::valued(action, sum)
                        });
                    }
                }
            }
            if playouts == 0 {
                // A single legal placement.
                return Ok(found.thought(Scale::Score));
            }
        }
        candidates.retain(|candidate| candidate.visits > Some(0));
        candidates.sort_by_key(|candidate| candidate.action);
        for candidate in &mut candidates {
            candidate.value /= candidate.visits.unwrap_or(1) as f64;
        }
        let rank = |candidate: &Candidate<Action>| match self.plan.config.choice {
            ranka_search::FinalChoice::Mean => (0, candidate.value),
            _ => (candidate.visits.unwrap_or(0), candidate.value),
        };
        let best = candidates.iter().reduce(|best, next| if rank(next) > rank(best) { next } else { best });
        let choice = best.expect("some placement was tried").action;
        Ok(Thought { candidates, scale: Scale::Score, nodes: playouts, depth, ..Thought::plain(choice) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::mast::Preference;
    use ranka_core::Game;

    /// Mean final difference, mean score and share of draws of many playouts, with their standard errors.
    fn sample(policy: &mut Policy, start: &State, playouts: u32) -> [(f64, f64); 3] {
        let mut rng = Rng::new(Seed::new(11));
        let mut sums = [(0.0, 0.0); 3];
        for _ in 0..playouts {
            let mut end = start.clone();
            policy.playout(&mut end, &mut rng, &mut Vec::new());
            let values: Values = UctPolicy::<State>::value(policy, &end);
            UctPolicy::<State>::learn(policy, &[], &values);
            let margin = f64::from(end.margin(Seat::FIRST));
            let seen = [margin, f64::from(end.score(Seat::SECOND)), f64::from(u8::from(margin == 0.0))];
            sums.iter_mut().zip(seen).for_each(|(sum, x)| *sum = (sum.0 + x, sum.1 + x * x));
        }
        let n = f64::from(playouts);
        sums.map(|(sum, squares)| (sum / n, ((squares / n - (sum / n).powi(2)) / n).sqrt()))
    }

    /// With a decay, what was learnt for one decision is remembered in the next, and less of it than what is new.
    #[test]
    fn averages_fade_from_decision_to_decision() {
        let start = Tantrix::standard(2).start(&mut Rng::new(Seed::new(1)));
        let never = std::sync::atomic::AtomicBool::new(false);
        let remembered = |decay: &str, chance: &str| {
            let text = format!("playouts=40,trees=2,decay={decay},chance={chance}");
            let params = Params::parse(&text, crate::agents::darwin::params(&[])).expect("sound parameters");
            let mut searcher = Plan::averaging(&params, Evaluation::PLAIN).searcher();
            [1, 2].map(|seed| {
                let mut thinking = Thinking::new(Rng::new(Seed::new(seed)), None, &never);
                searcher.think(&start, &mut thinking).expect("not cancelled");
                let policy =
                    if chance == "open" { &searcher.drawing.policy } else { &searcher.ordered.policy };
                policy.mast.as_ref().expect("playouts by averages").remembered()
            })
        };
        for chance in ["open", "ensemble"] {
            let [first, second] = remembered("0", chance);
            assert!((first - second).abs() < 0.1 * first, "{chance}: {first}, {second}");
            let [first, second] = remembered("0.5", chance);
            assert!((second - 1.5 * first).abs() < 0.1 * first, "{chance}: {first}, {second}");
        }
    }

    #[test]
    fn averages_at_an_infinite_temperature_give_uniform_playouts() {
        let mut rng = Rng::new(Seed::new(1));
        let mut start = Tantrix::standard(2).start(&mut rng);
        while start.plies() < 30 || start.actor() == Actor::Chance {
            let action = match start.actor() {
                Actor::Chance => start.draw(&mut rng),
                _ => start.random_action(&mut rng, &mut Vec::new()),
            };
            start.apply(action);
        }
        let mast = |tau| Some(Mast::new(Preference::Gibbs { tau }, 0.5));
        let uniform = sample(&mut Policy::new(Evaluation::PLAIN, None, false), &start, 4000);
        let hot = sample(&mut Policy::new(Evaluation::PLAIN, mast(f64::INFINITY), false), &start, 4000);
        let cold = sample(&mut Policy::new(Evaluation::PLAIN, mast(0.02), false), &start, 4000);
        let apart = |one: (f64, f64), two: (f64, f64)| (one.0 - two.0).abs() / one.1.hypot(two.1);
        for (one, two) in uniform.into_iter().zip(hot) {
            assert!(apart(one, two) < 3.5, "{uniform:?}, {hot:?}");
        }
        // Guided playouts are something else.
        assert!(apart(uniform[0], cold[0]) > 5.0, "{uniform:?}, {cold:?}");
    }
}
