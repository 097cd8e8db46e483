//! A position as described by somebody, before it is known whether the rules allow it.

use crate::cells::MOST_CELLS;
use crate::field::{Field, MOST_SIDE, Place};
use crate::kinds::{Kind, Team, Terrain};
use crate::rules::Rules;
use crate::state::{MOST_UNITS, State};

/// The most half-turns, and the highest threshold.
pub(crate) const MOST_TURNS: u32 = 9999;
pub(crate) const MOST_THRESHOLD: u32 = 9999;
/// The most HP that a unit has.
pub(crate) const MOST_HP: u32 = 10;

/// A unit as a position shows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unit {
    /// Its number. It is never given to another unit.
    pub id: u8,
    /// What it is.
    pub kind: Kind,
    /// Whose it is.
    pub team: Team,
    /// Where it stands.
    pub place: Place,
    /// 1 to 10.
    pub hp: u8,
    /// Whether it has acted in its side's turn.
    pub acted: bool,
}

/// Everything that a position shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Terrain row by row, the ring of walls included.
    pub rows: Vec<Vec<Terrain>>,
    /// The units that live, by ascending id.
    pub units: Vec<Unit>,
    /// Half-turns played.
    pub turn: u32,
    /// Half-turns after which the game is judged.
    pub limit: u32,
    /// The lead in HP that does not yet win then.
    pub threshold: u32,
    /// Who moves on even half-turns.
    pub first: Team,
}

/// What is wrong with a setup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupPart {
    /// The row with this number, counted from 0.
    Row(usize),
    /// The unit at this place of the list.
    Unit(usize),
    /// The whole.
    Whole,
}

impl Setup {
    /// The position, if the rules allow it. A side whose units have all acted is passed over.
    pub fn state(&self, rules: Rules) -> Result<State, (SetupPart, String)> {
        self.check()?;
        let field = Field::new(&self.rows, self.limit as u16, self.threshold as u16, self.first, rules);
        Ok(State::assemble(field, &self.units, self.turn as u16))
    }

    fn check(&self) -> Result<(), (SetupPart, String)> {
        let whole = |problem: String| Err((SetupPart::Whole, problem));
        let (width, height) = (self.rows.first().map_or(0, Vec::len), self.rows.len());
        for (y, row) in self.rows.iter().enumerate() {
            let bad = |problem: String| Err((SetupPart::Row(y), problem));
            if row.len() != width {
                return bad(format!("row {y} has {} cells, not {width}", row.len()));
            }
            let edge = y == 0 || y == height - 1;
            let open = row
                .iter()
                .enumerate()
                .find(|&(x, &terrain)| (edge || x == 0 || x == width - 1) && terrain != Terrain::Wall);
            if let Some((x, terrain)) = open {
                return bad(format!("the ring must be walls (0), but {x},{y} is {}", *terrain as u8));
            }
        }
        if !(3..=MOST_SIDE).contains(&width)
            || !(3..=MOST_SIDE).contains(&height)
            || (width - 2) * (height - 2) > MOST_CELLS
        {
            return whole(format!(
                "a board of {width} by {height}: both sides are 3 to {MOST_SIDE}, with at most {MOST_CELLS} \
                 cells inside the ring"
            ));
        }
        if !(1..=MOST_TURNS).contains(&self.limit) {
            return whole(format!("the turn limit is {}, not 1 to {MOST_TURNS}", self.limit));
        }
        if self.turn > self.limit {
            return whole(format!("half-turn {} is beyond the limit {}", self.turn, self.limit));
        }
        if self.threshold > MOST_THRESHOLD {
            return whole(format!("the threshold is {}, above {MOST_THRESHOLD}", self.threshold));
        }
        if self.units.is_empty() {
            return whole("there is no unit".to_owned());
        }
        self.check_units(width, height)
    }

    fn check_units(&self, width: usize, height: usize) -> Result<(), (SetupPart, String)> {
        for (i, unit) in self.units.iter().enumerate() {
            let bad = |problem: String| Err((SetupPart::Unit(i), problem));
            let Unit { id, place, .. } = *unit;
            if usize::from(id) >= MOST_UNITS {
                return bad(format!("unit {id}: there are at most {MOST_UNITS} units, numbered from 0"));
            }
            if i > 0 && self.units[i - 1].id >= id {
                return bad(format!("unit {id} comes after unit {}", self.units[i - 1].id));
            }
            let (x, y) = (usize::from(place.x), usize::from(place.y));
            if x == 0 || y == 0 || x + 1 >= width || y + 1 >= height {
                return bad(format!("unit {id} is at {place}, not inside the ring"));
            }
            if !(1..=MOST_HP).contains(&u32::from(unit.hp)) {
                return bad(format!("unit {id} has {} HP, not 1 to {MOST_HP}", unit.hp));
            }
            if let Some(other) = self.units[..i].iter().find(|other| other.place == place) {
                return bad(format!("units {} and {id} are both at {place}", other.id));
            }
        }
        Ok(())
    }
}
