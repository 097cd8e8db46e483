//! What an experiment found: figures with intervals, beside those of others, and a verdict on each.

use super::estimate::Estimate;
use super::faults::faults;
use super::figure::Teams;
use super::file::{SweepValue, When};
use super::plan::{Experiment, PlannedPairing, PlannedRow, Size};
use super::reference_figures::ReferenceFigure;
use super::round_robin::RoundRobin;
use super::run::{PlayedExperiment, PlayedPairing};
use super::standings::{Standing, fixtures, standings};
use super::summary::Summary;
use super::test_findings::{TestFinding, findings_of_test};
use crate::stats::{Crosstable, Elo, Power, Scores, Warning, games_needed_at, games_needed_within, holm};
use crate::{AgentFaults, Exact, GameResult, VersionCount};
use ranka_core::{Chances, Error, Seed, Settings, Wdl, WdlCounts, labels};
use serde::Serialize;
use std::collections::BTreeMap;

/// What an experiment found.
#[derive(Clone, Debug, Serialize)]
pub struct Findings {
    /// The experiment's name.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// What was asked.
    pub question: String,
    /// Where it stands in the paper.
    pub place: Option<String>,
    /// What the reader should know.
    pub note: Option<String>,
    /// How much was asked for.
    pub size: String,
    /// Whether all games were played.
    pub complete: bool,
    /// The pairings.
    pub pairings: Vec<PairingFinding>,
    /// The table.
    pub rows: Vec<RowFinding>,
    /// The tests.
    pub tests: Vec<TestFinding>,
    /// The standings of a round robin. In JSON they have been called a league from the first, and whoever reads it goes by
    /// that.
    #[serde(rename = "league")]
    pub round_robin: Option<RoundRobinFinding>,
    /// The positions.
    pub positions: Vec<PositionFinding>,
    /// The agents that ended games by their own fault.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<AgentFaults>,
    /// How many games the store had already, and how many there are.
    #[serde(skip)]
    pub from_store: (u64, u64),
    /// Which agent each name stands for that an agent has of its own.
    #[serde(skip)]
    pub named: Vec<(String, String)>,
}

/// Which agent each name stands for, where it is not the agent's own.
fn named(experiment: &Experiment) -> Vec<(String, String)> {
    let agents = experiment.pairings.iter().flat_map(|planned| planned.pairing.agents());
    let named = agents.filter(|agent| agent.label != agent.short);
    let mut named: Vec<_> = named.map(|agent| (agent.label.clone(), agent.short.clone())).collect();
    named.sort();
    named.dedup();
    named
}

/// What came out of a pairing.
#[derive(Clone, Debug, Serialize)]
pub struct PairingFinding {
    /// What it is called.
    pub name: String,
    /// Its identity, under which the store has its games.
    pub id: String,
    /// Its values of the sweep, by key.
    pub sweep: BTreeMap<String, SweepValue>,
    /// The game's options that differ from the defaults.
    pub rules: String,
    /// The agents, with the parameters that differ from the defaults.
    pub agents: Vec<String>,
    /// Which versions of them played how many of the games, the newest first.
    pub versions: Vec<VersionCount>,
    /// Who sits where.
    pub seats: &'static str,
    /// The seed.
    pub seed: u64,
    /// Games played, and asked for.
    pub games: u64,
    /// How many were asked for.
    pub wanted: u64,
    /// Whether games in the same seats are all alike, because nothing is left to chance: then one of each counts.
    pub all_alike: bool,
    /// How many of them another build of the program played.
    pub by_other_builds: u64,
    /// Wins, draws and losses of the first agent or team.
    pub results: WdlCounts,
    /// The pairs of games in which it got 0, ½, 1, 1½ and 2 points; nothing where games are not played in pairs.
    pub pairs: Option<[u64; 5]>,
    /// Wins, draws and losses of the games in which it had the first seat.
    pub results_first: WdlCounts,
    /// Its score.
    pub score: Estimate,
    /// The difference in strength that this speaks for; nothing with more than two sides.
    pub elo: Option<Elo>,
    /// What was computed: the chances of a win, a draw and a loss.
    pub exact: Option<[f64; 3]>,
    /// Games that did not end by the rules, by the reason.
    pub irregular: BTreeMap<String, u64>,
}

