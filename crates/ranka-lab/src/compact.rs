//! Long tables in a compact form: one line a pairing, one column a figure.

use crate::experiment::{RowFinding, Verdict};
use crate::words::{number, percent};
use std::collections::BTreeSet;

/// More rows than are read one by one.
pub const LONG: usize = 30;

/// More figures than stand side by side.
const MOST_FIGURES: usize = 6;

/// What the cells mean, below a table.
pub const COMPACT: &str = "After ± the wider half of the 95 % interval; in parentheses the figure that it is compared with; whose \
    that is stands in the heading, or beside it where they differ. ✓ agrees, ✗ differs, ? has too few games to tell.";

/// A table in its compact form.
pub struct Compact<'a> {
    /// A column for each figure; where there are too many each stands in its line's label, and one column is left.
    pub columns: Vec<Column>,
    /// The lines.
    pub lines: Vec<CompactLine<'a>>,
}

/// A column of it.
pub struct Column {
    /// The figure, and whose it is compared with, where that is the same in all cells.
    pub heading: String,
    /// Whether the cells say whose figure each is compared with.
    mixed: bool,
}

/// A line of it.
pub struct CompactLine<'a> {
    /// What it is called.
    pub label: String,
    /// The place of its pairing.
    pub pairing: usize,
    /// How many games count.
    pub games: u64,
    /// The rows of the whole table that stand in it, by figure.
    pub cells: Vec<Option<&'a RowFinding>>,
}

impl Compact<'_> {
    /// The compact form of a table.
    pub fn of(rows: &[RowFinding]) -> Compact<'_> {
        let mut figures: Vec<&str> = Vec::new();
        for row in rows {
            if !figures.contains(&row.figure.as_str()) {
                figures.push(&row.figure);
            }
        }
        if figures.len() > MOST_FIGURES {
            let line = |row| line(row, format!("{}: {}", label(row), row.figure), vec![Some(row)]);
            let columns = vec![Column::of("measured", rows.iter())];
            return Compact { columns, lines: rows.iter().map(line).collect() };
        }
        let mut lines: Vec<CompactLine<'_>> = Vec::new();
        for row in rows {
            let label = label(row);
            let column = figures.iter().position(|&figure| figure == row.figure).unwrap_or(0);
            let free = |line: &&mut CompactLine<'_>| {
                line.label == label && line.pairing == row.pairing && line.cells[column].is_none()
            };
            match lines.iter_mut().find(free) {
                Some(line) => line.cells[column] = Some(row),
                None => {
                    let mut cells = vec![None; figures.len()];
                    cells[column] = Some(row);
                    lines.push(line(row, label, cells));
                }
            }
        }
        let column = |figure: &&str| Column::of(figure, rows.iter().filter(|row| row.figure == *figure));
        Compact { columns: figures.iter().map(column).collect(), lines }
    }
}

fn line<'a>(row: &'a RowFinding, label: String, cells: Vec<Option<&'a RowFinding>>) -> CompactLine<'a> {
    CompactLine { label, pairing: row.pairing, games: row.measured.n, cells }
}

fn label(row: &RowFinding) -> String {
    if row.when.is_empty() { row.label.clone() } else { format!("{} ({})", row.label, row.when) }
}

impl Column {
    fn of<'a>(figure: &str, rows: impl Iterator<Item = &'a RowFinding>) -> Column {
        let whose: BTreeSet<&str> = rows.filter_map(|row| Some(compared(row)?.1)).collect();
        let heading = match whose.first() {
            Some(only) if whose.len() == 1 => format!("{figure} ({only})"),
            _ => figure.to_owned(),
        };
        Column { heading, mixed: whose.len() > 1 }
    }

    /// A row's figure with what is uncertain of it and what it is compared with.
    pub fn cell(&self, row: &RowFinding) -> String {
        cell(row, self.mixed)
    }
}

/// What a row's figure is compared with, and whose that is.
fn compared(row: &RowFinding) -> Option<(f64, &'static str)> {
    let reference = row.reference.as_ref().map(|known| (known.value, known.origin.label()));
    reference.or_else(|| Some((row.computed?, "computed")))
}

fn cell(row: &RowFinding, tell_whose: bool) -> String {
    let Some(value) = row.measured.value else { return "no games".to_owned() };
    let [low, high] = row.measured.interval;
    let half = (value - low).max(high - value);
    let told = |x: f64| if row.percent { percent(x).trim_end_matches(" %").to_owned() } else { number(x) };
    let unit = if row.percent { " %" } else { "" };
    let half = if half.is_finite() { format!(" ± {}", told(half)) } else { String::new() };
    let compared = match compared(row) {
        None => String::new(),
        Some((known, whose)) if tell_whose => format!(" ({whose} {})", told(known)),
        Some((known, _)) => format!(" ({})", told(known)),
    };
    format!("{}{half}{unit}{compared}", told(value))
}

impl Verdict {
    /// As a mark in a compact table.
    pub const fn mark(self) -> &'static str {
        match self {
            Verdict::New => "",
            Verdict::Agrees => "✓",
            Verdict::Differs => "✗",
            Verdict::TooFew => "?",
        }
    }
}
