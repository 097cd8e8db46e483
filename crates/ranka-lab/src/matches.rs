//! A match: the games of one pairing, played and told in their order.

use crate::{Assessment, GameDigest, Job, Pairing, Runner};
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
}

impl MatchResult {
    fn new(pairing: &Pairing) -> MatchResult {
        let agents = pairing.agents().len();
        MatchResult {
            assessment: Assessment::new(agents, pairing.games_of_a_deal(), pairing.seed()),
            efforts: vec![(0, Duration::ZERO); agents],
            plies: 0,
            reasons: BTreeMap::new(),
        }
    }

    fn add(&mut self, Finished { record, efforts, .. }: &Finished) {
        self.assessment.add(&record.numbers, &record.outcome, GameDigest::of(record));
        self.plies += u64::from(record.plies);
        *self.reasons.entry(record.end.reason).or_default() += 1;
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
    runner: Runner<'_>,
    mut each: impl FnMut(&MatchResult, &Record) -> Result<(), Error>,
) -> Result<MatchResult, Error> {
    let mut result = MatchResult::new(pairing);
    let all = 0..games;
    let job = Job { pairing, missing: vec![all] };
    runner.play_in_order(job, [], Ok, |game| {
        result.add(&game);
        each(&result, &game.record)?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(result)
}
