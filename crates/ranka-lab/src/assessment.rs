//! What the games of a match are worth, judged in one way whoever played them and wherever it is told.
//!
//! What is independent is the deal, not the game: the games of a deal share what chance dealt and drew. So intervals are
//! those of the deals' mean scores. And where nothing is left to chance, so that who sits where decides everything, playing
//! again adds nothing: then one game of each order of the agents counts. A fault now and then does not make the others
//! evidence again: where fewer than half of an order's games ended by one, they are left out of that question.

use crate::GameResult;
use crate::stats::{Elo, Resampling, Scores, Tally, bootstrap_ratio, elo_of};
use ranka_core::{EndReason, Record, Seed, Wdl, WdlCounts};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Tells games apart by who sat where, how they started, all that was done, and whether somebody's fault ended them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameDigest {
    order: u64,
    game: u64,
    fault: bool,
}

impl GameDigest {
    /// The digest of a game that was played.
    pub fn of(record: &Record) -> GameDigest {
        GameDigest::of_parts(&record.numbers, &record.start, &record.actions, record.end.reason)
    }

    pub(crate) fn of_parts(agents: &[usize], start: &str, actions: &str, end: EndReason) -> GameDigest {
        let mut hasher = DefaultHasher::new();
        agents.hash(&mut hasher);
        let order = hasher.finish();
        (start, actions).hash(&mut hasher);
        GameDigest { order, game: hasher.finish(), fault: end.is_fault() }
    }
}

/// Finds out whether games repeat each other because nothing is left to chance: in each order of the agents that was
/// played, however it came up, all went the same way.
///
/// The orders that came up are asked for and not those that could: with random seats two games in one order that differ
/// are no repetition of a second order that has not come up yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Repetitions {
    games: u64,
    different: HashSet<GameDigest>,
    orders: HashMap<u64, Seen>,
    /// For each order of the agents the game that counts where nothing is left to chance: the first that no fault ended,
    /// or else the first. In order of their numbers.
    firsts: Vec<First>,
}

/// What was seen of the games in one order of the agents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Seen {
    games: u64,
    different: u64,
    /// Those of both that a fault ended.
    faults: u64,
    different_faults: u64,
}

impl Seen {
    /// How many games are asked, and how many of them are different. Who fails in half of the games or more is not failing
    /// now and then: there a fault is a game like any other.
    fn asked(self) -> (u64, u64) {
        if 2 * self.faults >= self.games {
            return (self.games, self.different);
        }
        (self.games - self.faults, self.different - self.different_faults)
    }
}

/// The game that stands for all in its order of the agents.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct First {
    digest: GameDigest,
    /// Its number among the games that were told.
    pub(crate) number: u64,
    /// The score of each agent.
    pub(crate) scores: Vec<f64>,
}

impl Repetitions {
    /// Takes the next game: the number of the agent in each seat, the score of each seat, and what tells it apart.
    pub(crate) fn add(&mut self, order: &[usize], scores: &[f64], digest: GameDigest) {
        let number = self.games;
        self.games += 1;
        let new = u64::from(self.different.insert(digest));
        let fault = u64::from(digest.fault);
        let seen = self.orders.entry(digest.order).or_default();
        seen.games += 1;
        seen.different += new;
        seen.faults += fault;
        seen.different_faults += new * fault;
        let known = self.firsts.iter().position(|first| first.digest.order == digest.order);
        match known {
            Some(at) if digest.fault || !self.firsts[at].digest.fault => return,
            Some(at) => drop(self.firsts.remove(at)),
            None => {}
        }
        let mut by_agent = vec![0.0; order.len()];
        order.iter().zip(scores).for_each(|(&agent, &score)| by_agent[agent] = score);
        self.firsts.push(First { digest, number, scores: by_agent });
    }

    /// Whether no further game can make all alike: two in one order differ, and no fault ended either.
    pub(crate) fn settled(&self) -> bool {
        self.orders.values().any(|seen| seen.different - seen.different_faults > 1)
    }