impl PairingFinding {
    /// Which versions made the figures: nothing where all are the first.
    pub fn version_words(&self) -> Option<String> {
        version_words(&self.agents, &self.versions)
    }
}

/// Which versions of `agents` played: nothing where all are the first. An agent is told where its version is another, or
/// where several are mixed.
pub fn version_words(agents: &[String], counts: &[VersionCount]) -> Option<String> {
    let mixed = |agent: usize| counts.iter().any(|count| count.versions[agent] != counts[0].versions[agent]);
    // No version is 0: of an agent whose versions are mixed each is worth telling.
    let words = |count: &VersionCount| count.words(agents, |agent| if mixed(agent) { 0 } else { 1 });
    match counts {
        [] => None,
        [one] => Some(words(one)).filter(|words| !words.is_empty()),
        several => {
            let told = several.iter().map(|count| {
                let games = if count.games == 1 { "game" } else { "games" };
                format!("{} {games} by {}", count.games, words(count))
            });
            Some(told.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Whether a measured figure agrees with a known one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing is known to compare it with.
    New,
    /// No difference was found, ours is exact enough to show one that matters, and the two are near each other.
    Agrees,
    /// There is a difference.
    Differs,
    /// No difference was found, but one that matters might have been missed: we have too few games, or they had.
    TooFew,
}

impl Verdict {
    /// On a difference that is so probable by chance; `uncertain` is half the width of the measured figure's interval.
    fn on(p: f64, difference: f64, uncertain: f64, tolerance: f64) -> Verdict {
        match p < LEVEL {
            true => Verdict::Differs,
            false if uncertain > tolerance || difference.abs() > tolerance => Verdict::TooFew,
            false => Verdict::Agrees,
        }
    }

    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Verdict::New => "—",
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::TooFew => "too few games to tell",
        }
    }
}

/// A row of the table.
#[derive(Clone, Debug, Serialize)]
pub struct RowFinding {
    /// The place of its pairing.
    pub pairing: usize,
    /// What it is called.
    pub label: String,
    /// The figure.
    pub figure: String,
    /// Whether it is told in percent.
    pub percent: bool,
    /// Which games counted, in words; empty if all.
    pub when: String,
    /// What was measured.
    pub measured: Estimate,
    /// What was computed.
    pub computed: Option<f64>,
    /// What somebody else found, and who.
    pub reference: Option<ReferenceFigure>,
    /// How probable so large a difference is if there is none, corrected (Holm) for the table's other rows.
    pub p: Option<f64>,
    /// Whether the two agree.
    pub verdict: Verdict,
    /// About how many games would tell: a score that may be even from ½ (in four of five attempts, at 5 %), or another
    /// figure of which there are too few, so that its interval is as narrow as the tolerance.
    pub games_to_tell: Option<u64>,
}

/// The standings of a round robin.
#[derive(Clone, Debug, Serialize)]
pub struct RoundRobinFinding {
    /// The points for a win, a draw and a loss.
    pub points: [f64; 3],
    /// Everybody from the first to the last.
    pub table: Vec<Standing>,
    /// The mean score of each (in the order of the table) against each other; nothing against itself.
    pub cross: Vec<Vec<Option<f64>>>,
    /// Ratings in the order of the table, for games of two.
    pub ratings: Vec<RatingFinding>,
    /// What should be known of the ratings.
    pub warnings: Vec<Warning>,
    /// The standings of the final, if there was one.
    pub finale: Vec<Standing>,
}

/// The rating of an agent.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RatingFinding {
    /// In Elo; the mean is 0.
    pub elo: f64,
    /// Its standard error.
    pub error: f64,
    /// Its standard error by simulation.
    pub simulated_error: f64,
}

