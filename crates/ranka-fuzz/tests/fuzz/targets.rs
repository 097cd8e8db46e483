//! Everything that reads what comes from outside.

pub(crate) mod arena;
pub(crate) mod files;
pub(crate) mod games;
pub(crate) mod panics;
pub(crate) mod protocols;

use ranka_bots::fuzz::Target;

pub(crate) fn all() -> Vec<Target> {
    [protocols::targets(), games::targets(), files::targets(), arena::targets()]
        .into_iter()
        .flatten()
        .collect()
}
