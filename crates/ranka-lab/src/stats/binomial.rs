//! The exact binomial test, and the sign test that it makes of decided games.

use super::distributions::normal_below;
use serde::Serialize;
use statrs::function::gamma::ln_gamma;
use std::f64::consts::TAU;

/// What an exact binomial test finds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BinomialTest {
    /// How probable a result at most as probable as this one is (the method of small p-values).
    pub two_sided: f64,
    /// How probable so many successes or more are.
    pub greater: f64,
    /// How probable so many successes or fewer are.
    pub less: f64,
}

/// Tests `successes` among `trials` against the probability `share` of a success.
pub fn binomial_test(successes: u64, trials: u64, share: f64) -> BinomialTest {
    let law = Binomial::new(trials, share);
    let successes = successes.min(trials);
    BinomialTest {
        two_sided: law.as_improbable_as(successes),
        greater: law.at_least(successes),
        less: law.at_most(successes),
    }
}

/// Tests wins and losses against even chances; draws say nothing here and are left out.
pub fn sign_test(wins: u64, losses: u64) -> BinomialTest {
    binomial_test(wins, wins.saturating_add(losses), 0.5)
}

/// With a variance beyond this, sums would take long and the normal distribution is as good.
const SUMMED: f64 = 1e9;

/// How many successes there are among so many trials.
pub(super) struct Binomial {
    trials: u64,
    share: f64,
    /// What is left of 1, which must not be computed from a share that rounds to 1.
    rest: f64,
}

impl Binomial {
    pub(super) fn new(trials: u64, share: f64) -> Binomial {
        let share = share.clamp(0.0, 1.0);
        Binomial { trials, share, rest: 1.0 - share }
    }

    /// The probability of so many successes or more.
    pub(super) fn at_least(&self, successes: u64) -> f64 {
        if successes == 0 {
            1.0
        } else if self.is_normal() || successes as f64 > self.mean() {
            self.tail(successes)
        } else {
            1.0 - self.mirrored().tail(self.trials - successes + 1)
        }
    }

    /// The probability of so many successes or fewer.
    pub(super) fn at_most(&self, successes: u64) -> f64 {
        if successes >= self.trials { 1.0 } else { self.mirrored().at_least(self.trials - successes) }
    }

    /// The probability of all numbers that are at most as probable as this one.
    fn as_improbable_as(&self, successes: u64) -> f64 {
        if self.is_normal() {
            return (2.0 * self.at_least(successes).min(self.at_most(successes))).min(1.0);
        }
        let mode = (((self.trials as f64 + 1.0) * self.share) as u64).min(self.trials);
        // Equal probabilities may differ in their last digits; R allows for the same.
        let limit = self.probability(successes) * (1.0 + 1e-7);
        if self.probability(mode) <= limit {
            return 1.0;
        }
        // From the mode on probabilities only fall, to either side.
        let first_above = first(mode, self.trials, |k| self.probability(k) <= limit);
        let first_below = first(0, mode, |k| self.probability(mode - k) <= limit);
        let above = first_above.map_or(0.0, |k| self.at_least(k));
        let below = first_below.map_or(0.0, |k| self.at_most(mode - k));
        (above + below).min(1.0)
    }

    fn mean(&self) -> f64 {
        self.trials as f64 * self.share
    }

    fn variance(&self) -> f64 {
        self.mean() * self.rest
    }

    fn is_normal(&self) -> bool {
        self.variance() > SUMMED
    }

    fn mirrored(&self) -> Binomial {
        Binomial { trials: self.trials, share: self.rest, rest: self.share }
    }

    /// The probability of so many successes or more, which had better be more than are expected.
    fn tail(&self, successes: u64) -> f64 {
        if self.is_normal() {
            return normal_below((self.mean() - (successes as f64 - 0.5)) / self.variance().sqrt());
        }
        let odds = self.share / self.rest;
        let mut term = self.probability(successes);
        let mut sum = term;
        // Terms shrink, ever faster, so after a negligible one nothing more is to be had.
        for k in successes..self.trials {
            if term <= sum * 1e-17 {
                break;
            }
            term *= odds * (self.trials - k) as f64 / (k + 1) as f64;
            sum += term;
        }
        sum.min(1.0)
    }

    /// The probability of exactly so many, by Loader's saddle point: differences of factorials' logarithms
    /// would lose their digits in long matches.
    fn probability(&self, successes: u64) -> f64 {
        let (n, k, rest) = (self.trials as f64, successes as f64, (self.trials - successes) as f64);
        if self.share == 0.0 || self.rest == 0.0 {
            return if k == n * self.share { 1.0 } else { 0.0 };
        }
        if successes == 0 {
            return (n * ln_rest(self.share, self.rest)).exp();
        }
        if successes == self.trials {
            return (n * ln_rest(self.rest, self.share)).exp();
        }
        let excess = k - self.mean();
        let ln = stirling_error(n)
            - stirling_error(k)
            - stirling_error(rest)
            - deviance(excess, self.mean())
            - deviance(-excess, n * self.rest);
        (n / (TAU * k * rest)).sqrt() * ln.exp()
    }
}

