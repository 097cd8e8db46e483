//! Who leads a round robin.

use super::figure::Teams;
use super::league::League;
use super::run::PlayedPairing;
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
    pub results: [u64; 3],
    /// The sum of its scores.
    pub score: f64,
    /// How many games it played.
    pub games: u64,
}

/// Everybody by points, then by score, then as they were named.
pub fn standings(league: &League, played: &[PlayedPairing]) -> Vec<Standing> {
    let mut table: Vec<Standing> = league
        .names
        .iter()
        .enumerate()
        .map(|(agent, name)| Standing {
            agent,
            name: name.clone(),
            points: 0.0,
            results: [0; 3],
            score: 0.0,
            games: 0,
        })
        .collect();
    for (place, who) in &league.fixtures {
        for game in &played[*place].games {
            for (number, &agent) in who.iter().enumerate() {
                let score = Teams(&[]).score(game, number);
                let result = if score > 1.0 - 1e-9 { 0 } else { 1 + usize::from(score < 1e-9) };
                let standing = &mut table[agent];
                standing.results[result] += 1;
                standing.points += league.points[result];
                standing.score += score;
                standing.games += 1;
            }
        }
    }
    table.sort_by(|a, b| (b.points, b.score).partial_cmp(&(a.points, a.score)).expect("points are numbers"));
    table
}
