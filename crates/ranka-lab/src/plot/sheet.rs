//! The sheet that all plots are drawn on: title, key, axes, labels and note.

use super::marks::{self, GROUND};
use super::scale::{SLANT, Scale, TICK_LINE, Tick, TickWriting};
use super::{Caption, text};
use crate::Origins;
use ranka_core::{Svg, theme};

/// The width of every plot.
pub(super) const WIDTH: f64 = 640.0;
/// The size of text: at half the width it can still be read.
pub(super) const TEXT: f64 = 16.0;
/// The free margin.
pub(super) const EDGE: f64 = 14.0;

const TITLE: f64 = 19.0;
/// Bold letters are wider.
const BOLD: f64 = 1.12;
const LINE: f64 = 21.0;
/// The room of a sign of the key.
const SIGN: f64 = 30.0;

/// Where text stands relative to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn attribute(self) -> &'static str {
        match self {
            Anchor::Start => "text-anchor=\"start\"",
            Anchor::Middle => "text-anchor=\"middle\"",
            Anchor::End => "text-anchor=\"end\"",
        }
    }
}

/// A sign drawn around a place.
pub(super) type Sign<'a> = Box<dyn Fn(&mut Svg, f64, f64) + 'a>;

/// A sign and what it means.
pub(super) struct Key<'a> {
    pub(super) sign: Sign<'a>,
    pub(super) says: String,
}

impl<'a> Key<'a> {
    pub(super) fn new(says: impl Into<String>, sign: impl Fn(&mut Svg, f64, f64) + 'a) -> Key<'a> {
        Key { sign: Box::new(sign), says: says.into() }
    }

    /// The keys of reference figures, one for each origin.
    pub(super) fn references(origins: &Origins) -> impl Iterator<Item = Key<'a>> {
        origins.iter().map(|origin| {
            Key::new(origin.label(), move |svg, x, y| marks::reference(svg, origin, x, y, 7.0, ""))
        })
    }

    /// The key of measured values.
    pub(super) fn measured() -> Key<'a> {
        Key::new("measured", |svg, x, y| {
            let stroke = format!("stroke=\"{}\" stroke-width=\"2\"", marks::colour(0));
            marks::line(svg, (x - 12.0, y), (x + 12.0, y), &stroke);
            marks::mark(svg, 0, x, y, 5.5, &marks::filled(0));
        })
    }
}

/// Where data is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Area {
    /// Where a value lies from left to right.
    pub(super) fn x(&self, scale: &Scale, value: f64) -> f64 {
        self.left + (self.right - self.left) * scale.at(value)
    }

    /// Where a value lies from bottom to top.
    pub(super) fn y(&self, scale: &Scale, value: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * scale.at(value)
    }

    /// How wide it is.
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    /// How high it is.
    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// What a plot needs of its sheet.
pub(super) struct Plan<'a> {
    /// The room left of the data.
    pub(super) left: f64,
    /// The room right of the data.
    pub(super) right: f64,
    /// The height of the data.
    pub(super) height: f64,
    /// How much higher than a line the labels below the data are.
    pub(super) extra_height: f64,
    /// The signs that cannot be labelled where they are.
    pub(super) keys: Vec<Key<'a>>,
    /// The data in words.
    pub(super) says: String,
    /// The note with all that is to be said.
    pub(super) note: String,
}

/// A sheet on which the words around the data have been written.
pub(super) struct Sheet {
    pub(super) svg: Svg,
    pub(super) area: Area,
}

impl Sheet {
    /// Lays out the words and makes room for the data.
    pub(super) fn open(caption: &Caption, plan: Plan<'_>) -> Sheet {
        let [title, x_label, y_label] =
            [&caption.title, &caption.x_label, &caption.y_label].map(|words| text::clean(words));
        let note = text::clean(&plan.note);
        let room = WIDTH - 2.0 * EDGE;
        let title_lines = text::wrap(&title, TITLE * BOLD, room, 3);
        let note_lines = text::wrap(&note, TEXT, room, 6);
        let keys = places_of(&plan.keys, room);
        let key_rows = keys.last().map_or(0, |(_, row)| row + 1);

        let title_top = EDGE - 4.0;
        let keys_top = title_top + title_lines.len() as f64 * 25.0 + 6.0;
        let label_top = keys_top + key_rows as f64 * 24.0;
        let top = label_top + if y_label.is_empty() { 0.0 } else { LINE + 4.0 } + 12.0;
        let bottom = top + plan.height;
        let x_label_top = bottom + 28.0 + plan.extra_height;
        let note_top = x_label_top + if x_label.is_empty() { 0.0 } else { LINE + 3.0 } + 5.0;
        let height = note_top + note_lines.len() as f64 * LINE + EDGE - 4.0;

        let described = text::clean(&format!("{} {note}", plan.says));
        let mut svg = Svg::new(WIDTH, height, &title, &described);
        svg.rect(0.0, 0.0, WIDTH, height, 0.0, &format!("class=\"ground\" fill=\"{GROUND}\""));
        svg.group("style=\"font-variant-numeric: tabular-nums\"");
        let area = Area { left: plan.left, right: WIDTH - plan.right, top, bottom };
        let mut sheet = Sheet { svg, area };

        for (i, line) in title_lines.iter().enumerate() {
            let y = title_top + 25.0 * i as f64 + TITLE;
            sheet.svg.text(EDGE, y, TITLE, &format!("font-weight=\"600\" fill=\"{}\"", theme::INK), line);
        }
        for (key, (x, row)) in plan.keys.iter().zip(keys) {
            let y = keys_top + 24.0 * row as f64 + 12.0;
            (key.sign)(&mut sheet.svg, x + SIGN / 2.0 - 2.0, y);
            sheet.label(x + SIGN, y, Anchor::Start, theme::INK, &key.says, room - x - SIGN + EDGE);
        }
        if !y_label.is_empty() {
            sheet.label(EDGE, label_top + 11.0, Anchor::Start, theme::QUIET, &y_label, room);
        }
        if !x_label.is_empty() {
            // In the middle of the data, but moved where it would leave the sheet.
            let half = (text::width(&x_label, TEXT) / 2.0).min(room / 2.0);
            let middle = ((area.left + area.right) / 2.0).clamp(EDGE + half, WIDTH - EDGE - half);
            sheet.label(middle, x_label_top + 12.0, Anchor::Middle, theme::QUIET, &x_label, room);
        }
        for (i, line) in note_lines.iter().enumerate() {
            let y = note_top + LINE * i as f64 + 15.0;
            let attributes = format!("class=\"note\" fill=\"{}\"", theme::QUIET);
            sheet.svg.text(EDGE, y, TEXT, &attributes, line);
        }
        sheet
    }

