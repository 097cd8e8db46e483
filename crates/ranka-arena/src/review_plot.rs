//! A game at a glance: the winning chances, and what the actions gave away, above the slider of a replay.

use crate::review::Judged;
use crate::words::Language;
use ranka_core::{Seat, Svg, theme};

const WIDTH: f64 = 640.0;

const CURVE: f64 = 84.0;
const BARS: f64 = 26.0;
const FOOT: f64 = 20.0;
const GAP: f64 = 6.0;

/// What fills a bar.
const MOST_LOST: f64 = 0.5;

/// What a game is looked at with.
pub(crate) struct Sight<'a> {
    /// How much each seat kept of what it could hope for.
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

/// The curves with the turning points on them, and a bar for what each action gave away in the colour of its seat.
pub(crate) fn plot(judged: &[Judged], turns: &[&Judged], sight: &Sight<'_>, language: Language) -> String {
    let Sight { means, actions, .. } = *sight;
    let above = if judged.len() > 1 { CURVE + GAP } else { 0.0 };
    let title = language.say("Winning chances, and what the moves gave away");
    let mut svg = Svg::new(WIDTH, above + BARS + FOOT, title, title);
    let x = |frame: usize| frame as f64 / actions.max(1) as f64 * WIDTH;
    if above > 0.0 {
        curves(&mut svg, judged, turns, sight, x, language);
    }
    bars(&mut svg, judged, above, actions, x);
    for (seat, mean) in means.iter().enumerate() {
        let Some(mean) = mean else { continue };
        let text =
            language.fill("Seat {0} kept {1} %", [&(seat + 1).to_string(), &format!("{:.0}", 100.0 * mean)]);
        let (x, y) = (160.0 * seat as f64, above + BARS + 15.0);
        svg.circle(x + 5.0, y - 4.5, 4.5, &format!("fill=\"{}\"", theme::SERIES[seat]));
        svg.text(x + 14.0, y, 13.0, &format!("fill=\"{}\"", theme::INK), &text);
    }
    svg.finish()
}

fn line(svg: &mut Svg, y: f64) {
    svg.path(&format!("M0 {y}H{WIDTH}"), &format!("stroke=\"{}\" stroke-width=\"1\"", theme::LINE));
}

/// One curve of who is ahead where both see the same; one for each seat where each sees its own.
fn curves(
    svg: &mut Svg,
    judged: &[Judged],
    turns: &[&Judged],
    sight: &Sight<'_>,
    x: impl Fn(usize) -> f64,
    language: Language,
) {
    let y = |chance: f64| 6.0 + (1.0 - chance) * (CURVE - 12.0);
    let shown = |j: &Judged| if sight.is_one() && j.seat != Seat::FIRST { 1.0 - j.chance } else { j.chance };
    for share in [0.0, 0.5, 1.0] {
        line(svg, y(share));
    }
    let mut draw = |points: Vec<(usize, f64)>, style: &str| {
        let points: Vec<String> =
            points.iter().map(|&(frame, chance)| format!("{:.1} {:.1}", x(frame), y(chance))).collect();
        if !points.is_empty() {
            let style = format!("fill=\"none\" stroke-width=\"2\" stroke-linejoin=\"round\" {style}");
            svg.path(&format!("M{}", points.join("L")), &style);
        }
    };
    let words = if sight.is_one() {
        draw(judged.iter().map(|j| (j.frame - 1, shown(j))).collect(), &format!("stroke=\"{}\"", theme::INK));
        ["1", "2"].map(|seat| language.fill("seat {0} is ahead", [seat]))
    } else {
        for seat in Seat::all(sight.means.len()) {
            let own = judged.iter().filter(|j| j.seat == seat).map(|j| (j.frame - 1, shown(j)));
            let dash = ["none", "6 3", "2 3", "8 3 2 3"][seat.index()];
            draw(
                own.collect(),
                &format!("stroke=\"{}\" stroke-dasharray=\"{dash}\"", theme::SERIES[seat.index()]),
            );
        }
        ["good in its own eyes", "bad in its own eyes"].map(|words| language.say(words).to_owned())
    };
    let quiet = format!("fill=\"{}\" class=\"plate\"", theme::QUIET);
    for (text, y) in words.iter().zip([17.0, CURVE - 9.0]) {
        svg.text(WIDTH - 2.0, y, 12.0, &format!("text-anchor=\"end\" {quiet}"), text);
    }
    for (text, share) in [("100 %", 1.0), ("50 %", 0.5), ("0 %", 0.0)] {
        svg.text(2.0, y(share) + if share == 1.0 { 11.0 } else { -3.0 }, 12.0, &quiet, text);
    }
    for turn in turns {
        svg.group(&format!("data-frame=\"{}\"", turn.frame));
        svg.title(&language.fill(
            "Move {0} gave away {1} points",
            [&turn.frame.to_string(), &format!("{:.0}", 100.0 * turn.lost)],
        ));
        let style = format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"", theme::SEAL, theme::PAPER);
        svg.circle(x(turn.frame - 1), y(shown(turn)), 5.0, &style);
        svg.close();
    }
}

fn bars(svg: &mut Svg, judged: &[Judged], top: f64, actions: usize, x: impl Fn(usize) -> f64) {
    line(svg, top + BARS - 1.0);
    let width = (WIDTH / actions.max(1) as f64).clamp(1.5, 14.0) * 0.8;
    for j in judged {
        let height = ((BARS - 2.0) * (j.lost / MOST_LOST).min(1.0)).max(1.0);
        svg.group(&format!("data-frame=\"{}\"", j.frame));
        svg.title(&format!("{}: −{:.0} %", j.frame, 100.0 * j.lost));
        let fill = format!("fill=\"{}\"", theme::SERIES[j.seat.index()]);
        let left = (x(j.frame) - width / 2.0).clamp(0.0, WIDTH - width);
        svg.rect(left, top + BARS - 1.0 - height, width, height, 1.0, &fill);
        svg.close();
    }
}
