//! A sequential test: two agents play until it is decided, and not a game further counts.

use crate::assessment::{First, Repetitions};
use crate::stats::{LEVEL, Sprt, SprtDecision, SprtResult, Tally};
use crate::{AgentFaults, Executor, GameDigest, GameResult, Job, Pairing, Store, VersionCount};
use ranka_core::{Error, Finished, Wdl, WdlCounts, labels};
use serde::Serialize;
use serde_json::{Value, json};
use std::ops::ControlFlow;

/// How a sequential test is run.
///
/// It is asked after every whole deal, in the order of the games' numbers, and the first answer that decides is
/// kept. So the result is the same for any number of threads and however often it was stopped and went on; games
/// that were played beyond it stay in the store but do not count.
pub struct Sequential<'a, E> {
    /// The games: two agents.
    pub pairing: &'a Pairing,
    /// The test.
    pub test: Sprt,
    /// The most games; deals are never divided.
    pub games: u64,
    /// Who plays them.
    pub runner: E,
    /// Whether everything is played again. A new game takes the place of an old one when it is there, and not before.
    pub fresh: bool,
    /// Whether games by other versions of the same agents are taken where those of these are missing.
    pub any_version: bool,
}

/// What a sequential test has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SequentialStatus {
    /// How many games were played, in order and without a gap.
    pub played: u64,
    /// How many of them count: all, or the first of each order of the agents where nothing is left to chance.
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

impl SequentialStatus {
    /// Whether nothing is left to chance: games in the same seats are all alike, so one of each counts.
    pub fn all_alike(&self) -> bool {
        self.games < self.played
    }

    /// What the test counts: results of games, or of pairs of them.
    pub fn counts(&self) -> &'static str {
        match self.tally {
            Tally::Games(_) => "trinomial",
            Tally::Pairs(_) => "pentanomial",
        }
    }

    /// What came of it.
    pub fn ruling(&self) -> Ruling {
        match self.test.decision {
            SprtDecision::H0 => Ruling::H0,
            SprtDecision::H1 => Ruling::H1,
            SprtDecision::GoOn => Ruling::Undecided,
        }
    }
}

impl<E: Executor> Sequential<'_, E> {
    /// Plays until it is decided, the games are used up or `cancel` is set. What the store has is taken first.
    /// `progress` hears of the games that count so far.
    pub fn run(
        &self,
        store: &mut Store,
        mut progress: impl FnMut(&SequentialStatus),
    ) -> Result<SequentialStatus, Error> {
        let agents = self.pairing.agents().len();
        if agents != 2 {
            return Err(Error::input(format!("a sequential test is of two agents; given: {agents}")));
        }
        let deal = self.pairing.games_of_a_deal();
        let games = self.games.div_ceil(deal).saturating_mul(deal);
        let sources = store.sources(self.pairing, self.any_version)?;
        let key = sources.own;
        let all = 0..games;
        let missing = if self.fresh { vec![all] } else { sources.missing(store, games)? };
        let digests = sources.digests(store, 0..games)?;
        let known = if self.fresh { Vec::new() } else { sources.results(store, games)? };
        let known = known.iter().filter_map(|game: &GameResult| {
            let told = (game.agents.clone(), game.scores.clone(), *digests.get(&game.number)?);
            Some((game.number, told))
        });
        // Where nothing can be kept, what is there may suffice.
        let lacking = missing.iter().map(|range| range.end - range.start).sum();
        let missing = if store.is_read_only() && !self.fresh { Vec::new() } else { missing };
        store.can_keep(missing.iter().map(|range| range.end - range.start).sum())?;
        let job = Job { pairing: self.pairing, missing };
        let mut count = Count::new(self.test, deal);
        let keep = |played: Vec<(u64, Finished)>| {
            let games = played.iter().map(|(number, game)| (key, *number, game));
            if self.fresh {
                store.replace(games)?
            } else {
                store.add(games)?
            }
            let told = |(number, Finished { record, .. }): (u64, Finished)| {
                let digest = GameDigest::of(&record);
                (number, (record.numbers, record.outcome, digest))
            };
            Ok(played.into_iter().map(told).collect())
        };
        let mut ended = false;
        self.runner.play_in_order(job, known, keep, |(order, scores, digest)| {
            let decided = count.add(&order, &scores, digest);
            ended = decided.is_break();
            progress(&count.status);
            Ok(decided)
        })?;
        if !ended {
            store.can_keep(lacking)?;
        }
        let by_other_builds = store.by_other_builds(key, count.status.games)?;
        Ok(SequentialStatus { by_other_builds, ..count.status })
    }
}

