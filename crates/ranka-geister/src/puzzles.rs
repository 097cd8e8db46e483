//! Puzzles: wins that hold against every colouring, by df-pn with purple pieces.

use crate::action::Action;
use crate::duel::{Duel, Hop, LeafEvaluation, Purple, PurpleEvaluation};
use crate::rules::Geister;
use crate::state::State;
use ranka_core::{Actor, Game as _, Keyed, Message, Outcome, Position, Proof, Puzzles, Seat};
use ranka_search::{DfPn, Forced, Goal, Limits};
use std::ops::RangeInclusive;

/// The longest win that is looked for, in actions of both until a ghost waits on an exit that nobody can reach in time.
const LONGEST: u32 = 9;

/// From there the other acts once more, and the ghost leaves.
const LEAVING: u32 = 2;

/// A win in fewer actions, the last one included, is no puzzle.
const SHORTEST: u32 = 5;

impl Puzzles for Geister {
    const TASK: &'static str =
        "You can win by force, whatever colours the other's ghosts have. Find the first move.";
    const PUZZLES: &'static str = include_str!("../puzzles.toml");

    fn prove(&self, state: &State, nodes: u64) -> Option<Proof<Action>> {
        let wins = wins(self, state, nodes)?;
        let &(first, quickest) = wins.found.iter().min_by_key(|&&(action, depth)| (depth, action))?;
        if quickest < SHORTEST || wins.found.len() == wins.choices {
            return None;
        }
        let mut right: Vec<Action> = wins.found.iter().map(|&(action, _)| action).collect();
        right.sort_unstable();
        let says = Message::new("It wins within {0} moves of both.", [quickest]);
        let line = line(self, state, first, nodes)?;
        Some(Proof { right, line, says, nodes: wins.nodes })
    }
}

/// What can be forced in a position.
struct Wins {
    /// The actions that win, and within how many of both: to the end of the game, not only until it is decided.
    found: Vec<(Action, u32)>,
    /// How many actions there are.
    choices: usize,
    nodes: u64,
}

/// All forced wins of the seat to act, as it sees the position. Nothing if that takes more positions, before the
/// set-ups, and where a ghost can simply leave.
fn wins(game: &Geister, state: &State, nodes: u64) -> Option<Wins> {
    let Actor::Seat(seat) = state.actor() else { return None };
    let mut actions = Vec::new();
    state.actions(&mut actions);
    if !actions.iter().all(|action| matches!(action, Action::Step { .. })) {
        return None;
    }
    let duel = Duel::purple(&game.view(state, seat));
    if duel.actor().is_over() {
        return None;
    }
    // Most positions have nothing to prove, and a short look tells so.
    let any = forced(Beginning { duel, with: None }, DECIDED, 1..=LONGEST, nodes / 20);
    any.win?;
    let mut hops = Vec::new();
    duel.actions(&mut hops);
    let mut wins = Wins { found: Vec::new(), choices: hops.len(), nodes: any.nodes };
    for hop in hops {
        let beginning = Beginning { duel, with: Some(hop) };
        let decided = forced(beginning, DECIDED, 1..=LONGEST, nodes.saturating_sub(wins.nodes));
        wins.nodes += decided.nodes;
        match decided.win {
            Some((_, depth)) => {
                let over = forced(beginning, OVER, depth..=depth + LEAVING, nodes);
                // To the search a ghost that was not taken on its exit has won; it still has to leave.
                wins.found.push((hop.on_board(seat), over.win?.1 | 1));
            }
            None if decided.stopped.is_some() => return None,
            None => {}
        }
    }
    Some(wins)
}

/// What is looked for: that nobody can change the end any more, which is found sooner, or the end itself.
const DECIDED: PurpleEvaluation =
    PurpleEvaluation { leaf: LeafEvaluation::BluesAndDistance, static_exit: true };
const OVER: PurpleEvaluation =
    PurpleEvaluation { leaf: LeafEvaluation::BluesAndDistance, static_exit: false };

/// Whether the seat to act can force a win within so many actions.
fn forced(
    beginning: Beginning,
    evaluation: PurpleEvaluation,
    within: RangeInclusive<u32>,
    nodes: u64,
) -> Forced<Hop> {
    DfPn::new(ByForce(evaluation), nodes as usize).solve(&beginning, within, Limits::count(nodes))
}

/// One way to win that begins like this; the other holds out as long as it can.
fn line(game: &Geister, state: &State, first: Action, nodes: u64) -> Option<Vec<Action>> {
    let seat = state.actor().seat()?;
    let (mut line, mut now) = (vec![first], *state);
    now.apply(first);
    let quickest = |state: &State| {
        if let Some(end) = ending(state, seat) {
            return Some((end, 1));
        }
        wins(game, state, nodes)?.found.into_iter().min_by_key(|&(_, depth)| depth)
    };
    while let Actor::Seat(mover) = now.actor() {
        if line.len() > 2 * LONGEST as usize {
            return None;
        }
        let next = if mover == seat {
            quickest(&now)?.0
        } else {
            let mut replies = Vec::new();
            now.actions(&mut replies);
            let longest = |reply: &Action| {
                let mut after = now;
                after.apply(*reply);
                if after.actor().is_over() { Some(0) } else { quickest(&after).map(|(_, depth)| depth) }
            };
            let mut best: Option<(Action, u32)> = None;
            for reply in replies {
                let depth = longest(&reply)?;
                if best.is_none_or(|(_, known)| depth > known) {
                    best = Some((reply, depth));
                }
            }
            best?.0
        };
        line.push(next);
        now.apply(next);
    }
    Some(line)
}

/// An action that ends the game as the seat wants it.
fn ending(state: &State, seat: Seat) -> Option<Action> {
    let mut actions = Vec::new();
    state.actions(&mut actions);
    actions.into_iter().find(|&action| {
        let mut after = *state;
        after.apply(action);
        after.actor().is_over() && after.outcome().score(seat) == 1.0
    })
}

/// A position of thought in which the first action is given.
#[derive(Clone, Copy)]
struct Beginning {
    duel: Duel<Purple>,
    with: Option<Hop>,
}

impl Position for Beginning {
    type Action = Hop;

    fn seats(&self) -> usize {
        self.duel.seats()
    }

    fn actor(&self) -> Actor {
        self.duel.actor()
    }

    fn actions(&self, out: &mut Vec<Hop>) {
        match self.with {
            Some(hop) => out.push(hop),
            None => self.duel.actions(out),
        }
    }

    fn apply(&mut self, hop: Hop) {
        self.with = None;
        self.duel.apply(hop);
    }

    fn outcome(&self) -> Outcome {
        self.duel.outcome()
    }
}

impl Keyed for Beginning {
    fn key(&self) -> u64 {
        // Each beginning has a search of its own, and nothing comes back to it within it but without its given action.
        self.duel.key() ^ u64::from(self.with.is_some())
    }
}

/// What the search of the duel wants.
struct ByForce(PurpleEvaluation);

impl Goal<Beginning> for ByForce {
    fn decided(&self, position: &Beginning, attacker: Seat) -> Option<bool> {
        self.0.decided(&position.duel, attacker)
    }
}
