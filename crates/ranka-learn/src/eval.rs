//! Evaluation: whole numbers in the tower, the same on every machine whatever vectors it has.

use crate::dots::{Dots, LANES, Plain, ROWS};
use crate::network::{Cells, Conv, Dense, Network, padded};
#[cfg(target_arch = "x86_64")]
use pulp::x86::V3;

/// Activations are below this, so that no sum of a convolution overflows.
const MOST: i32 = 1 << 13;

/// The widest instructions that there are here.
#[derive(Clone, Copy)]
enum Machine {
    #[cfg(target_arch = "x86_64")]
    Avx2(V3),
    Plain,
}

impl Machine {
    fn here() -> Machine {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = V3::try_new() {
            return Machine::Avx2(simd);
        }
        Machine::Plain
    }
}

/// Room to work in, so that nothing is allocated for an evaluation.
pub struct Scratch {
    machine: Machine,
    input: Board,
    tower: Board,
    inner: Board,
    patch: Vec<i16>,
    pool: Vec<f32>,
    hidden: Vec<f32>,
    answer: Answer,
}

/// What a network says of an observation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// A logit for each action, legal or not.
    pub logits: Vec<f32>,
    /// The probability of each outcome as the observing seat sees it: win, draw, loss with two seats; with more, who
    /// wins, in turn order from the observing seat.
    pub outcome: Vec<f32>,
    /// For each plane of beliefs and each cell the probability that it is so.
    pub beliefs: Vec<f32>,
}

impl Answer {
    /// The score that the observing seat can expect.
    pub fn score(&self) -> f32 {
        match self.outcome[..] {
            [win, draw, _] => win + draw / 2.0,
            _ => self.outcome[0],
        }
    }
}

/// Activations: cells in rows with a ring of zeros around, all channels of a cell together.
struct Board {
    stride: usize,
    channels: usize,
    height: usize,
    width: usize,
    values: Vec<i16>,
}

impl Board {
    fn new(height: usize, width: usize, channels: usize) -> Board {
        let channels = padded(channels);
        let stride = (width + 2) * channels;
        Board { stride, channels, height, width, values: vec![0; (height + 2) * stride] }
    }

    #[inline(always)]
    fn at(&self, y: usize, x: usize) -> usize {
        (y + 1) * self.stride + (x + 1) * self.channels
    }
}

impl Scratch {
    /// Room for evaluations of one network.
    pub fn new(network: &Network) -> Scratch {
        let shape = network.shape();
        let board = |channels| Board::new(shape.height, shape.width, channels);
        Scratch {
            machine: Machine::here(),
            input: board(shape.planes),
            tower: board(shape.channels),
            inner: board(shape.channels),
            patch: vec![0; 9 * padded(shape.planes.max(shape.channels))],
            pool: vec![0.0; shape.channels],
            hidden: vec![0.0; shape.channels],
            answer: Answer {
                logits: vec![0.0; shape.actions()],
                outcome: vec![0.0; shape.outcomes()],
                beliefs: vec![0.0; shape.beliefs * shape.cells()],
            },
        }
    }
}

impl Network {
    /// What the network says of an observation, which has the encoding's length.
    pub fn evaluate<'s>(&self, observation: &[f32], scratch: &'s mut Scratch) -> &'s Answer {
        match scratch.machine {
            #[cfg(target_arch = "x86_64")]
            Machine::Avx2(simd) => simd.vectorize(
                #[inline(always)]
                || self.run(simd, observation, scratch),
            ),
            Machine::Plain => self.run(Plain, observation, scratch),
        }
        &scratch.answer
    }

    #[inline(always)]
    fn run<D: Dots>(&self, dots: D, observation: &[f32], scratch: &mut Scratch) {
        let Scratch { input, tower, inner, patch, pool, hidden, answer, .. } = scratch;
        let shape = self.shape();
        let cells = shape.cells();
        for (plane, values) in observation.chunks_exact(cells).enumerate() {
            for (cell, &value) in values.iter().enumerate() {
                let at = input.at(cell / shape.width, cell % shape.width) + plane;
                // Below 0 too: leads and gains have both signs.
                let whole = (value / self.header.input_step + 0.5).floor() as i32;
                input.values[at] = whole.clamp(1 - MOST, MOST - 1) as i16;
            }
        }
        convolve(dots, &self.stem, input, patch, tower, false);
        for [first, second] in &self.blocks {
            convolve(dots, first, tower, patch, inner, false);
            convolve(dots, second, inner, patch, tower, true);
        }
        let (by_cell, loose) = answer.logits.split_at_mut(shape.action_planes * cells);
        look(dots, &self.cells, tower, by_cell);
        look(dots, &self.belief, tower, &mut answer.beliefs);
        answer.beliefs.iter_mut().for_each(|belief| *belief = 1.0 / (1.0 + libm::expf(-*belief)));
        average(tower, self.header.step, pool);
        apply(&self.loose, pool, loose);
        apply(&self.hidden, pool, hidden);
        hidden.iter_mut().for_each(|value| *value = value.max(0.0));
        apply(&self.value, hidden, &mut answer.outcome);
        crate::softmax(&mut answer.outcome);
    }
}

