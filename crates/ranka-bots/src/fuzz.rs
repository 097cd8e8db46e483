//! Throws spoilt input at everything that outsiders can reach: nothing may panic, and nothing may take long.
//!
//! Inputs that are answered in a new way become samples for further ones: a parser that says something new has been
//! somewhere new. This guides the search in any build; `crates/ranka-fuzz/guided` makes one that tells which branches were
//! taken, and lets libFuzzer choose the inputs.

use ranka_core::{Error, Rng, Seed};
use std::collections::HashSet;
use std::fmt::Display;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How an input was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reaction {
    /// Whether it was taken as it is, with nothing wrong in it.
    pub taken: bool,
    /// In which words, as a number: other words have another.
    pub words: u64,
}

impl Reaction {
    /// Of something that is taken or refused.
    pub fn of<T, E: Display>(answer: &Result<T, E>) -> Reaction {
        match answer {
            Ok(_) => Reaction { taken: true, words: 0 },
            Err(error) => Reaction { taken: false, words: words(&error.to_string()) },
        }
    }

    /// Of something that is answered in words of which some complain.
    pub fn told(taken: bool, message: &str) -> Reaction {
        Reaction { taken, words: words(message) }
    }

    /// Of several parts, all of which must be taken.
    pub fn all(parts: impl IntoIterator<Item = Reaction>) -> Reaction {
        let mut hasher = DefaultHasher::new();
        let mut taken = true;
        for part in parts {
            taken &= part.taken;
            part.words.hash(&mut hasher);
        }
        Reaction { taken, words: hasher.finish() }
    }
}

/// The words of a message without what it quotes: what stands in quotation marks, and numbers.
fn words(message: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    for part in message.split('"').step_by(2) {
        for word in part.split_whitespace().filter(|word| word.chars().all(char::is_alphabetic)) {
            word.hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Something that reads what outsiders send, as a protocol has it.
#[derive(Clone, Copy)]
pub struct Parser {
    /// What people call it.
    pub name: &'static str,
    /// Reads an input.
    pub read: fn(&[u8]) -> Reaction,
    /// Good input, to be spoilt.
    pub samples: &'static [&'static str],
}

/// Something that reads what comes from outside.
pub struct Target {
    /// What people call it.
    pub name: String,
    /// Good input, to be spoilt.
    samples: Vec<Vec<u8>>,
    read: Box<dyn Fn(&[u8]) -> Reaction + Send + Sync>,
}

impl Target {
    /// What `read` makes of an input; `samples` are good ones.
    pub fn new(
        name: impl Into<String>,
        samples: impl IntoIterator<Item = impl AsRef<[u8]>>,
        read: impl Fn(&[u8]) -> Reaction + Send + Sync + 'static,
    ) -> Target {
        let samples = samples.into_iter().map(|sample| sample.as_ref().to_vec()).collect();
        Target { name: name.into(), samples, read: Box::new(read) }
    }

    /// Good input.
    pub fn samples(&self) -> &[Vec<u8>] {
        &self.samples
    }

    /// How it answers to an input.
    pub fn read(&self, input: &[u8]) -> Reaction {
        (self.read)(input)
    }
}

impl From<Parser> for Target {
    fn from(parser: Parser) -> Target {
        Target::new(parser.name, parser.samples, parser.read)
    }
}

/// How much is thrown.
#[derive(Clone, Copy, Debug)]
pub struct FuzzBudget {
    /// The most inputs.
    pub inputs: u64,
    /// The most time.
    pub time: Duration,
    /// Where the inputs come from.
    pub seed: Seed,
}

/// What came of a target.
#[derive(Debug)]
pub struct FuzzReport {
    /// What people call it.
    pub name: String,
    /// How many inputs it was handed.
    pub inputs: u64,
    /// How long that took.
    pub took: Duration,
    /// In how many ways it answered.
    pub answers: usize,
    /// The input that took longest, and how long.
    pub slowest: (Duration, Vec<u8>),
    /// What went wrong, and at which input.
    pub broken: Option<(Breach, Vec<u8>)>,
}

/// What may not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breach {
    /// It panicked.
    Panic,
    /// It took longer than [`PATIENCE`].
    Slow,
    /// A sample is no good input, so that what is made of it says little.
    BadSample,
}

impl Breach {
    /// What it did at an input.
    pub const fn words(self) -> &'static str {
        match self {
            Breach::Panic => "panics at",
            Breach::Slow => "takes too long at",
            Breach::BadSample => "does not take its own sample",
        }
    }
}

impl FuzzReport {
    /// The input at which something went wrong, as an error.
    pub fn check(&self) -> Result<(), Error> {
        match &self.broken {
            None => Ok(()),
            Some((breach, input)) => {
                let (name, words, input) = (&self.name, breach.words(), input.escape_ascii());
                Err(Error::internal(format!("{name} {words} \"{input}\"")))
            }
        }
    }
}

/// An input that takes longer is a way to keep a program busy.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Inputs that are longer than the longest sample by more than this tell nothing new.
const LONGER: usize = 4096;

/// How many inputs are kept beside the samples.
const MOST_KEPT: usize = 4096;