    /// Text whose middle line is at `y`, cut to its room; then its title has all of it.
    pub(super) fn label(&mut self, x: f64, y: f64, anchor: Anchor, fill: &str, words: &str, room: f64) {
        let words = text::clean(words);
        let shown = text::shorten(&words, TEXT, room);
        let cut = shown != words;
        if cut {
            self.svg.group("class=\"cut\"").title(&words);
        }
        let attributes = format!("{} fill=\"{fill}\"", anchor.attribute());
        self.svg.text(x, y + TEXT * 0.35, TEXT, &attributes, &shown);
        if cut {
            self.svg.close();
        }
    }

    /// Text over data, on a patch of the ground that keeps it readable.
    pub(super) fn label_over(&mut self, middle: f64, y: f64, words: &str, room: f64) {
        let half = text::width(words, TEXT).min(room) / 2.0 + 3.0;
        let patch = format!("fill=\"{GROUND}\" fill-opacity=\"0.88\"");
        self.svg.rect(middle - half, y - 10.0, 2.0 * half, 20.0, 4.0, &patch);
        self.label(middle, y, Anchor::Middle, theme::INK, words, room);
    }

    /// Horizontal lines at the ticks, and their values.
    pub(super) fn y_axis(&mut self, area: Area, scale: &Scale) {
        for tick in &scale.ticks {
            let y = area.y(scale, tick.value);
            self.rule(area, y);
            self.label(area.left - 8.0, y, Anchor::End, theme::QUIET, &tick.label, area.left - 10.0);
        }
    }

    /// A line of the light horizontal grid.
    pub(super) fn rule(&mut self, area: Area, y: f64) {
        let attributes = format!("class=\"grid\" stroke=\"{}\" stroke-width=\"1\"", theme::LINE);
        marks::line(&mut self.svg, (area.left, y), (area.right, y), &attributes);
    }

    /// Small ticks below the data, and their values.
    pub(super) fn x_axis(&mut self, area: Area, scale: &Scale) {
        for tick in &scale.ticks {
            let x = area.x(scale, tick.value);
            let attributes = format!("stroke=\"{}\" stroke-width=\"1\"", theme::QUIET);
            marks::line(&mut self.svg, (x, area.bottom), (x, area.bottom + 5.0), &attributes);
            match scale.writing {
                TickWriting::Slanted => self.slanted(x, area.bottom, tick),
                _ => self.upright(x, area.bottom, tick),
            }
        }
    }

    /// The label of a tick in one or two lines.
    fn upright(&mut self, x: f64, bottom: f64, tick: &Tick) {
        let lines = text::wrap(&tick.label, TEXT, tick.room, 2);
        let half = lines.iter().map(|line| text::width(line, TEXT)).fold(0.0, f64::max) / 2.0;
        let middle = x.min(WIDTH - 4.0 - half).max(4.0 + half);
        let cut = lines.last().is_some_and(|line| !tick.label.ends_with(line.as_str()));
        if cut {
            self.svg.group("class=\"cut\"").title(&tick.label);
        }
        for (i, line) in lines.iter().enumerate() {
            let y = bottom + 17.0 + TICK_LINE * i as f64;
            self.label(middle, y, Anchor::Middle, theme::QUIET, line, WIDTH);
        }
        if cut {
            self.svg.close();
        }
    }

    /// The label of a tick, rising to it.
    fn slanted(&mut self, x: f64, bottom: f64, tick: &Tick) {
        let (x, y) = (x + 4.0, bottom + 16.0);
        let room = tick.room.min((x - 6.0) / SLANT.to_radians().cos());
        let turn = format!("transform=\"rotate(-{SLANT} {x:.2} {y:.2})\"");
        self.svg.group(&turn);
        self.label(x, y, Anchor::End, theme::QUIET, &tick.label, room);
        self.svg.close();
    }

    /// Says in the middle that there is nothing to see.
    pub(super) fn nothing(&mut self) {
        let (x, y) = ((self.area.left + self.area.right) / 2.0, (self.area.top + self.area.bottom) / 2.0);
        self.label_over(x, y, "no data", WIDTH);
    }

    /// The finished drawing.
    pub(super) fn finish(mut self) -> String {
        self.svg.close();
        self.svg.finish() + "\n"
    }
}

/// Where each key begins, and in which row.
fn places_of(keys: &[Key<'_>], room: f64) -> Vec<(f64, usize)> {
    let (mut x, mut row) = (EDGE, 0);
    let place = |key: &Key<'_>| {
        let width = SIGN + text::width(&key.says, TEXT);
        if x > EDGE && x + width > EDGE + room {
            (x, row) = (EDGE, row + 1);
        }
        let place = (x, row);
        x += width + 18.0;
        place
    };
    keys.iter().map(place).collect()
}
