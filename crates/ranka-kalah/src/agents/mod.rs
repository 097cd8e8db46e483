//! The agents, one file each.

mod champion;
mod explain;
mod knowledge;
mod minimax;
mod perfect;
mod q_player;
mod select_q;
mod strong;

use crate::Kalah;
use ranka_core::{AgentKind, Roster};
use ranka_learn::{network_kind, with_onnx};
use ranka_levels::{Ladder, Levelled};
use ranka_search::agents::with_generic;
use std::sync::LazyLock;

impl Roster for Kalah {
    fn agents() -> Vec<AgentKind<Kalah>> {
        with_generic(with_onnx(vec![
            minimax::kind(),
            q_player::max_kind(),
            q_player::min_kind(),
            select_q::kind(),
            strong::kind(),
            perfect::kind(),
            champion::kind(),
            network_kind(),
            ranka_levels::level(),
            ranka_levels::partner(),
        ]))
    }
}

impl Levelled for Kalah {
    fn ladder() -> &'static Ladder {
        static LADDER: LazyLock<Ladder> =
            LazyLock::new(|| Ladder::shipped(include_str!("../../levels.toml")));
        &LADDER
    }
}
