//! Everything lies where it must by its value: read back from the drawing by the labels of its axes.

use crate::drawing::{Axis, Drawing};
use crate::examples;
use ranka_lab::plot::{ErrorBar, Point, Rate};
use std::collections::BTreeSet;

/// Coordinates have two decimals, so values read back differ in their last digits.
fn assert_alike(what: &str, found: impl IntoIterator<Item = f64>, wanted: impl IntoIterator<Item = f64>) {
    let (found, wanted): (Vec<f64>, Vec<f64>) = (found.into_iter().collect(), wanted.into_iter().collect());
    assert_eq!(found.len(), wanted.len(), "{what}: {found:?} for {wanted:?}");
    for (a, b) in found.iter().zip(&wanted) {
        assert!((a - b).abs() <= 2e-4 * b.abs().max(1.0), "{what}: {a} for {b} in {found:?}");
    }
}

fn values(estimates: impl Iterator<Item = Option<ErrorBar>>) -> Vec<f64> {
    estimates.flatten().map(|estimate| estimate.value).collect()
}

fn ends(estimates: impl Iterator<Item = Option<ErrorBar>>) -> Vec<f64> {
    estimates.flatten().filter_map(|estimate| estimate.interval).flatten().collect()
}

#[test]
fn rates_lie_on_their_axis() {
    for plot in [examples::rates(), examples::rates_with_lanes()] {
        let drawing = Drawing::sound("rates", &plot.svg());
        let axis = drawing.x_axis();
        let at =
            |class: &str| drawing.middles(class).into_iter().map(|(x, _)| axis.value(x)).collect::<Vec<_>>();
        assert_alike("measured", at("measured"), values(plot.rows.iter().map(|row| row.measured)));
        let reference = |row: &Rate| row.reference.map(|reference| reference.estimate);
        assert_alike("reference", at("reference"), values(plot.rows.iter().map(reference)));
        assert_alike("exact", at("exact"), plot.rows.iter().filter_map(|row| row.exact));
        assert_alike("level", at("level"), plot.level.iter().map(|level| level.value));
        let drawn = drawing.paths("interval");
        let drawn = drawn.iter().flat_map(|corners| [corners[0].0, corners[1].0].map(|x| axis.value(x)));
        let both = plot.rows.iter().flat_map(|row| [row.measured, reference(row)]);
        assert_alike("intervals", drawn, ends(both));
        // A row's marks stand beside its name.
        let rows: Vec<f64> = drawing.middles("measured").iter().map(|&(_, y)| y).collect();
        assert!(rows.is_sorted(), "{rows:?}");
    }
}

fn assert_line(what: &str, drawn: &[(f64, f64)], axes: (Option<&Axis>, &Axis), points: &[Point]) {
    if let Some(x) = axes.0 {
        assert_alike(
            what,
            drawn.iter().map(|corner| x.value(corner.0).log10()),
            points.iter().map(|p| p.x.log10()),
        );
    }
    assert_alike(what, drawn.iter().map(|corner| axes.1.value(corner.1)), points.iter().map(|p| p.y.value));
}

#[test]
fn curves_go_through_their_points() {
    let plot = examples::curves();
    let drawing = Drawing::sound("curves", &plot.svg());
    let (x, y) = (drawing.x_axis(), drawing.y_axis(0.0, f64::INFINITY));
    let measured: Vec<_> = plot.series.iter().filter(|series| !series.points.is_empty()).collect();
    for (line, series) in drawing.paths("line").iter().zip(&measured) {
        assert_line(&series.label, line, (Some(&x), &y), &series.points);
    }
    let points = || measured.iter().flat_map(|series| &series.points);
    let bars = drawing.paths("interval");
    let bars = bars.iter().flat_map(|corners| [corners[0].1, corners[1].1].map(|at| y.value(at)));
    assert_alike("bars", bars, ends(points().map(|point| Some(point.y))));
    let references: Vec<_> = plot.series.iter().flat_map(|series| &series.references).collect();
    let signs = drawing.middles("reference");
    assert_alike(
        "at",
        signs.iter().map(|at| x.value(at.0).log10()),
        references.iter().map(|(at, _)| at.log10()),
    );
    let found = references.iter().map(|(_, reference)| reference.estimate.value);
    assert_alike("reference", signs.iter().map(|at| y.value(at.1)), found);
    let [best] = &drawing.paths("exact")[..] else { panic!("one line is exact") };
    assert_alike("best play", best.iter().map(|corner| y.value(corner.1)), [0.75, 0.75]);

    let plot = examples::curves_by_category();
    let drawing = Drawing::sound("categories", &plot.svg());
    let y = drawing.y_axis(0.0, f64::INFINITY);
    for (line, series) in drawing.paths("line").iter().zip(&plot.series) {
        assert_line(&series.label, line, (None, &y), &series.points);
    }
}

