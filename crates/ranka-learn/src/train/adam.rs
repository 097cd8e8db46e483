//! Adam (Kingma and Ba 2015), with gradients cut to a largest norm.

const MEAN: f32 = 0.9;
const SQUARE: f32 = 0.999;
const TINY: f32 = 1e-5;

/// The longest gradient that is followed as it is.
const LONGEST: f32 = 0.5;

/// Running means of gradients and of their squares.
pub(crate) struct Adam {
    pub(crate) means: Vec<f32>,
    pub(crate) squares: Vec<f32>,
    pub(crate) steps: u64,
}

impl Adam {
    pub(crate) fn new(len: usize) -> Adam {
        Adam { means: vec![0.0; len], squares: vec![0.0; len], steps: 0 }
    }

    /// One step of `numbers` against the gradients.
    pub(crate) fn step(&mut self, numbers: &mut [f32], gradients: &mut [f32], rate: f32) {
        self.steps += 1;
        let norm = libm::sqrt(gradients.iter().map(|&g| f64::from(g) * f64::from(g)).sum::<f64>()) as f32;
        if norm > LONGEST {
            let scale = LONGEST / norm;
            gradients.iter_mut().for_each(|g| *g *= scale);
        }
        let grown = |share: f32| (1.0 - libm::pow(f64::from(share), self.steps as f64)) as f32;
        let (mean_grown, square_grown) = (grown(MEAN), grown(SQUARE));
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for ((number, &g), (mean, square)) in numbers.iter_mut().zip(gradients.iter()).zip(moments) {
            *mean = MEAN * *mean + (1.0 - MEAN) * g;
            *square = SQUARE * *square + (1.0 - SQUARE) * g * g;
            *number -= rate * (*mean / mean_grown) / (libm::sqrtf(*square / square_grown) + TINY);
        }
    }
}