    /// How many orders of the agents there were.
    pub(crate) fn orders(&self) -> u64 {
        self.orders.len() as u64
    }

    /// How many games there were that no other repeats.
    pub(crate) fn different(&self) -> u64 {
        self.different.len() as u64
    }

    /// One game of each order, if all are alike: those count.
    pub(crate) fn counted(&self) -> Option<&[First]> {
        self.all_alike().then_some(&self.firsts[..])
    }

    /// Whether all games of each order are alike, but for faults.
    pub(crate) fn all_alike(&self) -> bool {
        let asked = || self.orders.values().map(|seen| seen.asked());
        asked().all(|(_, different)| different == 1) && asked().any(|(games, _)| games > 1)
    }
}

/// The games that count where nothing is left to chance: one of each order of the agents. Nothing where all games count.
pub fn one_of_each_order(
    games: &[GameResult],
    digests: &BTreeMap<u64, GameDigest>,
) -> Option<Vec<GameResult>> {
    let mut repetitions = Repetitions::default();
    for game in games {
        repetitions.add(&game.agents, &game.scores, *digests.get(&game.number)?);
    }
    Some(repetitions.counted()?.iter().map(|first| games[first.number as usize].clone()).collect())
}

/// The interval of a score between 0 and 1, from the sums of each deal, `(score, games)`.
///
/// Between two it is [`Scores::interval`] of the deals' means. With more seats deals are drawn again, as if one more had
/// been won and one lost: so a clean sheet is not taken for certainty.
pub(crate) fn score_interval(
    deals: impl Iterator<Item = (f64, f64)>,
    seats: usize,
    games_of_a_deal: u64,
    seed: Seed,
) -> [f64; 2] {
    if seats > 2 {
        let each = games_of_a_deal as f64;
        let deals: Vec<(f64, f64)> = deals.chain([(each, each), (0.0, each)]).collect();
        return bootstrap_ratio(&deals, &Resampling::new(seed)).interval;
    }
    let mut means = Scores::default();
    deals.for_each(|(score, games)| means.add(score / games));
    means.interval()
}

/// The games of a match so far. They are told in order, deal by deal.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    agents: usize,
    games_of_a_deal: u64,
    seed: Seed,
    repetitions: Repetitions,
    /// What the games were to each agent.
    results: Vec<WdlCounts>,
    /// For each deal the sum of the scores of each agent.
    sums: Vec<f64>,
}

/// What the games say of one agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assessed {
    /// What the games that count were to it.
    pub results: WdlCounts,
    /// Its mean score; nothing if no game counts.
    pub score: Option<f64>,
    /// The 95 % interval of its expected score, by deal.
    pub interval: [f64; 2],
    /// The difference in strength that this speaks for; nothing with more than two agents.
    pub elo: Option<Elo>,
}

impl Assessment {
    /// Of a match in which so many games share a deal. Where deals are drawn again, `seed` says how.
    pub fn new(agents: usize, games_of_a_deal: u64, seed: Seed) -> Assessment {
        Assessment {
            agents,
            games_of_a_deal: games_of_a_deal.max(1),
            seed,
            repetitions: Repetitions::default(),
            results: vec![WdlCounts::default(); agents],
            sums: Vec::new(),
        }
    }

    /// Takes the next game: the number of the agent in each seat, the score of each seat, and what tells the game apart.
    pub fn add(&mut self, order: &[usize], scores: &[f64], game: GameDigest) {
        let deal = (self.games() / self.games_of_a_deal) as usize;
        self.repetitions.add(order, scores, game);
        self.sums.resize((deal + 1) * self.agents, 0.0);
        for (&agent, &score) in order.iter().zip(scores) {
            self.sums[deal * self.agents + agent] += score;
            self.results[agent].add(Wdl::of(score));
        }
    }

    /// How many games there were.
    pub fn games(&self) -> u64 {
        self.repetitions.games
    }

    /// How many of them are different.
    pub fn different(&self) -> u64 {
        self.repetitions.different()
    }

