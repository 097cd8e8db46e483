//! Whether a figure rises or falls along a sweep.

use super::checks;
use super::figure::{Figure, Teams};
use super::plan::PlannedPairing;
use super::run::PlayedExperiment;
use crate::stats::{Trend, trend_test};
use ranka_core::Error;
use std::collections::BTreeMap;

/// A figure along the curves of a sweep.
pub struct PlannedTrend {
    figure: Figure,
    key: String,
    curves: Vec<Curve>,
}

/// Pairings that differ only in the value of the key.
struct Curve {
    label: String,
    /// Their places, each with the place of its value among the others.
    points: Vec<(usize, f64)>,
}

impl PlannedTrend {
    /// The figure along the key of those pairings at these places that sweep over it.
    pub(super) fn plan(
        key: &str,
        figure: Figure,
        places: &[usize],
        pairings: &[PlannedPairing],
    ) -> Result<PlannedTrend, Error> {
        let mut families: Vec<((&str, String), Vec<usize>)> = Vec::new();
        for &place in places {
            let PlannedPairing { series, sweep, .. } = &pairings[place];
            if !sweep.contains_key(key) {
                continue;
            }
            let others =
                sweep.iter().filter(|(of, _)| *of != key).map(|(of, value)| format!(", {of}={value}"));
            let family = (series.as_str(), others.collect::<String>());
            match families.iter_mut().find(|(known, _)| *known == family) {
                Some((_, members)) => members.push(place),
                None => families.push((family, vec![place])),
            }
        }
        let value = |place: usize| &pairings[place].sweep[key];
        let mut curves = Vec::new();
        for ((series, others), members) in families {
            let in_numbers = members.iter().all(|&place| value(place).number().is_some());
            let mut ordered = members;
            if in_numbers {
                let number = |place: usize| value(place).number().unwrap_or_default();
                ordered.sort_by(|&a, &b| number(a).total_cmp(&number(b)));
            }
            if let [_, _, ..] = ordered[..] {
                let points = ordered.into_iter().enumerate().map(|(level, place)| (place, level as f64));
                curves.push(Curve { label: format!("{series}{others}"), points: points.collect() });
            }
        }
        match curves.is_empty() {
            true => {
                let near = checks::near_key(key, pairings);
                Err(Error::input(format!("trend: no pairing sweeps over two values of {key:?}{near}")))
            }
            false => Ok(PlannedTrend { figure, key: key.to_owned(), curves }),
        }
    }

    /// How many curves there are.
    pub(super) fn curves(&self) -> usize {
        self.curves.len()
    }

    /// What the games say of each curve: its label, how many games count, and the test.
    ///
    /// Pairings of an experiment share their deals, so a deal is a stratum: what it has of luck and of first moves is
    /// the same at every value.
    pub(super) fn found<'a>(
        &'a self,
        pairings: &'a [PlannedPairing],
        played: &'a PlayedExperiment,
    ) -> impl Iterator<Item = (String, u64, Trend)> + 'a {
        self.curves.iter().map(move |Curve { label, points }| {
            let mut strata: BTreeMap<u64, Vec<(f64, f64)>> = BTreeMap::new();
            let mut games = 0;
            for &(place, level) in points {
                let planned = &pairings[place];
                let counted = played.pairings[place].counted();
                games += counted.len() as u64;
                let deal = |number| planned.pairing.deal(number).0;
                for of_a_deal in counted.chunk_by(|a, b| deal(a.number) == deal(b.number)) {
                    let sums = of_a_deal.iter().map(|game| self.figure.of(game, Teams(&planned.teams)));
                    let (above, below) = sums.fold((0.0, 0.0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
                    if below != 0.0 {
                        strata.entry(deal(of_a_deal[0].number)).or_default().push((level, above / below));
                    }
                }
            }
            let label = format!("{label}: {} by {}", self.figure, self.key);
            (label, games, trend_test(strata.into_values()))
        })
    }
}
