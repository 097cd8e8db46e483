//! What comes of a push or a move, told before it is made, as far as the viewer knows.

use crate::action::{Action, Push};
use crate::cards::Card;
use crate::maze::{Cell, Entry};
use crate::picture::{cell_id, entry_id, letter, named, pawn_id};
use crate::state::State;
use crate::tile::{Direction, Tile};
use crate::view::View;
use ranka_core::{Foresight, Message, Position, Seat};

/// What comes of `action`; nothing if it is not legal.
pub(crate) fn foresee(view: &View, action: Action) -> Foresight {
    let state = view.shown();
    match action {
        _ if !state.is_legal(action) => Foresight::default(),
        Action::Push(push) => foresee_push(state, push),
        Action::Move(cell) => {
            let sought = state.cards().current(state.mover()).and_then(Card::treasure);
            walk(state, cell, sought.is_some() && sought == state.board().tile(cell).treasure())
        }
    }
}

/// What an action did, told to who saw it: what somebody has found lies open for everybody.
pub(crate) fn tell(before: &View, action: Action, after: &View) -> Message {
    let state = before.shown();
    match action {
        Action::Move(cell) if state.is_legal(action) => {
            let found = |view: &View| view.shown().cards().found(state.mover()).len();
            walk(state, cell, found(after) > found(before)).message
        }
        _ => foresee(before, action).message,
    }
}

/// Who is carried, and what leaves where.
fn foresee_push(state: &State, Push { entry, rotation }: Push) -> Foresight {
    let on_line = |seat: &Seat| entry.cells() & state.pawn(*seat).bit() != 0;
    let (around, along): (Vec<Seat>, Vec<Seat>) =
        Seat::all(state.seats()).filter(on_line).partition(|&seat| state.pawn(seat) == entry.far());
    let mut words = from(entry).to_vec();
    words.push(lies(Tile::new(state.board().extra().piece(), rotation)).to_owned());
    let pattern = match (along.is_empty(), around.is_empty()) {
        (true, true) => "Pushes the tile in {0} at {1} {2}, {3}",
        (false, true) => "Pushes the tile in {0} at {1} {2}, {3}, and carries {4} along",
        (true, false) => "Pushes the tile in {0} at {1} {2}, {3}, and brings {4} back in on it",
        (false, false) => {
            "Pushes the tile in {0} at {1} {2}, {3}, carries {4} along and brings {5} back in on it"
        }
    };
    words.extend([&along, &around].into_iter().filter(|pawns| !pawns.is_empty()).map(|pawns| names(pawns)));
    let arrow = arrow(entry);
    let mut marks = vec![
        (entry_id(entry), arrow.to_owned()),
        // Where the last tile of the line leaves.
        (entry_id(entry.opposite()), format!("{arrow}✕")),
    ];
    marks.extend(along.iter().map(|&seat| (pawn_id(seat), arrow.to_owned())));
    marks.extend(around.iter().map(|&seat| (pawn_id(seat), "↻".to_owned())));
    if !around.is_empty() {
        marks.push((cell_id(entry.cell()), names(&around)));
    }
    Foresight { message: Message::new(pattern, words), marks }
}

