//! The plots as drawings: what is in them, and that it lies where the axes and labels say.
#![allow(clippy::unwrap_used)]

mod drawing;
mod edges;
mod examples;
mod places;

use drawing::Drawing;

#[test]
fn ordinary_plots_are_sound_and_no_words_collide() {
    for (name, svg) in examples::all() {
        let drawing = Drawing::sound(name, &svg);
        drawing.assert_words_apart(name);
        assert!(drawing.words().iter().any(|word| word.text.contains("n = ")), "{name} says no n");
    }
}

#[test]
fn rates_show_measured_reference_and_exact() {
    let drawing = Drawing::sound("rates", &examples::rates().svg());
    assert_eq!(drawing.count("measured"), 5);
    assert_eq!(drawing.count("interval"), 5);
    assert_eq!(drawing.count("exact"), 1);
    assert_eq!(drawing.count("level"), 1);
    let references = drawing.of_class("reference");
    assert_eq!(references.len(), 4);
    assert!(references.iter().all(|reference| reference["fill"] == "none"), "reference figures are hollow");
    for text in ["EACP", "紫駒を数える", "57.3\u{202f}%", "even", "measured", "exact"] {
        drawing.assert_says(text);
    }
    for origin in ["paper", "independent solver", "independent trial"] {
        drawing.assert_says(origin);
    }
    // What none of the figures is, the legend does not name.
    let ours = examples::rates_with_lanes().svg();
    assert!(ours.contains("independent trial") && !ours.contains("paper<") && !ours.contains("solver"));
    let lanes = Drawing::sound("rates", &examples::rates_with_lanes().svg());
    assert_eq!(lanes.count("interval"), 5);
}

#[test]
fn curves_have_marks_bars_and_names() {
    let drawing = Drawing::sound("curves", &examples::curves().svg());
    assert_eq!((drawing.count("measured"), drawing.count("interval")), (21, 21));
    assert_eq!((drawing.count("line"), drawing.count("exact"), drawing.count("reference")), (3, 1, 3));
    for text in ["UCT", "unit action tree", "flat Monte Carlo", "best play", "10", "10,000", "even"] {
        drawing.assert_says(text);
    }
    let lines = drawing.of_class("line");
    assert!(lines.iter().skip(1).all(|line| line.contains_key("stroke-dasharray")), "colour speaks alone");
    let banded = Drawing::sound("bands", &examples::curves_with_bands().svg());
    assert_eq!((banded.count("band"), banded.count("interval"), banded.count("measured")), (2, 0, 0));
    let named = Drawing::sound("categories", &examples::curves_by_category().svg());
    assert_eq!((named.count("measured"), named.count("interval")), (8, 8));
    named.assert_says("mountain");
    named.assert_says("pass");
}

#[test]
fn a_histogram_has_a_bar_per_value_and_its_mean() {
    let plot = examples::histogram();
    let mut different = 0;
    for sample in [Some(&plot.sample), plot.other.as_ref()].into_iter().flatten() {
        let mut values: Vec<i64> = sample.values.iter().map(|value| *value as i64).collect();
        values.sort_unstable();
        values.dedup();
        different += values.len();
    }
    for plot in [plot, examples::histogram_beside()] {
        let drawing = Drawing::sound("histogram", &plot.svg());
        assert_eq!((drawing.count("bar"), drawing.count("mean")), (different, 2));
        drawing.assert_says("won by the first (n = 500)");
        let sum = plot.sample.values.iter().sum::<f64>() / 500.0;
        drawing.assert_says(&format!("mean {sum:.1}"));
    }
}

#[test]
fn piles_in_a_scatter_have_the_area_of_their_count() {
    use ranka_lab::plot::{Scatter, ScatterGroup};
    let points = vec![(1.0, 1.0); 9].into_iter().chain(vec![(2.0, 5.0); 36]).collect();
    let plot =
        Scatter { caption: Default::default(), groups: vec![ScatterGroup { label: String::new(), points }] };
    let drawing = Drawing::sound("scatter", &plot.svg());
    let radii: Vec<f64> = drawing.of_class("pile").iter().map(|pile| pile["r"].parse().unwrap()).collect();
    assert_eq!(radii.len(), 2);
    assert!((radii[0] / radii[1] - 2.0).abs() < 0.01, "four times the area: {radii:?}");
    drawing.assert_says("36 points");

    let plot = examples::scatter();
    let drawing = Drawing::sound("scatter", &plot.svg());
    let mut piles: Vec<_> = plot
        .groups
        .iter()
        .flat_map(|g| g.points.iter().map(|p| (&g.label, p.0 as i64, p.1 as i64)))
        .collect();
    piles.sort();
    piles.dedup();
    assert_eq!(drawing.count("pile"), piles.len());
}

#[test]
fn cumulative_wins_end_at_their_labels() {
    let plot = examples::cumulative();
    let drawing = Drawing::sound("cumulative", &plot.svg());
    // Twenty points and the beginning, for both; the lines once more in the labels.
    assert_eq!((drawing.count("measured"), drawing.count("line")), (42, 4));
    assert_eq!((drawing.count("chance"), drawing.count("difference")), (1, 1));
    let [first, second] = plot.points.last().unwrap().wins;
    drawing.assert_says(&format!("UCT {first}"));
    drawing.assert_says(&format!("αβ {second}"));
    drawing.assert_says(&format!("+{}", first - second));
    let without = ranka_lab::plot::Cumulative { difference: false, ..plot };
    assert_eq!(Drawing::sound("cumulative", &without.svg()).count("chance"), 0);
}

#[test]
fn a_strip_joins_equal_neighbours_and_sums_up() {
    let plot = examples::strip();
    let drawing = Drawing::sound("strip", &plot.svg());
    assert_eq!(drawing.count("cell"), 3 * 8, "each game goes from none to one to both");
    let plies = 55 + 1;
    assert!(drawing.count("share") >= plies);
    for text in ["none", "one end", "both ends", "game 8", "share of games"] {
        drawing.assert_says(text);
    }
    let height_at = |x: &str| -> f64 {
        let at: Vec<_> = drawing.of_class("share").into_iter().filter(|share| share["x"] == x).collect();
        at.iter().map(|share| share["height"].parse::<f64>().unwrap()).sum()
    };
    for share in drawing.of_class("share") {
        assert!((height_at(&share["x"]) - 72.0).abs() < 0.05, "shares add up to all");
    }
}

#[test]
fn stacked_parts_lie_on_each_other() {
    let drawing = Drawing::sound("stacked", &examples::stacked_few().svg());
    assert_eq!((drawing.count("bar"), drawing.count("part")), (4, 11), "an empty part is not drawn");
    let parts: Vec<(f64, f64)> = drawing
        .of_class("part")
        .iter()
        .map(|part| (part["y"].parse().unwrap(), part["height"].parse().unwrap()))
        .collect();
    assert!((parts[0].0 - (parts[1].0 + parts[1].1)).abs() < 0.02, "the second lies on the first");
    for text in ["112", "Kalah", "first wins", "draw", "second wins"] {
        drawing.assert_says(text);
    }
}

#[test]
fn a_grid_has_its_numbers_in_it() {
    let drawing = Drawing::sound("grid", &examples::grid().svg());
    assert_eq!(drawing.count("cell"), 48, "one of 49 has no value");
    for text in ["a", "g", "1", "7", "30", "24"] {
        drawing.assert_says(text);
    }
    let drawing = Drawing::sound("grid", &examples::grid_around_a_centre().svg());
    assert_eq!(drawing.count("cell"), 20);
}
