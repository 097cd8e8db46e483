//! The model: every seat's row gives one number through a layer of units, and a seat's chance is its share of their
//! exponentials. So it serves two, three and four seats alike, and the chances always add up to one.

use super::features::{Fitting, INPUTS, Row, observe, observe_after};
use crate::Action;
use crate::state::State;
use pulp::Arch;
use ranka_core::{Actor, Error, MAX_SEATS, Position};
use sha2::{Digest as _, Sha256};

/// Units of the layer.
pub(super) const HIDDEN: usize = 32;

/// All weights: from each input to each unit, the units' own, and from each unit to the seat's number.
pub(super) const WEIGHTS: usize = INPUTS * HIDDEN + HIDDEN + HIDDEN;

/// What a unit lets through of what is below zero.
const LEAK: f32 = 0.05;

/// No learned weight is larger, and with none that is no sum can overflow.
const MOST: f32 = 1e6;

/// How the file begins.
const FORM: &str = "ranka tantrix evaluation 1";

/// A learned evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// How it was made, in one line.
    pub made: String,
    pub(super) weights: Box<[f32]>,
}

/// What came of one row on the way, for learning.
pub(super) type Units = [f32; HIDDEN];

impl Model {
    pub(super) fn new(made: String, weights: Box<[f32]>) -> Model {
        assert_eq!(weights.len(), WEIGHTS, "as many weights as the model has");
        Model { made, weights }
    }

    /// The units of a row before they are let through. Sums have a fixed order.
    #[inline(always)]
    fn sums(&self, row: &Row) -> Units {
        let (inputs, rest) = self.weights.split_at(INPUTS * HIDDEN);
        let mut units: Units = rest[..HIDDEN].try_into().expect("as many as units");
        for (&input, weights) in row.iter().zip(inputs.as_chunks::<HIDDEN>().0) {
            if input != 0.0 {
                for (unit, weight) in units.iter_mut().zip(weights) {
                    *unit += input * weight;
                }
            }
        }
        units
    }

    /// A row's number, and the units that it came from.
    #[inline(always)]
    pub(super) fn number(&self, row: &Row) -> (f32, Units) {
        let mut units = self.sums(row);
        for unit in &mut units {
            *unit = if *unit > 0.0 { *unit } else { LEAK * *unit };
        }
        let last = &self.weights[INPUTS * HIDDEN + HIDDEN..];
        let number = units.iter().zip(last).fold(0.0, |sum, (unit, weight)| sum + unit * weight);
        (number, units)
    }

    /// Adds to `slope` how the weights change a row's number, times `by`.
    pub(super) fn slope(&self, row: &Row, units: &Units, by: f32, slope: &mut [f32]) {
        let (inputs, rest) = slope.split_at_mut(INPUTS * HIDDEN);
        let (own, last) = rest.split_at_mut(HIDDEN);
        let weights = &self.weights[INPUTS * HIDDEN + HIDDEN..];
        let mut below = [0.0; HIDDEN];
        for unit in 0..HIDDEN {
            last[unit] += by * units[unit];
            below[unit] = by * weights[unit] * if units[unit] > 0.0 { 1.0 } else { LEAK };
            own[unit] += below[unit];
        }
        for (&input, slope) in row.iter().zip(inputs.as_chunks_mut::<HIDDEN>().0) {
            if input != 0.0 {
                for (slope, below) in slope.iter_mut().zip(&below) {
                    *slope += input * below;
                }
            }
        }
    }

    /// The expected score of every seat: the outcome where the game is over, the model's opinion elsewhere.
    pub fn chances(&self, state: &State) -> [f64; MAX_SEATS] {
        let mut chances = [0.0; MAX_SEATS];
        if state.actor() == Actor::Over {
            chances[..state.seats()].copy_from_slice(state.outcome().scores());
            return chances;
        }
        let mut rows = [[0.0; INPUTS]; MAX_SEATS];
        observe(state, &mut rows);
        self.chances_of(&rows[..state.seats()])
    }

    /// The same for a position after a placement, with what is known of the position before it.
    pub(crate) fn chances_after(
        &self,
        before: &State,
        fitting: &mut Fitting,
        state: &State,
        action: Action,
    ) -> [f64; MAX_SEATS] {
        let cell = action.placement().and_then(|placement| before.board().find(placement.at));
        let Some(cell) = cell.filter(|_| state.actor() != Actor::Over) else { return self.chances(state) };
        let mut rows = [[0.0; INPUTS]; MAX_SEATS];
        observe_after(before, fitting, (state, cell), &mut rows);
        self.chances_of(&rows[..state.seats()])
    }

    fn chances_of(&self, rows: &[Row]) -> [f64; MAX_SEATS] {
        let mut numbers = [0.0; MAX_SEATS];
        // With whatever vectors the machine has: each unit's sum has its order all the same.
        Arch::new().dispatch(
            #[inline(always)]
            || {
                for (number, row) in numbers.iter_mut().zip(rows) {
                    *number = self.number(row).0;
                }
            },
        );
        shares(&numbers[..rows.len()])
    }

