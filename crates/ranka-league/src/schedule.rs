//! Which pairing tells most.

use crate::standings::Standings;
use std::f64::consts::LN_10;

/// How far ratings may lie apart before anybody has played, in Elo.
const PRIOR: f64 = 350.0;
/// One unit of the logarithm of a strength, in Elo.
const ELO: f64 = 400.0 / LN_10;

/// How much a game between two is expected to tell: how little is known of their difference, times how open the game is.
pub(crate) fn information(standings: &Standings, one: usize, other: usize) -> f64 {
    let [difference, error] = standings.difference(one, other).unwrap_or([0.0, PRIOR]);
    let variance = (error.min(PRIOR) / ELO).powi(2);
    let chance = 1.0 / (1.0 + (-difference / ELO).exp());
    variance * chance * (1.0 - chance)
}
