//! Cumulative wins of two sides, and whether chance alone could have led so far apart.

use super::curves::MOST_MARKS;
use super::end_labels::{self, EndLabel};
use super::estimates::Z;
use super::marks;
use super::scale::{AxisUnit, Scale};
use super::sheet::{Anchor, Area, EDGE, Plan, Sheet, WIDTH};
use super::{Caption, text};
use ranka_core::{Svg, theme};

/// The wins of two sides over the games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cumulative {
    /// The words around it.
    pub caption: Caption,
    /// The names of the sides.
    pub sides: [String; 2],
    /// How it stood after so many games, in their order.
    pub points: Vec<CumulativePoint>,
    /// Whether the difference is drawn below, with a band in which it lies in 95 of 100 matches of equals after
    /// as many won games.
    pub difference: bool,
}

/// How it stood after a number of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CumulativePoint {
    /// How many games had been played.
    pub games: u64,
    /// How many each side had won.
    pub wins: [u64; 2],
}

impl CumulativePoint {
    fn difference(&self) -> f64 {
        self.wins[0] as f64 - self.wins[1] as f64
    }

    /// How far apart equal sides are at most, 95 times of 100: each won game is a step of a random walk.
    fn chance(&self) -> f64 {
        Z * (self.wins[0] as f64 + self.wins[1] as f64).sqrt()
    }
}

const WINS_HEIGHT: f64 = 230.0;
const BETWEEN: f64 = 52.0;
const DIFFERENCE_HEIGHT: f64 = 130.0;
const BAND: &str = "chance, 95\u{202f}%";

impl Cumulative {
    /// The drawing.
    pub fn svg(&self) -> String {
        // All begins at nothing.
        let mut points = self.points.clone();
        points.sort_by_key(|point| point.games);
        if points.first().is_some_and(|point| point.games > 0) {
            points.insert(0, CumulativePoint::default());
        }
        let last = points.last().copied().unwrap_or_default();
        let says = self.says(&last);
        let wins = Scale::loose(
            points.iter().flat_map(|p| p.wins).map(|w| w as f64).chain([0.0]),
            AxisUnit::Number,
            5,
        );
        let apart = points.iter().flat_map(|p| [p.difference(), p.chance(), -p.chance()]);
        let apart = Scale::loose(apart, AxisUnit::Number, 3);
        let left = EDGE + wins.label_width().max(apart.label_width()) + 8.0;
        let labels: Vec<String> = (0..2)
            .map(|side| format!("{} {}", self.sides[side], AxisUnit::Number.say(last.wins[side] as f64)))
            .collect();
        let difference = signed(last.difference());
        let mut words: Vec<&str> = labels.iter().map(String::as_str).collect();
        if self.difference {
            words.extend([difference.as_str(), BAND]);
        }
        let right = end_labels::room(words);
        let games =
            Scale::tight(points.iter().map(|p| p.games as f64), AxisUnit::Number, WIDTH - left - right);
        let height = WINS_HEIGHT + if self.difference { BETWEEN + DIFFERENCE_HEIGHT } else { 0.0 };
        let note = self.caption.note.clone();
        let plan = Plan { left, right, height, extra_height: 0.0, keys: Vec::new(), says, note };
        let mut sheet = Sheet::open(&self.caption, plan);
        let upper = Area { bottom: sheet.area.top + WINS_HEIGHT, ..sheet.area };
        sheet.y_axis(upper, &wins);
        sheet.x_axis(sheet.area, &games);
        if points.is_empty() {
            sheet.nothing();
            return sheet.finish();
        }
        for side in 0..2 {
            let place =
                |p: &CumulativePoint| (upper.x(&games, p.games as f64), upper.y(&wins, p.wins[side] as f64));
            draw_line(&mut sheet.svg, side, &points.iter().map(place).collect::<Vec<_>>());
        }
        let end = |side: usize| EndLabel {
            y: upper.y(&wins, last.wins[side] as f64),
            says: labels[side].clone(),
            sign: Box::new(move |svg: &mut Svg, x: f64, y: f64| {
                draw_line(svg, side, &[(x - 9.0, y), (x + 9.0, y)]);
                marks::mark(svg, side, x, y, 5.0, &marks::filled(side));
            }),
        };
        end_labels::draw(&mut sheet, upper, &[end(0), end(1)]);
        if self.difference {
            let lower = Area { top: sheet.area.bottom - DIFFERENCE_HEIGHT, ..sheet.area };
            self.draw_difference(&mut sheet, lower, &games, &apart, &points, difference);
        }
        sheet.finish()
    }

