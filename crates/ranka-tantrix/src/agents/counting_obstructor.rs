//! `counting-obstructor`: the combination that the paper proposes for future work. An end in a space that no tile
//! to come can fill counts as obstructed, and is worth something by itself.

use super::evaluation::Evaluation;
use super::tree::Plan;
use super::{darwin, options};
use crate::Tantrix;
use ranka_core::AgentKind;

pub(super) fn kind() -> AgentKind<Tantrix> {
    AgentKind {
        name: "counting-obstructor",
        version: 1,
        summary: "Plays as obstructor, and counts which spaces no tile to come can fill.",
        params: darwin::params(&options::joined(&[&options::OBSTRUCTION, &options::COUNTING])),
        build: |_, params| {
            let mut obstruction = options::obstruction(params)?;
            obstruction.reading.count_dead = true;
            let counting = Some(params.real("count-weight"));
            let evaluation =
                Evaluation { obstruction: Some(obstruction), counting, ..options::evaluation(params) };
            Ok(Plan::averaging(params, evaluation).maker())
        },
    }
}