/// Hands inputs to a target: good ones as they are, then good ones with something wrong in them, and bytes at random. `watch`
/// sees each before it is read. It ends early at the first at which something goes wrong.
pub fn fuzz(target: &Target, effort: &FuzzBudget, mut watch: impl FnMut(&[u8])) -> FuzzReport {
    let mut rng = Rng::new(effort.seed.child(&target.name));
    let (good, mut samples) = (target.samples.len() as u64, target.samples.clone());
    let longest = samples.iter().map(Vec::len).max().unwrap_or(0) + LONGER;
    let (mut seen, mut input, mut inputs, begun) = (HashSet::new(), Vec::new(), 0, Instant::now());
    let (mut slowest, mut broken) = ((Duration::ZERO, Vec::new()), None);
    while broken.is_none() && inputs < effort.inputs && begun.elapsed() < effort.time {
        let sample = inputs < good;
        if sample {
            input.clone_from(&samples[inputs as usize]);
        } else {
            make(&samples, longest, &mut input, &mut rng);
        }
        inputs += 1;
        watch(&input);
        let asked = Instant::now();
        let answer = catch_unwind(AssertUnwindSafe(|| target.read(&input)));
        let took = asked.elapsed();
        if took > slowest.0 {
            slowest = (took, input.clone());
        }
        let breach = match answer {
            Err(_) => Some(Breach::Panic),
            Ok(_) if took > PATIENCE => Some(Breach::Slow),
            Ok(answer) if sample && !answer.taken => Some(Breach::BadSample),
            Ok(_) => None,
        };
        broken = breach.map(|breach| (breach, input.clone()));
        if answer.is_ok_and(|answer| seen.insert(answer)) && !sample && samples.len() < MOST_KEPT {
            samples.push(input.clone());
        }
    }
    FuzzReport {
        name: target.name.clone(),
        inputs,
        took: begun.elapsed(),
        answers: seen.len(),
        slowest,
        broken,
    }
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

const NUMBERS: [&str; 8] =
    ["-1", "99999999999999999999", "1e999", "NaN", "0x10", "2147483648", "18446744073709551616", ""];

/// Does to an input one thing that people, programs and malice do. `samples` are good ones.
fn spoil(samples: &[Vec<u8>], input: &mut Vec<u8>, rng: &mut Rng) {
    let gap = rng.index(input.len() + 1);
    let part = gap..gap + rng.index((input.len() - gap).min(16) + 1);
    match rng.below(8) {
        0 => input.insert(gap, rng.bits() as u8),
        1 => drop(input.drain(part)),
        2 => input.truncate(gap),
        3 => drop(input.splice(part.end..part.end, input[part.clone()].to_vec())),
        4 => drop(input.splice(part, rng.pick(&NUMBERS).bytes())),
        5 if !samples.is_empty() => {
            let other = &samples[rng.index(samples.len())];
            drop(input.splice(gap.., other[gap.min(other.len())..].to_vec()));
        }
        6 => input.insert(gap, rng.pick(b" \t\r\n,=\"\\:;?0")),
        _ => {
            if let Some(byte) = input.get_mut(gap) {
                *byte ^= 1 << rng.below(8);
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// What came of so many inputs to a parser of ours.
    pub(crate) fn thrown(parser: Parser, inputs: u64) -> FuzzReport {
        let effort = FuzzBudget { inputs, time: Duration::MAX, seed: Seed::new(1) };
        fuzz(&parser.into(), &effort, |_| {})
    }

    /// Nothing may go wrong, and there must be something to be guided by.
    pub(crate) fn stands(parser: Parser, inputs: u64) {
        let report = thrown(parser, inputs);
        assert_eq!(report.check(), Ok(()));
        assert_eq!(report.inputs, inputs);
        assert!(report.answers > parser.samples.len(), "{} answers", report.answers);
    }

    const FRAGILE: Parser = Parser {
        name: "fragile",
        read: |input| {
            assert!(!input.windows(2).any(|two| two == b"99"), "too large");
            Reaction::told(input.is_ascii(), "")
        },
        samples: &["depth 4", "nodes 12"],
    };

    #[test]
    fn a_parser_that_panics_is_found() {
        let (breach, input) = thrown(FRAGILE, 10_000).broken.unwrap();
        assert_eq!(breach, Breach::Panic);
        assert!(input.windows(2).any(|two| two == b"99"));
    }

    #[test]
    fn a_sample_that_is_not_good_is_found() {
        let bad = Parser { samples: &["depth 4", "d\u{e9}pth"], ..FRAGILE };
        assert_eq!(thrown(bad, 10_000).broken, Some((Breach::BadSample, "d\u{e9}pth".into())));
    }

    #[test]
    fn what_is_answered_in_new_words_is_a_sample() {
        // Four letters in a row come only of inputs that had three, and these of such that had two.
        let guided = Parser {
            name: "guided",
            read: |input| {
                let known = input.iter().zip(b"abcd").take_while(|(a, b)| a == b).count();
                assert!(known < 4, "found");
                Reaction::told(true, &"so ".repeat(known))
            },
            samples: &["____"],
        };
        assert!(thrown(guided, 2_000_000).broken.is_some());
    }

    #[test]
    fn the_bots_lines_are_read_without_a_panic() {
        stands(crate::stdio::PARSER, 200_000);
    }
}
