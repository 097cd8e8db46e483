//! The agents, one file each.

mod random;

use crate::Kalah;
use ranka_core::{AgentKind, Roster};

impl Roster for Kalah {
    fn agents() -> Vec<AgentKind<Kalah>> {
        vec![random::kind()]
    }
}
