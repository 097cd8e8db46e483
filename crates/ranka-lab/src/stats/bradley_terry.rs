//! Ratings of any number of agents by Davidson's model, which is that of Bradley and Terry with draws.
//!
//! A difference of ratings is not the Elo of a match: between two it is `400 log₁₀(wins/losses)`, which leaves draws aside,
//! and the other is `400 log₁₀(points won/points lost)`. Without draws they are the same; with draws ratings lie further apart.
//!
//! Two agents of strengths `a` and `b` win, lose and draw in proportion to `a : b : ν√(ab)`, with one ν for
//! all. Of the usual models (Davidson 1970; Rao and Kupper 1967) this one is taken because it is an
//! exponential family whose statistics are an agent's points (wins and half the draws) and the number of
//! draws: so a draw is worth exactly half a win and half a loss, the likelihood has one maximum at most,
//! Newton's method finds it, and one can tell beforehand whether it exists.
//!
//! Where it does not exist (an agent won everything, or everything was drawn) ratings would be infinite.
//! Then every pair that met is given one more game, half won and half lost, and the ratings say so.

mod exists;
mod fit;
mod simulate;

use super::distributions::normal_below;
use super::matrix::Matrix;
use exists::{groups, has_maximum};
use fit::{Model, fit};
use ranka_core::{Error, Seed, WdlCounts};
use serde::Serialize;
use simulate::simulated_errors;
use std::f64::consts::LN_10;

/// One unit of the logarithm of a strength, in Elo.
const ELO: f64 = 400.0 / LN_10;

/// Who won how often against whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Crosstable {
    agents: usize,
    meetings: Vec<Meeting>,
}

/// What came of the games between two; the first has the smaller number.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Meeting {
    agents: [usize; 2],
    wins: f64,
    draws: f64,
    losses: f64,
}

impl Meeting {
    fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }
}

impl Crosstable {
    /// A table of so many agents who have not played.
    pub fn new(agents: usize) -> Crosstable {
        Crosstable { agents, meetings: Vec::new() }
    }

    /// The table of two square matrices: how often the row's agent beat the column's, and how often they
    /// drew, which stands on both sides of the diagonal.
    pub fn of(wins: &[Vec<u64>], draws: &[Vec<u64>]) -> Result<Crosstable, Error> {
        let refuse = |why: String| Err(Error::input(format!("crosstable: {why}")));
        let agents = wins.len();
        if draws.len() != agents || wins.iter().chain(draws).any(|row| row.len() != agents) {
            return refuse("the matrices of wins and draws are not squares of the same size".to_owned());
        }
        let mut table = Crosstable::new(agents);
        for one in 0..agents {
            if wins[one][one] != 0 || draws[one][one] != 0 {
                return refuse(format!("agent {one} has played against itself"));
            }
            for other in one + 1..agents {
                if draws[one][other] != draws[other][one] {
                    return refuse(format!("the draws of {one} and {other} are not the same on both sides"));
                }
                table.add([one, other], [wins[one][other], draws[one][other], wins[other][one]])?;
            }
        }
        Ok(table)
    }

    /// Adds games between two agents, as the first of them counts wins and losses.
    pub fn add(&mut self, who: [usize; 2], counts: impl Into<WdlCounts>) -> Result<(), Error> {
        let [one, other] = who;
        if one == other || one.max(other) >= self.agents {
            let last = self.agents.saturating_sub(1);
            return Err(Error::input(format!(
                "crosstable: a game of {one} and {other}: expected two agents of 0 to {last}"
            )));
        }
        let [wins, draws, losses] = <[u64; 3]>::from(counts.into()).map(|count| count as f64);
        let (wins, losses) = if one < other { (wins, losses) } else { (losses, wins) };
        let agents = [one.min(other), one.max(other)];
        if wins + draws + losses == 0.0 {
            return Ok(());
        }
        match self.meetings.iter_mut().find(|meeting| meeting.agents == agents) {
            Some(known) => {
                known.wins += wins;
                known.draws += draws;
                known.losses += losses;
            }
            None => self.meetings.push(Meeting { agents, wins, draws, losses }),
        }
        Ok(())
    }

