//! Histograms of one or two samples.

use super::estimates::{Z, draw_interval};
use super::marks::{self, Rectangle};
use super::scale::{AxisUnit, Scale};
use super::sheet::{Area, EDGE, Key, Plan, Sheet, TEXT, WIDTH};
use super::sieve::Sieve;
use super::{Caption, ErrorBar, text};
use ranka_core::theme;

/// How often which values occur.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The words around it.
    pub caption: Caption,
    /// Counts, or shares of each sample.
    pub unit: AxisUnit,
    /// The values.
    pub sample: HistogramSample,
    /// Other values to compare with.
    pub other: Option<HistogramSample>,
    /// How two samples are compared.
    pub arrangement: Arrangement,
}

/// Values of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistogramSample {
    /// Its name.
    pub label: String,
    /// The values; if all are whole numbers, each gets a bar of its own where there is room.
    pub values: Vec<f64>,
}

/// How two samples are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// One upwards, one downwards.
    #[default]
    Mirrored,
    /// Bars beside each other.
    SideBySide,
}

/// The room of a mean above or below its bars.
const LANE: f64 = 26.0;

impl Histogram {
    /// The drawing.
    pub fn svg(&self) -> String {
        let mut sieve = Sieve::default();
        let samples: Vec<HistogramSample> = [Some(&self.sample), self.other.as_ref()]
            .into_iter()
            .flatten()
            .map(|sample| HistogramSample {
                label: text::clean(&sample.label),
                values: sample.values.iter().filter_map(|value| sieve.value(*value)).collect(),
            })
            .collect();
        let all: Vec<f64> = samples.iter().flat_map(|sample| sample.values.iter().copied()).collect();
        let bins = Bins::of(&all);
        let heights: Vec<Vec<f64>> = samples.iter().map(|sample| self.heights(&bins, sample)).collect();
        let mirrored = samples.len() == 2 && self.arrangement == Arrangement::Mirrored;

        let highest = heights.iter().flatten().copied().fold(0.0, f64::max);
        let top = if highest > 0.0 { highest } else { 1.0 };
        let y = Scale::loose([0.0, top], self.unit, if mirrored { 3 } else { 5 });
        let left = EDGE + y.label_width() + 8.0;
        let right = EDGE + 8.0;
        let x = Scale::tight([bins.start, bins.end()], AxisUnit::Number, WIDTH - left - right);
        let x = if bins.of_whole_numbers() { x.whole() } else { x };
        let lanes = samples.len() as f64 * LANE;
        let keys = match samples.len() {
            2 => samples.iter().enumerate().map(|(i, sample)| swatch(i, sample)).collect(),
            _ => Vec::new(),
        };
        let mut sheet = Sheet::open(
            &self.caption,
            Plan {
                left,
                right,
                extra_height: 0.0,
                height: lanes + if mirrored { 320.0 } else { 240.0 },
                keys,
                says: samples.iter().map(|sample| says(sample) + ". ").collect(),
                note: sieve.note(&self.caption.note),
            },
        );
        let whole = sheet.area;
        sheet.x_axis(whole, &x);
        let panels = if mirrored {
            let middle = (whole.top + whole.bottom) / 2.0;
            let upper = Area { top: whole.top + LANE, bottom: middle, ..whole };
            // Its top is below its bottom: so the second sample hangs down.
            let lower = Area { top: whole.bottom - LANE, bottom: middle, ..whole };
            vec![upper, lower]
        } else {
            vec![Area { top: whole.top + lanes, ..whole }; samples.len()]
        };
        sheet.y_axis(panels[0], &y);
        if mirrored {
            // Both halves share their zero.
            let mut lower = y.clone();
            lower.ticks.retain(|tick| tick.value > 0.0);
            sheet.y_axis(panels[1], &lower);
        }
        if all.is_empty() {
            sheet.nothing();
        }
        let beside = if mirrored { 1 } else { samples.len() };
        for (i, (panel, heights)) in panels.iter().zip(&heights).enumerate() {
            let slot = if mirrored { 0 } else { i };
            for (bin, height) in heights.iter().enumerate().filter(|(_, height)| **height > 0.0) {
                let [from, to] =
                    [bin, bin + 1].map(|edge| panel.x(&x, bins.start + edge as f64 * bins.width));
                let gap = ((to - from) * 0.08).min(1.5);
                let wide = ((to - from - 2.0 * gap) / beside as f64).max(0.5);
                let end = panel.y(&y, *height);
                let area = Rectangle {
                    x: from + gap + wide * slot as f64,
                    y: end.min(panel.bottom),
                    w: wide,
                    h: (end - panel.bottom).abs(),
                };
                marks::part(&mut sheet.svg, i, area, "class=\"bar\"");
            }
        }
        for (i, (panel, sample)) in panels.iter().zip(&samples).enumerate() {
            let lane = match (mirrored, i) {
                (true, 1) => whole.bottom - LANE / 2.0 + 4.0,
                (true, _) => whole.top + LANE / 2.0 - 4.0,
                (false, i) => whole.top + LANE * (i as f64 + 0.5) - 4.0,
            };
            if let Some(mean) = mean(&sample.values) {
                draw_mean(&mut sheet, *panel, &x, i, mean, lane);
            }
        }
        sheet.finish()
    }