    fn draw_difference(
        &self,
        sheet: &mut Sheet,
        area: Area,
        games: &Scale,
        apart: &Scale,
        points: &[CumulativePoint],
        difference: String,
    ) {
        let heading = format!("{} − {}", text::clean(&self.sides[0]), text::clean(&self.sides[1]));
        let room = WIDTH - 2.0 * EDGE;
        sheet.label(EDGE, area.top - 24.0, Anchor::Start, theme::QUIET, &heading, room);
        let place = |p: &CumulativePoint, value: f64| (area.x(games, p.games as f64), area.y(apart, value));
        let mut outline: Vec<_> = points.iter().map(|p| place(p, p.chance())).collect();
        outline.extend(points.iter().rev().map(|p| place(p, -p.chance())));
        let shade = format!("class=\"chance\" fill=\"{}\" fill-opacity=\"0.22\"", theme::QUIET);
        sheet.svg.path(&(marks::track(&outline) + "Z"), &shade);
        sheet.y_axis(area, apart);
        let line: Vec<_> = points.iter().map(|p| place(p, p.difference())).collect();
        let stroke =
            format!("class=\"difference\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.25\"", theme::INK);
        sheet.svg.path(&marks::track(&line), &stroke);
        let last = points.last().copied().unwrap_or_default();
        let labels = [
            EndLabel {
                y: area.y(apart, last.difference()),
                says: difference,
                sign: Box::new(move |svg: &mut Svg, x: f64, y: f64| {
                    marks::line(
                        svg,
                        (x - 9.0, y),
                        (x + 9.0, y),
                        &stroke.replace("class=\"difference\" ", ""),
                    );
                }),
            },
            EndLabel {
                // Away from the difference, where the band is to be seen.
                y: area.y(apart, -last.chance().copysign(last.difference())),
                says: BAND.into(),
                sign: Box::new(move |svg: &mut Svg, x: f64, y: f64| {
                    let shade = format!("fill=\"{}\" fill-opacity=\"0.22\"", theme::QUIET);
                    svg.rect(x - 9.0, y - 8.0, 18.0, 16.0, 0.0, &shade);
                }),
            },
        ];
        end_labels::draw(sheet, area, &labels);
    }

    fn says(&self, last: &CumulativePoint) -> String {
        let [a, b] = &self.sides;
        format!("After {} games {a} has won {} and {b} {}.", last.games, last.wins[0], last.wins[1])
    }
}

fn signed(value: f64) -> String {
    let plus = if value > 0.0 { "+" } else { "" };
    format!("{plus}{}", AxisUnit::Number.say(value))
}

fn draw_line(svg: &mut Svg, side: usize, points: &[(f64, f64)]) {
    let attributes = format!(
        "class=\"line\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.25\" {}",
        marks::colour(side),
        marks::dashes(side)
    );
    svg.path(&marks::track(points), &attributes);
    if (3..=MOST_MARKS).contains(&points.len()) {
        for (x, y) in points {
            marks::mark(svg, side, *x, *y, 4.0, &format!("class=\"measured\" {}", marks::filled(side)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_goes_with_the_root_of_the_won_games() {
        let point = CumulativePoint { games: 200, wins: [55, 45] };
        assert_eq!(point.difference(), 10.0);
        assert!((point.chance() - 19.6).abs() < 1e-9);
        assert_eq!(signed(point.difference()), "+10");
    }
}
