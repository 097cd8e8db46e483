//! Data that nobody wants and everybody gets: nothing, one value, equal ones, absurd ones, hostile words.

use crate::drawing::Drawing;
use crate::examples::{Noise, caption, from};
use ranka_lab::Origin;
use ranka_lab::plot::*;

/// Every kind with the same values, names and number of rows.
fn every_kind(values: &[f64], words: &str, rows: usize) -> Vec<(&'static str, String)> {
    let caption = || caption(words, words, words, words);
    let value = |i: usize| values.get(i % values.len().max(1)).copied();
    let estimate = |i: usize| {
        value(i).map(|v| ErrorBar { value: v, interval: value(i + 1).zip(value(i + 2)).map(|(a, b)| [a, b]) })
    };
    let points: Vec<Point> =
        (0..values.len()).filter_map(|i| Some(Point { x: value(i + 3)?, y: estimate(i)? })).collect();
    let pairs: Vec<(f64, f64)> = points.iter().map(|point| (point.x, point.y.value)).collect();
    let names = |count: usize| vec![words.to_owned(); count];
    let level = || value(0).map(|value| ReferenceLine { value, label: words.into() });
    let origin = |i: usize| [Origin::Paper, Origin::Solver, Origin::Trial][i % 3];
    let references: Vec<(f64, Reference)> =
        (0..values.len()).filter_map(|i| Some((value(i + 3)?, from(origin(i), estimate(i))?))).collect();
    let mut all = Vec::new();
    for unit in [AxisUnit::Number, AxisUnit::Percent] {
        let rate = |i| Rate {
            label: words.into(),
            measured: estimate(i),
            reference: from(origin(i), estimate(i + 1)),
            exact: value(i + 2),
        };
        let rates = (0..rows).map(rate).collect();
        all.push(("rates", Rates { caption: caption(), unit, rows: rates, level: level() }.svg()));
        for x_axis in [XAxis::Linear, XAxis::Logarithmic, XAxis::Categories(names(rows))] {
            for intervals in [Intervals::Bars, Intervals::Bands] {
                let series = Series {
                    label: words.into(),
                    points: points.clone(),
                    references: references.clone(),
                    exact: pairs.clone(),
                    changes: points.iter().map(|point| (point.x, words.into())).collect(),
                };
                let (x_axis, series) = (x_axis.clone(), vec![series; rows]);
                let (level, diagonal) = (level(), Some(words.to_owned()));
                let curves = Curves { caption: caption(), unit, x_axis, intervals, series, level, diagonal };
                all.push(("curves", curves.svg()));
            }
        }
        let sample = || HistogramSample { label: words.into(), values: values.to_vec() };
        for (other, arrangement) in [
            (None, Arrangement::Mirrored),
            (Some(sample()), Arrangement::Mirrored),
            (Some(sample()), Arrangement::SideBySide),
        ] {
            let histogram = Histogram { caption: caption(), unit, sample: sample(), other, arrangement };
            all.push(("histogram", histogram.svg()));
        }
        let bar = StackedBar { label: words.into(), values: values.to_vec() };
        let stacked =
            Stacked { caption: caption(), unit, parts: names(values.len().min(8)), bars: vec![bar; rows] };
        all.push(("stacked", stacked.svg()));
        let cells = vec![values.iter().copied().map(Some).collect(); rows];
        let (columns, centre) = (names(values.len()), value(0));
        let grid = Grid { caption: caption(), unit, columns, rows: names(rows), values: cells, centre };
        all.push(("grid", Grid { centre: None, ..grid.clone() }.svg()));
        all.push(("grid around a centre", grid.svg()));
    }
    let group = ScatterGroup { label: words.into(), points: pairs };
    all.push(("scatter", Scatter { caption: caption(), groups: vec![group; rows.min(9)] }.svg()));
    let whole = |v: f64| v.abs() as u64;
    let points =
        values.iter().map(|v| CumulativePoint { games: whole(*v), wins: [whole(*v), whole(*v) / 2] });
    let points: Vec<_> = points.collect();
    for difference in [false, true] {
        let (sides, points) = ([words.into(), words.into()], points.clone());
        all.push(("cumulative", Cumulative { caption: caption(), sides, points, difference }.svg()));
    }
    let cells = values.iter().map(|v| v.is_finite().then_some(whole(*v) as usize)).collect();
    let row = StripRow { label: words.into(), cells };
    let aggregate = Some(words.to_owned());
    all.push((
        "strip",
        Strip { caption: caption(), categories: names(3), rows: vec![row; rows], aggregate }.svg(),
    ));
    all
}

