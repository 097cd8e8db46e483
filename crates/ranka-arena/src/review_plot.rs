//! A game at a glance: who was ahead, and how good the actions were, above the slider of a replay.

use crate::review::{Hope, Judged};
use crate::words::Language;
use ranka_core::{Seat, Svg, theme};

const WIDTH: f64 = 640.0;

const CURVE: f64 = 50.0;
const BARS: f64 = 30.0;
const FOOT: f64 = 20.0;
const GAP: f64 = 6.0;

/// What a game is looked at with.
pub(crate) struct Sight<'a> {
    /// How good the actions of each seat were.
    pub(crate) means: &'a [Option<f64>],
    /// How many actions there are: the slider's range.
    pub(crate) actions: usize,
    /// Whether every seat sees everything.
    pub(crate) open: bool,
}

impl Sight<'_> {
    /// Whether what is good for one is as bad for the other.
    const fn is_one(&self) -> bool {
        self.open && self.means.len() == 2
    }
}

/// The curves, and a bar for each action in the colour of its seat.
pub(crate) fn plot(judged: &[Judged], sight: &Sight<'_>, language: Language) -> String {
    let Sight { means, actions, .. } = *sight;
    let above = if judged.len() > 1 { CURVE + GAP } else { 0.0 };
    let title = language.say("How good the moves were");
    let mut svg = Svg::new(WIDTH, above + BARS + FOOT, title, title);
    let x = |frame: usize| frame as f64 / actions.max(1) as f64 * WIDTH;
    if above > 0.0 {
        curves(&mut svg, judged, sight, x, language);
    }
    bars(&mut svg, judged, above, actions, x);
    for (seat, mean) in means.iter().enumerate() {
        let Some(mean) = mean else { continue };
        let text =
            language.fill("Seat {0}: {1} %", [&(seat + 1).to_string(), &format!("{:.0}", 100.0 * mean)]);
        let (x, y) = (150.0 * seat as f64, above + BARS + 15.0);
        svg.circle(x + 5.0, y - 4.5, 4.5, &format!("fill=\"{}\"", theme::SERIES[seat]));
        svg.text(x + 14.0, y, 13.0, &format!("fill=\"{}\"", theme::INK), &text);
    }
    svg.finish()
}

fn line(svg: &mut Svg, y: f64) {
    svg.path(&format!("M0 {y}H{WIDTH}"), &format!("stroke=\"{}\" stroke-width=\"1\"", theme::LINE));
}

/// What the seats could hope for, from −1 to 1: sure things at the edge, points by their largest, or where each sees
/// its own by their range.
fn hopes(judged: &[Judged], is_one: bool) -> impl Fn(&Judged) -> f64 {
    let points = judged.iter().filter_map(|j| match j.hope {
        Hope::Points(points) => Some(points),
        _ => None,
    });
    let (low, high) = points
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), points| (low.min(points), high.max(points)));
    let (middle, reach) = if is_one {
        (0.0, high.abs().max(low.abs()))
    } else {
        (f64::midpoint(low, high), (high - low) / 2.0)
    };
    move |j| match j.hope {
        Hope::Sure(true) => 1.0,
        Hope::Sure(false) => -1.0,
        Hope::Share(share) => 2.0 * share - 1.0,
        Hope::Points(points) => {
            if reach > 0.0 {
                0.9 * (points - middle) / reach
            } else {
                0.0
            }
        }
    }
}

/// One curve of who is ahead where both see the same; one for each seat where each sees its own.
fn curves(svg: &mut Svg, judged: &[Judged], sight: &Sight<'_>, x: impl Fn(usize) -> f64, language: Language) {
    let y = |lead: f64| CURVE / 2.0 - lead * (CURVE / 2.0 - 3.0);
    let hope = hopes(judged, sight.is_one());
    line(svg, y(0.0));
    let mut draw = |points: Vec<(usize, f64)>, style: &str| {
        let points: Vec<String> =
            points.iter().map(|&(frame, lead)| format!("{:.1} {:.1}", x(frame), y(lead))).collect();
        if !points.is_empty() {
            let style = format!("fill=\"none\" stroke-width=\"2\" stroke-linejoin=\"round\" {style}");
            svg.path(&format!("M{}", points.join("L")), &style);
        }
    };
    let words = if sight.is_one() {
        let lead = |j: &Judged| (j.frame - 1, if j.seat == Seat::FIRST { hope(j) } else { -hope(j) });
        draw(judged.iter().map(lead).collect(), &format!("stroke=\"{}\"", theme::INK));
        ["1", "2"].map(|seat| language.fill("seat {0} is ahead", [seat]))
    } else {
        for seat in Seat::all(sight.means.len()) {
            let own = judged.iter().filter(|j| j.seat == seat).map(|j| (j.frame - 1, hope(j)));
            let dash = ["none", "6 3", "2 3", "8 3 2 3"][seat.index()];
            draw(
                own.collect(),
                &format!("stroke=\"{}\" stroke-dasharray=\"{dash}\"", theme::SERIES[seat.index()]),
            );
        }
        ["good in its own eyes", "bad in its own eyes"].map(|words| language.say(words).to_owned())
    };
    for (text, y) in words.iter().zip([12.0, CURVE - 3.0]) {
        let style = format!("text-anchor=\"end\" fill=\"{}\" class=\"plate\"", theme::QUIET);
        svg.text(WIDTH - 2.0, y, 12.0, &style, text);
    }
}

fn bars(svg: &mut Svg, judged: &[Judged], top: f64, actions: usize, x: impl Fn(usize) -> f64) {
    line(svg, top + BARS - 1.0);
    line(svg, top + 1.0);
    let width = (WIDTH / actions.max(1) as f64).clamp(1.5, 14.0) * 0.8;
    for j in judged {
        let height = ((BARS - 2.0) * j.accuracy).max(2.0);
        svg.group(&format!("data-frame=\"{}\"", j.frame));
        svg.title(&format!("{}: {:.0} %", j.frame, 100.0 * j.accuracy));
        let fill = format!("fill=\"{}\"", theme::SERIES[j.seat.index()]);
        let left = (x(j.frame) - width / 2.0).clamp(0.0, WIDTH - width);
        svg.rect(left, top + BARS - 1.0 - height, width, height, 1.0, &fill);
        svg.close();
    }
}
