//! The agents, one file each.

mod knowledge;
mod minimax;
mod perfect;
mod q_player;
mod select_q;
mod strong;

use crate::Kalah;
use ranka_core::{AgentKind, Roster};

impl Roster for Kalah {
    fn agents() -> Vec<AgentKind<Kalah>> {
        vec![
            minimax::kind(),
            q_player::max_kind(),
            q_player::min_kind(),
            select_q::kind(),
            strong::kind(),
            perfect::kind(),
        ]
    }
}
