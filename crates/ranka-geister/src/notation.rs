//! `ROWS SIDE CAPTURED PLY [PIECES]`: the board from the first player's far edge down, who moves, what was
//! captured, how many moves were made, and which ghost stands where unless they stand in square order.

use crate::action::Action;
use crate::rules::Geister;
use crate::setup::SetUp;
use crate::square::{Bits, OFF, Square, exits, home, neighbours, squares};
use crate::state::{Captured, Open, Phase, State};
use crate::view::View;
use ranka_core::{Notation, NotationError, Scanner, Seat};
use std::fmt::Write as _;

/// What a seat is called.
pub(crate) const fn player(seat: Seat) -> &'static str {
    if seat.index() == 0 { "the first player" } else { "the second player" }
}

/// The letter of a ghost whose colour is known or not: the first player's are capitals.
pub(crate) fn letter(seat: Seat, red: Option<bool>) -> char {
    let small = match red {
        Some(true) => 'r',
        Some(false) => 'b',
        None => 'u',
    };
    if seat == Seat::FIRST { small.to_ascii_uppercase() } else { small }
}

fn ghost_of(letter: char) -> Option<(Seat, Option<bool>)> {
    let seat = if letter.is_ascii_uppercase() { Seat::FIRST } else { Seat::SECOND };
    match letter.to_ascii_lowercase() {
        'r' => Some((seat, Some(true))),
        'b' => Some((seat, Some(false))),
        'u' => Some((seat, None)),
        _ => None,
    }
}

/// The places of ghosts that are lettered in square order.
fn in_square_order(ghosts: Bits) -> [u8; 8] {
    let mut places = [OFF; 8];
    for (place, square) in places.iter_mut().zip(squares(ghosts)) {
        *place = square.index() as u8;
    }
    places
}

impl Notation for Geister {
    fn write_state(&self, state: &State) -> String {
        write(&state.open, state.reds.map(Some))
    }

    fn read_state(&self, text: &str) -> Result<State, NotationError> {
        let (open, reds) = read(text, self.plies, None)?;
        Ok(State { open, reds: reds.map(|reds| reds.expect("a state hides nothing")) })
    }

    fn write_view(&self, view: &View, _seat: Seat) -> String {
        write(&view.open, view.reds)
    }

    fn read_view(&self, text: &str, seat: Seat) -> Result<View, NotationError> {
        let (open, reds) = read(text, self.plies, Some(seat))?;
        Ok(View { seat, open, reds })
    }

    fn write_action(&self, action: Action) -> String {
        match action {
            Action::SetUp(set_up) => format!("set:{set_up}"),
            Action::Step { from, to } => format!("{from}{to}"),
            Action::Escape { from } => format!("{from}out"),
        }
    }

    fn read_action(&self, text: &str) -> Result<Action, NotationError> {
        let mut scan = Scanner::new(text);
        if scan.accept("set:") {
            let place = scan.place();
            return SetUp::of(scan.rest()).map(Action::SetUp).map_err(|why| scan.error_at(place, why));
        }
        let from = read_square(&mut scan)?;
        let action = if scan.accept("out") {
            Action::Escape { from }
        } else {
            Action::Step { from, to: read_square(&mut scan)? }
        };
        scan.end()?;
        Ok(action)
    }

    fn action_forms(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("set:ABCD", "makes four of your ghosts A to H red, the others blue"),
            ("b5b4", "moves the ghost on b5 to b4"),
            ("a1out", "leads the blue ghost on a1 out of the exit beside it"),
        ]
    }

    fn why_illegal(&self, view: &View, action: Action) -> String {
        let (open, seat) = (&view.open, view.open.mover);
        let own = open.ghosts[seat.index()];
        match (open.phase, action) {
            (Phase::Won(_) | Phase::Drawn, _) => "the game is over".to_owned(),
            (Phase::SetUp, _) => format!("{} is to say which four ghosts are red (set:ABCD)", player(seat)),
            (Phase::Play, Action::SetUp(_)) => "the ghosts have their colours already".to_owned(),
            (Phase::Play, Action::Step { from, .. } | Action::Escape { from }) if own & from.bit() == 0 => {
                format!("{} has no ghost on {from}", player(seat))
            }
            (Phase::Play, Action::Step { from, to }) if neighbours(from.bit()) & to.bit() == 0 => {
                format!("a ghost goes one step north, east, south or west, and {to} is none from {from}")
            }
            (Phase::Play, Action::Step { to, .. }) => format!("an own ghost stands on {to}"),
            (Phase::Play, Action::Escape { from }) if exits(seat) & from.bit() == 0 => {
                format!("{from} is no exit of {}", player(seat))
            }
            (Phase::Play, Action::Escape { .. }) => "a red ghost never leaves the board".to_owned(),
        }
    }
}

