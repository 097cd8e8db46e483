//! The laboratory's statistics.

use crate::errors::{count, raised};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use ranka_core::WdlCounts;
use ranka_lab::stats::{self, Crosstable, EloModel, Sprt, Tally};

fn share(name: &str, value: f64) -> PyResult<f64> {
    let refuse = || PyValueError::new_err(format!("{name} {value}: expected a number above 0 and below 1"));
    (value > 0.0 && value < 1.0).then_some(value).ok_or_else(refuse)
}

/// How often something was, or what is wrong with that.
fn times(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    count("count", given, 0)
}

fn list_of_times(given: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    given.try_iter()?.map(|one| times(&one?)).collect()
}

fn table_of_times(given: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<u64>>> {
    given.try_iter()?.map(|row| list_of_times(&row?)).collect()
}

fn at_most(successes: u64, trials: u64) -> PyResult<()> {
    let refuse = || PyValueError::new_err(format!("{successes} successes in {trials} trials"));
    (successes <= trials).then_some(()).ok_or_else(refuse)
}

/// Wilson's interval of a proportion.
#[pyfunction]
#[pyo3(signature = (successes, trials, level=0.95))]
pub(crate) fn wilson(
    #[pyo3(from_py_with = times)] successes: u64,
    #[pyo3(from_py_with = times)] trials: u64,
    level: f64,
) -> PyResult<[f64; 2]> {
    at_most(successes, trials)?;
    Ok(stats::wilson(successes, trials, share("level", level)?))
}

/// The exact interval of a proportion, by Clopper and Pearson.
#[pyfunction]
#[pyo3(signature = (successes, trials, level=0.95))]
pub(crate) fn clopper_pearson(
    #[pyo3(from_py_with = times)] successes: u64,
    #[pyo3(from_py_with = times)] trials: u64,
    level: f64,
) -> PyResult<[f64; 2]> {
    at_most(successes, trials)?;
    Ok(stats::clopper_pearson(successes, trials, share("level", level)?))
}

/// The difference in Elo that an expected score speaks for.
#[pyfunction]
pub(crate) fn elo_of(score: f64) -> f64 {
    stats::elo_of(score)
}

/// The expected score at a difference in Elo.
#[pyfunction]
pub(crate) fn score_of(elo: f64) -> f64 {
    stats::score_of(elo)
}

/// How probable a result at most as probable as this one is, two-sided.
#[pyfunction]
#[pyo3(signature = (successes, trials, share=0.5))]
pub(crate) fn binomial_test(
    #[pyo3(from_py_with = times)] successes: u64,
    #[pyo3(from_py_with = times)] trials: u64,
    share: f64,
) -> PyResult<f64> {
    at_most(successes, trials)?;
    Ok(stats::binomial_test(successes, trials, self::share("share", share)?).two_sided)
}

/// The sign test of wins against losses: its p-value.
#[pyfunction]
pub(crate) fn sign_test(
    #[pyo3(from_py_with = times)] wins: u64,
    #[pyo3(from_py_with = times)] losses: u64,
) -> f64 {
    stats::sign_test(wins, losses).two_sided
}

/// Pearson's χ² of counts against shares: statistic, degrees of freedom, p-value.
#[pyfunction]
pub(crate) fn chi_square(
    #[pyo3(from_py_with = list_of_times)] observed: Vec<u64>,
    shares: Vec<f64>,
) -> PyResult<(f64, f64, f64)> {
    let test = stats::chi_square(&observed, &shares).map_err(raised)?;
    Ok((test.statistic, test.freedom as f64, test.p))
}

/// Holm's correction of p-values that are looked at together.
#[pyfunction]
pub(crate) fn holm(p_values: Vec<f64>) -> Vec<f64> {
    stats::holm(&p_values)
}

/// Spearman's ρ of pairs of numbers, and its p-value.
#[pyfunction]
pub(crate) fn rank_correlation(pairs: Vec<(f64, f64)>) -> (f64, f64) {
    let found = stats::rank_correlation(&pairs);
    (found.rho, found.p)
}

/// What a sequential test says of counts: the log-likelihood ratio, its bounds, and `H0`, `H1` or `undecided`. Counts
/// are (wins, draws, losses), or of pairs of games the five numbers with 0, ½, 1, 1½ and 2 points.
#[pyfunction]
#[pyo3(signature = (counts, elo0, elo1, alpha=0.05, beta=0.05, normalized=false))]
pub(crate) fn sprt_test(
    #[pyo3(from_py_with = list_of_times)] counts: Vec<u64>,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    normalized: bool,
) -> PyResult<(f64, [f64; 2], &'static str)> {
    let model = if normalized { EloModel::Normalized } else { EloModel::Logistic };
    let test = Sprt::new(model, elo0, elo1, alpha, beta).map_err(raised)?;
    let tally = match *counts {
        [wins, draws, losses] => Tally::games(WdlCounts { wins, draws, losses }),
        [a, b, c, d, e] => Tally::Pairs([a, b, c, d, e]),
        _ => return Err(PyValueError::new_err(format!("{} counts: expected 3 or 5", counts.len()))),
    };
    let said = test.test(&tally);
    let decision = match said.decision {
        stats::SprtDecision::H0 => "H0",
        stats::SprtDecision::H1 => "H1",
        stats::SprtDecision::GoOn => "undecided",
    };
    Ok((said.llr, said.bounds, decision))
}

/// Ratings in Elo with standard errors, by Davidson's model, from who beat whom how often and who drew.
#[pyfunction]
pub(crate) fn ratings(
    #[pyo3(from_py_with = table_of_times)] wins: Vec<Vec<u64>>,
    #[pyo3(from_py_with = table_of_times)] draws: Vec<Vec<u64>>,
) -> PyResult<Vec<(f64, f64)>> {
    let rated = Crosstable::of(&wins, &draws).map_err(raised)?.rate();
    Ok(rated.agents.iter().map(|agent| (agent.elo, agent.error)).collect())
}