#[test]
fn on_the_diagonal_both_axes_agree() {
    let plot = examples::reliability();
    let drawing = Drawing::sound("reliability", &plot.svg());
    drawing.assert_says("as it was said");
    let (x, y) = (drawing.x_axis(), drawing.y_axis(0.0, f64::INFINITY));
    let [line] = &drawing.paths("diagonal")[..] else { panic!("one line is dashed") };
    let across: Vec<f64> = line.iter().map(|corner| x.value(corner.0)).collect();
    assert_alike("diagonal", across.clone(), line.iter().map(|corner| y.value(corner.1)));
    assert!(across[1] - across[0] > 0.8, "as far as both axes reach: {across:?}");
}

#[test]
fn bands_are_as_wide_as_their_intervals() {
    let plot = examples::curves_with_bands();
    let drawing = Drawing::sound("bands", &plot.svg());
    let y = drawing.y_axis(0.0, f64::INFINITY);
    for (band, series) in drawing.paths("band").iter().zip(&plot.series) {
        let mut drawn: Vec<f64> = band.iter().map(|corner| y.value(corner.1)).collect();
        let mut wanted = ends(series.points.iter().map(|point| Some(point.y)));
        drawn.sort_by(f64::total_cmp);
        wanted.sort_by(f64::total_cmp);
        // Coordinates are rounded before they are put in order.
        assert_eq!(drawn.len(), wanted.len());
        assert!(drawn.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 0.02), "{drawn:?} for {wanted:?}");
    }
}

#[test]
fn bars_are_as_high_as_their_shares() {
    for plot in [examples::histogram(), examples::histogram_beside()] {
        let drawing = Drawing::sound("histogram", &plot.svg());
        let heights: Vec<f64> =
            drawing.of_class("bar").iter().map(|bar| bar["height"].parse().unwrap()).collect();
        let mut shares = Vec::new();
        for sample in [Some(&plot.sample), plot.other.as_ref()].into_iter().flatten() {
            let mut whole: Vec<i64> = sample.values.iter().map(|value| *value as i64).collect();
            whole.sort_unstable();
            let equal = whole.chunk_by(|a, b| a == b);
            shares.extend(equal.map(|same| same.len() as f64 / sample.values.len() as f64));
        }
        let whole: f64 = heights.iter().sum::<f64>() / 2.0;
        let found: Vec<f64> = heights.iter().map(|height| height / whole).collect();
        for (found, wanted) in found.iter().zip(&shares) {
            assert!((found - wanted).abs() < 1e-3, "{found} for {wanted}: {heights:?}");
        }
        assert_eq!(found.len(), shares.len());
    }
}

#[test]
fn parts_are_as_high_as_their_values() {
    for plot in [examples::stacked(), examples::stacked_few(), examples::stacked_slanted()] {
        let drawing = Drawing::sound("stacked", &plot.svg());
        let y = drawing.y_axis(0.0, f64::INFINITY);
        let parts = drawing.of_class("part");
        let drawn = parts.iter().map(|part| y.worth(part["height"].parse().unwrap()));
        let wanted: Vec<f64> =
            plot.bars.iter().flat_map(|bar| bar.values.clone()).filter(|&value| value > 0.0).collect();
        let drawn: Vec<f64> = drawn.collect();
        assert_eq!(drawn.len(), wanted.len());
        let whole = wanted.iter().fold(0.0, |a: f64, &b| a.max(b));
        for (found, wanted) in drawn.iter().zip(&wanted) {
            assert!((found - wanted).abs() < 1e-3 * whole, "{found} for {wanted}");
        }
    }
}

