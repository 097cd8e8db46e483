//! EACP, "enumerate all colour placements": a step is worth what it is worth under the worst colouring of the
//! enemy's ghosts, each searched as if it were known.
//!
//! The flaw that the Purple Piece paper points out: after the step the search plays differently against each
//! colouring, although the player will not know which one is true.

use crate::duel::{Coloured, Duel, Hop, OWN, PurpleEvaluation, WIN, from_side};
use crate::view::View;
use ranka_core::Position;
use ranka_search::{AlphaBeta, DepthUnit, Limits, Transpositions};

/// Beyond every value.
const BEYOND: i32 = WIN + 1;

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// The exact value of every step.
    Values,
    /// Only the first best step; a step is given up as soon as one colouring makes it no better than the best
    /// so far.
    First,
    /// All steps that are best; a step is given up as soon as one colouring makes it worse than the best so far.
    AllBest,
}

/// A searcher that enumerates all colour placements.
pub struct Eacp {
    search: AlphaBeta<Duel<Coloured>, PurpleEvaluation>,
}

impl Eacp {
    /// A searcher with this evaluation and a table for so many positions.
    pub fn new(evaluation: PurpleEvaluation, entries: usize) -> Eacp {
        let table = Transpositions::with_entries(entries);
        Eacp { search: AlphaBeta::new(evaluation, DepthUnit::Action, table) }
    }

    /// Positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.search.nodes()
    }

    /// Forgets earlier searches, so that the next one looks at the same positions whatever came before.
    pub fn forget(&mut self) {
        self.search.forget();
    }

    /// The steps that were asked for with their exact values, in the order of generation; `depth` counts the
    /// step itself. Nothing when the limits, in positions, are used up before.
    pub fn steps(
        &mut self,
        view: &View,
        depth: u32,
        ask: Ask,
        limits: Limits<'_>,
    ) -> Option<Vec<(Hop, i32)>> {
        let begun = self.nodes();
        let mut worlds: Vec<Duel<Coloured>> = (view.colourings().into_iter())
            .map(|reds| Duel::coloured(view, from_side(reds, view.seat)))
            .collect();
        let mut hops = Vec::new();
        worlds[0].actions(&mut hops);
        let mut found: Vec<(Hop, i32)> = Vec::with_capacity(hops.len());
        let mut best = -BEYOND;
        for hop in hops {
            // A step that is worth this or less does not matter.
            let floor = match ask {
                Ask::Values => -BEYOND,
                Ask::First => best,
                Ask::AllBest => best - 1,
            };
            let mut worst = BEYOND;
            for i in 0..worlds.len() {
                let mut world = worlds[i];
                world.apply(hop);
                let limits = Limits { count: limits.count.saturating_sub(self.nodes() - begun), ..limits };
                let value = self.search.value_between(&world, OWN, (depth - 1, 1), (floor, worst), limits)?;
                worst = worst.min(value);
                if worst <= floor {
                    // What refutes this step may well refute the next.
                    worlds[..=i].rotate_right(1);
                    break;
                }
            }
            if worst > floor {
                found.push((hop, worst));
                best = best.max(worst);
            }
        }
        if ask != Ask::Values {
            found.retain(|&(_, value)| value == best);
        }
        Some(found)
    }
}
