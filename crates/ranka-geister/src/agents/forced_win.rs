//! The look for a forced win with purple pieces: a win that df-pn finds holds against every colouring.

use super::player::{Considered, limits, thought};
use crate::action::Action;
use crate::duel::{Duel, LeafEvaluation, Purple, PurpleEvaluation, WIN};
use crate::view::View;
use ranka_core::{Fault, Thinking, Thought};
use ranka_search::{DfPn, Stop};

pub(super) struct ForcedWin {
    search: DfPn<Duel<Purple>, PurpleEvaluation>,
    depth: u32,
    nodes: u64,
}

impl ForcedWin {
    pub(super) fn new(depth: u32, nodes: u64) -> ForcedWin {
        let evaluation = PurpleEvaluation { leaf: LeafEvaluation::BluesAndDistance, static_exit: true };
        ForcedWin { search: DfPn::new(evaluation, nodes as usize), depth, nodes }
    }

    /// The quickest forced win, if there is one within reach, and how many positions it took to know.
    pub(super) fn look(
        &mut self,
        view: &View,
        thinking: &Thinking<'_, Action>,
    ) -> Result<(Option<Thought<Action>>, u64), Fault> {
        let mut limits = limits(thinking);
        limits.count = limits.count.min(self.nodes);
        let found = self.search.solve(&Duel::purple(view), 1..=self.depth, limits);
        if found.stopped == Some(Stop::Cancelled) {
            return Err(Fault::Cancelled);
        }
        let win = found.win.map(|(hop, depth)| {
            let win = Considered { hop, value: WIN - depth as i32, line: vec![hop] };
            thought(view, &[win], 0, found.nodes, depth)
        });
        Ok((win, found.nodes))
    }
}
