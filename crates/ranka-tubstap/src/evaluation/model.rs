//! The learned vectors and how they become an expected score. Real numbers are added in a fixed order, lane by lane, so
//! every machine gets the same.

use super::rows::{COUNT_ROWS, Rows, UNIT_ROWS};
use super::ways::Ways;
use crate::state::State;
use ranka_core::{Error, Outcome, Position as _, Rng};
use sha2::{Digest as _, Sha256};

/// Numbers in a vector.
pub(super) const LANES: usize = 32;
pub(super) type Lanes = [f32; LANES];

/// What goes into the layer: the sum over the mover's units, that over the other's, and the count.
pub(super) const INPUTS: usize = 3 * LANES;

/// Weights. In a file they are whole 4096ths.
#[derive(Clone, PartialEq)]
pub struct Model {
    pub(super) units: Vec<Lanes>,
    pub(super) counts: Vec<Lanes>,
    pub(super) layer: Vec<Lanes>,
    pub(super) bias: Lanes,
    pub(super) out: Lanes,
    pub(super) out_bias: f32,
}

/// What is kept of an evaluation to learn from it.
pub(super) struct Trace {
    pub(super) of_units: Vec<Lanes>,
    pub(super) inputs: [Lanes; 3],
    pub(super) hidden: Lanes,
}

const FORM: &str = "ranka tubstap evaluation 1";
const ONE: f32 = 4096.0;

impl Model {
    /// Small random weights: where learning begins.
    pub fn begin(rng: &mut Rng) -> Model {
        let mut lanes =
            |size: f32| -> Lanes { std::array::from_fn(|_| size * (2.0 * rng.unit() as f32 - 1.0)) };
        Model {
            units: (0..UNIT_ROWS).map(|_| lanes(0.05)).collect(),
            counts: (0..COUNT_ROWS).map(|_| lanes(0.05)).collect(),
            layer: (0..INPUTS).map(|_| lanes(0.1)).collect(),
            bias: lanes(0.0),
            out: lanes(0.2),
            out_bias: 0.0,
        }
    }

    /// The expected score of whoever is to move, or of who would be if the game were not over.
    pub fn value(&self, state: &State, ways: &Ways, rows: &mut Rows) -> f32 {
        if state.is_over() {
            let outcome: Outcome = state.outcome();
            return outcome.score(state.mover().seat()) as f32;
        }
        rows.find(state, ways);
        sigmoid(self.logit(rows, None))
    }

    /// The log-odds of winning.
    pub(super) fn logit(&self, rows: &Rows, mut trace: Option<&mut Trace>) -> f32 {
        let mut inputs = [[0.0; LANES]; 3];
        if let Some(trace) = &mut trace {
            trace.of_units.clear();
        }
        for unit in 0..rows.units {
            let mut sum = [0.0; LANES];
            for &fact in rows.unit(unit) {
                add(&mut sum, &self.units[usize::from(fact)]);
            }
            if let Some(trace) = &mut trace {
                trace.of_units.push(sum);
            }
            let side = &mut inputs[usize::from(unit >= rows.own)];
            (0..LANES).for_each(|i| side[i] += sum[i].max(0.0));
        }
        for &count in &rows.counts {
            add(&mut inputs[2], &self.counts[usize::from(count)]);
        }
        (0..LANES).for_each(|i| inputs[2][i] = inputs[2][i].max(0.0));
        let mut hidden = self.bias;
        for (input, weights) in inputs.as_flattened().iter().zip(&self.layer) {
            (0..LANES).for_each(|i| hidden[i] += input * weights[i]);
        }
        let mut logit = self.out_bias;
        for (hidden, weight) in hidden.iter().zip(&self.out) {
            logit += hidden.max(0.0) * weight;
        }
        if let Some(trace) = trace {
            (trace.inputs, trace.hidden) = (inputs, hidden);
        }
        logit
    }

    fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let vectors = [&mut self.units, &mut self.counts, &mut self.layer];
        let lists = vectors.into_iter().flat_map(|vectors| vectors.iter_mut().flatten());
        lists.chain(&mut self.bias).chain(&mut self.out).chain([&mut self.out_bias])
    }

    /// The weights as they will be once they were written and read.
    pub fn rounded(mut self) -> Model {
        self.numbers().for_each(|x| *x = f32::from(whole(*x)) / ONE);
        self
    }

    /// A file: a line that says what it is and how it was made, the weights, a checksum.
    pub fn write(&self, made: &str) -> Vec<u8> {
        let mut bytes = format!("{FORM}: {made}\n").into_bytes();
        self.clone().numbers().for_each(|x| bytes.extend(whole(*x).to_le_bytes()));
        let sum = Sha256::digest(&bytes);
        bytes.extend(sum);
        bytes
    }

    /// Reads what [`write`](Model::write) wrote.
    pub fn read(bytes: &[u8]) -> Result<Model, Error> {
        let bad = |problem: &str| Error::input(format!("no evaluation of TUBSTAP: {problem}"));
        let (body, sum) = bytes.split_last_chunk::<32>().ok_or_else(|| bad("it is cut short"))?;
        if !body.starts_with(FORM.as_bytes()) {
            return Err(bad(&format!("it does not begin with {FORM:?}")));
        }
        if Sha256::digest(body).as_slice() != sum {
            return Err(bad("its checksum is wrong"));
        }
        let head = body.iter().position(|&byte| byte == b'\n').ok_or_else(|| bad("it has no weights"))?;
        let mut model = Model {
            units: vec![[0.0; LANES]; UNIT_ROWS],
            counts: vec![[0.0; LANES]; COUNT_ROWS],
            layer: vec![[0.0; LANES]; INPUTS],
            bias: [0.0; LANES],
            out: [0.0; LANES],
            out_bias: 0.0,
        };
        let (numbers, rest) = body[head + 1..].as_chunks::<2>();
        if numbers.len() != model.numbers().count() || !rest.is_empty() {
            return Err(bad("it has another number of weights"));
        }
        model.numbers().zip(numbers).for_each(|(x, &bytes)| *x = f32::from(i16::from_le_bytes(bytes)) / ONE);
        Ok(model)
    }
}

fn whole(x: f32) -> i16 {
    (x * ONE).round() as i16
}

#[inline]
fn add(sum: &mut Lanes, vector: &Lanes) {
    (0..LANES).for_each(|i| sum[i] += vector[i]);
}

/// Winning chance of log-odds.
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-logit))
}
