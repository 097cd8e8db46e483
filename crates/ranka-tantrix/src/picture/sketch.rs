//! The table in text. A tile shows the letters of its six edges around its number:
//!
//! ```text
//! B R Y
//!  38       an empty cell shows where it is: 1,0   * forced   x controlled
//! Y G B
//! ```

use crate::hex::Hex;
use crate::state::{Phase, State};
use ranka_core::{Actor, Position, Seat};
use std::fmt::Write as _;

/// Width of a column of cells and height of a cell, in characters.
const COLUMN: usize = 7;
const HEIGHT: i32 = 4;

pub(crate) fn sketch(state: &State, viewer: Seat) -> String {
    let mut out = board(state);
    for step in 1..=state.seats() {
        let seat = Seat::new((viewer.index() + step) % state.seats());
        let mark = if state.actor() == Actor::Seat(seat) { '▶' } else { ' ' };
        let hand: Vec<String> = state
            .hand(seat)
            .map(|tile| {
                let edges: String = tile.edges().iter().map(|colour| colour.letter()).collect();
                format!("{tile} {edges}")
            })
            .collect();
        let hand = if hand.is_empty() { "no tiles".to_owned() } else { hand.join(", ") };
        let _ = writeln!(
            out,
            "{mark} seat {seat}, {}, {} points: {hand}",
            state.colour(seat).name(),
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

fn board(state: &State) -> String {
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
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
}
