//! Calibration: how strong each temperature is, and from that the temperatures of ranks with equal steps between them.

use crate::stats::{Crosstable, Rating};
use crate::{Executor, GameLimits, Job, Pairing, Runner, Seating};
use ranka_core::{AnyGame, Error, Seed, Wdl, WdlCounts};
use serde::Serialize;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A calibration to be played.
pub struct Calibration {
    /// The game; with two seats.
    pub game: Arc<dyn AnyGame>,
    /// The file with the judge, if it is not the game's own.
    pub ladder: Option<String>,
    /// Games of each pairing.
    pub games: u64,
    /// Games of each pairing of the ranks that were found; 0 to leave it at that.
    pub check: u64,
    /// All randomness follows from it.
    pub seed: Seed,
    /// How many ranks.
    pub ranks: usize,
    /// The largest step between ranks, in Elo.
    pub step: f64,
    /// The hottest temperature that is tried.
    pub hottest: f64,
    /// The coldest that is tried beside 0.
    pub coldest: f64,
    /// How many temperatures are tried beside 0.
    pub tried: usize,
    /// What one action may give away, in temperatures: an action at this bound is `exp(bound)` times less likely than the
    /// best, and what is beyond never happens. Where there are hundreds of actions, many times rarer ones still matter, and
    /// a narrow bound would make a gap in the curve.
    pub bound: f64,
}

/// A temperature and how strong it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rung {
    /// The temperature.
    pub temperature: f64,
    /// What one action may give away.
    pub bound: f64,
    /// The rating.
    pub elo: f64,
    /// Its standard error.
    pub error: f64,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibrated {
    /// What was tried, hottest first.
    pub curve: Vec<Rung>,
    /// The ranks, weakest first; the weakest rank's rating is 0.
    pub ranks: Vec<Rung>,
    /// Elo from rank to rank, as they were sought.
    pub step: f64,
    /// The score of each rank against each other; empty if they have not played.
    pub scores: Vec<Vec<Option<f64>>>,
}

/// How far along the curve temperatures meet: those further apart tell little, since one always wins.
const REACH: usize = 2;

/// Players of some temperatures after their games.
struct Rated {
    rungs: Vec<Rung>,
    /// The score of the row's player against the column's, where they met.
    scores: Vec<Vec<Option<f64>>>,
}

impl Calibration {
    /// Plays, finds the ranks, and lets all of them play each other.
    pub fn run(&self, runner: &Runner<'_>) -> Result<Calibrated, Error> {
        if self.game.seats() != 2 {
            return Err(Error::input("levels are calibrated in games of two"));
        }
        let curve = self.rate(&self.temperatures(), REACH, self.games, self.seed, runner)?.rungs;
        let mut found = self.ranks(curve);
        if self.check > 0 {
            // All against all tells more than neighbours do: the ranks are put on that curve once more.
            let first = self.round_robin(&found.ranks, "first", runner)?;
            let ranks = self.ranks(first.rungs).ranks;
            let rated = self.round_robin(&ranks, "check", runner)?;
            let lowest = rated.rungs.first().map_or(0.0, |rung| rung.elo);
            found.ranks =
                rated.rungs.into_iter().map(|rung| Rung { elo: rung.elo - lowest, ..rung }).collect();
            found.scores = rated.scores;
        }
        Ok(found)
    }

    fn round_robin(&self, ranks: &[Rung], name: &str, runner: &Runner<'_>) -> Result<Rated, Error> {
        let temperatures: Vec<f64> = ranks.iter().map(|rank| rank.temperature).collect();
        self.rate(&temperatures, temperatures.len(), self.check, self.seed.child(name), runner)
    }

