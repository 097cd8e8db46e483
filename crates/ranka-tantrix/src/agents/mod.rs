//! The agents, one file each.

mod random;

use crate::Tantrix;
use ranka_core::{AgentKind, Roster};

impl Roster for Tantrix {
    fn agents() -> Vec<AgentKind<Tantrix>> {
        vec![random::kind()]
    }
}
