//! Strips: what held at each ply, a row per game or group.

use super::marks::{self, Rectangle};
use super::scale::Scale;
use super::sheet::{Anchor, Area, EDGE, Key, Plan, Sheet, TEXT, WIDTH};
use super::sieve::Sieve;
use super::{Caption, text};
use ranka_core::{Svg, theme};

/// Rows of cells, each of one of a few categories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strip {
    /// The words around it.
    pub caption: Caption,
    /// The categories; the first is drawn as the quiet ground of the others.
    pub categories: Vec<String>,
    /// The rows from top to bottom.
    pub rows: Vec<StripRow>,
    /// The name of a last row, if wanted: the shares of the categories among the rows, ply by ply.
    pub aggregate: Option<String>,
}

/// A row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StripRow {
    /// Whose row it is.
    pub label: String,
    /// The index of the category at each ply, beginning with ply 1; nothing where nothing is known.
    pub cells: Vec<Option<usize>>,
}

const AGGREGATE_HEIGHT: f64 = 72.0;
const BEFORE_AGGREGATE: f64 = 14.0;

impl Strip {
    /// The drawing.
    pub fn svg(&self) -> String {
        let mut sieve = Sieve::default();
        let rows: Vec<StripRow> = self.rows.iter().map(|row| self.drawable(row, &mut sieve)).collect();
        let plies = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let names = rows.iter().map(|row| &row.label).chain(&self.aggregate);
        let widest = names.map(|name| text::width(&text::clean(name), TEXT)).fold(0.0, f64::max);
        let label_room = widest.min(200.0);
        let left = EDGE + label_room + 12.0;
        let right = EDGE + 4.0;
        let numbers: Vec<String> = (1..=plies).map(|ply| ply.to_string()).collect();
        let x = Scale::places(&numbers, WIDTH - left - right);
        let pitch = if rows.len() > 20 { 22.0 } else { 28.0 };
        let rows_height = pitch * rows.len().max(2) as f64;
        let aggregate = self.aggregate.as_ref().map_or(0.0, |_| BEFORE_AGGREGATE + AGGREGATE_HEIGHT);
        let keys = self.categories.iter().enumerate().map(|(kind, name)| {
            Key::new(text::clean(name), move |svg, x, y| {
                Brush::default()
                    .fill(svg, kind, Rectangle { x: x - 11.0, y: y - 8.0, w: 22.0, h: 16.0 }, "")
                    .finish(svg);
            })
        });
        let mut sheet = Sheet::open(
            &self.caption,
            Plan {
                left,
                right,
                extra_height: 0.0,
                height: rows_height + aggregate + 4.0,
                keys: keys.collect(),
                says: format!("{} rows of up to {plies} plies.", rows.len()),
                note: sieve.note(&self.caption.note),
            },
        );
        let area = sheet.area;
        sheet.x_axis(area, &x);
        if plies == 0 {
            sheet.nothing();
        }
        let edge = |ply: usize| area.x(&x, ply as f64 - 0.5);
        let mut brush = Brush::default();
        for (i, row) in rows.iter().enumerate() {
            let y = area.top + pitch * i as f64;
            sheet.label(left - 10.0, y + pitch / 2.0, Anchor::End, theme::INK, &row.label, label_room + 1.0);
            for (kind, from, to) in runs(&row.cells) {
                let cell = Rectangle { x: edge(from), y: y + 2.0, w: edge(to) - edge(from), h: pitch - 4.0 };
                brush.fill(&mut sheet.svg, kind, cell, "class=\"cell\"");
            }
        }
        brush.finish(&mut sheet.svg);
        if let Some(name) = &self.aggregate {
            let lower = Area { top: area.bottom - 4.0 - AGGREGATE_HEIGHT, bottom: area.bottom - 4.0, ..area };
            let middle = (lower.top + lower.bottom) / 2.0;
            sheet.label(left - 10.0, middle, Anchor::End, theme::INK, name, label_room + 1.0);
            self.draw_shares(&mut sheet.svg, &rows, lower, edge, plies);
        }
        sheet.finish()
    }

    fn drawable(&self, row: &StripRow, sieve: &mut Sieve) -> StripRow {
        let mut known = |cell: &Option<usize>| {
            let unknown = cell.is_some_and(|kind| kind >= self.categories.len());
            if unknown {
                sieve.leave_out();
            }
            cell.filter(|_| !unknown)
        };
        StripRow { label: row.label.clone(), cells: row.cells.iter().map(&mut known).collect() }
    }

    fn draw_shares(
        &self,
        svg: &mut Svg,
        rows: &[StripRow],
        area: Area,
        edge: impl Fn(usize) -> f64,
        plies: usize,
    ) {
        let mut brush = Brush::default();
        for ply in 0..plies {
            let mut counts = vec![0; self.categories.len()];
            for kind in rows.iter().filter_map(|row| row.cells.get(ply).copied().flatten()) {
                counts[kind] += 1;
            }
            let all: usize = counts.iter().sum();
            // The first category lies on top, so that the others rise from the ground.
            let mut bottom = area.bottom;
            for kind in (1..counts.len()).chain([0]).filter(|kind| counts[*kind] > 0) {
                let h = area.height() * counts[kind] as f64 / all as f64;
                bottom -= h;
                let cell = Rectangle { x: edge(ply), y: bottom, w: edge(ply + 1) - edge(ply), h };
                brush.fill(svg, kind, cell, "class=\"share\" shape-rendering=\"crispEdges\"");
            }
        }
        brush.finish(svg);
    }
}

/// Fills cells at once and draws their textures at the end, so that they are few elements.
#[derive(Default)]
struct Brush {
    textures: String,
}

impl Brush {
    fn fill(&mut self, svg: &mut Svg, kind: usize, cell: Rectangle, attributes: &str) -> &mut Brush {
        let (colour, opacity) = match kind.checked_sub(1) {
            None => (theme::LINE, "0.55"),
            Some(kind) => (marks::colour(kind), "1"),
        };
        let attributes = format!("fill=\"{colour}\" fill-opacity=\"{opacity}\" {attributes}");
        svg.rect(cell.x, cell.y, cell.w, cell.h, 0.0, &attributes);
        self.textures += &marks::texture(kind, cell);
        self
    }

    fn finish(&mut self, svg: &mut Svg) {
        if !self.textures.is_empty() {
            svg.path(&self.textures, marks::TEXTURE);
        }
    }
}

/// Neighbours of one category together: the category, the first index and the one after the last.
fn runs(cells: &[Option<usize>]) -> Vec<(usize, usize, usize)> {
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for (i, kind) in cells.iter().enumerate() {
        match (kind, runs.last_mut()) {
            (Some(kind), Some((of, _, to))) if of == kind && *to == i => *to = i + 1,
            (Some(kind), _) => runs.push((*kind, i, i + 1)),
            (None, _) => {}
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_one_category_are_one_run() {
        let cells = [Some(0), Some(0), None, Some(0), Some(2)];
        assert_eq!(runs(&cells), [(0, 0, 2), (0, 3, 4), (2, 4, 5)]);
        assert!(runs(&[]).is_empty());
    }
}
