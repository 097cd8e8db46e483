//! Round robins: who meets whom.

use super::file::Sizes;
use super::plan::{Experiment, PlannedPairing};
use crate::{GameLimits, Pairing, Seating};
use ranka_core::{AnyAgent, AnyGame, Error, Seed, labels};
use std::sync::Arc;

/// A round robin.
pub struct RoundRobin {
    /// The names of those who take part.
    pub names: Vec<String>,
    /// For each of the experiment's pairings that belongs to it: its place and who plays, by their places.
    pub fixtures: Vec<(usize, Vec<usize>)>,
    /// Points for a win, a draw and a loss.
    pub points: [f64; 3],
    /// How many play the final, and in how many games each pairing of it.
    pub final_of: Option<(usize, u64)>,
}

/// How many games a pairing of the final has, if nothing is said.
const FINAL_GAMES: u64 = 2;

/// Who enters a round robin, and what for.
pub(super) struct Entrants {
    pub(super) agents: Vec<AnyAgent>,
    pub(super) names: Vec<String>,
    pub(super) points: [f64; 3],
    pub(super) final_of: Option<usize>,
    pub(super) final_games: Option<u64>,
}

impl RoundRobin {
    /// The round robin of these entrants at tables of so many seats. Its pairings, made by `pair`, join `pairings`.
    pub(super) fn plan(
        entrants: Entrants,
        seats: usize,
        sizes: Sizes,
        pair: impl Fn(Vec<AnyAgent>) -> Result<Pairing, Error>,
        pairings: &mut Vec<PlannedPairing>,
    ) -> Result<RoundRobin, Error> {
        entrants.check(seats)?;
        let Entrants { agents, names, points, final_of, final_games } = entrants;
        let mut fixtures = Vec::new();
        for who in subsets(agents.len(), seats) {
            let pairing = pair(who.iter().map(|&place| agents[place].clone()).collect())?;
            let called: Vec<&str> = who.iter().map(|&place| names[place].as_str()).collect();
            fixtures.push((pairings.len(), who));
            pairings.push(PlannedPairing::of_round_robin(called.join(" – "), pairing, sizes));
        }
        let final_of = final_of.map(|top| (top, final_games.unwrap_or(FINAL_GAMES)));
        Ok(RoundRobin { names, fixtures, points, final_of })
    }
}

impl Entrants {
    fn check(&self, seats: usize) -> Result<(), Error> {
        let refuse = |message: String| Err(Error::input(message));
        let Entrants { agents, names, points, final_of, final_games } = self;
        if agents.len() < seats.max(2) {
            return refuse(format!("give at least {} agents; given: {}", seats.max(2), agents.len()));
        }
        if names.len() != agents.len() {
            return refuse(format!("{} names for {} agents", names.len(), agents.len()));
        }
        // The same agents would play the same games, which must not count twice.
        let twice = |&i: &usize| agents[..i].iter().any(|before| before.identity == agents[i].identity);
        if let Some(i) = (1..agents.len()).find(twice) {
            return refuse(format!("{} is there twice: give each agent once", agents[i].short));
        }
        if points.iter().any(|points| !points.is_finite()) {
            return refuse(format!("points {points:?}: expected numbers"));
        }
        match final_of {
            Some(top) if !(seats.max(2)..=agents.len()).contains(top) => {
                refuse(format!("a final of {top} among {} agents at tables of {seats}", agents.len()))
            }
            _ if *final_games == Some(0) => refuse("a final without games".to_owned()),
            _ => Ok(()),
        }
    }
}

/// A round robin that no file tells.
pub struct Tournament {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// Who takes part: at least as many as there are seats. Of more, every choice of that many plays.
    pub agents: Vec<AnyAgent>,
    /// How many games each pairing plays.
    pub games: u64,
    /// Points for a win, a draw and a loss.
    pub points: [f64; 3],
    /// How many of the first play a final among themselves.
    pub final_of: Option<usize>,
    /// How many games a pairing of the final has.
    pub final_games: Option<u64>,
    /// Who sits where.
    pub seating: Seating,
    /// What all randomness follows from.
    pub seed: u64,
    /// What holds for every game.
    pub limits: GameLimits,
}

