//! `counting-obstructor`: the combination that the paper proposes for future work. An end in a space that no tile
//! to come can fill counts as obstructed, and is worth something by itself.

use super::judge::Judge;
use super::tree::Plan;
use super::{darwin, options};
use crate::Tantrix;
use ranka_core::AgentKind;

pub(super) fn kind() -> AgentKind<Tantrix> {
    AgentKind {
        name: "counting-obstructor",
        summary: "Plays as obstructor, and counts which spaces no tile to come can fill.",
        params: darwin::params(&options::joined(&[&options::OBSTRUCTION, &options::COUNTING])),
        build: |_, params| {
            let mut obstruction = options::obstruction(params)?;
            obstruction.reading.count_dead = true;
            let counting = Some(params.real("count-weight"));
            let judge = Judge { obstruction: Some(obstruction), counting, ..options::judge(params) };
            Ok(Plan::averaging(params, judge).maker())
        },
    }
}
