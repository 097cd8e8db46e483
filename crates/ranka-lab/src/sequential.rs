//! A sequential test: two agents play until it is decided, and not a game further counts.

use crate::stats::{Decision, Sprt, SprtResult, Tally};
use crate::{GameResult, Job, Pairing, Runner, Store};
use ranka_core::{Error, Finished, Wdl, WdlCounts};
use serde::Serialize;
use std::ops::ControlFlow;

/// How a sequential test is run.
///
/// It is asked after every whole deal, in the order of the games' numbers, and the first answer that decides is
/// kept. So the result is the same for any number of threads and however often it was stopped and went on; games
/// that were played beyond it stay in the store but do not count.
pub struct Sequential<'a> {
    /// The games: two agents.
    pub pairing: &'a Pairing,
    /// The test.
    pub test: Sprt,
    /// The most games; deals are never divided.
    pub games: u64,
    /// Who plays them.
    pub runner: Runner<'a>,
    /// Whether games that the store has are forgotten first.
    pub fresh: bool,
    /// Whether games by other versions of the same agents are taken where those of these are missing.
    pub any_version: bool,
}

/// What a sequential test has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// The games that count.
    pub games: u64,
    /// Those that the first agent won, drew and lost.
    pub results: WdlCounts,
    /// The same as the test counts them: by pairs where the two games of a pair share their deal.
    pub tally: Tally,
    /// What the test says of them.
    pub test: SprtResult,
    /// How many of those by the agents' own versions another build of the program played.
    pub by_other_builds: u64,
}

/// What came of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// H0 is accepted.
    H0,
    /// H1 is accepted.
    H1,
    /// The games were not enough.
    Undecided,
}

impl Course {
    /// What came of it.
    pub fn ruling(&self) -> Ruling {
        match self.test.decision {
            Decision::H0 => Ruling::H0,
            Decision::H1 => Ruling::H1,
            Decision::GoOn => Ruling::Undecided,
        }
    }
}

impl Sequential<'_> {
    /// Plays until it is decided, the games are used up or `cancel` is set. What the store has is taken first.
    /// `progress` hears of the games that count so far.
    pub fn run(&self, store: &mut Store, mut progress: impl FnMut(&Course)) -> Result<Course, Error> {
        let agents = self.pairing.agents().len();
        if agents != 2 {
            return Err(Error::input(format!("a sequential test is of two agents; given: {agents}")));
        }
        let deal = self.pairing.games_of_a_deal();
        let games = self.games.div_ceil(deal).saturating_mul(deal);
        let sources = store.sources(self.pairing, self.any_version)?;
        let key = sources.own;
        if self.fresh {
            store.forget(key, games)?;
        }
        let known = sources.results(store, games)?;
        let known = known.iter().map(|game: &GameResult| (game.number, Wdl::of(game.score(0))));
        let job = Job { pairing: self.pairing, missing: sources.missing(store, games)? };
        let mut count = Count::new(self.test, deal);
        let keep = |played: Vec<(u64, Finished)>| {
            store.add(played.iter().map(|(number, game)| (key, *number, game)))?;
            Ok(played.iter().map(|(number, game)| (*number, Wdl::of(first_score(game)))).collect())
        };
        self.runner.play_in_order(job, known, keep, |game| {
            let decided = count.add(game);
            progress(&count.course);
            Ok(decided)
        })?;
        let by_other_builds = store.by_other_builds(key, count.course.games)?;
        Ok(Course { by_other_builds, ..count.course })
    }
}

/// The score of the first agent.
fn first_score(game: &Finished) -> f64 {
    let seat = game.record.numbers.iter().position(|&agent| agent == 0);
    seat.map_or(0.0, |seat| game.record.outcome[seat])
}

/// Games, counted in order by whole deals.
struct Count {
    test: Sprt,
    deal: u64,
    /// Those of a deal that is not whole yet.
    open: Vec<Wdl>,
    course: Course,
}

impl Count {
    fn new(test: Sprt, deal: u64) -> Count {
        let tally = if deal == 2 { Tally::Pairs([0; 5]) } else { Tally::Games([0; 3]) };
        let results = WdlCounts::default();
        let course = Course { games: 0, results, tally, test: test.test(&tally), by_other_builds: 0 };
        Count { test, deal, open: Vec::new(), course }
    }

