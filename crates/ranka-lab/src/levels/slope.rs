//! What a unit of a judge's value is worth: the slope of a logistic curve through how games of the judge with itself end.

use crate::{Executor, GameLimits, Job, Pairing, Runner, Seating};
use ranka_core::{AnyGame, Error, Seed};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The slope that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// Log-odds of winning for each unit of value, or of the log-odds of an expected score.
    pub slope: f64,
    /// Its standard error, from games and not from their decisions, which are not independent of each other.
    pub error: f64,
    /// How many games.
    pub games: u64,
}

/// Plays `games` games of the game's judge with itself and fits the slope. `score` says that its values are expected scores.
pub fn fit_slope(
    game: &Arc<dyn AnyGame>,
    judge: &str,
    score: bool,
    games: u64,
    seed: Seed,
    runner: &Runner<'_>,
) -> Result<Slope, Error> {
    let agents = (0..game.seats()).map(|_| game.agent(judge)).collect::<Result<Vec<_>, _>>()?;
    let measures = ["value".to_owned()];
    let pairing =
        Pairing::new(game.clone(), agents, Seating::Swapped, seed, GameLimits::default(), &measures)?;
    let mut played: Vec<(u64, Vec<(f64, f64)>)> = Vec::new();
    let whole = 0..games;
    runner.play(&[Job { pairing: &pairing, missing: vec![whole] }], |_, finished| {
        for (number, game) in finished {
            let scores = &game.record.outcome;
            let decisions = game.measured[0].chunks(scores.len()).flat_map(|row| row.iter().zip(scores));
            let value = |value: f64| {
                let inside = value.clamp(1e-3, 1.0 - 1e-3);
                if score { (inside / (1.0 - inside)).ln() } else { value }
            };
            let seen = decisions.filter(|(x, _)| x.is_finite()).map(|(&x, &y)| (value(x), y)).collect();
            played.push((number, seen));
        }
        Ok(ControlFlow::Continue(()))
    })?;
    played.sort_by_key(|(number, _)| *number);
    let games: Vec<Vec<(f64, f64)>> = played.into_iter().map(|(_, seen)| seen).collect();
    let slope = fit(&games);
    let (gradient, curvature) = derivatives(&games, slope);
    let squares: f64 = gradient.iter().map(|g| g * g).sum();
    Ok(Slope { slope, error: squares.sqrt() / curvature.max(f64::MIN_POSITIVE), games: games.len() as u64 })
}

/// The derivative of the log-likelihood for each game, and how fast it falls in all.
fn derivatives(games: &[Vec<(f64, f64)>], slope: f64) -> (Vec<f64>, f64) {
    let mut curvature = 0.0;
    let gradient = games.iter().map(|seen| {
        seen.iter()
            .map(|&(x, y)| {
                let p = 1.0 / (1.0 + (-slope * x).exp());
                curvature += x * x * p * (1.0 - p);
                x * (y - p)
            })
            .sum()
    });
    let gradient = gradient.collect();
    (gradient, curvature)
}

/// The likeliest slope, by halving: the derivative falls.
fn fit(games: &[Vec<(f64, f64)>]) -> f64 {
    let (mut low, mut high) = (1e-4, 50.0);
    for _ in 0..60 {
        let middle = f64::sqrt(low * high);
        let rises = derivatives(games, middle).0.iter().sum::<f64>() > 0.0;
        if rises { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_core::Rng;

    #[test]
    fn the_slope_is_found_that_made_the_games() {
        let mut rng = Rng::new(Seed::new(1));
        let mut decision = || {
            let x = 10.0 * rng.unit() - 5.0;
            (x, f64::from(u8::from(rng.chance(1.0 / (1.0 + f64::exp(-0.7 * x))))))
        };
        let games: Vec<Vec<(f64, f64)>> = (0..4000).map(|_| vec![decision()]).collect();
        assert!((fit(&games) - 0.7).abs() < 0.05, "{}", fit(&games));
    }
}
