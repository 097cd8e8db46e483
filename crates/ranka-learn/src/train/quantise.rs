//! From real numbers to the file that players read: weights of eight bits, steps chosen from what the tower meets.

use super::conv::Layer;
use super::tower::Tower;
use crate::file::{self, Header, Trained};

/// Activations are kept below 2¹³; the largest one seen becomes half of that, so that rarer ones still fit.
const LARGEST: f32 = 4096.0;

/// What one step of a quantised observation is worth.
const INPUT_STEP: f32 = 1.0 / 1024.0;

/// A network file. `largest` is the largest activation that was seen.
pub(crate) fn written(
    tower: &Tower,
    numbers: &[f32],
    (game, encoding): (&str, u32),
    largest: f32,
    trained: Trained,
) -> Vec<u8> {
    let step = largest.max(f32::MIN_POSITIVE) / LARGEST;
    let shape = tower.shape;
    let mut writer = Writer { numbers, body: Vec::new() };
    writer.conv(&tower.stem, shape.planes, shape.channels, INPUT_STEP, step);
    for layer in tower.blocks.iter().flatten() {
        writer.conv(layer, shape.channels, shape.channels, step, step);
    }
    writer.cells(&tower.cells, shape.channels, shape.action_planes, step);
    writer.dense(&tower.loose, shape.channels, shape.loose_actions);
    writer.dense(&tower.hidden, shape.channels, shape.channels);
    writer.dense(&tower.value, shape.channels, shape.outcomes());
    let header = Header {
        ranka: file::KIND.to_owned(),
        form: file::FORM,
        game: game.to_owned(),
        encoding,
        shape,
        step,
        input_step: INPUT_STEP,
        trained,
    };
    file::sealed(&header, &writer.body)
}

struct Writer<'a> {
    numbers: &'a [f32],
    body: Vec<u8>,
}

impl Writer<'_> {
    /// Weights of each output as whole numbers of eight bits; what one is worth.
    fn whole(&mut self, layer: &Layer, inputs: usize, outputs: usize) -> Vec<f32> {
        let mut scales = Vec::with_capacity(outputs);
        for output in 0..outputs {
            let weight = |tap, input| self.numbers[layer.weight(tap, input, output)];
            let each = || (0..layer.taps).flat_map(|tap| (0..inputs).map(move |input| (tap, input)));
            let most = each().map(|(tap, input)| weight(tap, input).abs()).fold(0.0, f32::max);
            let scale = if most > 0.0 { most / 127.0 } else { 1.0 };
            let rounded = each().map(|(tap, input)| libm::rintf(weight(tap, input) / scale) as i8 as u8);
            self.body.extend(rounded);
            scales.push(scale);
        }
        scales
    }

    fn reals(&mut self, reals: impl Iterator<Item = f32>) {
        reals.for_each(|real| self.body.extend(real.to_le_bytes()));
    }

    fn biases(&self, layer: &Layer, outputs: usize) -> Vec<f32> {
        self.numbers[layer.bias()..][..outputs].to_vec()
    }

    fn conv(&mut self, layer: &Layer, inputs: usize, outputs: usize, step_in: f32, step_out: f32) {
        let scales = self.whole(layer, inputs, outputs);
        let biases = self.biases(layer, outputs);
        self.reals(scales.into_iter().map(|scale| scale * step_in / step_out));
        self.reals(biases.into_iter().map(|bias| bias / step_out));
    }

    fn cells(&mut self, layer: &Layer, inputs: usize, outputs: usize, step_in: f32) {
        let scales = self.whole(layer, inputs, outputs);
        let biases = self.biases(layer, outputs);
        self.reals(scales.into_iter().map(|scale| scale * step_in));
        self.reals(biases.into_iter());
    }

    fn dense(&mut self, layer: &Layer, inputs: usize, outputs: usize) {
        let numbers = self.numbers;
        for output in 0..outputs {
            self.reals((0..inputs).map(|input| numbers[layer.weight(0, input, output)]));
        }
        let biases = self.biases(layer, outputs);
        self.reals(biases.into_iter());
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::eval::Scratch;
    use crate::file::NetworkShape;
    use crate::network::Network;
    use crate::policy::softmax;
    use crate::train::tower::Pass;
    use ranka_core::{Rng, Seed};

    #[test]
    fn players_see_what_was_learned() {
        let shape = NetworkShape {
            planes: 7,
            height: 5,
            width: 6,
            action_planes: 3,
            loose_actions: 4,
            seats: 2,
            channels: 32,
            blocks: 2,
            beliefs: 0,
        };
        let tower = Tower::new(shape);
        let mut rng = Rng::new(Seed::new(5));
        let mut numbers = tower.first(Seed::new(2));
        // Layers that begin with zeros say something, too. What only fills up stays zero.
        let [first, value] = [&tower.blocks[1][1], &tower.value];
        for (layer, outputs) in [(first, shape.channels), (value, shape.outcomes())] {
            for (tap, input) in (0..layer.taps).flat_map(|tap| (0..layer.inputs).map(move |i| (tap, i))) {
                for output in 0..outputs {
                    numbers[layer.weight(tap, input, output)] = 0.2 * (rng.unit() as f32 - 0.5);
                }
            }
        }
        let observations: Vec<Vec<f32>> =
            (0..8).map(|_| (0..7 * 30).map(|_| rng.unit() as f32).collect()).collect();
        let mut pass = Pass::new(&tower, observations.len());
        observations.iter().enumerate().for_each(|(board, observation)| pass.put(board, observation));
        pass.forward(&numbers);
        let bytes = written(&tower, &numbers, ("toy", 1), pass.largest(), Trained::default());
        let network = Network::parse(&bytes, "test").unwrap();
        let mut scratch = Scratch::new(&network);
        for (board, observation) in observations.iter().enumerate() {
            let answer = network.evaluate(observation, &mut scratch);
            for (action, logit) in answer.logits.iter().enumerate() {
                let real = pass.logit_of(pass.logit(board, action));
                assert!((logit - real).abs() < 0.03, "action {action}: {logit} and {real}");
            }
            let mut outcome = pass.value[board * tower.value.outputs..][..3].to_vec();
            softmax(&mut outcome);
            for (told, real) in answer.outcome.iter().zip(&outcome) {
                assert!((told - real).abs() < 0.01, "{:?} and {outcome:?}", answer.outcome);
            }
        }
    }
}
