//! Marks: what tells series apart without their colour, and the signs that mean the same in all plots.

use crate::Origin;
use ranka_core::{Svg, theme};
use std::f64::consts::{PI, TAU};
use std::fmt::Write as _;

/// The ground: the page's paper, white where there is no page.
pub(super) const GROUND: &str = "var(--paper, #ffffff)";

/// The colour of a series. The yellow comes last, for it is faint on paper, and black follows the theme.
pub(super) fn colour(series: usize) -> &'static str {
    const ORDER: [&str; 8] = [
        theme::SERIES[0],
        theme::SERIES[1],
        theme::SERIES[2],
        theme::SERIES[3],
        theme::SERIES[4],
        theme::SERIES[5],
        theme::INK,
        theme::SERIES[6],
    ];
    ORDER[series % ORDER.len()]
}

/// The dashes of a series' line, as an attribute.
pub(super) fn dashes(series: usize) -> &'static str {
    const DASHES: [&str; 6] = [
        "",
        "stroke-dasharray=\"8 4\"",
        "stroke-dasharray=\"2 3\"",
        "stroke-dasharray=\"10 3 2 3\"",
        "stroke-dasharray=\"4 3\"",
        "stroke-dasharray=\"14 4\"",
    ];
    DASHES[series % DASHES.len()]
}

/// The filled mark of a series, about as large as a circle of radius `r`.
pub(super) fn mark(svg: &mut Svg, series: usize, x: f64, y: f64, r: f64, attributes: &str) {
    // The shapes go round at another pace than the colours, so that the ninth series differs from the first.
    match (series + series / 8) % 7 {
        0 => {
            svg.circle(x, y, r, attributes);
        }
        1 => {
            let half = r * 0.89;
            svg.rect(x - half, y - half, 2.0 * half, 2.0 * half, 0.0, attributes);
        }
        2 => polygon(svg, x, y, &corners(3, r * 1.35, -PI / 2.0), attributes),
        3 => polygon(svg, x, y, &corners(3, r * 1.35, PI / 2.0), attributes),
        4 => polygon(svg, x, y, &plus(r, 0.0), attributes),
        5 => polygon(svg, x, y, &plus(r, PI / 4.0), attributes),
        _ => polygon(svg, x, y, &star(r), attributes),
    }
}

/// The attributes of a series' filled mark.
pub(super) fn filled(series: usize) -> String {
    format!("fill=\"{}\" stroke=\"{GROUND}\" stroke-width=\"1\"", colour(series))
}

/// The sign of a reference figure: hollow, and of a shape that tells its origin.
pub(super) fn reference(svg: &mut Svg, origin: Origin, x: f64, y: f64, r: f64, attributes: &str) {
    let corners = match origin {
        Origin::Paper => corners(4, r, 0.0),
        Origin::Solver => corners(4, r, PI / 4.0),
        Origin::Trial => corners(3, r * 1.15, -PI / 2.0),
    };
    let attributes = format!("fill=\"none\" stroke=\"{}\" stroke-width=\"2\" {attributes}", theme::INK);
    polygon(svg, x, y, &corners, &attributes);
}

/// A straight line.
pub(super) fn line(svg: &mut Svg, from: (f64, f64), to: (f64, f64), attributes: &str) {
    svg.path(&track(&[from, to]), attributes);
}

/// The path through points.
pub(super) fn track(points: &[(f64, f64)]) -> String {
    let mut d = String::new();
    for (i, (x, y)) in points.iter().enumerate() {
        let _ = write!(d, "{}{} {}", if i == 0 { "M" } else { "L" }, short(*x), short(*y));
    }
    d
}

/// A coordinate with at most two decimals.
fn short(value: f64) -> f64 {
    // Adding zero makes the negative zero positive.
    (value * 100.0).round() / 100.0 + 0.0
}

fn polygon(svg: &mut Svg, x: f64, y: f64, corners: &[(f64, f64)], attributes: &str) {
    let corners: Vec<_> = corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
    svg.path(&(track(&corners) + "Z"), attributes);
}

