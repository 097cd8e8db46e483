//! `saboteur`: the original program's spoiler. It never looks at its own card.

use super::alone::{Entries, Turn, scene};
use super::turns::{Effort, Plan, Planner, Turns};
use crate::maze::Cell;
use crate::{Labyrinth, View};
use ranka_core::{AgentKind, Fault, Param, Params, Rng, Seat, Seed};
use std::sync::Arc;

pub(super) fn kind() -> AgentKind<Labyrinth> {
    AgentKind {
        name: "saboteur",
        version: 1,
        summary: "Shuts the others in: 10 for sharing a cell with one, less factor for each cell that they can reach.",
        params: vec![
            Param::int(
                "factor",
                0,
                100,
                "2",
                "the price of a reachable cell: 2 in the source, 1 in the thesis",
            ),
            Param::choice(
                "entries",
                &["source8", "legal"],
                "the source's too narrow list of entries, or all",
            ),
        ],
        build: |_, params| {
            let saboteur = Saboteur::new(params);
            Ok(Arc::new(move |seat: Seat, seed: Seed| Turns::new(saboteur, seat, seed)))
        },
    }
}

#[derive(Clone, Copy)]
struct Saboteur {
    factor: i32,
    entries: Entries,
}

impl Saboteur {
    fn new(params: &Params) -> Saboteur {
        Saboteur { factor: params.int("factor") as i32, entries: Entries::named(params.text("entries")) }
    }
}

/// What it is worth to stand where another one stands.
const COMPANY: i32 = 10;

impl Planner for Saboteur {
    fn plan(&mut self, view: &View, _effort: &Effort<'_>, _rng: Rng) -> Result<Plan, Fault> {
        let (setting, root) = scene(view);
        let mut best: Option<(Turn, i32)> = None;
        let mut pushes = Vec::new();
        for pushed in root.pushes(&setting, self.entries, false) {
            let room: u32 = setting.others.iter().map(|other| pushed.reach(other.seat).count_ones()).sum();
            let occupied = |cell: Cell| setting.others.iter().any(|o| pushed.pawns[o.seat.index()] == cell);
            let walk = pushed.walk(setting.seat);
            let company = walk.iter().copied().find(|&cell| occupied(cell));
            let bonus = if company.is_some() { COMPANY } else { 0 };
            let value = bonus - self.factor * room as i32;
            if best.is_none_or(|(_, highest)| value > highest) {
                best = Some((Turn { push: pushed.push, cell: company.unwrap_or(walk[0]) }, value));
            }
            pushes.extend(pushed.push.map(|push| (push, value)));
        }
        let (turn, value) = best.expect("there is always a push");
        Ok(Plan { turns: vec![turn], value: Some(value), pushes, nodes: 1 })
    }
}
