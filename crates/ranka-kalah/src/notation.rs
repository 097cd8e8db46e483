//! `<N,southStore,northStore,s1,…,sN,n1,…,nN> S`, as the Kalah Game Protocol writes boards, then who moves.

use crate::action::House;
use crate::board::{MOST_SEEDS, Row};
use crate::rules::{EndRule, Kalah, Leftover, MOST_HOUSES};
use crate::state::{Phase, State};
use ranka_core::{Actor, Notation, NotationError, Position, Scanner, Seat};
use std::fmt::Write as _;

/// The side that a seat plays.
pub(crate) const fn side_name(seat: Seat) -> &'static str {
    if seat.index() == 0 { "South" } else { "North" }
}

impl Notation for Kalah {
    fn write_state(&self, state: &State) -> String {
        let mut out = format!("<{},{},{}", state.houses, state.stores[0], state.stores[1]);
        for seat in Seat::all(2) {
            for house in 0..state.houses() {
                let _ = write!(out, ",{}", state.seeds(seat, house));
            }
        }
        out.push_str(match state.actor() {
            Actor::Seat(Seat::FIRST) => "> S",
            Actor::Seat(_) => "> N",
            _ => "> -",
        });
        if matches!(state.phase, Phase::Opening | Phase::Pie) {
            out.push_str(" pie");
        }
        out
    }

    fn read_state(&self, text: &str) -> Result<State, NotationError> {
        let mut scan = Scanner::new(text);
        scan.expect("<")?;
        let houses = scan.number("the number of houses", 1, MOST_HOUSES as u32)? as usize;
        let mut count = |what: &str| -> Result<u32, NotationError> {
            scan.expect(",")?;
            scan.number(what, 0, MOST_SEEDS)
        };
        let stores = [count("South's store")?, count("North's store")?];
        let mut rows = [[0; MOST_HOUSES]; 2];
        for seat in Seat::all(2) {
            for (house, seeds) in rows[seat.index()].iter_mut().enumerate().take(houses) {
                *seeds = count(&format!("{}'s house {}", side_name(seat), house + 1))?;
            }
        }
        scan.expect(">")?;
        let total: u32 = stores.iter().chain(rows.iter().flatten()).sum();
        if !(1..=MOST_SEEDS).contains(&total) {
            return Err(scan.error_at(0, format!("the board holds {total} seeds, not 1 to {MOST_SEEDS}")));
        }
        scan.expect(" ")?;
        let place = scan.place();
        let mover = match scan.peek() {
            Some('S') => Actor::Seat(Seat::FIRST),
            Some('N') => Actor::Seat(Seat::SECOND),
            Some('-') => Actor::Over,
            _ => return Err(scan.error("expected who moves: S, N, or - when the game is over")),
        };
        scan.take_while(|c| "SN-".contains(c));
        if scan.place() != place + 1 {
            return Err(scan.error_at(place, "expected one letter for who moves"));
        }
        let pie_place = scan.place();
        let pie = scan.accept(" pie");
        scan.end()?;

        let phase = match (mover, pie) {
            (Actor::Over, false) => Phase::Over,
            (_, false) => Phase::Play,
            (Actor::Over, true) => {
                return Err(scan.error_at(pie_place, "nobody can swap when the game is over"));
            }
            _ if !self.rules.pie => {
                return Err(scan.error_at(pie_place, "the pie rule is off (--rules pie=on)"));
            }
            (Actor::Seat(Seat::FIRST), true) => Phase::Opening,
            _ => Phase::Pie,
        };
        let state = State {
            rows: rows.map(|row| u128::packed(&row[..houses])),
            stores: stores.map(|s| s as u16),
            houses: houses as u8,
            mover: mover.seat().unwrap_or(Seat::FIRST),
            phase,
            rules: self.rules,
        };
        match contradiction(&state) {
            Some(problem) => Err(scan.error_at(place, problem)),
            None => Ok(state),
        }
    }

    fn write_view(&self, view: &State, _seat: Seat) -> String {
        self.write_state(view)
    }

    fn read_view(&self, text: &str, _seat: Seat) -> Result<State, NotationError> {
        self.read_state(text)
    }

    fn write_action(&self, action: House) -> String {
        action.index().map_or_else(|| "swap".to_owned(), |house| (house + 1).to_string())
    }

    fn read_action(&self, text: &str) -> Result<House, NotationError> {
        let mut scan = Scanner::new(text);
        if scan.accept("swap") {
            scan.end()?;
            return Ok(House::SWAP);
        }
        let house = scan.number("a house", 1, MOST_HOUSES as u32)?;
        scan.end()?;
        Ok(House::new(house as usize - 1))
    }

    fn action_forms(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("3", "sows from your house 3, counted in the direction of sowing"),
            ("swap", "takes the other side right after South's first turn, with the pie rule"),
        ]
    }

    fn why_illegal(&self, state: &State, action: House) -> String {
        let side = side_name(state.mover);
        match action.index() {
            None if self.rules.pie => "North may swap only right after South's first turn".to_owned(),
            None => "the pie rule is off".to_owned(),
            Some(house) if house >= state.houses() => {
                format!("this board has houses 1 to {}", state.houses())
            }
            Some(house) => format!("{side}'s house {} is empty", house + 1),
        }
    }
}

/// Why the rules do not allow this position, if they do not.
fn contradiction(state: &State) -> Option<String> {
    let empty = state.rows.map(|row| row == 0);
    let majority = state.rules.early_majority && state.has_majority();
    if state.phase == Phase::Over {
        if state.rules.leftover != Leftover::None {
            let left = state.rows[0].total() + state.rows[1].total();
            return (left > 0)
                .then(|| format!("the game is over, but {left} seeds lie unswept in the houses"));
        }
        return (!empty[0] && !empty[1] && !majority)
            .then(|| "the game is not over: both rows hold seeds; write S or N".to_owned());
    }
    let mover = state.mover;
    if empty[mover.index()] {
        return Some(format!("{} has no seeds to move, so the game is over", side_name(mover)));
    }
    if state.rules.end == EndRule::EitherEmpty && empty[mover.other().index()] {
        return Some(format!("{}'s row is empty, so the game is over", side_name(mover.other())));
    }
    majority
        .then(|| "a store holds more than half of all seeds, so the game is over (early-majority)".to_owned())
}
