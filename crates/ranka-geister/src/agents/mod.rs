//! The agents, one file each, and what they share.

mod forced_win;
mod player;
mod search;
mod watch;

mod champion;
mod naotti;
mod puct;
mod purple_dfpn;
mod purple_max;
mod purple_suspicion;
mod random;
mod rush;
mod suspicion;

use crate::Geister;
use ranka_core::{AgentKind, Roster};
use ranka_learn::{network_kind, with_onnx};
use ranka_levels::{Ladder, Levelled};
use ranka_search::agents::with_generic;
use std::sync::LazyLock;

impl Roster for Geister {
    fn agents() -> Vec<AgentKind<Geister>> {
        with_generic(with_onnx(vec![
            random::kind(),
            rush::blue(),
            rush::red(),
            purple_dfpn::kind(),
            naotti::version_1_0(),
            naotti::version_1_1(),
            purple_max::kind(),
            suspicion::kind(),
            purple_suspicion::kind(),
            puct::kind(),
            champion::kind(),
            network_kind(),
            ranka_levels::level(),
            ranka_levels::partner(),
        ]))
    }
}

impl Levelled for Geister {
    fn ladder() -> &'static Ladder {
        static LADDER: LazyLock<Ladder> =
            LazyLock::new(|| Ladder::shipped(include_str!("../../levels.toml")));
        &LADDER
    }
}
