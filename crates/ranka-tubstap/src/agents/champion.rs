//! `champion`: a tree of unit actions whose leaves are judged by what was learned from games on random maps, and by a few
//! playouts.

use crate::evaluation::{Model, Rows, Ways};
use crate::field::Field;
use crate::kinds::Team;
use crate::playout::Tactics;
use crate::{Action, Rules, State, Tubstap};
use ranka_core::{
    Agent, AgentKind, Candidate, Error, Fault, MAX_SEATS, Param, Position as _, Rng, SMALL_FILE, Scale, Seat,
    Seed, Thinking, Thought, read_bytes,
};
use ranka_search::{FinalChoice, Limits, Sampled, Uct, UctConfig, UctPolicy, Values};
use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

static SHIPPED: LazyLock<Result<Arc<Model>, Error>> =
    LazyLock::new(|| Model::read(include_bytes!("../../networks/evaluation.bin")).map(Arc::new));

/// Playouts that prefer attacks.
const TACTICS: Tactics = Tactics::Aggressive(0.9);

pub(super) fn kind() -> AgentKind<Tubstap> {
    AgentKind {
        name: "champion",
        version: 2,
        summary: "Searches a tree of unit actions, judged by what was learned from games on random maps.",
        params: vec![
            Param::int(
                "nodes",
                1,
                100_000_000,
                "1000",
                "positions whose actions are all judged, for each unit action",
            ),
            Param::real("c", 0.0, 10.0, "0.1", "exploration"),
            Param::int("playouts", 0, 1000, "4", "playouts from each leaf"),
            Param::real("mix", 0.0, 1.0, "0.3", "how much of a leaf's value comes from its playouts"),
            Param::file("evaluation", &["champion"], "champion, or a file of learned weights"),
        ],
        build: |_, params| {
            let model = match params.text("evaluation") {
                "champion" => SHIPPED.clone()?,
                path => {
                    let model = Model::read(&read_bytes(path, SMALL_FILE)?);
                    Arc::new(model.map_err(|error| error.in_file(path))?)
                }
            };
            let nodes = params.int("nodes") as u64;
            let playouts = params.int("playouts") as u32;
            let mix = if playouts == 0 { 0.0 } else { params.real("mix") };
            let judging = Judging { c: params.real("c"), playouts, mix };
            Ok(Arc::new(move |_: Seat, _: Seed| Champion {
                tree: JudgedTree::new(Arc::clone(&model), judging),
                nodes,
            }))
        },
    }
}

struct Champion {
    tree: JudgedTree,
    nodes: u64,
}

impl Agent<Tubstap> for Champion {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let limits = Limits::new(thinking.budget, thinking.cancel_flag());
        let limits = if thinking.budget.is_none() { Limits { count: self.nodes, ..limits } } else { limits };
        let mut rng = thinking.rng.clone();
        let mut report = |found: &Sampled<Action>| thinking.report(&found.thought(Scale::Score));
        let found = self.tree.search(view, limits, &mut rng, &mut report).ok_or(Fault::Cancelled)?;
        let mut thought = found.thought(Scale::Score);
        // What never seemed worth a try is told at its first sight, so that all actions can be compared.
        if found.playouts > 0 {
            let best = thought.candidates.iter().map(|candidate| candidate.value).fold(0.0, f64::max);
            let mut tried = std::mem::take(&mut thought.candidates).into_iter().peekable();
            for action in found.actions.iter().map(|tried| tried.action) {
                let candidate = tried.next_if(|candidate| candidate.action == action);
                thought.candidates.push(candidate.unwrap_or_else(|| {
                    Candidate::valued(action, self.tree.at_first_sight(view, action).min(best))
                }));
            }
        }
        Ok(thought)
    }
}

/// How leaves are judged.
#[derive(Clone, Copy)]
pub(crate) struct Judging {
    pub(crate) c: f64,
    pub(crate) playouts: u32,
    pub(crate) mix: f64,
}