    fn heights(&self, bins: &Bins, sample: &HistogramSample) -> Vec<f64> {
        let mut heights = vec![0.0; bins.count];
        let each = match self.unit {
            AxisUnit::Number | AxisUnit::Plain => 1.0,
            AxisUnit::Percent => 1.0 / sample.values.len().max(1) as f64,
        };
        for value in &sample.values {
            heights[bins.index(*value)] += each;
        }
        heights
    }
}

/// Bins of one width.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bins {
    start: f64,
    width: f64,
    count: usize,
}

impl Bins {
    const MOST: f64 = 50.0;

    fn of(values: &[f64]) -> Bins {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let Some((&low, &high)) = sorted.first().zip(sorted.last()) else {
            return Bins { start: 0.0, width: 1.0, count: 1 };
        };
        if sorted.iter().all(|value| value.fract() == 0.0) && low.abs().max(high.abs()) < 1e12 {
            let width = nice_width((high - low + 1.0) / Bins::MOST).max(1.0).round();
            let start = (low / width).floor() * width;
            return Bins { start: start - 0.5, width, count: ((high - start) / width).floor() as usize + 1 };
        }
        if high - low <= 1e-9 * low.abs().max(high.abs()) {
            let width = (low.abs() / 10.0).max(f64::MIN_POSITIVE);
            return Bins { start: low - width / 2.0, width, count: 1 };
        }
        // By Freedman and Diaconis; by the root of n where half of the values are equal.
        let quartile = |quarter: usize| sorted[(sorted.len() - 1) * quarter / 4];
        let n = sorted.len() as f64;
        let wanted = match 2.0 * (quartile(3) - quartile(1)) / n.cbrt() {
            0.0 => (high - low) / n.sqrt(),
            wanted => wanted,
        };
        let width = nice_width(wanted.clamp((high - low) / Bins::MOST, high - low));
        let start = (low / width).floor() * width;
        let count = (((high - start) / width).floor() as usize).saturating_add(1);
        Bins { start, width, count: count.min(2 * Bins::MOST as usize) }
    }

    fn end(&self) -> f64 {
        self.start + self.width * self.count as f64
    }

    fn of_whole_numbers(&self) -> bool {
        self.start.fract().abs() == 0.5 && self.width.fract() == 0.0
    }

    fn index(&self, value: f64) -> usize {
        (((value - self.start) / self.width) as usize).min(self.count - 1)
    }
}

