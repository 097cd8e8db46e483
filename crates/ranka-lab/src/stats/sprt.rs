//! The sequential test of one Elo difference against another.

use super::distributions::bisect;
use super::scores::score_of;
use super::tally::{SCALE, Tally};
use ranka_core::Error;
use serde::Serialize;

/// A test that may be asked after every game whether enough has been played.
///
/// It is the generalised sequential probability ratio test: of all distributions of results for which `elo0` is
/// true, the one that makes the counts most probable is compared with the same of `elo1` (Van den Bergh, *Comments
/// on Normalized Elo*, propositions 1.1 and 3.1). So nothing has to be assumed about draws, nor about how the games
/// of a pair hang together. Results are trinomial or pentanomial as the [`Tally`] is; a result that never came up is
/// regularised to a thousandth of one, as fastchess and fishtest do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    model: EloModel,
    elo: [f64; 2],
    errors: [f64; 2],
    bounds: [f64; 2],
}

/// Which Elo a sequential test speaks of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EloModel {
    /// The usual one: a difference stands for an expected score.
    #[default]
    Logistic,
    /// That of fastchess, fishtest and OpenBench: a difference stands for how far the expected score is from ½, in standard
    /// deviations of a game ([`Tally::normalised_elo`]). How long a test takes then does not depend on the share of draws.
    Normalized,
}

impl EloModel {
    /// The largest difference that may be tested: beyond it scores differ too little from 0 and 1, or no results could have
    /// so much excess for their deviation.
    const fn largest(self) -> f64 {
        match self {
            EloModel::Logistic => 2000.0,
            EloModel::Normalized => 200.0,
        }
    }
}

/// What the test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtResult {
    /// The logarithm of how much more probable the counts are under H1 than under H0.
    pub llr: f64,
    /// At which of them H0 and H1 are accepted.
    pub bounds: [f64; 2],
    /// What is to be done.
    pub decision: SprtDecision,
}

/// What a sequential test decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtDecision {
    /// The difference is `elo0`, not `elo1`.
    H0,
    /// The difference is `elo1`, not `elo0`.
    H1,
    /// More games are needed.
    GoOn,
}

impl Sprt {
    /// The test of H0 (the difference is `elo0`) against H1 (it is `elo1`), where H1 is accepted wrongly
    /// with a probability of `alpha` and H0 with one of `beta`.
    pub fn new(model: EloModel, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, Error> {
        let largest = model.largest();
        let refuse = |why: String| Err(Error::input(format!("SPRT: {why}")));
        for (name, elo) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-largest..=largest).contains(&elo) {
                return refuse(format!("{name} = {elo}: expected a number from −{largest} to {largest}"));
            }
        }
        for (name, error) in [("alpha", alpha), ("beta", beta)] {
            if !(1e-12..1.0).contains(&error) {
                return refuse(format!("{name} = {error}: expected a number above 0 and below 1"));
            }
        }
        if elo0 >= elo1 {
            return refuse(format!("elo0 = {elo0} must be less than elo1 = {elo1}"));
        }
        if alpha + beta >= 1.0 {
            return refuse(format!("alpha = {alpha} and beta = {beta} must together be less than 1"));
        }
        Ok(Sprt {
            model,
            elo: [elo0, elo1],
            errors: [alpha, beta],
            bounds: [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()],
        })
    }

    /// Which Elo it speaks of.
    pub fn model(&self) -> EloModel {
        self.model
    }

    /// The differences of H0 and H1.
    pub fn elo(&self) -> [f64; 2] {
        self.elo
    }

    /// How probable it is to accept H1 wrongly, and H0.
    pub fn errors(&self) -> [f64; 2] {
        self.errors
    }

    /// What the counts say.
    pub fn test(&self, tally: &Tally) -> SprtResult {
        let [lower, upper] = self.bounds;
        let llr = self.llr(tally);
        let decision = match llr {
            _ if llr <= lower => SprtDecision::H0,
            _ if llr >= upper => SprtDecision::H1,
            _ => SprtDecision::GoOn,
        };
        SprtResult { llr, bounds: self.bounds, decision }
    }

    fn llr(&self, tally: &Tally) -> f64 {
        let counts = tally.counts();
        let total: f64 = counts.iter().map(|&count| count as f64).sum();
        if total == 0.0 {
            return 0.0;
        }
        // What never happened is not impossible: as in fastchess, a thousandth of a result stands for it.
        // The share keeps the equation below solvable in the digits there are.
        let counts: Vec<f64> =
            counts.iter().map(|&count| (count as f64).max(1e-3).max(total * 1e-12)).collect();
        let total: f64 = counts.iter().sum();
        let shares: Vec<f64> = counts.iter().map(|count| count / total).collect();
        let [h0, h1] = self.elo.map(|elo| match self.model {
            EloModel::Logistic => with_score(&shares, score_of(elo)),
            EloModel::Normalized => with_excess(&shares, elo / SCALE * tally.games_each().sqrt()),
        });
        counts.iter().zip(h1.iter().zip(&h0)).map(|(count, (p1, p0))| count * (p1 / p0).ln()).sum()
    }
}

