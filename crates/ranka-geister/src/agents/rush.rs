//! `blue-rush` and `red-rush`: the foremost ghost of one colour runs ahead, whatever stands in its way.

use super::player::{Common, Mover, Player};
use crate::action::Action;
use crate::duel::{Duel, Hop, way_out};
use crate::rules::Geister;
use crate::view::View;
use ranka_core::{AgentKind, Fault, Position, Seat, Seed, Thinking, Thought};
use std::sync::Arc;

pub(super) fn blue() -> AgentKind<Geister> {
    AgentKind {
        name: "blue-rush",
        version: 1,
        summary: "The foremost blue ghost that can goes forward; at the far edge, towards an exit.",
        params: Common::params(Vec::new(), "0"),
        build: |_, params| {
            let common = Common::read(params)?;
            Ok(Arc::new(move |_: Seat, _: Seed| Player::new(common, Rush { red: false })))
        },
    }
}

pub(super) fn red() -> AgentKind<Geister> {
    AgentKind {
        name: "red-rush",
        version: 1,
        summary: "The foremost red ghost that can goes forward; blue ones move only when no red one can.",
        params: Common::params(Vec::new(), "0"),
        build: |_, params| {
            let common = Common::read(params)?;
            Ok(Arc::new(move |_: Seat, _: Seed| Player::new(common, Rush { red: true })))
        },
    }
}

struct Rush {
    red: bool,
}

impl Rush {
    /// The steps among which to draw, best kind first: forward with the foremost that can; nearer to an exit
    /// (blue ones only); anywhere with that colour; anywhere.
    fn kinds(&self, view: &View) -> [Vec<Hop>; 4] {
        let duel = Duel::purple(view);
        let runners = if self.red { duel.own().reds } else { duel.own().blues };
        let mut all = Vec::new();
        duel.actions(&mut all);
        let of = |wanted: &dyn Fn(&Hop) -> bool| all.iter().copied().filter(wanted).collect::<Vec<_>>();
        let runs = |hop: &Hop| runners & hop.from.bit() != 0;
        let forward = of(&|hop| runs(hop) && hop.to.row() < hop.from.row());
        let foremost = forward.iter().map(|hop| hop.from.row()).min();
        let nearer = |hop: &Hop| way_out(hop.to) < way_out(hop.from);
        [
            forward.iter().copied().filter(|hop| Some(hop.from.row()) == foremost).collect(),
            of(&|hop| runs(hop) && !self.red && nearer(hop)),
            of(&runs),
            all.clone(),
        ]
    }
}

impl Mover for Rush {
    fn choose(&mut self, view: &View, thinking: &mut Thinking<'_, Action>) -> Result<Thought<Action>, Fault> {
        let kinds = self.kinds(view);
        let best = kinds.iter().find(|hops| !hops.is_empty()).expect("there is always a step");
        Ok(Thought::plain(thinking.rng.pick(best).on_board(view.seat())))
    }
}