/// Where a move leads, and what it finds if it `finds` what is sought.
fn walk(state: &State, cell: Cell, finds: bool) -> Foresight {
    let seat = state.mover();
    let left = state.cards().pile(seat).len();
    let [column, row] = [cell.x(), cell.y()].map(|number| number.to_string());
    let treasure = state.board().tile(cell).treasure().map(named);
    let star = vec![(cell_id(cell), "★".to_owned())];
    let (message, marks) = match treasure {
        None if left == 0 && cell == state.home(seat) => {
            (Message::new("Goes home to column {0}, row {1} and wins", [column, row]), star)
        }
        Some(treasure) if finds => {
            let pattern = match (left, state.rules.return_home) {
                (1, true) => "Goes to column {0}, row {1} and finds {2}, the last one: now home",
                (1, false) => "Goes to column {0}, row {1}, finds {2}, the last one, and wins",
                _ => "Goes to column {0}, row {1} and finds {2}",
            };
            (Message::new(pattern, [column, row, treasure]), star)
        }
        None if cell == state.pawn(seat) => {
            (Message::new("Stays at column {0}, row {1}", [column, row]), Vec::new())
        }
        Some(treasure) if cell == state.pawn(seat) => {
            (Message::new("Stays at column {0}, row {1}, at {2}", [column, row, treasure]), Vec::new())
        }
        None => (Message::new("Goes to column {0}, row {1}", [column, row]), Vec::new()),
        Some(treasure) => {
            (Message::new("Goes to column {0}, row {1}, to {2}", [column, row, treasure]), Vec::new())
        }
    };
    Foresight { message, marks }
}

fn names(pawns: &[Seat]) -> String {
    pawns.iter().map(|&seat| letter(seat).to_string()).collect::<Vec<_>>().join(", ")
}

/// How a tile lies, by where its corridors lead: that can be seen, how often it was turned cannot.
pub(crate) fn lies(tile: Tile) -> &'static str {
    let openings = tile.openings();
    let open = |direction| openings.has(direction);
    match Direction::ALL.map(open) {
        [true, false, true, false] => "open above and below",
        [false, true, false, true] => "open left and right",
        [true, true, false, false] => "open above and right",
        [false, true, true, false] => "open right and below",
        [false, false, true, true] => "open below and left",
        [true, false, false, true] => "open left and above",
        [false, ..] => "closed above",
        [_, false, ..] => "closed on the right",
        [_, _, false, _] => "closed below",
        _ => "closed on the left",
    }
}

/// From where a tile comes in, and at which line, by the figures at the board's edge.
fn from(entry: Entry) -> [String; 3] {
    let cell = entry.cell();
    let (side, line, number) = match entry.direction() {
        Direction::Down => ("from above", "column", cell.x()),
        Direction::Up => ("from below", "column", cell.x()),
        Direction::Right => ("from the left", "row", cell.y()),
        Direction::Left => ("from the right", "row", cell.y()),
    };
    [side.to_owned(), line.to_owned(), number.to_string()]
}

const fn arrow(entry: Entry) -> &'static str {
    match entry.direction() {
        Direction::Up => "↑",
        Direction::Right => "→",
        Direction::Down => "↓",
        Direction::Left => "←",
    }
}

/// Who has found everything, and how far the others came. The winner is told so before.
pub(crate) fn verdict(view: &View, to: Option<Seat>) -> Message {
    let state = view.shown();
    let found = |seat: Seat| state.cards().found(seat).len();
    let winner = Seat::all(state.seats()).find(|seat| state.outcome().scores()[seat.index()] >= 1.0);
    let Some(winner) = winner else {
        return Message::new("The game has lasted too long: nobody wins", [""; 0]);
    };
    let others = Seat::all(state.seats()).filter(|&seat| seat != winner);
    let next = others.reduce(|best, other| if found(other) > found(best) { other } else { best });
    // Who has lost is told of itself.
    let other = to.filter(|&seat| seat != winner).or(next).unwrap_or(winner);
    let pattern = match (to.map(|seat| seat == winner), state.rules.return_home) {
        (Some(true), true) => "Home with all {1} treasures; {2} has found {3}",
        (Some(true), false) => "You have all {1} treasures; {2} has found {3}",
        (Some(false), true) => "{0} wins: home with all {1} treasures; you have found {3}",
        (Some(false), false) => "{0} wins with all {1} treasures; you have found {3}",
        (None, true) => "{0} wins: home with all {1} treasures; {2} has found {3}",
        (None, false) => "{0} wins with all {1} treasures; {2} has found {3}",
    };
    let [all, fewer] = [winner, other].map(|seat| found(seat).to_string());
    Message::new(pattern, [letter(winner).to_string(), all, letter(other).to_string(), fewer])
}