/// An agent's choice in a position.
#[derive(Clone, Debug, Serialize)]
pub struct PositionFinding {
    /// What the position shows.
    pub name: String,
    /// Where it stands.
    pub place: Option<String>,
    /// The position.
    pub position: String,
    /// Who chose.
    pub agent: String,
    /// What it chose.
    pub choice: String,
    /// What would be right; anything if there is nothing.
    pub expect: Vec<String>,
    /// What would be wrong.
    pub avoid: Vec<String>,
    /// Whether the choice is right.
    pub verdict: Verdict,
}

/// The level at which a figure is said to differ.
const LEVEL: f64 = 0.05;

/// How often ratings are simulated.
const SIMULATIONS: u32 = 200;

impl Findings {
    /// What these games of an experiment say.
    pub fn of(experiment: &Experiment, size: Size, played: &PlayedExperiment) -> Result<Findings, Error> {
        let exact: Vec<Option<Exact>> = experiment
            .pairings
            .iter()
            // Who has pressed Ctrl-C does not want to wait for it.
            .map(|planned| (planned.exact && played.complete).then(|| planned.pairing.exact()).transpose())
            .collect::<Result<_, _>>()?;
        let both = || experiment.pairings.iter().zip(&played.pairings);
        let pairings =
            both().zip(&exact).map(|((planned, played), exact)| pairing(planned, played, exact.as_ref()));
        let mut positions = Vec::new();
        for planned in &experiment.positions {
            positions.push(position(planned)?);
        }
        let mut tests = Vec::new();
        for test in &experiment.tests {
            tests.extend(findings_of_test(experiment, played, test)?);
        }
        let round_robin = experiment
            .round_robin
            .as_ref()
            .map(|round_robin| round_robin_finding(round_robin, played))
            .transpose()?;
        Ok(Findings {
            faults: faults(experiment, played),
            from_store: played.from_store(),
            named: named(experiment),
            name: experiment.name.clone(),
            title: experiment.title.clone(),
            question: experiment.question.clone(),
            place: experiment.place.clone(),
            note: experiment.note.clone(),
            size: size.told(experiment),
            complete: played.complete,
            pairings: pairings.collect(),
            rows: rows(experiment, played, &exact),
            tests,
            round_robin,
            positions,
        })
    }
}

/// Wins, draws and losses of the first agent or team.
pub(super) fn results(planned: &PlannedPairing, games: &[GameResult], when: &When) -> WdlCounts {
    let teams = Teams(&planned.teams);
    let counted = games.iter().filter(|game| teams.counts(game, when));
    counted.map(|game| Wdl::of(teams.score(game, 0))).collect()
}

fn pairing(planned: &PlannedPairing, played: &PlayedPairing, exact: Option<&Exact>) -> PairingFinding {
    let Summary { results, results_first, pairs, score, irregular, .. } = played.summary.clone();
    let two_sides = planned.pairing.agents().len() == 2 || planned.teams.len() == 2;
    let elo = two_sides.then(|| {
        let value = Scores::of(results).elo().value;
        Elo { value, interval: score.interval.map(crate::elo_of) }
    });
    PairingFinding {
        name: planned.name.clone(),
        id: planned.pairing.identity()[..12].to_owned(),
        sweep: planned.sweep.clone(),
        rules: planned.pairing.game().rules_short(),
        agents: labels(planned.pairing.agents()),
        versions: played.versions.clone(),
        seats: planned.pairing.seating().name(),
        seed: planned.pairing.seed().value(),
        games: played.games,
        wanted: played.wanted,
        all_alike: played.all_alike(),
        by_other_builds: played.by_other_builds,
        results,
        pairs,
        results_first,
        score,
        elo,
        exact: exact.map(|exact| [exact.seated.win, exact.seated.draw, exact.seated.loss]),
        irregular,
    }
}

