//! What can be measured in a game of TUBSTAP. A ply is one unit action, so the first side's first turn are the first plies.

use crate::Tubstap;
use crate::kinds::Team;
use ranka_core::{Decision, Measure, Measured, Per};

impl Measured for Tubstap {
    fn measures() -> Vec<Measure<Tubstap>> {
        let measure = |name, help, per, take| Measure { name, help, per, take };
        vec![
            measure("hp", "HP that the seat has left", Per::Seat, |finished| {
                finished.by_seat(|seat| f64::from(finished.played.last.hp(Team::of(seat))))
            }),
            measure("margin", "HP left less the other's", Per::Seat, |finished| {
                let hp = |team: Team| f64::from(finished.played.last.hp(team));
                finished.by_seat(|seat| hp(Team::of(seat)) - hp(Team::of(seat).other()))
            }),
            measure("units", "units that the seat has left", Per::Seat, |finished| {
                let of = |team| finished.played.last.units().filter(move |unit| unit.team == team).count();
                finished.by_seat(|seat| of(Team::of(seat)) as f64)
            }),
            measure("turns", "half-turns that were played", Per::Game, |finished| {
                vec![f64::from(finished.played.last.turn())]
            }),
            measure(
                "wiped-out",
                "1 if a side had no unit left, 0 if the turn limit came first",
                Per::Game,
                |finished| {
                    let hp = |team: Team| finished.played.last.hp(team);
                    vec![f64::from(u8::from(hp(Team::Red) == 0 || hp(Team::Blue) == 0))]
                },
            ),
            measure(
                "tree-depth",
                "how deep the deepest node lies from which the seat's search chose an action, the root being 0",
                Per::PlySeat,
                |finished| finished.by_mover(tree_depth),
            ),
            measure(
                "deepest",
                "the largest tree-depth of any of the seat's decisions",
                Per::Seat,
                |finished| {
                    let of = |seat| finished.decisions.iter().filter(move |decision| decision.seat == seat);
                    finished.by_seat(|seat| of(seat).map(tree_depth).fold(0.0, f64::max))
                },
            ),
        ]
    }
}

/// The depth of a tree as the author's code counts it: not how many actions the longest way down has, but where its last one
/// was chosen.
fn tree_depth(decision: &Decision) -> f64 {
    f64::from(decision.depth.saturating_sub(1))
}