/// The logarithm of what `share` leaves of 1.
fn ln_rest(share: f64, rest: f64) -> f64 {
    if share < 0.5 { (-share).ln_1p() } else { rest.ln() }
}

/// By how much `ln n!` exceeds Stirling's formula.
fn stirling_error(n: f64) -> f64 {
    if n < 16.0 {
        return ln_gamma(n + 1.0) - ((n + 0.5) * n.ln() - n + TAU.ln() / 2.0);
    }
    let square = n * n;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / 1680.0 / square) / square) / square) / n
}

/// `x ln (x/m) + m − x` for `x = m + excess`.
fn deviance(excess: f64, m: f64) -> f64 {
    let u = excess / m;
    if u.abs() > 0.1 {
        return m * ((1.0 + u) * u.ln_1p() - u);
    }
    // The same as a series, which has no difference of near equals.
    let series = (2..20).rev().fold(0.0, |sum, i| 1.0 / f64::from(i * (i - 1)) - u * sum);
    m * u * u * series
}

/// The first number from `low` to `high` for which something holds that holds from there on.
fn first(mut low: u64, mut high: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    if !holds(high) {
        return None;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::super::testing::near;
    use super::*;

    /// The probabilities of all numbers of successes, by adding trial after trial.
    fn by_trials(trials: usize, share: f64) -> Vec<f64> {
        let mut law = vec![1.0];
        for _ in 0..trials {
            let mut next = vec![0.0; law.len() + 1];
            for (k, p) in law.iter().enumerate() {
                next[k] += p * (1.0 - share);
                next[k + 1] += p * share;
            }
            law = next;
        }
        law
    }

    #[test]
    fn it_agrees_with_adding_trial_after_trial() {
        for (trials, share) in [(0, 0.3), (1, 0.5), (7, 0.5), (12, 0.2), (40, 0.93), (9, 0.0), (9, 1.0)] {
            let law = by_trials(trials, share);
            for k in 0..=trials {
                let found = binomial_test(k as u64, trials as u64, share);
                near(found.greater, law[k..].iter().sum(), 1e-12);
                near(found.less, law[..=k].iter().sum(), 1e-12);
                let small = law.iter().filter(|&&p| p <= law[k] * (1.0 + 1e-7)).sum();
                near(found.two_sided, small, 1e-12);
            }
        }
    }

    #[test]
    fn the_textbooks_examples() {
        // Mendel's peas in R's manual of binom.test: 682 of 925 against 3/4.
        near(binomial_test(682, 925, 0.75).two_sided, 0.3825, 5e-5);
        // 8 heads of 10.
        near(sign_test(8, 2).two_sided, 0.109375, 1e-12);
        near(sign_test(8, 2).greater, 0.0546875, 1e-12);
        near(sign_test(10, 0).two_sided, 0.001953125, 1e-13);
    }

    #[test]
    fn long_matches_as_scipy_computes_them() {
        // scipy 1.17.1: scipy.stats.binomtest(successes, trials, share).pvalue
        for (successes, trials, share, p) in [
            (1012, 1925, 0.5, 0.025_482_195_505_499_402),
            (33, 50, 0.5, 0.032_839_137_564_268_484),
            (4_000_000, 7_990_000, 0.5, 0.000_404_098_896_835_866_5),
            (3, 1_000_000_000, 1e-9, 0.080_301_396_979_424_44),
            (123_456, 1_000_000, 0.123, 0.165_017_317_306_591_92),
        ] {
            near(binomial_test(successes, trials, share).two_sided / p, 1.0, 1e-8);
        }
    }

    #[test]
    fn sums_and_the_normal_distribution_meet() {
        let (trials, successes) = (3_900_000_000, 1_950_060_000);
        let summed = Binomial::new(trials, 0.5);
        assert!(!summed.is_normal());
        let z = (successes as f64 - 0.5 - summed.mean()) / summed.variance().sqrt();
        near(summed.at_least(successes) / normal_below(-z), 1.0, 1e-6);
    }

    #[test]
    fn no_games_and_very_many_answer() {
        let none = sign_test(0, 0);
        assert_eq!((none.two_sided, none.greater, none.less), (1.0, 1.0, 1.0));
        let even = sign_test(u64::MAX / 2, u64::MAX / 2);
        near(even.two_sided, 1.0, 1e-8);
        near(even.greater, 0.5, 1e-8);
        assert_eq!(sign_test(u64::MAX, u64::MAX).two_sided, 0.0, "sums beyond the limit are cut");
        assert_eq!(sign_test(u64::MAX / 2, 1).two_sided, 0.0);
    }
}
