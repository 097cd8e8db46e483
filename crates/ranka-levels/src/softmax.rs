//! How a player errs: how readily it gives winning chances away, and how much of them at most with one action.

/// A temperature on winning chances, with a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softmax {
    /// An action that gives away this much is e times less likely than one that gives away nothing.
    pub temperature: f64,
    /// What one action may give away at most.
    pub bound: f64,
}

impl Softmax {
    /// How likely each action is, by what it gives away. At temperature 0 only what gives away nothing is.
    pub fn weights(self, losses: &[f64]) -> Vec<f64> {
        let weight = |&loss: &f64| match loss {
            loss if loss <= 0.0 => 1.0,
            loss if loss > self.bound || self.temperature <= 0.0 => 0.0,
            loss => libm::exp(-loss / self.temperature),
        };
        let mut weights: Vec<f64> = losses.iter().map(weight).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        weights
    }

    /// What an action gives away on average.
    pub fn mean_loss(self, losses: &[f64]) -> f64 {
        self.weights(losses).iter().zip(losses).map(|(weight, loss)| weight * loss).sum()
    }

    /// The hottest softmax up to `self` that gives away no more than `most` on average.
    pub(crate) fn cooled(self, losses: &[f64], most: f64) -> Softmax {
        if self.mean_loss(losses) <= most {
            return self;
        }
        // The mean rises with the temperature; thirty halvings are far finer than any judge.
        let (mut cold, mut hot) = (0.0, self.temperature);
        for _ in 0..30 {
            let middle = (cold + hot) / 2.0;
            let fits = Softmax { temperature: middle, ..self }.mean_loss(losses) <= most;
            if fits { cold = middle } else { hot = middle }
        }
        Softmax { temperature: cold, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gives_away_more_is_less_likely_and_too_much_never_happens() {
        let losses = [0.0, 0.1, 0.2, 0.6];
        let weights = Softmax { temperature: 0.1, bound: 0.5 }.weights(&losses);
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((weights[1] / weights[0] - (-1f64).exp()).abs() < 1e-12);
        assert!(weights[2] > 0.0 && weights[3] == 0.0);
        assert_eq!(Softmax { temperature: 0.0, bound: 1.0 }.weights(&losses), [1.0, 0.0, 0.0, 0.0]);
        let any = Softmax { temperature: f64::INFINITY, bound: 1.0 }.weights(&losses);
        assert_eq!(any, [0.25; 4]);
    }

    #[test]
    fn cooling_keeps_the_mean() {
        let (losses, hot) = ([0.0, 0.05, 0.3, 0.31, 0.9], Softmax { temperature: 1.0, bound: 1.0 });
        for most in [0.0, 0.01, 0.1, 0.2] {
            let cooled = hot.cooled(&losses, most);
            let mean = cooled.mean_loss(&losses);
            assert!(mean <= most && mean > most - 1e-3, "{most}: {mean}");
        }
        assert_eq!(hot.cooled(&losses, 0.9), hot);
    }
}
