//! Curves: series over a common axis, named where they end.

use super::end_labels::{self, EndLabel};
use super::estimates::{draw_interval, reach, say};
use super::marks;
use super::scale::{AxisUnit, Scale};
use super::sheet::{Area, EDGE, Key, Plan, Sheet, WIDTH};
use super::sieve::Sieve;
use super::{Caption, ErrorBar, Reference, ReferenceLine, text};
use ranka_core::{Svg, theme};

/// With more points than this, a line is drawn without marks and its intervals as a band.
pub(super) const MOST_MARKS: usize = 32;

/// The size of what is written at a change.
const CHANGE: f64 = 14.0;

/// How wide it may be.
const CHANGE_ROOM: f64 = 90.0;

/// Several series of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// The words around it.
    pub caption: Caption,
    /// How the values are written.
    pub unit: AxisUnit,
    /// What runs to the right.
    pub x_axis: XAxis,
    /// How intervals are drawn.
    pub intervals: Intervals,
    /// The series; their colours and shapes go by their order.
    pub series: Vec<Series>,
    /// A value that all series compare with.
    pub level: Option<ReferenceLine>,
    /// Named if both axes are linear and tell the same kind of value: the line on which they agree.
    pub diagonal: Option<String>,
}

/// What runs to the right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum XAxis {
    /// Numbers, evenly.
    #[default]
    Linear,
    /// Positive numbers, by their logarithms.
    Logarithmic,
    /// Names; the `x` of a point is the index of its name.
    Categories(Vec<String>),
}

/// How the intervals of curves are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Intervals {
    /// A bar at each point.
    #[default]
    Bars,
    /// A band along the line.
    Bands,
}

/// A series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name.
    pub label: String,
    /// What was measured.
    pub points: Vec<Point>,
    /// What others found, and where.
    pub references: Vec<(f64, Reference)>,
    /// What is known for certain.
    pub exact: Vec<(f64, f64)>,
    /// Where it is something new from here on, and what: written at the point there.
    pub changes: Vec<(f64, String)>,
}

/// A value at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The place.
    pub x: f64,
    /// The value.
    pub y: ErrorBar,
}

/// Where the values of a plot lie.
struct Frame {
    area: Area,
    x: Scale,
    y: Scale,
}

impl Frame {
    fn place(&self, x: f64, y: f64) -> (f64, f64) {
        (self.area.x(&self.x, x), self.area.y(&self.y, y))
    }

    /// From where to where values lie within both axes.
    fn both(&self) -> [f64; 2] {
        let [[left, right], [low, high]] = [self.x.ends(), self.y.ends()];
        [left.max(low), right.min(high)]
    }
}

