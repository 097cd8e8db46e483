//! Files and sockets denied by the kernel, where namespaces are not to be had.

use super::Cell;
use super::launcher::{DEVICES, SYSTEM, told};
use landlock::{
    ABI, Access as _, AccessFs, AccessNet, RestrictionStatus, Ruleset, RulesetAttr as _,
    RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use std::path::{Path, PathBuf};

/// What newer kernels can do is asked for, and what this one cannot is left out: files it must be able to protect.
const WANTED: ABI = ABI::V6;

/// Answers whether all that was wanted holds: then signals reach nobody outside either.
pub(super) fn restrict(cell: &Cell) -> Result<bool, String> {
    let status = rules(cell).map_err(told("Landlock"))?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err("Landlock: this kernel has it not".to_owned()),
        RulesetStatus::PartiallyEnforced => Ok(false),
        RulesetStatus::FullyEnforced => Ok(true),
    }
}

fn rules(cell: &Cell) -> Result<RestrictionStatus, RulesetError> {
    let own = [cell.folder.as_path()];
    let readable: Vec<&Path> =
        SYSTEM.iter().map(Path::new).chain(own).chain(cell.fence.read.iter().map(PathBuf::as_path)).collect();
    Ruleset::default()
        .handle_access(AccessFs::from_all(WANTED))?
        .handle_access(AccessNet::from_all(WANTED))?
        .scope(Scope::from_all(WANTED))?
        .create()?
        .add_rules(path_beneath_rules(readable, AccessFs::from_read(WANTED)))?
        .add_rules(path_beneath_rules(DEVICES, AccessFs::ReadFile | AccessFs::WriteFile))?
        .restrict_self()
}
