//! A figure of some games: its value, its interval, and how it compares with another.

use super::figure::{Figure, Teams};
use super::file::When;
use super::plan::PlannedPairing;
use crate::GameResult;
use crate::assessment::score_interval;
use crate::stats::{Comparison, LEVEL, Sample, mean_against, means, proportion_against, proportions, wilson};
use serde::Serialize;
use std::collections::HashMap;

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

/// Many sums in order. Scores are of few kinds, so each is kept as the number of its kind.
#[derive(Default)]
struct Many {
    kinds: Vec<Sums>,
    numbers: HashMap<[u64; 2], u32>,
    each: Vec<u32>,
}

impl Many {
    fn push(&mut self, sums: Sums) {
        let next = self.kinds.len() as u32;
        let number = *self.numbers.entry([sums.0.to_bits(), sums.1.to_bits()]).or_insert(next);
        if number == next {
            self.kinds.push(sums);
        }
        self.each.push(number);
    }

    fn extend(&mut self, deal: Option<(u64, Sums)>) {
        deal.into_iter().for_each(|(_, sums)| self.push(sums));
    }

    fn len(&self) -> usize {
        self.each.len()
    }

    fn iter(&self) -> impl Iterator<Item = Sums> + Clone {
        self.each.iter().map(|&number| self.kinds[number as usize])
    }
}

/// A figure that is being taken. Games are told in order.
pub(super) struct Estimating<'a> {
    planned: &'a PlannedPairing,
    figure: Figure,
    when: When,
    games: Many,
    deals: Many,
    /// The deal of the last game that counted, with its sums.
    deal: Option<(u64, Sums)>,
}

impl<'a> Estimating<'a> {
    pub(super) fn new(planned: &'a PlannedPairing, figure: Figure, when: When) -> Estimating<'a> {
        Estimating { planned, figure, when, games: Many::default(), deals: Many::default(), deal: None }
    }

    /// Takes the next game, if it counts.
    pub(super) fn add(&mut self, game: &GameResult) {
        let teams = Teams(&self.planned.teams);
        if !teams.counts(game, &self.when) {
            return;
        }
        let sums = self.figure.of(game, teams);
        self.games.push(sums);
        let deal = self.planned.pairing.deal(game.number).0;
        match &mut self.deal {
            Some((of, so_far)) if *of == deal => *so_far = total([*so_far, sums]),
            last => self.deals.extend(last.replace((deal, total([sums])))),
        }
    }

    /// The figure of all of them.
    pub(super) fn finish(mut self) -> Estimate {
        self.deals.extend(self.deal.take());
        Estimate::from(self.planned, &self.figure, &self.games, &self.deals)
    }
}

impl Estimate {
    /// The figure of the games that count.
    pub fn of(planned: &PlannedPairing, games: &[GameResult], figure: &Figure, when: &When) -> Estimate {
        let mut estimating = Estimating::new(planned, figure.clone(), *when);
        games.iter().for_each(|game| estimating.add(game));
        estimating.finish()
    }

    fn from(planned: &PlannedPairing, figure: &Figure, counted: &Many, deals: &Many) -> Estimate {
        let n = counted.len() as u64;
        let (above, below) = total(counted.iter());
        let value = (below != 0.0).then(|| above / below);
        let Some(ratio) = value else {
            let parts = Parts::Mean { deals: Sample::default(), game_variance: 0.0 };
            let interval = if figure.in_percent() { [0.0, 1.0] } else { [f64::NEG_INFINITY, f64::INFINITY] };
            return Estimate { n, value, interval, parts };
        };
        let pairing = &planned.pairing;
        // Games of a deal hang together. Where each has a deal of its own they are as independent as tests of shares want
        // them, and the interval by deal is Wilson's.
        if figure.is_share() && planned.pairing.agents().len() == 2 && deals.len() == counted.len() {
            let have = above.round() as u64;
            return Estimate { n, value, interval: wilson(have, n, LEVEL), parts: Parts::Share(have) };
        }
        let scored = figure.in_percent();
        let linear = spread(deals.iter(), ratio);
        // Where nothing varied, a score is taken as if one more deal had been won and one lost: so a clean sheet is no
        // certainty. Where something did, what was seen is taken as it is.
        let linear = if scored && linear.variance == 0.0 {
            let each = pairing.games_of_a_deal() as f64;
            spread(deals.iter().chain([(each, each), (0.0, each)]), ratio)
        } else {
            linear
        };
        // A few that happen to be equal do not make a mean certain.
        let unknown = linear.variance == 0.0 && deals.len() < FEW;
        let deals_sample = Sample { mean: ratio, count: if unknown { 1 } else { linear.count }, ..linear };
        let by_game = spread(counted.iter(), ratio);
        let interval = if scored {
            score_interval(deals.iter(), pairing.agents().len(), pairing.games_of_a_deal(), pairing.seed())
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
fn spread(parts: impl Iterator<Item = Sums> + Clone, ratio: f64) -> Sample {
    let mean_below = parts.clone().map(|(_, below)| below).sum::<f64>() / parts.clone().count() as f64;
    Sample::over(parts.map(|(above, below)| (above - ratio * below) / mean_below))
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
        let sample = Sample { mean: ratio, ..spread(deals.iter().copied(), ratio) };
        let [low, high] = mean_against(sample, 0.0, LEVEL).interval;
        let [drawn_low, drawn_high] =
            bootstrap_ratio(&deals, &Resampling::new(ranka_core::Seed::new(1))).interval;
        let width = high - low;
        assert!((low - drawn_low).abs() < 0.1 * width && (high - drawn_high).abs() < 0.1 * width);
    }
}
