//! Tables of numbers, coloured by their size.

use super::marks;
use super::scale::{AxisUnit, Scale};
use super::sheet::{Anchor, Area, EDGE, Key, Plan, Sheet, TEXT, WIDTH};
use super::sieve::Sieve;
use super::{Caption, text};
use ranka_core::theme;

/// A heat map with the numbers in its cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The words around it.
    pub caption: Caption,
    /// How the values are written.
    pub unit: AxisUnit,
    /// The names of the columns from left to right.
    pub columns: Vec<String>,
    /// The names of the rows from top to bottom.
    pub rows: Vec<String>,
    /// The values row by row; nothing where there is none.
    pub values: Vec<Vec<Option<f64>>>,
    /// The value that is neither much nor little, if there is one: colours then lead two ways from it.
    pub centre: Option<f64>,
}

/// The sizes of numbers that are tried, and whether the percent sign is dropped.
const WRITINGS: [(f64, bool); 5] = [(16.0, false), (14.0, false), (16.0, true), (14.0, true), (13.0, true)];

impl Grid {
    /// The drawing.
    pub fn svg(&self) -> String {
        let mut sieve = Sieve::default();
        let values: Vec<Vec<Option<f64>>> = self
            .values
            .iter()
            .map(|row| row.iter().map(|value| value.and_then(|value| sieve.value(value))).collect())
            .collect();
        let centre = self.centre.and_then(|centre| sieve.value(centre));
        let shades = Shades::of(values.iter().flatten().flatten().copied(), centre);
        let columns = values.iter().map(Vec::len).max().unwrap_or(0).max(self.columns.len());
        let rows = values.len().max(self.rows.len());
        let name =
            |names: &[String], i: usize| names.get(i).map(|name| text::clean(name)).unwrap_or_default();
        let column_names: Vec<String> = (0..columns).map(|i| name(&self.columns, i)).collect();

        let widest = self.rows.iter().map(|name| text::width(&text::clean(name), TEXT)).fold(0.0, f64::max);
        let label_room = widest.min(180.0);
        let left = EDGE + label_room + 12.0;
        let room = WIDTH - left - EDGE;
        let wide = (room / columns.max(1) as f64).min(88.0);
        let high = (wide * 0.62).clamp(26.0, 42.0);
        let all: Vec<f64> = values.iter().flatten().flatten().copied().collect();
        let writing = WRITINGS.into_iter().find(|writing| {
            all.iter().all(|value| text::width(&self.write(*value, writing.1), writing.0) <= wide - 5.0)
        });
        let mut note = self.caption.note.clone();
        if writing.is_some_and(|(_, dropped)| dropped && self.unit == AxisUnit::Percent) {
            note += " Numbers in percent.";
        }
        let x = Scale::places(&column_names, wide * columns as f64);
        let mut sheet = Sheet::open(
            &self.caption,
            Plan {
                left,
                extra_height: x.extra_height(),
                right: WIDTH - left - wide * columns.max(1) as f64,
                height: high * rows.max(2) as f64 + 2.0,
                // The numbers say more than a scale; only where they find no room it is needed.
                keys: if writing.is_none() { self.scale_keys(&shades) } else { Vec::new() },
                says: self.says(&values),
                note: sieve.note(&note),
            },
        );
        let area = sheet.area;
        sheet.x_axis(area, &x);
        if all.is_empty() {
            sheet.nothing();
        }
        for row in 0..rows {
            let top = area.top + high * row as f64;
            let middle = top + high / 2.0;
            sheet.label(
                left - 10.0,
                middle,
                Anchor::End,
                theme::INK,
                &name(&self.rows, row),
                label_room + 1.0,
            );
            for column in 0..columns {
                let x = area.left + wide * column as f64;
                let value = values.get(row).and_then(|row| row.get(column)).copied().flatten();
                match value {
                    Some(value) => {
                        let cell = Area { left: x, right: x + wide, top, bottom: top + high };
                        self.draw_cell(&mut sheet, cell, value, shades.of_value(value), writing);
                    }
                    None if all.is_empty() => {}
                    None => {
                        let stroke = format!("stroke=\"{}\" stroke-width=\"1\"", theme::QUIET);
                        let (x, half) = (x + wide / 2.0, (wide / 4.0).min(6.0));
                        marks::line(&mut sheet.svg, (x - half, middle), (x + half, middle), &stroke);
                    }
                }
            }
        }
        sheet.finish()
    }

    fn write(&self, value: f64, dropped: bool) -> String {
        let text = self.unit.say(value);
        if dropped { text.trim_end_matches(['%', '\u{202f}']).to_owned() } else { text }
    }

