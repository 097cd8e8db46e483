//! A game's ladder: who judges, how values become winning chances, and how each rank errs. It is data.

use crate::Softmax;
use ranka_core::{
    Candidate, Error, Param, Params, Roster, SMALL_FILE, Scale, Thought, read_text, toml_mistake,
};
use serde::Deserialize;
use std::sync::Arc;

/// A game with a ladder.
pub trait Levelled: Roster {
    /// Its ladder.
    fn ladder() -> &'static Ladder;

    /// What a seat saw `then`, with all that it knows `now` of what was hidden from it.
    fn in_hindsight(then: &Self::View, _now: &Self::View) -> Self::View {
        then.clone()
    }
}

/// What `levels.toml` of a game's crate says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ladder {
    /// Raised whenever anything else here changes, because play changes with it.
    pub version: u32,
    /// The agent that judges: it gives candidates with values.
    pub judge: String,
    /// How many units of log-odds a unit of the judge's value is; of a judge that tells expected scores, how many
    /// units one unit of their log-odds is.
    pub slope: f64,
    /// How many tries at the mean of all a candidate's own tries are mixed with, so that one that was tried once is
    /// not taken at its word. For judges that sample.
    #[serde(default)]
    pub shrink: f64,
    /// In how many worlds another's decision is looked at, where something is hidden: enough to meet one like the true one,
    /// in which an action makes sense that is nonsense in others, and no more than the judge's time allows.
    #[serde(default = "few")]
    pub worlds: usize,
    /// How many decisions of another wait to be looked at until it is known what that seat knew when it took them, in games
    /// that tell so later. 0 looks at each at once.
    #[serde(default)]
    pub patience: usize,
    /// The strongest players of the game, for whoever wants one: the first that can play under the rules. Not a matter of
    /// this ladder's version.
    #[serde(default)]
    pub champions: Vec<String>,
    /// Who analyses positions and looks back at games, with time to think: the first that can play under the rules, and
    /// no weaker than the champions. Not a matter of this ladder's version either.
    #[serde(default = "uct")]
    pub analysts: Vec<String>,
    /// Who tries puzzles, weakest first: how many of them fail is how hard a puzzle is.
    #[serde(default)]
    pub solvers: Vec<String>,
    /// The command that found the figures below.
    pub experiment: String,
    /// The ranks, weakest first.
    pub rank: Vec<Rank>,
}

/// How a rank errs, and how strong that was found to make it.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rank {
    /// How readily it gives away winning chances; 0 always plays the judge's choice.
    pub temperature: f64,
    /// What one action may give away at most.
    pub bound: f64,
    /// The rating on the game's own scale, the first rank's being 0.
    pub elo: f64,
    /// The rating's standard error.
    pub error: f64,
    /// How readily it seems to give away winning chances to others who look: a judge that samples sees a good action as an
    /// error now and then, and so does one that cannot see everything.
    #[serde(default)]
    pub seen: Option<f64>,
}

fn few() -> usize {
    2
}

/// Plays every game.
fn uct() -> Vec<String> {
    vec!["uct".to_owned()]
}

/// The word for the ladder that comes with the game.
const BUILT_IN: &str = "built-in";

/// The word for the same judge with many temperatures, for calibration.
const GRID: &str = "grid";

/// The temperatures of the grid.
const GRID_HOTTEST: f64 = 4.0;
const GRID_STEP: f64 = 0.7;
const GRID_RANKS: u32 = 22;

/// The parameter that names a ladder.
pub(crate) const LADDER: Param = Param::file(
    "ladder",
    &[BUILT_IN, GRID],
    "who judges and how ranks err: built-in, many ranks for calibration, or a file such as levels.toml",
);

impl Ladder {
    /// A ladder of these ranks over no judge, for tests.
    #[cfg(test)]
    pub(crate) fn of_ranks(rank: impl IntoIterator<Item = Rank>) -> Ladder {
        Ladder {
            version: 1,
            judge: String::new(),
            slope: 1.0,
            shrink: 0.0,
            worlds: 1,
            patience: 0,
            champions: Vec::new(),
            analysts: uct(),
            solvers: Vec::new(),
            experiment: String::new(),
            rank: rank.into_iter().collect(),
        }
    }

    /// Reads a ladder that comes with a game.
    ///
    /// # Panics
    /// If it is not sound, which every game's tests would see.
    pub fn shipped(text: &str) -> Ladder {
        Ladder::parse(text).unwrap_or_else(|error| panic!("levels.toml: {error}"))
    }

    /// Reads a ladder.
    pub fn parse(text: &str) -> Result<Ladder, Error> {
        let ladder: Ladder =
            toml::from_str(text).map_err(|e| toml_mistake(None, text, e.message(), e.span()))?;
        if ladder.rank.len() < 2 {
            return Err(Error::input("a ladder has at least two ranks"));
        }
        if !ladder.rank.windows(2).all(|pair| pair[0].temperature > pair[1].temperature) {
            return Err(Error::input("temperatures fall from rank to rank"));
        }
        Ok(ladder)
    }

