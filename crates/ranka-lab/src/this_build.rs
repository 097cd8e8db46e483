//! What tells this program from one that was built from other sources.

use ranka_core::digest;
use std::path::PathBuf;
use std::sync::{LazyLock, OnceLock};

static LIBRARY: OnceLock<PathBuf> = OnceLock::new();

static THIS_BUILD: LazyLock<String> = LazyLock::new(|| {
    let program = LIBRARY.get().map_or_else(std::env::current_exe, |library| Ok(library.clone()));
    program.and_then(std::fs::read).map_or_else(|_| "unknown".to_owned(), |program| digest(&program))
});

/// Says that the laboratory is a library in this file, and the program that runs is somebody else's. The first call
/// counts, and only before anybody asked for the build.
pub fn built_into(library: PathBuf) {
    LIBRARY.get_or_init(|| library);
}

/// The digest of the file that this laboratory was built into.
pub fn this_build() -> &'static str {
    &THIS_BUILD
}