    fn draw_cell(
        &self,
        sheet: &mut Sheet,
        cell: Area,
        value: f64,
        shade: Shade,
        writing: Option<(f64, bool)>,
    ) {
        let gap = if cell.width() > 12.0 { 1.0 } else { 0.0 };
        let attributes = format!("class=\"cell\" fill=\"{}\"", shade.hex());
        let (w, h) = (cell.width() - 2.0 * gap, cell.height() - 2.0 * gap);
        sheet.svg.rect(cell.left + gap, cell.top + gap, w, h, 2.0, &attributes);
        if let Some((size, dropped)) = writing {
            // The cell's colour is the same in both themes, and so must be the number's.
            let ink = if shade.lightness > 0.62 { "#1b1a17" } else { "#ffffff" };
            let (x, y) = ((cell.left + cell.right) / 2.0, (cell.top + cell.bottom) / 2.0 + size * 0.35);
            let attributes = format!("text-anchor=\"middle\" fill=\"{ink}\"");
            sheet.svg.text(x, y, size, &attributes, &self.write(value, dropped));
        }
    }

    fn scale_keys<'a>(&self, shades: &Shades) -> Vec<Key<'a>> {
        let values = [Some(shades.low), shades.centre, Some(shades.high)];
        let key = |value: f64| {
            let colour = shades.of_value(value).hex();
            Key::new(self.unit.say(value), move |svg, x, y| {
                svg.rect(x - 11.0, y - 8.0, 22.0, 16.0, 2.0, &format!("fill=\"{colour}\""));
            })
        };
        values.into_iter().flatten().map(key).collect()
    }

    fn says(&self, values: &[Vec<Option<f64>>]) -> String {
        let row = |(i, row): (usize, &Vec<Option<f64>>)| {
            let write = |value: &Option<f64>| value.map_or("none".into(), |value| self.unit.say(value));
            let name = self.rows.get(i).map_or("", String::as_str);
            format!("{name}: {}. ", row.iter().map(write).collect::<Vec<_>>().join(", "))
        };
        values.iter().enumerate().map(row).collect()
    }
}

/// The colours of a range of values: even steps of lightness, which every eye and every printer can tell.
struct Shades {
    low: f64,
    high: f64,
    centre: Option<f64>,
}

const PALE: Shade = Shade { lightness: 0.965, a: 0.0, b: 0.012 };
const BLUE: Shade = Shade { lightness: 0.40, a: -0.03, b: -0.125 };
const RED: Shade = Shade { lightness: 0.45, a: 0.12, b: 0.09 };

impl Shades {
    fn of(values: impl Iterator<Item = f64>, centre: Option<f64>) -> Shades {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        Shades { low, high, centre }
    }

    fn of_value(&self, value: f64) -> Shade {
        let share = |of: f64, whole: f64| if whole > 0.0 { (of / whole).clamp(0.0, 1.0) } else { 0.0 };
        match self.centre {
            None => PALE.towards(BLUE, share(value - self.low, self.high - self.low)),
            Some(centre) => {
                // The same distance is the same strength on both sides.
                let farthest = (self.high - centre).max(centre - self.low);
                let end = if value < centre { RED } else { BLUE };
                PALE.towards(end, share((value - centre).abs(), farthest))
            }
        }
    }
}

/// A colour by Oklab, in which equal distances look equal.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shade {
    lightness: f64,
    a: f64,
    b: f64,
}

impl Shade {
    fn towards(self, end: Shade, share: f64) -> Shade {
        let mix = |from: f64, to: f64| from + (to - from) * share;
        Shade { lightness: mix(self.lightness, end.lightness), a: mix(self.a, end.a), b: mix(self.b, end.b) }
    }

    /// As sRGB, by the matrices of Oklab's definition.
    fn hex(self) -> String {
        let Shade { lightness, a, b } = self;
        let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
        let linear = [
            4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
            -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
            -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
        ];
        let [r, g, b] = linear.map(|c| {
            let gamma = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
            (gamma * 255.0).round().clamp(0.0, 255.0) as u8
        });
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_those_of_oklab() {
        // The definition's own examples: white, black, and the red of sRGB.
        assert_eq!(Shade { lightness: 1.0, a: 0.0, b: 0.0 }.hex(), "#ffffff");
        assert_eq!(Shade { lightness: 0.0, a: 0.0, b: 0.0 }.hex(), "#000000");
        assert_eq!(Shade { lightness: 0.627_955, a: 0.224_863, b: 0.125_846 }.hex(), "#ff0000");
    }

    #[test]
    fn larger_values_are_darker() {
        let shades = Shades::of([1.0, 5.0].into_iter(), None);
        let lightness = |value| shades.of_value(value).lightness;
        assert!(lightness(1.0) > lightness(2.0) && lightness(2.0) > lightness(5.0));
        let steps = [1.0, 2.0, 3.0].map(lightness);
        assert!(((steps[0] - steps[1]) - (steps[1] - steps[2])).abs() < 1e-12);
    }

    #[test]
    fn both_sides_of_a_centre_are_equally_strong() {
        let shades = Shades::of([0.3, 0.6].into_iter(), Some(0.5));
        assert_eq!(shades.of_value(0.5), PALE);
        assert!((shades.of_value(0.3).lightness - RED.lightness).abs() < 1e-9);
        let half = shades.of_value(0.6);
        assert!((half.lightness - (PALE.lightness + BLUE.lightness) / 2.0).abs() < 1e-9);
    }
}