fn read_square(scan: &mut Scanner<'_>) -> Result<Square, NotationError> {
    let name: String = scan.rest().chars().take(2).collect();
    let square = Square::named(&name);
    scan.accept(&name);
    square.ok_or_else(|| {
        scan.error_at(scan.place() - name.len(), format!("expected a square a1 to f6, found {name:?}"))
    })
}

fn write(open: &Open, reds: [Option<Bits>; 2]) -> String {
    let mut out = String::with_capacity(80);
    let mut empty = 0;
    let flush = |out: &mut String, empty: &mut u32| {
        if *empty > 0 {
            let _ = write!(out, "{empty}");
            *empty = 0;
        }
    };
    for index in 0..36 {
        if index > 0 && index % 6 == 0 {
            flush(&mut out, &mut empty);
            out.push('/');
        }
        let bit = Square::new(index).bit();
        match Seat::all(2).find(|seat| open.ghosts[seat.index()] & bit != 0) {
            None => empty += 1,
            Some(seat) => {
                flush(&mut out, &mut empty);
                out.push(letter(seat, reds[seat.index()].map(|reds| reds & bit != 0)));
            }
        }
    }
    flush(&mut out, &mut empty);
    out.push_str(match open.actor().seat() {
        Some(Seat::FIRST) => " 1 ",
        Some(_) => " 2 ",
        None => " - ",
    });
    let captured = out.len();
    out.extend(open.captured.iter().map(|(seat, red)| letter(seat, Some(red))));
    if let Some(seat) = escaped(open) {
        let _ = write!(out, "*{}", letter(seat, Some(false)));
    }
    if out.len() == captured {
        out.push('-');
    }
    let _ = write!(out, " {}", open.ply);
    if open.places != open.ghosts.map(in_square_order) {
        for (seat, places) in open.places.iter().enumerate() {
            out.push(if seat == 0 { ' ' } else { ',' });
            for &place in places {
                match place {
                    OFF => out.push_str("--"),
                    place => drop(write!(out, "{}", Square::new(place as usize))),
                }
            }
        }
    }
    out
}

/// Whose ghost has left the board: a ghost that is neither there nor captured.
pub(crate) fn escaped(open: &Open) -> Option<Seat> {
    let Phase::Won(seat) = open.phase else { return None };
    let gone = 8 - open.ghosts[seat.index()].count_ones();
    let captured = open.captured.count(seat, true) + open.captured.count(seat, false);
    (gone > captured).then_some(seat)
}

