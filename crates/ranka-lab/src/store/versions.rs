//! Games by other versions of the same agents: known, told, and mixed in only for who asks for it.

use super::{NOWHERE, PairingKey, Store, list, reason, rows};
use crate::{GameDigest, GameResult, Pairing};
use ranka_core::Error;
use rusqlite::{Row, params};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// How many games agents of certain versions played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VersionCount {
    /// The version of each agent, by its number.
    pub versions: Vec<u32>,
    /// How many games.
    pub games: u64,
}

impl VersionCount {
    /// Counts games by the versions of their agents, the newest first.
    pub fn of(games: &[GameResult]) -> Vec<VersionCount> {
        let mut counts: BTreeMap<&[u32], u64> = BTreeMap::new();
        for game in games {
            *counts.entry(&game.versions).or_default() += 1;
        }
        let count = |(versions, games): (&[u32], u64)| VersionCount { versions: versions.to_vec(), games };
        counts.into_iter().rev().map(count).collect()
    }

    /// `version 1 of uct and version 2 of minimax`: the kinds of those agents whose version is another than `usual`.
    pub fn words<A: AsRef<str>>(&self, agents: &[A], usual: impl Fn(usize) -> u32) -> String {
        let named = self.versions.iter().zip(agents).enumerate();
        let unusual = named.filter(|(agent, (version, _))| **version != usual(*agent));
        // An agent that plays itself is told once.
        let words: BTreeSet<String> = unusual
            .map(|(_, (version, agent))| {
                let kind = agent.as_ref().split(':').next().unwrap_or_default();
                format!("version {version} of {kind}")
            })
            .collect();
        words.into_iter().collect::<Vec<_>>().join(" and ")
    }
}

/// Where a store has the games of a pairing.
#[derive(Clone)]
pub struct Sources {
    /// Those by the versions that the pairing's agents are of.
    pub own: PairingKey,
    /// Those by other versions, the newest first.
    others: Vec<(PairingKey, Arc<[u32]>)>,
    /// Whether the others count too, where the pairing's own are missing.
    any_version: bool,
}

impl Sources {
    /// Which of the first `games` games are not there yet.
    pub fn missing(&self, store: &Store, games: u64) -> Result<Vec<Range<u64>>, Error> {
        if self.taken().is_empty() {
            return store.missing(self.own, games);
        }
        let mut have = BTreeSet::new();
        for key in self.keys() {
            have.append(&mut store.numbers(key, games)?);
        }
        Ok(super::gaps(have.into_iter().collect(), games))
    }

    /// The first `games` games, as far as they are there, in order.
    pub fn results(&self, store: &Store, games: u64) -> Result<Vec<GameResult>, Error> {
        self.results_in(store, 0..games)
    }

    /// The first `games` games, as far as they are there, in order and some at a time.
    pub fn pages(
        &self,
        store: &Store,
        games: u64,
        size: u64,
    ) -> impl Iterator<Item = Result<Vec<GameResult>, Error>> {
        let pages = (0..games).step_by(size as usize);
        pages.map(move |first| self.results_in(store, first..games.min(first + size)))
    }

    fn results_in(&self, store: &Store, numbers: Range<u64>) -> Result<Vec<GameResult>, Error> {
        let own = store.results_in(self.own, numbers.clone())?;
        if self.taken().is_empty() || own.len() as u64 == numbers.end - numbers.start {
            return Ok(own);
        }
        let mut found: BTreeMap<u64, GameResult> = own.into_iter().map(|game| (game.number, game)).collect();
        for (key, _) in self.taken() {
            for game in store.results_in(*key, numbers.clone())? {
                found.entry(game.number).or_insert(game);
            }
        }
        Ok(found.into_values().collect())
    }

    /// What tells the games with these numbers apart, by their numbers.
    pub fn digests(&self, store: &Store, numbers: Range<u64>) -> Result<BTreeMap<u64, GameDigest>, Error> {
        let mut found = BTreeMap::new();
        for key in self.keys() {
            for (number, digest) in store.digests(key, numbers.clone())? {
                found.entry(number).or_insert(digest);
            }
        }
        Ok(found)
    }

