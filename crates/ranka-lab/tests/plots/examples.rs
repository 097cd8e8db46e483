//! One ordinary plot of each kind, with data as the laboratory will have it.

use ranka_lab::Origin;
use ranka_lab::plot::*;

pub(crate) fn caption(title: &str, x_label: &str, y_label: &str, note: &str) -> Caption {
    let [title, x_label, y_label, note] = [title, x_label, y_label, note].map(str::to_owned);
    Caption { title, x_label, y_label, note }
}

pub(crate) fn between(low: f64, value: f64, high: f64) -> Option<ErrorBar> {
    Some(ErrorBar { value, interval: Some([low, high]) })
}

pub(crate) fn bare(value: f64) -> Option<ErrorBar> {
    Some(ErrorBar { value, interval: None })
}

pub(crate) fn from(origin: Origin, estimate: Option<ErrorBar>) -> Option<Reference> {
    Some(Reference { origin, estimate: estimate? })
}

/// Numbers that look random and are always the same.
pub(crate) struct Noise(pub(crate) u64);

impl Noise {
    /// Between 0 and 1.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }

    /// About normal, with mean 0 and variance 1.
    pub(crate) fn bell(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

pub(crate) fn rates() -> Rates {
    let row =
        |label: &str, measured, reference, exact| Rate { label: label.into(), measured, reference, exact };
    Rates {
        caption: caption(
            "Score against plain UCT at equal playouts",
            "score of the named agent",
            "",
            "n = 2,000 games per row; bars: 95 % intervals (Wilson).",
        ),
        unit: AxisUnit::Percent,
        rows: vec![
            row("EACP", between(0.551, 0.573, 0.595), from(Origin::Paper, bare(0.584)), None),
            row("EACP without purple", between(0.493, 0.515, 0.537), from(Origin::Paper, bare(0.541)), None),
            row("UCT, twice the time", between(0.602, 0.624, 0.645), None, None),
            row("紫駒を数える", between(0.478, 0.5, 0.522), from(Origin::Solver, bare(0.5)), Some(0.5)),
            row("random", between(0.402, 0.424, 0.446), from(Origin::Trial, bare(0.41)), None),
        ],
        level: Some(ReferenceLine { value: 0.5, label: "even".into() }),
    }
}

pub(crate) fn rates_with_lanes() -> Rates {
    let row = |label: &str, measured, reference: Option<ErrorBar>, exact| Rate {
        label: label.into(),
        measured,
        reference: from(Origin::Trial, reference),
        exact,
    };
    Rates {
        caption: caption(
            "Length of a game",
            "plies",
            "board",
            "n = 500 games each; both with 95 % intervals.",
        ),
        unit: AxisUnit::Number,
        rows: vec![
            row("Kalah (6,4)", between(38.1, 39.4, 40.7), between(37.0, 40.2, 43.4), Some(39.0)),
            row("Geister", between(60.2, 63.0, 65.8), between(55.0, 58.1, 61.2), None),
            row("Tantrix", between(56.0, 56.0, 56.0), bare(56.0), None),
        ],
        level: None,
    }
}

pub(crate) fn curves() -> Curves {
    let points = |values: &[(f64, f64)], half: f64| -> Vec<Point> {
        let point = |&(x, value): &(f64, f64)| Point {
            x,
            y: ErrorBar { value, interval: Some([value - half, value + half]) },
        };
        values.iter().map(point).collect()
    };
    let series = |label: &str, values: &[(f64, f64)]| Series {
        label: label.into(),
        points: points(values, 0.022),
        ..Series::default()
    };
    let mut uct = series(
        "UCT",
        &[
            (10.0, 0.21),
            (30.0, 0.33),
            (100.0, 0.46),
            (300.0, 0.55),
            (1000.0, 0.62),
            (3000.0, 0.655),
            (10000.0, 0.67),
        ],
    );
    uct.references = [(100.0, 0.48), (1000.0, 0.60), (10000.0, 0.69)]
        .map(|(x, value)| {
            (x, Reference { origin: Origin::Paper, estimate: ErrorBar { value, interval: None } })
        })
        .to_vec();
    let tree = series(
        "unit action tree",
        &[
            (10.0, 0.34),
            (30.0, 0.42),
            (100.0, 0.52),
            (300.0, 0.60),
            (1000.0, 0.65),
            (3000.0, 0.67),
            (10000.0, 0.68),
        ],
    );
    let flat = series(
        "flat Monte Carlo",
        &[
            (10.0, 0.25),
            (30.0, 0.33),
            (100.0, 0.40),
            (300.0, 0.43),
            (1000.0, 0.45),
            (3000.0, 0.455),
            (10000.0, 0.457),
        ],
    );
    let best =
        Series { label: "best play".into(), exact: vec![(10.0, 0.75), (10000.0, 0.75)], ..Series::default() };
    Curves {
        caption: caption(
            "More playouts help the tree, not the flat search",
            "playouts per move",
            "score against the reference agent",
            "n = 2,000 games per point; bars: 95 % intervals.",
        ),
        unit: AxisUnit::Percent,
        x_axis: XAxis::Logarithmic,
        intervals: Intervals::Bars,
        series: vec![uct, tree, flat, best],
        level: Some(ReferenceLine { value: 0.5, label: "even".into() }),
        diagonal: None,
    }
}

pub(crate) fn curves_with_bands() -> Curves {
    let series = |label: &str, slope: f64| Series {
        label: label.into(),
        points: (0..=80)
            .map(|ply| {
                let x = f64::from(ply);
                let value = 12.0 + slope * x + 2.0 * (x / 7.0).sin();
                Point { x, y: ErrorBar { value, interval: Some([value - 1.5, value + 1.5]) } }
            })
            .collect(),
        ..Series::default()
    };
    Curves {
        caption: caption(
            "Branching grows with the board",
            "ply",
            "legal actions",
            "n = 300 games; bands: 95 % intervals.",
        ),
        unit: AxisUnit::Number,
        x_axis: XAxis::Linear,
        intervals: Intervals::Bands,
        series: vec![series("first player", 0.4), series("second player", 0.33)],
        level: None,
        diagonal: None,
    }
}

pub(crate) fn curves_by_category() -> Curves {
    let series = |label: &str, values: [f64; 4]| Series {
        label: label.into(),
        points: (0..)
            .zip(values)
            .map(|(x, value)| Point {
                x: f64::from(x),
                y: ErrorBar { value, interval: Some([value - 0.04, value + 0.04]) },
            })
            .collect(),
        ..Series::default()
    };
    Curves {
        caption: caption("Score by map", "map", "score", "n = 400 games per point; bars: 95 % intervals."),
        unit: AxisUnit::Percent,
        x_axis: XAxis::Categories(["plain", "river", "mountain pass", "islands"].map(String::from).to_vec()),
        intervals: Intervals::Bars,
        series: vec![series("UCT", [0.52, 0.48, 0.61, 0.55]), series("αβ", [0.50, 0.55, 0.42, 0.46])],
        level: Some(ReferenceLine { value: 0.5, label: "even".into() }),
        diagonal: None,
    }
}

pub(crate) fn reliability() -> Curves {
    let point =
        |x: f64, value: f64| Point { x, y: ErrorBar { value, interval: Some([value - 0.06, value + 0.05]) } };
    let series = |label: &str, steep: f64| Series {
        label: label.into(),
        points: (0..10)
            .map(|i| 0.05 + 0.1 * f64::from(i))
            .map(|x| point(x, 0.5 + steep * (x - 0.5)))
            .collect(),
        ..Series::default()
    };
    Curves {
        caption: caption(
            "Chances that were said",
            "value",
            "score",
            "n = 100 games each; bars: 95 % intervals.",
        ),
        unit: AxisUnit::Number,
        x_axis: XAxis::Linear,
        intervals: Intervals::Bars,
        series: vec![series("too sure", 0.7), series("too careful", 1.08)],
        level: None,
        diagonal: Some("as it was said".into()),
    }
}

pub(crate) fn histogram() -> Histogram {
    let mut noise = Noise(1);
    let mut sample = |label: &str, n: usize, mean: f64| HistogramSample {
        label: label.into(),
        values: (0..n).map(|_| (mean + 4.0 * noise.bell()).round()).collect(),
    };
    Histogram {
        caption: caption(
            "The first player's games are shorter",
            "length of the game, plies",
            "share of the games",
            "Dots: means with 95 % intervals.",
        ),
        unit: AxisUnit::Percent,
        sample: sample("won by the first", 500, 24.0),
        other: Some(sample("won by the second", 420, 28.0)),
        arrangement: Arrangement::Mirrored,
    }
}

pub(crate) fn histogram_beside() -> Histogram {
    Histogram { arrangement: Arrangement::SideBySide, ..histogram() }
}

pub(crate) fn histogram_of_one() -> Histogram {
    let mut noise = Noise(2);
    Histogram {
        caption: caption(
            "Time per move",
            "milliseconds",
            "moves",
            "n = 3,000 moves; dot: mean with its 95 % interval.",
        ),
        unit: AxisUnit::Number,
        sample: HistogramSample {
            label: "UCT".into(),
            values: (0..3000).map(|_| 20.0 * (noise.bell() * 0.4).exp()).collect(),
        },
        other: None,
        arrangement: Arrangement::Mirrored,
    }
}

pub(crate) fn scatter() -> Scatter {
    let mut noise = Noise(3);
    let mut group = |label: &str, n: usize, x: f64, y: f64| ScatterGroup {
        label: label.into(),
        points: (0..n)
            .map(|_| ((x + 1.3 * noise.bell()).round(), (y + 1.6 * noise.bell()).round()))
            .collect(),
    };
    Scatter {
        caption: caption(
            "Who controls more sides scores more",
            "controlled sides at ply 20",
            "points at the end",
            "n = 400 games; the area of a mark is the number of games.",
        ),
        groups: vec![group("won", 220, 5.0, 13.0), group("lost", 180, 3.0, 9.0)],
    }
}

pub(crate) fn cumulative() -> Cumulative {
    let mut noise = Noise(4);
    let mut wins = [0, 0];
    let mut points = Vec::new();
    for game in 1..=400 {
        match noise.next() {
            x if x < 0.5 => wins[0] += 1,
            x if x < 0.92 => wins[1] += 1,
            _ => {}
        }
        if game % 20 == 0 {
            points.push(CumulativePoint { games: game, wins });
        }
    }
    Cumulative {
        caption: caption(
            "UCT pulls away from αβ",
            "games",
            "games won so far",
            "n = 400 games, draws count for nobody. Band: where equal sides are, 95 of 100 times, at each point.",
        ),
        sides: ["UCT".into(), "αβ".into()],
        points,
        difference: true,
    }
}

pub(crate) fn strip() -> Strip {
    let mut noise = Noise(5);
    let row = |game: usize| {
        let (first, second) = (10 + (noise.next() * 12.0) as usize, 28 + (noise.next() * 14.0) as usize);
        let cell = |ply: usize| Some(usize::from(ply >= first) + usize::from(ply >= second));
        StripRow { label: format!("game {game}"), cells: (0..56 - game % 4).map(cell).collect() }
    };
    Strip {
        caption: caption("When the ends of the longest line are obstructed", "ply", "", "n = 8 games."),
        categories: ["none", "one end", "both ends"].map(String::from).to_vec(),
        rows: (1..=8).map(row).collect(),
        aggregate: Some("share of games".into()),
    }
}

pub(crate) fn stacked() -> Stacked {
    let bar = |ply: u32| {
        let x = f64::from(ply) / 30.0;
        let (forced, both) = (0.15 + 0.35 * x, 0.1 + 0.1 * x);
        StackedBar { label: ply.to_string(), values: vec![forced, both, 1.0 - forced - both] }
    };
    Stacked {
        caption: caption("Forced moves become common", "ply", "share of the moves", "n = 1,000 games."),
        unit: AxisUnit::Percent,
        parts: ["forced space", "controlled side", "free"].map(String::from).to_vec(),
        bars: (1..=30).map(bar).collect(),
    }
}

pub(crate) fn stacked_few() -> Stacked {
    let bar = |label: &str, values: [f64; 3]| StackedBar { label: label.into(), values: values.to_vec() };
    Stacked {
        caption: caption("How games end", "game", "games", "n = 200 games each."),
        unit: AxisUnit::Number,
        parts: ["first wins", "draw", "second wins"].map(String::from).to_vec(),
        bars: vec![
            bar("Kalah", [112.0, 14.0, 74.0]),
            bar("Geister", [98.0, 21.0, 81.0]),
            bar("Labyrinth", [103.0, 0.0, 97.0]),
            bar("TUBSTAP", [88.0, 40.0, 72.0]),
        ],
    }
}

pub(crate) fn grid() -> Grid {
    let heat = |row: i32, column: i32| {
        let distance = f64::from((row - 3).pow(2) + (column - 3).pow(2));
        (row + column != 12).then_some((60.0 * (-distance / 9.0).exp()).round() / 2.0)
    };
    Grid {
        caption: caption(
            "Where pawns stand",
            "column",
            "row",
            "n = 900 positions; numbers: visits per game.",
        ),
        unit: AxisUnit::Number,
        columns: ["a", "b", "c", "d", "e", "f", "g"].map(String::from).to_vec(),
        rows: (1..=7).rev().map(|row| row.to_string()).collect(),
        values: (0..7).map(|row| (0..7).map(|column| heat(row, column)).collect()).collect(),
        centre: None,
    }
}

pub(crate) fn grid_around_a_centre() -> Grid {
    let names: Vec<String> = ["random", "greedy", "αβ", "UCT", "EACP"].map(String::from).to_vec();
    let score = |row: usize, column: usize| {
        (row != column).then(|| 1.0 / (1.0 + (-0.9 * (row as f64 - column as f64)).exp()))
    };
    Grid {
        caption: caption(
            "Everybody against everybody",
            "opponent",
            "",
            "n = 400 games per cell; score of the row's agent.",
        ),
        unit: AxisUnit::Percent,
        columns: names.clone(),
        rows: names,
        values: (0..5).map(|row| (0..5).map(|column| score(row, column)).collect()).collect(),
        centre: Some(0.5),
    }
}

pub(crate) fn stacked_slanted() -> Stacked {
    let mut noise = Noise(6);
    let mut bar = |i: usize| {
        let won = 40.0 + (noise.next() * 100.0).round();
        StackedBar { label: format!("UCT, {} playouts", 100 * i), values: vec![won, 200.0 - won] }
    };
    Stacked {
        caption: caption("Results by agent", "agent", "games", "n = 200 games each."),
        unit: AxisUnit::Number,
        parts: ["won", "lost"].map(String::from).to_vec(),
        bars: (1..=12).map(&mut bar).collect(),
    }
}

/// All of them, with the names of their files.
pub(crate) fn all() -> Vec<(&'static str, String)> {
    vec![
        ("rates", rates().svg()),
        ("rates-lanes", rates_with_lanes().svg()),
        ("curves", curves().svg()),
        ("curves-bands", curves_with_bands().svg()),
        ("curves-categories", curves_by_category().svg()),
        ("reliability", reliability().svg()),
        ("histogram", histogram().svg()),
        ("histogram-beside", histogram_beside().svg()),
        ("histogram-one", histogram_of_one().svg()),
        ("scatter", scatter().svg()),
        ("cumulative", cumulative().svg()),
        ("strip", strip().svg()),
        ("stacked", stacked().svg()),
        ("stacked-few", stacked_few().svg()),
        ("stacked-slanted", stacked_slanted().svg()),
        ("grid", grid().svg()),
        ("grid-centre", grid_around_a_centre().svg()),
    ]
}