impl Curves {
    /// The drawing.
    pub fn svg(&self) -> String {
        let mut sieve = Sieve::default();
        let series: Vec<Series> =
            self.series.iter().map(|series| self.drawable(series, &mut sieve)).collect();
        let level = self.level.as_ref().and_then(|line| Some((sieve.value(line.value)?, line)));

        let values = series.iter().flat_map(Series::values).chain(level.map(|(value, _)| value));
        let y = Scale::loose(values, self.unit, 5);
        let shown: Vec<&Series> = series.iter().filter(|series| !series.is_empty()).collect();
        let left = EDGE + y.label_width() + 8.0;
        let right = end_labels::room(
            shown
                .iter()
                .map(|series| &series.label)
                .chain(level.map(|(_, line)| &line.label))
                .chain(&self.diagonal)
                .map(String::as_str),
        );
        let x = self.x_scale(&series, WIDTH - left - right - 20.0);
        let left = left.max(x.overhang(WIDTH - left - right - 20.0));
        let x = self.x_scale(&series, WIDTH - left - right - 20.0);
        let mut sheet = Sheet::open(
            &self.caption,
            Plan {
                left,
                right,
                extra_height: x.extra_height(),
                height: end_labels::height(shown.len() + 1).max(280.0),
                keys: keys(&series),
                says: series.iter().map(|series| self.says(series) + ". ").collect(),
                note: sieve.note(&self.caption.note),
            },
        );
        let whole = sheet.area;
        let frame =
            Frame { area: Area { left: whole.left + 10.0, right: whole.right - 10.0, ..whole }, x, y };
        sheet.y_axis(whole, &frame.y);
        sheet.x_axis(frame.area, &frame.x);
        if shown.is_empty() {
            sheet.nothing();
        }
        if let Some((value, _)) = level {
            let y = frame.area.y(&frame.y, value);
            draw_dashes(&mut sheet.svg, (whole.left, y), (whole.right, y), "class=\"level\"");
        }
        let [from, to] = frame.both();
        let diagonal = self.diagonal.as_ref().filter(|_| self.x_axis == XAxis::Linear && from < to);
        if diagonal.is_some() {
            let ends = [from, to].map(|value| frame.place(value, value));
            draw_dashes(&mut sheet.svg, ends[0], ends[1], "class=\"diagonal\"");
        }
        let asides: Vec<f64> = (0..series.len()).map(|i| self.aside(&frame, i, series.len())).collect();
        for (i, (series, aside)) in series.iter().zip(&asides).enumerate() {
            sheet.svg.group("class=\"series\"").title(&text::clean(&series.label));
            series.draw(&mut sheet.svg, &frame, i, self.intervals, *aside);
            sheet.svg.close();
        }
        // Hollow, and so above all others: they hide nothing.
        for (i, (series, aside)) in series.iter().zip(&asides).enumerate() {
            series.draw_references(&mut sheet.svg, &frame, i, *aside);
        }
        let mut ends: Vec<EndLabel<'_>> =
            series.iter().enumerate().filter_map(|(i, s)| s.end(&frame, i)).collect();
        let lines = level.map(|(value, line)| (value, &line.label));
        ends.extend(lines.into_iter().chain(diagonal.map(|says| (to, says))).map(|(value, says)| EndLabel {
            y: frame.area.y(&frame.y, value),
            says: says.clone(),
            sign: Box::new(|svg, x, y| draw_dashes(svg, (x - 9.0, y), (x + 9.0, y), "")),
        }));
        end_labels::draw(&mut sheet, whole, &ends);
        sheet.finish()
    }

    /// How far a series is moved: beside the others where all share a name, or their bars would hide each other.
    fn aside(&self, frame: &Frame, i: usize, count: usize) -> f64 {
        let XAxis::Categories(names) = &self.x_axis else { return 0.0 };
        let place = frame.area.width() / names.len().max(1) as f64;
        (i as f64 - (count - 1) as f64 / 2.0) * (place * 0.6 / count as f64).min(12.0)
    }

    fn x_scale(&self, series: &[Series], room: f64) -> Scale {
        let places = series.iter().flat_map(Series::places);
        match &self.x_axis {
            XAxis::Linear => Scale::tight(places, AxisUnit::Number, room),
            XAxis::Logarithmic => Scale::logarithmic(places, AxisUnit::Number, room),
            XAxis::Categories(names) => {
                Scale::places(&names.iter().map(|name| text::clean(name)).collect::<Vec<_>>(), room)
            }
        }
    }

