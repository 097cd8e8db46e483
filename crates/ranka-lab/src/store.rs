//! The store: every game that was played, in one SQLite file, by what it followed from.
//!
//! A game is kept under its pairing's [identity](crate::Pairing::identity) and its number, so whatever is asked for
//! twice is played once, and whatever is asked for differently is never mistaken for something else. Each
//! [`add`](Store::add) is one transaction: a program killed at any moment leaves whole games.

mod faults;
mod kept;
mod listing;
mod read_only;
mod records;
mod refusal;
mod rows;
mod schema;
mod versions;

pub use kept::{KeptReport, KeptTable};
pub use listing::{Choice, ListedGame, Stretch};
pub use versions::{Sources, VersionCount};

use crate::{GameResult, Pairing, this_build};
use ranka_core::{EndReason, Error, Finished};
use refusal::refuse;
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a program waits for another that is writing.
const PATIENCE: Duration = Duration::from_secs(60);

/// The store.
pub struct Store {
    connection: Connection,
    path: PathBuf,
    build: i64,
    /// Whether it was opened where nothing can be written.
    read_only: bool,
}

/// A pairing's place in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairingKey(i64);

/// The place of a pairing that a store does not have and cannot be given.
const NOWHERE: i64 = -1;

/// A pairing as a store knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredPairing {
    /// Its place.
    pub key: PairingKey,
    /// Its identity.
    pub identity: String,
    /// The game's name.
    pub game: String,
    /// All its options.
    pub rules: String,
    /// The agents with all their parameters, by their numbers.
    pub agents: Vec<String>,
    /// The version of each agent, by its number.
    pub versions: Vec<u32>,
    /// What was measured.
    pub measures: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// How many games share a deal.
    pub deal: u64,
    /// How many games there are.
    pub games: u64,
}

/// How often games of a pairing came out in one way.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultCount {
    /// The number of the agent in each seat.
    pub agents: Vec<usize>,
    /// The score of each seat.
    pub scores: Vec<f64>,
    /// How many games.
    pub games: u64,
}

/// What somebody thinks of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledAction {
    /// The options of the rules that the position does not tell.
    pub rules: String,
    /// The position, in the game's notation.
    pub position: String,
    /// The action.
    pub action: String,
    /// What was said of it, in the game's own words.
    pub label: String,
}

