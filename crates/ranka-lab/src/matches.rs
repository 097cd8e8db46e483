//! A match: the games of one pairing, played and told in their order.

use crate::faults::Faults;
use crate::{Assessment, Executor, GameDigest, Job, Pairing, Replayer, Store, VersionCount};
use ranka_core::{AnyAgent, EndReason, Error, Finished, Record, Seat, labels};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::time::Duration;

/// What came out. All but the time is the same whenever the same plan is played.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchResult {
    /// The games that were played to their end, and what they are worth.
    pub assessment: Assessment,
    /// What each agent spent: decisions and time. The store does not keep it, so it is of the games of this run alone.
    pub efforts: Vec<(u64, Duration)>,
    /// How many actions the seats took in all.
    pub plies: u64,
    /// How many games ended for each reason.
    pub reasons: BTreeMap<EndReason, u64>,
    /// What each agent did wrong.
    pub faults: Vec<Faults>,
    /// How many of the games the store had already.
    pub from_store: u64,
    /// How many games agents of certain versions played, by the versions of the agents by their numbers.
    versions: BTreeMap<Vec<u32>, u64>,
}

impl MatchResult {
    fn new(pairing: &Pairing) -> MatchResult {
        let agents = pairing.agents().len();
        MatchResult {
            assessment: Assessment::new(agents, pairing.games_of_a_deal(), pairing.seed()),
            efforts: vec![(0, Duration::ZERO); agents],
            plies: 0,
            reasons: BTreeMap::new(),
            faults: vec![Faults::default(); agents],
            from_store: 0,
            versions: BTreeMap::new(),
        }
    }

    fn add(&mut self, record: &Record, replayer: &mut Replayer) -> Result<(), Error> {
        self.assessment.add(&record.numbers, &record.outcome, GameDigest::of(record));
        self.plies += u64::from(record.plies);
        *self.reasons.entry(record.end.reason).or_default() += 1;
        for (seat, &agent) in record.numbers.iter().enumerate() {
            self.faults[agent].add(record, Seat::new(seat), replayer)?;
        }
        let mut versions = vec![0; record.numbers.len()];
        for (seat, &agent) in record.numbers.iter().enumerate() {
            versions[agent] = record.version_of(Seat::new(seat));
        }
        match self.versions.get_mut(&versions) {
            Some(games) => *games += 1,
            None => drop(self.versions.insert(versions, 1)),
        }
        Ok(())
    }

    /// Which versions of the agents played how many of the games, the newest first.
    pub fn versions(&self) -> Vec<VersionCount> {
        let count =
            |(versions, &games): (&Vec<u32>, &u64)| VersionCount { versions: versions.clone(), games };
        self.versions.iter().rev().map(count).collect()
    }

    /// What came out, for programs. The first agent's `score`, `interval` and `elo` stand beside those of all.
    pub fn figures(&self, pairing: &Pairing) -> Value {
        let (game, agents, assessment) = (pairing.game(), pairing.agents(), &self.assessment);
        let of: Vec<_> = (0..agents.len()).map(|agent| assessment.of(agent)).collect();
        let by_name = |reasons: &BTreeMap<EndReason, u64>| -> Map<String, Value> {
            reasons.iter().map(|(reason, &games)| (reason.name().to_owned(), json!(games))).collect()
        };
        let never = |(agent, faults): (&AnyAgent, &Faults)| agent.outside && faults.never_played();
        json!({
            "game": game.info().name,
            "rules": game.rules(),
            "agents": agents.iter().map(|agent| &agent.full).collect::<Vec<_>>(),
            "names": labels(agents),
            "versions": self.versions(),
            "games": assessment.games(),
            "different": assessment.different(),
            "counted": assessment.counted(),
            "all_alike": assessment.all_alike(),
            "wins": of.iter().map(|of| of.results.wins).collect::<Vec<_>>(),
            "draws": assessment.without_winner(),
            "results": of.iter().map(|of| of.results).collect::<Vec<_>>(),
            "pairs": assessment.pairs(),
            "score": of[0].score,
            "interval": of[0].interval,
            "elo": of[0].elo,
            "scores": of.iter().map(|of| of.score).collect::<Vec<_>>(),
            "intervals": of.iter().map(|of| of.interval).collect::<Vec<_>>(),
            "seconds": self.efforts.iter().map(|(_, time)| time.as_secs_f64()).collect::<Vec<_>>(),
            "decisions": self.efforts.iter().map(|(decisions, _)| decisions).collect::<Vec<_>>(),
            "plies": self.plies,
            "reasons": by_name(&self.reasons),
            "faults": self.faults.iter().map(|faults| by_name(&faults.reasons)).collect::<Vec<_>>(),
            "never_played": agents.iter().zip(&self.faults).map(never).collect::<Vec<_>>(),
            "pairing": pairing.identity(),
            "from_store": self.from_store,
            "seats": pairing.seating().name(),
            "budget": pairing.limits().budget.map(|budget| budget.to_string()),
            "seed": pairing.seed().value(),
        })
    }

