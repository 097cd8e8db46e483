//! A match: the games of one pairing, played and told in their order.

use crate::{Job, Pairing, Scores, run_jobs};
use ranka_core::{Effort, EndReason, Error, Finished, MAX_SEATS, Record};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What came out. All but the time is the same whenever the same plan is played.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchResult {
    /// How many games were played to their end.
    pub games: u64,
    /// How many each agent won alone.
    pub wins: Vec<u64>,
    /// How many nobody won alone.
    pub draws: u64,
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
            wins: vec![0; agents],
            draws: 0,
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
        let mut won_alone = false;
        for (seat, (&score, &agent)) in record.outcome.iter().zip(&record.numbers).enumerate() {
            self.scores[agent].add(score);
            if score >= 1.0 {
                self.wins[agent] += 1;
                won_alone = true;
            }
            let (decisions, time) = &mut self.efforts[agent];
            *decisions += u64::from(efforts[seat].decisions);
            *time += efforts[seat].time;
        }
        self.draws += u64::from(!won_alone);
    }
}

/// Plays the first `games` games of a pairing. `each` is told of every game in order, with what the games so far
/// have come to; its error ends the match. All but the clock is the same for any number of threads.
pub fn run_match(
    pairing: &Pairing,
    games: u64,
    threads: usize,
    cancel: &AtomicBool,
    mut each: impl FnMut(&MatchResult, &Record) -> Result<(), Error>,
) -> Result<MatchResult, Error> {
    let mut result = MatchResult::new(pairing.agents().len());
    // Games are begun in order, so few ever wait.
    let mut waiting: BTreeMap<u64, Finished> = BTreeMap::new();
    let mut next = 0;
    let all = 0..games;
    let job = Job { pairing, missing: vec![all] };
    run_jobs(&[job], threads, cancel, |_, played| {
        waiting.extend(played);
        while let Some(game) = waiting.remove(&next) {
            next += 1;
            result.add(&game.record, &game.efforts);
            each(&result, &game.record)?;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(result)
}
