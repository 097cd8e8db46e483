//! Games as tables for other programs: one row a game, with everything that was measured of it, as CSV or Parquet.
//!
//! The columns: `pairing` (its identity), `game`, `rules`, `seed`, `number`, `deal`, `order` (which of the deal's games
//! it is); for each seat `seat0.agent` (with all parameters), `seat0.version` and `seat0.number` (of the agent) and `seat0.score`;
//! `plies`, `reason`. Then the measures: of a game `rounds`; of seats `cards-left.0`, where 0 is the number of the *agent*, so that
//! a column stays with one agent wherever it sits; by ply a list, as JSON, in `margin`, or for each agent in `depth.0`.
//! What does not exist is empty in CSV and null in Parquet and in lists.

mod parquet;

pub use self::parquet::write_parquet;

use crate::{GameResult, NewFile, Pairing, StoredPairing};
use ranka_core::{Error, Per};
use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

/// The games of a pairing, played or stored, as rows of a table.
pub struct GameRows<'a> {
    identity: &'a str,
    game: &'a str,
    rules: Cow<'a, str>,
    seed: u64,
    deal: u64,
    agents: Vec<&'a str>,
    measures: Vec<(&'a str, Per)>,
    games: &'a [GameResult],
}

impl<'a> GameRows<'a> {
    /// Games that a pairing has played.
    pub fn played(pairing: &'a Pairing, games: &'a [GameResult]) -> GameRows<'a> {
        let measures = pairing.meter().map_or_else(Vec::new, |meter| {
            meter.names.iter().map(String::as_str).zip(meter.per.iter().copied()).collect()
        });
        GameRows {
            identity: pairing.identity(),
            game: pairing.game().info().name,
            rules: pairing.game().rules().into(),
            seed: pairing.seed().value(),
            deal: pairing.games_of_a_deal(),
            agents: pairing.agents().iter().map(|agent| agent.full.as_str()).collect(),
            measures,
            games,
        }
    }

    /// Games that a store has. It is an error if they have a measure that the program no longer knows.
    pub fn stored(pairing: &'a StoredPairing, games: &'a [GameResult]) -> Result<GameRows<'a>, Error> {
        let known = ranka_games::game(&pairing.game)?.measures();
        let per = |name: &'a String| {
            if name.starts_with("note:") {
                return Ok((name.as_str(), Per::PlySeat));
            }
            let found = known.iter().find(|(of, _, _)| of == name);
            let refuse = || Error::not_found(format!("{} has no measure {name:?} any more", pairing.game));
            found.map(|(_, _, per)| (name.as_str(), *per)).ok_or_else(refuse)
        };
        Ok(GameRows {
            identity: &pairing.identity,
            game: &pairing.game,
            rules: pairing.rules.as_str().into(),
            seed: pairing.seed,
            deal: pairing.deal,
            agents: pairing.agents.iter().map(String::as_str).collect(),
            measures: pairing.measures.iter().map(per).collect::<Result<_, _>>()?,
            games,
        })
    }
}

