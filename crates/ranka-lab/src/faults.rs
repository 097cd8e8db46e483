//! What agents did that a player must not do.

use crate::Replayer;
use ranka_core::{Actor, AnyAgent, EndReason, Error, Record, Seat, labels};
use serde::Serialize;
use std::collections::BTreeMap;

/// How an agent behaved in some games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// How many games there were.
    pub games: u64,
    /// How many of them ended for each reason by its own fault.
    pub reasons: BTreeMap<EndReason, u64>,
    /// Whether it ever played a legal action, as far as anybody needs to know: where a game did not end by its fault
    /// nobody has looked.
    pub(crate) acted: bool,
}

impl Faults {
    /// How many games ended by its own fault.
    pub fn count(&self) -> u64 {
        self.reasons.values().sum()
    }

    /// Whether it never played a legal action: each of its games ended by its own fault, at its first decision.
    pub fn never_played(&self) -> bool {
        self.games > 0 && !self.acted
    }

    /// Counts a game that the agent in `seat` took part in.
    pub(crate) fn add(&mut self, record: &Record, seat: Seat, replayer: &mut Replayer) -> Result<(), Error> {
        self.games += 1;
        let at_fault = record.end.seat == Some(seat) && record.end.reason.is_fault();
        if at_fault {
            *self.reasons.entry(record.end.reason).or_default() += 1;
        }
        self.acted = self.acted || !at_fault || acted(record, seat, replayer)?;
        Ok(())
    }

    /// Takes in what the same agent did in other games.
    pub(crate) fn merge(&mut self, other: &Faults) {
        self.games += other.games;
        self.acted |= other.acted;
        for (reason, games) in &other.reasons {
            *self.reasons.entry(*reason).or_default() += games;
        }
    }
}

/// An agent that ended games by its own fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AgentFaults {
    /// What it is called.
    pub agent: String,
    /// How many games it played.
    pub games: u64,
    /// How many of them ended for each reason by its own fault.
    pub faults: BTreeMap<&'static str, u64>,
    /// Whether it is a program outside that never played a legal action.
    pub never_played: bool,
}

impl AgentFaults {
    /// Those of some agents that did something wrong.
    pub fn of(agents: &[AnyAgent], faults: &[Faults]) -> Vec<AgentFaults> {
        let all = labels(agents).into_iter().zip(agents).zip(faults);
        let guilty = all.filter(|(_, faults)| faults.count() > 0);
        guilty
            .map(|((name, agent), faults)| AgentFaults {
                agent: name,
                games: faults.games,
                faults: faults.reasons.iter().map(|(reason, &games)| (reason.name(), games)).collect(),
                never_played: agent.outside && faults.never_played(),
            })
            .collect()
    }
}

/// Whether a seat took any action of a game.
pub(crate) fn acted(record: &Record, seat: Seat, replayer: &mut Replayer) -> Result<bool, Error> {
    let game = replayer.game(record)?;
    let mut now = game.moves(&record.start, None)?;
    for action in record.actions.split_whitespace() {
        if now.actor == Actor::Seat(seat) {
            return Ok(true);
        }
        now = game.step(&now.position, action)?;
    }
    Ok(false)
}
