//! A game at a glance: the winning chances, and what the actions gave away, above the slider of a replay.

use crate::review::Judged;
use crate::words::Language;
use ranka_core::{Seat, Svg, theme};

const WIDTH: f64 = 640.0;

/// Where curves and bars begin: before them stands what the lines mean. On a phone letters are twice as large.
const LEFT: f64 = 82.0;

/// What is drawn is outlined, for some colours of players are pale and some are dark.
const OUTLINE: &str = theme::QUIET;

/// Above the curves and below them, for words, and how deep in it they stand: as on a phone.
const WORDS: f64 = 26.0;
const STAND: f64 = 21.0;

const CURVE: f64 = 84.0;
const BARS: f64 = 26.0;
const FOOT: f64 = 28.0;
const GAP: f64 = 6.0;

/// So many players are named beside each other: on a phone there is no room for more.
const ABREAST: usize = 2;

/// What fills a bar.
const MOST_LOST: f64 = 0.5;

/// What a game is looked at with.
pub(crate) struct Sight<'a> {
    /// How much each seat kept of what it could hope for.
    pub(crate) means: &'a [Option<f64>],
    /// What whoever sat there is called.
    pub(crate) names: &'a [String],
    /// As on the board.
    pub(crate) colours: &'a [&'static str],
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
    let Sight { means, names, colours, actions, .. } = *sight;
    let above = if judged.len() > 1 { WORDS + CURVE + WORDS + GAP } else { 0.0 };
    let title = language.say("Winning chances, and what the moves gave away");
    let rows = means.len().div_ceil(ABREAST) as f64;
    let mut svg = Svg::new(WIDTH, above + BARS + rows * FOOT, title, title);
    let x = |frame: usize| LEFT + frame as f64 / actions.max(1) as f64 * (WIDTH - LEFT);
    if above > 0.0 {
        curves(&mut svg, judged, turns, sight, x, language);
    }
    bars(&mut svg, judged, above, sight, x);
    for (seat, mean) in means.iter().enumerate() {
        let Some(mean) = mean else { continue };
        let text = language.fill("{0}: {1} % kept", [&names[seat], &format!("{:.0}", 100.0 * mean)]);
        let (row, place) = (seat / ABREAST, seat % ABREAST);
        let x = WIDTH / ABREAST as f64 * place as f64;
        let y = above + BARS + STAND + FOOT * row as f64;
        let style = format!("fill=\"{}\" stroke=\"{OUTLINE}\" data-player=\"{seat}\"", colours[seat]);
        svg.circle(x + 5.5, y - 4.5, 4.5, &style);
        svg.text(x + 14.0, y, 13.0, &format!("fill=\"{}\"", theme::INK), &text);
    }
    svg.finish()
}

fn line(svg: &mut Svg, y: f64, style: &str) {
    svg.path(
        &format!("M{LEFT} {y}H{WIDTH}"),
        &format!("stroke=\"{}\" stroke-width=\"1\" {style}", theme::LINE),
    );
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
    let y = |chance: f64| WORDS + 6.0 + (1.0 - chance) * (CURVE - 12.0);
    let shown = |j: &Judged| if sight.is_one() && j.seat != Seat::FIRST { 1.0 - j.chance } else { j.chance };
    let quiet = format!("fill=\"{}\"", theme::QUIET);
    for share in [0.0, 0.5, 1.0] {
        line(svg, y(share), "");
        let percent = format!("{:.0} %", 100.0 * share);
        svg.text(LEFT - 6.0, y(share) + 4.0, 12.0, &format!("text-anchor=\"end\" {quiet}"), &percent);
    }
    let mut draw = |points: Vec<(usize, f64)>, width: f64, style: &str| {
        let points: Vec<String> =
            points.iter().map(|&(frame, chance)| format!("{:.1} {:.1}", x(frame), y(chance))).collect();
        if !points.is_empty() {
            let style = format!("fill=\"none\" stroke-width=\"{width}\" stroke-linejoin=\"round\" {style}");
            svg.path(&format!("M{}", points.join("L")), &style);
        }
    };
    let words = if sight.is_one() {
        draw(
            judged.iter().map(|j| (j.frame - 1, shown(j))).collect(),
            2.0,
            &format!("stroke=\"{}\"", theme::INK),
        );
        [0, 1].map(|seat| language.fill("{0} ahead", [&sight.names[seat]]))
    } else {
        for seat in Seat::all(sight.means.len()) {
            let own = judged.iter().filter(|j| j.seat == seat).map(|j| (j.frame - 1, shown(j)));
            let own: Vec<(usize, f64)> = own.collect();
            let dash = ["none", "6 3", "2 3", "8 3 2 3"][seat.index()];
            draw(own.clone(), 4.0, &format!("stroke=\"{OUTLINE}\" stroke-dasharray=\"{dash}\""));
            let colour = sight.colours[seat.index()];
            draw(own, 2.0, &format!("stroke=\"{colour}\" stroke-dasharray=\"{dash}\""));
        }
        ["good in its own eyes", "bad in its own eyes"].map(|words| language.say(words).to_owned())
    };
    // Beside the curves, so that none is covered.
    for (text, y) in words.iter().zip([STAND, WORDS + CURVE + STAND]) {
        svg.text(WIDTH - 2.0, y, 12.0, &format!("text-anchor=\"end\" {quiet}"), text);
    }
    for turn in turns {
        svg.group(&format!("data-frame=\"{}\"", turn.frame));
        svg.title(&turn.told(sight.names, language));
        let style = format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"", theme::SEAL, theme::PAPER);
        svg.circle(x(turn.frame - 1), y(shown(turn)), 5.0, &style);
        svg.close();
    }
}

fn bars(svg: &mut Svg, judged: &[Judged], top: f64, sight: &Sight<'_>, x: impl Fn(usize) -> f64) {
    line(svg, top + BARS - 1.0, "class=\"track\"");
    let width = ((WIDTH - LEFT) / sight.actions.max(1) as f64).clamp(1.5, 14.0) * 0.8;
    for j in judged {
        let height = ((BARS - 2.0) * (j.lost / MOST_LOST).min(1.0)).max(1.0);
        svg.group(&format!("data-frame=\"{}\"", j.frame));
        svg.title(&format!("{}: −{:.0} %", j.frame, 100.0 * j.lost));
        let colour = sight.colours[j.seat.index()];
        let fill = format!("fill=\"{colour}\" stroke=\"{OUTLINE}\" stroke-width=\"0.75\"");
        let left = (x(j.frame) - width / 2.0).clamp(LEFT, WIDTH - width);
        svg.rect(left, top + BARS - 1.0 - height, width, height, 1.0, &fill);
        svg.close();
    }
}
