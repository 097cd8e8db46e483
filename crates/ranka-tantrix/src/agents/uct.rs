//! `uct`: a tree with upper confidence bounds and uniformly random playouts.

use super::options;
use super::tree::Plan;
use crate::Tantrix;
use ranka_core::AgentKind;

pub(super) fn kind() -> AgentKind<Tantrix> {
    AgentKind {
        name: "uct",
        version: 1,
        summary: "Searches a tree with upper confidence bounds and random playouts.",
        params: options::joined(&[&options::PLAYOUTS, &options::TREE, &options::CLOSING]),
        build: |_, params| Ok(Plan::uniform(params, options::evaluation(params)).maker()),
    }
}