/// Reads a full state, or what `viewer` sees of one: then the other's ghosts are exactly as hidden as they
/// are from it.
fn read(text: &str, limit: u16, viewer: Option<Seat>) -> Result<(Open, [Option<Bits>; 2]), NotationError> {
    let mut scan = Scanner::new(text);
    let board = read_rows(&mut scan)?;
    scan.expect(" ")?;
    let side_place = scan.place();
    let side = match scan.peek() {
        Some('1') => Some(Seat::FIRST),
        Some('2') => Some(Seat::SECOND),
        Some('-') => None,
        _ => return Err(scan.error("expected who moves: 1, 2, or - when the game is over")),
    };
    scan.accept(&text[side_place..=side_place]);
    scan.expect(" ")?;
    let captured_place = scan.place();
    let (captured, escapee) = read_captured(&mut scan)?;
    scan.expect(" ")?;
    let ply = scan.number("the number of moves made", 0, u32::from(limit))? as u16;

    let set_up = captured.is_empty() && escapee.is_none() && board.ghosts[1] == 0;
    let phase = if set_up {
        Phase::SetUp
    } else {
        match ending(&captured, escapee).map_err(|why| scan.error_at(captured_place, why))? {
            Some(winner) => Phase::Won(winner),
            None if ply >= limit => Phase::Drawn,
            None => Phase::Play,
        }
    };
    let mover = match (phase, side) {
        (Phase::Won(_) | Phase::Drawn, None) => Seat::FIRST,
        (Phase::Won(_) | Phase::Drawn, Some(_)) => {
            return Err(scan.error_at(side_place, "the game is over: write - for who moves"));
        }
        (Phase::Play | Phase::SetUp, None) => {
            return Err(scan.error_at(side_place, "the game is not over: write 1 or 2 for who moves"));
        }
        (Phase::Play | Phase::SetUp, Some(seat)) => seat,
    };
    let mut open = Open {
        ghosts: board.ghosts,
        places: board.ghosts.map(in_square_order),
        captured: Captured::NONE,
        ply,
        limit,
        phase,
        mover,
    };
    for &(owner, red) in &captured {
        open.captured.push(owner, red);
    }
    let hidden = viewer.filter(|&seat| View::hides(&open, seat)).map(Seat::other);
    for seat in Seat::all(2) {
        board.check_colours(seat, hidden == Some(seat)).map_err(|why| scan.error_at(0, why))?;
        if phase == Phase::SetUp {
            check_set_up(&open, seat).map_err(|why| scan.error_at(0, why))?;
        }
        let away = |red: bool| {
            let taken = captured.iter().filter(|&&ghost| ghost == (seat, red)).count() as u32;
            taken + u32::from(!red && escapee == Some(seat))
        };
        if open.ghosts[seat.index()] != 0 || phase != Phase::SetUp {
            board.check_counts(seat, hidden == Some(seat), away).map_err(|why| scan.error_at(0, why))?;
        }
    }
    if scan.accept(" ") {
        let place = scan.place();
        let places = read_pieces(&mut scan, &open)?;
        if phase == Phase::SetUp && places != open.places {
            return Err(scan.error_at(place, "before the game the ghosts stand in their order"));
        }
        open.places = places;
    }
    scan.end()?;
    let known = |seat| (hidden != Some(seat)).then_some(board.reds[seat.index()]);
    Ok((open, [Seat::FIRST, Seat::SECOND].map(known)))
}

/// The board as its letters say.
#[derive(Default)]
struct Board {
    ghosts: [Bits; 2],
    reds: [Bits; 2],
    unknown: [Bits; 2],
}

impl Board {
    fn check_colours(&self, seat: Seat, hidden: bool) -> Result<(), String> {
        let (all, unknown) = (self.ghosts[seat.index()], self.unknown[seat.index()]);
        if hidden && unknown != all {
            return Err(format!("the viewer does not know the colours of {}'s ghosts", player(seat)));
        }
        match squares(unknown).next() {
            Some(square) if !hidden => Err(format!("the ghost on {square} needs a colour")),
            _ => Ok(()),
        }
    }

    /// Of each colour there are four, on the board and away.
    fn check_counts(&self, seat: Seat, hidden: bool, away: impl Fn(bool) -> u32) -> Result<(), String> {
        let all = self.ghosts[seat.index()].count_ones();
        if hidden {
            let gone = away(true) + away(false);
            return if all + gone == 8 {
                Ok(())
            } else {
                Err(format!("{} has {all} ghosts on the board and {gone} away, not 8", player(seat)))
            };
        }
        let reds = self.reds[seat.index()].count_ones();
        for (name, there, gone) in [("red", reds, away(true)), ("blue", all - reds, away(false))] {
            if there + gone != 4 {
                return Err(format!(
                    "{} has {there} {name} ghosts on the board and {gone} away, not 4",
                    player(seat)
                ));
            }
        }
        Ok(())
    }
}