impl Store {
    /// Opens the store in this file, which is made if there is none.
    pub fn open(path: &Path) -> Result<Store, Error> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|e| Error::writing(folder, e))?;
        }
        let connection = Connection::open(path).map_err(|e| refuse(path, &e))?;
        Store::with(connection, path)
    }

    /// A store that is gone when it is dropped.
    pub fn in_memory() -> Result<Store, Error> {
        let path = Path::new("the store in memory");
        Store::with(Connection::open_in_memory().map_err(|e| refuse(path, &e))?, path)
    }

    fn with(mut connection: Connection, path: &Path) -> Result<Store, Error> {
        let place = |e: rusqlite::Error| refuse(path, &e);
        connection.busy_timeout(PATIENCE).map_err(place)?;
        schema::prepare(&mut connection).map_err(|refused| refused.told(path))?;
        // Readers and a writer at once; a committed game outlives the program, whatever happens to it.
        connection.pragma_update(None, "journal_mode", "wal").map_err(place)?;
        connection.pragma_update(None, "synchronous", "normal").map_err(place)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(place)?;
        let build = this_build();
        let (insert, find) = (
            "INSERT INTO builds (digest, version) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            "SELECT id FROM builds WHERE digest = ?1",
        );
        connection.execute(insert, params![build, env!("CARGO_PKG_VERSION")]).map_err(place)?;
        let build = connection.query_row(find, [build], |row| row.get(0)).map_err(place)?;
        Ok(Store { connection, path: path.to_owned(), build, read_only: false })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Moves everything from the journal into the file itself.
    pub fn settle(&self) -> Result<(), Error> {
        self.told(|db| db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())))
    }

    /// The place of a pairing, which is made if there is none.
    pub fn key(&self, pairing: &Pairing) -> Result<PairingKey, Error> {
        let agents: Vec<&str> = pairing.agents().iter().map(|agent| agent.full.as_str()).collect();
        let versions: Vec<u32> = pairing.agents().iter().map(|agent| agent.version).collect();
        let measures = pairing.meter().map_or(&[][..], |meter| &meter.names);
        let start = pairing.game().start(ranka_core::GameSeeds::of(pairing.seed(), 0, 0).deal);
        let known = |db: &Connection| {
            let sql = "SELECT id FROM pairings WHERE identity = ?1";
            db.query_row(sql, [pairing.identity()], |row| row.get(0)).optional()
        };
        self.told(|db| {
            if let Some(key) = known(db)? {
                return Ok(key);
            }
            if self.read_only {
                return Ok(NOWHERE);
            }
            db.execute(
                "INSERT INTO pairings (identity, game, version, rules, agents, seating, deal, seed, budget, measures, start,
                                       family, versions, ply_cap, move_limit)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) ON CONFLICT DO NOTHING",
                params![
                    pairing.identity(),
                    pairing.game().info().name,
                    pairing.game().info().version,
                    pairing.game().rules(),
                    json(&agents),
                    pairing.seating().name(),
                    pairing.games_of_a_deal() as i64,
                    pairing.seed().value() as i64,
                    pairing.limits().budget.map(|budget| budget.to_string()),
                    json(&measures),
                    start,
                    pairing.family(),
                    json(&versions),
                    pairing.limits().ply_cap,
                    pairing.limits().move_limit.map(|limit| limit.as_millis() as i64),
                ],
            )?;
            known(db)?.ok_or(rusqlite::Error::QueryReturnedNoRows)
        })
        .map(PairingKey)
    }

    /// Which of the first `games` games of a pairing are not there yet.
    pub fn missing(&self, key: PairingKey, games: u64) -> Result<Vec<Range<u64>>, Error> {
        // Of all or none of them no list is needed.
        match self.count(key, games)? {
            0 => return Ok(gaps(Vec::new(), games)),
            all if all == games => return Ok(Vec::new()),
            _ => {}
        }
        let sql = "SELECT number FROM games WHERE pairing = ?1 AND number < ?2 ORDER BY number";
        Ok(gaps(self.games(key, sql, params![key.0, games as i64], |row| row.get(0))?, games))
    }

    /// Keeps games, all or none. A game that is there already stays as it is.
    pub fn add<'a>(
        &mut self,
        games: impl IntoIterator<Item = (PairingKey, u64, &'a Finished)>,
    ) -> Result<(), Error> {
        self.keep(games, "INSERT OR IGNORE")
    }

    /// Keeps games, all or none, instead of those that are there under the same numbers.
    pub fn replace<'a>(
        &mut self,
        games: impl IntoIterator<Item = (PairingKey, u64, &'a Finished)>,
    ) -> Result<(), Error> {
        self.keep(games, "INSERT OR REPLACE")
    }

    fn keep<'a>(
        &mut self,
        games: impl IntoIterator<Item = (PairingKey, u64, &'a Finished)>,
        insert: &str,
    ) -> Result<(), Error> {
        let (path, build) = (self.path.clone(), self.build);
        let now = jiff::Timestamp::now().as_millisecond();
        let add = || {
            // It reads before it writes, so it must be the writer from the beginning.
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            {
                let mut known: Option<(PairingKey, String)> = None;
                let mut insert = transaction.prepare_cached(&format!(
                    "{insert} INTO games (pairing, number, build, seats, scores, plies, reason, blame, detail, measured, start, actions, answer, kept)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"
                ))?;
                let mut find = transaction.prepare_cached("SELECT start FROM pairings WHERE id = ?1")?;
                for (key, number, Finished { record, measured, .. }) in games {
                    if known.as_ref().is_none_or(|(of, _)| *of != key) {
                        known = Some((key, find.query_row([key.0], |row| row.get(0))?));
                    }
                    let usual = known.as_ref().is_some_and(|(_, start)| *start == record.start);
                    insert.execute(params![
                        key.0,
                        number as i64,
                        build,
                        spaced(&record.numbers),
                        spaced(&record.outcome),
                        record.plies,
                        record.end.reason.name(),
                        record.end.seat.map(|seat| seat.index() as i64),
                        record.end.detail,
                        (!measured.is_empty()).then(|| json(measured)),
                        (!usual).then_some(&record.start),
                        record.actions,
                        record.end.answer,
                        now,
                    ])?;
                }
            }
            transaction.commit()
        };
        add().map_err(|e| refuse(&path, &e))
    }

    /// The first `games` games of a pairing, as far as they are there, in order.
    pub fn results(&self, key: PairingKey, games: u64) -> Result<Vec<GameResult>, Error> {
        self.results_in(key, 0..games)
    }

    /// The games of a pairing with these numbers, as far as they are there, in order.
    pub fn results_in(&self, key: PairingKey, numbers: Range<u64>) -> Result<Vec<GameResult>, Error> {
        if key.0 == NOWHERE {
            return Ok(Vec::new());
        }
        let versions = self.versions(key)?;
        let sql = "SELECT number, seats, scores, plies, reason, measured, blame FROM games
                   WHERE pairing = ?1 AND number >= ?2 AND number < ?3 ORDER BY number";
        let params = params![key.0, numbers.start as i64, numbers.end as i64];
        self.games(key, sql, params, |row| game_result(row, &versions))
    }

    /// When each game of a pairing was kept, by its number, in milliseconds since 1970; nothing of games from before that was
    /// written down.
    pub fn kept(&self, key: PairingKey) -> Result<BTreeMap<u64, i64>, Error> {
        let sql = "SELECT number, kept FROM games WHERE pairing = ?1 AND kept IS NOT NULL";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        self.told(|db| db.prepare_cached(sql)?.query_map([key.0], read)?.collect())
    }

    /// How often the games of a pairing came out in each way.
    pub fn counts(&self, key: PairingKey) -> Result<Vec<ResultCount>, Error> {
        let agents = self.versions(key)?.len();
        let sql = "SELECT min(number), seats, scores, count(*) FROM games WHERE pairing = ?1 GROUP BY seats, scores";
        self.games(key, sql, [key.0], |row| {
            let (order, scores) = (rows::order(row, 1, agents)?, rows::scores(row, 2, agents)?);
            Ok(ResultCount { agents: order, scores, games: row.get(3)? })
        })
    }

    /// How many of the first `games` games of a pairing were played by another build of the program than this one.
    pub fn by_other_builds(&self, key: PairingKey, games: u64) -> Result<u64, Error> {
        self.told(|db| {
            let sql = "SELECT count(*) FROM games WHERE pairing = ?1 AND number < ?2 AND build <> ?3";
            db.query_row(sql, params![key.0, games as i64, self.build], |row| row.get(0))
        })
    }

    /// All pairings that have games, the last made first.
    pub fn pairings(&self) -> Result<Vec<StoredPairing>, Error> {
        let sql =
            "SELECT id, identity, game, rules, agents, measures, seed, deal, count(*), versions FROM pairings
                   JOIN games ON games.pairing = pairings.id GROUP BY id ORDER BY id DESC";
        self.pairing_rows(sql, [], stored_pairing)
    }

    /// The pairing whose identity begins like this. It is an error if there is none, or several.
    pub fn find(&self, identity: &str) -> Result<StoredPairing, Error> {
        let sql = "SELECT id, identity, game, rules, agents, measures, seed, deal,
                   (SELECT count(*) FROM games WHERE games.pairing = pairings.id), versions
                   FROM pairings WHERE substr(identity, 1, length(?1)) = ?1 ORDER BY id LIMIT 2";
        let mut found = self.pairing_rows(sql, [identity], stored_pairing)?;
        match (found.pop(), found.is_empty()) {
            (Some(pairing), true) => Ok(pairing),
            (Some(_), false) => {
                Err(Error::input(format!("{identity}: several pairings begin like this: give more of it")))
            }
            (None, _) => Err(Error::not_found(format!(
                "{identity}: no such pairing in the store; `ranka record list` tells which there are"
            ))
            .in_file(&self.path)),
        }
    }

    /// Adds labels to a collection of a game's, all or none.
    pub fn add_labels(
        &mut self,
        game: &str,
        collection: &str,
        labels: &[LabelledAction],
    ) -> Result<(), Error> {
        let path = self.path.clone();
        let mut add = || {
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for LabelledAction { rules, position, action, label } in labels {
                let sql = "INSERT INTO labels (game, collection, rules, position, action, label)
                           VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
                let values = params![game, collection, rules, position, action, label];
                transaction.prepare_cached(sql)?.execute(values)?;
            }
            transaction.commit()
        };
        add().map_err(|e| refuse(&path, &e))
    }

    /// The labels of a collection in the order in which they were given; none if there is no such collection.
    pub fn labels(&self, game: &str, collection: &str) -> Result<Vec<LabelledAction>, Error> {
        self.told(|db| {
            let sql = "SELECT rules, position, action, label FROM labels
                       WHERE game = ?1 AND collection = ?2 ORDER BY id";
            let read = |row: &Row<'_>| {
                let (rules, position) = (row.get(0)?, row.get(1)?);
                Ok(LabelledAction { rules, position, action: row.get(2)?, label: row.get(3)? })
            };
            db.prepare_cached(sql)?.query_map([game, collection], read)?.collect()
        })
    }

    /// The collections of labels of a game, and how many each has.
    pub fn label_collections(&self, game: &str) -> Result<Vec<(String, u64)>, Error> {
        self.told(|db| {
            let sql =
                "SELECT collection, count(*) FROM labels WHERE game = ?1 GROUP BY collection ORDER BY 1";
            db.prepare(sql)?.query_map([game], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
    }

    fn told<T>(&self, ask: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        ask(&self.connection).map_err(|e| refuse(&self.path, &e))
    }
}

/// A game by its row.
fn game_result(row: &Row<'_>, versions: &Arc<[u32]>) -> rusqlite::Result<GameResult> {
    Ok(GameResult {
        number: row.get(0)?,
        agents: rows::order(row, 1, versions.len())?,
        versions: versions.clone(),
        scores: rows::scores(row, 2, versions.len())?,
        plies: row.get(3)?,
        reason: reason(row, 4)?,
        blame: rows::blamed(row, 6, versions.len())?,
        measured: match row.get_ref(5)?.as_str_or_null().map_err(|e| wrong(5, e))? {
            Some(text) => measured(text).map_err(|e| wrong(5, e))?,
            None => Vec::new(),
        },
    })
}

/// The stretches of numbers below `games` that are not among those that are `there`, which are in order.
fn gaps(there: Vec<u64>, games: u64) -> Vec<Range<u64>> {
    let mut missing = Vec::new();
    let mut next = 0;
    for number in there.into_iter().chain([games]) {
        if number > next {
            missing.push(next..number);
        }
        next = number + 1;
    }
    missing
}

fn stored_pairing(row: &Row<'_>) -> rusqlite::Result<StoredPairing> {
    let agents: Vec<String> = list(row, 4)?;
    Ok(StoredPairing {
        key: PairingKey(row.get(0)?),
        identity: row.get(1)?,
        game: row.get(2)?,
        rules: row.get(3)?,
        versions: versions::padded(list(row, 9)?, agents.len()).to_vec(),
        agents,
        measures: list(row, 5)?,
        seed: row.get::<_, i64>(6)? as u64,
        deal: row.get::<_, u64>(7)?.max(1),
        games: row.get(8)?,
    })
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("what the store keeps is made of text, numbers and lists")
}

/// The numbers of each measure; what JSON has as nothing is no number.
fn measured(text: &str) -> Result<Vec<Vec<f64>>, serde_json::Error> {
    let lists: Vec<Vec<Option<f64>>> = serde_json::from_str(text)?;
    let number = |x: Option<f64>| x.unwrap_or(f64::NAN);
    Ok(lists.into_iter().map(|list| list.into_iter().map(number).collect()).collect())
}

fn spaced<T: std::fmt::Display>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(T::to_string).collect();
    items.join(" ")
}

fn list<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<Vec<T>> {
    let text = row.get_ref(column)?.as_str().map_err(|e| wrong(column, e))?;
    serde_json::from_str(text).map_err(|e| wrong(column, e))
}

fn reason(row: &Row<'_>, column: usize) -> rusqlite::Result<EndReason> {
    let text = row.get_ref(column)?.as_str().map_err(|e| wrong(column, e))?;
    EndReason::named(text).ok_or_else(|| wrong(column, Error::input(format!("{text:?} is no end of a game"))))
}

fn wrong(column: usize, error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
}
