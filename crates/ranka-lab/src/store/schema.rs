//! The store's tables, and how an older store becomes a newer one.

use super::refusal::refuse;
use ranka_core::Error;
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// Each brings a store from the version of its place to the next. Never change one that was released: add another.
const STEPS: &[&str] = &[
    // 1: pairings and their games.
    "CREATE TABLE pairings (
        id       INTEGER PRIMARY KEY,
        identity TEXT NOT NULL UNIQUE,
        game     TEXT NOT NULL,
        version  INTEGER NOT NULL,
        rules    TEXT NOT NULL,
        agents   TEXT NOT NULL,
        seating  TEXT NOT NULL,
        deal     INTEGER NOT NULL, -- how many games share one
        seed     INTEGER NOT NULL,
        budget   TEXT,
        measures TEXT NOT NULL,
        start    TEXT NOT NULL
    );
    CREATE TABLE builds (
        id       INTEGER PRIMARY KEY,
        digest   TEXT NOT NULL UNIQUE,
        version  TEXT NOT NULL
    );
    CREATE TABLE games (
        pairing  INTEGER NOT NULL REFERENCES pairings (id) ON DELETE CASCADE,
        number   INTEGER NOT NULL,
        build    INTEGER NOT NULL REFERENCES builds (id),
        seats    TEXT NOT NULL,
        scores   TEXT NOT NULL,
        plies    INTEGER NOT NULL,
        reason   TEXT NOT NULL,
        blame    INTEGER,
        detail   TEXT,
        measured TEXT,
        start    TEXT,
        actions  TEXT NOT NULL,
        PRIMARY KEY (pairing, number)
    ) WITHOUT ROWID;",
    // 2: games that came from elsewhere.
    "CREATE TABLE records (
        id       INTEGER PRIMARY KEY,
        digest   TEXT NOT NULL UNIQUE,
        game     TEXT NOT NULL,
        record   TEXT NOT NULL
    );",
    // 3: what people think of actions.
    "CREATE TABLE labels (
        id         INTEGER PRIMARY KEY,
        game       TEXT NOT NULL,
        collection TEXT NOT NULL,
        rules      TEXT NOT NULL,
        position   TEXT NOT NULL,
        action     TEXT NOT NULL,
        label      TEXT NOT NULL
    );
    CREATE INDEX labels_of_a_collection ON labels (game, collection);",
    // 4: games in progress at the arena's tables, and the last report of each experiment.
    "CREATE TABLE tables (
        id       TEXT PRIMARY KEY,
        opening  TEXT NOT NULL,
        actions  TEXT NOT NULL,
        ending   TEXT,
        aside    TEXT NOT NULL,
        changed  INTEGER NOT NULL -- seconds since 1970
    ) WITHOUT ROWID;
    CREATE INDEX tables_by_change ON tables (changed);
    CREATE TABLE reports (
        experiment TEXT PRIMARY KEY,
        size       TEXT NOT NULL,
        verdicts   TEXT NOT NULL,
        made       INTEGER NOT NULL,
        page       TEXT NOT NULL
    ) WITHOUT ROWID;",
    // 5: versions of agents, the limits of a pairing, and what was answered where that was not legal. What was kept before
    // is of the first version of its agents, whose identity is that of their family.
    "ALTER TABLE pairings ADD COLUMN family TEXT NOT NULL DEFAULT '';
    UPDATE pairings SET family = identity;
    ALTER TABLE pairings ADD COLUMN versions TEXT NOT NULL DEFAULT '[]'; -- none: all of the first
    ALTER TABLE pairings ADD COLUMN ply_cap INTEGER;
    ALTER TABLE pairings ADD COLUMN move_limit INTEGER; -- milliseconds
    CREATE INDEX pairings_of_a_family ON pairings (family);
    ALTER TABLE games ADD COLUMN answer TEXT;",
    // 6: reports from before reference figures named their origin called all of them published. Their games are there, and
    // reporting them again takes a moment.
    "DELETE FROM reports WHERE page LIKE '%published%';",
    // 7: when a game was kept, in milliseconds since 1970; not known of those that were kept before.
    "ALTER TABLE games ADD COLUMN kept INTEGER;",
];

/// What this program writes.
pub(super) const VERSION: usize = STEPS.len();

/// Marks a file as a store of ours: "爛柯" has no ASCII, so "RNKA".
const APPLICATION: i32 = 0x524e_4b41;

/// Why a file is not taken as a store.
pub(super) enum Refused {
    NotAStore,
    Newer(usize),
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for Refused {
    fn from(error: rusqlite::Error) -> Refused {
        Refused::Database(error)
    }
}

/// Makes the tables of a new store, and brings an older one up to date.
pub(super) fn prepare(connection: &mut Connection) -> Result<(), Refused> {
    upgrade(connection, VERSION)
}

impl Refused {
    /// What is told of the file.
    pub(super) fn told(self, path: &Path) -> Error {
        match self {
            Refused::NotAStore => Error::input("it is a database, but no store of Ranka").in_file(path),
            Refused::Newer(version) => Error::input(format!(
                "the store is of version {version}, and this program knows up to {VERSION}: use a newer ranka"
            ))
            .in_file(path),
            Refused::Database(e) => refuse(path, &e),
        }
    }
}

/// The version of a store that is there.
pub(super) fn version(connection: &Connection) -> Result<usize, Refused> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (version, application) = (number("user_version")?, number("application_id")?);
    if application != APPLICATION {
        return Err(Refused::NotAStore);
    }
    let version = usize::try_from(version).map_err(|_| Refused::NotAStore)?;
    if version > VERSION { Err(Refused::Newer(version)) } else { Ok(version) }
}

fn upgrade(connection: &mut Connection, to: usize) -> Result<(), Refused> {
    // Two programs may open a new store at once: the second waits here and then finds it done.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let new: i32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let version = if tables == 0 && new == 0 { 0 } else { version(&transaction)? };
    for step in &STEPS[version..to.max(version)] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", to.max(version) as i32)?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    Ok(transaction.commit()?)
}

/// An old store, for tests.
#[cfg(test)]
pub(super) fn prepare_version(connection: &mut Connection, version: usize) {
    assert!(upgrade(connection, version).is_ok());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    #[test]
    fn an_older_store_is_brought_up_to_date_and_keeps_its_games() {
        let folder = tempfile::tempdir().unwrap();
        for version in 1..VERSION {
            let path = folder.path().join(format!("{version}.sqlite"));
            let mut old = Connection::open(&path).unwrap();
            prepare_version(&mut old, version);
            // Later columns have defaults.
            let row = r#"INSERT INTO pairings (id, identity, game, version, rules, agents, seating, deal, seed, budget, measures, start)
                       VALUES (1, 'abc', 'kalah', 1, '', '["a", "b"]', 'fixed', 1, 1, NULL, '[]', '');
                       INSERT INTO builds VALUES (1, 'b', '0');
                       INSERT INTO games (pairing, number, build, seats, scores, plies, reason, blame, detail, measured, start, actions)
                       VALUES (1, 0, 1, '0 1', '1 0', 9, 'rules', NULL, NULL, NULL, NULL, '1');"#;
            old.execute_batch(row).unwrap();
            drop(old);
            let store = Store::open(&path).unwrap();
            let found = store.find("abc").unwrap();
            assert_eq!(found.games, 1);
            let record = store.record(found.key, 0).unwrap().unwrap();
            assert_eq!((record.versions, record.ply_cap), (vec![1, 1], None));
            assert!(store.imported().unwrap().is_empty());
            assert!(store.labels("tubstap", "mine").unwrap().is_empty());
        }
    }
}
