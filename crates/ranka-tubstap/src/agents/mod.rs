//! The agents, one file each.

mod pair;
mod random;
mod standard;

use crate::Tubstap;
use ranka_core::{AgentKind, Roster};

impl Roster for Tubstap {
    fn agents() -> Vec<AgentKind<Tubstap>> {
        vec![random::kind(), standard::kind(), pair::kind()]
    }
}
