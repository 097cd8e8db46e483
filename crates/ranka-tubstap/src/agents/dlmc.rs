//! `dlmc`: depth-limited Monte Carlo. It samples whole turns, plays each on for a few turns at random, and keeps to
//! the turn whose ends looked best.

use crate::kinds::{Kind, Team};
use crate::playout::Tactics;
use crate::{Action, State, Tubstap};
use ranka_core::{Agent, AgentKind, Fault, Param, Position, Rng, Seat, Seed, Thinking, Thought, Told};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Tubstap> {
    AgentKind {
        name: "dlmc",
        version: 1,
        summary: "Depth-limited Monte Carlo: samples whole turns, judges each by short random play, keeps to the best.",
        params: vec![
            Param::int("m", 1, 1_000_000, "100", "turns that are sampled"),
            Param::int("d", 0, 1000, "3", "half-turns that each is played on"),
            Param::int("n", 1, 1_000_000, "80", "how often each is played on"),
            Param::choice(
                "sample",
                &["uniform", "attack-first"],
                "how turns are sampled: any action alike, or attacks first",
            )
            .once_snake(),
            Param::choice(
                "policy",
                &["attack-first", "uniform", "mix70"],
                "how it is played on: attacks first, anything, or 70 % of the one and 30 % of the other",
            )
            .once_snake(),
            Param::choice("eval", &["hp", "weighted"], "judge by HP, or by HP weighted by kind"),
        ],
        build: |_, params| {
            let settings = Settings {
                samples: params.int("m") as usize,
                depth: params.int("d") as u32,
                simulations: params.int("n") as u32,
                sample_attacks: params.text("sample") == "attack-first",
                attack_first: match params.text("policy") {
                    "uniform" => 0.0,
                    "mix70" => 0.7,
                    _ => 1.0,
                },
                weighted: params.text("eval") == "weighted",
            };
            Ok(Arc::new(move |seat: Seat, seed: Seed| Dlmc {
                settings,
                team: Team::of(seat),
                seed: seed.child("turn"),
                turn_start: None,
                plan: Vec::new(),
            }))
        },
    }
}

#[derive(Clone, Copy)]
struct Settings {
    samples: usize,
    depth: u32,
    simulations: u32,
    /// Whether sampled turns attack as long as they can.
    sample_attacks: bool,
    /// The share of simulations in which attacks come first.
    attack_first: f64,
    weighted: bool,
}

struct Dlmc {
    settings: Settings,
    team: Team,
    /// A turn's plan is drawn from its own stream, so that an agent that comes in the middle of a turn finds the
    /// same plan.
    seed: Seed,
    /// The position in which the present turn began.
    turn_start: Option<State>,
    /// The rest of the turn: each action, and the position in which it is meant.
    plan: Vec<(State, Action)>,
}

impl Agent<Tubstap> for Dlmc {
    fn think(&mut self, view: &State, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        if self.next(view).is_none() {
            let start = self.turn_start.clone().filter(|start| start.turn() == view.turn());
            self.make_plan(&start.unwrap_or_else(|| view.clone()), thinking)?;
        }
        if self.next(view).is_none() {
            // Somebody else has acted for us.
            self.make_plan(view, thinking)?;
        }
        let choice = self.next(view).expect("a plan begins with the position it was made for");
        let nodes = (self.settings.samples as u64) * u64::from(self.settings.simulations);
        Ok(Thought { nodes, depth: self.settings.depth, ..Thought::plain(choice) })
    }

    fn told(&mut self, event: &Told<'_, Tubstap>) {
        let known = self.turn_start.as_ref().is_some_and(|start| start.turn() == event.after.turn());
        if !known && event.after.mover() == self.team {
            let same_turn = event.before.turn() == event.after.turn();
            self.turn_start = Some(if same_turn { event.before } else { event.after }.clone());
        }
    }
}

impl Dlmc {
    fn next(&self, view: &State) -> Option<Action> {
        self.plan.iter().find(|(state, _)| state == view).map(|&(_, act)| act)
    }

    fn make_plan(&mut self, start: &State, thinking: &Thinking<'_, Action>) -> Result<(), Fault> {
        let mut rng = Rng::new(self.seed.at(start.turn().into()));
        let mut best = f64::NEG_INFINITY;
        for _ in 0..self.settings.samples {
            if thinking.cancelled() {
                return Err(Fault::Cancelled);
            }
            let (plan, end) = self.sample(start, &mut rng);
            let won = end.actor().is_over() && end.verdict() == Some(self.team);
            let value = if won { f64::INFINITY } else { self.judge(&end, &mut rng) };
            if value > best {
                (best, self.plan) = (value, plan);
            }
            if won {
                break;
            }
        }
        Ok(())
    }

    /// A whole turn at random, and where it leads.
    fn sample(&self, start: &State, rng: &mut Rng) -> (Vec<(State, Action)>, State) {
        let (mut state, mut plan, mut list) = (start.clone(), Vec::new(), Vec::new());
        while !state.actor().is_over() && state.turn() == start.turn() {
            let act = if self.settings.sample_attacks {
                list.clear();
                state.actions(&mut list);
                if list.iter().any(|act| act.target().is_some()) {
                    list.retain(|act| act.target().is_some());
                }
                rng.pick(&list)
            } else {
                state.random_action(rng, &mut list)
            };
            plan.push((state.clone(), act));
            state.apply(act);
        }
        (plan, state)
    }

    /// The sum over all simulations of how good their ends are.
    fn judge(&self, state: &State, rng: &mut Rng) -> f64 {
        let until = state.turn() + self.settings.depth;
        (0..self.settings.simulations)
            .map(|_| {
                let attack_first = self.settings.attack_first;
                let first = attack_first >= 1.0 || (attack_first > 0.0 && rng.chance(attack_first));
                let mut end = state.clone();
                end.battle(if first { Tactics::AttackFirst } else { Tactics::Uniform }, until, rng);
                self.value(&end)
            })
            .sum()
    }

    fn value(&self, state: &State) -> f64 {
        let (own, other) = (self.team, self.team.other());
        if !self.settings.weighted {
            return f64::from(state.hp(own)) - f64::from(state.hp(other));
        }
        let worth = |team: Team| -> f64 {
            let units = state.units().filter(|unit| unit.team == team);
            units.map(|unit| weight(unit.kind) * f64::from(unit.hp)).sum()
        };
        let (own, other) = (worth(own), worth(other));
        let decisive = if own == 0.0 || other == 0.0 { 2.0 } else { 1.0 };
        decisive * (own - other)
    }
}

/// What an HP of each kind counts for, after a program of the competitions.
const fn weight(kind: Kind) -> f64 {
    match kind {
        Kind::Fighter | Kind::Attacker => 2.0,
        Kind::Panzer => 1.5,
        Kind::Cannon => 1.0,
        Kind::AntiAir => 0.7,
        Kind::Infantry => 0.2,
    }
}