fn rows(experiment: &Experiment, played: &PlayedExperiment, exact: &[Option<Exact>]) -> Vec<RowFinding> {
    let mut differences = Vec::new();
    let mut rows: Vec<RowFinding> = Vec::new();
    for row in &experiment.rows {
        let planned = &experiment.pairings[row.pairing];
        let measured = Estimate::of(planned, played.pairings[row.pairing].counted(), &row.figure, &row.when);
        let computed = exact[row.pairing]
            .as_ref()
            .and_then(|exact| row.figure.computed(&chances_when(exact, &row.when)?));
        let (known, n) = known_value(planned, row, computed);
        let unanswered = known.is_some() && measured.value.is_none();
        let known = known.filter(|_| measured.value.is_some());
        let comparison = known.map(|known| measured.against(known, n));
        differences.push((comparison.map_or(0.0, |c| c.difference), row.tolerance));
        rows.push(RowFinding {
            pairing: row.pairing,
            label: row.label.clone(),
            figure: row.figure.to_string(),
            percent: row.figure.in_percent(),
            when: in_words(planned, &row.when),
            measured,
            computed,
            reference: row.reference.clone(),
            p: comparison.map(|comparison| comparison.p),
            verdict: if unanswered { Verdict::TooFew } else { Verdict::New },
            games_to_tell: None,
        });
    }
    let compared: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].p.is_some()).collect();
    let raw: Vec<f64> = compared.iter().filter_map(|&row| rows[row].p).collect();
    for (&row, p) in compared.iter().zip(holm(&raw)) {
        let [low, high] = rows[row].measured.interval;
        rows[row].p = Some(p);
        let (difference, tolerance) = differences[row];
        rows[row].verdict = Verdict::on(p, difference, (high - low) / 2.0, tolerance);
    }
    for (row, planned) in rows.iter_mut().zip(&experiment.rows) {
        let PlannedPairing { pairing, teams, control, .. } = &experiment.pairings[row.pairing];
        let two_sides = pairing.agents().len() == 2 || teams.len() == 2;
        // A control is even by its making: there is nothing to tell.
        let contest = planned.figure.is_even_score() && two_sides && !control;
        row.games_to_tell = games_to_tell(row, contest, planned.tolerance);
    }
    rows
}

fn games_to_tell(row: &RowFinding, contest: bool, tolerance: f64) -> Option<u64> {
    let Estimate { n, value, interval: [low, high], .. } = row.measured;
    let uncertain = (high - low) / 2.0;
    let games = if contest && low < 0.5 && 0.5 < high {
        games_needed_at(n, uncertain, value? - 0.5, Power::default())
    } else if row.verdict == Verdict::TooFew && uncertain > tolerance {
        games_needed_within(n, uncertain, tolerance)
    } else {
        None
    };
    // More than anybody plays: whatever there is to tell does not matter.
    games.filter(|&games| games < 1e9).map(|games| games as u64)
}

/// The computed chances of the first agent in games like these, as far as they are known.
fn chances_when(exact: &Exact, when: &When) -> Option<Chances> {
    match (when.first, when.winner) {
        (None, None) => Some(exact.seated),
        (Some(0), None) => Some(exact.first),
        (Some(1), None) => Some(exact.second),
        _ => None,
    }
}

/// What a row is compared with, and from how many games that comes.
fn known_value(
    planned: &PlannedPairing,
    row: &PlannedRow,
    computed: Option<f64>,
) -> (Option<f64>, Option<u64>) {
    match &row.reference {
        Some(reference) => (Some(reference.value), reference.n),
        None if planned.control && row.figure.is_even_score() => (Some(0.5), None),
        None => (computed, None),
    }
}

