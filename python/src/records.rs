//! Records of games: those of the store, and whether a record replays.

use crate::errors::raised;
use crate::lab::store_path;
use crate::table::Table;
use pyo3::prelude::*;
use ranka_core::{Error, Record};
use ranka_lab::Store;
use ranka_lab::export::GameRows;
use serde_json::json;
use std::path::PathBuf;

/// The pairings that the store has, as JSON.
#[pyfunction]
pub(crate) fn stored_pairings(store: Option<PathBuf>) -> PyResult<Vec<String>> {
    let read = || -> Result<_, Error> { Store::open_or_read(&store_path(store)?)?.pairings() };
    let told = |pairing: &ranka_lab::StoredPairing| {
        json!({
            "identity": pairing.identity, "game": pairing.game, "rules": pairing.rules, "agents": pairing.agents,
            "versions": pairing.versions, "seed": pairing.seed, "games": pairing.games,
        })
        .to_string()
    };
    Ok(read().map_err(raised)?.iter().map(told).collect())
}

/// The games of a pairing, whose identity begins like this: records as JSON, and as a table.
#[pyfunction]
pub(crate) fn stored_records(store: Option<PathBuf>, identity: &str) -> PyResult<(Vec<String>, Table)> {
    let read = || -> Result<_, Error> {
        let store = Store::open_or_read(&store_path(store)?)?;
        let pairing = store.find(identity)?;
        let results = store.results(pairing.key, u64::from(u32::MAX))?;
        let mut lines = Vec::new();
        for game in &results {
            let record = store.record(pairing.key, game.number)?;
            lines.extend(
                record.map(|record| serde_json::to_string(&record).expect("a record is text and numbers")),
            );
        }
        Ok((lines, Table::of(&[GameRows::stored(&pairing, &results)?])?))
    };
    read().map_err(raised)
}

/// Replays a record, given as JSON, or says where it goes wrong.
#[pyfunction]
pub(crate) fn verify_record(line: &str) -> PyResult<()> {
    let verify = || {
        let record: Record = serde_json::from_str(line).map_err(|e| Error::input(format!("record: {e}")))?;
        ranka_games::game(&record.game)?.open(&record.rules)?.replay(&record)
    };
    verify().map_err(raised)
}
