//! What a database's refusal means.

use ranka_core::Error;
use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked, NotADatabase};
use std::path::Path;

/// Why the database does not do what it is asked for.
pub(super) fn refuse(path: &Path, error: &rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(DatabaseBusy | DatabaseLocked) => {
            Error::busy(format!("the store: another program is writing into it: {error}")).in_file(path)
        }
        Some(NotADatabase) => Error::input("it is no store of Ranka").in_file(path),
        _ => {
            // SQLite names a file that it cannot open, and the path is told apart from the message.
            let why = error.to_string();
            let why = why.strip_suffix(&format!(": {}", path.display())).unwrap_or(&why);
            Error::storage(path, format_args!("the store: {why}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Store;
    use ranka_core::ErrorKind;
    use rusqlite::Connection;
    use std::time::Duration;

    #[test]
    fn a_store_that_another_program_writes_is_busy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.sqlite");
        let mut store = Store::open(&path).unwrap();
        store.connection.busy_timeout(Duration::from_millis(10)).unwrap();
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let refused = store.import(&[]).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Busy, "{refused}");
        assert!(!refused.public().contains("store.sqlite"), "{refused}");
        other.execute_batch("COMMIT").unwrap();
        store.import(&[]).unwrap();
    }

    #[test]
    fn what_cannot_be_opened_is_told_with_its_path_once_and_without_it_to_visitors() {
        let folder = tempfile::tempdir().unwrap();
        // A folder is no file.
        let refused = Store::open(folder.path()).err().unwrap();
        assert_eq!(refused.kind(), ErrorKind::Storage, "{refused}");
        let path = folder.path().display().to_string();
        assert_eq!(refused.to_string().matches(&path).count(), 1, "{refused}");
        assert!(!refused.public().contains(&path), "{refused}");
    }

    #[test]
    fn what_is_no_store_is_bad_input() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        std::fs::write(&path, "no database, but a text that is long enough to be looked at. ".repeat(20))
            .unwrap();
        assert_eq!(Store::open(&path).err().unwrap().kind(), ErrorKind::Input);
    }
}
