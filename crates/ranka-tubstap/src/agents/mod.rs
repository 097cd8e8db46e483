//! The agents, one file each.

mod champion;
mod standard;

mod pair;

mod dlmc;
mod uct;

pub(crate) use champion::{JudgedTree, Judging};
pub(crate) use uct::UnitTree;

use crate::Tubstap;
use ranka_core::{AgentKind, Roster};
use ranka_learn::{network_kind, with_onnx};
use ranka_levels::{Ladder, Levelled};
use ranka_search::agents::with_generic;
use std::sync::LazyLock;

impl Roster for Tubstap {
    fn agents() -> Vec<AgentKind<Tubstap>> {
        with_generic(with_onnx(vec![
            standard::kind(),
            pair::kind(),
            dlmc::kind(),
            uct::kind(),
            uct::kind_fpu(),
            champion::kind(),
            network_kind(),
            ranka_levels::level(),
            ranka_levels::partner(),
        ]))
    }
}

impl Levelled for Tubstap {
    fn ladder() -> &'static Ladder {
        static LADDER: LazyLock<Ladder> =
            LazyLock::new(|| Ladder::shipped(include_str!("../../levels.toml")));
        &LADDER
    }
}
