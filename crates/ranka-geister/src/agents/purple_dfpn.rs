//! `purple-dfpn`: plays a forced win when df-pn with purple pieces finds one, and anything otherwise.

use super::player::{Common, Player};
use crate::rules::Geister;
use ranka_core::Random;
use ranka_core::{AgentKind, Seat, Seed};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Geister> {
    AgentKind {
        name: "purple-dfpn",
        version: 1,
        summary: "Plays a forced win when df-pn with purple pieces finds one, else any step; every other agent \
                  can do the same first, with dfpn=9.",
        params: Common::params(Vec::new(), "9"),
        build: |_, params| {
            let common = Common::read(params)?;
            Ok(Arc::new(move |_: Seat, _: Seed| Player::new(common, Random)))
        },
    }
}
