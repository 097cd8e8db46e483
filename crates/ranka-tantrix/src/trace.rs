//! Lines as people follow them: tile by tile.

use crate::hex::{Hex, opposite};
use crate::state::State;
use crate::tiles::{Colour, Tile};
use std::collections::{BTreeMap, BTreeSet};

/// A line with the tiles it runs through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Its tiles' places, from one end to the other.
    pub cells: Vec<Hex>,
    /// Whether it is closed.
    pub looped: bool,
}

impl Trace {
    /// What it scores.
    pub fn points(&self) -> i32 {
        self.cells.len() as i32 * if self.looped { 2 } else { 1 }
    }
}

/// All lines of a colour.
pub fn trace(state: &State, colour: Colour) -> Vec<Trace> {
    let placed = state.played().iter().filter_map(|action| action.placement());
    trace_tiles(&placed.map(|p| (p.at, (p.tile, p.rotation))).collect(), colour)
}

pub(crate) fn trace_tiles(tiles: &BTreeMap<Hex, (Tile, u8)>, colour: Colour) -> Vec<Trace> {
    let mut seen = BTreeSet::new();
    let mut traces = Vec::new();
    for (&start, &(tile, rotation)) in tiles {
        let mut sides = (0..6).filter(|&side| tile.colour(rotation, side) == colour);
        let (Some(one), Some(two)) = (sides.next(), sides.next()) else { continue };
        if !seen.insert(start) {
            continue;
        }
        let mut cells = follow(tiles, colour, start, one);
        let looped = cells.last() == Some(&start);
        if looped {
            cells.pop();
        }
        cells.reverse();
        cells.push(start);
        if !looped {
            cells.extend(follow(tiles, colour, start, two));
        }
        seen.extend(&cells);
        traces.push(Trace { cells, looped });
    }
    traces
}

/// The tiles beyond a side of a tile, up to the line's end or back to where it began.
fn follow(tiles: &BTreeMap<Hex, (Tile, u8)>, colour: Colour, start: Hex, first: usize) -> Vec<Hex> {
    let (mut at, mut side, mut cells) = (start, first, Vec::new());
    while let Some(&(tile, rotation)) = tiles.get(&at.step(side)) {
        at = at.step(side);
        cells.push(at);
        if at == start {
            break;
        }
        let entered = opposite(side);
        let leaves = |&side: &usize| side != entered && tile.colour(rotation, side) == colour;
        side = (0..6).find(leaves).expect("a colour has two edges");
    }
    cells
}
