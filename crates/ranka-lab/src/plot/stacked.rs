//! Stacked bars: of what parts each whole is made.

use super::end_labels::{self, EndLabel};
use super::marks::{self, Rectangle};
use super::scale::{AxisUnit, Scale};
use super::sheet::{EDGE, Plan, Sheet, TEXT, WIDTH};
use super::sieve::Sieve;
use super::{Caption, text};
use ranka_core::Svg;

/// Bars of parts that lie on each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Stacked {
    /// The words around it.
    pub caption: Caption,
    /// How the values are written.
    pub unit: AxisUnit,
    /// The names of the parts, from the bottom.
    pub parts: Vec<String>,
    /// The bars from left to right.
    pub bars: Vec<StackedBar>,
}

/// A bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StackedBar {
    /// What it stands for: a ply, say.
    pub label: String,
    /// The size of each part, from the bottom; negative ones are left out.
    pub values: Vec<f64>,
}

impl Stacked {
    /// The drawing.
    pub fn svg(&self) -> String {
        let mut sieve = Sieve::default();
        let bars: Vec<Vec<f64>> = self.bars.iter().map(|bar| self.drawable(bar, &mut sieve)).collect();
        let highest = bars.iter().map(|bar| bar.iter().sum::<f64>()).fold(0.0, f64::max);
        // Shares that add up to all but a rounding must not raise the axis above all.
        let highest = if (highest - 1.0).abs() < 1e-6 { 1.0 } else { highest };
        let y = Scale::loose([0.0, if highest > 0.0 { highest } else { 1.0 }], self.unit, 5);
        let names: Vec<String> = self.parts.iter().map(|name| text::clean(name)).collect();
        let left = EDGE + y.label_width() + 8.0;
        let right = end_labels::room(names.iter().map(String::as_str));
        let labels: Vec<String> = self.bars.iter().map(|bar| text::clean(&bar.label)).collect();
        let x = Scale::places(&labels, WIDTH - left - right);
        let left = left.max(x.overhang(WIDTH - left - right));
        let x = Scale::places(&labels, WIDTH - left - right);
        let mut sheet = Sheet::open(
            &self.caption,
            Plan {
                left,
                right,
                extra_height: x.extra_height(),
                height: end_labels::height(names.len()).max(280.0),
                keys: Vec::new(),
                says: self.says(&bars),
                note: sieve.note(&self.caption.note),
            },
        );
        let area = sheet.area;
        sheet.y_axis(area, &y);
        sheet.x_axis(area, &x);
        if bars.is_empty() || names.is_empty() {
            sheet.nothing();
        }
        let place = area.width() / bars.len().max(1) as f64;
        let wide = (place * 0.82).clamp((place - 2.0).min(2.0), 90.0);
        // All numbers or none: gaps would seem to mean something.
        let widest =
            bars.iter().flatten().map(|value| text::width(&self.unit.say(*value), TEXT)).fold(0.0, f64::max);
        let mut middles = vec![area.bottom; names.len()];
        for (i, (bar, label)) in bars.iter().zip(&labels).enumerate() {
            sheet.svg.group("class=\"bar\"").title(label);
            let mut below = 0.0;
            let mut written = Vec::new();
            for (kind, value) in bar.iter().enumerate() {
                let (bottom, top) = (area.y(&y, below), area.y(&y, below + value));
                below += value;
                middles[kind] = (bottom + top) / 2.0;
                if *value > 0.0 {
                    let middle = area.x(&x, i as f64);
                    let part = Rectangle { x: middle - wide / 2.0, y: top, w: wide, h: bottom - top };
                    marks::part(&mut sheet.svg, kind, part, "class=\"part\"");
                    written.push((middle, (bottom + top) / 2.0, bottom - top, self.unit.say(*value)));
                }
            }
            for (x, y, high, says) in written {
                if high >= 22.0 && widest + 8.0 <= wide {
                    sheet.label_over(x, y, &says, wide);
                }
            }
            sheet.svg.close();
        }
        let sign = |kind: usize| {
            move |svg: &mut Svg, x: f64, y: f64| {
                marks::part(svg, kind, Rectangle { x: x - 9.0, y: y - 8.0, w: 18.0, h: 16.0 }, "");
            }
        };
        let ends = names.iter().zip(middles).enumerate();
        let ends =
            ends.map(|(kind, (name, y))| EndLabel { y, says: name.clone(), sign: Box::new(sign(kind)) });
        end_labels::draw(&mut sheet, area, &ends.collect::<Vec<_>>());
        sheet.finish()
    }

    fn drawable(&self, bar: &StackedBar, sieve: &mut Sieve) -> Vec<f64> {
        let mut part = |(kind, value): (usize, &f64)| {
            let value = sieve.value(*value).unwrap_or(0.0);
            let odd = value < 0.0 || kind >= self.parts.len();
            if odd {
                sieve.leave_out();
            }
            if odd { 0.0 } else { value }
        };
        let mut values: Vec<f64> = bar.values.iter().enumerate().map(&mut part).collect();
        values.truncate(self.parts.len());
        values
    }

    fn says(&self, bars: &[Vec<f64>]) -> String {
        let bar = |(bar, values): (&StackedBar, &Vec<f64>)| {
            let parts = self.parts.iter().zip(values);
            let parts: Vec<_> =
                parts.map(|(name, value)| format!("{name} {}", self.unit.say(*value))).collect();
            format!("{}: {}. ", bar.label, parts.join(", "))
        };
        self.bars.iter().zip(bars).map(bar).collect()
    }
}
