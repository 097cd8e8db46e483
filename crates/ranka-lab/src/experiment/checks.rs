//! What a file may say that parses but makes no sense.

use super::figure::Figure;
use super::file::{PairingEntry, Sizes, When};
use super::plan::PlannedPairing;
use super::reference_figures::ReferenceFigure;
use ranka_core::{Error, WdlCounts, did_you_mean};
use std::collections::BTreeSet;

/// More games than anybody will play.
const MOST_GAMES: u64 = 1_000_000_000;

/// More pairings than anybody will look at.
const MOST_PAIRINGS: usize = 10_000;

/// More plies than any plot can show.
const MOST_PLIES: usize = 10_000;

fn refuse<T>(message: impl Into<String>) -> Result<T, Error> {
    Err(Error::input(message))
}

/// Numbers of games.
pub(super) fn sizes(sizes: &Sizes) -> Result<(), Error> {
    let all = [Some(sizes.quick), sizes.paper, Some(sizes.full)];
    match all.into_iter().flatten().find(|games| !(1..=MOST_GAMES).contains(games)) {
        Some(0) => refuse("there are no games: give games = { quick = …, full = … }"),
        Some(games) => refuse(format!("{games} games: expected 1 to {MOST_GAMES}")),
        None => Ok(()),
    }
}

/// What was meant by a key over which no pairing sweeps, if anything is near.
pub(super) fn near_key(key: &str, pairings: &[PlannedPairing]) -> String {
    let keys: BTreeSet<&str> =
        pairings.iter().flat_map(|pairing| pairing.sweep.keys()).map(String::as_str).collect();
    did_you_mean(key, &keys.into_iter().collect::<Vec<_>>())
}

/// A sweep: every key has values and is used, and there are not too many combinations.
pub(super) fn sweep(entry: &PairingEntry, rules: &str) -> Result<(), Error> {
    let mut combinations = 1usize;
    for (key, values) in &entry.sweep {
        let used = |text: &str| text.contains(&format!("{{{key}}}"));
        if values.is_empty() {
            return refuse(format!("the sweep over {key:?} has no values"));
        }
        if !used(rules) && !entry.agents.iter().any(|agent| used(agent.get_ref())) {
            return refuse(format!(
                "the sweep over {key:?} changes neither agents nor rules: write {{{key}}}"
            ));
        }
        combinations = combinations.saturating_mul(values.len());
    }
    match combinations > MOST_PAIRINGS {
        true => refuse(format!("the sweep has more than {MOST_PAIRINGS} combinations")),
        false => Ok(()),
    }
}

/// Teams: everybody is in exactly one, and there are at least two, none of them empty.
pub(super) fn teams(teams: &[Vec<usize>], agents: usize) -> Result<(), Error> {
    let mut members: Vec<usize> = teams.iter().flatten().copied().collect();
    members.sort_unstable();
    let fit =
        teams.len() > 1 && teams.iter().all(|team| !team.is_empty()) && members.into_iter().eq(0..agents);
    match teams.is_empty() || fit {
        true => Ok(()),
        false => refuse(format!("teams {teams:?}: every agent must be in exactly one of at least two")),
    }
}

/// The agents that a figure and a filter name must be there.
pub(super) fn sides(figure: Option<&Figure>, when: &When, agents: usize, teams: usize) -> Result<(), Error> {
    let sides = if teams == 0 { agents } else { teams };
    let named = figure.and_then(|figure| figure.side(agents, sides));
    let asked = [when.first, when.winner].into_iter().flatten().find(|&side| side >= sides);
    match named.or(asked) {
        Some(side) => refuse(format!("there is no agent or team number {side}: they are counted from 0")),
        None => Ok(()),
    }
}

/// A reference figure: finite, from some games if from any, and a share if the figure is one.
pub(super) fn reference(figure: &Figure, reference: &ReferenceFigure) -> Result<(), Error> {
    let value = reference.value;
    if !value.is_finite() || (figure.in_percent() && !(0.0..=1.0).contains(&value)) {
        let expected = if figure.in_percent() { "a share from 0 to 1" } else { "a number" };
        return refuse(format!("reference {figure} = {value}: expected {expected}"));
    }
    match reference.n {
        Some(n) if !(1..=MOST_GAMES).contains(&n) => {
            refuse(format!("reference n = {n}: expected 1 to {MOST_GAMES}"))
        }
        _ => Ok(()),
    }
}

/// A reference's wins, draws and losses. Gives their sum.
pub(super) fn counts(counts: WdlCounts) -> Result<u64, Error> {
    match counts.games() {
        0 => refuse("reference counts: there are no games"),
        sum if sum <= MOST_GAMES => Ok(sum),
        _ => refuse(format!("reference counts: more than {MOST_GAMES} games")),
    }
}

/// How near is near enough.
pub(super) fn tolerance(tolerance: f64) -> Result<(), Error> {
    match tolerance.is_finite() && tolerance > 0.0 {
        true => Ok(()),
        false => refuse(format!("tolerance = {tolerance}: expected a number above 0")),
    }
}

/// A test's level.
pub(super) fn level(level: f64) -> Result<(), Error> {
    match level > 0.0 && level < 1.0 {
        true => Ok(()),
        false => refuse(format!("level = {level}: expected a number between 0 and 1")),
    }
}

/// The first and the last ply of a plot.
pub(super) fn plies([first, last]: [usize; 2]) -> Result<(), Error> {
    match 1 <= first && first <= last && last <= MOST_PLIES {
        true => Ok(()),
        false => {
            refuse(format!("plies = [{first}, {last}]: expected first and last, from 1 to {MOST_PLIES}"))
        }
    }
}
