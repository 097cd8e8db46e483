//! Makes inputs, and keeps those that are answered in a new way as samples for further ones.
//!
//! This is what guides the search instead of the coverage of branches, which needs a special build: a parser that says
//! something new has been somewhere new.

use ranka_bots::fuzz::spoil;
use ranka_core::{Error, Rng, Seed};
use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Something that reads what comes from outside.
pub(crate) struct Target {
    pub(crate) name: String,
    /// Good input, to be spoilt.
    pub(crate) samples: Vec<Vec<u8>>,
    /// Reads an input, and tells in a number how it was answered.
    pub(crate) read: Box<dyn Fn(&[u8]) -> u64 + Send + Sync>,
}

impl Target {
    pub(crate) fn new(
        name: impl Into<String>,
        samples: impl IntoIterator<Item = impl AsRef<[u8]>>,
        read: impl Fn(&[u8]) -> u64 + Send + Sync + 'static,
    ) -> Target {
        let samples = samples.into_iter().map(|sample| sample.as_ref().to_vec()).collect();
        Target { name: name.into(), samples, read: Box::new(read) }
    }
}

/// What came of a target.
pub(crate) struct Report {
    pub(crate) name: String,
    pub(crate) inputs: u64,
    pub(crate) took: Duration,
    /// In how many ways it answered.
    pub(crate) answers: usize,
    pub(crate) slowest: Duration,
    /// The input that took longest.
    pub(crate) slow: Vec<u8>,
    /// The input at which it panicked.
    pub(crate) broken: Option<Vec<u8>>,
}

/// Inputs that are longer than the longest sample by more than this tell nothing new.
const LONGER: usize = 4096;

/// How many inputs are kept beside the samples.
const MOST_KEPT: usize = 4096;

pub(crate) fn fuzz(target: &Target, most: u64, limit: Duration, seed: Seed) -> Report {
    let mut rng = Rng::new(seed.child(&target.name));
    let mut samples = target.samples.clone();
    let longest = samples.iter().map(Vec::len).max().unwrap_or(0) + LONGER;
    let mut seen = HashSet::new();
    let (begun, mut input, mut inputs, mut broken) = (Instant::now(), Vec::new(), 0, None);
    let (mut slowest, mut slow) = (Duration::ZERO, Vec::new());
    while inputs < most && begun.elapsed() < limit {
        match inputs {
            // Each sample as it is: they must be good ones.
            n if n < target.samples.len() as u64 => input.clone_from(&samples[n as usize]),
            _ => make(&samples, longest, &mut input, &mut rng),
        }
        inputs += 1;
        let asked = Instant::now();
        let Ok(answer) = catch_unwind(AssertUnwindSafe(|| (target.read)(&input))) else {
            broken = Some(input);
            break;
        };
        let took = asked.elapsed();
        if took > slowest {
            (slowest, slow) = (took, input.clone());
        }
        if seen.insert(answer) && inputs > target.samples.len() as u64 && samples.len() < MOST_KEPT {
            samples.push(input.clone());
        }
    }
    let (name, took, answers) = (target.name.clone(), begun.elapsed(), seen.len());
    Report { name, inputs, took, answers, slowest, slow, broken }
}

fn make(samples: &[Vec<u8>], longest: usize, input: &mut Vec<u8>, rng: &mut Rng) {
    input.clear();
    if samples.is_empty() || rng.below(16) == 0 {
        input.extend((0..rng.below(64)).map(|_| rng.bits() as u8));
        return;
    }
    input.extend(&samples[rng.index(samples.len())]);
    for _ in 0..1 + rng.below(4) {
        spoil(samples, input, rng);
    }
    input.truncate(longest);
}

/// An answer as a number: what was wrong, whatever the input said, or that nothing was.
pub(crate) fn told<T>(answer: Result<T, Error>) -> u64 {
    match answer {
        Ok(_) => 0,
        Err(error) => words(&error.to_string()),
    }
}

/// The words of a message without what it quotes: what stands in quotation marks, and numbers.
pub(crate) fn words(message: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    for part in message.split('"').step_by(2) {
        for word in part.split_whitespace().filter(|word| word.chars().all(char::is_alphabetic)) {
            word.hash(&mut hasher);
        }
    }
    hasher.finish()
}
