//! The maze in text, for the terminal: two lines for each row of tiles, and beside it what there is to know.

use super::{goal, letter, reach};
use crate::maze::{Cell, Entry, SIDE};
use crate::state::Phase;
use crate::tile::{Direction, Openings, Tile, Treasure};
use crate::view::View;
use ranka_core::{Position, Seat};
use std::fmt::Write as _;

/// The middle of a tile by its openings: bits up, right, down, left.
const MIDDLES: [char; 16] = ['·', '╨', '╞', '╚', '╥', '║', '╔', '╠', '╡', '╝', '═', '╩', '╗', '╣', '╦', '╬'];

pub(super) fn sketch(view: &View) -> String {
    let state = view.shown();
    let columns = |cells: &dyn Fn(usize) -> String| (0..SIDE).map(cells).collect::<String>();
    let mut out = format!("      {}\n", columns(&|x| format!("   {x}   ")).trim_end());
    let _ = writeln!(out, "      {}", columns(&|x| format!("{:^7}", arrow(Cell::at(x, 0)))).trim_end());
    let beside = beside(view);
    for y in 0..SIDE {
        let (first, last) = (Cell::at(0, y), Cell::at(SIDE - 1, y));
        let (mut ways, mut names) = (format!("{:>3} {y} ", arrow(first)), "      ".to_owned());
        for x in 0..SIDE {
            let cell = Cell::at(x, y);
            let tile = state.board().tile(cell);
            ways += &crossing(tile.openings());
            names += &below(view, cell, tile);
        }
        ways += &format!(" {:<3}", arrow(last));
        names += "    ";
        for (line, text) in [ways, names].into_iter().zip([2 * y, 2 * y + 1]) {
            let text = beside.get(text).map_or("", String::as_str);
            let _ = writeln!(out, "{}", format!("{line}  {text}").trim_end());
        }
    }
    let bottom = columns(&|x| format!("{:^7}", arrow(Cell::at(x, SIDE - 1))));
    let _ = writeln!(out, "      {}", bottom.trim_end());
    out
}

/// The entry at a cell of the edge, with the direction in which it pushes.
fn arrow(cell: Cell) -> String {
    let Some(entry) = Entry::all().find(|entry| entry.cell() == cell) else { return String::new() };
    match entry.direction() {
        Direction::Up => format!("▲{}", entry.index()),
        Direction::Right => format!("{}▶", entry.index()),
        Direction::Down => format!("▼{}", entry.index()),
        Direction::Left => format!("◀{}", entry.index()),
    }
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
        goal(view).to_string(),
        match (state.last(), state.phase()) {
            (Some(entry), Phase::Push) => {
                format!("last push {}, so not {}", entry.index(), entry.opposite().index())
            }
            (Some(entry), _) => format!("last push {}", entry.index()),
            (None, _) => "nobody has pushed yet".to_owned(),
        },
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