    /// Whether nothing is left to chance but faults: games in the same seats are all alike, so one of each counts.
    pub fn all_alike(&self) -> bool {
        self.repetitions.all_alike()
    }

    /// How many games count.
    pub fn counted(&self) -> u64 {
        self.repetitions.counted().map_or_else(|| self.games(), |firsts| firsts.len() as u64)
    }

    /// What the games that count were to an agent.
    pub fn results(&self, agent: usize) -> WdlCounts {
        let Some(firsts) = self.repetitions.counted() else { return self.results[agent] };
        let mut results = WdlCounts::default();
        firsts.iter().for_each(|first| results.add(Wdl::of(first.scores[agent])));
        results
    }

    /// How many of the games that count nobody won alone.
    pub fn without_winner(&self) -> u64 {
        self.counted() - (0..self.agents).map(|agent| self.results(agent).wins).sum::<u64>()
    }

    /// The pairs that brought the first of two agents 0, ½, 1, 1½ and 2 points; nothing where games are not played in
    /// pairs. The last game of an odd number is in none.
    pub fn pairs(&self) -> Option<[u64; 5]> {
        let paired = self.agents == 2 && self.games_of_a_deal == 2;
        let mut pairs = [0; 5];
        for (score, _) in self.deals(0).into_iter().filter(|&(_, games)| games == 2.0) {
            pairs[((2.0 * score).round() as usize).min(4)] += 1;
        }
        paired.then_some(pairs)
    }

    /// The counts for tests that ask for them: by pairs where there are some, else by games.
    pub fn tally(&self) -> Tally {
        self.pairs().map_or_else(|| Tally::games(self.results(0)), Tally::Pairs)
    }

    /// What the games say of an agent.
    pub fn of(&self, agent: usize) -> Assessed {
        let deals = self.deals(agent);
        let (points, games) = deals.iter().fold((0.0, 0.0), |sum, deal| (sum.0 + deal.0, sum.1 + deal.1));
        let score = (games > 0.0).then(|| points / games);
        let interval = match score {
            Some(_) => score_interval(deals.iter().copied(), self.agents, self.games_of_a_deal, self.seed),
            None => [0.0, 1.0],
        };
        let elo = score.filter(|_| self.agents == 2);
        let elo = elo.map(|score| Elo { value: elo_of(score), interval: interval.map(elo_of) });
        Assessed { results: self.results(agent), score, interval, elo }
    }