    /// Lets players of these temperatures, hottest first, play those at most `reach` places away.
    fn rate(
        &self,
        temperatures: &[f64],
        reach: usize,
        games: u64,
        seed: Seed,
        runner: &Runner<'_>,
    ) -> Result<Rated, Error> {
        let agents =
            temperatures.iter().map(|&t| self.game.agent(&self.spec(t))).collect::<Result<Vec<_>, _>>()?;
        let mut pairings = Vec::new();
        for one in 0..agents.len() {
            for two in one + 1..(one + 1 + reach).min(agents.len()) {
                let pair = vec![agents[one].clone(), agents[two].clone()];
                let seed = seed.at(one as u64).at(two as u64);
                let (limits, seating) = (GameLimits::default(), Seating::Swapped);
                let pairing = Pairing::new(self.game.clone(), pair, seating, seed, limits, &[])?;
                pairings.push(([one, two], pairing));
            }
        }
        let all = |(_, pairing)| Job { pairing, missing: std::iter::once(0..games).collect() };
        let jobs: Vec<Job<'_>> = pairings.iter().map(|(who, pairing)| all((who, pairing))).collect();
        let mut counts = vec![WdlCounts::default(); jobs.len()];
        runner.play(&jobs, |job, finished| {
            for (_, game) in &finished {
                let first = game.record.numbers.iter().position(|&number| number == 0);
                counts[job].add(Wdl::of(game.record.outcome[first.unwrap_or(0)]));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let mut table = Crosstable::new(agents.len());
        let mut scores = vec![vec![None; agents.len()]; agents.len()];
        for (&([one, two], _), count) in pairings.iter().zip(counts) {
            table.add([one, two], count)?;
            scores[one][two] = count.score();
            scores[two][one] = count.score().map(|score| 1.0 - score);
        }
        let ratings = table.rate().agents;
        let rung = |(&temperature, rating): (&f64, &Rating)| {
            let Rating { elo, error, .. } = *rating;
            Rung { temperature, bound: self.bound(temperature), elo, error }
        };
        Ok(Rated { rungs: temperatures.iter().zip(&ratings).map(rung).collect(), scores })
    }

    /// What one action of a player of this temperature may give away.
    fn bound(&self, temperature: f64) -> f64 {
        rounded((self.bound * temperature).min(1.0))
    }

    /// The player of a temperature.
    fn spec(&self, temperature: f64) -> String {
        let ladder = self.ladder.as_ref().map_or_else(String::new, |path| format!(",ladder={path:?}"));
        format!("level:temperature={temperature},bound={}{ladder}", self.bound(temperature))
    }

    /// The temperatures that are tried, hottest first, 0 last.
    fn temperatures(&self) -> Vec<f64> {
        let steps = (self.tried - 1).max(1) as f64;
        let at = |i: usize| self.hottest * (self.coldest / self.hottest).powf(i as f64 / steps);
        (0..self.tried).map(|i| rounded(at(i))).chain([0.0]).collect()
    }

    /// Ranks with equal steps, as large as the curve allows and no larger than wanted, from the top down.
    fn ranks(&self, curve: Vec<Rung>) -> Calibrated {
        let rising = rising(curve.iter().map(|rung| rung.elo));
        let (lowest, highest) = (rising[0], rising[rising.len() - 1]);
        let step = ((highest - lowest) / (self.ranks - 1) as f64).min(self.step);
        let rank = |rank: usize| {
            let elo = highest - step * (self.ranks - 1 - rank) as f64;
            let temperature =
                if rank + 1 == self.ranks { 0.0 } else { rounded(temperature_of(&curve, &rising, elo)) };
            let nearest = |rung: &&Rung| (rung.elo - elo).abs();
            let error =
                curve.iter().min_by(|a, b| nearest(a).total_cmp(&nearest(b))).map_or(0.0, |r| r.error);
            Rung { temperature, bound: self.bound(temperature), elo: step * rank as f64, error }
        };
        Calibrated { ranks: (0..self.ranks).map(rank).collect(), step, curve, scores: Vec::new() }
    }
}

/// Four digits are more than is known.
fn rounded(x: f64) -> f64 {
    if x == 0.0 {
        0.0
    } else {
        let scale = 10f64.powf(3.0 - x.abs().log10().floor());
        (x * scale).round() / scale
    }
}

/// Numbers made to rise, by the fewest changes in squares (pooling neighbours out of order).
pub(super) fn rising(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for number in numbers {
        pools.push((number, 1));
        while let [.., (before, n), (last, m)] = pools[..] {
            if before <= last {
                break;
            }
            pools.truncate(pools.len() - 2);
            pools.push(((before * n as f64 + last * m as f64) / (n + m) as f64, n + m));
        }
    }
    pools.into_iter().flat_map(|(elo, n)| std::iter::repeat_n(elo, n)).collect()
}

/// The temperature of a rating, between the two that lie around it. Between the coldest and 0 it falls evenly, elsewhere
/// in proportion.
fn temperature_of(curve: &[Rung], rising: &[f64], elo: f64) -> f64 {
    let above = rising.iter().position(|&e| e >= elo).unwrap_or(rising.len() - 1).max(1);
    let (low, high) = (rising[above - 1], rising[above]);
    let share = if high > low { ((elo - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
    let (hot, cold) = (curve[above - 1].temperature, curve[above].temperature);
    if cold == 0.0 { hot * (1.0 - share) } else { hot * (cold / hot).powf(share) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rung(temperature: f64, elo: f64) -> Rung {
        Rung { temperature, bound: 3.0 * temperature, elo, error: 10.0 }
    }

    fn calibration(ranks: usize, step: f64) -> Calibration {
        let game = ranka_games::game("kalah").and_then(|kalah| kalah.open("")).expect("Kalah");
        let seed = Seed::new(1);
        Calibration {
            game,
            ladder: None,
            games: 2,
            check: 0,
            seed,
            ranks,
            step,
            hottest: 0.8,
            coldest: 0.1,
            tried: 4,
            bound: 3.0,
        }
    }

    #[test]
    fn ranks_have_equal_steps() {
        let curve =
            vec![rung(0.8, -300.0), rung(0.4, -100.0), rung(0.2, 100.0), rung(0.1, 200.0), rung(0.0, 300.0)];
        let found = calibration(4, 1000.0).ranks(curve.clone());
        assert_eq!(found.step, 200.0);
        let temperatures: Vec<f64> = found.ranks.iter().map(|rank| rank.temperature).collect();
        assert_eq!(temperatures, [0.8, 0.4, 0.2, 0.0]);
        // No larger than wanted, and then the weakest are left out.
        let found = calibration(3, 150.0).ranks(curve);
        assert_eq!(found.ranks.iter().map(|rank| rank.elo).collect::<Vec<_>>(), [0.0, 150.0, 300.0]);
        assert!(found.ranks[0].temperature < 0.4 && found.ranks[1].temperature > 0.1);
    }

    #[test]
    fn what_is_out_of_order_by_chance_is_pooled() {
        let curve = [rung(0.8, 0.0), rung(0.4, 120.0), rung(0.2, 100.0), rung(0.1, 200.0)];
        assert_eq!(rising(curve.iter().map(|rung| rung.elo)), [0.0, 110.0, 110.0, 200.0]);
    }

    #[test]
    fn temperatures_fall_to_zero() {
        assert_eq!(calibration(2, 200.0).temperatures(), [0.8, 0.4, 0.2, 0.1, 0.0]);
        assert_eq!(rounded(0.123456), 0.1235);
    }
}