    fn drawable(&self, series: &Series, sieve: &mut Sieve) -> Series {
        let allowed = |x: f64| match &self.x_axis {
            XAxis::Linear => true,
            XAxis::Logarithmic => x > 0.0,
            XAxis::Categories(names) => x >= 0.0 && x <= names.len() as f64 - 1.0,
        };
        let mut placed = |x: f64, y: ErrorBar| {
            let (x, _) = sieve.pair(x, y.value)?;
            if !allowed(x) {
                sieve.leave_out();
                return None;
            }
            Some(Point { x, y: sieve.estimate(y)? })
        };
        let mut points: Vec<Point> =
            series.points.iter().filter_map(|point| placed(point.x, point.y)).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        let reference = |&(x, Reference { origin, estimate }): &(f64, Reference)| {
            let Point { x, y } = placed(x, estimate)?;
            Some((x, Reference { origin, estimate: y }))
        };
        let mut references: Vec<(f64, Reference)> = series.references.iter().filter_map(reference).collect();
        references.sort_by(|a, b| a.0.total_cmp(&b.0));
        let certain = |&(x, value): &(f64, f64)| {
            placed(x, ErrorBar { value, interval: None }).map(|point| (point.x, point.y.value))
        };
        let mut exact: Vec<(f64, f64)> = series.exact.iter().filter_map(certain).collect();
        exact.sort_by(|a, b| a.0.total_cmp(&b.0));
        let changes = series.changes.clone();
        Series { label: series.label.clone(), points, references, exact, changes }
    }

    fn says(&self, series: &Series) -> String {
        let place = |x: f64| match &self.x_axis {
            XAxis::Categories(names) => names.get(x as usize).cloned().unwrap_or_default(),
            _ => AxisUnit::Number.say(x),
        };
        let Some((first, last)) = series.points.first().zip(series.points.last()) else {
            return format!("{}: nothing measured", series.label);
        };
        let at = |point: &Point| format!("{} at {}", say(point.y, self.unit), place(point.x));
        format!("{}: from {} to {}, {} points", series.label, at(first), at(last), series.points.len())
    }
}

impl Series {
    fn is_empty(&self) -> bool {
        self.points.is_empty() && self.references.is_empty() && self.exact.is_empty()
    }

    fn values(&self) -> impl Iterator<Item = f64> {
        let references = self.references.iter().map(|(_, reference)| reference.estimate);
        let estimates = self.points.iter().map(|point| point.y).chain(references);
        estimates.flat_map(reach).chain(self.exact.iter().map(|(_, y)| *y))
    }

    fn places(&self) -> impl Iterator<Item = f64> {
        self.points
            .iter()
            .map(|point| point.x)
            .chain(self.references.iter().map(|(x, _)| *x))
            .chain(self.exact.iter().map(|(x, _)| *x))
    }

    fn draw(&self, svg: &mut Svg, frame: &Frame, i: usize, intervals: Intervals, aside: f64) {
        let (colour, dashes) = (marks::colour(i), marks::dashes(i));
        let place = |x: f64, y: f64| {
            let (x, y) = frame.place(x, y);
            (x + aside, y)
        };
        let many = self.points.len() > MOST_MARKS;
        let banded = many || intervals == Intervals::Bands;
        if banded && self.points.iter().any(|point| point.y.interval.is_some()) {
            let end = |k: usize| {
                move |point: &Point| place(point.x, point.y.interval.map_or(point.y.value, |ends| ends[k]))
            };
            let mut outline: Vec<_> = self.points.iter().map(end(1)).collect();
            outline.extend(self.points.iter().rev().map(end(0)));
            let attributes = format!("class=\"band\" fill=\"{colour}\" fill-opacity=\"0.18\"");
            svg.path(&(marks::track(&outline) + "Z"), &attributes);
        }
        if !self.exact.is_empty() {
            let line: Vec<_> = self.exact.iter().map(|&(x, y)| place(x, y)).collect();
            let attributes = format!(
                "class=\"exact\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.25\" {dashes}",
                theme::INK
            );
            svg.path(&marks::track(&line), &attributes);
        }
        if self.points.len() > 1 {
            let line: Vec<_> = self.points.iter().map(|point| place(point.x, point.y.value)).collect();
            let attributes = format!(
                "class=\"line\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.25\" stroke-linejoin=\"round\" {dashes}"
            );
            svg.path(&marks::track(&line), &attributes);
        }
        for point in self.points.iter().filter(|_| !many) {
            if !banded {
                draw_interval(svg, point.y, |value| place(point.x, value), colour);
            }
            let (x, y) = place(point.x, point.y.value);
            marks::mark(svg, i, x, y, 5.0, &format!("class=\"measured\" {}", marks::filled(i)));
        }
        for (at, says) in &self.changes {
            let Some(point) = self.points.iter().find(|point| point.x.total_cmp(at).is_eq()) else {
                continue;
            };
            let (x, y) = place(point.x, point.y.value);
            let words = text::clean(says);
            let shown = text::shorten(&words, CHANGE, CHANGE_ROOM);
            let left = (x + 7.0).min(WIDTH - EDGE - text::width(&shown, CHANGE));
            svg.group("class=\"change\"").title(&words);
            svg.text(left, y - 7.0, CHANGE, &format!("fill=\"{}\"", theme::INK), &shown);
            svg.close();
        }
    }

