//! What the tests of an experiment found.

use super::estimate::Estimate;
use super::figure::Figure;
use super::file::{TestKind, When};
use super::findings::results;
use super::plan::{Experiment, PlannedTest};
use super::reference_figures::ReferenceTest;
use super::run::PlayedExperiment;
use crate::stats::{chi_square, decided_z, holm, normal_below, rank_correlation, sign_test};
use ranka_core::{Error, WdlCounts};
use serde::Serialize;

/// A test of one pairing, of two, or of those along a sweep.
#[derive(Clone, Debug, Serialize)]
pub struct TestFinding {
    /// The test.
    pub test: &'static str,
    /// What was tested.
    pub label: String,
    /// How the statistic is called.
    pub symbol: &'static str,
    /// The statistic.
    pub statistic: f64,
    /// Of how many games; where draws are left out, of how many decided ones.
    pub n: u64,
    /// The probability of one so large if there is no difference.
    pub p: f64,
    /// The same, corrected (Holm) for all pairings tested.
    pub p_corrected: f64,
    /// The level.
    pub level: f64,
    /// Whether it is significant by itself.
    pub significant: bool,
    /// Whether it still is when corrected.
    pub significant_corrected: bool,
    /// What came out elsewhere, and where.
    pub reference: Option<ReferenceTest>,
}

/// One of a test's results, before they are corrected for each other.
struct Found {
    label: String,
    symbol: &'static str,
    statistic: f64,
    n: u64,
    p: f64,
}

/// What these games say to a test.
pub(super) fn findings_of_test(
    experiment: &Experiment,
    played: &PlayedExperiment,
    test: &PlannedTest,
) -> Result<Vec<TestFinding>, Error> {
    let found = found(experiment, played, test)?;
    let corrected = holm(&found.iter().map(|found| found.p).collect::<Vec<_>>());
    let level = test.entry.level;
    let finding = |(i, (Found { label, symbol, statistic, n, p }, p_corrected))| TestFinding {
        test: test.entry.kind.words(),
        label,
        symbol,
        statistic,
        n,
        p,
        p_corrected,
        level,
        significant: p < level,
        significant_corrected: p_corrected < level,
        reference: test.references.get(i).copied(),
    };
    Ok(found.into_iter().zip(corrected).enumerate().map(finding).collect())
}

fn found(
    experiment: &Experiment,
    played: &PlayedExperiment,
    test: &PlannedTest,
) -> Result<Vec<Found>, Error> {
    let all = When::default();
    let games = |place: usize| (&experiment.pairings[place], played.pairings[place].counted());
    if let Some(trend) = &test.trend {
        let found = trend.found(&experiment.pairings, played);
        return Ok(found
            .map(|(label, n, of)| Found { label, symbol: "z", statistic: of.z, n, p: of.p })
            .collect());
    }
    if test.entry.kind == TestKind::Compare {
        let [one, other] = [test.pairings[0], test.pairings[1]].map(games);
        let [first, second] =
            [one, other].map(|(planned, games)| Estimate::of(planned, games, &Figure::score(), &all));
        let comparison = first.compare(&second);
        let label = format!("{} – {}", one.0.name, other.0.name);
        let n = first.n + second.n;
        return Ok(vec![Found { label, symbol: "t", statistic: comparison.statistic, n, p: comparison.p }]);
    }
    let mut found = Vec::new();
    for &place in &test.pairings {
        let (planned, games) = games(place);
        if let Some([x, y]) = &test.terms {
            let both = games.iter().filter_map(|game| Some((x.value(game)?, y.value(game)?)));
            let both: Vec<(f64, f64)> = both.collect();
            let ranked = rank_correlation(&both);
            let names = [&test.entry.x, &test.entry.y].map(|name| name.as_deref().unwrap_or_default());
            let label = format!("{}: {} and {}", planned.name, names[0], names[1]);
            found.push(Found {
                label,
                symbol: "ρ",
                statistic: ranked.rho,
                n: both.len() as u64,
                p: ranked.p,
            });
            continue;
        }
        let WdlCounts { wins, losses, .. } = results(planned, games, &all);
        let (symbol, statistic, p) = match test.entry.kind {
            TestKind::ChiSquare => {
                let fit = chi_square(&[wins, losses], &[0.5, 0.5])?;
                ("χ²", fit.statistic, fit.p)
            }
            TestKind::Sign => ("wins", wins as f64, sign_test(wins, losses).two_sided),
            TestKind::Normal | TestKind::Compare | TestKind::Rank | TestKind::Trend => {
                let z = decided_z(wins, losses);
                ("z", z, normal_below(-z))
            }
        };
        found.push(Found { label: planned.name.clone(), symbol, statistic, n: wins + losses, p });
    }
    Ok(found)
}
