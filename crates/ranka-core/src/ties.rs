//! Ties: which of the equally good choices is taken, by a named rule.

use crate::{Param, Params, Rng};

/// Values that differ by less than this are equal: what rounding may do to a sum of a few dozen terms.
const EQUAL: f64 = 1e-9;

/// Which of the best choices is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// Any, all equally likely.
    Uniform,
    /// The first in canonical order.
    First,
    /// The last in canonical order.
    Last,
}

impl Ties {
    /// The parameter `ties=uniform|first|last`.
    pub const PARAM: Param =
        Param::choice("ties", &["uniform", "first", "last"], "which of equally good choices to take");

    /// The same parameter of an agent that takes the first unless it is told otherwise, and says what is first.
    pub const fn first(help: &'static str) -> Param {
        Param::choice("ties", &["first", "last", "uniform"], help)
    }

    /// What that parameter says.
    pub fn of(params: &Params) -> Ties {
        match params.text("ties") {
            "first" => Ties::First,
            "last" => Ties::Last,
            _ => Ties::Uniform,
        }
    }

    /// The index of a greatest value.
    ///
    /// # Panics
    /// If there are no values.
    pub fn pick(self, values: &[f64], rng: &mut Rng) -> usize {
        let best: Vec<usize> = best(values).collect();
        match self {
            Ties::Uniform => rng.pick(&best),
            Ties::First => best[0],
            Ties::Last => best[best.len() - 1],
        }
    }

    /// Appends the probability with which [`pick`](Ties::pick) takes each index.
    pub fn spread(self, values: &[f64], out: &mut Vec<f64>) {
        let start = out.len();
        out.resize(start + values.len(), 0.0);
        let count = best(values).count();
        match self {
            Ties::Uniform => best(values).for_each(|i| out[start + i] = 1.0 / count as f64),
            Ties::First => best(values).take(1).for_each(|i| out[start + i] = 1.0),
            Ties::Last => best(values).skip(count - 1).for_each(|i| out[start + i] = 1.0),
        }
    }
}

fn best(values: &[f64]) -> impl Iterator<Item = usize> + '_ {
    let top = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    values.iter().enumerate().filter(move |&(_, &value)| value >= top - EQUAL).map(|(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    #[test]
    fn picks_follow_the_probabilities() {
        let values = [0.1 + 0.2, -1.0, 0.3, 0.3];
        let spread = |ties: Ties| {
            let mut out = Vec::new();
            ties.spread(&values, &mut out);
            out
        };
        assert_eq!(spread(Ties::First), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(spread(Ties::Last), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(spread(Ties::Uniform), [1.0 / 3.0, 0.0, 1.0 / 3.0, 1.0 / 3.0]);
        let mut rng = Rng::new(Seed::new(5));
        assert_eq!((Ties::First.pick(&values, &mut rng), Ties::Last.pick(&values, &mut rng)), (0, 3));
        let mut counts = [0; 4];
        (0..3000).for_each(|_| counts[Ties::Uniform.pick(&values, &mut rng)] += 1);
        assert!(counts[1] == 0 && [0, 2, 3].iter().all(|&i| (900..1100).contains(&counts[i])), "{counts:?}");
    }
}