    fn draw_references(&self, svg: &mut Svg, frame: &Frame, i: usize, aside: f64) {
        let (colour, dashes) = (marks::colour(i), marks::dashes(i));
        let place = |x: f64, y: f64| {
            let (x, y) = frame.place(x, y);
            (x + aside, y)
        };
        if self.references.len() > 1 {
            // A faint line with the dashes of the series says whose values they are.
            let line: Vec<_> =
                self.references.iter().map(|(x, reference)| place(*x, reference.estimate.value)).collect();
            let attributes = format!(
                "fill=\"none\" stroke=\"{colour}\" stroke-width=\"1\" stroke-opacity=\"0.7\" {dashes}"
            );
            svg.path(&marks::track(&line), &attributes);
        }
        for &(at, Reference { origin, estimate }) in &self.references {
            draw_interval(svg, estimate, |value| place(at, value), theme::INK);
            let (x, y) = place(at, estimate.value);
            marks::reference(svg, origin, x, y, 8.0, "class=\"reference\"");
        }
    }

    fn end<'a>(&self, frame: &Frame, i: usize) -> Option<EndLabel<'a>> {
        let measured = self.points.last().map(|point| point.y.value);
        let exact = self.exact.last().map(|(_, y)| *y);
        let reference = self.references.last().map(|(_, reference)| reference.estimate.value);
        let last = measured.or(exact).or(reference)?;
        let line = measured.is_some();
        let sign = move |svg: &mut Svg, x: f64, y: f64| {
            let (colour, width) = if line { (marks::colour(i), 2.25) } else { (theme::INK, 1.25) };
            let stroke = format!("stroke=\"{colour}\" stroke-width=\"{width}\" {}", marks::dashes(i));
            marks::line(svg, (x - 9.0, y), (x + 9.0, y), &stroke);
            if line {
                marks::mark(svg, i, x, y, 5.0, &marks::filled(i));
            }
        };
        let y = frame.area.y(&frame.y, last);
        Some(EndLabel { y, says: self.label.clone(), sign: Box::new(sign) })
    }
}

fn keys<'a>(series: &[Series]) -> Vec<Key<'a>> {
    let references = series.iter().flat_map(|series| &series.references);
    let mut keys: Vec<Key<'a>> =
        Key::references(&references.map(|(_, reference)| reference.origin).collect()).collect();
    if series.iter().any(|series| !series.exact.is_empty()) {
        keys.push(Key::new("exact", |svg, x, y| {
            let stroke = format!("stroke=\"{}\" stroke-width=\"1.25\"", theme::INK);
            marks::line(svg, (x - 12.0, y), (x + 12.0, y), &stroke);
        }));
    }
    keys
}

/// A dashed line that others are compared with.
fn draw_dashes(svg: &mut Svg, from: (f64, f64), to: (f64, f64), attributes: &str) {
    let stroke = format!("stroke=\"{}\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"", theme::QUIET);
    marks::line(svg, from, to, &format!("{attributes} {stroke}"));
}
