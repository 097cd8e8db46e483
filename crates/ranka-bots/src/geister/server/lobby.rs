//! Who waits for whom.

use super::seats::TableCell;
use ranka_core::Seat;
use std::collections::VecDeque;
use std::sync::Arc;

/// The tables at which somebody waits.
#[derive(Default)]
pub(super) struct Lobby {
    /// Tables that lack their first or their second player, the longest waiting first.
    lacking: [VecDeque<Arc<TableCell>>; 2],
    /// How many tables there have been.
    opened: u64,
}

impl Lobby {
    /// A chair for `seat`: at the table that has waited longest, or at a new one. Nothing if of all tables,
    /// `closed` are closed and `most` may be open at a time.
    pub(super) fn find(
        &mut self,
        seat: Seat,
        closed: u64,
        most: u64,
        open: impl FnOnce(u64) -> TableCell,
    ) -> Option<Arc<TableCell>> {
        while let Some(table) = self.lacking[seat.index()].pop_front() {
            if table.expect_another() {
                return Some(table);
            }
        }
        if self.opened - closed >= most {
            return None;
        }
        self.opened += 1;
        let table = Arc::new(open(self.opened));
        let lacking = &mut self.lacking[seat.other().index()];
        lacking.retain(|table| !table.is_abandoned());
        lacking.push_back(table.clone());
        Some(table)
    }
}