impl Tournament {
    /// The experiment that it is.
    pub fn plan(self) -> Result<Experiment, Error> {
        let Tournament { game, agents, games, seating, seed, limits, .. } = self;
        let rules = game.rules_short();
        let rules = if rules.is_empty() { rules } else { format!(" ({rules})") };
        let title = format!("{}{rules}: round robin of {}", game.info().title, agents.len());
        let sizes = Sizes { quick: games, paper: Some(games), full: games };
        let entrants = Entrants {
            names: labels(&agents),
            agents,
            points: self.points,
            final_of: self.final_of,
            final_games: self.final_games,
        };
        let pair = |agents| Pairing::new(game.clone(), agents, seating, Seed::new(seed), limits, &[]);
        let mut pairings = Vec::new();
        let round_robin = RoundRobin::plan(entrants, game.seats(), sizes, pair, &mut pairings)?;
        let played = pairings.first().map_or(games, |pairing| pairing.games(super::Size::Full));
        let question = format!(
            "Who is strongest? {} pairings of {played} games, seats {}, seed {seed}.",
            pairings.len(),
            seating.name()
        );
        Ok(Experiment {
            name: "tournament".to_owned(),
            source: String::new(),
            title,
            question,
            place: None,
            note: None,
            pairings,
            round_robin: Some(round_robin),
            rows: Vec::new(),
            tests: Vec::new(),
            positions: Vec::new(),
            plots: Vec::new(),
        })
    }
}

/// All ways to choose `size` of `count` things, in order.
fn subsets(count: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for last in size - 1..count {
        for mut smaller in subsets(last, size - 1) {
            smaller.push(last);
            all.push(smaller);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tournament(game: &str, rules: &str, agents: &[&str]) -> Tournament {
        let game = ranka_games::game(game).unwrap().open(rules).unwrap();
        Tournament {
            agents: agents.iter().map(|agent| game.agent(agent).unwrap()).collect(),
            game,
            games: 3,
            points: [3.0, 1.0, 0.0],
            final_of: None,
            final_games: None,
            seating: Seating::Swapped,
            seed: 0,
            limits: GameLimits::default(),
        }
    }

    #[test]
    fn every_table_that_the_agents_can_fill_is_played_in_whole_deals() {
        let agents = ["random", "random-original", "saboteur", "distance", "static"];
        for (seats, tables, deal) in [(2, 10, 2), (3, 10, 3), (4, 5, 4)] {
            let plan = tournament("labyrinth", &format!("players={seats}"), &agents).plan().unwrap();
            assert_eq!(plan.pairings.len(), tables);
            let games = plan.games(crate::experiment::Size::Full);
            assert_eq!(games, tables as u64 * 3u64.next_multiple_of(deal));
            let mut met = vec![0; agents.len()];
            for (_, who) in &plan.round_robin.unwrap().fixtures {
                assert!(who.len() == seats && who.is_sorted());
                who.iter().for_each(|&agent| met[agent] += 1);
            }
            assert!(met.iter().all(|&tables_of_one| tables_of_one == tables * seats / agents.len()));
        }
    }

    #[test]
    fn what_makes_no_league_is_refused() {
        let of = |agents: &[&str]| tournament("kalah", "", agents);
        let refused = |plan: Tournament| plan.plan().err().unwrap().to_string();
        assert_eq!(refused(of(&["random"])), "give at least 2 agents; given: 1");
        let twice = of(&["minimax:depth=2", "random", "minimax:depth=2"]);
        assert_eq!(refused(twice), "minimax:depth=2 is there twice: give each agent once");
        let two = || of(&["minimax", "random"]);
        assert!(refused(Tournament { points: [f64::NAN, 1.0, 0.0], ..two() }).starts_with("points ["));
        for top in [0, 1, 3] {
            let said = refused(Tournament { final_of: Some(top), ..two() });
            assert_eq!(said, format!("a final of {top} among 2 agents at tables of 2"));
        }
        assert!(Tournament { final_of: Some(2), ..two() }.plan().is_ok());
        let empty = Tournament { final_of: Some(2), final_games: Some(0), ..two() };
        assert_eq!(refused(empty), "a final without games");
    }
}
