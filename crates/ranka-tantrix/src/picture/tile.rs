//! One tile: a black hexagon with its three links as on the real ones.

use crate::hex::Hex;
use crate::picture::link_of;
use crate::tiles::{Colour, Tile};
use ranka_core::Svg;
use std::f64::consts::FRAC_PI_3;

/// Black in either theme; at night blacker than the paper, so that a tile has a shape there too.
const BODY: &str = "var(--tile, #16171a)";
/// From the centre of a hexagon to its corners.
pub(crate) const SIZE: f64 = 34.0;
/// From the centre to the middle of a side, for size 1.
const INNER: f64 = 0.866_025_403_784_438_6;

/// Colours as on the tiles, lighter and darker by turns so that they differ without hue.
pub(crate) const fn ink(colour: Colour) -> &'static str {
    match colour {
        Colour::Blue => "#2f74d0",
        Colour::Green => "#52b45a",
        Colour::Red => "#d63a2f",
        Colour::Yellow => "#f5cb2b",
    }
}

/// The centre of a cell, the origin's at 0, 0; y grows downwards.
pub(crate) fn place(at: Hex) -> (f64, f64) {
    let (q, r) = (f64::from(at.q), f64::from(at.r));
    (1.5 * SIZE * q, -2.0 * INNER * SIZE * (r + q / 2.0))
}

/// A path begins at the centre of its hexagon and goes on by steps: so the same shape is the same text wherever it
/// lies, and a picture of many tiles packs well.
fn from_centre((x, y): (f64, f64), steps: &str) -> String {
    format!("M{x:.2} {y:.2}{steps}")
}

fn corner(size: f64, number: usize) -> (f64, f64) {
    let angle = number as f64 * FRAC_PI_3;
    (size * angle.cos(), size * angle.sin())
}

/// A hexagon's outline.
pub(crate) fn hexagon(x: f64, y: f64, size: f64) -> String {
    let mut steps = format!("m{size:.2} 0");
    for number in 1..6 {
        let (from, to) = (corner(size, number - 1), corner(size, number));
        steps += &format!("l{:.2} {:.2}", to.0 - from.0, to.1 - from.1);
    }
    from_centre((x, y), &(steps + "z"))
}

/// Parallel lines within a hexagon.
pub(crate) fn hatched(x: f64, y: f64, size: f64) -> String {
    let mut path = String::new();
    // Along the direction of the corner at 60° upwards; a line at distance d from the centre meets the two
    // neighbouring pairs of sides.
    for step in -3..=3 {
        let d = f64::from(step) * size * INNER / 3.5;
        let half = size * (1.0 - d.abs() / (2.0 * INNER * size));
        let (along, across) = ((0.5, -INNER), (INNER, 0.5));
        let start = (d * across.0 - half * along.0, d * across.1 - half * along.1);
        let line =
            format!("m{:.2} {:.2}l{:.2} {:.2}", start.0, start.1, 2.0 * half * along.0, 2.0 * half * along.1);
        path += &from_centre((x, y), &line);
    }
    path
}

/// The middle of a side, counted clockwise from north.
fn middle(size: f64, side: usize) -> (f64, f64) {
    let angle = side as f64 * FRAC_PI_3;
    (INNER * size * angle.sin(), -INNER * size * angle.cos())
}

/// The way of a link from side to side: a narrow arc, a wide arc, or straight.
fn link_path(centre: (f64, f64), size: f64, a: usize, b: usize) -> String {
    // From the side that comes first clockwise, the shorter way round.
    let (a, b) = if (b + 6 - a) % 6 <= 3 { (a, b) } else { (b, a) };
    let [(ax, ay), (bx, by)] = [a, b].map(|side| middle(size, side));
    let (dx, dy) = (bx - ax, by - ay);
    let way = match (b + 6 - a) % 6 {
        1 => format!("a{0:.2} {0:.2} 0 0 0 {dx:.2} {dy:.2}", size * 0.5),
        2 => format!("a{0:.2} {0:.2} 0 0 0 {dx:.2} {dy:.2}", size * 1.5),
        _ => format!("l{dx:.2} {dy:.2}"),
    };
    from_centre(centre, &format!("m{ax:.2} {ay:.2}{way}"))
}

/// Draws along a tile's link of a colour, if it has one.
pub(crate) fn draw_link(
    svg: &mut Svg,
    tile: Tile,
    rotation: u8,
    colour: Colour,
    centre: (f64, f64),
    scale: f64,
    style: &str,
) {
    if let Some((a, b)) = link_of(tile, rotation, colour) {
        svg.path(&link_path(centre, SIZE * scale - 0.6, a, b), style);
    }
}

/// Draws a tile. Straight links lie below and corners on top, each with a dark seam where they cross.
pub(crate) fn draw_tile(svg: &mut Svg, tile: Tile, rotation: u8, x: f64, y: f64, scale: f64) {
    svg.path(
        &hexagon(x, y, SIZE * scale - 0.6),
        &format!(
            "fill=\"{BODY}\" stroke=\"var(--tile-edge, #3a3c42)\" stroke-width=\"1\" stroke-linejoin=\"round\""
        ),
    );
    let mut links: Vec<(usize, Colour)> = Colour::ALL
        .into_iter()
        .filter_map(|colour| {
            let (a, b) = link_of(tile, rotation, colour)?;
            let apart = (b + 6 - a) % 6;
            Some((apart.min(6 - apart), colour))
        })
        .collect();
    links.sort_by_key(|&(apart, _)| std::cmp::Reverse(apart));
    for (_, colour) in links {
        let seam = format!("fill=\"none\" stroke=\"{BODY}\" stroke-width=\"{:.1}\"", 13.0 * scale);
        draw_link(svg, tile, rotation, colour, (x, y), scale, &seam);
        let style = format!("fill=\"none\" stroke=\"{}\" stroke-width=\"{:.1}\"", ink(colour), 9.0 * scale);
        draw_link(svg, tile, rotation, colour, (x, y), scale, &style);
    }
}
