//! `small-loop`: early in the game, closes small loops in the opponent's colour, so that their links are lost for
//! long lines.

use super::evaluation::Evaluation;
use super::tree::Plan;
use super::{darwin, options};
use crate::Tantrix;
use ranka_core::AgentKind;

pub(super) fn kind() -> AgentKind<Tantrix> {
    AgentKind {
        name: "small-loop",
        version: 1,
        summary: "Plays as darwin, and early on closes small loops in the opponent's colour.",
        params: darwin::params(&options::SMALL_LOOP),
        build: |_, params| {
            let evaluation =
                Evaluation { small_loop: Some(options::small_loop(params)), ..options::evaluation(params) };
            Ok(Plan::averaging(params, evaluation).maker())
        },
    }
}
