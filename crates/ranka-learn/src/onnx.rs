//! `onnx`: a network in the common exchange format at the table of any game, as PyTorch and others export it.
//!
//! It takes observations of the game's encoding, one at a time, and answers with two outputs: `policy`, a logit for each
//! action, and `value`. Outputs of other names are taken in this order.

use crate::agent::{NetworkAgent, Style, params};
use crate::eval::Answer;
use crate::evaluator::Evaluator;
use crate::policy::softmax;
use ranka_core::{AgentKind, Encoding, Error, LARGE_FILE, Layout, Param, Seat, Seed, read_bytes};
use rten::{Dimension, LoadError, LoadErrorKind, Model, NodeId, RunOptions, ThreadPool, ValueOrView};
use rten_tensor::Tensor;
use rten_tensor::prelude::*;
use std::sync::Arc;

/// The agent of every game that plays by such a file.
pub(crate) fn kind<G: Encoding>() -> AgentKind<G> {
    let mut all =
        vec![Param::file("file", &[""], "the network: outputs policy and value over the game's encoding")];
    all.extend(params("0"));
    AgentKind {
        name: "onnx",
        version: 1,
        summary: "A network in ONNX format: by its policy alone, or at the head of a tree search.",
        params: all,
        build: |game, params| {
            let file = params.text("file");
            if file.is_empty() {
                return Err(Error::input("file: name the network, as in file=mine.onnx"));
            }
            let network = Arc::new(Onnx::read(file, &game.layout(), game.seats())?);
            let (game, style) = (game.clone(), Style::read(params));
            let evaluator = move || -> Box<dyn Evaluator> {
                Box::new(Working { network: Arc::clone(&network), answer: Answer::default() })
            };
            Ok(Arc::new(move |seat: Seat, _: Seed| NetworkAgent::new(&evaluator, &game, seat, style)))
        },
    }
}

thread_local! {
    /// Games are played side by side, one on each processor: a network takes no more than one, and each of them its own.
    static ONE_THREAD: Arc<ThreadPool> = Arc::new(ThreadPool::with_num_threads(1));
}

struct Onnx {
    model: Model,
    input: NodeId,
    policy: NodeId,
    value: NodeId,
    shape: Vec<usize>,
    seats: usize,
}

impl Onnx {
    fn read(path: &str, layout: &Layout, seats: usize) -> Result<Onnx, Error> {
        let refuse = |why: String| Error::input(why).in_file(path);
        let model = Model::load(read_bytes(path, LARGE_FILE)?).map_err(|e| refuse(unreadable(&e)))?;
        let [input] = model.input_ids()[..] else {
            return Err(refuse(format!("it has {} inputs: one is wanted", model.input_ids().len())));
        };
        let outputs = model.output_ids();
        let named = |name: &str| outputs.iter().copied().find(|&id| name_of(&model, id) == Some(name));
        let (Some(policy), Some(value)) = (
            named("policy").or_else(|| outputs.first().copied()),
            named("value").or_else(|| outputs.get(1).copied()),
        ) else {
            return Err(refuse(format!("it has {} outputs: policy and value are wanted", outputs.len())));
        };
        let shape = input_shape(&model, input, layout).map_err(refuse)?;
        let network = Onnx { model, input, policy, value, shape, seats };
        // What does not fit is said now and not in the middle of a game.
        let mut answer = Answer::default();
        network.evaluate(&vec![0.0; layout.observation_len()], &mut answer).map_err(refuse)?;
        if answer.logits.len() != layout.actions() {
            let (found, wanted) = (answer.logits.len(), layout.actions());
            return Err(refuse(format!("its policy has {found} logits, but the game has {wanted} actions")));
        }
        Ok(network)
    }

