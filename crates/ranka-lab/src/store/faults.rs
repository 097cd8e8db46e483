//! Who ended games by its own fault.

use super::{NOWHERE, PairingKey, Sources, Store, reason, rows};
use crate::faults::{Faults, acted};
use crate::{Pairing, Replayer};
use ranka_core::{EndReason, Error, Seat};
use rusqlite::params;
use std::collections::BTreeSet;

/// A game that ended before the rules ended it, by somebody.
struct Blamed {
    number: u64,
    /// The number of the agent in each seat.
    agents: Vec<usize>,
    seat: Seat,
    reason: EndReason,
}

impl Blamed {
    fn agent(&self) -> Option<usize> {
        self.agents.get(self.seat.index()).copied()
    }
}

impl Sources {
    /// How the agents of a pairing behaved in the first `games` games, as far as they are there.
    pub fn faults(&self, store: &Store, pairing: &Pairing, games: u64) -> Result<Vec<Faults>, Error> {
        let mut faults = vec![Faults::default(); pairing.agents().len()];
        let mut known = BTreeSet::new();
        let mut blamed = Vec::new();
        for key in self.keys() {
            blamed.extend(store.blamed(key, games)?.into_iter().filter(|game| !known.contains(&game.number)));
            if self.several() {
                known.append(&mut store.numbers(key, games)?);
            }
        }
        let count = if self.several() { known.len() as u64 } else { store.count(self.own, games)? };
        faults.iter_mut().for_each(|of| of.games = count);
        blamed.retain(|game| game.reason.is_fault());
        for game in &blamed {
            if let Some(of) = game.agent().and_then(|agent| faults.get_mut(agent)) {
                *of.reasons.entry(game.reason).or_default() += 1;
            }
        }
        let mut replayer = Replayer::default();
        for (number, (of, agent)) in faults.iter_mut().zip(pairing.agents()).enumerate() {
            // Of an agent of ours nobody asks.
            of.acted = !agent.outside || of.count() < of.games;
            for game in blamed.iter().filter(|game| game.agent() == Some(number)) {
                if of.acted {
                    break;
                }
                let record = self.record(store, game.number)?;
                of.acted = match record {
                    Some(record) => acted(&record, game.seat, &mut replayer)?,
                    None => false,
                };
            }
        }
        Ok(faults)
    }
}

impl Store {
    /// How many of the first `games` games of a pairing there are.
    pub(super) fn count(&self, key: PairingKey, games: u64) -> Result<u64, Error> {
        let sql = "SELECT count(*) FROM games WHERE pairing = ?1 AND number >= 0 AND number < ?2";
        self.told(|db| db.query_row(sql, params![key.0, games as i64], |row| row.get(0)))
    }

    fn blamed(&self, key: PairingKey, games: u64) -> Result<Vec<Blamed>, Error> {
        if key.0 == NOWHERE {
            return Ok(Vec::new());
        }
        let agents = self.versions(key)?.len();
        let sql = "SELECT number, seats, blame, reason FROM games
                   WHERE pairing = ?1 AND number < ?2 AND blame IS NOT NULL";
        let games = self.games(key, sql, params![key.0, games as i64], |row| {
            let (number, order, reason) = (row.get(0)?, rows::order(row, 1, agents)?, reason(row, 3)?);
            let seat = rows::blamed(row, 2, agents)?;
            Ok(seat.map(|seat| Blamed { number, agents: order, seat, reason }))
        })?;
        Ok(games.into_iter().flatten().collect())
    }
}
