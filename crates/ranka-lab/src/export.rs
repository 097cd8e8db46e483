//! Games as tables for other programs: one row a game, with everything that was measured of it, as CSV or Parquet.
//!
//! A column says by its name whose it is: `agent0.margin` is the first agent's wherever it sits, `seat0.score` the first
//! seat's whoever sits there, and what has neither before the dot is the game's. [`dictionary`] tells every column, and
//! `docs/experiments.md` holds it. What does not exist is empty in CSV and null in Parquet and in lists.

mod columns;
mod dictionary;
mod parquet;

use self::columns::{Cell, Column, Kind, columns};

pub use self::dictionary::dictionary;
pub use self::parquet::write_parquet;

use crate::experiment::{PlannedPairing, SweepValue};
use crate::words::agent_names;
use crate::{GameResult, NewFile, Pairing, Sources, Store, StoredPairing};
use ranka_core::{Error, Per, labels};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// The games of a pairing, played or stored, as rows of a table.
pub struct GameRows<'a> {
    name: Cow<'a, str>,
    identity: &'a str,
    sweep: Cow<'a, BTreeMap<String, SweepValue>>,
    game: &'a str,
    rules: Cow<'a, str>,
    seed: u64,
    deal: u64,
    agents: Vec<Entrant<'a>>,
    measures: Vec<(&'a str, Per)>,
    games: Games<'a>,
}

/// Games that a store has, which are read when they are wanted.
#[derive(Clone, Copy)]
pub struct StoredGames<'a> {
    pub(crate) store: &'a Store,
    pub(crate) sources: &'a Sources,
    /// How many there should be.
    pub(crate) games: u64,
}

/// Games, in memory or in a store.
#[derive(Clone, Copy)]
pub enum Games<'a> {
    /// They are here.
    Here(&'a [GameResult]),
    /// They are in a store.
    Stored(StoredGames<'a>),
}

impl<'a> From<&'a [GameResult]> for Games<'a> {
    fn from(games: &'a [GameResult]) -> Games<'a> {
        Games::Here(games)
    }
}

impl<'a> From<&'a Vec<GameResult>> for Games<'a> {
    fn from(games: &'a Vec<GameResult>) -> Games<'a> {
        Games::Here(games)
    }
}

impl<'a> From<StoredGames<'a>> for Games<'a> {
    fn from(games: StoredGames<'a>) -> Games<'a> {
        Games::Stored(games)
    }
}

/// Some games in order.
type Page<'a> = Cow<'a, [GameResult]>;

/// How many games are read at a time.
const PAGE: usize = 1 << 12;

impl<'a> Games<'a> {
    /// All of them, so many at a time. No more is in memory for it.
    fn pages(self, size: usize) -> Box<dyn Iterator<Item = Result<Page<'a>, Error>> + 'a> {
        match self {
            Games::Here(games) => Box::new(games.chunks(size).map(|page| Ok(Cow::Borrowed(page)))),
            Games::Stored(StoredGames { store, sources, games }) => {
                let pages = sources.pages(store, games, size as u64);
                Box::new(pages.map(|page| page.map(Cow::Owned)))
            }
        }
    }
}

/// An agent of a pairing.
struct Entrant<'a> {
    /// What it is called.
    name: String,
    /// With all its parameters.
    spec: &'a str,
}

