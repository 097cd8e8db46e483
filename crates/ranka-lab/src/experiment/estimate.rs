//! A figure of some games: its value, its interval, and how it compares with another.

use super::figure::{Figure, Teams};
use super::file::When;
use super::plan::PlannedPairing;
use crate::GameResult;
use crate::assessment::score_interval;
use crate::stats::{Comparison, LEVEL, Sample, mean_against, means, proportion_against, proportions, wilson};
use serde::Serialize;

/// A figure of some games.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Estimate {
    /// How many games counted.
    pub n: u64,
    /// The value; nothing if no game counted.
    pub value: Option<f64>,
    /// The 95 % interval.
    pub interval: [f64; 2],
    #[serde(skip)]
    parts: Parts,
}

/// What is needed to compare it.
#[derive(Clone, Copy, Debug)]
enum Parts {
    /// Games that have it, of so many.
    Share(u64),
    /// As the mean of so many deals, and the variance that one game has.
    Mean { deals: Sample, game_variance: f64 },
}

/// So few deals without any spread say nothing of it.
const FEW: usize = 20;

/// The sums of a deal, or of a game.
type Sums = (f64, f64);

impl Estimate {
    /// The figure of the games that count.
    pub fn of(planned: &PlannedPairing, games: &[GameResult], figure: &Figure, when: &When) -> Estimate {
        let teams = Teams(&planned.teams);
        let counted: Vec<(u64, Sums)> = games
            .iter()
            .filter(|game| teams.counts(game, when))
            .map(|game| (planned.pairing.deal(game.number).0, figure.of(game, teams)))
            .collect();
        let n = counted.len() as u64;
        let (above, below) = total(counted.iter().map(|(_, sums)| *sums));
        let value = (below != 0.0).then(|| above / below);
        let Some(ratio) = value else {
            let parts = Parts::Mean { deals: Sample::default(), game_variance: 0.0 };
            let interval = if figure.in_percent() { [0.0, 1.0] } else { [f64::NEG_INFINITY, f64::INFINITY] };
            return Estimate { n, value, interval, parts };
        };
        let deal_sums = |games: &[(u64, Sums)]| total(games.iter().map(|(_, sums)| *sums));
        let deals: Vec<Sums> = counted.chunk_by(|a, b| a.0 == b.0).map(deal_sums).collect();
        let pairing = &planned.pairing;
        // Games of a deal hang together. Where each has a deal of its own they are as independent as tests of shares want
        // them, and the interval by deal is Wilson's.
        if figure.is_share() && planned.pairing.agents().len() == 2 && deals.len() == counted.len() {
            let have = above.round() as u64;
            return Estimate { n, value, interval: wilson(have, n, LEVEL), parts: Parts::Share(have) };
        }
        let scored = figure.in_percent();
        let linear = spread(&deals, ratio);
        // Where nothing varied, a score is taken as if one more deal had been won and one lost: so a clean sheet is no
        // certainty. Where something did, what was seen is taken as it is.
        let linear = if scored && linear.variance == 0.0 {
            let each = pairing.games_of_a_deal() as f64;
            spread(&[deals.as_slice(), &[(each, each), (0.0, each)]].concat(), ratio)
        } else {
            linear
        };
        // A few that happen to be equal do not make a mean certain.
        let unknown = linear.variance == 0.0 && deals.len() < FEW;
        let deals_sample = Sample { mean: ratio, count: if unknown { 1 } else { linear.count }, ..linear };
        let by_game = spread(&counted.iter().map(|(_, sums)| *sums).collect::<Vec<_>>(), ratio);
        let interval = if scored {
            score_interval(&deals, pairing.agents().len(), pairing.games_of_a_deal(), pairing.seed())
        } else {
            mean_against(deals_sample, 0.0, LEVEL).interval
        };
        let parts = Parts::Mean { deals: deals_sample, game_variance: by_game.variance };
        Estimate { n, value, interval, parts }
    }

    /// How it compares with a value from `n` games, or with one that is exact.
    pub fn against(&self, value: f64, n: Option<u64>) -> Comparison {
        match (self.parts, n) {
            (Parts::Share(have), Some(n)) => {
                proportions((have, self.n), ((value * n as f64).round() as u64, n), LEVEL)
            }
            (Parts::Share(have), None) => proportion_against(have, self.n, value, LEVEL),
            (Parts::Mean { deals, game_variance }, Some(n)) => {
                means(deals, Sample { count: n, mean: value, variance: game_variance }, LEVEL)
            }
            (Parts::Mean { deals, .. }, None) => mean_against(deals, value, LEVEL),
        }
    }

    /// How it compares with another that was measured.
    pub fn compare(&self, other: &Estimate) -> Comparison {
        match (self.parts, other.parts) {
            (Parts::Share(a), Parts::Share(b)) => proportions((a, self.n), (b, other.n), LEVEL),
            (Parts::Mean { deals: a, .. }, Parts::Mean { deals: b, .. }) => means(a, b, LEVEL),
            _ => mean_against(Sample::default(), 0.0, LEVEL),
        }
    }
}

fn total(sums: impl IntoIterator<Item = Sums>) -> Sums {
    sums.into_iter().fold((0.0, 0.0), |(a, b), (above, below)| (a + above, b + below))
}

/// The spread of a ratio of sums, as that of the mean of what each part adds to it (the delta method).
fn spread(parts: &[Sums], ratio: f64) -> Sample {
    let mean_below = parts.iter().map(|(_, below)| below).sum::<f64>() / parts.len() as f64;
    let residues: Vec<f64> =
        parts.iter().map(|(above, below)| (above - ratio * below) / mean_below).collect();
    Sample::of(&residues)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Resampling, bootstrap_ratio};

    #[test]
    fn the_delta_method_agrees_with_drawing_again() {
        // Deals whose sums hang together, as games of a deal do.
        let deals: Vec<Sums> =
            (0..400).map(|i| (f64::from(i % 7 + i % 3), f64::from(2 + i % 5 + i % 3))).collect();
        let (above, below) = total(deals.iter().copied());
        let ratio = above / below;
        let sample = Sample { mean: ratio, ..spread(&deals, ratio) };
        let [low, high] = mean_against(sample, 0.0, LEVEL).interval;
        let [drawn_low, drawn_high] =
            bootstrap_ratio(&deals, &Resampling::new(ranka_core::Seed::new(1))).interval;
        let width = high - low;
        assert!((low - drawn_low).abs() < 0.1 * width && (high - drawn_high).abs() < 0.1 * width);
    }
}
