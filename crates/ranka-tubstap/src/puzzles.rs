//! Puzzles: win within this turn, by searching all of it.

use crate::action::Action;
use crate::rules::Tubstap;
use crate::setup::Unit;
use crate::state::{State, ids};
use ranka_core::{Actor, Message, Position as _, Proof, Puzzles};
use std::collections::HashMap;

impl Puzzles for Tubstap {
    const TASK: &'static str = "Destroy all enemy units in this turn.";
    const PUZZLES: &'static str = include_str!("../puzzles.toml");

    fn prove(&self, state: &State, nodes: u64) -> Option<Proof<Action>> {
        let Actor::Seat(_) = state.actor() else { return None };
        let mut search = Turn { known: HashMap::new(), nodes: 0, most: nodes };
        if !search.wins(state)? {
            return None;
        }
        let mut acts = Vec::new();
        state.actions(&mut acts);
        let mut right = Vec::new();
        for &act in &acts {
            if search.wins_with(state, act)? {
                right.push(act);
            }
        }
        if right.len() == acts.len() && acts.len() > 1 {
            return None;
        }
        let mut line = vec![*right.first()?];
        let mut now = state.clone();
        now.apply(line[0]);
        while !now.actor().is_over() {
            let mut acts = Vec::new();
            now.actions(&mut acts);
            let mut next = None;
            for act in acts {
                if search.wins_with(&now, act)? {
                    next = Some(act);
                    break;
                }
            }
            now.apply(next?);
            line.push(next?);
        }
        let says = Message::new("{0} actions are enough, in the right order.", [line.len()]);
        Some(Proof { right, line, says, nodes: search.nodes })
    }
}

/// All that one side can do in its turn.
struct Turn {
    known: HashMap<State, bool>,
    nodes: u64,
    most: u64,
}

impl Turn {
    /// Whether the side to move can destroy everybody before its turn ends; nothing if that takes too long to know.
    fn wins(&mut self, state: &State) -> Option<bool> {
        if !may_win(state) {
            return Some(false);
        }
        if let Some(&known) = self.known.get(state) {
            return Some(known);
        }
        self.nodes += 1;
        if self.nodes > self.most {
            return None;
        }
        let mut acts = Vec::new();
        state.actions(&mut acts);
        // Who attacks may have won already.
        acts.sort_by_key(|act| act.target().is_none());
        let mut wins = false;
        for act in acts {
            if self.wins_with(state, act)? {
                wins = true;
                break;
            }
        }
        self.known.insert(state.clone(), wins);
        Some(wins)
    }

    /// The same after one act of that side.
    fn wins_with(&mut self, state: &State, act: Action) -> Option<bool> {
        let mut next = state.clone();
        next.apply(act);
        let enemy = state.mover().other();
        if next.units().all(|unit| unit.team != enemy) {
            return Some(true);
        }
        if next.actor().is_over() || next.turn() != state.turn() {
            return Some(false);
        }
        self.wins(&next)
    }
}

/// Whether those who may still act could destroy all enemies if every one could reach any of them where there is no cover.
fn may_win(state: &State) -> bool {
    let enemies: Vec<_> = state.units().filter(|unit| unit.team != state.mover()).collect();
    let ready: Vec<_> = ids(state.ready()).filter_map(|id| state.unit(id as u8)).collect();
    let power = state.rules().power;
    let most = ready.iter().map(|own| {
        let damage = |enemy: &Unit| power.damage(own.kind, u32::from(own.hp), enemy.kind, 10, 0);
        enemies.iter().map(damage).max().unwrap_or(0)
    });
    ready.len() >= enemies.len()
        && most.sum::<u32>() >= enemies.iter().map(|enemy| u32::from(enemy.hp)).sum::<u32>()
}