/// A tree of unit actions, grown anew for each. When a position enters it, all its actions are judged at once, and they
/// are tried in that order.
pub(crate) struct JudgedTree {
    uct: Uct<State, Leaf>,
    /// The field of the last search, and the same without attacks that do no damage.
    fields: Option<[Arc<Field>; 2]>,
}

impl JudgedTree {
    pub(crate) fn new(model: Arc<Model>, judging: Judging) -> JudgedTree {
        let config =
            UctConfig { exploration: judging.c, choice: FinalChoice::VisitsThenMean, ..UctConfig::default() };
        let eyes = RefCell::new((Ways::default(), Rows::default()));
        let leaf = Leaf { model, judging, eyes, red: 0.5 };
        JudgedTree { uct: Uct::new(config, leaf), fields: None }
    }

    /// Searches; nothing if it was cancelled before it began. A count limits the positions that enter the tree.
    pub(crate) fn search(
        &mut self,
        state: &State,
        limits: Limits<'_>,
        rng: &mut Rng,
        report: &mut dyn FnMut(&Sampled<Action>),
    ) -> Option<Sampled<Action>> {
        let known = self.fields.as_ref().filter(|[of, _]| Arc::ptr_eq(of, &state.field));
        let effective = match known {
            Some([_, effective]) => Arc::clone(effective),
            None => {
                let root = state.with_rules(Rules { effective_only: true, ..state.rules() });
                self.uct.policy.eyes.get_mut().0 = Ways::of(&root);
                self.fields = Some([Arc::clone(&state.field), Arc::clone(&root.field)]);
                root.field
            }
        };
        let root = State { field: effective, ..state.clone() };
        self.uct.search(&root, limits, rng, report)
    }

    /// What an action seems to be worth in the position that was searched last.
    fn at_first_sight(&self, state: &State, action: Action) -> f64 {
        self.uct.policy.after(state, action)
    }
}

/// What is known of leaves.
struct Leaf {
    model: Arc<Model>,
    judging: Judging,
    eyes: RefCell<(Ways, Rows)>,
    /// What the last leaf is worth to red.
    red: f64,
}

impl Leaf {
    /// The expected score of red.
    fn judge(&self, state: &State) -> f64 {
        let (ways, rows) = &mut *self.eyes.borrow_mut();
        let value = f64::from(self.model.value(state, ways, rows));
        if state.mover() == Team::Red { value } else { 1.0 - value }
    }

    /// What an action leaves to whoever takes it.
    fn after(&self, position: &State, action: Action) -> f64 {
        let mut next = position.clone();
        next.apply(action);
        let red = self.judge(&next);
        if position.mover() == Team::Red { red } else { 1.0 - red }
    }
}

/// What a position at which the game is over is worth to red.
fn red_score(end: &State) -> f64 {
    match end.verdict() {
        Some(team) => f64::from(u8::from(team == Team::Red)),
        None => 0.5,
    }
}

impl UctPolicy<State> for Leaf {
    fn playout(&mut self, position: &mut State, rng: &mut Rng, _scratch: &mut Vec<Action>) {
        if position.is_over() {
            self.red = red_score(position);
            return;
        }
        self.red = self.judge(position);
        if self.judging.mix > 0.0 {
            let mut played = 0.0;
            for _ in 0..self.judging.playouts {
                let mut end = position.clone();
                end.battle(TACTICS, u32::MAX, rng);
                played += red_score(&end);
            }
            self.red += self.judging.mix * (played / f64::from(self.judging.playouts) - self.red);
        }
    }

    fn value(&mut self, _end: &State) -> Values {
        let mut values = [0.0; MAX_SEATS];
        values[..2].copy_from_slice(&[self.red, 1.0 - self.red]);
        values
    }

    fn prior(&self, position: &State, action: Action) -> Option<f64> {
        // As much as the first visit's bonus, so that what was never tried is not forgotten.
        Some(self.judging.c + self.after(position, action))
    }
}
