//! Figures as people read them, on the terminal and on pages alike.

use crate::experiment::{Estimate, ReferenceTest};

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A number with as many digits as are worth reading.
pub fn number(x: f64) -> String {
    let digits = match x.abs() {
        _ if x.fract() == 0.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 1.0 => 2,
        size if size >= 0.1 => 3,
        _ => 4,
    };
    minus(&format!("{x:.digits$}"))
}

/// A number's text with a proper minus sign, and without one where only zeros are left of the number.
pub fn minus(number: &str) -> String {
    match number.strip_prefix('-') {
        Some(digits) if digits.parse() == Ok(0.0) => digits.to_owned(),
        _ => number.replace('-', "−"),
    }
}

/// A figure in its unit.
pub fn figure(value: f64, in_percent: bool) -> String {
    if in_percent { percent(value) } else { number(value) }
}

/// An estimate's interval in its unit.
pub fn interval(estimate: &Estimate, in_percent: bool) -> String {
    let [low, high] = estimate.interval;
    match (low.is_finite() && high.is_finite(), in_percent) {
        (false, _) => "unknown".to_owned(),
        (true, true) => format!("{:.1}–{:.1} %", 100.0 * low, 100.0 * high),
        (true, false) => format!("{} to {}", number(low), number(high)),
    }
}

/// A probability; very small ones only as such.
pub fn probability(p: f64) -> String {
    if p < 0.0005 { "< 0.0005".to_owned() } else { format!("{p:.3}") }
}

/// What came out of a test elsewhere: the statistic if it is told, and whether it was significant.
pub fn reference_test(symbol: &str, test: &ReferenceTest) -> String {
    let significant = if test.significant { "yes" } else { "no" };
    match test.statistic {
        Some(statistic) => format!("{symbol} {} ({significant})", number(statistic)),
        None => significant.to_owned(),
    }
}

/// A number of games of which only the first two digits are worth reading.
pub fn about(games: u64) -> String {
    let unit = 10u64.pow(games.checked_ilog10().unwrap_or(0).saturating_sub(1));
    (games.div_ceil(unit) * unit).to_string()
}

/// What is to be known of games in which nothing is left to chance; `place` says which, if it must be said.
pub fn all_alike(place: Option<&str>) -> String {
    let place = place.map_or_else(String::new, |place| format!(" in {place}"));
    format!("Nothing is left to chance{place}: all deals went the same way, so only one of them counts.")
}

/// What `games to tell` means, below a table that has it.
pub const GAMES_TO_TELL: &str = "Games to tell: about as many as would tell a score from an even one in four of five \
    attempts, or make the interval of another figure as narrow as its tolerance.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        assert_eq!([-0.0, -0.00001, -3.0, -0.125, 0.0].map(number), ["0", "0.0000", "−3", "−0.125", "0"]);
        assert_eq!(["-0", "-0.00", "-1e-9", "-2.5"].map(minus), ["0", "0.00", "−1e−9", "−2.5"]);
    }
}