impl<E> Sequential<'_, E> {
    /// What it has come to, for programs.
    pub fn figures(
        &self,
        status: &SequentialStatus,
        versions: &[VersionCount],
        faults: &[AgentFaults],
    ) -> Value {
        let (game, scores) = (self.pairing.game(), status.tally.scores());
        let ([elo0, elo1], [alpha, beta]) = (self.test.elo(), self.test.errors());
        let WdlCounts { wins, draws, losses } = status.results;
        json!({
            "game": game.info().name,
            "rules": game.rules(),
            "agents": self.pairing.agents().iter().map(|agent| &agent.full).collect::<Vec<_>>(),
            "names": labels(self.pairing.agents()),
            "versions": versions,
            "pairing": self.pairing.identity(),
            "decision": status.ruling(),
            "llr": status.test.llr,
            "bounds": status.test.bounds,
            "model": self.test.model(),
            "results": status.counts(),
            "elo0": elo0,
            "elo1": elo1,
            "alpha": alpha,
            "beta": beta,
            "games": status.games,
            "played": status.played,
            "all_alike": status.all_alike(),
            "most_games": self.games,
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "pairs": match &status.tally {
                Tally::Pairs(counts) => Some(counts),
                Tally::Games(_) => None,
            },
            "score": (status.games > 0).then(|| scores.mean()),
            "interval": (status.games > 0).then(|| scores.interval()),
            "elo": (status.games > 0).then(|| status.tally.elo(LEVEL)),
            "by_other_builds": status.by_other_builds,
            "faults": faults,
            "seats": self.pairing.seating().name(),
            "seed": self.pairing.seed().value(),
        })
    }
}

/// After so many games for each order of the agents that all went the same way nothing else is to be expected.
const ALIKE: u64 = 50;

/// Games, counted in order by whole deals.
struct Count {
    test: Sprt,
    deal: u64,
    /// What those of a deal that is not whole yet were to the first agent.
    open: Vec<Wdl>,
    repetitions: Repetitions,
    /// All games. Whether they count or only one of each order turns out on the way.
    all: Counted,
    status: SequentialStatus,
}

/// Games as results and as the test counts them.
#[derive(Clone, Copy)]
struct Counted {
    results: WdlCounts,
    tally: Tally,
}

impl Counted {
    fn none(deal: u64) -> Counted {
        let tally = if deal == 2 { Tally::Pairs([0; 5]) } else { Tally::Games([0; 3]) };
        Counted { results: WdlCounts::default(), tally }
    }

    /// Of the games that stand for all in their order of the agents, which make whole deals.
    fn firsts(firsts: &[First], deal: u64) -> Counted {
        let mut counted = Counted::none(deal);
        let games: Vec<Wdl> = firsts.iter().map(|first| Wdl::of(first.scores[0])).collect();
        games.chunks(deal as usize).for_each(|deal| counted.add(deal));
        counted
    }

    fn add(&mut self, deal: &[Wdl]) {
        deal.iter().for_each(|&game| self.results.add(game));
        self.tally.add(deal);
    }
}

impl Count {
    fn new(test: Sprt, deal: u64) -> Count {
        let all = Counted::none(deal);
        let Counted { results, tally } = all;
        let test_of_none = test.test(&tally);
        let status =
            SequentialStatus { played: 0, games: 0, results, tally, test: test_of_none, by_other_builds: 0 };
        Count { test, deal, open: Vec::new(), repetitions: Repetitions::default(), all, status }
    }