    /// The file's bytes: a line that tells what it is, a line that tells how it was made, the weights, and a SHA-256 of
    /// all that.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = format!("{FORM} inputs={INPUTS} units={HIDDEN}\n{}\n", self.made).into_bytes();
        self.weights.iter().for_each(|weight| bytes.extend(weight.to_le_bytes()));
        let digest = Sha256::digest(&bytes);
        bytes.extend_from_slice(&digest);
        bytes
    }

    /// Reads what [`write`](Model::write) wrote.
    ///
    /// # Errors
    /// If the bytes are something else, were made for other inputs, are cut short or damaged.
    pub fn read(bytes: &[u8]) -> Result<Model, Error> {
        let refuse = |why: &str| Error::input(format!("evaluation of Tantrix: {why}"));
        let line = |bytes: &[u8]| bytes.iter().position(|&byte| byte == b'\n');
        let first = line(bytes).filter(|_| bytes.starts_with(FORM.as_bytes()));
        let first = first.ok_or_else(|| refuse("the file is something else"))?;
        if bytes[..first] != *format!("{FORM} inputs={INPUTS} units={HIDDEN}").as_bytes() {
            return Err(refuse("it was made for other inputs"));
        }
        let start = first + 1;
        let second = start + line(&bytes[start..]).ok_or_else(|| refuse("the file is cut short"))?;
        let (said, digest) = bytes
            .split_at_checked(second + 1 + 4 * WEIGHTS)
            .filter(|(_, digest)| digest.len() == 32)
            .ok_or_else(|| refuse("the file is cut short or too long"))?;
        if Sha256::digest(said)[..] != *digest {
            return Err(refuse("the file is damaged: its checksum is another"));
        }
        let made = String::from_utf8(bytes[start..second].to_vec());
        let words = said[second + 1..].as_chunks::<4>().0;
        let weights: Box<[f32]> = words.iter().map(|&word| f32::from_le_bytes(word)).collect();
        if let Some(strange) = weights.iter().find(|weight| weight.is_nan() || weight.abs() > MOST) {
            return Err(refuse(&format!("{strange} is no weight that anything could learn")));
        }
        Ok(Model::new(made.map_err(|_| refuse("how it was made is no text"))?, weights))
    }
}

/// The share of each number's exponential.
pub(crate) fn shares(numbers: &[f32]) -> [f64; MAX_SEATS] {
    let mut shares = [0.0; MAX_SEATS];
    let highest = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for (share, number) in shares.iter_mut().zip(numbers) {
        *share = libm::exp(f64::from(number - highest));
        sum += *share;
    }
    for share in shares.iter_mut().take(numbers.len()) {
        *share /= sum;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tantrix;
    use ranka_core::{Game, Rng, Seed};

    fn model(seed: u64) -> Model {
        let mut rng = Rng::new(Seed::new(seed));
        Model::new("for a test".to_owned(), (0..WEIGHTS).map(|_| (rng.unit() - 0.5) as f32).collect())
    }

    #[test]
    fn what_is_written_is_read_and_what_is_damaged_is_refused() {
        let bytes = model(1).write();
        assert_eq!(Model::read(&bytes).expect("as written"), model(1));
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            assert!(Model::read(&damaged).is_err(), "byte {place}");
            assert!(Model::read(&bytes[..place]).is_err(), "cut at {place}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(Model::read(&longer).is_err());
        let other = String::from_utf8_lossy(&bytes[..60]).replace("inputs=", "inputs=1");
        let why = Model::read(other.as_bytes()).expect_err("other inputs");
        assert!(why.to_string().contains("other inputs"), "{why}");
    }

    #[test]
    fn weights_that_make_no_number_are_refused() {
        for strange in [f32::NAN, f32::INFINITY, -3e38] {
            let mut model = model(1);
            model.weights[7] = strange;
            let why = Model::read(&model.write()).expect_err("no number").to_string();
            assert!(why.ends_with("is no weight that anything could learn"), "{why}");
        }
    }

    /// The slope is what the number changes by when a weight does.
    #[test]
    fn slopes_are_those_of_the_number() {
        let (mut model, mut rng) = (model(2), Rng::new(Seed::new(3)));
        let mut row = [0.0; INPUTS];
        row.iter_mut().for_each(|input| *input = (rng.unit() - 0.5) as f32);
        let (number, units) = model.number(&row);
        let mut slope = vec![0.0; WEIGHTS];
        model.slope(&row, &units, 1.0, &mut slope);
        for place in (0..WEIGHTS).step_by(7).chain(INPUTS * HIDDEN..WEIGHTS) {
            let weight = model.weights[place];
            model.weights[place] = weight + 1e-3;
            let change = (model.number(&row).0 - number) / 1e-3;
            model.weights[place] = weight;
            assert!((change - slope[place]).abs() < 2e-2, "weight {place}: {change}, told {}", slope[place]);
        }
    }

    /// What was looked up for all placements of a position is what each position after one of them would tell by itself.
    #[test]
    fn a_position_before_it_tells_the_same() {
        let (model, mut compared) = (model(7), 0);
        for number in 0..9 {
            let mut rng = Rng::new(Seed::new(number));
            let mut state = Tantrix::standard(2 + number as usize % 3).start(&mut rng);
            let mut fitting = Fitting::new();
            while state.actor() != Actor::Over {
                let mut actions = Vec::new();
                state.actions(&mut actions);
                fitting.forget();
                for &action in actions.iter().filter(|action| action.placement().is_some()) {
                    let mut after = state.clone();
                    after.apply(action);
                    let told = model.chances_after(&state, &mut fitting, &after, action);
                    assert_eq!(told, model.chances(&after), "{action} in {state:?}");
                    compared += 1;
                }
                state.apply(rng.pick(&actions));
            }
        }
        assert!(compared > 5_000, "{compared}");
    }

    #[test]
    fn chances_add_up_whatever_the_seats() {
        for players in 2..=4 {
            let mut rng = Rng::new(Seed::new(players as u64));
            let mut state = Tantrix::standard(players).start(&mut rng);
            loop {
                let chances = model(4).chances(&state);
                assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{chances:?}");
                let action = match state.actor() {
                    Actor::Over => break,
                    Actor::Chance => state.draw(&mut rng),
                    Actor::Seat(_) => state.random_action(&mut rng, &mut Vec::new()),
                };
                state.apply(action);
            }
            assert_eq!(model(4).chances(&state)[..players], *state.outcome().scores());
        }
    }
}
