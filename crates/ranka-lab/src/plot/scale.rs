//! Scales: where a value lies, which values are marked, and how values are written.

use super::sheet::TEXT;
use super::text;

/// How values are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisUnit {
    /// As numbers; what they count is said by the label of the axis.
    #[default]
    Number,
    /// Whole numbers as tables write ratings and years, without a sign between thousands.
    Plain,
    /// Shares between 0 and 1, in percent.
    Percent,
}

impl AxisUnit {
    /// A value with so many digits after the point.
    fn write(self, value: f64, digits: usize) -> String {
        let (value, sign) = match self {
            AxisUnit::Number | AxisUnit::Plain => (value, ""),
            AxisUnit::Percent => (value * 100.0, "\u{202f}%"),
        };
        if value.abs() >= 1e7 {
            return format!("{value:.1e}").replace(".0e", "e").replace('-', "−") + sign;
        }
        let plain = format!("{:.*}", digits.min(12), value.abs());
        let (whole, rest) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
        let minus = if value < 0.0 && plain.bytes().any(|b| (b'1'..=b'9').contains(&b)) { "−" } else { "" };
        let whole = if self == AxisUnit::Plain { whole.to_owned() } else { with_commas(whole) };
        format!("{minus}{whole}{rest}{sign}")
    }

    /// A value as text says it: a tenth of a percent, or about four digits.
    pub(super) fn say(self, value: f64) -> String {
        let magnitude = if value == 0.0 { 0.0 } else { value.abs().log10().floor() };
        match self {
            AxisUnit::Percent => self.write(value, 1),
            AxisUnit::Plain => self.write(value, 0),
            AxisUnit::Number if magnitude < -6.0 => format!("{value:.2e}").replace('-', "−"),
            AxisUnit::Number if value.fract() == 0.0 => self.write(value, 0),
            AxisUnit::Number => {
                let text = self.write(value, (2.0 - magnitude).clamp(1.0, 8.0) as usize);
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
        }
    }
}

fn with_commas(digits: &str) -> String {
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A value that is marked on the axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
    /// How wide the label may be.
    pub(super) room: f64,
}

impl Tick {
    fn new(value: f64, label: String) -> Tick {
        Tick { value, label, room: f64::INFINITY }
    }
}

/// How the labels below an axis are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TickWriting {
    Line,
    TwoLines,
    Slanted,
}

/// The distance of two lines of one label.
pub(super) const TICK_LINE: f64 = 18.0;
/// The angle of slanted labels, in degrees.
pub(super) const SLANT: f64 = 45.0;
/// How long slanted labels may be.
const SLANTED_ROOM: f64 = 170.0;
/// Below this width, two lines of a name would be mostly dots.
const NARROWEST_LINES: f64 = 70.0;

/// An axis: from where to where, and its ticks.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    logarithmic: bool,
    pub(super) ticks: Vec<Tick>,
    pub(super) writing: TickWriting,
}

impl Scale {
    /// Its lowest and its highest value.
    pub(super) fn ends(&self) -> [f64; 2] {
        [self.low, self.high]
    }

    /// A scale that begins and ends at ticks, around all values.
    pub(super) fn loose(values: impl IntoIterator<Item = f64>, unit: AxisUnit, ticks: usize) -> Scale {
        let values: Vec<f64> = values.into_iter().collect();
        let (low, high) = range(values.iter().copied(), unit);
        let least = least_step(&values, unit);
        let step = step(low, high, ticks).max(least);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        Scale {
            low,
            high,
            logarithmic: false,
            ticks: linear_ticks(low, high, step, unit),
            writing: TickWriting::Line,
        }
    }

    /// A scale that begins at the first value and ends at the last, with as many ticks as the room allows.
    pub(super) fn tight(values: impl IntoIterator<Item = f64>, unit: AxisUnit, room: f64) -> Scale {
        let values: Vec<f64> = values.into_iter().collect();
        let (low, high) = range(values.iter().copied(), unit);
        let least = least_step(&values, unit);
        let ticks = |target| linear_ticks(low, high, step(low, high, target).max(least), unit);
        Scale {
            low,
            high,
            logarithmic: false,
            ticks: first_that_fits(ticks, room),
            writing: TickWriting::Line,
        }
    }

