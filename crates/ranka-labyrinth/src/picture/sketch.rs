//! The maze in text, for the terminal: two lines for each row of tiles, and beside it what there is to know.

use super::{goal, letter, reach};
use crate::maze::{Cell, SIDE};
use crate::rules::Phase;
use crate::tile::{Direction, Openings, Tile, Treasure};
use crate::view::View;
use ranka_core::{Position, Seat};
use std::fmt::Write as _;

/// The middle of a tile by its openings: bits up, right, down, left.
const MIDDLES: [char; 16] = ['·', '╨', '╞', '╚', '╥', '║', '╔', '╠', '╡', '╝', '═', '╩', '╗', '╣', '╦', '╬'];

pub(super) fn sketch(view: &View) -> String {
    let state = view.shown();
    let mut out = String::from("      ");
    for x in 0..SIDE {
        let _ = write!(out, "   {x}   ");
    }
    out.push('\n');
    let beside = beside(view);
    for y in 0..SIDE {
        let (mut ways, mut names) = (format!("   {y}  "), "      ".to_owned());
        for x in 0..SIDE {
            let cell = Cell::at(x, y);
            let tile = state.board().tile(cell);
            ways += &crossing(tile.openings());
            names += &below(view, cell, tile);
        }
        for (line, text) in [ways, names].into_iter().zip([2 * y, 2 * y + 1]) {
            let text = beside.get(text).map_or("", String::as_str);
            let _ = writeln!(out, "{}", format!("{line}   {text}").trim_end());
        }
    }
    out
}

fn crossing(openings: Openings) -> String {
    let arm = |direction| if openings.has(direction) { "═══" } else { "   " };
    format!("{}{}{}", arm(Direction::Left), MIDDLES[openings.bits() as usize], arm(Direction::Right))
}

/// The way down, the treasure's first letters and whoever stands there; a dot marks what can be reached.
fn below(view: &View, cell: Cell, tile: Tile) -> String {
    let state = view.shown();
    let name = tile.treasure().map_or("   ", short);
    let down = if tile.openings().has(Direction::Down) { '║' } else { ' ' };
    let mut pawns: String =
        Seat::all(state.seats()).filter(|&seat| state.pawn(seat) == cell).map(letter).collect();
    if pawns.is_empty() && reach(state).any(|reached| reached == cell) {
        pawns.push('•');
    }
    format!("{name}{down}{pawns:<3.3}")
}

/// Three letters for a treasure, none shared by two.
fn short(treasure: Treasure) -> &'static str {
    match treasure.name() {
        "Candles" => "Cdl",
        name => &name[..3],
    }
}

/// The lines beside the board.
fn beside(view: &View) -> Vec<String> {
    let state = view.shown();
    let extra = state.board().extra();
    let mut lines = vec![
        format!("extra tile {extra}  {}", crossing(extra.openings()).trim()),
        goal(view),
        match (state.last(), state.phase()) {
            (Some(entry), Phase::Push) => {
                format!("last push {}, so not {}", entry.index(), entry.opposite().index())
            }
            (Some(entry), _) => format!("last push {}", entry.index()),
            (None, _) => "nobody has pushed yet".to_owned(),
        },
        "entries 0 1 2 top, 3 4 5 right,".to_owned(),
        "  6 7 8 bottom from the right, 9 10 11 left from below".to_owned(),
    ];
    for seat in Seat::all(state.seats()) {
        let turn = if state.actor().seat() == Some(seat) { '▶' } else { ' ' };
        let (home, left) = (state.home(seat), state.cards().pile(seat).len());
        lines.push(format!("{turn} {} home {home}, {left} to find", letter(seat)));
        let found: Vec<&str> = state
            .cards()
            .found(seat)
            .iter()
            .filter_map(|card| card.treasure())
            .map(|treasure| treasure.name())
            .collect();
        if !found.is_empty() {
            lines.push(format!("    found {}", found.join(" ")));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_letters_tell_the_treasures_apart() {
        let mut names: Vec<&str> = Treasure::all().map(short).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Treasure::all().len());
    }
}
