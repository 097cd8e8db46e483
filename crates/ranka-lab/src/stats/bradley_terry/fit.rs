//! The maximum of the likelihood, by Newton's method.

use super::super::matrix::{Matrix, inverse, times, zeros};
use super::{Crosstable, Meeting};

/// The model's parameters, as logarithms.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// The strength of each agent; the mean of a group's is 0.
    pub(super) strengths: Vec<f64>,
    /// The parameter of draws; none where nothing was drawn, and a draw has no chance.
    pub(super) draw: Option<f64>,
}

impl Model {
    /// The logarithms of the chances of win, draw and loss in a meeting.
    fn ln_chances(&self, agents: [usize; 2]) -> [f64; 3] {
        let half = (self.strengths[agents[0]] - self.strengths[agents[1]]) / 2.0;
        let weights = [half, self.draw.unwrap_or(f64::NEG_INFINITY), -half];
        let largest = weights.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let all = largest + weights.map(|w| (w - largest).exp()).iter().sum::<f64>().ln();
        weights.map(|w| w - all)
    }

    /// The chances of win, draw and loss in a meeting.
    pub(super) fn chances(&self, agents: [usize; 2]) -> [f64; 3] {
        self.ln_chances(agents).map(f64::exp)
    }

    /// The logarithm of the table's probability.
    pub(super) fn ln_likelihood(&self, table: &Crosstable) -> f64 {
        let of_meeting = |m: &Meeting| {
            let chances = self.ln_chances(m.agents);
            let counts = [m.wins, m.draws, m.losses];
            // What did not happen counts nothing, even if it could not have happened.
            counts.iter().zip(chances).filter(|(n, _)| **n > 0.0).map(|(n, ln)| n * ln).sum::<f64>()
        };
        table.meetings.iter().map(of_meeting).sum()
    }

    fn moved(&self, step: &[f64], by: f64) -> Model {
        let strengths = self.strengths.iter().zip(step).map(|(x, dx)| x + by * dx).collect();
        Model { strengths, draw: self.draw.map(|x| x + by * step[self.strengths.len()]) }
    }

    fn parameters(&self) -> usize {
        self.strengths.len() + usize::from(self.draw.is_some())
    }

    /// The likelihood's slope and its curvature, which is the information that the games bring.
    fn slope_and_information(&self, table: &Crosstable) -> (Vec<f64>, Matrix) {
        let (mut slope, mut information) = (vec![0.0; self.parameters()], zeros(self.parameters()));
        let draw = self.strengths.len();
        for meeting in &table.meetings {
            let (n, [one, other]) = (meeting.games(), meeting.agents);
            let [win, drawn, _] = self.chances(meeting.agents);
            let score = win + drawn / 2.0;
            let excess = meeting.wins + meeting.draws / 2.0 - n * score;
            let variance = n * (win + drawn / 4.0 - score * score);
            slope[one] += excess;
            slope[other] -= excess;
            information[one][one] += variance;
            information[other][other] += variance;
            information[one][other] -= variance;
            information[other][one] -= variance;
            if self.draw.is_some() {
                slope[draw] += meeting.draws - n * drawn;
                information[draw][draw] += n * drawn * (1.0 - drawn);
                let together = n * drawn * (0.5 - score);
                for (agent, sign) in [(one, 1.0), (other, -1.0)] {
                    information[agent][draw] += sign * together;
                    information[draw][agent] += sign * together;
                }
            }
        }
        (slope, information)
    }
}

/// More steps than Newton's method ever needs where there is a maximum.
const STEPS: u32 = 200;

/// The most likely model of a table that has one, and the covariance of its parameters.
pub(super) fn fit(table: &Crosstable, groups: &[usize]) -> (Model, Matrix) {
    let drawn = table.meetings.iter().any(|m| m.draws > 0.0);
    let mut model = Model { strengths: vec![0.0; table.agents], draw: drawn.then_some(0.0) };
    let mut likelihood = model.ln_likelihood(table);
    for _ in 0..STEPS {
        let (slope, information) = model.slope_and_information(table);
        let Some(covariance) = covariance(information, groups) else { break };
        let step = times(&covariance, &slope);
        // A whole step may lead too far; a part of it never leads down.
        let parts = (0..40).map(|halvings| 0.5f64.powi(halvings));
        let better = parts.map(|part| model.moved(&step, part)).find_map(|moved| {
            let found = moved.ln_likelihood(table);
            (found >= likelihood).then_some((moved, found))
        });
        let Some((moved, found)) = better else { break };
        (model, likelihood) = (moved, found);
        if step.iter().all(|dx| dx.abs() < 1e-11) {
            break;
        }
    }
    let (_, information) = model.slope_and_information(table);
    let size = model.parameters();
    (model, covariance(information, groups).unwrap_or_else(|| zeros(size)))
}

/// The covariance of estimates with this information, when each group's mean strength is 0.
///
/// Games say nothing of a group's mean. So something is said of it, and taken back after inverting.
fn covariance(mut information: Matrix, groups: &[usize]) -> Option<Matrix> {
    let size = groups.len();
    let trace: f64 = (0..size).map(|i| information[i][i]).sum();
    let scale = if trace > 0.0 { trace / size as f64 } else { 1.0 };
    let pairs =
        || (0..size).flat_map(|a| (0..size).map(move |b| (a, b))).filter(|(a, b)| groups[*a] == groups[*b]);
    pairs().for_each(|(a, b)| information[a][b] += scale);
    let mut covariance = inverse(information)?;
    let members = |group: usize| groups.iter().filter(|g| **g == group).count() as f64;
    pairs().for_each(|(a, b)| covariance[a][b] -= 1.0 / (scale * members(groups[a]).powi(2)));
    Some(covariance)
}
