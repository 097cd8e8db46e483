//! What the arena keeps: games in progress, and the last report of each experiment.

use super::{Store, json, wrong};
use ranka_core::Error;
use rusqlite::{OptionalExtension, Row, params};

/// A game at a table, as far as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptTable {
    /// Its name.
    pub id: String,
    /// How it began: who plays what, in the arena's own words.
    pub opening: String,
    /// Every action, separated by spaces.
    pub actions: String,
    /// How it ended, in the arena's own words, once it has.
    pub ending: Option<String>,
    /// What is kept beside the actions, in the arena's own words.
    pub aside: String,
    /// When it changed last, in seconds since 1970.
    pub changed: i64,
}

/// The last report of an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptReport {
    /// The experiment, as `PAPER/EXPERIMENT`.
    pub experiment: String,
    /// How much was played.
    pub size: String,
    /// How many rows agree, differ, and have too few games.
    pub verdicts: Vec<usize>,
    /// When it was made, in seconds since 1970.
    pub made: i64,
    /// The page; empty in lists.
    pub page: String,
}

impl Store {
    /// Keeps a game as it is now.
    pub fn keep_table(&self, table: &KeptTable) -> Result<(), Error> {
        let sql = "INSERT INTO tables (id, opening, actions, ending, aside, changed) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                   ON CONFLICT (id) DO UPDATE SET actions = ?3, ending = ?4, aside = ?5, changed = ?6";
        let KeptTable { id, opening, actions, ending, aside, changed } = table;
        self.told(|db| db.prepare_cached(sql)?.execute(params![id, opening, actions, ending, aside, changed]))
            .map(|_| ())
    }

    /// The game called `id`.
    pub fn table(&self, id: &str) -> Result<Option<KeptTable>, Error> {
        let sql = "SELECT id, opening, actions, ending, aside, changed FROM tables WHERE id = ?1";
        self.told(|db| db.prepare_cached(sql)?.query_row([id], table).optional())
    }

    /// The games that changed last: of one game, if one is named, and after the first `from`.
    pub fn tables(&self, game: Option<&str>, from: u64, most: usize) -> Result<Vec<KeptTable>, Error> {
        let sql = "SELECT id, opening, actions, ending, aside, changed FROM tables
                   WHERE ?1 IS NULL OR CASE WHEN json_valid(opening) THEN json_extract(opening, '$.game') END = ?1
                   ORDER BY changed DESC, id LIMIT ?2 OFFSET ?3";
        let wanted = params![game, most as i64, from as i64];
        self.told(|db| db.prepare_cached(sql)?.query_map(wanted, table)?.collect())
    }

    /// Keeps a report in the place of an older one.
    pub fn keep_report(&self, report: &KeptReport) -> Result<(), Error> {
        let sql = "INSERT OR REPLACE INTO reports (experiment, size, verdicts, made, page) VALUES (?1, ?2, ?3, ?4, ?5)";
        let KeptReport { experiment, size, verdicts, made, page } = report;
        self.told(|db| db.execute(sql, params![experiment, size, json(verdicts), made, page])).map(|_| ())
    }

    /// The last report of an experiment.
    pub fn report(&self, experiment: &str) -> Result<Option<KeptReport>, Error> {
        let sql = "SELECT experiment, size, verdicts, made, page FROM reports WHERE experiment = ?1";
        self.told(|db| db.query_row(sql, [experiment], report).optional())
    }

    /// All reports without their pages.
    pub fn reports(&self) -> Result<Vec<KeptReport>, Error> {
        let sql = "SELECT experiment, size, verdicts, made, '' FROM reports ORDER BY experiment";
        self.told(|db| db.prepare_cached(sql)?.query_map([], report)?.collect())
    }
}

fn table(row: &Row<'_>) -> rusqlite::Result<KeptTable> {
    let (id, opening, actions) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(KeptTable { id, opening, actions, ending: row.get(3)?, aside: row.get(4)?, changed: row.get(5)? })
}

fn report(row: &Row<'_>) -> rusqlite::Result<KeptReport> {
    let verdicts = row.get_ref(2)?.as_str().map_err(|e| wrong(2, e))?;
    Ok(KeptReport {
        experiment: row.get(0)?,
        size: row.get(1)?,
        verdicts: serde_json::from_str(verdicts).map_err(|e| wrong(2, e))?,
        made: row.get(3)?,
        page: row.get(4)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_reports_come_back_as_they_were_kept_last() {
        let store = Store::in_memory().unwrap();
        let mut kept = KeptTable {
            id: "a".to_owned(),
            opening: "{}".to_owned(),
            actions: String::new(),
            ending: None,
            aside: "{}".to_owned(),
            changed: 1,
        };
        store.keep_table(&kept).unwrap();
        kept.actions = "3 4".to_owned();
        kept.changed = 2;
        store.keep_table(&kept).unwrap();
        assert_eq!(store.table("a").unwrap(), Some(kept.clone()));
        assert_eq!(store.table("b").unwrap(), None);
        store.keep_table(&KeptTable { id: "b".to_owned(), changed: 3, ..kept.clone() }).unwrap();
        let order: Vec<String> =
            store.tables(None, 0, 9).unwrap().into_iter().map(|table| table.id).collect();
        assert_eq!(order, ["b", "a"]);
        assert_eq!(store.tables(None, 1, 9).unwrap().len(), 1);
        assert_eq!(store.tables(Some("kalah"), 0, 9).unwrap(), []);
        let opening = "{\"game\":\"kalah\"}".to_owned();
        store.keep_table(&KeptTable { id: "c".to_owned(), opening, ..kept.clone() }).unwrap();
        assert_eq!(store.tables(Some("kalah"), 0, 9).unwrap().len(), 1);

        let report = KeptReport {
            experiment: "kalah/table-1".to_owned(),
            size: "quick".to_owned(),
            verdicts: vec![3, 0, 1],
            made: 7,
            page: "<p>".to_owned(),
        };
        store.keep_report(&report).unwrap();
        assert_eq!(store.report("kalah/table-1").unwrap(), Some(report.clone()));
        assert_eq!(store.reports().unwrap(), [KeptReport { page: String::new(), ..report }]);
    }
}
