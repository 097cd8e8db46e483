//! How many games are needed.

use super::distributions::normal_quantile;

/// What a test shall be able to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// How probable it shall be that a true difference is found.
    pub power: f64,
    /// How probable it may be that a difference is found where there is none; to either side.
    pub alpha: f64,
}

impl Default for Power {
    /// The usual 80 % power at 5 %.
    fn default() -> Power {
        Power { power: 0.8, alpha: 0.05 }
    }
}

impl Power {
    fn quantiles(&self) -> [f64; 2] {
        [-normal_quantile(self.alpha / 2.0), normal_quantile(self.power)]
    }

    /// How many independent results tell an expected score of `score` from ½, where their mean square distance from ½ is
    /// `spread`; nothing where there is no difference to tell.
    pub fn results_needed(&self, score: f64, spread: f64) -> Option<f64> {
        let [z_alpha, z_power] = self.quantiles();
        let excess = (score - 0.5).powi(2);
        // Results that are as far from ½ on average as their mean is are the least that they can be.
        let spread = spread.max(excess);
        whole(((z_alpha * spread.sqrt() + z_power * (spread - excess).sqrt()) / (score - 0.5)).powi(2))
    }
}

/// How many games like these tell a figure from one that is `apart` from it, if `games` of them have left it uncertain by
/// `uncertain`: half the width of its 95 % interval. Whatever the games share, deals say, they will share then too.
///
/// None where there is no difference to tell, or nothing is known.
pub fn games_needed_at(games: u64, uncertain: f64, apart: f64, power: Power) -> Option<f64> {
    let [z_alpha, z_power] = power.quantiles();
    let error = uncertain / -normal_quantile(0.025);
    whole(games as f64 * ((z_alpha + z_power) * error / apart).powi(2))
}

/// How many games like these make half the width of the interval `wanted`, if `games` of them have made it `uncertain`.
pub fn games_needed_within(games: u64, uncertain: f64, wanted: f64) -> Option<f64> {
    whole(games as f64 * (uncertain / wanted).powi(2))
}

/// A number of games, at least one.
fn whole(games: f64) -> Option<f64> {
    games.is_finite().then(|| games.ceil().max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a share of `draws` is drawn.
    fn games_needed(score: f64, draws: f64) -> Option<f64> {
        Power::default().results_needed(score, (1.0 - draws) / 4.0)
    }

    #[test]
    fn the_textbooks_sizes() {
        // 60 % against 50 %, one sample.
        assert_eq!(games_needed(0.6, 0.0), Some(194.0));
    }

    #[test]
    fn games_that_were_played_tell_how_many_more() {
        // 2 100 independent games with 8.3 % draws and a score of 52.36 %: an error of 1.04 points.
        let needed = games_needed_at(2100, 1.96 * 0.0104, 0.0236, Power::default()).unwrap();
        assert!((needed - 3200.0).abs() < 20.0, "{needed}");
        assert_eq!(games_needed_at(2100, 0.02, 0.0, Power::default()), None);
        assert_eq!(games_needed_at(2, f64::INFINITY, 0.1, Power::default()), None);
        assert_eq!(games_needed_within(100, 0.1, 0.05), Some(400.0));
    }

    #[test]
    fn it_has_the_power_that_it_promises() {
        use crate::stats::binomial::Binomial;
        let games = games_needed(0.58, 0.0).unwrap();
        // The fewest wins that the plain normal test takes for a difference.
        let enough = (games / 2.0 + 1.959_964 * games.sqrt() / 2.0).ceil() as u64;
        let power = Binomial::new(games as u64, 0.58).at_least(enough);
        assert!((power - 0.8).abs() < 0.03, "{power}");
    }

    #[test]
    fn draws_save_games_and_no_difference_needs_endlessly_many() {
        let sizes = [0.0, 0.3, 0.6, 0.88].map(|draws| games_needed(0.55, draws).unwrap());
        assert!(sizes.is_sorted_by(|a, b| a > b), "{sizes:?}");
        assert_eq!(games_needed(0.5, 0.3), None);
        assert_eq!(games_needed(1.0, 1.0), Some(4.0));
        assert!(games_needed(0.5 + 1e-12, 0.0).unwrap() > 1e20);
    }
}
