//! The agents, one file each.

mod standard;

mod pair;

mod dlmc;
mod uct;

pub(crate) use uct::UnitTree;

use crate::Tubstap;
use ranka_core::{AgentKind, Roster};

impl Roster for Tubstap {
    fn agents() -> Vec<AgentKind<Tubstap>> {
        vec![standard::kind(), pair::kind(), dlmc::kind(), uct::kind(), uct::kind_fpu()]
    }
}