#[test]
fn piles_lie_where_their_points_are() {
    let plot = examples::scatter();
    let drawing = Drawing::sound("scatter", &plot.svg());
    let (x, y) = (drawing.x_axis(), drawing.y_axis(0.0, f64::INFINITY));
    let drawn: BTreeSet<(i64, i64)> = (drawing.middles("pile").into_iter())
        .map(|(left, down)| {
            let at = (x.value(left), y.value(down));
            // Groups stand beside each other, so that none hides the others.
            assert!((at.0 - at.0.round()).abs() < 0.2 && (at.1 - at.1.round()).abs() < 0.01, "{at:?}");
            (at.0.round() as i64, at.1.round() as i64)
        })
        .collect();
    let points = plot.groups.iter().flat_map(|group| &group.points);
    let wanted: BTreeSet<(i64, i64)> = points.map(|&(x, y)| (x as i64, y as i64)).collect();
    assert_eq!(drawn, wanted);
}

#[test]
fn wins_so_far_rise_as_they_were_won() {
    let plot = examples::cumulative();
    let drawing = Drawing::sound("cumulative", &plot.svg());
    let lines: Vec<_> = drawing.paths("line").into_iter().filter(|line| line.len() > 2).collect();
    // The wins are drawn above, their difference below.
    let bottom = lines.iter().flatten().map(|corner| corner.1).fold(0.0, f64::max);
    let (x, y) = (drawing.x_axis(), drawing.y_axis(0.0, bottom + 1.0));
    for (side, line) in lines.iter().take(2).enumerate() {
        let wins = plot.points.iter().map(|point| point.wins[side] as f64);
        let games = plot.points.iter().map(|point| point.games as f64);
        assert_alike("games", line.iter().map(|corner| x.value(corner.0)), [0.0].into_iter().chain(games));
        assert_alike("wins", line.iter().map(|corner| y.value(corner.1)), [0.0].into_iter().chain(wins));
    }
}

#[test]
fn cells_of_a_strip_are_as_long_as_they_lasted() {
    let plot = examples::strip();
    let drawing = Drawing::sound("strip", &plot.svg());
    let widths = drawing.of_class("cell").into_iter().map(|cell| cell["width"].parse::<f64>().unwrap());
    let lasted: Vec<usize> =
        plot.rows.iter().flat_map(|row| row.cells.chunk_by(|a, b| a == b).map(<[_]>::len)).collect();
    let ply: Vec<f64> = widths.zip(&lasted).map(|(width, &plies)| width / plies as f64).collect();
    assert_eq!(ply.len(), lasted.len());
    assert!(ply.iter().all(|width| (width - ply[0]).abs() < 0.02 && *width > 2.0), "{ply:?}");
}

#[test]
fn the_numbers_of_a_grid_stand_in_their_cells() {
    let plot = examples::grid();
    let drawing = Drawing::sound("grid", &plot.svg());
    let (words, cells) = (drawing.words(), drawing.middles("cell"));
    let values: Vec<f64> = plot.values.iter().flatten().flatten().copied().collect();
    assert_eq!(cells.len(), values.len());
    for (&cell, value) in cells.iter().zip(values) {
        let inside: Vec<&str> =
            words.iter().filter(|words| words.cover(cell)).map(|words| words.text.as_str()).collect();
        let [number] = inside[..] else { panic!("{inside:?} for {value}") };
        assert!((number.parse::<f64>().unwrap() - value).abs() <= 0.05, "{number} for {value}");
    }
}

#[test]
fn those_who_hear_a_drawing_are_told_its_figures() {
    let said = |name: &str| {
        let (_, svg) = examples::all().into_iter().find(|(known, _)| *known == name).unwrap();
        Drawing::sound(name, &svg).described().to_owned()
    };
    for (name, figures) in [
        (
            "rates",
            &["EACP: 57.3\u{202f}% (55.1\u{202f}% to 59.5\u{202f}%)", "random: 42.4\u{202f}%", "Wilson"][..],
        ),
        ("curves-categories", &["at plain to 55.0\u{202f}%", "4 points"]),
        ("histogram", &["500 values, mean "]),
        ("grid", &["30"]),
    ] {
        let said = said(name);
        for figure in figures {
            assert!(said.contains(figure), "{name}: {figure:?} is not in {said:?}");
        }
    }
}