/// The score of each result.
fn scores(results: usize) -> impl Iterator<Item = f64> {
    (0..results).map(move |points| points as f64 / (results - 1) as f64)
}

/// Of all distributions whose expected score is `score`, the one that makes `shares` most probable.
fn with_score(shares: &[f64], score: f64) -> Vec<f64> {
    let excesses: Vec<f64> = scores(shares.len()).map(|result| result - score).collect();
    most_likely(shares, &excesses).unwrap_or_else(|| shares.to_vec())
}

/// How often the equation of [`with_excess`] is solved at most; it takes a handful.
const ROUNDS: usize = 50;

/// Of all distributions whose expected score is `t` standard deviations above ½, the one that makes `shares` most
/// probable. The condition is not linear, so its tangent at the last solution is taken until nothing changes.
fn with_excess(shares: &[f64], t: f64) -> Vec<f64> {
    let mut found = vec![1.0 / shares.len() as f64; shares.len()];
    for _ in 0..ROUNDS {
        let mean: f64 = scores(found.len()).zip(&found).map(|(x, p)| p * x).sum();
        let variance: f64 = scores(found.len()).zip(&found).map(|(x, p)| p * (x - mean).powi(2)).sum();
        let tangent = |x: f64| x - 0.5 - t * (variance.sqrt() + (x - mean).powi(2) / variance.sqrt()) / 2.0;
        let excesses: Vec<f64> = scores(found.len()).map(tangent).collect();
        let Some(next) = most_likely(shares, &excesses) else { break };
        let change = next.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        found = next;
        if change < 1e-12 {
            break;
        }
    }
    found
}

