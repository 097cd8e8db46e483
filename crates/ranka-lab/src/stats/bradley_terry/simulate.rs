//! Errors of ratings by playing the table again.

use super::super::distributions::normal_quantile;
use super::exists::groups;
use super::fit::Model;
use super::{Crosstable, Meeting};
use ranka_core::{Rng, Seed};

/// The standard deviation of each agent's strength among so many tables that are drawn from the model.
pub(super) fn simulated_errors(table: &Crosstable, model: &Model, times: u32, seed: Seed) -> Vec<f64> {
    let groups = groups(table);
    let mut rng = Rng::new(seed.child("ratings"));
    let (mut sums, mut squares) = (vec![0.0; table.agents], vec![0.0; table.agents]);
    for _ in 0..times {
        let again = |m: &Meeting| played_again(m, model.chances(m.agents), &mut rng);
        let drawn = Crosstable { agents: table.agents, meetings: table.meetings.iter().map(again).collect() };
        let found = drawn.most_likely(&groups).model;
        for (agent, strength) in found.strengths.iter().enumerate() {
            let distance = strength - model.strengths[agent];
            sums[agent] += distance;
            squares[agent] += distance * distance;
        }
    }
    let n = f64::from(times);
    let variance = |(sum, square): (&f64, &f64)| (square - sum * sum / n) / (n - 1.0);
    let alone = |agent: usize| groups.iter().filter(|group| **group == groups[agent]).count() == 1;
    let errors = sums.iter().zip(&squares).map(|both| variance(both).max(0.0).sqrt());
    errors.enumerate().map(|(agent, e)| if alone(agent) || times < 2 { f64::INFINITY } else { e }).collect()
}

fn played_again(meeting: &Meeting, [win, drawn, _]: [f64; 3], rng: &mut Rng) -> Meeting {
    let games = meeting.games();
    let wins = successes(games, win, rng);
    let draws = if win < 1.0 { successes(games - wins, (drawn / (1.0 - win)).min(1.0), rng) } else { 0.0 };
    Meeting { wins, draws, losses: games - wins - draws, ..*meeting }
}

/// More games than these are not played one by one: their number of successes is as good as normal.
const ONE_BY_ONE: f64 = 10_000.0;

/// How many of so many trials succeed. A half game that regularisation left over counts as none.
fn successes(trials: f64, share: f64, rng: &mut Rng) -> f64 {
    if trials <= ONE_BY_ONE {
        return (0..trials as u32).filter(|_| rng.chance(share)).count() as f64;
    }
    let deviation = (trials * share * (1.0 - share)).sqrt();
    let z = normal_quantile(rng.unit().max(1e-16));
    (trials * share + z * deviation).round().clamp(0.0, trials)
}