/// Which games count, in words.
pub(super) fn in_words(planned: &PlannedPairing, when: &When) -> String {
    let name = |team: usize| match planned.teams.get(team) {
        Some(members) => {
            let names = members.iter().filter_map(|&agent| planned.pairing.agents().get(agent));
            names.map(|agent| agent.label.as_str()).collect::<Vec<_>>().join(" and ")
        }
        None => {
            planned.pairing.agents().get(team).map_or_else(|| team.to_string(), |agent| agent.label.clone())
        }
    };
    let first = when.first.map(|team| format!("{} first", name(team)));
    let winner = when.winner.map(|team| format!("{} wins", name(team)));
    first.into_iter().chain(winner).collect::<Vec<_>>().join(", ")
}

fn round_robin_finding(
    round_robin: &RoundRobin,
    played: &PlayedExperiment,
) -> Result<RoundRobinFinding, Error> {
    let table = standings(round_robin, fixtures(round_robin, &played.pairings));
    let count = round_robin.names.len();
    let mut sums = vec![vec![(0.0, 0u64); count]; count];
    let mut crosstable = Crosstable::new(count);
    let two = round_robin.fixtures.iter().all(|(_, who)| who.len() == 2);
    for (place, who) in &round_robin.fixtures {
        let met = &played.pairings[*place].summary.met;
        for (a, &one) in who.iter().enumerate() {
            for (b, &other) in who.iter().enumerate().filter(|&(b, _)| b != a) {
                let results = met[a][b];
                let cell = &mut sums[one][other];
                let points = results.wins as f64 + results.draws as f64 / 2.0;
                *cell = (cell.0 + points, cell.1 + results.games());
                if a < b {
                    crosstable.add([one, other], results)?;
                }
            }
        }
    }
    let order: Vec<usize> = table.iter().map(|standing| standing.agent).collect();
    let mean = |(sum, games): (f64, u64)| (games > 0).then(|| sum / games as f64);
    let cross = order.iter().map(|&a| order.iter().map(|&b| mean(sums[a][b])).collect()).collect();
    let ratings = crosstable.rate();
    let simulated = crosstable.simulated_errors(&ratings, SIMULATIONS, Seed::new(0).child("ratings"));
    let rating = |&agent: &usize| RatingFinding {
        elo: ratings.agents[agent].elo,
        error: ratings.agents[agent].error,
        simulated_error: simulated[agent],
    };
    let finale = played.finale.iter().flatten();
    let mut finale = standings(round_robin, finale.map(|(_, who, played)| (who.as_slice(), &played.summary)));
    finale.retain(|standing| standing.games > 0);
    Ok(RoundRobinFinding {
        points: round_robin.points,
        cross,
        ratings: if two { order.iter().map(rating).collect() } else { Vec::new() },
        warnings: if two { ratings.warnings.clone() } else { Vec::new() },
        finale,
        table,
    })
}

fn position(planned: &super::plan::PlannedPosition) -> Result<PositionFinding, Error> {
    let entry = &planned.entry;
    let thought = planned.game.analyse(
        entry.position.get_ref(),
        &planned.agent,
        Seed::new(0),
        &Settings::default(),
        &mut |_| {},
    )?;
    let right = entry.expect.is_empty() || entry.expect.contains(&thought.choice);
    let wrong = entry.avoid.contains(&thought.choice);
    let verdict = if right && !wrong { Verdict::Agrees } else { Verdict::Differs };
    Ok(PositionFinding {
        name: entry.name.clone(),
        place: entry.place.clone(),
        position: entry.position.get_ref().clone(),
        agent: planned.agent.label.clone(),
        choice: thought.choice,
        expect: entry.expect.clone(),
        avoid: entry.avoid.clone(),
        verdict,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_near_and_exact_agrees() {
        assert_eq!(Verdict::on(0.01, 0.2, 0.03, 0.05), Verdict::Differs);
        assert_eq!(Verdict::on(0.6, 0.02, 0.03, 0.05), Verdict::Agrees);
        assert_eq!(Verdict::on(0.6, 0.02, 0.09, 0.05), Verdict::TooFew, "we cannot tell");
        assert_eq!(Verdict::on(0.1, -0.19, 0.03, 0.05), Verdict::TooFew, "they could not");
    }
}
