//! Who leads a round robin.

use super::league::League;
use super::run::PlayedPairing;
use crate::GameResult;
use ranka_core::{Wdl, WdlCounts};
use serde::Serialize;

/// The place of an agent in a round robin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Who, by its place in the league.
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

/// Who met in a round robin, and those of their games that count.
pub(super) fn fixtures<'a>(
    league: &'a League,
    played: &'a [PlayedPairing],
) -> impl Iterator<Item = (&'a [usize], &'a [GameResult])> {
    league.fixtures.iter().map(|(place, who)| (who.as_slice(), played[*place].counted()))
}

/// Everybody by points in these games, then by score, then as they were named.
///
/// Both by game, and every fixture weighs the same: where some fixtures are repetitions of a few games, so that only these
/// count, those who met others more often would lead by that alone.
pub(super) fn standings<'a>(
    league: &League,
    fixtures: impl Iterator<Item = (&'a [usize], &'a [GameResult])>,
) -> Vec<Standing> {
    let entry = |(agent, name): (usize, &String)| Standing {
        agent,
        name: name.clone(),
        points: 0.0,
        results: WdlCounts::default(),
        score: 0.0,
        games: 0,
    };
    let mut table: Vec<Standing> = league.names.iter().enumerate().map(entry).collect();
    let mut means = vec![[0.0; 2]; table.len()];
    let [win, draw, loss] = league.points;
    for (who, games) in fixtures {
        for (number, &agent) in who.iter().enumerate() {
            let standing = &mut table[agent];
            let before = [standing.points, standing.score];
            for score in games.iter().map(|game| game.score(number)) {
                let result = Wdl::of(score);
                standing.results.add(result);
                standing.points += match result {
                    Wdl::Win => win,
                    Wdl::Draw => draw,
                    Wdl::Loss => loss,
                };
                standing.score += score;
                standing.games += 1;
            }
            let after = [standing.points, standing.score];
            for ((mean, after), before) in means[agent].iter_mut().zip(after).zip(before) {
                *mean += (after - before) / games.len().max(1) as f64;
            }
        }
    }
    // So fine that only what summing in another order does is rounded away.
    let place = |standing: &Standing| means[standing.agent].map(|mean| (-mean * 1e9).round() as i64);
    table.sort_by_key(place);
    table
}
