//! `uct`: tree search over single unit actions, with the paper's fuzzy pruning and initial values if asked for, and
//! `uct-fpu`, the same tree searched more soundly.

use crate::fuzzy::{self, MembershipTable};
use crate::judgement::Threats;
use crate::kinds::Team;
use crate::playout::Tactics;
use crate::{Action, Rules, State, Tubstap};
use ranka_core::{
    Agent, AgentKind, Error, Fault, MAX_SEATS, Param, Params, Rng, Scale, Seat, Seed, Thinking, Thought,
};
use ranka_search::{
    FinalChoice, Limits, Perspective, Sampled, Total, Uct, UctConfig, UctPolicy, Values, Widening,
};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Tubstap> {
    AgentKind {
        name: "uct",
        version: 1,
        summary: "Searches a tree of unit actions by UCT, as in the paper; optionally with fuzzy pruning.",
        params: vec![
            Param::int("playouts", 1, 100_000_000, "2000", "playouts for each unit action"),
            Param::int("expand", 0, 1_000_000, "20", "a node gets children when it was visited more often"),
            Param::real("c", 0.0, 10.0, "0.15", "exploration"),
            Param::choice(
                "opponent",
                &["min", "max"],
                "the opponent plays against us in the tree, or (author) for us",
            ),
            Param::choice("final", &["mean", "visits"], "play the best mean, or the most visited"),
            Param::choice(
                "total",
                &["root", "parent"],
                "N in the bound: all playouts (author), or the parent's visits",
            ),
            Param::real("attack", 0.0, 1.0, "0.8", "the share of decisions in playouts that prefer attacks"),
            Param::choice(
                "score",
                &["rules", "ge"],
                "judge playouts by the rules, or (author) a reached threshold wins",
            ),
            Param::file(
                "prune",
                fuzzy::CHOICES,
                "a table of memberships, a CSV file or one that comes with Ranka: unlikely actions do not enter the tree",
            ),
            Param::real("threshold", 0.0, 1.0, "0.75", "the least membership that is not pruned"),
            Param::int(
                "shuffle",
                -1,
                i64::MAX,
                "-1",
                "shuffle the memberships with this seed; -1 leaves them",
            ),
            Param::file(
                "init",
                fuzzy::CHOICES,
                "a table of memberships that stand in for the bound of untried actions",
            ),
        ],
        build: |_, params| {
            let table = |key: &str| tabled(params, key);
            let prune = table("prune")?;
            let untabled = |key: &str| params.text(key).is_empty();
            // What would change nothing is a mistake.
            if untabled("prune") && params.real("threshold") != 0.75 {
                return Err(Error::input("threshold= is for prune=, which is not given"));
            }
            if untabled("prune") && untabled("init") && params.int("shuffle") >= 0 {
                return Err(Error::input("shuffle= is for prune= or init=, and neither is given"));
            }
            let config = UctConfig {
                exploration: params.real("c"),
                total: if params.text("total") == "parent" { Total::Parent } else { Total::Root },
                threshold: params.int("expand") as u32,
                perspective: if params.text("opponent") == "max" {
                    Perspective::Root
                } else {
                    Perspective::Own
                },
                prune: prune.is_some().then(|| params.real("threshold")),
                choice: if params.text("final") == "visits" {
                    FinalChoice::VisitsThenMean
                } else {
                    FinalChoice::Mean
                },
                ..UctConfig::default()
            };
            let policy = Policy {
                tactics: Tactics::Aggressive(params.real("attack")),
                reaching_wins: params.text("score") == "ge",
                prune,
                init: table("init")?,
                hint: None,
            };
            let playouts = params.int("playouts") as u64;
            Ok(Arc::new(move |_: Seat, _: Seed| Player(UnitTree::new(config, policy.clone(), playouts))))
        },
    }
}

pub(super) fn kind_fpu() -> AgentKind<Tubstap> {
    AgentKind {
        name: "uct-fpu",
        version: 1,
        summary: "UCT with first-play urgency: promising actions are searched deeper before every other was tried.",
        params: vec![
            Param::int("playouts", 1, 100_000_000, "2000", "playouts for each unit action"),
            Param::int("expand", 0, 1_000_000, "10", "a node gets children when it was visited more often"),
            Param::real("c", 0.0, 10.0, "0.15", "exploration"),
            Param::real("fpu", 0.0, 10.0, "1", "what an untried action counts for"),
            Param::real(
                "hint",
                0.0,
                10.0,
                "0.1",
                "what 100 points of the standard agent's value add to that",
            ),
            Param::real(
                "widen",
                0.0,
                1000.0,
                "0",
                "with N visits consider this times N^0.4 actions; 0 considers all",
            ),
            Param::real("attack", 0.0, 1.0, "0.9", "the share of decisions in playouts that prefer attacks"),
            Param::choice("final", &["visits", "mean"], "play the most visited, or the best mean"),
        ],
        build: |_, params| {
            let config = UctConfig {
                exploration: params.real("c"),
                total: Total::Parent,
                threshold: params.int("expand") as u32,
                first_play: Some(params.real("fpu")),
                widening: Some(Widening { factor: params.real("widen"), power: 0.4 })
                    .filter(|w| w.factor > 0.0),
                choice: if params.text("final") == "mean" {
                    FinalChoice::Mean
                } else {
                    FinalChoice::VisitsThenMean
                },
                ..UctConfig::default()
            };
            let policy = Policy {
                tactics: Tactics::Aggressive(params.real("attack")),
                reaching_wins: false,
                prune: None,
                init: None,
                hint: Some((params.real("fpu"), params.real("hint") / 100.0)),
            };
            let playouts = params.int("playouts") as u64;
            Ok(Arc::new(move |_: Seat, _: Seed| Player(UnitTree::new(config, policy.clone(), playouts))))
        },
    }
}