    /// The sums of an agent's scores in the deals that count, with the number of games of each.
    fn deals(&self, agent: usize) -> Vec<(f64, f64)> {
        if let Some(firsts) = self.repetitions.counted() {
            // The games of a deal are in different orders, so those of all orders make whole deals.
            let sum = |firsts: &[First]| firsts.iter().map(|first| first.scores[agent]).sum();
            let deals = firsts.chunks(self.games_of_a_deal as usize);
            return deals.map(|firsts| (sum(firsts), firsts.len() as f64)).collect();
        }
        let sum = |deal: u64| self.sums[deal as usize * self.agents + agent];
        let begins = (0..self.games()).step_by(self.games_of_a_deal as usize);
        let games = |first: u64| (self.games() - first).min(self.games_of_a_deal);
        begins.map(|first| (sum(first / self.games_of_a_deal), games(first) as f64)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game that is told by two numbers.
    fn game(order: &[usize], number: u64) -> GameDigest {
        GameDigest::of_parts(order, "", &number.to_string(), EndReason::Rules)
    }

    /// A match of pairs, by the half points of the first agent in both games.
    fn pairs(results: &[[f64; 2]]) -> Assessment {
        let mut match_ = Assessment::new(2, 2, Seed::new(0));
        for (number, score) in results.iter().flatten().enumerate() {
            let order = if number % 2 == 0 { [0, 1] } else { [1, 0] };
            let scores = if number % 2 == 0 { [*score, 1.0 - score] } else { [1.0 - score, *score] };
            match_.add(&order, &scores, game(&order, number as u64));
        }
        match_
    }

    #[test]
    fn games_of_a_pair_count_as_one() {
        // Every deal is lost in one seat and won in the other: nothing is uncertain but for few deals.
        let swapped = pairs(&[[1.0, 0.0]; 50]);
        let games = Scores::of(swapped.results(0)).interval();
        let [low, high] = swapped.of(0).interval;
        assert_eq!(swapped.pairs(), Some([0, 0, 50, 0, 0]));
        assert!(high - low < 0.5 * (games[1] - games[0]), "{low} {high} {games:?}");
        // Both games of a deal go the same way: they are worth half as many.
        let alike: Vec<[f64; 2]> = (0..50).map(|deal| [f64::from(deal % 2); 2]).collect();
        let alike = pairs(&alike);
        let [low, high] = alike.of(0).interval;
        assert!((high - low) > 1.35 * (games[1] - games[0]), "{low} {high} {games:?}");
        assert_eq!(alike.of(0).interval, alike.tally().scores().interval());
    }

    #[test]
    fn what_is_played_again_is_no_evidence() {
        let mut repeated = Assessment::new(2, 2, Seed::new(0));
        for number in 0..1000 {
            let order = if number % 2 == 0 { [0, 1] } else { [1, 0] };
            repeated.add(&order, &[1.0, 0.0], game(&order, 0));
        }
        assert!(repeated.all_alike());
        assert_eq!((repeated.games(), repeated.counted(), repeated.different()), (1000, 2, 2));
        assert_eq!(repeated.of(0).results, [1, 0, 1].into());
        assert_eq!(repeated.pairs(), Some([0, 0, 1, 0, 0]));
        assert_eq!(repeated.without_winner(), 0);
        let [low, high] = repeated.of(0).interval;
        assert!(high - low > 0.5, "one deal says little: {low} {high}");
        // One that went otherwise shows that chance is in it, and all count.
        repeated.add(&[0, 1], &[0.5, 0.5], game(&[0, 1], 7));
        assert_eq!((repeated.all_alike(), repeated.counted()), (false, 1001));
        assert_eq!(repeated.of(0).results, [500, 1, 500].into());
        assert_eq!(repeated.pairs(), Some([0, 0, 500, 0, 0]), "half a pair is none");
    }

    /// A match of two that repeat themselves, each winning with the first move, but for the games that this one fails in.
    fn failing(games: u64, fails: impl Fn(u64) -> bool) -> Assessment {
        let mut match_ = Assessment::new(2, 2, Seed::new(0));
        for number in 0..games {
            let order = if number % 2 == 0 { [0, 1] } else { [1, 0] };
            if fails(number) {
                let digest = GameDigest::of_parts(&order, "", &number.to_string(), EndReason::Crash);
                match_.add(&order, &order.map(|agent| agent as f64), digest);
            } else {
                match_.add(&order, &[1.0, 0.0], game(&order, 0));
            }
        }
        match_
    }

    #[test]
    fn a_fault_does_not_make_repetitions_evidence() {
        let whole = failing(100, |_| false);
        assert_eq!(whole.counted(), 2);
        for odd in [0, 1, 37, 98, 99] {
            let match_ = failing(100, |number| number == odd);
            assert!(match_.all_alike(), "{odd}");
            assert_eq!((match_.games(), match_.different(), match_.counted()), (100, 3, 2), "{odd}");
            assert_eq!(match_.of(0), whole.of(0), "{odd}");
            assert_eq!((match_.pairs(), match_.tally()), (whole.pairs(), whole.tally()), "{odd}");
        }
        // Almost half of the games of each order fail, and what is said holds nevertheless.
        let often = failing(100, |number| number % 4 < 2 && number > 3);
        let [low, high] = often.of(0).interval;
        assert!(often.all_alike() && low < 0.26 && 0.26 < high, "it scored 26 %: {low} {high}");
        // Who fails in half of the games or more fails by chance, and that is counted as chance is; be it in one seat.
        let mostly = failing(100, |number| number % 4 < 2);
        assert_eq!((mostly.all_alike(), mostly.counted()), (false, 100));
        assert_eq!(mostly.of(0).results, [25, 0, 75].into());
        let in_one_seat = failing(100, |number| number % 2 == 0 && number < 98);
        assert_eq!((in_one_seat.all_alike(), in_one_seat.counted()), (false, 100));
        // Who cannot play at all fails in the same way every time.
        let mut never = Assessment::new(2, 2, Seed::new(0));
        for number in 0..10 {
            let order = if number % 2 == 0 { [0, 1] } else { [1, 0] };
            let digest = GameDigest::of_parts(&order, "", "", EndReason::Crash);
            never.add(&order, &order.map(|agent| agent as f64), digest);
        }
        assert_eq!((never.all_alike(), never.of(0).results), (true, [0, 0, 2].into()));
    }

    #[test]
    fn chance_is_counted_though_somebody_fails() {
        let mut match_ = Assessment::new(2, 1, Seed::new(0));
        for number in 0..20 {
            let end = if number == 7 { EndReason::Timeout } else { EndReason::Rules };
            // Two games that come up again and again: few, but more than one in these seats.
            let digest = GameDigest::of_parts(&[0, 1], "", &(number % 2).to_string(), end);
            match_.add(&[0, 1], &[1.0, 0.0], digest);
        }
        assert_eq!((match_.all_alike(), match_.counted()), (false, 20));
    }

    #[test]
    fn with_random_seats_one_game_of_each_order_counts() {
        let mut repeated = Assessment::new(2, 1, Seed::new(0));
        let orders = [[0, 1], [0, 1], [0, 1], [1, 0], [0, 1], [1, 0]];
        for order in orders.iter().cycle().take(600) {
            // The first agent wins wherever it sits.
            let scores = order.map(|agent| if agent == 0 { 1.0 } else { 0.0 });
            repeated.add(order, &scores, game(order, 0));
        }
        assert!(repeated.all_alike());
        assert_eq!((repeated.games(), repeated.counted(), repeated.different()), (600, 2, 2));
        let Assessed { results, score, interval: [low, _], .. } = repeated.of(0);
        assert_eq!((results, score), ([2, 0, 0].into(), Some(1.0)));
        assert!(low < 0.5, "two games are no evidence: {low}");
        // Two different games in the same seats are chance, though the other order has not come up.
        let mut by_chance = Assessment::new(2, 1, Seed::new(0));
        [3, 4, 3].into_iter().for_each(|number| by_chance.add(&[0, 1], &[1.0, 0.0], game(&[0, 1], number)));
        assert_eq!((by_chance.all_alike(), by_chance.counted()), (false, 3));
    }

    #[test]
    fn nothing_is_said_of_no_games() {
        let none = Assessment::new(2, 2, Seed::new(0));
        let Assessed { score, interval, elo, .. } = none.of(1);
        assert_eq!((score, interval, elo), (None, [0.0, 1.0], None));
        assert_eq!((none.pairs(), none.counted(), none.all_alike()), (Some([0; 5]), 0, false));
    }

    #[test]
    fn three_at_a_table_are_judged_by_deals() {
        let mut match_ = Assessment::new(3, 3, Seed::new(4));
        for number in 0..300usize {
            let order = [0, 1, 2].map(|seat| (seat + number) % 3);
            // The first seat wins, whoever has it.
            match_.add(&order, &[1.0, 0.0, 0.0], game(&order, number as u64));
        }
        let Assessed { score, interval: [low, high], elo, results } = match_.of(2);
        assert_eq!((score, elo, results), (Some(1.0 / 3.0), None, [100, 0, 200].into()));
        assert!(low < 1.0 / 3.0 && 1.0 / 3.0 < high && high - low < 0.05, "{low} {high}");
        assert_eq!((match_.pairs(), match_.without_winner()), (None, 0));
    }
}
