//! The table in text. A tile shows the letters of its six edges around its number:
//!
//! ```text
//! B R Y
//!  38       an empty cell shows where it is: 1,0   * forced   x controlled
//! Y G B
//! ```

use crate::hex::Hex;
use crate::state::{Phase, State};
use crate::tiles::Colour;
use ranka_core::{Actor, Position, Seat};
use std::fmt::Write as _;

/// Width of a column of cells and height of a cell, in characters.
const COLUMN: usize = 7;
const HEIGHT: i32 = 4;

/// How text of a colour is written.
type Paint = fn(Colour, &str) -> String;

/// As it is.
pub(crate) fn plain(_colour: Colour, text: &str) -> String {
    text.to_owned()
}

/// In the terminal's colours, bold so that they can be told apart on any ground.
pub(crate) fn in_colours(colour: Colour, text: &str) -> String {
    let code = match colour {
        Colour::Blue => 34,
        Colour::Green => 32,
        Colour::Red => 31,
        Colour::Yellow => 33,
    };
    format!("\x1b[1;{code}m{text}\x1b[0m")
}

pub(crate) fn sketch(state: &State, viewer: Seat, paint: Paint) -> String {
    let mut out = board(state, paint);
    for step in 1..=state.seats() {
        let seat = Seat::new((viewer.index() + step) % state.seats());
        let mark = if state.actor() == Actor::Seat(seat) { '▶' } else { ' ' };
        let hand: Vec<String> = state
            .hand(seat)
            .map(|tile| {
                let edge = |colour: &Colour| paint(*colour, colour.letter().encode_utf8(&mut [0; 4]));
                let edges: String = tile.edges().iter().map(edge).collect();
                format!("{tile} {edges}")
            })
            .collect();
        let hand = if hand.is_empty() { "no tiles".to_owned() } else { hand.join(", ") };
        let _ = writeln!(
            out,
            "{mark} seat {seat}, {}, {} points: {hand}",
            paint(state.colour(seat), state.colour(seat).name()),
            state.score(seat)
        );
    }
    let asked = match state.phase() {
        Phase::Draw => "a tile is drawn",
        Phase::Forced => "a forced space (*) must be filled",
        Phase::Free => "any tile, anywhere but on a controlled side (x)",
        Phase::Over => "the game is over",
    };
    let _ = writeln!(out, "  {} tiles in the bag; {asked}", state.bag().len());
    out
}

fn board(state: &State, paint: Paint) -> String {
    let board = state.board();
    let mut texts: Vec<(Hex, [String; 3])> = Vec::new();
    for p in state.played().iter().filter_map(|action| action.placement()) {
        let [n, ne, se, s, sw, nw] = [0, 1, 2, 3, 4, 5].map(|side| p.tile.colour(p.rotation, side).letter());
        texts.push((p.at, [format!("{nw} {n} {ne}"), format!(" {:>2} ", p.tile), format!("{sw} {s} {se}")]));
    }
    let forced = board.forced(state.exactly3());
    let mut empty = board.frontier();
    if empty.is_empty() {
        empty.push(Hex::ORIGIN);
    }
    for at in empty {
        let mark = if forced.contains(&at) {
            "  *"
        } else if board.is_controlled(at) {
            "  x"
        } else {
            ""
        };
        texts.push((at, [String::new(), at.to_string(), mark.to_owned()]));
    }
    // Half a cell per step of r, so that neighbouring columns interlock.
    let line = |at: Hex| -(i32::from(at.r) * HEIGHT + i32::from(at.q) * HEIGHT / 2);
    let top = texts.iter().map(|(at, _)| line(*at)).min().unwrap_or(0);
    let bottom = texts.iter().map(|(at, _)| line(*at)).max().unwrap_or(0);
    let left = texts.iter().map(|(at, _)| at.q).min().unwrap_or(0);
    let right = texts.iter().map(|(at, _)| at.q).max().unwrap_or(0);
    let width = (right - left + 1) as usize * COLUMN;
    let mut lines = vec![vec![' '; width]; (bottom - top + 3) as usize];
    for (at, text) in texts {
        for (row, text) in text.iter().enumerate() {
            let start = (at.q - left) as usize * COLUMN;
            let into = &mut lines[(line(at) - top) as usize + row][start..];
            for (to, c) in into.iter_mut().zip(text.chars()) {
                *to = c;
            }
        }
    }
    let mut out = String::new();
    for line in lines {
        let text: String = line.into_iter().collect();
        // Capitals are edges, and nothing else on the board is.
        for c in text.trim_end().chars() {
            match Colour::from_letter(c) {
                Some(colour) => out += &paint(colour, c.encode_utf8(&mut [0; 4])),
                None => out.push(c),
            }
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Tantrix;
    use ranka_core::{Game, Rng, Seed};

    #[test]
    fn colours_change_nothing_but_the_colour() {
        let mut rng = Rng::new(Seed::new(5));
        let mut state = Tantrix::standard(2).start(&mut rng);
        for _ in 0..12 {
            let action = match state.actor() {
                Actor::Chance => state.draw(&mut rng),
                _ => {
                    let mut actions = Vec::new();
                    state.actions(&mut actions);
                    actions[0]
                }
            };
            state.apply(action);
        }
        let coloured = sketch(&state, Seat::FIRST, in_colours);
        let mut without = coloured.clone();
        for code in ["\x1b[1;31m", "\x1b[1;32m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[0m"] {
            assert!(coloured.contains(code), "{code:?} is missing:\n{coloured}");
            without = without.replace(code, "");
        }
        assert_eq!(without, sketch(&state, Seat::FIRST, plain));
        let red = sketch(&state, Seat::FIRST, plain).matches('R').count();
        assert_eq!(coloured.matches("\x1b[1;31mR\x1b[0m").count(), red, "every red edge is red");
    }
}
