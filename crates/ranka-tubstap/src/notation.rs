//! `grid=… units=… turn=… limit=… threshold=… first=…`: the board by rows, then the units by id.

use crate::action::Action;
use crate::field::{MOST_SIDE, Place};
use crate::files::MapFile;
use crate::kinds::{Kind, Team, Terrain};
use crate::refusal::refusal;
use crate::rules::Tubstap;
use crate::setup::{MOST_HP, MOST_THRESHOLD, MOST_TURNS, Setup, SetupPart, Unit};
use crate::state::{MOST_UNITS, State};
use ranka_core::{Notation, NotationError, Scanner, Seat};
use std::fmt;
use std::path::Path;

/// Writes a position.
pub(crate) fn write(state: &State, out: &mut impl fmt::Write) -> fmt::Result {
    let (width, height) = state.size();
    out.write_str("grid=")?;
    for y in 0..height {
        if y > 0 {
            out.write_char('/')?;
        }
        for x in 0..width {
            write!(out, "{}", state.terrain(Place::new(x, y)) as u8)?;
        }
    }
    out.write_str(" units=")?;
    for (i, unit) in state.units().enumerate() {
        let Unit { id, kind, team, place, hp, acted } = unit;
        let semicolon = if i > 0 { ";" } else { "" };
        let (kind, team, acted) = (kind.letter(), team.letter(), u8::from(acted));
        write!(out, "{semicolon}{id}:{kind}:{team}:{place}:{hp}:{acted}")?;
    }
    let (turn, limit, threshold) = (state.turn, state.field.limit, state.field.threshold);
    write!(out, " turn={turn} limit={limit} threshold={threshold} first={}", state.field.first.letter())
}

/// Reads the description of a position, and tells where each row and unit stands in the text.
fn read(scan: &mut Scanner<'_>) -> Result<(Setup, Vec<usize>, Vec<usize>), NotationError> {
    let (mut rows, mut row_places) = (vec![Vec::new()], Vec::new());
    scan.expect("grid=")?;
    row_places.push(scan.place());
    while let Some(c) = scan.peek().filter(|&c| c != ' ') {
        if c == '/' && rows.len() < MOST_SIDE {
            scan.expect("/")?;
            rows.push(Vec::new());
            row_places.push(scan.place());
            continue;
        }
        let terrain = c.to_digit(10).and_then(Terrain::numbered);
        let terrain =
            terrain.ok_or_else(|| scan.error(format!("expected a terrain 0 to 6 or /, found {c:?}")))?;
        let row = rows.last_mut().expect("there is always a row");
        if row.len() == MOST_SIDE {
            return Err(scan.error(format!("a row has at most {MOST_SIDE} cells")));
        }
        row.push(terrain);
        scan.expect(c.encode_utf8(&mut [0; 4]))?;
    }
    scan.expect(" units=")?;
    let (mut units, mut unit_places) = (Vec::new(), Vec::new());
    while units.is_empty() || scan.accept(";") {
        unit_places.push(scan.place());
        units.push(read_unit(scan)?);
    }
    scan.expect(" turn=")?;
    let turn = scan.number("the half-turns played", 0, MOST_TURNS)?;
    scan.expect(" limit=")?;
    let limit = scan.number("the turn limit", 1, MOST_TURNS)?;
    scan.expect(" threshold=")?;
    let threshold = scan.number("the threshold", 0, MOST_THRESHOLD)?;
    scan.expect(" first=")?;
    let first = read_team(scan)?;
    scan.end()?;
    Ok((Setup { rows, units, turn, limit, threshold, first }, row_places, unit_places))
}

fn read_unit(scan: &mut Scanner<'_>) -> Result<Unit, NotationError> {
    let id = scan.number("a unit's id", 0, MOST_UNITS as u32 - 1)? as u8;
    scan.expect(":")?;
    let letter = scan.peek();
    let kind = letter.and_then(Kind::of_letter);
    let kind =
        kind.ok_or_else(|| scan.error(format!("expected the type of unit {id}: one of F A P U R I")))?;
    scan.expect(kind.letter().encode_utf8(&mut [0; 4]))?;
    scan.expect(":")?;
    let team = read_team(scan)?;
    scan.expect(":")?;
    let place = read_place(scan)?;
    scan.expect(":")?;
    let hp = scan.number(&format!("the HP of unit {id}"), 1, MOST_HP)? as u8;
    scan.expect(":")?;
    let acted = scan.number("whether it has acted", 0, 1)? == 1;
    Ok(Unit { id, kind, team, place, hp, acted })
}

fn read_team(scan: &mut Scanner<'_>) -> Result<Team, NotationError> {
    if scan.accept("r") {
        Ok(Team::Red)
    } else if scan.accept("b") {
        Ok(Team::Blue)
    } else {
        Err(scan.error("expected a team: r or b"))
    }
}

fn read_place(scan: &mut Scanner<'_>) -> Result<Place, NotationError> {
    let x = scan.number("a column", 0, MOST_SIDE as u32 - 1)? as u8;
    scan.expect(",")?;
    let y = scan.number("a row", 0, MOST_SIDE as u32 - 1)? as u8;
    Ok(Place::new(x, y))
}

impl Notation for Tubstap {
    fn write_state(&self, state: &State) -> String {
        let mut out = String::with_capacity(512);
        let _ = write(state, &mut out);
        out
    }

    /// A path that ends in `.tbsmap` stands for the start on that map.
    fn read_state(&self, text: &str) -> Result<State, NotationError> {
        let mut scan = Scanner::new(text);
        if text.ends_with(".tbsmap") {
            let read = MapFile::load(Path::new(text)).and_then(|map| self.start_on(map));
            return read.map_err(|error| scan.error(error.to_string()));
        }
        let (setup, rows, units) = read(&mut scan)?;
        setup.state(self.rules).map_err(|(part, problem)| {
            let place = match part {
                SetupPart::Row(row) => rows[row],
                SetupPart::Unit(unit) => units[unit],
                SetupPart::Whole => 0,
            };
            scan.error_at(place, problem)
        })
    }

    fn write_view(&self, view: &State, _seat: Seat) -> String {
        self.write_state(view)
    }

    fn read_view(&self, text: &str, _seat: Seat) -> Result<State, NotationError> {
        self.read_state(text)
    }

    fn write_action(&self, act: Action) -> String {
        act.to_string()
    }

    fn read_action(&self, text: &str) -> Result<Action, NotationError> {
        let mut scan = Scanner::new(text);
        if scan.accept("end") {
            scan.end()?;
            return Ok(Action::END);
        }
        let most = MOST_UNITS as u32 - 1;
        let unit = scan.number("a unit's id", 0, most)? as u8;
        scan.expect("@")?;
        let to = read_place(&mut scan)?;
        let act = if scan.accept(">") {
            Action::attack(unit, to, scan.number("the id of the attacked unit", 0, most)? as u8)
        } else {
            Action::go(unit, to)
        };
        scan.end()?;
        Ok(act)
    }

    fn action_forms(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("2@4,3", "moves unit 2 to column 4, row 3, or lets it wait there"),
            ("2@4,3>7", "the same, and attacks unit 7 from there"),
            ("end", "ends your turn"),
        ]
    }

    fn why_illegal(&self, state: &State, act: Action) -> String {
        refusal(state, act).unwrap_or_else(|| "it is legal".to_owned())
    }
}