    /// Counts the next game, and stops when the test is decided.
    fn add(&mut self, game: Wdl) -> ControlFlow<()> {
        self.open.push(game);
        if (self.open.len() as u64) < self.deal {
            return ControlFlow::Continue(());
        }
        let course = &mut self.course;
        course.games += self.deal;
        self.open.iter().for_each(|&game| course.results.add(game));
        course.tally.add(&self.open);
        self.open.clear();
        course.test = self.test.test(&course.tally);
        match course.test.decision {
            Decision::GoOn => ControlFlow::Continue(()),
            Decision::H0 | Decision::H1 => ControlFlow::Break(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Seating, Shard};
    use ranka_core::Seed;
    use std::sync::atomic::AtomicBool;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn pairing(agents: [&str; 2], seating: Seating) -> Pairing {
        let game = ranka_games::game("kalah").unwrap().open("houses=4,seeds=3").unwrap();
        let agents = agents.map(|agent| game.agent(agent).unwrap()).to_vec();
        Pairing::new(game, agents, seating, Seed::new(5), Limits::default(), &[]).unwrap()
    }

    fn sequential(pairing: &Pairing, games: u64) -> Sequential<'_> {
        let test = Sprt::new(0.0, 50.0, 0.05, 0.05).unwrap();
        Sequential { pairing, test, games, runner: runner(2), fresh: false, any_version: false }
    }

    fn runner(threads: usize) -> Runner<'static> {
        Runner { threads, cancel: &GO_ON }
    }

    fn run(sequential: &Sequential<'_>, store: &mut Store) -> Course {
        sequential.run(store, |_| {}).unwrap()
    }

    #[test]
    fn the_stronger_is_found_quickly() {
        let pairing = pairing(["minimax:depth=4", "random"], Seating::Swapped);
        let course = run(&sequential(&pairing, 10_000), &mut Store::in_memory().unwrap());
        assert_eq!(course.ruling(), Ruling::H1);
        assert!(course.games < 200, "{course:?}");
        assert!(
            matches!(course.tally, Tally::Pairs(counts) if counts.iter().sum::<u64>() * 2 == course.games)
        );
        assert_eq!(course.results.games(), course.games);
        assert!(course.results.wins > 3 * course.results.losses, "{course:?}");
    }

    #[test]
    fn equals_are_found_equal() {
        for seating in [Seating::Swapped, Seating::Random] {
            let pairing = pairing(["random", "random"], seating);
            let course = run(&sequential(&pairing, 20_000), &mut Store::in_memory().unwrap());
            assert_eq!(course.ruling(), Ruling::H0, "{course:?}");
            assert_eq!(matches!(course.tally, Tally::Games(_)), seating == Seating::Random);
        }
    }

    #[test]
    fn it_stops_at_the_same_game_whatever_the_threads_and_whatever_was_there() {
        let pairing = pairing(["minimax:depth=1", "random"], Seating::Swapped);
        let alone = run(
            &Sequential { runner: runner(1), ..sequential(&pairing, 10_000) },
            &mut Store::in_memory().unwrap(),
        );
        assert_eq!(alone.ruling(), Ruling::H1);
        for threads in [2, 4] {
            let mut store = Store::in_memory().unwrap();
            let key = store.key(&pairing).unwrap();
            // Games with gaps, some of them far beyond the end, and half a pair.
            for (first, count) in [(0, 1), (10, 7), (alone.games + 50, 20)] {
                let games = Shard { pairing: &pairing, first, count }.run(&GO_ON);
                store.add(games.iter().map(|(number, game)| (key, *number, game))).unwrap();
            }
            let run_it = Sequential { runner: runner(threads), ..sequential(&pairing, 10_000) };
            assert_eq!(run(&run_it, &mut store), alone);
            let kept = store.results(key, 10_000).unwrap().len();
            // Asked again it has nothing to play.
            assert_eq!(run(&run_it, &mut store), alone);
            assert_eq!(store.results(key, 10_000).unwrap().len(), kept);
        }
    }

    #[test]
    fn a_test_that_was_cut_short_goes_on() {
        let pairing = pairing(["random", "random"], Seating::Swapped);
        let whole = run(&sequential(&pairing, 20_000), &mut Store::in_memory().unwrap());
        let mut store = Store::in_memory().unwrap();
        let short = run(&sequential(&pairing, 9), &mut store);
        assert_eq!((short.ruling(), short.games), (Ruling::Undecided, 10), "pairs are not divided");
        assert_eq!(run(&sequential(&pairing, 20_000), &mut store), whole);
    }

    #[test]
    fn the_first_decision_stands() {
        let mut count = Count::new(Sprt::new(0.0, 200.0, 0.05, 0.05).unwrap(), 2);
        while count.add(Wdl::Win).is_continue() {
            assert!(count.course.games < 100);
        }
        assert!(count.course.games > 2 && count.course.games.is_multiple_of(2));
        let before = Tally::Pairs([0, 0, 0, 0, count.course.games / 2 - 1]);
        assert_eq!(count.test.test(&before).decision, Decision::GoOn, "it did not stop late");
    }

    #[test]
    fn it_is_for_two() {
        let game = ranka_games::game("labyrinth").unwrap().open("players=3").unwrap();
        let agents = vec![game.agent("random").unwrap(); 3];
        let three =
            Pairing::new(game, agents, Seating::Swapped, Seed::new(1), Limits::default(), &[]).unwrap();
        let refused = sequential(&three, 9).run(&mut Store::in_memory().unwrap(), |_| {}).err().unwrap();
        assert_eq!(refused.to_string(), "a sequential test is of two agents; given: 3");
    }
}
