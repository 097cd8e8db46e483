//! A match: the games of one pairing, played and told in their order.

use crate::{Assessment, Executor, GameDigest, Job, Pairing, Scores, Store};
use ranka_core::{EndReason, Error, Finished, Record};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

/// What came out. All but the time is the same whenever the same plan is played.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchResult {
    /// The games that were played to their end, and what they are worth.
    pub assessment: Assessment,
    /// What each agent spent: decisions and time.
    pub efforts: Vec<(u64, Duration)>,
    /// How many actions the seats took in all.
    pub plies: u64,
    /// How many games ended for each reason.
    pub reasons: BTreeMap<EndReason, u64>,
    /// For each agent, how many games ended for each reason by its own fault.
    pub faults: Vec<BTreeMap<EndReason, u64>>,
}

impl MatchResult {
    fn new(pairing: &Pairing) -> MatchResult {
        let agents = pairing.agents().len();
        MatchResult {
            assessment: Assessment::new(agents, pairing.games_of_a_deal(), pairing.seed()),
            efforts: vec![(0, Duration::ZERO); agents],
            plies: 0,
            reasons: BTreeMap::new(),
            faults: vec![BTreeMap::new(); agents],
        }
    }

    fn add(&mut self, record: &Record) {
        self.assessment.add(&record.numbers, &record.outcome, GameDigest::of(record));
        self.plies += u64::from(record.plies);
        *self.reasons.entry(record.end.reason).or_default() += 1;
        let blamed = record.end.seat.and_then(|seat| record.numbers.get(seat.index()));
        if let Some(&agent) = blamed.filter(|_| record.end.reason != EndReason::Resigned) {
            *self.faults[agent].entry(record.end.reason).or_default() += 1;
        }
    }

    /// The agents that never played a legal action: each of their games ended by their own fault, at their first
    /// decision.
    pub fn never_played(&self) -> impl Iterator<Item = usize> {
        let games = self.assessment.games();
        let never = move |(faults, &(decisions, _)): (&BTreeMap<EndReason, u64>, &(u64, Duration))| {
            games > 0 && faults.values().sum::<u64>() == games && decisions <= games
        };
        let all = self.faults.iter().zip(&self.efforts).enumerate();
        all.filter(move |(_, of)| never(*of)).map(|(agent, _)| agent)
    }

    fn add_efforts(&mut self, Finished { record, efforts, .. }: &Finished) {
        for (&agent, effort) in record.numbers.iter().zip(efforts) {
            let (decisions, time) = &mut self.efforts[agent];
            *decisions += u64::from(effort.decisions);
            *time += effort.time;
        }
    }
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
    let all = 0..games;
    let job = Job { pairing, missing: vec![all] };
    runner.play_in_order(job, [], Ok, |game| {
        result.add(&game.record);
        result.add_efforts(&game);
        each(&result, &game.record)?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(result)
}

/// Plays what a store lacks of the first `games` games of a pairing, each kept as it comes. `progress` hears how many
/// there are and how the first agent fares in this run; then `each` is told of every game in order. What it cost is told
/// of the games of this run alone: the store does not keep it.
pub fn run_stored_match(
    pairing: &Pairing,
    games: u64,
    runner: impl Executor,
    store: &mut Store,
    fresh: bool,
    mut progress: impl FnMut(u64, &Scores),
    mut each: impl FnMut(&Record) -> Result<(), Error>,
) -> Result<MatchResult, Error> {
    let mut result = MatchResult::new(pairing);
    let key = store.key(pairing)?;
    let all = 0..games;
    let missing = if fresh { vec![all] } else { store.missing(key, games)? };
    let mut done = games - missing.iter().map(|range| range.end - range.start).sum::<u64>();
    let mut scores = Scores::default();
    runner.play(&[Job { pairing, missing }], |_, played| {
        let kept = played.iter().map(|(number, game)| (key, *number, game));
        if fresh {
            store.replace(kept)?
        } else {
            store.add(kept)?
        }
        for (_, game) in &played {
            result.add_efforts(game);
            let seats = game.record.numbers.iter().zip(&game.record.outcome);
            scores.add(seats.filter(|(agent, _)| **agent == 0).map(|(_, score)| score).sum());
        }
        done += played.len() as u64;
        progress(done, &scores);
        Ok(ControlFlow::Continue(()))
    })?;
    for number in 0..games {
        if let Some(record) = store.record(key, number)? {
            result.add(&record);
            each(&record)?;
        }
    }
    Ok(result)
}