fn read_rows(scan: &mut Scanner<'_>) -> Result<Board, NotationError> {
    let mut board = Board::default();
    for row in 0..6 {
        if row > 0 {
            scan.expect("/")?;
        }
        let mut column = 0;
        let mut after_digit = false;
        while column < 6 {
            let place = scan.place();
            let c = scan.peek().unwrap_or(' ');
            if let Some(run @ 1..=6) = c.to_digit(10) {
                column += run as usize;
                if after_digit || column > 6 {
                    let why = if after_digit {
                        "two runs of empty squares meet"
                    } else {
                        "the row has more than 6 squares"
                    };
                    return Err(scan.error_at(place, why));
                }
                after_digit = true;
            } else if let Some((seat, red)) = ghost_of(c) {
                let bit = Square::new(row * 6 + column).bit();
                board.ghosts[seat.index()] |= bit;
                match red {
                    Some(true) => board.reds[seat.index()] |= bit,
                    Some(false) => {}
                    None => board.unknown[seat.index()] |= bit,
                }
                column += 1;
                after_digit = false;
            } else {
                let expected =
                    format!("row {} has {column} of its 6 squares: expected a ghost or a digit", row + 1);
                return Err(scan.error(expected));
            }
            scan.accept(c.encode_utf8(&mut [0; 4]));
        }
    }
    Ok(board)
}

/// The captured ghosts in order, and whose blue ghost has escaped.
fn read_captured(scan: &mut Scanner<'_>) -> Result<(Vec<(Seat, bool)>, Option<Seat>), NotationError> {
    let mut captured = Vec::new();
    if scan.accept("-") {
        return Ok((captured, None));
    }
    let place = scan.place();
    for c in scan.take_while(|c| "RBrb".contains(c)).chars() {
        if let Some((seat, Some(red))) = ghost_of(c) {
            captured.push((seat, red));
        }
    }
    if scan.accept("*B") {
        return Ok((captured, Some(Seat::FIRST)));
    }
    if scan.accept("*b") {
        return Ok((captured, Some(Seat::SECOND)));
    }
    if captured.is_empty() {
        return Err(scan.error_at(place, "expected the captured ghosts (letters R B r b), or -"));
    }
    Ok((captured, None))
}

/// Who has won by what was captured or has escaped, if somebody has; or why that cannot be.
fn ending(captured: &[(Seat, bool)], escapee: Option<Seat>) -> Result<Option<Seat>, String> {
    let mut winner = escapee;
    for seat in Seat::all(2) {
        for red in [true, false] {
            let of_kind = |&ghost: &(Seat, bool)| ghost == (seat, red);
            let count = captured.iter().filter(|&ghost| of_kind(ghost)).count();
            if count > 4 {
                return Err(format!(
                    "{count} {:?} are captured, but there are only 4",
                    letter(seat, Some(red))
                ));
            }
            if count == 4 {
                if winner.is_some() || !captured.last().is_some_and(of_kind) {
                    return Err(format!(
                        "the game was over when the fourth {:?} was captured",
                        letter(seat, Some(red))
                    ));
                }
                winner = Some(if red { seat } else { seat.other() });
            }
        }
    }
    Ok(winner)
}

/// Before the game the ghosts that are there stand at home, the first player's first.
fn check_set_up(open: &Open, seat: Seat) -> Result<(), String> {
    let at_home = home(seat).into_iter().fold(0, |set, square| set | square.bit());
    let wanted = if seat < open.mover { at_home } else { 0 };
    if open.ghosts[seat.index()] != wanted {
        let place = if wanted == 0 { "not yet on the board" } else { "at home" };
        return Err(format!("while ghosts are set up, those of {} are {place}", player(seat)));
    }
    if open.ply > 0 {
        return Err("while ghosts are set up, no moves have been made".to_owned());
    }
    Ok(())
}

fn read_pieces(scan: &mut Scanner<'_>, open: &Open) -> Result<[[u8; 8]; 2], NotationError> {
    let mut places = [[OFF; 8]; 2];
    for seat in Seat::all(2) {
        if seat == Seat::SECOND {
            scan.expect(",")?;
        }
        let mut rest = open.ghosts[seat.index()];
        for place in &mut places[seat.index()] {
            if scan.accept("--") {
                continue;
            }
            let at = scan.place();
            let square = read_square(scan)?;
            if rest & square.bit() == 0 {
                let why = format!("{} has no ghost on {square}, or it is named already", player(seat));
                return Err(scan.error_at(at, why));
            }
            rest ^= square.bit();
            *place = square.index() as u8;
        }
        if let Some(square) = squares(rest).next() {
            return Err(scan.error(format!("the ghost on {square} has no letter")));
        }
    }
    Ok(places)
}
