//! Map files, `.tbsmap`.

use super::segments::{Entry, Text, entries};
use crate::field::{MOST_SIDE, Place};
use crate::kinds::{Kind, Team, Terrain};
use crate::rules::Rules;
use crate::setup::{MOST_HP, MOST_THRESHOLD, MOST_TURNS, Setup, SetupPart, Unit};
use crate::state::{MOST_UNITS, State};
use ranka_core::{Error, SMALL_FILE, read_bytes};
use std::io::Write as _;
use std::path::Path;

/// A map: a board with units, and who made it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapFile {
    /// Terrain row by row, the ring of walls included.
    pub rows: Vec<Vec<Terrain>>,
    /// The units; their ids are their places in the list.
    pub units: Vec<Unit>,
    /// `TURNLIMIT`: half-turns after which the game is judged.
    pub limit: u32,
    /// `HPTHRESHOLD`: the lead in HP that does not yet win then.
    pub threshold: u32,
    /// `UNITNUMRED` and `UNITNUMBLUE`: how many units the file announces. It may announce more than there are
    /// (one of the original maps does), but not fewer.
    pub announced: [u32; 2],
    /// `AUTHOR`, if the file names one.
    pub author: Option<Text>,
    /// `MAPCOM`, if there is one.
    pub comment: Option<Text>,
}

impl MapFile {
    /// Reads a file.
    pub fn load(path: &Path) -> Result<MapFile, Error> {
        let bytes = read_bytes(path, SMALL_FILE).map_err(|e| e.at("map"))?;
        MapFile::read(&bytes).map_err(|e| e.at("map").in_file(path))
    }

    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<MapFile, Error> {
        MapFile::from_entries(&entries(bytes)?)
    }

    /// The map among the entries of a file; tags of other things are left alone.
    pub(super) fn from_entries(entries: &[Entry]) -> Result<MapFile, Error> {
        let tagged = |tag: &'static str| entries.iter().filter(move |entry| entry.tag == tag);
        let one = |tag: &'static str| {
            let mut found = tagged(tag);
            match (found.next(), found.next()) {
                (Some(entry), None) => Ok(entry),
                (None, _) => Err(Error::input(format!("{tag}[…] is missing"))),
                (_, Some(second)) => Err(second.error("the tag comes twice")),
            }
        };
        let side = MOST_SIDE as u32;
        let width = one("SIZEX")?.number(3, side)? as usize;
        let height = one("SIZEY")?.number(3, side)? as usize;
        let limit = one("TURNLIMIT")?.number(1, MOST_TURNS)?;
        let threshold = one("HPTHRESHOLD")?.number(0, MOST_THRESHOLD)?;

        let row_entries: Vec<&Entry> = tagged("MAP").collect();
        if row_entries.len() != height {
            let problem = format!("there are {} MAP[…] rows, but SIZEY is {height}", row_entries.len());
            return Err(Error::input(problem));
        }
        let rows = row_entries.iter().map(|entry| read_row(entry, width)).collect::<Result<Vec<_>, _>>()?;

        let unit_entries: Vec<&Entry> = tagged("UNIT").collect();
        if let Some(entry) = unit_entries.get(MOST_UNITS) {
            return Err(entry.error(format!("a map has at most {MOST_UNITS} units")));
        }
        let read = |(id, entry): (usize, &&Entry)| read_unit(entry, id as u8);
        let units = unit_entries.iter().enumerate().map(read).collect::<Result<Vec<Unit>, _>>()?;
        let mut announced = [0; 2];
        for (tag, team) in [("UNITNUMRED", Team::Red), ("UNITNUMBLUE", Team::Blue)] {
            let entry = one(tag)?;
            let found = units.iter().filter(|unit| unit.team == team).count();
            announced[team as usize] = entry.number(1, MOST_UNITS as u32)?;
            if found == 0 || found > announced[team as usize] as usize {
                return Err(entry.error(format!("{} has {found} UNIT[…]", team.name())));
            }
        }