/// Of all distributions in which the mean of `excesses` is 0, the one that makes `shares` most probable; nothing if there
/// is none.
fn most_likely(shares: &[f64], excesses: &[f64]) -> Option<Vec<f64>> {
    let [least, most] = [f64::min, f64::max].map(|of| excesses.iter().copied().fold(0.0, of));
    if least >= 0.0 || most <= 0.0 {
        return None;
    }
    let both = || shares.iter().zip(excesses);
    // The sum falls with θ, from plus to minus infinity, so it is 0 once.
    let sum_is_positive = |theta: f64| both().map(|(p, a)| p * a / (1.0 + theta * a)).sum::<f64>() > 0.0;
    let theta = bisect(-1.0 / most, -1.0 / least, sum_is_positive);
    // A weight of 0 would be a rounding error, and its logarithm the end of everything.
    Some(both().map(|(p, a)| p / (1.0 + theta * a).max(f64::EPSILON)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::testing::near;
    use super::*;

    fn normalized(elo0: f64, elo1: f64, tally: Tally) -> f64 {
        Sprt::new(EloModel::Normalized, elo0, elo1, 0.05, 0.05).unwrap().test(&tally).llr
    }

    fn llr(elo0: f64, elo1: f64, tally: Tally) -> f64 {
        Sprt::new(EloModel::Logistic, elo0, elo1, 0.05, 0.05).unwrap().test(&tally).llr
    }

    // The figures that fastchess's own tests expect of its logistic model.
    #[test]
    fn as_fastchess_computes_it() {
        near(llr(0.5, 2.5, Tally::games([21404, 40708, 21184])), -1.57, 0.016);
        near(llr(0.0, 2.0, Tally::games([57433, 106593, 57030])), -2.59, 0.026);
        near(llr(0.5, 2.5, Tally::Pairs([223, 9863, 20279 + 1000, 10037, 246])), -3.07, 0.031);
        near(llr(0.0, 2.0, Tally::Pairs([871, 26175, 55003 + 980, 26678, 821])), -4.98, 0.05);
    }

    // The same of its normalised model (app/tests/sprt_test.cpp), to the digits that it gives. Two of its cases are left out,
    // in which all results are the same: there what counts is how a result that never came up is regularised, and when
    // iterating stops.
    #[test]
    fn as_fastchess_computes_it_normalised() {
        near(normalized(0.0, 2.0, Tally::games([36433, 68692, 36027])), 0.92, 0.0092);
        near(normalized(-1.75, 0.25, Tally::games([10871, 20431, 10650])), 2.30, 0.023);
        near(normalized(0.0, 2.0, Tally::Pairs([365, 16618, 36029 + 200, 16974, 390])), 2.25, 0.0225);
        near(normalized(-1.75, 0.25, Tally::Pairs([127, 4883, 10311 + 401, 5150, 104])), 3.01, 0.0301);
    }

    #[test]
    fn normalised_it_is_the_normal_test_of_the_excess_in_deviations() {
        // LLR ≈ n (t1 − t0) (2t − t0 − t1) / 2, with t the excess of a pair's score in its deviations.
        let tally = Tally::Pairs([365, 16618, 36229, 16974, 390]);
        let pairs = tally.counts().iter().sum::<u64>() as f64;
        let [t0, t1] = [0.0, 2.0f64].map(|elo| elo / SCALE * 2f64.sqrt());
        let t = tally.normalised_elo(0.95).value / SCALE * 2f64.sqrt();
        near(normalized(0.0, 2.0, tally), pairs * (t1 - t0) * (2.0 * t - t0 - t1) / 2.0, 0.01);
    }

    #[test]
    fn normalised_corners_are_finite_and_point_the_right_way() {
        for n in [1, 10, 1_000_000, u64::MAX] {
            for (elo0, elo1) in [(0.0, 5.0), (-200.0, 200.0), (-20.0, 20.0)] {
                for tally in [Tally::games([n, 0, 0]), Tally::Pairs([0, 0, 0, 0, n])] {
                    assert!(normalized(elo0, elo1, tally) > 0.0, "{n}, {elo0}, {elo1}");
                }
                for tally in [Tally::games([0, 0, n]), Tally::Pairs([n, 0, 0, 0, 0])] {
                    let found = normalized(elo0, elo1, tally);
                    assert!(found.is_finite() && found < 0.0, "{n}, {elo0}, {elo1}: {found}");
                }
            }
        }
        assert!(Sprt::new(EloModel::Normalized, 0.0, 201.0, 0.05, 0.05).is_err());
    }

    #[test]
    fn in_long_matches_it_is_the_normal_approximation() {
        // LLR ≈ n (s1 − s0) (2s − s0 − s1) / 2v, as fishtest used to compute it.
        let (s, variance) =
            (8617.0 / 16990.0, (4307.0 + 8620.0 / 4.0) / 16990.0 - (8617.0f64 / 16990.0).powi(2));
        let (s0, s1) = (score_of(0.0), score_of(3.0));
        let expected = 16990.0 * (s1 - s0) * (2.0 * s - s0 - s1) / (2.0 * variance);
        near(llr(0.0, 3.0, Tally::games([4307, 8620, 4063])), expected, 0.005);
    }

    #[test]
    fn it_is_the_maximum_by_trying_all_draw_rates() {
        let (wins, draws, losses) = (31, 12, 20);
        let most = |score: f64| {
            let tries = (1..400_000).filter_map(|i| {
                let drawn = f64::from(i) / 400_000.0;
                let won = score - drawn / 2.0;
                let lost = 1.0 - won - drawn;
                let counts = [(31.0, won), (12.0, drawn), (20.0, lost)];
                (won > 0.0 && lost > 0.0).then(|| counts.iter().map(|(n, p)| n * p.ln()).sum::<f64>())
            });
            tries.fold(f64::NEG_INFINITY, f64::max)
        };
        let expected = most(score_of(60.0)) - most(score_of(-20.0));
        near(llr(-20.0, 60.0, Tally::games([wins, draws, losses])), expected, 1e-6);
    }

    #[test]
    fn without_draws_it_is_walds_test() {
        let (s0, s1) = (score_of(0.0), score_of(20.0));
        let expected = 60.0 * (s1 / s0).ln() + 40.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        near(llr(0.0, 20.0, Tally::games([60, 0, 40])), expected, 1e-3);
    }

    #[test]
    fn bounds_and_decisions() {
        let sprt = Sprt::new(EloModel::Logistic, 0.0, 10.0, 0.05, 0.05).unwrap();
        let decide = |wins, losses| sprt.test(&Tally::games([wins, 0, losses])).decision;
        assert_eq!((decide(0, 0), decide(10, 9)), (SprtDecision::GoOn, SprtDecision::GoOn));
        assert_eq!((decide(5400, 4600), decide(5000, 5000)), (SprtDecision::H1, SprtDecision::H0));
        let [lower, upper] = sprt.test(&Tally::games([0, 0, 0])).bounds;
        near(upper, 2.944, 5e-4);
        near(lower, -2.944, 5e-4);
        let [lower, upper] = Sprt::new(EloModel::Logistic, 0.0, 5.0, 0.01, 0.2).unwrap().bounds;
        near(upper, 80f64.ln(), 1e-12);
        near(lower, (0.2f64 / 0.99).ln(), 1e-12);
    }

    #[test]
    fn one_sided_and_huge_counts_are_finite_and_point_the_right_way() {
        for n in [1, 10, 1_000_000, u64::MAX] {
            for (elo0, elo1) in [(0.0, 5.0), (-2000.0, 2000.0), (-200.0, 200.0)] {
                for tally in [Tally::games([n, 0, 0]), Tally::Pairs([0, 0, 0, 0, n])] {
                    let found = llr(elo0, elo1, tally);
                    assert!(found.is_finite() && found > 0.0, "{n}, {elo0}, {elo1}: {found}");
                }
                for tally in [Tally::games([0, 0, n]), Tally::Pairs([n, 0, 0, 0, 0])] {
                    let found = llr(elo0, elo1, tally);
                    assert!(found.is_finite() && found < 0.0, "{n}, {elo0}, {elo1}: {found}");
                }
            }
            near(llr(-5.0, 5.0, Tally::games([0, n, 0])), 0.0, n as f64 * 1e-9);
        }
        near(llr(0.0, 5.0, Tally::games([10, 0, 0])), 10.0 * (score_of(5.0) / 0.5).ln(), 1e-2);
        assert_eq!(llr(0.0, 5.0, Tally::Pairs([0; 5])), 0.0);
    }

    #[test]
    fn nonsense_is_refused() {
        for (elo0, elo1, alpha, beta) in [
            (5.0, 0.0, 0.05, 0.05),
            (0.0, 0.0, 0.05, 0.05),
            (f64::NAN, 5.0, 0.05, 0.05),
            (0.0, f64::INFINITY, 0.05, 0.05),
            (0.0, 5.0, 0.0, 0.05),
            (0.0, 5.0, 0.05, 1.0),
            (0.0, 5.0, 0.5, 0.5),
            (0.0, 5.0, f64::NAN, 0.5),
        ] {
            assert!(
                Sprt::new(EloModel::Logistic, elo0, elo1, alpha, beta).is_err(),
                "{elo0} {elo1} {alpha} {beta}"
            );
        }
    }
}
