//! A match: many games between the same agents, each seed and seating following from the game's number.

use crate::Scores;
use ranka_core::{
    AnyAgent, AnyGame, Effort, EndReason, GameSeeds, InputError, MAX_SEATS, Record, Seed, Settings,
};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// Who sits where in the games of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seating {
    /// The games of a pair share the deal, and in each the agents sit one seat further on: so everybody sits
    /// everywhere equally often.
    #[default]
    Swapped,
    /// The first agent always has the first seat.
    Fixed,
}

impl Seating {
    /// How many games a pair has.
    fn games(self, seats: usize) -> u64 {
        match self {
            Seating::Swapped => seats as u64,
            Seating::Fixed => 1,
        }
    }
}

/// What is to be played.
#[derive(Clone, Copy, Debug)]
pub struct MatchPlan<'a> {
    /// How many games.
    pub games: u64,
    /// All randomness follows from it.
    pub seed: Seed,
    /// Who sits where.
    pub seating: Seating,
    /// How many games are played at a time. Changes nothing but the speed.
    pub threads: usize,
    /// What holds for every game. Setting its `cancel` ends the match early; games that it cut off do not count.
    pub settings: Settings<'a>,
}

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

/// Plays a match between `agents`, one for each seat. `each` is told of every game in order, with what the
/// games so far have come to; its error ends the match.
pub fn run_match(
    game: &dyn AnyGame,
    agents: &[AnyAgent],
    plan: &MatchPlan<'_>,
    mut each: impl FnMut(&MatchResult, &Record) -> Result<(), InputError>,
) -> Result<MatchResult, InputError> {
    if agents.len() != game.seats() {
        return Err(InputError::new(format!(
            "a match of {} needs an agent for each of its {} seats; given: {}",
            game.info().name,
            game.seats(),
            agents.len()
        )));
    }
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let (finished, arrivals) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.clamp(1, plan.games.clamp(1, 1024) as usize) {
            let (next, stop, finished) = (&next, &stop, finished.clone());
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) && !plan.settings.cancel.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= plan.games
                        || finished.send((number, play(game, agents, plan, number))).is_err()
                    {
                        break;
                    }
                }
            });
        }
        drop(finished);
        let result = collect(agents.len(), arrivals, &mut each);
        stop.store(true, Ordering::Relaxed);
        result
    })
}

type Finished = (Record, [Effort; MAX_SEATS]);

fn play(game: &dyn AnyGame, agents: &[AnyAgent], plan: &MatchPlan<'_>, number: u64) -> Finished {
    let in_pair = plan.seating.games(agents.len());
    let (pair, turn) = (number / in_pair, number % in_pair);
    let numbers = (0..agents.len()).map(|seat| (seat + turn as usize) % agents.len());
    let seated: Vec<_> = numbers.map(|number| (&agents[number], number)).collect();
    game.play(&seated, &GameSeeds::of(plan.seed, pair, turn), &plan.settings)
}

/// Puts the games in order as they arrive. Games are begun in order, so few ever wait.
fn collect(
    agents: usize,
    arrivals: mpsc::Receiver<(u64, Finished)>,
    each: &mut impl FnMut(&MatchResult, &Record) -> Result<(), InputError>,
) -> Result<MatchResult, InputError> {
    let mut result = MatchResult::new(agents);
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (number, finished) in arrivals {
        waiting.insert(number, finished);
        while let Some((record, efforts)) = waiting.remove(&next) {
            next += 1;
            if record.end.reason != EndReason::Cancelled {
                result.add(&record, &efforts);
                each(&result, &record)?;
            }
        }
    }
    Ok(result)
}
