//! Rates: a row per value, so that measured, reference and exact values compare at once.

use super::estimates::{draw_interval, reach, say};
use super::marks;
use super::scale::{AxisUnit, Scale};
use super::sheet::{Anchor, Area, EDGE, Key, Plan, Sheet, TEXT, WIDTH};
use super::sieve::Sieve;
use super::{Caption, ErrorBar, Reference, ReferenceLine, text};
use ranka_core::{Svg, theme};

/// Values with intervals, a row each.
#[derive(Clone, Debug, PartialEq)]
pub struct Rates {
    /// The words around it.
    pub caption: Caption,
    /// How the values are written.
    pub unit: AxisUnit,
    /// The rows from top to bottom.
    pub rows: Vec<Rate>,
    /// A value that all rows compare with.
    pub level: Option<ReferenceLine>,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate {
    /// Whose value it is.
    pub label: String,
    /// What was measured here.
    pub measured: Option<ErrorBar>,
    /// What somebody else found.
    pub reference: Option<Reference>,
    /// What is known for certain.
    pub exact: Option<f64>,
}

impl Rates {
    /// The drawing.
    pub fn svg(&self) -> String {
        let mut sieve = Sieve::default();
        let rows: Vec<Rate> = self.rows.iter().map(|row| row.drawable(&mut sieve)).collect();
        let level = self.level.as_ref().and_then(|line| Some((sieve.value(line.value)?, line)));

        let values = rows.iter().flat_map(Rate::values).chain(level.map(|(value, _)| value));
        let scale = Scale::loose(values, self.unit, 5);
        let written = |row: &Rate| row.measured.map(|m| self.unit.say(m.value)).unwrap_or_default();
        let widest = |words: &dyn Fn(&Rate) -> String| {
            rows.iter().map(|row| text::width(&words(row), TEXT)).fold(0.0, f64::max)
        };
        let label_room = widest(&|row| text::clean(&row.label)).min(220.0);
        let value_room = widest(&written);
        let last_tick = scale.ticks.last().map_or(0.0, |tick| text::width(&tick.label, TEXT) / 2.0);
        // With intervals of its own, the reference needs a lane of its own.
        let lanes = rows.iter().any(|row| row.reference.is_some_and(|r| r.estimate.interval.is_some()));
        let pitch = if lanes {
            38.0
        } else if rows.len() > 20 {
            24.0
        } else {
            30.0
        };
        let head = if level.is_some() { 20.0 } else { 0.0 };

        let mut sheet = Sheet::open(
            &self.caption,
            Plan {
                left: EDGE + label_room + 18.0,
                right: EDGE + (value_room + 12.0).max(last_tick),
                extra_height: 0.0,
                height: head + pitch * rows.len().max(2) as f64 + 6.0,
                keys: keys(&rows),
                says: rows.iter().map(|row| row.says(self.unit) + ". ").collect(),
                note: sieve.note(&self.caption.note),
            },
        );
        let area = Area { top: sheet.area.top + head, ..sheet.area };
        sheet.x_axis(area, &scale);
        if let Some((value, line)) = level {
            draw_level(&mut sheet, area, area.x(&scale, value), &line.label);
        }
        if rows.is_empty() {
            sheet.nothing();
        }
        for (i, row) in rows.iter().enumerate() {
            let y = area.top + pitch * (i as f64 + 0.5);
            sheet.rule(area, y);
            sheet.label(area.left - 14.0, y, Anchor::End, theme::INK, &row.label, label_room + 1.0);
            sheet.label(WIDTH - EDGE, y, Anchor::End, theme::INK, &written(row), value_room + 1.0);
            sheet.svg.group("class=\"row\"").title(&text::clean(&row.says(self.unit)));
            row.draw(&mut sheet.svg, area, &scale, y, if lanes { 8.0 } else { 0.0 });
            sheet.svg.close();
        }
        sheet.finish()
    }
}

impl Rate {
    fn drawable(&self, sieve: &mut Sieve) -> Rate {
        Rate {
            label: self.label.clone(),
            measured: self.measured.and_then(|measured| sieve.estimate(measured)),
            reference: self.reference.and_then(|Reference { origin, estimate }| {
                Some(Reference { origin, estimate: sieve.estimate(estimate)? })
            }),
            exact: self.exact.and_then(|exact| sieve.value(exact)),
        }
    }

    fn values(&self) -> impl Iterator<Item = f64> {
        let reference = self.reference.map(|reference| reference.estimate);
        let estimates = [self.measured, reference].into_iter().flatten();
        estimates.flat_map(reach).chain(self.exact)
    }

    fn says(&self, unit: AxisUnit) -> String {
        let mut parts = Vec::new();
        parts.extend(self.measured.map(|measured| say(measured, unit)));
        parts.extend(
            self.reference
                .map(|Reference { origin, estimate }| format!("{} {}", origin.label(), say(estimate, unit))),
        );
        parts.extend(self.exact.map(|exact| format!("exact {}", unit.say(exact))));
        if parts.is_empty() {
            parts.push("no value".into());
        }
        format!("{}: {}", self.label, parts.join(", "))
    }

    fn draw(&self, svg: &mut Svg, area: Area, scale: &Scale, y: f64, lane: f64) {
        if let Some(exact) = self.exact {
            draw_exact(svg, area.x(scale, exact), y, 10.0 + lane, "class=\"exact\"");
        }
        if let Some(measured) = self.measured {
            let place = |value| (area.x(scale, value), y - lane);
            draw_interval(svg, measured, place, marks::colour(0));
            let (x, y) = place(measured.value);
            marks::mark(svg, 0, x, y, 5.5, &format!("class=\"measured\" {}", marks::filled(0)));
        }
        if let Some(Reference { origin, estimate }) = self.reference {
            let place = |value| (area.x(scale, value), y + lane);
            draw_interval(svg, estimate, place, theme::INK);
            let (x, y) = place(estimate.value);
            marks::reference(svg, origin, x, y, 8.0, "class=\"reference\"");
        }
    }
}

fn draw_exact(svg: &mut Svg, x: f64, y: f64, half: f64, attributes: &str) {
    let attributes = format!("{attributes} stroke=\"{}\" stroke-width=\"3\"", theme::INK);
    marks::line(svg, (x, y - half), (x, y + half), &attributes);
}

fn draw_level(sheet: &mut Sheet, area: Area, x: f64, label: &str) {
    let attributes =
        format!("class=\"level\" stroke=\"{}\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"", theme::QUIET);
    marks::line(&mut sheet.svg, (x, area.top - 2.0), (x, area.bottom), &attributes);
    let half = text::width(&text::clean(label), TEXT).min(400.0) / 2.0;
    let middle = x.clamp(EDGE + half, WIDTH - EDGE - half);
    sheet.label(middle, area.top - 12.0, Anchor::Middle, theme::QUIET, label, 401.0);
}

fn keys<'a>(rows: &[Rate]) -> Vec<Key<'a>> {
    let mut keys = Vec::new();
    // A plot of nothing but measured values explains itself.
    let others = rows.iter().any(|row| row.reference.is_some() || row.exact.is_some());
    if others && rows.iter().any(|row| row.measured.is_some()) {
        keys.push(Key::measured());
    }
    keys.extend(Key::references(&rows.iter().filter_map(|row| Some(row.reference?.origin)).collect()));
    if rows.iter().any(|row| row.exact.is_some()) {
        keys.push(Key::new("exact", |svg, x, y| draw_exact(svg, x, y, 10.0, "")));
    }
    keys
}
