//! `counting`: knows which spaces no tile to come can fill, and what ends of lines are worth nothing there.

use super::evaluation::Evaluation;
use super::tree::Plan;
use super::{darwin, options};
use crate::Tantrix;
use ranka_core::AgentKind;

pub(super) fn kind() -> AgentKind<Tantrix> {
    AgentKind {
        name: "counting",
        version: 1,
        summary: "Plays as darwin, and counts which spaces no tile to come can fill.",
        params: darwin::params(&options::COUNTING),
        build: |_, params| {
            let evaluation =
                Evaluation { counting: Some(params.real("count-weight")), ..options::evaluation(params) };
            Ok(Plan::averaging(params, evaluation).maker())
        },
    }
}
