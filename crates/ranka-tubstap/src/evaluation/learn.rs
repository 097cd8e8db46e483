//! Fits a model to games that were played.

use super::model::{INPUTS, LANES, Lanes, Model, Trace, sigmoid};
use super::rows::Rows;

/// Positions after which the layer's weights change.
const BATCH: usize = 64;

/// Positions with what came of them, and the model that learns from them.
pub struct Learner {
    /// What was learned so far.
    pub model: Model,
    /// Squares of the gradients so far (vectors), and running means (layer): how large a step each number may take.
    squares: Model,
    means: Vec<f32>,
    spreads: Vec<f32>,
    gradient: Vec<f32>,
    steps: i32,
    in_batch: usize,
    trace: Trace,
    rows: Rows,
}

/// A position in few numbers.
#[derive(Clone, Debug)]
pub struct Packed(Vec<u16>);

impl Rows {
    /// The facts in few numbers, to learn from them later.
    pub fn packed(&self) -> Packed {
        let mut packed = Vec::new();
        self.pack(&mut packed);
        packed.shrink_to_fit();
        Packed(packed)
    }
}

/// Weights of the layer and behind it.
const DENSE: usize = INPUTS * LANES + LANES + LANES + 1;

impl Learner {
    /// Begins from a model.
    pub fn new(model: Model) -> Learner {
        let mut squares = model.clone();
        squares.units.iter_mut().chain(&mut squares.counts).for_each(|row| *row = [0.01; LANES]);
        Learner {
            model,
            squares,
            means: vec![0.0; DENSE],
            spreads: vec![0.0; DENSE],
            gradient: vec![0.0; DENSE],
            steps: 0,
            in_batch: 0,
            trace: Trace { of_units: Vec::new(), inputs: [[0.0; LANES]; 3], hidden: [0.0; LANES] },
            rows: Rows::default(),
        }
    }

    /// The loss (cross-entropy) on a position that was worth `target`, without learning.
    pub fn loss(&mut self, packed: &Packed, target: f32) -> f32 {
        self.rows.unpack(&packed.0);
        let p = sigmoid(self.model.logit(&self.rows, None)).clamp(1e-6, 1.0 - 1e-6);
        -(target * libm::logf(p) + (1.0 - target) * libm::logf(1.0 - p))
    }

    /// Learns from a position that was worth `target` to who was to move.
    pub fn learn(&mut self, packed: &Packed, target: f32, rate: f32) {
        self.rows.unpack(&packed.0);
        let error = sigmoid(self.model.logit(&self.rows, Some(&mut self.trace))) - target;
        // Back through the layer.
        let (model, trace) = (&mut self.model, &self.trace);
        let mut hidden: Lanes = [0.0; LANES];
        let dense = &mut self.gradient;
        let (layer, rest) = dense.split_at_mut(INPUTS * LANES);
        let (bias, rest) = rest.split_at_mut(LANES);
        for i in 0..LANES {
            if trace.hidden[i] > 0.0 {
                hidden[i] = error * model.out[i];
                rest[i] += error * trace.hidden[i];
            }
            bias[i] += hidden[i];
        }
        rest[LANES] += error;
        let mut inputs = [[0.0; LANES]; 3];
        for (n, input) in trace.inputs.as_flattened().iter().enumerate() {
            let weights = &model.layer[n];
            let mut back = 0.0;
            for i in 0..LANES {
                layer[n * LANES + i] += input * hidden[i];
                back += weights[i] * hidden[i];
            }
            inputs.as_flattened_mut()[n] = back;
        }
        // Back into the vectors, at once: each position has only few of them.
        for unit in 0..self.rows.units {
            let side = &inputs[usize::from(unit >= self.rows.own)];
            let sum = &trace.of_units[unit];
            let back: Lanes = std::array::from_fn(|i| if sum[i] > 0.0 { side[i] } else { 0.0 });
            for &fact in self.rows.unit(unit) {
                let fact = usize::from(fact);
                step(&mut model.units[fact], &mut self.squares.units[fact], &back, rate);
            }
        }
        let back: Lanes = std::array::from_fn(|i| if trace.inputs[2][i] > 0.0 { inputs[2][i] } else { 0.0 });
        for &count in &self.rows.counts {
            let count = usize::from(count);
            step(&mut model.counts[count], &mut self.squares.counts[count], &back, rate);
        }
        self.in_batch += 1;
        if self.in_batch == BATCH {
            self.change_layer(rate);
        }
    }

    /// Adam on the layer.
    fn change_layer(&mut self, rate: f32) {
        self.steps += 1;
        let known = [0.9f32, 0.999].map(|keep| 1.0 - libm::powf(keep, self.steps as f32));
        let model = &mut self.model;
        let numbers = model.layer.as_flattened_mut().iter_mut().chain(&mut model.bias).chain(&mut model.out);
        for (n, x) in numbers.chain([&mut model.out_bias]).enumerate() {
            let g = self.gradient[n] / BATCH as f32;
            self.means[n] += 0.1 * (g - self.means[n]);
            self.spreads[n] += 0.001 * (g * g - self.spreads[n]);
            *x -= 0.05 * rate * (self.means[n] / known[0]) / ((self.spreads[n] / known[1]).sqrt() + 1e-6);
        }
        self.gradient.fill(0.0);
        self.in_batch = 0;
    }
}

/// Adagrad on a vector. The file's whole numbers bound what it may be.
#[inline]
fn step(row: &mut Lanes, squares: &mut Lanes, back: &Lanes, rate: f32) {
    for i in 0..LANES {
        squares[i] += back[i] * back[i];
        row[i] = (row[i] - rate * back[i] / squares[i].sqrt()).clamp(-7.9, 7.9);
    }
}
