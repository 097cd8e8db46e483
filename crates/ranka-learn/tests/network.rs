//! Network files and their evaluation: against plain arithmetic in real numbers, and what is refused.
#![allow(clippy::unwrap_used)]

use ranka_core::{Rng, Seed};
use ranka_learn::{Network, Scratch};
use sha2::{Digest, Sha256};

const PLANES: usize = 5;
const SIDE: usize = 4;
const CELLS: usize = SIDE * SIDE;
const CHANNELS: usize = 6;
const BLOCKS: usize = 2;
const ACTION_PLANES: usize = 3;
const LOOSE: usize = 7;
const BELIEFS: usize = 2;
const STEP: f32 = 1.0 / 512.0;
const INPUT_STEP: f32 = 1.0 / 1024.0;

/// A layer in whole numbers with what they are worth.
struct Whole {
    inputs: usize,
    weights: Vec<i8>,
    worth: Vec<f32>,
    biases: Vec<f32>,
}

/// A layer in real numbers.
struct Real {
    weights: Vec<f32>,
    biases: Vec<f32>,
}

/// A network with random weights, as it was before it was written.
struct Made {
    stem: Whole,
    blocks: Vec<[Whole; 2]>,
    cells: Whole,
    belief: Whole,
    loose: Real,
    hidden: Real,
    value: Real,
}

fn whole(rng: &mut Rng, inputs: usize, taps: usize, outputs: usize) -> Whole {
    let mut real = |size: f64| ((2.0 * rng.unit() - 1.0) * size) as f32;
    Whole {
        inputs,
        biases: (0..outputs).map(|_| real(0.1)).collect(),
        worth: (0..outputs)
            .map(|_| (real(0.5) + 1.0) / (127.0 * (taps * inputs) as f32).sqrt() / 8.0)
            .collect(),
        weights: (0..outputs * taps * inputs).map(|_| real(127.0) as i8).collect(),
    }
}

fn real(rng: &mut Rng, inputs: usize, outputs: usize) -> Real {
    let mut real = || ((2.0 * rng.unit() - 1.0) * 0.5) as f32;
    Real {
        weights: (0..inputs * outputs).map(|_| real()).collect(),
        biases: (0..outputs).map(|_| real()).collect(),
    }
}

fn made(seed: u64) -> Made {
    let rng = &mut Rng::new(Seed::new(seed));
    Made {
        stem: whole(rng, PLANES, 9, CHANNELS),
        blocks: (0..BLOCKS).map(|_| [(); 2].map(|()| whole(rng, CHANNELS, 9, CHANNELS))).collect(),
        cells: whole(rng, CHANNELS, 1, ACTION_PLANES),
        belief: whole(rng, CHANNELS, 1, BELIEFS),
        loose: real(rng, CHANNELS, LOOSE),
        hidden: real(rng, CHANNELS, CHANNELS),
        value: real(rng, CHANNELS, 3),
    }
}

fn reals(out: &mut Vec<u8>, numbers: impl IntoIterator<Item = f32>) {
    numbers.into_iter().for_each(|number| out.extend(number.to_le_bytes()));
}

impl Made {
    fn header() -> String {
        format!(
            r#"{{"ranka":"network","form":1,"game":"toy","encoding":1,"shape":{{"planes":{PLANES},"height":{SIDE},"width":{SIDE},"action_planes":{ACTION_PLANES},"loose_actions":{LOOSE},"seats":2,"channels":{CHANNELS},"blocks":{BLOCKS},"beliefs":{BELIEFS}}},"step":{STEP},"input_step":{INPUT_STEP},"trained":{{}}}}"#
        )
    }

    fn body(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let layer = |out: &mut Vec<u8>, layer: &Whole, step_in: f32, step_out: f32| {
            out.extend(layer.weights.iter().map(|&weight| weight as u8));
            reals(out, layer.worth.iter().map(|worth| worth * step_in / step_out));
            reals(out, layer.biases.iter().map(|bias| bias / step_out));
        };
        layer(&mut out, &self.stem, INPUT_STEP, STEP);
        self.blocks.iter().flatten().for_each(|conv| layer(&mut out, conv, STEP, STEP));
        layer(&mut out, &self.cells, STEP, 1.0);
        layer(&mut out, &self.belief, STEP, 1.0);
        for layer in [&self.loose, &self.hidden, &self.value] {
            reals(&mut out, layer.weights.iter().chain(&layer.biases).copied());
        }
        out
    }

    fn file(&self) -> Vec<u8> {
        sealed(&Made::header(), &self.body())
    }