    /// A logarithmic scale of positive values.
    pub(super) fn logarithmic(values: impl IntoIterator<Item = f64>, unit: AxisUnit, room: f64) -> Scale {
        let (mut low, mut high) = ends(values).unwrap_or((1.0, 10.0));
        if high <= low * (1.0 + 1e-9) {
            (low, high) = (low / 2.0, high * 2.0);
        }
        let ticks = |target: usize| {
            let decades = |every: usize, factors: &[f64]| -> Vec<Tick> {
                let exponents = (low.log10().floor() as i32)..=(high.log10().ceil() as i32);
                exponents
                    .step_by(every.max(1))
                    .flat_map(|e| factors.iter().map(move |factor| (factor * 10f64.powi(e), e)))
                    .filter(|(value, _)| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(value))
                    .map(|(value, e)| Tick::new(value, unit.write(value, digits_of(e, unit))))
                    .collect()
            };
            let span = (high / low).log10();
            let fine = decades(1, &[1.0, 2.0, 5.0]);
            if span * 3.0 <= target as f64 && fine.len() >= 2 {
                return fine;
            }
            let coarse = decades((span / target as f64).ceil() as usize, &[1.0]);
            if coarse.len() >= 2 { coarse } else { linear_ticks(low, high, step(low, high, target), unit) }
        };
        Scale {
            low,
            high,
            logarithmic: true,
            ticks: first_that_fits(ticks, room),
            writing: TickWriting::Line,
        }
    }

    /// A scale of the whole numbers `0..count`, each in the middle of its own place and with its own name.
    /// Running numbers are thinned out where they have no room; names are wrapped or slanted.
    pub(super) fn places(names: &[String], room: f64) -> Scale {
        let count = names.len().max(1) as f64;
        let place = room / count;
        let widest = names.iter().map(|name| text::width(name, TEXT)).fold(0.0, f64::max);
        let first = names.first().and_then(|name| name.parse::<i64>().ok()).filter(|first| *first >= 0);
        let running =
            first.filter(|first| (*first..).zip(names).all(|(number, name)| *name == number.to_string()));
        let writing = match running {
            Some(_) => TickWriting::Line,
            None if widest + 6.0 <= place => TickWriting::Line,
            None if place >= NARROWEST_LINES => TickWriting::TwoLines,
            None => TickWriting::Slanted,
        };
        let needed = match writing {
            TickWriting::Line => widest + 10.0,
            TickWriting::TwoLines => 0.0,
            TickWriting::Slanted => 20.0,
        };
        let every = nice_count((needed / place).ceil() as usize);
        let offset = running.map_or(0, |first| first as usize % every);
        let marked = |i: &usize| (i + offset).is_multiple_of(every);
        let room = match writing {
            TickWriting::Line => f64::INFINITY,
            TickWriting::TwoLines => place - 6.0,
            TickWriting::Slanted => SLANTED_ROOM,
        };
        let tick = |i: usize| Tick { value: i as f64, label: names[i].clone(), room };
        let ticks = (0..names.len()).filter(marked).map(tick).collect();
        Scale { low: -0.5, high: count - 0.5, logarithmic: false, ticks, writing }
    }

    /// How far the first name reaches out to the left of the data, if it does.
    pub(super) fn overhang(&self, room: f64) -> f64 {
        match self.writing {
            TickWriting::Slanted => {
                let reach = self.label_width().min(SLANTED_ROOM) * SLANT.to_radians().cos();
                reach + 6.0 - room * self.at(0.0)
            }
            _ => 0.0,
        }
    }

    /// How much higher the names below the axis are than a line.
    pub(super) fn extra_height(&self) -> f64 {
        match self.writing {
            TickWriting::Line => 0.0,
            TickWriting::TwoLines => TICK_LINE,
            TickWriting::Slanted => self.label_width().min(SLANTED_ROOM) * SLANT.to_radians().sin(),
        }
    }