    fn add_efforts(&mut self, Finished { record, efforts, .. }: &Finished) {
        for (&agent, effort) in record.numbers.iter().zip(efforts) {
            let (decisions, time) = &mut self.efforts[agent];
            *decisions += u64::from(effort.decisions);
            *time += effort.time;
        }
    }
}

/// How many games of a match are kept unless somebody wants more. Nobody looks through so many, and only where games take
/// microseconds, so that there are more, does keeping them take a noticeable part of the time.
pub const MATCH_KEPT: u64 = 50_000;

/// Where a match takes games from, and keeps its own.
pub struct Keeping<'a> {
    /// The store.
    pub store: &'a mut Store,
    /// Whether everything is played again. A new game takes the place of an old one when it is there, and not before.
    pub fresh: bool,
    /// Whether games by other versions of the same agents are taken where those of these are missing.
    pub any_version: bool,
    /// How many of the first games are kept. Those beyond are played, counted and forgotten.
    pub most: u64,
}

/// Plays the first `games` games of a pairing. `each` is told of every game in order, with what the games so far
/// have come to; its error ends the match. All but the clock is the same for any number of threads.
pub fn run_match(
    pairing: &Pairing,
    games: u64,
    runner: impl Executor,
    mut each: impl FnMut(&MatchResult, &Record) -> Result<(), Error>,
) -> Result<MatchResult, Error> {
    let mut result = MatchResult::new(pairing);
    let mut replayer = Replayer::default();
    let all = 0..games;
    let job = Job { pairing, missing: vec![all] };
    runner.play_in_order(job, [], Ok, |game| {
        result.add(&game.record, &mut replayer)?;
        result.add_efforts(&game);
        each(&result, &game.record)?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(result)
}

/// Plays what a store lacks of the first `games` games of a pairing, each kept as it comes. `each` is told of every game
/// in order, as in [`run_match`], those that the store had included.
pub fn run_stored_match(
    pairing: &Pairing,
    games: u64,
    runner: impl Executor,
    Keeping { store, fresh, any_version, most }: Keeping<'_>,
    mut each: impl FnMut(&MatchResult, &Record) -> Result<(), Error>,
) -> Result<MatchResult, Error> {
    // A match can do without: what cannot be kept is played, counted and forgotten.
    let most = if store.is_read_only() { 0 } else { most };
    let mut result = MatchResult::new(pairing);
    let mut replayer = Replayer::default();
    let sources = store.sources(pairing, any_version)?;
    let all = 0..games;
    let missing = if fresh { vec![all] } else { sources.missing(store, games)? };
    let known = known(missing.clone(), games);
    let store = RefCell::new(store);
    let keep = |played: Vec<(u64, Finished)>| {
        let kept = played.iter().filter(|(number, _)| *number < most);
        let mut kept = kept.map(|(number, game)| (sources.own, *number, game)).peekable();
        match kept.peek() {
            None => {}
            Some(_) if fresh => store.borrow_mut().replace(kept)?,
            Some(_) => store.borrow_mut().add(kept)?,
        }
        Ok(played.into_iter().map(|(number, game)| (number, Some(Box::new(game)))).collect())
    };
    let mut number = 0;
    runner.play_in_order(Job { pairing, missing }, known, keep, |played| {
        let record = match played {
            Some(game) => {
                result.add_efforts(&game);
                game.record
            }
            None => {
                let kept = sources.record(&store.borrow(), number)?;
                result.from_store += 1;
                kept.ok_or_else(|| Error::not_found(format!("game {number} is gone from the store")))?
            }
        };
        number += 1;
        result.add(&record, &mut replayer)?;
        each(&result, &record)?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(result)
}

/// The numbers of the games that are not missing. Each is read when it is its turn.
fn known(missing: Vec<Range<u64>>, games: u64) -> impl Iterator<Item = (u64, Option<Box<Finished>>)> {
    let mut next = 0;
    let end = games..games;
    let stretches =
        missing.into_iter().chain([end]).map(move |gap| std::mem::replace(&mut next, gap.end)..gap.start);
    stretches.flatten().map(|number| (number, None))
}