    /// Rates the agents.
    pub fn rate(&self) -> Ratings {
        let groups = groups(self);
        let found = self.most_likely(&groups);
        let number_of_groups = groups.iter().max().map_or(0, |last| last + 1);
        let mut warnings = Vec::new();
        if number_of_groups > 1 {
            warnings.push(Warning::Disconnected { groups: number_of_groups });
        }
        if found.regularised {
            warnings.push(Warning::Regularised);
        }
        let agents = (0..self.agents).map(|agent| {
            let alone = groups.iter().filter(|group| **group == groups[agent]).count() == 1;
            let error =
                if alone { f64::INFINITY } else { ELO * found.covariance[agent][agent].max(0.0).sqrt() };
            Rating { elo: ELO * found.model.strengths[agent], error, group: groups[agent] }
        });
        Ratings {
            agents: agents.collect(),
            draw: found.model.draw.map_or(0.0, f64::exp),
            warnings,
            covariance: found.covariance,
            model: found.model,
        }
    }

    /// The standard errors of the ratings in Elo, found by playing the table again so many times as the
    /// ratings would have it; deterministic for a seed.
    ///
    /// They should be near those that the ratings bring along. Where they are not, there were too few games
    /// for the latter.
    pub fn simulated_errors(&self, ratings: &Ratings, times: u32, seed: Seed) -> Vec<f64> {
        simulated_errors(self, &ratings.model, times, seed).into_iter().map(|error| ELO * error).collect()
    }

    /// The maximum of the likelihood, or of that with the additional games where it has none.
    fn most_likely(&self, groups: &[usize]) -> Found {
        let (table, regularised) =
            if has_maximum(self, groups) { (self.clone(), false) } else { (self.with_drawn_scores(), true) };
        let (model, covariance) = fit(&table, groups);
        Found { model, covariance, regularised }
    }

    /// The table after one more game of every pair that met, half won and half lost.
    fn with_drawn_scores(&self) -> Crosstable {
        let more = |m: &Meeting| Meeting { wins: m.wins + 0.5, losses: m.losses + 0.5, ..*m };
        Crosstable { agents: self.agents, meetings: self.meetings.iter().map(more).collect() }
    }
}

struct Found {
    model: Model,
    covariance: Matrix,
    regularised: bool,
}

/// The ratings of a table.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// The rating of each agent.
    pub agents: Vec<Rating>,
    /// The ν of the model: among equals there are ν draws for every two decided games.
    pub draw: f64,
    /// What should be known of the ratings.
    pub warnings: Vec<Warning>,
    covariance: Matrix,
    model: Model,
}

/// The rating of one agent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The rating in Elo; the mean of a group's is 0.
    pub elo: f64,
    /// Its standard error, from the information matrix; infinite for an agent who has not played.
    pub error: f64,
    /// The group of agents to whom the rating can be compared.
    pub group: usize,
}

/// What should be known of ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Warning {
    /// The agents fall into groups that never met, and ratings of different groups cannot be compared.
    Disconnected {
        /// How many groups there are.
        groups: usize,
    },
    /// The results allow for infinite ratings, so every pair that met was given one more game, half won and
    /// half lost.
    Regularised,
}

impl Ratings {
    /// The agents from the strongest to the weakest.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.agents.len()).collect();
        order.sort_by(|&a, &b| self.agents[b].elo.total_cmp(&self.agents[a].elo));
        order
    }

    /// How much stronger one agent is than another, in Elo, and the standard error of that; nothing if they cannot be
    /// compared.
    pub fn difference(&self, one: usize, other: usize) -> Option<[f64; 2]> {
        if one == other || self.agents[one].group != self.agents[other].group {
            return None;
        }
        let c = &self.covariance;
        let error = (c[one][one] + c[other][other] - 2.0 * c[one][other]).max(0.0).sqrt();
        Some([self.agents[one].elo - self.agents[other].elo, ELO * error])
    }

    /// How sure it is that one agent is stronger than another; ½ if they cannot be compared.
    pub fn superiority(&self, one: usize, other: usize) -> f64 {
        if one == other || self.agents[one].group != self.agents[other].group {
            return 0.5;
        }
        let c = &self.covariance;
        let error = (c[one][one] + c[other][other] - 2.0 * c[one][other]).max(f64::MIN_POSITIVE).sqrt();
        normal_below((self.agents[one].elo - self.agents[other].elo) / ELO / error)
    }
}

#[cfg(test)]
mod tests;
