//! Records as logs of the Geister competitions' server.

use ranka_bots::geister::read_log;
use ranka_core::{Error, Record, SMALL_FILE, read_bytes};
use std::path::Path;

/// The game of a log.
pub(super) fn read(path: &Path) -> Result<Record, Error> {
    let bytes = read_bytes(path, SMALL_FILE)?;
    // Whatever a client has sent is in it.
    read_log(&String::from_utf8_lossy(&bytes)).map_err(|e| e.in_file(path))
}