/// Writes games to a CSV file with a line of headings. Several pairings, of one game, follow each other.
pub fn write_csv(path: &Path, rows: &[GameRows<'_>]) -> Result<(), Error> {
    let mut file = NewFile::create(path)?;
    let written = csv_to(&mut file, rows)?;
    written.map_err(|e| file.failed(e))?;
    file.finish()
}

/// Writes games as CSV to wherever. The outer error is that they do not fit together.
pub fn csv_to(out: impl Write, rows: &[GameRows<'_>]) -> Result<std::io::Result<()>, Error> {
    let columns = columns(rows)?;
    let write = || {
        let mut out = csv::Writer::from_writer(out);
        out.write_record(columns.iter().map(|column| column.name.as_str()))?;
        for pairing in rows {
            for game in pairing.games {
                for column in &columns {
                    let text = match column.field.of(pairing, game) {
                        Cell::Nothing => Cow::Borrowed(""),
                        Cell::Text(text) => text,
                        Cell::Whole(n) => n.to_string().into(),
                        Cell::Real(x) => x.to_string().into(),
                    };
                    out.write_field(text.as_ref())?;
                }
                out.write_record(None::<&[u8]>)?;
            }
        }
        out.flush()
    };
    Ok(write())
}

/// A column of games in memory, for whoever hands tables on without a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Text.
    Text(Vec<Option<String>>),
    /// Whole numbers.
    Whole(Vec<Option<u64>>),
    /// Numbers.
    Real(Vec<Option<f64>>),
}

/// Games as named columns. Several pairings, of one game, follow each other.
pub fn table(rows: &[GameRows<'_>]) -> Result<Vec<(String, Values)>, Error> {
    let cells = |column: &Column| {
        let cells =
            rows.iter().flat_map(|pairing| pairing.games.iter().map(|game| column.field.of(pairing, game)));
        match column.field.kind() {
            Kind::Text => Values::Text(
                cells
                    .map(|cell| if let Cell::Text(text) = cell { Some(text.into_owned()) } else { None })
                    .collect(),
            ),
            Kind::Whole => Values::Whole(
                cells.map(|cell| if let Cell::Whole(n) = cell { Some(n) } else { None }).collect(),
            ),
            Kind::Real => Values::Real(
                cells.map(|cell| if let Cell::Real(x) = cell { Some(x) } else { None }).collect(),
            ),
        }
    };
    let columns = columns(rows)?;
    let named = columns.iter().map(|column| (column.name.clone(), cells(column)));
    Ok(named.collect())
}

/// A column of the table.
struct Column {
    name: String,
    field: Field,
}

/// What a column holds.
#[derive(Clone, PartialEq)]
enum Field {
    Pairing,
    Game,
    Rules,
    Seed,
    Number,
    Deal,
    Order,
    SeatAgent(usize),
    SeatVersion(usize),
    SeatNumber(usize),
    SeatScore(usize),
    Plies,
    Reason,
    /// A measure, and of which agent.
    Measure(String, Per, usize),
}

/// What kind of values a column has.
enum Kind {
    Text,
    Whole,
    Real,
}

/// A value.
#[derive(Debug, PartialEq)]
enum Cell<'a> {
    Nothing,
    Text(Cow<'a, str>),
    Whole(u64),
    Real(f64),
}

/// The columns that these games need.
fn columns(rows: &[GameRows<'_>]) -> Result<Vec<Column>, Error> {
    if let Some(other) = rows.iter().find(|pairing| pairing.game != rows[0].game) {
        let message = format!("games of {} and of {} do not fit into one table", rows[0].game, other.game);
        return Err(Error::input(message));
    }
    let mut columns: Vec<Column> = Vec::new();
    let mut add = |name: String, field: Field| {
        // The measure `plies` is that of every game.
        if !columns.iter().any(|column| column.name == name) {
            columns.push(Column { name, field });
        }
    };
    for (name, field) in [
        ("pairing", Field::Pairing),
        ("game", Field::Game),
        ("rules", Field::Rules),
        ("seed", Field::Seed),
        ("number", Field::Number),
        ("deal", Field::Deal),
        ("order", Field::Order),
    ] {
        add(name.to_owned(), field);
    }
    let seats = rows.iter().map(|pairing| pairing.agents.len()).max().unwrap_or(0);
    for seat in 0..seats {
        add(format!("seat{seat}.agent"), Field::SeatAgent(seat));
        add(format!("seat{seat}.version"), Field::SeatVersion(seat));
        add(format!("seat{seat}.number"), Field::SeatNumber(seat));
        add(format!("seat{seat}.score"), Field::SeatScore(seat));
    }
    add("plies".to_owned(), Field::Plies);
    add("reason".to_owned(), Field::Reason);
    for pairing in rows {
        for &(name, per) in &pairing.measures {
            match per {
                Per::Game | Per::Ply => add(name.to_owned(), Field::Measure(name.to_owned(), per, 0)),
                Per::Seat | Per::PlySeat => (0..seats).for_each(|agent| {
                    add(format!("{name}.{agent}"), Field::Measure(name.to_owned(), per, agent));
                }),
            }
        }
    }
    Ok(columns)
}

impl Field {
    fn kind(&self) -> Kind {
        match self {
            Field::Pairing | Field::Game | Field::Rules | Field::SeatAgent(_) | Field::Reason => Kind::Text,
            Field::Seed | Field::Number | Field::Deal | Field::Order => Kind::Whole,
            Field::SeatVersion(_) | Field::SeatNumber(_) | Field::Plies => Kind::Whole,
            Field::SeatScore(_) => Kind::Real,
            Field::Measure(_, Per::Game | Per::Seat, _) => Kind::Real,
            Field::Measure(_, Per::Ply | Per::PlySeat, _) => Kind::Text,
        }
    }

    /// Its value in a game.
    fn of<'a>(&self, rows: &'a GameRows<'_>, game: &GameResult) -> Cell<'a> {
        let agent_in = |seat: usize| game.agents.get(seat).copied();
        match self {
            Field::Pairing => Cell::text(rows.identity),
            Field::Game => Cell::text(rows.game),
            Field::Rules => Cell::text(&rows.rules),
            Field::Seed => Cell::Whole(rows.seed),
            Field::Number => Cell::Whole(game.number),
            Field::Deal => Cell::Whole(game.number / rows.deal),
            Field::Order => Cell::Whole(game.number % rows.deal),
            Field::SeatAgent(seat) => agent_in(*seat)
                .and_then(|agent| rows.agents.get(agent))
                .map_or(Cell::Nothing, |agent| Cell::text(agent)),
            Field::SeatVersion(seat) => agent_in(*seat)
                .and_then(|agent| game.versions.get(agent))
                .map_or(Cell::Nothing, |&version| Cell::Whole(version.into())),
            Field::SeatNumber(seat) => {
                agent_in(*seat).map_or(Cell::Nothing, |agent| Cell::Whole(agent as u64))
            }
            Field::SeatScore(seat) => {
                game.scores.get(*seat).map_or(Cell::Nothing, |&score| Cell::Real(score))
            }
            Field::Plies => Cell::Whole(game.plies.into()),
            Field::Reason => Cell::text(game.reason.name()),
            Field::Measure(name, per, agent) => {
                let place = rows.measures.iter().position(|(of, _)| of == name);
                let numbers = place.and_then(|place| game.measured.get(place));
                numbers.map_or(Cell::Nothing, |numbers| measured(numbers, *per, *agent, game))
            }
        }
    }
}

/// A measure of a game, for the agent where it is by seat.
fn measured(numbers: &[f64], per: Per, agent: usize, game: &GameResult) -> Cell<'static> {
    let seats = game.agents.len();
    let seat = game.agents.iter().position(|&of| of == agent);
    match (per, seat) {
        (Per::Game, _) => numbers.first().map_or(Cell::Nothing, |&x| Cell::real(x)),
        (Per::Ply, _) => list(numbers.iter().copied()),
        (Per::Seat, Some(seat)) => numbers.get(seat).map_or(Cell::Nothing, |&x| Cell::real(x)),
        (Per::PlySeat, Some(seat)) => list(numbers.chunks_exact(seats).map(|of_a_ply| of_a_ply[seat])),
        (Per::Seat | Per::PlySeat, None) => Cell::Nothing,
    }
}

/// Numbers as JSON; what is no number is null.
fn list(numbers: impl Iterator<Item = f64>) -> Cell<'static> {
    let numbers: Vec<f64> = numbers.collect();
    let text = serde_json::to_string(&numbers).expect("a list of numbers is JSON");
    Cell::Text(text.into())
}

impl<'a> Cell<'a> {
    fn text(text: &'a str) -> Cell<'a> {
        Cell::Text(Cow::Borrowed(text))
    }

    fn real(x: f64) -> Cell<'a> {
        if x.is_nan() { Cell::Nothing } else { Cell::Real(x) }
    }
}

#[cfg(test)]
mod tests;
