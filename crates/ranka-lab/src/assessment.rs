//! What the games of a match are worth, judged in one way whoever played them and wherever it is told.
//!
//! What is independent is the deal, not the game: the games of a deal share what chance dealt and drew. So intervals are
//! those of the deals' mean scores. And where nothing is left to chance, so that who sits where decides everything, playing
//! again adds nothing: then the first game of each order of the agents counts.

use crate::stats::{Elo, Resampling, Scores, Tally, bootstrap_ratio, elo_of};
use ranka_core::{Record, Seed, Wdl, WdlCounts};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Tells games apart by who sat where, how they started and all that was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameDigest {
    order: u64,
    game: u64,
}

impl GameDigest {
    /// The digest of a game that was played.
    pub fn of(record: &Record) -> GameDigest {
        GameDigest::of_parts(&record.numbers, &record.start, &record.actions)
    }

    pub(crate) fn of_parts(agents: &[usize], start: &str, actions: &str) -> GameDigest {
        let mut hasher = DefaultHasher::new();
        agents.hash(&mut hasher);
        let order = hasher.finish();
        (start, actions).hash(&mut hasher);
        GameDigest { order, game: hasher.finish() }
    }
}

/// Whether games repeat each other because nothing is left to chance: in each order of the agents that was played, however
/// it came up, all went the same way.
///
/// The orders that came up are asked for and not those that could: with random seats two games in one order that differ
/// are no repetition of a second order that has not come up yet.
pub(crate) fn all_alike(games: u64, different: u64, orders: u64) -> bool {
    games > different && different <= orders
}

/// Finds out whether games repeat each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Repetitions {
    games: u64,
    different: HashSet<GameDigest>,
    orders: HashSet<u64>,
}

impl Repetitions {
    /// Takes the next game, and tells whether it is the first in its order of the agents.
    pub(crate) fn add(&mut self, game: GameDigest) -> bool {
        self.games += 1;
        self.different.insert(game);
        self.orders.insert(game.order)
    }

    /// How many orders of the agents there were.
    pub(crate) fn orders(&self) -> u64 {
        self.orders.len() as u64
    }

    /// How many games there were that no other repeats.
    pub(crate) fn different(&self) -> u64 {
        self.different.len() as u64
    }

    /// Whether all games of each order are alike.
    pub(crate) fn all_alike(&self) -> bool {
        all_alike(self.games, self.different(), self.orders())
    }
}

/// The interval of a score between 0 and 1, from the sums of each deal, `(score, games)`.
///
/// Between two it is [`Scores::interval`] of the deals' means. With more seats deals are drawn again, as if one more had
/// been won and one lost: so a clean sheet is not taken for certainty.
pub(crate) fn score_interval(
    deals: &[(f64, f64)],
    seats: usize,
    games_of_a_deal: u64,
    seed: Seed,
) -> [f64; 2] {
    if seats > 2 {
        let each = games_of_a_deal as f64;
        let deals = [deals, &[(each, each), (0.0, each)]].concat();
        return bootstrap_ratio(&deals, &Resampling::new(seed)).interval;
    }
    let mut means = Scores::default();
    deals.iter().for_each(|(score, games)| means.add(score / games));
    means.interval()
}

/// The games of a match so far. They are told in order, deal by deal.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    agents: usize,
    games_of_a_deal: u64,
    seed: Seed,
    repetitions: Repetitions,
    /// The numbers of the first games in each order of the agents.
    firsts: Vec<u64>,
    /// What the games were to each agent, and what these first ones were.
    results: Vec<WdlCounts>,
    first_results: Vec<WdlCounts>,
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
        let none = vec![WdlCounts::default(); agents];
        Assessment {
            agents,
            games_of_a_deal: games_of_a_deal.max(1),
            seed,
            repetitions: Repetitions::default(),
            firsts: Vec::new(),
            results: none.clone(),
            first_results: none,
            sums: Vec::new(),
        }
    }

    /// Takes the next game: the number of the agent in each seat, the score of each seat, and what tells the game apart.
    pub fn add(&mut self, order: &[usize], scores: &[f64], game: GameDigest) {
        let number = self.games();
        let deal = (number / self.games_of_a_deal) as usize;
        let first = self.repetitions.add(game);
        if first {
            self.firsts.push(number);
        }
        self.sums.resize((deal + 1) * self.agents, 0.0);
        for (&agent, &score) in order.iter().zip(scores) {
            self.sums[deal * self.agents + agent] += score;
            self.results[agent].add(Wdl::of(score));
            if first {
                self.first_results[agent].add(Wdl::of(score));
            }
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

    /// Whether nothing is left to chance: games in the same seats are all alike, so one of each counts.
    pub fn all_alike(&self) -> bool {
        self.repetitions.all_alike()
    }

    /// How many games count.
    pub fn counted(&self) -> u64 {
        if self.all_alike() { self.firsts.len() as u64 } else { self.games() }
    }

    /// What the games that count were to an agent.
    pub fn results(&self, agent: usize) -> WdlCounts {
        if self.all_alike() { self.first_results[agent] } else { self.results[agent] }
    }

    /// How many of the games that count nobody won alone.
    pub fn without_winner(&self) -> u64 {
        self.counted() - (0..self.agents).map(|agent| self.results(agent).wins).sum::<u64>()
    }

    /// The pairs that brought the first of two agents 0, ½, 1, 1½ and 2 points; nothing where games are not played in
    /// pairs. The last game of an odd number is in none.
    pub fn pairs(&self) -> Option<[u64; 5]> {
        let paired = self.agents == 2 && self.games_of_a_deal == 2;
        let whole = (self.counted() / 2) as usize;
        let mut pairs = [0; 5];
        for sums in self.sums.chunks(2).take(whole) {
            pairs[((2.0 * sums[0]).round() as usize).min(4)] += 1;
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
            Some(_) => score_interval(&deals, self.agents, self.games_of_a_deal, self.seed),
            None => [0.0, 1.0],
        };
        let elo = score.filter(|_| self.agents == 2);
        let elo = elo.map(|score| Elo { value: elo_of(score), interval: interval.map(elo_of) });
        Assessed { results: self.results(agent), score, interval, elo }
    }

    /// The sums of an agent's scores in the deals that count, with the number of games of each.
    fn deals(&self, agent: usize) -> Vec<(f64, f64)> {
        let sum = |deal: u64| self.sums[deal as usize * self.agents + agent];
        if self.all_alike() {
            // Games of a first deal are all first ones, and those of others are none.
            let deals = self.firsts.chunk_by(|a, b| a / self.games_of_a_deal == b / self.games_of_a_deal);
            return deals
                .map(|firsts| (sum(firsts[0] / self.games_of_a_deal), firsts.len() as f64))
                .collect();
        }
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
        GameDigest::of_parts(order, "", &number.to_string())
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
