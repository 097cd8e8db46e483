//! Throws spoilt input at the parsers that outsiders can reach: none may panic.

use ranka_core::{Rng, Seed};
use std::panic::catch_unwind;

/// Something that reads what outsiders send.
#[derive(Clone, Copy)]
pub struct Parser {
    /// What people call it.
    pub name: &'static str,
    /// Reads an input and forgets what it said.
    pub read: fn(&[u8]),
    /// Good input, to be spoilt.
    pub samples: &'static [&'static str],
}

/// Hands `inputs` inputs to a parser: good ones with something wrong in them, and bytes at random. Answers with the
/// first input at which it panics.
pub fn fuzz(parser: &Parser, inputs: u64, seed: Seed) -> Result<(), Vec<u8>> {
    let mut rng = Rng::new(seed.child(parser.name));
    let mut input = Vec::new();
    for _ in 0..inputs {
        make(parser.samples, &mut input, &mut rng);
        if catch_unwind(|| (parser.read)(&input)).is_err() {
            return Err(input);
        }
    }
    Ok(())
}

/// Inputs longer than this tell nothing new.
const LONGEST: usize = 4096;

fn make(samples: &[&str], input: &mut Vec<u8>, rng: &mut Rng) {
    input.clear();
    if samples.is_empty() || rng.below(8) == 0 {
        input.extend((0..rng.below(64)).map(|_| rng.bits() as u8));
        return;
    }
    input.extend(rng.pick(samples).bytes());
    for _ in 0..1 + rng.below(3) {
        spoil(samples, input, rng);
    }
    input.truncate(LONGEST);
}

const NUMBERS: [&str; 8] =
    ["-1", "99999999999999999999", "1e999", "NaN", "0x10", "2147483648", "18446744073709551616", ""];

/// Does to an input one thing that people, programs and malice do. `samples` are good ones.
pub fn spoil<S: AsRef<[u8]>>(samples: &[S], input: &mut Vec<u8>, rng: &mut Rng) {
    let gap = rng.index(input.len() + 1);
    let part = gap..gap + rng.index((input.len() - gap).min(16) + 1);
    match rng.below(8) {
        0 => input.insert(gap, rng.bits() as u8),
        1 => drop(input.drain(part)),
        2 => input.truncate(gap),
        3 => drop(input.splice(part.end..part.end, input[part.clone()].to_vec())),
        4 => drop(input.splice(part, rng.pick(&NUMBERS).bytes())),
        5 if !samples.is_empty() => {
            let other = samples[rng.index(samples.len())].as_ref();
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
mod tests {
    use super::*;

    #[test]
    fn a_parser_that_panics_is_found() {
        let fragile = Parser {
            name: "fragile",
            read: |input| assert!(!input.windows(2).any(|two| two == b"99"), "too large"),
            samples: &["depth 4", "nodes 12"],
        };
        let found = fuzz(&fragile, 10_000, Seed::new(1)).unwrap_err();
        assert!(found.windows(2).any(|two| two == b"99"));
    }

    #[test]
    fn the_bots_lines_are_read_without_a_panic() {
        assert_eq!(fuzz(&crate::stdio::PARSER, 200_000, Seed::new(1)), Ok(()));
    }
}