    /// The same in real numbers, the plain way: logits, outcome, beliefs.
    fn plainly(&self, observation: &[f32]) -> [Vec<f32>; 3] {
        let conv = |layer: &Whole, from: &[f32], short_cut: Option<&[f32]>| -> Vec<f32> {
            let mut out = vec![0.0; layer.worth.len() * CELLS];
            for (at, out) in out.iter_mut().enumerate() {
                let (output, y, x) = (at / CELLS, at % CELLS / SIDE, at % SIDE);
                let mut sum = layer.biases[output] + short_cut.map_or(0.0, |board| board[at]);
                for tap in 0..9 {
                    let (y, x) = ((y + tap / 3).wrapping_sub(1), (x + tap % 3).wrapping_sub(1));
                    for input in (0..layer.inputs).filter(|_| y < SIDE && x < SIDE) {
                        let weight = layer.weights[(output * 9 + tap) * layer.inputs + input];
                        sum += f32::from(weight) * layer.worth[output] * from[input * CELLS + y * SIDE + x];
                    }
                }
                *out = sum.max(0.0);
            }
            out
        };
        let mut board = conv(&self.stem, observation, None);
        for [first, second] in &self.blocks {
            let inner = conv(first, &board, None);
            board = conv(second, &inner, Some(&board));
        }
        let look = |layer: &Whole| -> Vec<f32> {
            let at = |output: usize, cell: usize| {
                let weights = &layer.weights[output * CHANNELS..][..CHANNELS];
                let sum = weights.iter().enumerate().map(|(i, &w)| f32::from(w) * board[i * CELLS + cell]);
                layer.biases[output] + layer.worth[output] * sum.sum::<f32>()
            };
            (0..layer.worth.len() * CELLS).map(|i| at(i / CELLS, i % CELLS)).collect()
        };
        let apply = |layer: &Real, from: &[f32]| -> Vec<f32> {
            let row = |(output, bias): (usize, &f32)| {
                let weights = &layer.weights[output * from.len()..][..from.len()];
                bias + weights.iter().zip(from).map(|(w, x)| w * x).sum::<f32>()
            };
            layer.biases.iter().enumerate().map(row).collect()
        };
        let pool: Vec<f32> =
            board.chunks_exact(CELLS).map(|plane| plane.iter().sum::<f32>() / CELLS as f32).collect();
        let hidden: Vec<f32> = apply(&self.hidden, &pool).into_iter().map(|value| value.max(0.0)).collect();
        let value: Vec<f32> = apply(&self.value, &hidden).into_iter().map(f32::exp).collect();
        let sum: f32 = value.iter().sum();
        let logits = [look(&self.cells), apply(&self.loose, &pool)].concat();
        let beliefs = look(&self.belief).into_iter().map(|belief| 1.0 / (1.0 + (-belief).exp())).collect();
        [logits, value.iter().map(|value| value / sum).collect(), beliefs]
    }
}

fn sealed(header: &str, body: &[u8]) -> Vec<u8> {
    let mut file = [header.as_bytes(), b"\n", body].concat();
    file.extend(Sha256::digest(&file));
    file
}

fn observation(seed: u64) -> Vec<f32> {
    let mut rng = Rng::new(Seed::new(seed));
    (0..PLANES * CELLS).map(|_| (1.5 * rng.unit() - 0.5) as f32).collect()
}

#[test]
fn whole_numbers_say_what_real_ones_say() {
    let mut spread = 0.0f32;
    for seed in 0..20 {
        let made = made(seed);
        let network = Network::parse(&made.file(), "toy").unwrap();
        let mut scratch = Scratch::new(&network);
        for place in 0..5 {
            let observation = observation(100 + place);
            let answer = network.evaluate(&observation, &mut scratch).clone();
            let [logits, outcome, beliefs] = made.plainly(&observation);
            for (what, ours, plain) in [
                ("logits", &answer.logits, &logits),
                ("outcome", &answer.outcome, &outcome),
                ("beliefs", &answer.beliefs, &beliefs),
            ] {
                assert_eq!(ours.len(), plain.len());
                for (ours, plain) in ours.iter().zip(plain) {
                    assert!((ours - plain).abs() < 0.02, "{what} of network {seed}: {ours}, plainly {plain}");
                }
            }
            let [low, high] = [f32::min, f32::max].map(|pick| logits.iter().copied().reduce(pick).unwrap());
            spread = spread.max(high - low);
            assert_eq!(&answer, network.evaluate(&observation, &mut scratch), "the scratch remembers");
        }
    }
    assert!(spread > 0.5, "networks that say nothing test nothing");
}

#[test]
fn foreign_and_damaged_files_are_refused() {
    let (header, body) = (Made::header(), made(1).body());
    let refused = |bytes: &[u8]| match Network::parse(bytes, "the file") {
        Ok(_) => panic!("it was taken"),
        Err(error) => error.to_string(),
    };
    let file = sealed(&header, &body);
    for cut in (0..file.len()).step_by(97) {
        refused(&file[..cut]);
    }
    for place in (0..file.len()).step_by(53) {
        let mut damaged = file.clone();
        damaged[place] ^= 4;
        refused(&damaged);
    }
    let with = |from: &str, to: &str| refused(&sealed(&header.replace(from, to), &body));
    assert_eq!(refused(b"\x7fELF"), "the file: no network file: it does not begin with a line of JSON");
    assert_eq!(
        with(r#""form":1"#, r#""form":2"#),
        "the file: written in form 2, and this program reads form 1"
    );
    assert_eq!(
        with(r#""ranka":"network""#, r#""ranka":"book""#),
        r#"the file: a file of kind "book", not a network"#
    );
    assert_eq!(
        with(r#""channels":6"#, r#""channels":100000"#),
        "the file: its header asks for a tower of that size"
    );
    assert_eq!(with(r#""blocks":2"#, r#""blocks":3"#), "the file: fewer weights than its header says");
    assert_eq!(
        refused(&sealed(&header, &[&body[..], &[0; 4]].concat())),
        "the file: more weights than its header says"
    );
    assert_eq!(
        refused(&file[..file.len() - 1]),
        "the file: its checksum is wrong: the file is damaged or was cut short"
    );
    let mut nan = body.clone();
    let last = nan.len() - 4;
    nan[last..].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(refused(&sealed(&header, &nan)), "the file: a weight is no number");
}