fn corners(count: usize, r: f64, turn: f64) -> Vec<(f64, f64)> {
    let angle = |i| turn + TAU * i as f64 / count as f64;
    (0..count).map(|i| (r * angle(i).cos(), r * angle(i).sin())).collect()
}

fn plus(r: f64, turn: f64) -> Vec<(f64, f64)> {
    let (long, thin) = (r * 1.15, r * 0.4);
    let arm = [(long, -thin), (long, thin), (thin, thin)];
    let turned = |(x, y): (f64, f64), by: f64| (x * by.cos() - y * by.sin(), x * by.sin() + y * by.cos());
    (0..4).flat_map(|i| arm.map(|corner| turned(corner, turn + PI / 2.0 * f64::from(i)))).collect()
}

fn star(r: f64) -> Vec<(f64, f64)> {
    let (outer, inner) = (corners(5, r * 1.35, -PI / 2.0), corners(5, r * 0.6, -PI / 2.0 + PI / 5.0));
    outer.into_iter().zip(inner).flat_map(|(out, inn)| [out, inn]).collect()
}

/// A rectangle to be filled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rectangle {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) w: f64,
    pub(super) h: f64,
}

/// How a part is told from others without its colour. Lines are computed instead of using SVG's patterns, which
/// many programs turn into pixels, and whose ids would clash between the plots of one page.
pub(super) fn texture(kind: usize, area: Rectangle) -> String {
    let mut d = String::new();
    match kind % 6 {
        0 => {}
        1 => slanted(&mut d, area, 8.0, true),
        2 => dots(&mut d, area, 7.0),
        3 => slanted(&mut d, area, 8.0, false),
        4 => levels(&mut d, area, 6.0),
        _ => {
            slanted(&mut d, area, 10.0, true);
            slanted(&mut d, area, 10.0, false);
        }
    }
    d
}

/// Slanted lines at a distance. They are anchored to the drawing, so that neighbours join.
fn slanted(d: &mut String, Rectangle { x, y, w, h }: Rectangle, distance: f64, rising: bool) {
    // With v = ±y the line is u + v = c for both directions.
    let (v_low, v_high) = if rising { (y, y + h) } else { (-y - h, -y) };
    let mut c = ((x + v_low) / distance).ceil() * distance;
    while c < x + w + v_high {
        let from = x.max(c - v_high);
        let to = (x + w).min(c - v_low);
        if to > from {
            let level = |u: f64| if rising { c - u } else { u - c };
            d.push_str(&track(&[(from, level(from)), (to, level(to))]));
        }
        c += distance;
    }
}

fn levels(d: &mut String, Rectangle { x, y, w, h }: Rectangle, distance: f64) {
    let mut level = (y / distance).ceil() * distance;
    while level < y + h {
        d.push_str(&track(&[(x, level), (x + w, level)]));
        level += distance;
    }
}

fn dots(d: &mut String, Rectangle { x, y, w, h }: Rectangle, distance: f64) {
    const SIZE: f64 = 2.0;
    let mut level = (y / distance).ceil() * distance;
    while level + 1.0 <= y + h {
        // A dot on the border is shared by neighbours.
        let mut at = ((x - SIZE) / distance).ceil() * distance;
        while at < x + w {
            let (from, to) = (at.max(x), (at + SIZE).min(x + w));
            if to > from {
                d.push_str(&track(&[(from, level), (to, level)]));
            }
            at += distance;
        }
        level += distance;
    }
}

/// A filled rectangle with its texture.
pub(super) fn part(svg: &mut Svg, kind: usize, area: Rectangle, attributes: &str) {
    svg.rect(area.x, area.y, area.w, area.h, 0.0, &format!("fill=\"{}\" {attributes}", colour(kind)));
    let lines = texture(kind, area);
    if !lines.is_empty() {
        svg.path(&lines, TEXTURE);
    }
}

/// The attributes of a texture's lines.
pub(super) const TEXTURE: &str =
    "fill=\"none\" stroke=\"var(--paper, #ffffff)\" stroke-width=\"1.5\" stroke-opacity=\"0.9\"";
