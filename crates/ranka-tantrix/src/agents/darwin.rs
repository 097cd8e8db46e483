//! `darwin`: our reconstruction of a tree search whose playouts follow move averages and whose values are the
//! arctan of the final difference. What is not published is a parameter.

use super::options;
use super::tree::Plan;
use crate::Tantrix;
use ranka_core::{AgentKind, Param};

pub(super) fn kind() -> AgentKind<Tantrix> {
    AgentKind {
        name: "darwin",
        version: 1,
        summary: "Searches a tree with playouts by move averages (a reconstruction, not the original).",
        params: params(&[]),
        build: |_, params| Ok(Plan::averaging(params, options::evaluation(params)).maker()),
    }
}

/// The parameters of this agent, with more for one that builds on it.
pub(super) fn params(more: &[Param]) -> Vec<Param> {
    options::joined(&[&options::PLAYOUTS, &options::TREE, &options::MAST, more, &options::CLOSING])
}
