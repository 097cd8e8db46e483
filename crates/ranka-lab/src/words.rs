//! Figures as people read them, on the terminal and on pages alike.

use crate::experiment::{Estimate, ReferenceTest, TestFinding};
use ranka_core::{AgentSpec, Params};

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

/// What a win, a draw and a loss are worth.
pub fn points([win, draw, loss]: [f64; 3]) -> String {
    let [win, draw, loss] = [win, draw, loss].map(number);
    format!("{win} points for a win, {draw} for a draw, {loss} for a loss.")
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

/// A test's statistic by its name; a count says of how many.
pub fn statistic(test: &TestFinding) -> String {
    let of = if test.symbol == "wins" { format!(" of {} decided", test.n) } else { String::new() };
    format!("{} {}{of}", test.symbol, number(test.statistic))
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

/// An agent by the name that it was given, or else with the parameters that differ from the defaults; with all if the
/// program no longer knows it.
pub fn agent_name(game: &str, agent: &str) -> String {
    let (short, label) = short_agent(game, agent);
    label.unwrap_or(short)
}

/// The names of some agents, as [`ranka_core::labels`] tells them: where two that differ have the same name it stands
/// beside what they are.
pub fn agent_names(game: &str, agents: &[String]) -> Vec<String> {
    let told: Vec<(String, Option<String>)> = agents.iter().map(|agent| short_agent(game, agent)).collect();
    let name = |(short, label): &(String, Option<String>)| match label {
        None => short.clone(),
        Some(name) if told.iter().any(|(other, of)| of.as_ref() == Some(name) && other != short) => {
            format!("{name} ({short})")
        }
        Some(name) => name.clone(),
    };
    told.iter().map(name).collect()
}

/// An agent with the parameters that differ from the defaults, and the name that it was given.
fn short_agent(game: &str, agent: &str) -> (String, Option<String>) {
    let spec = AgentSpec::parse(agent);
    let kinds = ranka_games::game(game).map_or_else(|_| Vec::new(), |entry| entry.agents());
    let kind = kinds.into_iter().find(|kind| kind.name == spec.name);
    match kind.and_then(|kind| Params::parse(&spec.params, kind.params).ok()) {
        None => (agent.to_owned(), None),
        Some(params) => {
            let label = params.label().map(str::to_owned);
            (AgentSpec { name: spec.name, params: params.short() }.to_string(), label)
        }
    }
}

/// What is to be known of games in which nothing is left to chance; `place` says which, if it must be said.
pub fn all_alike(place: Option<&str>) -> String {
    let place = place.map_or_else(String::new, |place| format!(" in {place}"));
    format!("Nothing is left to chance{place}: games in the same seats are all alike, so one of each counts.")
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