    /// Counts the next game, and stops when the test is decided or nothing is left to chance.
    fn add(&mut self, order: &[usize], scores: &[f64], digest: GameDigest) -> ControlFlow<()> {
        self.repetitions.add(order, scores, digest);
        let first = order.iter().zip(scores).find(|(agent, _)| **agent == 0);
        self.open.push(Wdl::of(first.map_or(0.0, |(_, &score)| score)));
        if (self.open.len() as u64) < self.deal {
            return ControlFlow::Continue(());
        }
        self.all.add(&std::mem::take(&mut self.open));
        let alike = self.repetitions.counted();
        let Counted { results, tally } = alike.map_or(self.all, |firsts| Counted::firsts(firsts, self.deal));
        let (played, test) = (self.status.played + self.deal, self.test.test(&tally));
        self.status =
            SequentialStatus { played, games: results.games(), results, tally, test, ..self.status };
        let enough = alike.is_some() && played >= ALIKE * self.repetitions.orders();
        match test.decision {
            SprtDecision::GoOn if !enough => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::EloModel;
    use crate::{GameLimits, Runner, Seating, Shard};
    use ranka_core::{EndReason, Seed};
    use std::sync::atomic::AtomicBool;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn pairing(agents: [&str; 2], seating: Seating) -> Pairing {
        let game = ranka_games::game("kalah").unwrap().open("houses=4,seeds=3").unwrap();
        let agents = agents.map(|agent| game.agent(agent).unwrap()).to_vec();
        Pairing::new(game, agents, seating, Seed::new(5), GameLimits::default(), &[]).unwrap()
    }

    fn sequential(pairing: &Pairing, games: u64) -> Sequential<'_, Runner<'static>> {
        let test = Sprt::new(EloModel::Logistic, 0.0, 50.0, 0.05, 0.05).unwrap();
        Sequential { pairing, test, games, runner: runner(2), fresh: false, any_version: false }
    }

    fn runner(threads: usize) -> Runner<'static> {
        Runner { threads, cancel: &GO_ON }
    }

    fn run(sequential: &Sequential<'_, Runner<'_>>, store: &mut Store) -> SequentialStatus {
        sequential.run(store, |_| {}).unwrap()
    }

    #[test]
    fn the_stronger_is_found_quickly() {
        let pairing = pairing(["minimax:depth=4", "random"], Seating::Swapped);
        let status = run(&sequential(&pairing, 10_000), &mut Store::in_memory().unwrap());
        assert_eq!(status.ruling(), Ruling::H1);
        assert!(status.games < 200, "{status:?}");
        assert!(
            matches!(status.tally, Tally::Pairs(counts) if counts.iter().sum::<u64>() * 2 == status.games)
        );
        assert_eq!(status.results.games(), status.games);
        assert!(status.results.wins > 3 * status.results.losses, "{status:?}");
    }

    #[test]
    fn equals_are_found_equal() {
        for seating in [Seating::Swapped, Seating::Random] {
            let pairing = pairing(["random", "random"], seating);
            let status = run(&sequential(&pairing, 20_000), &mut Store::in_memory().unwrap());
            assert_eq!(status.ruling(), Ruling::H0, "{status:?}");
            assert_eq!(matches!(status.tally, Tally::Games(_)), seating == Seating::Random);
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
        let mut count = Count::new(Sprt::new(EloModel::Logistic, 0.0, 200.0, 0.05, 0.05).unwrap(), 2);
        let mut number = 0;
        let mut next = || {
            number += 1;
            GameDigest::of_parts(&[0, 1], "", &number.to_string(), EndReason::Rules)
        };
        while count.add(&[0, 1], &[1.0, 0.0], next()).is_continue() {
            assert!(count.status.games < 100);
        }
        assert!(count.status.games > 2 && count.status.games.is_multiple_of(2));
        let before = Tally::Pairs([0, 0, 0, 0, count.status.games / 2 - 1]);
        assert_eq!(count.test.test(&before).decision, SprtDecision::GoOn, "it did not stop late");
    }

    #[test]
    fn what_is_played_again_decides_nothing() {
        // Deterministic agents: every game in the same seats is the same.
        for (seating, orders) in
            [(Seating::Swapped, 2), (Seating::Fixed, 1), (Seating::Permuted, 2), (Seating::Random, 2)]
        {
            let pairing = pairing(["minimax:depth=3,ties=first", "minimax:depth=1,ties=first"], seating);
            let status = run(&sequential(&pairing, 10_000), &mut Store::in_memory().unwrap());
            assert_eq!(status.ruling(), Ruling::Undecided, "{seating:?} {status:?}");
            assert!(status.all_alike());
            assert_eq!((status.played, status.games), (orders * ALIKE, orders), "{seating:?}");
        }
    }

    #[test]
    fn repetitions_count_once_something_else_happens() {
        let mut count = Count::new(Sprt::new(EloModel::Logistic, 0.0, 50.0, 0.05, 0.05).unwrap(), 2);
        let mut pair = |games: [f64; 2], n: u8| {
            for (order, n, score) in [([0, 1], 0, games[0]), ([1, 0], n, games[1])] {
                let digest = GameDigest::of_parts(&order, "", &n.to_string(), EndReason::Rules);
                let scores = order.map(|agent| if agent == 0 { score } else { 1.0 - score });
                assert!(count.add(&order, &scores, digest).is_continue());
            }
            count.status
        };
        for _ in 0..2 {
            pair([1.0, 0.5], 1);
        }
        let status = pair([1.0, 0.5], 1);
        assert_eq!((status.played, status.games), (6, 2));
        let status = pair([1.0, 0.0], 2);
        assert_eq!((status.played, status.games, status.all_alike()), (8, 8, false));
        assert_eq!(status.results, [4, 3, 1].into());
        assert_eq!(status.tally, Tally::Pairs([0, 0, 1, 3, 0]));
    }

    #[test]
    fn a_fault_among_repetitions_decides_nothing() {
        let mut count = Count::new(Sprt::new(EloModel::Logistic, 0.0, 50.0, 0.05, 0.05).unwrap(), 2);
        // The first agent wins every game, but for one in which it fails.
        for number in 0..u64::MAX {
            let order = if number % 2 == 0 { [0, 1] } else { [1, 0] };
            let end = if number == 11 { EndReason::Crash } else { EndReason::Rules };
            let winner = usize::from(number == 11);
            let scores = order.map(|agent| if agent == winner { 1.0 } else { 0.0 });
            if count.add(&order, &scores, GameDigest::of_parts(&order, "", "", end)).is_break() {
                break;
            }
        }
        assert_eq!(count.status.ruling(), Ruling::Undecided, "{:?}", count.status);
        assert_eq!((count.status.played, count.status.games), (2 * ALIKE, 2));
    }

    #[test]
    fn it_is_for_two() {
        let game = ranka_games::game("labyrinth").unwrap().open("players=3").unwrap();
        let agents = vec![game.agent("random").unwrap(); 3];
        let three =
            Pairing::new(game, agents, Seating::Swapped, Seed::new(1), GameLimits::default(), &[]).unwrap();
        let refused = sequential(&three, 9).run(&mut Store::in_memory().unwrap(), |_| {}).err().unwrap();
        assert_eq!(refused.to_string(), "a sequential test is of two agents; given: 3");
    }
}
