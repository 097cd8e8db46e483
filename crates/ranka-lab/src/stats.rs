//! What a number of results is worth: intervals, rating differences, tests. Pure functions of counts.
//!
//! Special functions (error, gamma, beta) come from `statrs`; what is here is the statistics. Every function
//! answers at once and without a panic for any counts, also for none, and where nothing is known it says so
//! by the widest interval or a p-value of 1. Probabilities are shares between 0 and 1, p-values are two-sided
//! unless their name says otherwise, and a `level` is the confidence of an interval, mostly [`LEVEL`].

mod binomial;
mod bootstrap;
mod bradley_terry;
mod chi_square;
mod compare;
mod distributions;
mod holm;
mod matrix;
mod proportion;
mod rank;
mod sample_size;
mod scores;
mod sprt;
mod tally;
mod trend;

pub use binomial::{BinomialTest, binomial_test, sign_test};
pub use bootstrap::{Bootstrapped, Resampling, bootstrap, bootstrap_ratio};
pub use bradley_terry::{Crosstable, Rating, Ratings, Warning};
pub use chi_square::{ChiSquare, chi_square};
pub use compare::{Comparison, Sample, mean_against, means, proportion_against, proportions};
pub use distributions::{LEVEL, normal_below, normal_quantile};
pub use holm::holm;
pub use proportion::{clopper_pearson, wilson};
pub use rank::{RankCorrelation, rank_correlation};
pub use sample_size::{Power, games_needed_at, games_needed_within};
pub use scores::{Elo, Scores, elo_of, score_of};
pub use sprt::{EloModel, Sprt, SprtDecision, SprtResult};
pub use tally::{Tally, decided_z};
pub use trend::{Trend, trend_test};

/// What the tests of this folder share.
#[cfg(test)]
mod testing {
    /// Fails unless a number is as expected.
    pub(super) fn near(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "{found} is not {expected} ± {within}");
    }
}