    fn evaluate(&self, observation: &[f32], answer: &mut Answer) -> Result<(), String> {
        let input = Tensor::from_data(&self.shape, observation.to_vec());
        let mut options = RunOptions::default();
        options.thread_pool = Some(ONE_THREAD.with(Arc::clone));
        let inputs = vec![(self.input, ValueOrView::from(input))];
        let found = self.model.run_n(inputs, [self.policy, self.value], Some(options));
        let [policy, value] = found.map_err(|error| error.to_string())?;
        let numbers = |of: rten::Value, name: &str| -> Result<Vec<f32>, String> {
            let tensor =
                of.into_tensor::<f32>().ok_or_else(|| format!("its {name} is not made of 32-bit floats"))?;
            let numbers = tensor.to_vec();
            // Comparisons with it are all false, so that anything could be chosen.
            if numbers.iter().any(|number| number.is_nan()) {
                return Err(format!("its {name} is not a number (NaN)"));
            }
            Ok(numbers)
        };
        answer.logits = numbers(policy, "policy")?;
        answer.outcome = outcome(numbers(value, "value")?, self.seats)?;
        Ok(())
    }
}

/// Why a file is refused. Results are kept under a digest of the file that is named: with weights in a second one, as
/// PyTorch writes them by default, different networks would pass for the same.
fn unreadable(error: &LoadError) -> String {
    match error.kind() {
        LoadErrorKind::ExternalDataError => "its weights are in another file: export it as one file \
            (in PyTorch torch.onnx.export(…, external_data=False))"
            .to_owned(),
        _ => format!("no ONNX network: {error}"),
    }
}

fn name_of(model: &Model, id: NodeId) -> Option<&str> {
    model.node_info(id).and_then(|node| node.name())
}

/// The shape of one observation as the network wants it: with or without a batch, as planes or all in a row.
fn input_shape(model: &Model, input: NodeId, layout: &Layout) -> Result<Vec<usize>, String> {
    let planes = [layout.planes.len(), layout.height, layout.width];
    let row = layout.observation_len();
    let Some(wanted) = model.node_info(input).and_then(|node| node.shape()) else {
        return Ok([&[1], &planes[..]].concat());
    };
    let fits = |shape: &[usize]| {
        let fits = |(dimension, &size): (&Dimension, &usize)| match dimension {
            Dimension::Fixed(fixed) => *fixed == size,
            Dimension::Symbolic(_) => true,
        };
        shape.len() == wanted.len() && wanted.iter().zip(shape).all(fits)
    };
    let shapes = [[&[1], &planes[..]].concat(), planes.to_vec(), vec![1, row], vec![row]];
    shapes.into_iter().find(|shape| fits(shape)).ok_or_else(|| {
        let [p, h, w] = planes;
        format!("its input does not take an observation: that is {p} planes of {h} × {w}, or {row} numbers")
    })
}

/// What a value says: one number is the expected result from −1 for a loss to 1 for a win; several are logits of
/// outcomes, with two seats of win, draw and loss, with more of who wins, from the observing seat on.
fn outcome(mut value: Vec<f32>, seats: usize) -> Result<Vec<f32>, String> {
    match (value.len(), seats) {
        (1, 2) => {
            let win = f32::midpoint(value[0].clamp(-1.0, 1.0), 1.0);
            Ok(vec![win, 0.0, 1.0 - win])
        }
        (3, 2) | (3, 3) | (4, 4) => {
            softmax(&mut value);
            Ok(value)
        }
        (found, 2) => Err(format!("its value has {found} numbers: 1 or 3 are wanted")),
        (found, seats) => Err(format!("its value has {found} numbers: {seats} are wanted")),
    }
}

/// A network at a seat.
struct Working {
    network: Arc<Onnx>,
    answer: Answer,
}

impl Evaluator for Working {
    fn evaluate(&mut self, observation: &[f32]) -> &Answer {
        if let Err(error) = self.network.evaluate(observation, &mut self.answer) {
            // It worked on the empty board: the game loop makes a fault of this, told by name.
            panic!("the network failed: {error}");
        }
        &self.answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_results_or_outcomes() {
        assert_eq!(outcome(vec![0.5], 2).unwrap(), [0.75, 0.0, 0.25]);
        assert_eq!(outcome(vec![7.0], 2).unwrap(), [1.0, 0.0, 0.0]);
        assert_eq!(outcome(vec![0.0; 4], 4).unwrap(), [0.25; 4]);
        assert_eq!(outcome(vec![0.0; 2], 2).unwrap_err(), "its value has 2 numbers: 1 or 3 are wanted");
        assert_eq!(outcome(vec![0.0], 4).unwrap_err(), "its value has 1 numbers: 4 are wanted");
    }
}