    /// The ladder that a parameter names: a file's, or the game's own.
    pub(crate) fn named<G: Levelled>(params: &Params) -> Result<Arc<Ladder>, Error> {
        match params.text(LADDER.key) {
            BUILT_IN => Ok(Arc::new(G::ladder().clone())),
            GRID => Ok(Arc::new(G::ladder().grid())),
            path => {
                let text = read_text(path, SMALL_FILE)?;
                Ok(Arc::new(Ladder::parse(&text).map_err(|error| error.in_file(path))?))
            }
        }
    }

    /// The highest rank.
    pub fn top(&self) -> f64 {
        self.rank.len() as f64
    }

    /// How a rank errs, also between two ranks. Rank 0 takes anything, and the top is never quite sure of anything:
    /// as a belief about somebody a temperature of 0 would be refuted by a single surprise.
    pub fn believed(&self, rank: f64) -> Softmax {
        let at = |index: usize| -> (f64, f64) {
            let last = self.rank.len();
            match index {
                0 => (8.0 * self.rank[0].temperature, 1.0),
                n if n < last => (self.rank[n - 1].temperature, self.rank[n - 1].bound),
                _ => (self.rank[last - 2].temperature / 3.0, self.rank[last - 2].bound / 2.0),
            }
        };
        let rank = rank.clamp(0.0, self.top());
        let below = rank as usize;
        let (one, two) = (at(below), at((below + 1).min(self.rank.len())));
        let share = rank - below as f64;
        let temperature = libm::exp((1.0 - share) * libm::log(one.0) + share * libm::log(two.0));
        Softmax { temperature, bound: (1.0 - share) * one.1 + share * two.1 }
    }

    /// How a rank's errors look to others, also between two ranks.
    pub fn seen(&self, rank: f64) -> Softmax {
        let played = self.believed(rank);
        let Some(seen) = self.rank.iter().map(|rank| rank.seen).collect::<Option<Vec<f64>>>() else {
            return played;
        };
        let last = seen.len();
        let at = |index: usize| match index {
            0 => 2.0 * seen[0],
            n => seen[n.min(last) - 1],
        };
        let below = rank.clamp(0.0, self.top()) as usize;
        let share = rank.clamp(0.0, self.top()) - below as f64;
        let temperature = libm::exp((1.0 - share) * libm::log(at(below)) + share * libm::log(at(below + 1)));
        Softmax { temperature, bound: 1.0 }
    }

    /// The same judge with many temperatures and no bounds: whoever believes in these finds out how errors look.
    fn grid(&self) -> Ladder {
        let rank = |step: u32| Rank {
            temperature: GRID_HOTTEST * libm::pow(GRID_STEP, f64::from(step)),
            bound: 1.0,
            elo: f64::from(step),
            error: 0.0,
            seen: None,
        };
        Ladder { rank: (0..GRID_RANKS).map(rank).collect(), ..self.clone() }
    }

    /// The temperature of a rank of the grid.
    pub fn grid_temperature(rank: f64) -> f64 {
        GRID_HOTTEST * libm::pow(GRID_STEP, rank - 1.0)
    }

    /// The rating of a rank, also between two.
    pub fn elo(&self, rank: f64) -> f64 {
        let step = self.rank[1].elo - self.rank[0].elo;
        let at =
            |index: usize| index.checked_sub(1).map_or(-step, |i| self.rank[i.min(self.rank.len() - 1)].elo);
        let rank = rank.clamp(0.0, self.top());
        let share = rank - (rank as usize) as f64;
        (1.0 - share) * at(rank as usize) + share * at(rank as usize + 1)
    }

    /// The winning chance of each candidate of a thought of the judge.
    pub fn chances<A>(&self, thought: &Thought<A>) -> Vec<f64> {
        self.odds(thought).into_iter().map(Odds::chance).collect()
    }

    /// What the judge makes of each candidate of its thought.
    pub(crate) fn odds<A>(&self, thought: &Thought<A>) -> Vec<Odds> {
        let visits = |candidate: &Candidate<A>| candidate.visits.unwrap_or(0) as f64;
        let tries: f64 = thought.candidates.iter().map(visits).sum();
        let sum: f64 = thought.candidates.iter().map(|c| visits(c) * c.value).sum();
        let odds = |candidate: &Candidate<A>| {
            let own = visits(candidate);
            let value = match own {
                0.0 => candidate.value,
                _ => (own * candidate.value + self.shrink * sum / tries) / (own + self.shrink),
            };
            match (thought.scale, thought.expected_score(value)) {
                (Scale::Score, _) if self.slope == 1.0 => Odds::Chance(value.clamp(0.0, 1.0)),
                (Scale::Score, _) => {
                    let value = value.clamp(1e-6, 1.0 - 1e-6);
                    Odds::Chance(chance(self.slope * libm::log(value / (1.0 - value))))
                }
                (Scale::Margin | Scale::Own, Some(sure)) => Odds::Log((sure - 0.5) * f64::INFINITY),
                (Scale::Margin | Scale::Own, None) => Odds::Log(self.slope * value),
            }
        };
        thought.candidates.iter().map(odds).collect()
    }
}