/// Calls `each` with the number of every row of weights and the sum of its products with `a`.
#[inline(always)]
fn for_rows<D: Dots>(dots: D, weights: &[i16], a: &[[i16; LANES]], mut each: impl FnMut(usize, i32)) {
    let weights = weights.as_chunks::<LANES>().0;
    for (group, rows) in weights.chunks(ROWS * a.len()).enumerate() {
        // The last group may be short; its missing rows are the last one again.
        let count = rows.len() / a.len();
        let row = |k: usize| &rows[k.min(count - 1) * a.len()..][..a.len()];
        let sums = dots.dots(a, std::array::from_fn(row));
        for (k, &sum) in sums[..count].iter().enumerate() {
            each(group * ROWS + k, sum);
        }
    }
}

/// A 3×3 convolution and what is negative cut off; in a short cut it is added to what is there.
#[inline(always)]
fn convolve<D: Dots>(dots: D, conv: &Conv, from: &Board, patch: &mut [i16], to: &mut Board, short_cut: bool) {
    let row = 3 * conv.inputs;
    let patch = &mut patch[..3 * row];
    for y in 0..from.height {
        for x in 0..from.width {
            // Nine cells in one piece, so that every output is one long sum.
            let corner = from.at(y, x) - from.stride - from.channels;
            for (i, part) in patch.chunks_exact_mut(row).enumerate() {
                part.copy_from_slice(&from.values[corner + i * from.stride..][..row]);
            }
            let at = to.at(y, x);
            for_rows(dots, &conv.weights, patch.as_chunks::<LANES>().0, |output, sum| {
                let mut value = sum as f32 * conv.scales[output] + conv.biases[output];
                if short_cut {
                    value += f32::from(to.values[at + output]);
                }
                to.values[at + output] = ((value.max(0.0) + 0.5) as i32).min(MOST - 1) as i16;
            });
        }
    }
}

/// A head that looks at each cell by itself.
#[inline(always)]
fn look<D: Dots>(dots: D, head: &Cells, board: &Board, out: &mut [f32]) {
    let cells = board.height * board.width;
    for cell in 0..cells {
        let at = board.at(cell / board.width, cell % board.width);
        let here = board.values[at..][..board.channels].as_chunks::<LANES>().0;
        for_rows(dots, &head.weights, here, |plane, sum| {
            out[plane * cells + cell] = sum as f32 * head.scales[plane] + head.biases[plane];
        });
    }
}

/// The mean of each channel over the board.
#[inline(always)]
fn average(board: &Board, step: f32, pool: &mut [f32]) {
    let cells = board.height * board.width;
    for (channel, mean) in pool.iter_mut().enumerate() {
        let mut sum = 0i32;
        for cell in 0..cells {
            sum += i32::from(board.values[board.at(cell / board.width, cell % board.width) + channel]);
        }
        *mean = sum as f32 * step / cells as f32;
    }
}

/// A layer over the whole board; sums in fixed order, so that every machine rounds alike.
#[inline(always)]
fn apply(layer: &Dense, from: &[f32], to: &mut [f32]) {
    for ((to, weights), bias) in to.iter_mut().zip(layer.weights.chunks_exact(from.len())).zip(&layer.biases)
    {
        let mut sum = *bias;
        for (weight, value) in weights.iter().zip(from) {
            sum += weight * value;
        }
        *to = sum;
    }
}