/// The table that a parameter names, if it names one.
fn tabled(params: &Params, key: &str) -> Result<Option<Arc<MembershipTable>>, Error> {
    let name = params.text(key);
    if name.is_empty() {
        return Ok(None);
    }
    let table = fuzzy::table(name).map_err(|error| error.at(key))?;
    let table = match params.int("shuffle") {
        -1 => table,
        seed => table.shuffled(Seed::new(seed as u64)),
    };
    Ok(Some(Arc::new(table)))
}

/// What TUBSTAP decides about the search.
#[derive(Clone)]
pub(crate) struct Policy {
    tactics: Tactics,
    /// Whether a playout that just reaches the threshold is won, whatever the rules say.
    reaching_wins: bool,
    prune: Option<Arc<MembershipTable>>,
    init: Option<Arc<MembershipTable>>,
    /// What an untried action counts for, and how much a point of the standard agent's value adds.
    hint: Option<(f64, f64)>,
}

impl UctPolicy<State> for Policy {
    fn playout(&mut self, position: &mut State, rng: &mut Rng, _scratch: &mut Vec<Action>) {
        position.battle(self.tactics, u32::MAX, rng);
    }

    fn value(&mut self, end: &State) -> Values {
        let mut values = [0.0; MAX_SEATS];
        let red = match end.judged(self.reaching_wins || end.rules().reaching_wins) {
            Some(team) => f64::from(u8::from(team == Team::Red)),
            None => 0.5,
        };
        values[..2].copy_from_slice(&[red, 1.0 - red]);
        values
    }

    fn prior(&self, position: &State, action: Action) -> Option<f64> {
        if let Some((base, per_point)) = self.hint {
            // Threats take long to find and add little here.
            let value = Threats::NONE.value(position, action).unwrap_or(0);
            return Some(base + per_point * f64::from(value.max(0)));
        }
        self.init.as_ref().map(|table| table.membership(position, action))
    }

    fn merit(&self, position: &State, action: Action) -> f64 {
        self.prune.as_ref().map_or(1.0, |table| table.membership(position, action))
    }
}

/// A tree of unit actions, grown anew for each.
pub(crate) struct UnitTree {
    uct: Uct<State, Policy>,
    playouts: u64,
}

impl UnitTree {
    pub(crate) fn new(config: UctConfig, policy: Policy, playouts: u64) -> UnitTree {
        UnitTree { uct: Uct::new(config, policy), playouts }
    }

    /// The paper's search with so many playouts, for labelling.
    pub(crate) fn plain(playouts: u64) -> UnitTree {
        let policy =
            Policy { tactics: Tactics::AUTHOR, reaching_wins: false, prune: None, init: None, hint: None };
        let config = UctConfig {
            exploration: 0.15,
            total: Total::Root,
            threshold: 10,
            choice: FinalChoice::Mean,
            ..UctConfig::default()
        };
        UnitTree::new(config, policy, playouts)
    }

    /// Searches; nothing if it was cancelled before it began. Attacks that do no damage are left out.
    pub(crate) fn search(
        &mut self,
        state: &State,
        limits: Limits<'_>,
        rng: &mut Rng,
        report: &mut dyn FnMut(&Sampled<Action>),
    ) -> Option<Sampled<Action>> {
        let limits = if limits.count == u64::MAX && limits.deadline.is_none() {
            Limits { count: self.playouts, ..limits }
        } else {
            limits
        };
        let root = state.with_rules(Rules { effective_only: true, ..state.rules() });
        self.uct.search(&root, limits, rng, report)
    }
}

struct Player(UnitTree);

impl Agent<Tubstap> for Player {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let limits = Limits::new(thinking.budget, thinking.cancel_flag());
        let mut rng = thinking.rng.clone();
        let mut report = |found: &Sampled<Action>| thinking.report(&found.thought(Scale::Score));
        let found = self.0.search(view, limits, &mut rng, &mut report);
        found.map(|found| found.thought(Scale::Score)).ok_or(Fault::Cancelled)
    }
}
