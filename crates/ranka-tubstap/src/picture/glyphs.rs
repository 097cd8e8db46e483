//! Small drawings: what the ground looks like, and who stands on it.

use crate::kinds::{Kind, Terrain};
use ranka_core::Svg;

/// The colour of the ground.
pub(super) const fn ground(terrain: Terrain) -> &'static str {
    match terrain {
        Terrain::Wall => "var(--wall, #6b665c)",
        Terrain::Plain => "var(--plain, #e3e6cb)",
        Terrain::Sea => "var(--sea, #bcd5de)",
        Terrain::Forest => "var(--forest, #cbdab2)",
        Terrain::Mountain => "var(--mountain, #ddd3bf)",
        Terrain::Road => "var(--plain, #e3e6cb)",
        Terrain::Fortress => "var(--fortress, #e6dcc6)",
    }
}

/// A terrain in one character.
pub(super) const fn letter(terrain: Terrain) -> char {
    ['█', '.', '~', '♣', '▲', '=', '#'][terrain as usize]
}

/// What grows or stands on a cell around `x`, `y`. Neighbours differ a little by `turn`.
pub(super) fn terrain(svg: &mut Svg, terrain: Terrain, x: f64, y: f64, turn: usize) {
    svg.group(&format!("transform=\"translate({x} {y})\""));
    match terrain {
        Terrain::Plain => {
            let blades = if turn.is_multiple_of(2) {
                "M-15 12v-4M-12 12v-5M-9 12v-3M10 -8v-4M13 -8v-5M16 -8v-3"
            } else {
                "M-4 -12v-4M-1 -12v-5M2 -12v-3M12 15v-4M15 15v-5M18 15v-3"
            };
            svg.path(
                blades,
                "stroke=\"var(--grass, #b9c09a)\" stroke-width=\"1.3\" stroke-linecap=\"round\"",
            );
        }
        Terrain::Sea => {
            let waves =
                "M-20 -12q4 -4 8 0t8 0t8 0t8 0M-14 2q4 -4 8 0t8 0t8 0t8 0M-20 16q4 -4 8 0t8 0t8 0t8 0";
            svg.path(
                waves,
                "fill=\"none\" stroke=\"var(--wave, #8fb6c6)\" stroke-width=\"1.6\" stroke-linecap=\"round\"",
            );
        }
        Terrain::Forest => {
            for (tx, ty, size) in [
                (-14.0, -4.0, 1.0),
                (13.0, -8.0, 0.9),
                (-1.0, 12.0, 1.1),
                (17.0, 16.0, 0.8),
                (-19.0, 20.0, 0.7),
            ] {
                let crown =
                    format!("M{} {}l{} {}h{}z", tx, ty - 12.0 * size, 7.5 * size, 14.0 * size, -15.0 * size);
                svg.path(&crown, "fill=\"var(--tree, #7f9c68)\"");
                svg.rect(tx - 1.2, ty + 2.0 * size, 2.4, 4.0 * size, 0.0, "fill=\"var(--trunk, #8a7355)\"");
            }
        }
        Terrain::Mountain => {
            svg.path("M-24 18L-8 -14L8 18Z", "fill=\"var(--rock, #b3a58c)\"");
            svg.path("M-4 18L12 -20L26 18Z", "fill=\"var(--rock-dark, #9d8f76)\"");
            svg.path("M-12.5 -5L-8 -14L-3.5 -5L-8 -7Z", "fill=\"#fffdf8\"");
            svg.path("M7.4 -9L12 -20L16.2 -9L12 -12Z", "fill=\"#fffdf8\"");
        }
        Terrain::Fortress => {
            svg.path(
                "M-21 20V-14h7v5h7v-5h14v5h7v-5h7V20Z",
                "fill=\"var(--stone, #c5b898)\" stroke=\"var(--stone-line, #9c8e6e)\" stroke-width=\"1.3\"",
            );
            svg.path("M-5 20v-9a5 5 0 0 1 10 0v9Z", "fill=\"var(--stone-line, #9c8e6e)\"");
        }
        Terrain::Wall => {
            svg.path(
                "M-28 -9.5H28M-28 9.5H28M-14 -28V-9.5M14 -28V-9.5M0 -9.5V9.5M-14 9.5V28M14 9.5V28",
                "stroke=\"var(--wall-line, #57534a)\" stroke-width=\"1.5\"",
            );
        }
        Terrain::Road => {}
    }
    svg.close();
}

/// The silhouette of a unit, about 28 wide, around `x`, `y`.
pub(super) fn unit(svg: &mut Svg, kind: Kind, x: f64, y: f64) {
    const TRACKS: &str =
        "M-13 5.5h26l-1 2.5a3.5 3.5 0 0 1 -3 2h-18a3.5 3.5 0 0 1 -3 -2ZM-12 0.5h24l1 3.5h-26Z";
    let outline = match kind {
        Kind::Fighter => "M0 -14L2.6 -4L12 5.5V8.5L2.8 5.6L2 10L5.5 12.5V14L0 13L-5.5 14V12.5L-2 10L-2.8 5.6L-12 8.5V5.5L-2.6 -4Z".to_owned(),
        Kind::Attacker => "M0 -13Q2.6 -11 2.6 -5.5L14 -3.5V1.5L2.6 2L1.8 9L6.5 11V13.5H-6.5V11L-1.8 9L-2.6 2L-14 1.5V-3.5L-2.6 -5.5Q-2.6 -11 0 -13Z".to_owned(),
        Kind::Panzer => format!("{TRACKS}M-7 -6h11l3 5h-16ZM4 -5.2h11v2.4h-9.6Z"),
        Kind::Cannon => format!("{TRACKS}M-9 -4h9l3 3.4h-13ZM-3 -4L9.5 -14L11.6 -11.6L1.5 -2Z"),
        Kind::AntiAir => format!("{TRACKS}M-8 -4.5h11l3 4h-16ZM-2 -4L4 -14L6.2 -12.8L1.2 -3.6ZM3 -4L9 -13L11 -11.6L5.6 -3ZM-9 -11a5 5 0 0 1 7 2.5l-3 2.2Z"),
        Kind::Infantry => "M-4.6 -7.5a4.6 4.6 0 0 1 9.2 0h1.6v1.6h-12.4v-1.6ZM-3.4 -5a3.4 3.4 0 0 0 6.8 0ZM-6.5 10.5V4a5 5 0 0 1 5 -5h3a5 5 0 0 1 5 5v6.5ZM9 -9h1.8v17h-1.8Z".to_owned(),
    };
    svg.group(&format!("transform=\"translate({x} {y})\""));
    svg.path(&outline, "fill=\"#fffdf8\"");
    svg.close();
}