        let text = |tag| tagged(tag).next().map(|entry| entry.text.clone());
        let (author, comment) = (text("AUTHOR"), text("MAPCOM"));
        let map = MapFile { rows, units, limit, threshold, announced, author, comment };
        map.setup().state(Rules::default()).map_err(|(part, problem)| match part {
            SetupPart::Row(row) => row_entries[row].error(problem),
            SetupPart::Unit(unit) => unit_entries[unit].error(problem),
            SetupPart::Whole => Error::input(problem),
        })?;
        Ok(map)
    }

    /// The map of a game that starts here. Nothing if no map tells of such a start: turns were played, or units
    /// are missing.
    pub fn starting(start: &State) -> Option<MapFile> {
        let Setup { rows, mut units, turn, limit, threshold, first } = start.setup();
        for unit in &mut units {
            // A side whose units had all acted was passed over, and its flags were cleared then.
            unit.acted |= turn > u32::from(unit.team != first);
        }
        let announced = Team::BOTH.map(|team| units.iter().filter(|unit| unit.team == team).count() as u32);
        let numbered = units.iter().zip(0..).all(|(unit, id)| unit.id == id);
        let map = MapFile { rows, units, limit, threshold, announced, author: None, comment: None };
        let same = numbered && map.begun_by(first, start.rules()).is_ok_and(|state| state == *start);
        same.then_some(map)
    }

    /// The start on this map.
    pub fn state(&self, rules: Rules) -> Result<State, Error> {
        self.begun_by(Team::Red, rules)
    }

    /// The start on this map when this side moves first.
    pub(super) fn begun_by(&self, first: Team, rules: Rules) -> Result<State, Error> {
        let setup = Setup { first, ..self.setup() };
        setup.state(rules).map_err(|(_, problem)| Error::input(problem))
    }

    pub(crate) fn setup(&self) -> Setup {
        Setup {
            rows: self.rows.clone(),
            units: self.units.clone(),
            turn: 0,
            limit: self.limit,
            threshold: self.threshold,
            first: Team::Red,
        }
    }

    /// The bytes of a file that the original program reads too. Comments are written as they were read.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let width = self.rows.first().map_or(0, Vec::len);
        let _ = write!(
            out,
            "SIZEX[{width}];SIZEY[{}];\nTURNLIMIT[{}];HPTHRESHOLD[{}];\nUNITNUMRED[{}];UNITNUMBLUE[{}];\n",
            self.rows.len(),
            self.limit,
            self.threshold,
            self.announced[0],
            self.announced[1],
        );
        for (tag, text) in [("AUTHOR", &self.author), ("MAPCOM", &self.comment)] {
            if let Some(text) = text {
                let _ = write!(out, "{tag}[");
                out.extend_from_slice(text.bytes());
                out.extend_from_slice(b"];\n");
            }
        }
        for Unit { kind, team, place, hp, acted, .. } in &self.units {
            let (name, team, acted) = (kind.name(), *team as u8, u8::from(*acted));
            let _ = writeln!(out, "UNIT[{place},{name},{team},{hp},{acted}];");
        }
        for row in &self.rows {
            let row: Vec<String> = row.iter().map(|&terrain| (terrain as u8).to_string()).collect();
            let _ = writeln!(out, "MAP[{}];", row.join(","));
        }
        out
    }
}

fn read_row(entry: &Entry, width: usize) -> Result<Vec<Terrain>, Error> {
    let numbers = entry.numbers()?;
    if numbers.len() != width {
        return Err(entry.error(format!("the row has {} cells, but SIZEX is {width}", numbers.len())));
    }
    let terrain = |number: i64| {
        let terrain = u32::try_from(number).ok().and_then(Terrain::numbered);
        terrain.ok_or_else(|| entry.error(format!("{number} is no terrain; they are 0 to 6")))
    };
    numbers.into_iter().map(terrain).collect()
}

fn read_unit(entry: &Entry, id: u8) -> Result<Unit, Error> {
    let values = entry.values();
    let [x, y, name, team, hp, acted] = &values[..] else {
        return Err(entry.error("expected UNIT[x,y,name,team,hp,acted]"));
    };
    let number = |what: &str, text: &str, min: u32, max: u32| {
        let number = text.parse().ok().filter(|n| (min..=max).contains(n));
        number.ok_or_else(|| entry.error(format!("{what} is {text:?}, not {min} to {max}")))
    };
    let side = MOST_SIDE as u32 - 1;
    let place = Place::new(number("x", x, 0, side)? as u8, number("y", y, 0, side)? as u8);
    let kind = Kind::named(name).ok_or_else(|| {
        let known = Kind::ALL.map(Kind::name).join(", ");
        entry.error(format!("{name:?} is no kind of unit; they are {known}"))
    })?;
    let team = Team::BOTH[number("the team", team, 0, 1)? as usize];
    let hp = number("the HP", hp, 1, MOST_HP)? as u8;
    let acted = number("the acted flag", acted, 0, 1)? == 1;
    Ok(Unit { id, kind, team, place, hp, acted })
}