/// The next larger of 1, 2 or 5 times a power of ten.
fn nice_width(wanted: f64) -> f64 {
    let power = 10f64.powf(wanted.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= wanted * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// The mean with its 95 % interval by the normal distribution; without one for a single value.
fn mean(values: &[f64]) -> Option<ErrorBar> {
    let n = values.len() as f64;
    let value = values.iter().map(|value| value / n).sum::<f64>();
    if values.is_empty() || !value.is_finite() {
        return None;
    }
    let variance = values.iter().map(|v| (v - value).powi(2) / (n - 1.0)).sum::<f64>();
    let half = Z * (variance / n).sqrt();
    Some(ErrorBar { value, interval: half.is_finite().then_some([value - half, value + half]) })
}

fn says(sample: &HistogramSample) -> String {
    let mean = mean(&sample.values).map(|mean| format!(", mean {}", AxisUnit::Number.say(mean.value)));
    format!("{}: {} values{}", sample.label, sample.values.len(), mean.unwrap_or_default())
}

fn swatch<'a>(i: usize, sample: &HistogramSample) -> Key<'a> {
    let says = format!("{} (n = {})", sample.label, AxisUnit::Number.say(sample.values.len() as f64));
    Key::new(says, move |svg, x, y| {
        marks::part(svg, i, Rectangle { x: x - 11.0, y: y - 8.0, w: 22.0, h: 16.0 }, "");
    })
}

fn draw_mean(sheet: &mut Sheet, panel: Area, x: &Scale, i: usize, mean: ErrorBar, lane: f64) {
    let at = panel.x(x, mean.value);
    let stroke = format!("stroke=\"{}\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"", theme::INK);
    marks::line(&mut sheet.svg, (at, lane), (at, panel.bottom), &stroke);
    draw_interval(&mut sheet.svg, mean, |value| (panel.x(x, value), lane), theme::INK);
    marks::mark(&mut sheet.svg, i, at, lane, 5.5, &format!("class=\"mean\" {}", marks::filled(i)));
    let half = mean.interval.map_or(0.0, |[_, high]| panel.x(x, high) - at).max(6.0) + 8.0;
    let says = format!("mean {}", AxisUnit::Number.say(mean.value));
    let wide = text::width(&says, TEXT);
    // Right of the interval, or left of it; on it, if it takes all the room.
    let right = at + half + wide / 2.0;
    let left = at - half - wide / 2.0;
    let bounds = (EDGE + wide / 2.0, WIDTH - EDGE - wide / 2.0);
    let middle = [right, left].into_iter().find(|middle| (bounds.0..=bounds.1).contains(middle));
    sheet.label_over(middle.unwrap_or(right.clamp(bounds.0, bounds.1)), lane, &says, WIDTH);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_a_bin_each() {
        let bins = Bins::of(&[3.0, 7.0, 5.0, 5.0]);
        assert_eq!(bins, Bins { start: 2.5, width: 1.0, count: 5 });
        assert_eq!([3.0, 5.0, 7.0].map(|value| bins.index(value)), [0, 2, 4]);
    }

    #[test]
    fn many_whole_numbers_share_bins() {
        let bins = Bins::of(&(0..1000).map(f64::from).collect::<Vec<_>>());
        assert_eq!(bins, Bins { start: -0.5, width: 20.0, count: 50 });
        assert_eq!([0.0, 19.0, 20.0, 999.0].map(|value| bins.index(value)), [0, 0, 1, 49]);
    }

    #[test]
    fn real_numbers_are_binned_sensibly() {
        let values: Vec<f64> = (0..200).map(|i| f64::from(i) * 0.013 + 0.001).collect();
        let bins = Bins::of(&values);
        assert!((5..=50).contains(&bins.count), "{bins:?}");
        assert!(bins.start <= 0.001 && bins.end() > 199.0 * 0.013);
        for odd in [vec![], vec![0.3], vec![0.1; 9], vec![1e100, -1e100], vec![0.0, 0.0, 0.0, 1e-90]] {
            let bins = Bins::of(&odd);
            assert!(bins.count >= 1 && bins.count <= 101 && bins.end() > bins.start, "{odd:?} {bins:?}");
        }
    }

    #[test]
    fn the_mean_has_the_usual_interval() {
        let mean = mean(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!(mean.value, 2.5);
        let [low, high] = mean.interval.unwrap();
        // s² = 5/3, so the half width is 1.96·√(5/12).
        assert!((high - low - 2.0 * 1.96 * (5.0f64 / 12.0).sqrt()).abs() < 1e-12);
        assert_eq!(super::mean(&[7.0]).unwrap().interval, None);
        assert_eq!(super::mean(&[]), None);
    }
}