    /// The scale with ticks at whole numbers only.
    pub(super) fn whole(mut self) -> Scale {
        self.ticks.retain(|tick| tick.value.fract() == 0.0);
        for tick in &mut self.ticks {
            tick.label = AxisUnit::Number.write(tick.value, 0);
        }
        self
    }

    /// Where a value lies: 0 at the beginning, 1 at the end, and never outside.
    pub(super) fn at(&self, value: f64) -> f64 {
        let (value, low, high) = match self.logarithmic {
            true => (value.max(f64::MIN_POSITIVE).log10(), self.low.log10(), self.high.log10()),
            false => (value, self.low, self.high),
        };
        ((value - low) / (high - low)).clamp(0.0, 1.0)
    }

    /// How wide the widest label of a tick is.
    pub(super) fn label_width(&self) -> f64 {
        self.ticks.iter().map(|tick| text::width(&tick.label, TEXT)).fold(0.0, f64::max)
    }
}

fn first_that_fits(ticks: impl Fn(usize) -> Vec<Tick>, room: f64) -> Vec<Tick> {
    let fits = |ticks: &Vec<Tick>| {
        let wide: f64 = ticks.iter().map(|tick| text::width(&tick.label, TEXT) + 24.0).sum();
        wide <= room
    };
    (2..=8).rev().map(ticks).find(fits).unwrap_or_default()
}

fn ends(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let finite = values.into_iter().filter(|value| value.is_finite());
    finite.fold(None, |ends, value| match ends {
        None => Some((value, value)),
        Some((low, high)) => Some((low.min(value), high.max(value))),
    })
}

/// A range that is never empty.
fn range(values: impl IntoIterator<Item = f64>, unit: AxisUnit) -> (f64, f64) {
    let (low, high) = ends(values).unwrap_or((0.0, 1.0));
    if high - low > 1e-9 * high.abs().max(low.abs()) {
        return (low, high);
    }
    match unit {
        AxisUnit::Percent if (0.0..=1.0).contains(&low) => ((low - 0.05).max(0.0), (high + 0.05).min(1.0)),
        _ if low == 0.0 => (-1.0, 1.0),
        _ => (low - low.abs() / 2.0, high + high.abs() / 2.0),
    }
}

