//! Who leads a round robin.

use super::round_robin::RoundRobin;
use super::run::PlayedPairing;
use super::summary::Summary;
use ranka_core::WdlCounts;
use serde::Serialize;

/// The place of an agent in a round robin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Who, by its place in the round robin.
    pub agent: usize,
    /// What it is called.
    pub name: String,
    /// Its points.
    pub points: f64,
    /// Games won alone, shared, and lost.
    pub results: WdlCounts,
    /// The sum of its scores.
    pub score: f64,
    /// How many games it played.
    pub games: u64,
}

/// Who met in a round robin, and what those of their games that count come to.
pub(super) fn fixtures<'a>(
    round_robin: &'a RoundRobin,
    played: &'a [PlayedPairing],
) -> impl Iterator<Item = (&'a [usize], &'a Summary)> {
    round_robin.fixtures.iter().map(|(place, who)| (who.as_slice(), &played[*place].summary))
}

/// Everybody by points in these games, then by score, then as they were named.
///
/// Both by game, and every fixture weighs the same: where some fixtures are repetitions of a few games, so that only these
/// count, those who met others more often would lead by that alone.
pub(super) fn standings<'a>(
    round_robin: &RoundRobin,
    fixtures: impl Iterator<Item = (&'a [usize], &'a Summary)>,
) -> Vec<Standing> {
    let entry = |(agent, name): (usize, &String)| Standing {
        agent,
        name: name.clone(),
        points: 0.0,
        results: WdlCounts::default(),
        score: 0.0,
        games: 0,
    };
    let mut table: Vec<Standing> = round_robin.names.iter().enumerate().map(entry).collect();
    let mut means = vec![[0.0; 2]; table.len()];
    let [win, draw, loss] = round_robin.points;
    for (who, summary) in fixtures {
        let games = summary.games;
        for (&agent, &(results, score)) in who.iter().zip(&summary.agents) {
            let standing = &mut table[agent];
            let [wins, draws, losses] = <[u64; 3]>::from(results).map(|count| count as f64);
            let points = wins * win + draws * draw + losses * loss;
            standing.results += results;
            standing.points += points;
            standing.score += score;
            standing.games += games;
            for (mean, sum) in means[agent].iter_mut().zip([points, score]) {
                *mean += sum / games.max(1) as f64;
            }
        }
    }
    // So fine that only what summing in another order does is rounded away.
    let place = |standing: &Standing| means[standing.agent].map(|mean| (-mean * 1e9).round() as i64);
    table.sort_by_key(place);
    table
}
