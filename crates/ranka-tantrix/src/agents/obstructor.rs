//! `obstructor`: the paper's proposal. While the opponent's longest line is not obstructed by a controlled side,
//! the final difference counts for less.

use super::evaluation::Evaluation;
use super::tree::Plan;
use super::{darwin, options};
use crate::Tantrix;
use ranka_core::AgentKind;

pub(super) fn kind() -> AgentKind<Tantrix> {
    AgentKind {
        name: "obstructor",
        version: 1,
        summary: "Plays as darwin, and wants the opponent's longest line to end at controlled sides.",
        params: darwin::params(&options::OBSTRUCTION),
        build: |_, params| {
            let evaluation = Evaluation {
                obstruction: Some(options::obstruction(params)?),
                ..options::evaluation(params)
            };
            Ok(Plan::averaging(params, evaluation).maker())
        },
    }
}
