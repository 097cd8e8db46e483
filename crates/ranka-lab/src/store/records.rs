//! Games as records: those that were played here, and those that came from elsewhere.

use super::{PairingKey, Sources, Store, json, list, reason, refuse, rows, versions, wrong};
use ranka_core::{End, Error, RECORD_FORMAT, Record, digest};
use rusqlite::{OptionalExtension, Row, TransactionBehavior, params};

impl Sources {
    /// A game as it was played; nothing if it is not there.
    pub fn record(&self, store: &Store, number: u64) -> Result<Option<Record>, Error> {
        for key in self.keys() {
            if let Some(record) = store.record(key, number)? {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }
}

impl Store {
    /// A game as it was played; nothing if it is not there.
    pub fn record(&self, key: PairingKey, number: u64) -> Result<Option<Record>, Error> {
        self.told(|db| {
            let sql = "SELECT game, version, rules, agents, pairings.seed, budget, coalesce(games.start, pairings.start),
                       seats, scores, plies, reason, blame, detail, actions, deal,
                       versions, ply_cap, move_limit, answer
                       FROM games JOIN pairings ON games.pairing = pairings.id WHERE pairing = ?1 AND number = ?2";
            let read = |row: &Row<'_>| {
                let deal = row.get::<_, u64>(14)?.max(1);
                let agents: Vec<String> = list(row, 3)?;
                let order = rows::order(row, 7, agents.len())?;
                let versions = versions::padded(list(row, 15)?, agents.len());
                let ply_cap: Option<u32> = row.get(16)?;
                Ok(Record {
                    // A store from when the cap was not kept has games as form 1 tells them.
                    format: if ply_cap.is_none() { 1 } else { RECORD_FORMAT },
                    game: row.get(0)?,
                    version: row.get(1)?,
                    rules: row.get(2)?,
                    seed: (row.get::<_, i64>(4)? as u64, number / deal, number % deal),
                    agents: order.iter().map(|&agent| agents[agent].clone()).collect(),
                    versions: order.iter().map(|&agent| versions[agent]).collect(),
                    budget: row.get(5)?,
                    ply_cap,
                    move_limit: row.get::<_, Option<i64>>(17)?.map(|limit| limit as u64),
                    start: row.get(6)?,
                    outcome: rows::scores(row, 8, agents.len())?,
                    plies: row.get(9)?,
                    end: End {
                        reason: reason(row, 10)?,
                        seat: rows::blamed(row, 11, agents.len())?,
                        answer: row.get(18)?,
                        detail: row.get(12)?,
                    },
                    actions: row.get(13)?,
                    numbers: order,
                })
            };
            let read = |row: &Row<'_>| Ok(read(row));
            db.prepare_cached(sql)?.query_row(params![key.0, number as i64], read).optional()
        })?
        .transpose()
        .map_err(|e| self.damaged(key, number as i64, &e))
    }

    /// Keeps records that came from elsewhere, all or none. Tells the number of each, and whether it was new.
    pub fn import(&mut self, records: &[Record]) -> Result<Vec<(i64, bool)>, Error> {
        let path = self.path.clone();
        let mut import = || {
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut told = Vec::with_capacity(records.len());
            {
                let sql =
                    "INSERT INTO records (digest, game, record) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
                let mut insert = transaction.prepare_cached(sql)?;
                let mut find = transaction.prepare_cached("SELECT id FROM records WHERE digest = ?1")?;
                for record in records {
                    let text = json(record);
                    let digest = digest(text.as_bytes());
                    let new = insert.execute(params![digest, record.game, text])? > 0;
                    told.push((find.query_row([&digest], |row| row.get(0))?, new));
                }
            }
            transaction.commit()?;
            Ok(told)
        };
        import().map_err(|e: rusqlite::Error| refuse(&path, &e))
    }

    /// The records that came from elsewhere, with their numbers.
    pub fn imported(&self) -> Result<Vec<(i64, Record)>, Error> {
        self.imported_rows("SELECT id, record FROM records ORDER BY id", [], numbered_record)
    }

    /// The record from elsewhere that has this number.
    pub fn imported_record(&self, number: i64) -> Result<Option<Record>, Error> {
        let sql = "SELECT id, record FROM records WHERE id = ?1";
        let mut found = self.imported_rows(sql, [number], numbered_record)?;
        Ok(found.pop().map(|(_, record)| record))
    }

    /// How many records came from elsewhere.
    pub fn imported_count(&self) -> Result<u64, Error> {
        self.told(|db| db.query_row("SELECT count(*) FROM records", [], |row| row.get(0)))
    }
}

pub(super) fn numbered_record(row: &Row<'_>) -> rusqlite::Result<(i64, Record)> {
    let text = row.get_ref(1)?.as_str().map_err(|e| wrong(1, e))?;
    let record: Record = serde_json::from_str(text).map_err(|e| wrong(1, e))?;
    let seats = record.agents.len();
    if !rows::is_order(&record.numbers, seats) || !rows::are_scores(&record.outcome, seats) {
        let (numbers, outcome) = (&record.numbers, &record.outcome);
        let why = format!("numbers {numbers:?} and outcome {outcome:?} are not those of {seats} seats");
        return Err(wrong(1, Error::input(why)));
    }
    Ok((row.get(0)?, record))
}