#[test]
fn any_numbers_give_a_sound_drawing() {
    let mut noise = Noise(7);
    let many: Vec<f64> = (0..300).map(|_| noise.bell()).collect();
    let cases: [&[f64]; 16] = [
        &[],
        &[0.0],
        &[0.5],
        &[7.0],
        &[-3.0],
        &[0.25, 0.25, 0.25],
        &[f64::NAN],
        &[f64::INFINITY, f64::NEG_INFINITY],
        &[1.0, f64::NAN, 2.0, f64::INFINITY, 0.0],
        &[f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324],
        &[1e100, -1e100],
        &[1e100, 1e-99, 1.0],
        &[1e17, 1e17 + 32.0],
        &[-0.0, 0.0, 1e-12],
        &[0.999_999_999_9, 1.0, 1.000_000_000_1],
        &many,
    ];
    for values in cases {
        for rows in [0, 1, 3] {
            for (kind, svg) in every_kind(values, "a word", rows) {
                Drawing::sound(&format!("{kind} of {rows} × {values:?}"), &svg);
            }
        }
    }
}

#[test]
fn sixty_rows_fit() {
    let values: Vec<f64> = (0..60).map(|i| f64::from(i % 7)).collect();
    for (kind, svg) in every_kind(&values, "a name", 60) {
        Drawing::sound(&format!("{kind} of 60 rows"), &svg);
    }
}

#[test]
fn sixty_rows_of_rates_keep_their_words_apart() {
    let row = |i: usize| Rate {
        label: format!("agent {i}"),
        measured: Some(ErrorBar {
            value: i as f64 / 60.0,
            interval: Some([i as f64 / 70.0, i as f64 / 50.0]),
        }),
        reference: None,
        exact: None,
    };
    let rows = (0..60).map(row).collect();
    let plot =
        Rates { caption: caption("Many", "score", "", "n = 6."), unit: AxisUnit::Percent, rows, level: None };
    let drawing = Drawing::sound("sixty", &plot.svg());
    drawing.assert_words_apart("sixty");
    assert_eq!(drawing.count("measured"), 60);
}

#[test]
fn hostile_words_stay_words() {
    let hostile = "</text><script>alert(\"1\")</script> & ' \" ]]> <!-- \0 \u{1b} \u{202e} \u{ffff} {{x}} 柯";
    for (kind, svg) in every_kind(&[1.0, 2.0, 3.0, 4.0], hostile, 3) {
        let drawing = Drawing::sound(kind, &svg);
        assert!(!svg.contains("<script") && !svg.contains('\0') && !svg.contains('\u{202e}'), "{kind}");
        assert!(drawing.titles()[0].starts_with("</text><script>alert(\"1\")</script> & ' \""), "{kind}");
    }
}

#[test]
fn long_words_are_cut_and_kept_in_titles() {
    let long = "a very long name of an agent with all of its many settings ".repeat(8);
    for (kind, svg) in every_kind(&[1.0, 2.0, 3.0, 4.0], &long, 2) {
        let drawing = Drawing::sound(kind, &svg);
        assert!(drawing.words().iter().any(|words| words.text.ends_with('…')), "{kind}");
        assert!(drawing.titles().iter().any(|title| *title == long.trim()), "{kind}");
    }
}

#[test]
fn what_is_left_out_is_counted_in_the_note() {
    let sample = HistogramSample { label: "x".into(), values: vec![1.0, f64::NAN, 3.0, f64::INFINITY] };
    let note = caption("", "", "", "n = 4.");
    let plot = Histogram {
        caption: note,
        unit: AxisUnit::Number,
        sample,
        other: None,
        arrangement: Arrangement::Mirrored,
    };
    let drawing = Drawing::sound("histogram", &plot.svg());
    drawing.assert_says("n = 4. 2 values that cannot be drawn are left out.");
    assert!(drawing.described().contains("x: 2 values, mean 2"), "{}", drawing.described());
}

#[test]
fn nothing_says_so() {
    for (kind, svg) in every_kind(&[], "a word", 0) {
        let words = Drawing::sound(kind, &svg).words();
        assert!(words.iter().any(|words| words.text == "no data"), "{kind}");
    }
}