impl<'a> GameRows<'a> {
    /// Games that a pairing has played. It is called by its agents.
    pub fn played(pairing: &'a Pairing, games: impl Into<Games<'a>>) -> GameRows<'a> {
        let measures = pairing.meter().map_or_else(Vec::new, |meter| {
            meter.names.iter().map(String::as_str).zip(meter.per.iter().copied()).collect()
        });
        let names = labels(pairing.agents());
        let entrant = |(name, spec)| Entrant { name, spec };
        GameRows {
            name: names.join(" – ").into(),
            identity: pairing.identity(),
            sweep: Cow::default(),
            game: pairing.game().info().name,
            rules: pairing.game().rules().into(),
            seed: pairing.seed().value(),
            deal: pairing.games_of_a_deal(),
            agents: names
                .into_iter()
                .zip(pairing.agents().iter().map(|agent| agent.full.as_str()))
                .map(entrant)
                .collect(),
            measures,
            games: games.into(),
        }
    }

    /// Games of an experiment's pairing, which has a name and its place in a sweep.
    pub fn planned(planned: &'a PlannedPairing, games: impl Into<Games<'a>>) -> GameRows<'a> {
        GameRows {
            name: planned.name.as_str().into(),
            sweep: Cow::Borrowed(&planned.sweep),
            ..GameRows::played(&planned.pairing, games)
        }
    }

    /// Games that a store has, which knows no pairing by name: it is called by its agents. It is an error if they have a
    /// measure that the program no longer knows.
    pub fn stored(pairing: &'a StoredPairing, games: impl Into<Games<'a>>) -> Result<GameRows<'a>, Error> {
        let known = ranka_games::game(&pairing.game)?.measures();
        let per = |name: &'a String| {
            if name.starts_with("note:") {
                return Ok((name.as_str(), Per::PlySeat));
            }
            let found = known.iter().find(|(of, _, _)| of == name);
            let refuse = || Error::not_found(format!("{} has no measure {name:?} any more", pairing.game));
            found.map(|(_, _, per)| (name.as_str(), *per)).ok_or_else(refuse)
        };
        let names = agent_names(&pairing.game, &pairing.agents);
        Ok(GameRows {
            name: names.join(" – ").into(),
            identity: &pairing.identity,
            sweep: Cow::default(),
            game: &pairing.game,
            rules: pairing.rules.as_str().into(),
            seed: pairing.seed,
            deal: pairing.deal,
            agents: names
                .into_iter()
                .zip(&pairing.agents)
                .map(|(name, spec)| Entrant { name, spec })
                .collect(),
            measures: pairing.measures.iter().map(per).collect::<Result<_, _>>()?,
            games: games.into(),
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

/// Writes games as CSV to wherever. The outer error is that they do not fit together, or cannot be read.
pub fn csv_to(out: impl Write, rows: &[GameRows<'_>]) -> Result<std::io::Result<()>, Error> {
    let columns = columns(rows)?;
    let mut out = csv::Writer::from_writer(out);
    let line = |out: &mut csv::Writer<_>, pairing: &GameRows<'_>, game: &GameResult| {
        for column in &columns {
            let text = match column.field.of(pairing, game) {
                Cell::Nothing => Cow::Borrowed(""),
                Cell::Text(text) => text,
                Cell::Whole(n) => n.to_string().into(),
                Cell::Real(x) => x.to_string().into(),
            };
            out.write_field(text.as_ref())?;
        }
        out.write_record(None::<&[u8]>)
    };
    if let Err(error) = out.write_record(columns.iter().map(|column| column.name.as_str())) {
        return Ok(Err(error.into()));
    }
    for pairing in rows {
        for page in pairing.games.pages(PAGE) {
            if let Err(error) = page?.iter().try_for_each(|game| line(&mut out, pairing, game)) {
                return Ok(Err(error.into()));
            }
        }
    }
    Ok(out.flush())
}

/// What the columns of these games mean, as CSV: the column, its type, and what it tells.
pub fn columns_csv(rows: &[GameRows<'_>]) -> Result<String, Error> {
    let mut lines = vec![["column".to_owned(), "type".to_owned(), "what".to_owned()]];
    lines.extend(columns(rows)?.into_iter().map(|Column { name, field }| {
        let what = field.meaning(rows.first().map_or("", |pairing| pairing.game)).replace('`', "");
        [name, field.type_words().to_owned(), what]
    }));
    let mut out = csv::Writer::from_writer(Vec::new());
    lines.iter().try_for_each(|line| out.write_record(line)).expect("memory can be written");
    let bytes = out.into_inner().expect("memory can be written");
    Ok(String::from_utf8(bytes).expect("text stays text"))
}

/// A column of games in memory, for whoever hands tables on without a file.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValues {
    /// Text.
    Text(Vec<Option<String>>),
    /// Whole numbers.
    Whole(Vec<Option<u64>>),
    /// Numbers.
    Real(Vec<Option<f64>>),
}

/// Games as named columns. Several pairings, of one game, follow each other.
pub fn table(rows: &[GameRows<'_>]) -> Result<Vec<(String, ColumnValues)>, Error> {
    let pages: Vec<(&GameRows<'_>, Page<'_>)> = rows
        .iter()
        .flat_map(|pairing| pairing.games.pages(PAGE).map(move |page| Ok((pairing, page?))))
        .collect::<Result<_, Error>>()?;
    let cells = |column: &Column| {
        let cells =
            pages.iter().flat_map(|(pairing, page)| page.iter().map(|game| column.field.of(pairing, game)));
        match column.field.kind() {
            Kind::Text => ColumnValues::Text(
                cells
                    .map(|cell| if let Cell::Text(text) = cell { Some(text.into_owned()) } else { None })
                    .collect(),
            ),
            Kind::Whole => ColumnValues::Whole(
                cells.map(|cell| if let Cell::Whole(n) = cell { Some(n) } else { None }).collect(),
            ),
            Kind::Real => ColumnValues::Real(
                cells.map(|cell| if let Cell::Real(x) = cell { Some(x) } else { None }).collect(),
            ),
        }
    };
    let columns = columns(rows)?;
    let named = columns.iter().map(|column| (column.name.clone(), cells(column)));
    Ok(named.collect())
}

#[cfg(test)]
mod tests;
