//! The sequential test of one Elo difference against another.

use super::distributions::bisect;
use super::scores::score_of;
use super::tally::Tally;
use ranka_core::Error;
use serde::Serialize;

/// A test that may be asked after every game whether enough has been played.
///
/// It is the generalised sequential probability ratio test of logistic Elo: of all distributions of results
/// whose expected score is that of `elo0`, the one that makes the counts most probable is compared with the
/// same of `elo1` (Van den Bergh, *Comments on Normalized Elo*, proposition 1.1). So nothing has to be
/// assumed about draws, nor about how the games of a pair hang together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo: [f64; 2],
    bounds: [f64; 2],
}

/// What the test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtResult {
    /// The logarithm of how much more probable the counts are under H1 than under H0.
    pub llr: f64,
    /// At which of them H0 and H1 are accepted.
    pub bounds: [f64; 2],
    /// What is to be done.
    pub decision: Decision,
}

/// What a sequential test decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The difference is `elo0`, not `elo1`.
    H0,
    /// The difference is `elo1`, not `elo0`.
    H1,
    /// More games are needed.
    GoOn,
}

/// The largest difference that may be tested; beyond it scores differ too little from 0 and 1.
const LARGEST: f64 = 2000.0;

impl Sprt {
    /// The test of H0 (the difference is `elo0`) against H1 (it is `elo1`), where H1 is accepted wrongly
    /// with a probability of `alpha` and H0 with one of `beta`.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, Error> {
        let refuse = |why: String| Err(Error::input(format!("SPRT: {why}")));
        for (name, elo) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-LARGEST..=LARGEST).contains(&elo) {
                return refuse(format!("{name} = {elo}: expected a number from −{LARGEST} to {LARGEST}"));
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
        Ok(Sprt { elo: [elo0, elo1], bounds: [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()] })
    }

    /// What the counts say.
    pub fn test(&self, tally: &Tally) -> SprtResult {
        let [lower, upper] = self.bounds;
        let llr = self.llr(tally.counts());
        let decision = match llr {
            _ if llr <= lower => Decision::H0,
            _ if llr >= upper => Decision::H1,
            _ => Decision::GoOn,
        };
        SprtResult { llr, bounds: self.bounds, decision }
    }

    fn llr(&self, counts: &[u64]) -> f64 {
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
        let [h0, h1] = self.elo.map(|elo| most_likely(&shares, score_of(elo)));
        counts.iter().zip(h1.iter().zip(&h0)).map(|(count, (p1, p0))| count * (p1 / p0).ln()).sum()
    }
}

/// Of all distributions whose expected score is `score`, the one that makes `shares` most probable.
fn most_likely(shares: &[f64], score: f64) -> Vec<f64> {
    let best = (shares.len() - 1) as f64;
    let excess = |points: usize| points as f64 / best - score;
    // The sum falls with θ, from plus to minus infinity, so it is 0 once.
    let sum_is_positive = |theta: f64| {
        shares.iter().enumerate().map(|(i, p)| p * excess(i) / (1.0 + theta * excess(i))).sum::<f64>() > 0.0
    };
    let theta = bisect(-1.0 / (1.0 - score), 1.0 / score, sum_is_positive);
    // A weight of 0 would be a rounding error, and its logarithm the end of everything.
    shares.iter().enumerate().map(|(i, p)| p / (1.0 + theta * excess(i)).max(f64::EPSILON)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::near;
    use super::*;

    fn llr(elo0: f64, elo1: f64, tally: Tally) -> f64 {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap().test(&tally).llr
    }

    // The figures that fastchess's own tests expect of its logistic model.
    #[test]
    fn as_fastchess_computes_it() {
        near(llr(0.5, 2.5, Tally::games([21404, 40708, 21184])), -1.57, 0.016);
        near(llr(0.0, 2.0, Tally::games([57433, 106593, 57030])), -2.59, 0.026);
        near(llr(0.5, 2.5, Tally::Pairs([223, 9863, 20279 + 1000, 10037, 246])), -3.07, 0.031);
        near(llr(0.0, 2.0, Tally::Pairs([871, 26175, 55003 + 980, 26678, 821])), -4.98, 0.05);
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
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap();
        let decide = |wins, losses| sprt.test(&Tally::games([wins, 0, losses])).decision;
        assert_eq!((decide(0, 0), decide(10, 9)), (Decision::GoOn, Decision::GoOn));
        assert_eq!((decide(5400, 4600), decide(5000, 5000)), (Decision::H1, Decision::H0));
        let [lower, upper] = sprt.test(&Tally::games([0, 0, 0])).bounds;
        near(upper, 2.944, 5e-4);
        near(lower, -2.944, 5e-4);
        let [lower, upper] = Sprt::new(0.0, 5.0, 0.01, 0.2).unwrap().bounds;
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
            assert!(Sprt::new(elo0, elo1, alpha, beta).is_err(), "{elo0} {elo1} {alpha} {beta}");
        }
    }
}
