//! What a row of a game must be, whoever reads it: one that cannot be of a game is named, and never counted.

use super::{PairingKey, Store, wrong};
use crate::{game_name, imported_name, short_identity};
use ranka_core::{Error, Seat};
use rusqlite::{Params, Row};

/// Who sat where: every agent has one seat.
pub(super) fn order(row: &Row<'_>, column: usize, agents: usize) -> rusqlite::Result<Vec<usize>> {
    let order: Vec<usize> = numbers(row, column)?;
    if is_order(&order, agents) {
        return Ok(order);
    }
    Err(wrong(column, Error::input(format!("{order:?} is no order of {agents} agents"))))
}

/// What each seat got: every seat has a score.
pub(super) fn scores(row: &Row<'_>, column: usize, seats: usize) -> rusqlite::Result<Vec<f64>> {
    let scores: Vec<f64> = numbers(row, column)?;
    if are_scores(&scores, seats) {
        return Ok(scores);
    }
    Err(wrong(column, Error::input(format!("{scores:?} are no scores of {seats} seats"))))
}

/// The seat to blame, if one is.
pub(super) fn blamed(row: &Row<'_>, column: usize, seats: usize) -> rusqlite::Result<Option<Seat>> {
    let Some(seat) = row.get::<_, Option<u32>>(column)? else { return Ok(None) };
    let refuse = || wrong(column, Error::input(format!("{seat} is none of {seats} seats")));
    Seat::all(seats).nth(seat as usize).ok_or_else(refuse).map(Some)
}

pub(super) fn is_order(order: &[usize], agents: usize) -> bool {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..agents)
}

pub(super) fn are_scores(scores: &[f64], seats: usize) -> bool {
    scores.len() == seats && scores.iter().all(|score| (0.0..=1.0).contains(score))
}

fn numbers<T: std::str::FromStr<Err: std::error::Error + Send + Sync + 'static>>(
    row: &Row<'_>,
    column: usize,
) -> rusqlite::Result<Vec<T>> {
    let text = row.get_ref(column)?.as_str().map_err(|e| wrong(column, e))?;
    text.split(' ').map(|part| part.parse().map_err(|e| wrong(column, e))).collect()
}

impl Store {
    /// Reads games of a pairing. The first column is a game's number, by which it is named if `read` refuses it.
    pub(super) fn games<T>(
        &self,
        key: PairingKey,
        sql: &str,
        values: impl Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        self.rows(sql, values, read, |number, error| self.damaged(key, number, error))
    }

    /// Reads pairings. The first column is a pairing's place.
    pub(super) fn pairing_rows<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        self.rows(sql, values, read, |place, error| self.damaged_pairing(PairingKey(place), error))
    }

    /// Reads games that came from elsewhere. The first column is a game's number.
    pub(super) fn imported_rows<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        self.rows(sql, values, read, |number, error| {
            self.spoilt(&format!("game {}", imported_name(number)), error)
        })
    }

    /// Reads rows. One that `read` refuses is named by its first column.
    fn rows<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
        refused: impl Fn(i64, &rusqlite::Error) -> Error,
    ) -> Result<Vec<T>, Error> {
        let read = |row: &Row<'_>| Ok((row.get(0)?, read(row)));
        let rows: Vec<(i64, rusqlite::Result<T>)> =
            self.told(|db| db.prepare_cached(sql)?.query_map(values, read)?.collect())?;
        rows.into_iter().map(|(number, row)| row.map_err(|error| refused(number, &error))).collect()
    }

    /// What is told of a game whose row cannot be read.
    pub(super) fn damaged(&self, key: PairingKey, number: i64, error: &rusqlite::Error) -> Error {
        let game = self.identity(key).map_or_else(|| number.to_string(), |of| game_name(&of, number));
        self.spoilt(&format!("game {game}"), error)
    }

    /// What is told of a pairing whose row cannot be read.
    pub(super) fn damaged_pairing(&self, key: PairingKey, error: &rusqlite::Error) -> Error {
        let name = self.identity(key).map_or_else(|| key.0.to_string(), |of| short_identity(&of).to_owned());
        self.spoilt(&format!("pairing {name}"), error)
    }

    fn identity(&self, key: PairingKey) -> Option<String> {
        let sql = "SELECT identity FROM pairings WHERE id = ?1";
        self.connection.query_row(sql, [key.0], |row| row.get(0)).ok()
    }

    fn spoilt(&self, what: &str, error: &rusqlite::Error) -> Error {
        let why = match error {
            rusqlite::Error::FromSqlConversionFailure(_, _, why) => why.to_string(),
            other => other.to_string(),
        };
        Error::storage(&self.path, format_args!("the store: {what} is damaged: {why}"))
    }
}