/// How good an action is for whoever takes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Odds {
    /// A winning chance, of a judge that tells such.
    Chance(f64),
    /// The logarithm of the odds, of a judge that counts something.
    Log(f64),
}

impl Odds {
    /// The winning chance.
    pub(crate) fn chance(self) -> f64 {
        match self {
            Odds::Chance(chance) => chance,
            Odds::Log(odds) => chance(odds),
        }
    }

    /// What is given away by `other` where this could be had. A judge that counts tells good from bad also where the game
    /// is as good as won or lost; there it is what the difference would be worth in an even game, or else somebody far ahead
    /// would drift and never win.
    pub(crate) fn less(self, other: Odds) -> f64 {
        let lost = match (self, other) {
            (Odds::Log(best), Odds::Log(other)) if best == other => 0.0,
            (Odds::Log(best), Odds::Log(other)) => 2.0 * chance(best - other) - 1.0,
            _ => self.chance() - other.chance(),
        };
        lost.max(0.0)
    }
}

fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-odds))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
        version = 1
        judge = "minimax"
        slope = 0.5
        shrink = 2.0
        experiment = "none"
        [[rank]]
        temperature = 0.4
        bound = 1.0
        elo = 0.0
        error = 9.0
        [[rank]]
        temperature = 0.1
        bound = 0.3
        elo = 200.0
        error = 9.0
        [[rank]]
        temperature = 0.0
        bound = 0.0
        elo = 400.0
        error = 9.0
    "#;

    #[test]
    fn between_two_ranks_lies_what_lies_between() {
        let ladder = Ladder::shipped(TEXT);
        let first = ladder.believed(1.0);
        assert!((first.temperature - 0.4).abs() < 1e-12 && first.bound == 1.0);
        let half = ladder.believed(1.5);
        assert!((half.temperature - 0.2).abs() < 1e-12 && (half.bound - 0.65).abs() < 1e-12);
        assert!(ladder.believed(0.0).temperature > 3.0);
        let top = ladder.believed(3.0).temperature;
        assert!(top > 0.0 && top < 0.1);
        assert_eq!(
            [0.0, 1.0, 1.5, 3.0, 9.0].map(|rank| ladder.elo(rank)),
            [-200.0, 0.0, 100.0, 400.0, 400.0]
        );
    }

    #[test]
    fn values_become_winning_chances() {
        let ladder = Ladder::shipped(TEXT);
        let thought = |values: &[(f64, Option<u64>)], scale, win| {
            let candidate = |&(value, visits)| Candidate { visits, ..Candidate::valued(0, value) };
            let candidates = values.iter().map(candidate).collect();
            Thought { candidates, scale, win, ..Thought::plain(0) }
        };
        let chances = |ladder: &Ladder, thought: &Thought<i32>| -> Vec<f64> {
            ladder.odds(thought).iter().map(|odds| odds.chance()).collect()
        };
        let even = thought(&[(0.0, None), (2.0, None), (-2.0, None)], Scale::Margin, None);
        let margins = chances(&ladder, &even);
        assert_eq!(margins[0], 0.5);
        assert!((margins[1] - 0.731).abs() < 1e-3 && (margins[1] + margins[2] - 1.0).abs() < 1e-12);
        // What is proved is sure.
        let proved = thought(&[(4990.0, None), (-5000.0, None)], Scale::Own, Some(5000.0));
        assert_eq!(chances(&ladder, &proved), [1.0, 0.0]);
        // A candidate that was tried once says little.
        let plain = Ladder { slope: 1.0, ..ladder };
        let tried = chances(&plain, &thought(&[(0.5, Some(98)), (1.0, Some(2))], Scale::Score, None));
        assert!(tried[0] < 0.51 && tried[1] < 0.77, "{tried:?}");
    }

    #[test]
    fn what_is_given_away_does_not_vanish_far_ahead() {
        let log = |odds| Odds::Log(odds);
        let even = log(0.5).less(log(-0.5));
        assert!((even - 0.462).abs() < 1e-3 && (log(20.5).less(log(19.5)) - even).abs() < 1e-12);
        assert_eq!(log(f64::INFINITY).less(log(3.0)), 1.0);
        assert_eq!(log(f64::NEG_INFINITY).less(log(f64::NEG_INFINITY)), 0.0);
        assert_eq!(log(0.0).less(log(1.0)), 0.0);
        assert_eq!(Odds::Chance(0.75).less(Odds::Chance(0.5)), 0.25);
    }
}
