//! The agents, one file each.

mod champion;
mod knowledge;
mod minimax;
mod perfect;
mod q_player;
mod select_q;
mod strong;

use crate::Kalah;
use ranka_core::{AgentKind, Roster};
use ranka_search::agents::with_generic;

impl Roster for Kalah {
    fn agents() -> Vec<AgentKind<Kalah>> {
        with_generic(vec![
            minimax::kind(),
            q_player::max_kind(),
            q_player::min_kind(),
            select_q::kind(),
            strong::kind(),
            perfect::kind(),
            champion::kind(),
        ])
    }
}
