//! The agents, one file each.

mod standard;

mod pair;

mod dlmc;
mod uct;

pub(crate) use uct::UnitTree;

use crate::Tubstap;
use ranka_core::{AgentKind, Roster};
use ranka_search::agents::with_generic;

impl Roster for Tubstap {
    fn agents() -> Vec<AgentKind<Tubstap>> {
        with_generic(vec![standard::kind(), pair::kind(), dlmc::kind(), uct::kind(), uct::kind_fpu()])
    }
}