    /// How many of the first `games` games there are by other versions and not by these, and are left out; the newest
    /// first.
    pub fn left_out(&self, store: &Store, games: u64) -> Result<Vec<VersionCount>, Error> {
        let mut counts = Vec::new();
        if self.any_version || self.others.is_empty() {
            return Ok(counts);
        }
        let mut known = store.numbers(self.own, games)?;
        for (key, versions) in &self.others {
            let before = known.len();
            known.append(&mut store.numbers(*key, games)?);
            let games = (known.len() - before) as u64;
            if games > 0 {
                counts.push(VersionCount { versions: versions.to_vec(), games });
            }
        }
        Ok(counts)
    }

    /// Every place that counts, the pairing's own first.
    pub(super) fn keys(&self) -> impl Iterator<Item = PairingKey> {
        std::iter::once(self.own).chain(self.taken().iter().map(|(key, _)| *key))
    }

    /// Whether games are taken from several places.
    pub(super) fn several(&self) -> bool {
        !self.taken().is_empty()
    }

    fn taken(&self) -> &[(PairingKey, Arc<[u32]>)] {
        if self.any_version { &self.others } else { &[] }
    }
}

impl Store {
    /// Where the games of a pairing are; its own place is made if there is none. Those by other versions of its agents
    /// count only for `any_version`.
    pub fn sources(&self, pairing: &Pairing, any_version: bool) -> Result<Sources, Error> {
        let own = self.key(pairing)?;
        let agents = pairing.agents().len();
        let sql = "SELECT id, versions FROM pairings WHERE family = ?1 AND id <> ?2";
        let read = |row: &Row<'_>| Ok((PairingKey(row.get(0)?), padded(list(row, 1)?, agents)));
        let mut others = self.pairing_rows(sql, params![pairing.family(), own.0], read)?;
        others.sort_by(|(_, one), (_, two)| two.cmp(one));
        Ok(Sources { own, others, any_version })
    }

    /// What is left out of the first so many games of some pairings because other versions of their agents played them:
    /// how many games, and by which version of which agent.
    pub fn left_out<'a>(
        &self,
        pairings: impl IntoIterator<Item = (&'a Pairing, u64)>,
    ) -> Result<BTreeMap<String, u64>, Error> {
        let mut left_out = BTreeMap::new();
        for (pairing, games) in pairings {
            let agents: Vec<&str> = pairing.agents().iter().map(|agent| agent.short.as_str()).collect();
            for count in self.sources(pairing, false)?.left_out(self, games)? {
                let words = count.words(&agents, |agent| pairing.agents()[agent].version);
                *left_out.entry(words).or_default() += count.games;
            }
        }
        Ok(left_out)
    }

    /// The version of each agent of a pairing, by its number.
    pub(super) fn versions(&self, key: PairingKey) -> Result<Arc<[u32]>, Error> {
        let sql = "SELECT versions, agents FROM pairings WHERE id = ?1";
        let read = |row: &Row<'_>| Ok(padded(list(row, 0)?, list::<String>(row, 1)?.len()));
        let versions = self.told(|db| db.prepare_cached(sql)?.query_row([key.0], |row| Ok(read(row))))?;
        versions.map_err(|e| self.damaged_pairing(key, &e))
    }

    pub(super) fn numbers(&self, key: PairingKey, games: u64) -> Result<BTreeSet<u64>, Error> {
        let sql = "SELECT number FROM games WHERE pairing = ?1 AND number < ?2";
        let numbers = self.games(key, sql, params![key.0, games as i64], |row| row.get(0))?;
        Ok(numbers.into_iter().collect())
    }

    /// What tells the games of a pairing with these numbers apart, with their numbers.
    pub fn digests(&self, key: PairingKey, numbers: Range<u64>) -> Result<Vec<(u64, GameDigest)>, Error> {
        if key.0 == NOWHERE {
            return Ok(Vec::new());
        }
        let agents = self.versions(key)?.len();
        let sql = "SELECT number, seats, coalesce(games.start, pairings.start), actions, reason FROM games
                   JOIN pairings ON pairings.id = pairing WHERE pairing = ?1 AND number >= ?2 AND number < ?3";
        let params = params![key.0, numbers.start as i64, numbers.end as i64];
        self.games(key, sql, params, |row| {
            let (order, start, actions) =
                (rows::order(row, 1, agents)?, row.get::<_, String>(2)?, row.get::<_, String>(3)?);
            Ok((row.get(0)?, GameDigest::of_parts(&order, &start, &actions, reason(row, 4)?)))
        })
    }
}

/// What was kept before agents had versions is of the first.
pub(super) fn padded(mut versions: Vec<u32>, agents: usize) -> Arc<[u32]> {
    versions.resize(agents, 1);
    versions.into()
}
