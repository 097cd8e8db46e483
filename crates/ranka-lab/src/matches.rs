//! A match: the games of one pairing, played and told in their order.

use crate::{Job, Pairing, Runner, Scores};
use ranka_core::{Effort, EndReason, Error, MAX_SEATS, Record, Wdl, WdlCounts};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

/// What came out. All but the time is the same whenever the same plan is played.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchResult {
    /// How many games were played to their end.
    pub games: u64,
    /// What they were to each agent.
    pub results: Vec<WdlCounts>,
    /// The scores of each agent.
    pub scores: Vec<Scores>,
    /// What each agent spent: decisions and time.
    pub efforts: Vec<(u64, Duration)>,
    /// How many actions the seats took in all.
    pub plies: u64,
    /// How many games ended for each reason.
    pub reasons: BTreeMap<EndReason, u64>,
}

impl MatchResult {
    fn new(agents: usize) -> MatchResult {
        MatchResult {
            games: 0,
            results: vec![WdlCounts::default(); agents],
            scores: vec![Scores::default(); agents],
            efforts: vec![(0, Duration::ZERO); agents],
            plies: 0,
            reasons: BTreeMap::new(),
        }
    }

    fn add(&mut self, record: &Record, efforts: &[Effort; MAX_SEATS]) {
        self.games += 1;
        self.plies += u64::from(record.plies);
        *self.reasons.entry(record.end.reason).or_default() += 1;
        for (seat, (&score, &agent)) in record.outcome.iter().zip(&record.numbers).enumerate() {
            self.scores[agent].add(score);
            self.results[agent].add(Wdl::of(score));
            let (decisions, time) = &mut self.efforts[agent];
            *decisions += u64::from(efforts[seat].decisions);
            *time += efforts[seat].time;
        }
    }

    /// How many games nobody won alone.
    pub fn without_winner(&self) -> u64 {
        self.games - self.results.iter().map(|results| results.wins).sum::<u64>()
    }
}

/// Plays the first `games` games of a pairing. `each` is told of every game in order, with what the games so far
/// have come to; its error ends the match. All but the clock is the same for any number of threads.
pub fn run_match(
    pairing: &Pairing,
    games: u64,
    runner: Runner<'_>,
    mut each: impl FnMut(&MatchResult, &Record) -> Result<(), Error>,
) -> Result<MatchResult, Error> {
    let mut result = MatchResult::new(pairing.agents().len());
    let all = 0..games;
    let job = Job { pairing, missing: vec![all] };
    runner.play_in_order(job, [], Ok, |game| {
        result.add(&game.record, &game.efforts);
        each(&result, &game.record)?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(result)
}
