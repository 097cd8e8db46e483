//! A store where nothing can be written: a read-only medium, or somebody else's folder.

use super::refusal::refuse;
use super::schema::{self, VERSION};
use super::{PATIENCE, Store};
use crate::this_build;
use ranka_core::{Error, ErrorKind};
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

impl Store {
    /// Opens the store in this file. If it is there and cannot be written, it is left entirely alone and only read.
    pub fn open_or_read(path: &Path) -> Result<Store, Error> {
        match Store::open(path) {
            Err(error) if error.kind() == ErrorKind::Storage && path.is_file() => {
                // A store that could not be begun looks like a foreign file, which would hide why it could not.
                let first = |later: Error| if later.kind() == ErrorKind::Storage { later } else { error };
                Store::read_only(path).map_err(first)
            }
            opened => opened,
        }
    }

    /// Opens the store in this file without writing anything, neither into it nor beside it.
    pub fn read_only(path: &Path) -> Result<Store, Error> {
        let place = |e: rusqlite::Error| refuse(path, &e);
        let mut journal = OsString::from(path);
        journal.push("-wal");
        let settled = std::fs::metadata(PathBuf::from(journal)).map_or(true, |journal| journal.len() == 0);
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        // A journal with games in it must be read too, for which SQLite needs a file beside it. Without one, nothing can
        // change under us, and saying so spares that file.
        let connection = if settled {
            Connection::open_with_flags(format!("file:{}?immutable=1", encoded(path)), flags)
        } else {
            Connection::open_with_flags(path, flags)
        };
        let connection = connection.map_err(place)?;
        connection.busy_timeout(PATIENCE).map_err(place)?;
        let version = schema::version(&connection).map_err(|refused| refused.told(path))?;
        if version < VERSION {
            return Err(Error::storage(
                path,
                format!(
                    "the store is of version {version} and must be brought to {VERSION}, but it cannot be written here: open a copy"
                ),
            ));
        }
        let sql = "SELECT id FROM builds WHERE digest = ?1";
        let build = connection.query_row(sql, [this_build()], |row| row.get(0)).optional().map_err(place)?;
        Ok(Store { connection, path: path.to_owned(), build: build.unwrap_or(-1), read_only: true })
    }
}

impl Store {
    /// Whether nothing can be written.
    pub const fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// An error if so many games are to be played that could not be kept: better now than when they are played.
    pub(crate) fn can_keep(&self, missing: u64) -> Result<(), Error> {
        if !self.read_only || missing == 0 {
            return Ok(());
        }
        let (games, they) = if missing == 1 { ("game is", "it") } else { ("games are", "they") };
        let why =
            format!("{missing} {games} missing, and {they} could not be kept: the store cannot be written");
        Err(Error::storage(&self.path, why))
    }
}

/// A path as it stands in a URI.
fn encoded(path: &Path) -> String {
    let mut out = String::new();
    for &byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            out.push(byte as char);
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameLimits, Pairing, Seating, Shard};
    use ranka_core::Seed;
    use std::sync::atomic::AtomicBool;

    fn pairing(seed: u64) -> Pairing {
        let game = ranka_games::game("kalah").unwrap().open("houses=3,seeds=2").unwrap();
        let agents = vec![game.agent("random").unwrap(); 2];
        Pairing::new(game, agents, Seating::Swapped, Seed::new(seed), GameLimits::default(), &[]).unwrap()
    }

    #[test]
    fn it_is_read_without_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a store? 100 %.sqlite");
        let (known, unknown) = (pairing(1), pairing(2));
        let mut store = Store::open(&path).unwrap();
        let key = store.key(&known).unwrap();
        let games = Shard { pairing: &known, first: 0, count: 6 }.run(&AtomicBool::new(false));
        store.add(games.iter().map(|(number, game)| (key, *number, game))).unwrap();
        drop(store); // its journal goes with the last who has it open
        let before = std::fs::read(&path).unwrap();

        let mut store = Store::read_only(&path).unwrap();
        assert_eq!(store.results(store.key(&known).unwrap(), 10).unwrap().len(), 6);
        assert_eq!(store.record(key, 3).unwrap().unwrap(), games[3].1.record);
        let nowhere = store.key(&unknown).unwrap();
        assert!(store.results(nowhere, 10).unwrap().is_empty());
        assert_eq!(store.pairings().unwrap().len(), 1);
        let refused = store.add(games.iter().map(|(number, game)| (key, *number, game))).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Storage, "{refused}");
        drop(store);
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing lies beside it");
    }

    #[test]
    fn games_in_the_journal_are_read_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.sqlite");
        let pairing = pairing(1);
        let mut open = Store::open(&path).unwrap();
        let key = open.key(&pairing).unwrap();
        let games = Shard { pairing: &pairing, first: 0, count: 4 }.run(&AtomicBool::new(false));
        open.add(games.iter().map(|(number, game)| (key, *number, game))).unwrap();
        assert_eq!(Store::read_only(&path).unwrap().results(key, 10).unwrap().len(), 4);
    }

    #[test]
    fn an_older_store_is_not_misread() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.sqlite");
        schema::prepare_version(&mut Connection::open(&path).unwrap(), 3);
        let refused = Store::read_only(&path).err().unwrap();
        assert!(
            refused.to_string().contains("the store is of version 3 and must be brought to"),
            "{refused}"
        );
        assert_eq!(refused.kind(), ErrorKind::Storage);
    }
}