/// The nicest distance of about so many ticks: 1, 2 or 5 times a power of ten.
fn step(low: f64, high: f64, ticks: usize) -> f64 {
    let raw = (high - low) / ticks.max(1) as f64;
    let power = 10f64.powf(raw.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= raw * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// The next larger of 1, 2 or 5 times a power of ten.
fn nice_count(least: usize) -> usize {
    let powers = std::iter::successors(Some(1usize), |power| power.checked_mul(10));
    powers
        .flat_map(|power| [1, 2, 5].map(|factor| power.saturating_mul(factor)))
        .find(|n| *n >= least)
        .unwrap_or(1)
}

/// Between whole numbers there is nothing to be marked.
fn least_step(values: &[f64], unit: AxisUnit) -> f64 {
    if unit != AxisUnit::Percent && values.iter().all(|value| value.fract() == 0.0) { 1.0 } else { 0.0 }
}

fn linear_ticks(low: f64, high: f64, step: f64, unit: AxisUnit) -> Vec<Tick> {
    let digits = digits_of((step * (1.0 + 1e-9)).log10().floor() as i32, unit);
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let count = ((last - first).clamp(0.0, 20.0)) as usize;
    let tick = |i| {
        let value = (first + i as f64) * step;
        Tick::new(value, unit.write(value, digits))
    };
    (0..=count).map(tick).filter(|tick| tick.value <= high + step * 1e-6).collect()
}

/// How many digits after the point a power of ten needs.
fn digits_of(exponent: i32, unit: AxisUnit) -> usize {
    let exponent = if unit == AxisUnit::Percent { exponent + 2 } else { exponent };
    usize::try_from(exponent.saturating_neg()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &Scale) -> Vec<&str> {
        scale.ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn a_loose_scale_ends_at_ticks() {
        let scale = Scale::loose([0.43, 0.57], AxisUnit::Percent, 5);
        assert_eq!(
            labels(&scale),
            ["40\u{202f}%", "45\u{202f}%", "50\u{202f}%", "55\u{202f}%", "60\u{202f}%"]
        );
        assert!((scale.at(0.5) - 0.5).abs() < 1e-9);
        assert_eq!(labels(&Scale::loose([-3.0, 12.0], AxisUnit::Number, 4)), ["−5", "0", "5", "10", "15"]);
    }

    #[test]
    fn whole_numbers_have_whole_ticks() {
        assert_eq!(labels(&Scale::loose([0.0, 2.0], AxisUnit::Number, 5)), ["0", "1", "2"]);
        assert_eq!(labels(&Scale::tight([1.0, 3.0], AxisUnit::Number, 500.0)), ["1", "2", "3"]);
        assert_eq!(labels(&Scale::tight([0.5, 2.5], AxisUnit::Number, 500.0).whole()), ["1", "2"]);
    }

    #[test]
    fn logarithms_mark_powers_of_ten() {
        let scale = Scale::logarithmic([1.0, 100_000.0], AxisUnit::Number, 500.0);
        assert_eq!(labels(&scale), ["1", "10", "100", "1,000", "10,000", "100,000"]);
        assert!((scale.at(10.0) - 0.2).abs() < 1e-9);
        assert_eq!(
            labels(&Scale::logarithmic([1.0, 20.0], AxisUnit::Number, 500.0)),
            ["1", "2", "5", "10", "20"]
        );
    }

    #[test]
    fn no_range_is_empty_and_no_place_outside() {
        for values in [vec![], vec![0.0], vec![7.0, 7.0], vec![-1e100, 1e100], vec![1e17, 1e17 + 32.0]] {
            for scale in [
                Scale::loose(values.clone(), AxisUnit::Number, 5),
                Scale::tight(values.clone(), AxisUnit::Percent, 400.0),
                Scale::logarithmic(values.iter().map(|v| v.abs() + 1.0), AxisUnit::Number, 400.0),
            ] {
                for value in values.iter().copied().chain([f64::INFINITY, f64::NEG_INFINITY]) {
                    assert!((0.0..=1.0).contains(&scale.at(value)), "{values:?} {value} {scale:?}");
                }
                assert!(scale.ticks.len() <= 21);
            }
        }
    }

    #[test]
    fn numbers_are_said_briefly() {
        let said = [0.0, 12_345.0, 3.456_78, -0.04567, 1e9].map(|value| AxisUnit::Number.say(value));
        assert_eq!(said, ["0", "12,345", "3.46", "−0.0457", "1e9"]);
        assert_eq!(AxisUnit::Percent.say(0.5136), "51.4\u{202f}%");
    }

    #[test]
    fn running_numbers_are_thinned_out() {
        let plies: Vec<String> = (1..=60).map(|ply| ply.to_string()).collect();
        let scale = Scale::places(&plies, 500.0);
        assert_eq!(labels(&scale)[..3], ["5", "10", "15"]);
        assert_eq!(scale.ticks[0].value, 4.0);
    }

    #[test]
    fn names_are_kept_in_lines_or_slanted() {
        let names: Vec<String> = (1..=12).map(|i| format!("some agent {i}")).collect();
        for (room, writing) in
            [(2400.0, TickWriting::Line), (900.0, TickWriting::TwoLines), (500.0, TickWriting::Slanted)]
        {
            let scale = Scale::places(&names, room);
            assert_eq!((scale.writing, scale.ticks.len()), (writing, 12));
        }
        let uneven: Vec<String> = (1..=20).map(|i| (10 * i).to_string()).collect();
        assert_eq!(Scale::places(&uneven, 400.0).writing, TickWriting::Slanted);
    }
}
