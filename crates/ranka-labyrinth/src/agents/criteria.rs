//! The five criteria of the thesis. A criterion is only a value of a position at the end of an own turn.

use super::alone::{Pushed, Scene, Setting};
use crate::maze::Cell;
use crate::tile::{Direction, Openings, Shape};
use ranka_core::Seat;

/// How good it is to end a turn somewhere.
pub(crate) trait Criterion: Copy + Send + Sync + 'static {
    /// The agent's name.
    const NAME: &'static str;
    /// What it does, in a sentence.
    const SUMMARY: &'static str;
    /// A value above this ends the search.
    const THRESHOLD: &'static str;
    /// Whether [`Prospect::lead`] and [`Prospect::homecomings`] matter.
    const COUNTS: bool;

    /// The value.
    fn value(at: &Prospect) -> i32;
}

/// What the thesis's formulas speak of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prospect {
    /// Whether one stands on the target.
    pub(super) arrived: bool,
    /// Steps along rows and columns from the target, walls or not.
    pub(super) d: i32,
    /// 1 if the target's tile is shut on all sides that face the pawn.
    pub(super) w: i32,
    /// 1 on a cell that never moves.
    pub(super) s: i32,
    /// 1 on a cell that moves along one line only.
    pub(super) u: i32,
    /// Tiles in own reach whose cards lie face down somewhere, less those in the others' reach.
    pub(super) lead: i32,
    /// How many others need only go home, and can.
    pub(super) homecomings: i32,
}

/// The distance to a target that lies beside the board; in the thesis the largest there is.
const FAR: i32 = 15;

/// Treasure-count inference.
#[derive(Clone, Copy)]
pub(super) struct Inference;

impl Criterion for Inference {
    const NAME: &'static str = "inference";
    const SUMMARY: &'static str =
        "Counts the unfound treasures in its own reach against those in the others'.";
    const THRESHOLD: &'static str = "23";
    const COUNTS: bool = true;

    fn value(at: &Prospect) -> i32 {
        25 * i32::from(at.arrived) + at.lead - 25 * at.homecomings
    }
}

/// Travel distance.
#[derive(Clone, Copy)]
pub(crate) struct Distance;

impl Criterion for Distance {
    const NAME: &'static str = "distance";
    const SUMMARY: &'static str = "Goes where the target is near and not walled off.";
    const THRESHOLD: &'static str = "14";
    const COUNTS: bool = false;

    fn value(at: &Prospect) -> i32 {
        15 - at.d - 2 * at.w
    }
}

/// Static tile priority.
#[derive(Clone, Copy)]
pub(crate) struct Static;

impl Criterion for Static {
    const NAME: &'static str = "static";
    const SUMMARY: &'static str = "Distance, with a preference for tiles that never move.";
    const THRESHOLD: &'static str = "145";
    const COUNTS: bool = false;

    fn value(at: &Prospect) -> i32 {
        150 - 10 * at.d - 20 * at.w + 5 * at.s
    }
}

/// Inference and static tile priority together.
#[derive(Clone, Copy)]
pub(super) struct Hybrid;

impl Criterion for Hybrid {
    const NAME: &'static str = "hybrid";
    const SUMMARY: &'static str = "Inference and static tile priority added up.";
    const THRESHOLD: &'static str = "145";
    const COUNTS: bool = true;

    fn value(at: &Prospect) -> i32 {
        10 * at.lead + Static::value(at)
    }
}

/// Slide direction.
#[derive(Clone, Copy)]
pub(crate) struct Slide;

impl Criterion for Slide {
    const NAME: &'static str = "slide";
    const SUMMARY: &'static str = "Distance, with a preference for tiles that move along few lines.";
    const THRESHOLD: &'static str = "290";
    const COUNTS: bool = false;

    fn value(at: &Prospect) -> i32 {
        300 - 20 * at.d - 40 * at.w + 10 * at.s + 5 * at.u
    }
}

/// What all cells that can be reached after one push share.
pub(super) struct Outlook {
    target: Option<(Cell, Openings)>,
    lead: i32,
    homecomings: i32,
}

impl Outlook {
    /// The outlook of `setting`'s seat; `stale` is the position before the push, for those who look the target up
    /// there.
    pub(super) fn new<C: Criterion>(setting: &Setting, pushed: &Pushed, stale: Option<&Scene>) -> Outlook {
        let target = match stale {
            Some(before) => before.target.map(|cell| (cell, before.openings(cell))),
            None => pushed.target.map(|cell| (cell, pushed.openings(cell))),
        };
        let mut outlook = Outlook { target, lead: 0, homecomings: 0 };
        if C::COUNTS {
            let count = |seat: Seat| (pushed.reach(seat) & pushed.unfound).count_ones() as i32;
            outlook.lead = count(setting.seat);
            for other in &setting.others {
                outlook.lead -= count(other.seat);
                let arrives = other.homeward.is_some_and(|home| pushed.reach(other.seat) & home.bit() != 0);
                outlook.homecomings += i32::from(arrives);
            }
        }
        outlook
    }

    /// How it looks on a cell.
    #[inline]
    pub(super) fn at(&self, cell: Cell) -> Prospect {
        let (d, w) = self.target.map_or((FAR, 0), |(target, openings)| distance(target, openings, cell));
        Prospect {
            arrived: d == 0,
            d,
            w,
            s: i32::from(cell.is_static()),
            u: i32::from(cell.is_two_way()),
            lead: self.lead,
            homecomings: self.homecomings,
        }
    }
}

/// The distance from a target to a cell, and 1 if the target's own tile is open to none of the sides on which the
/// cell lies.
#[inline]
fn distance(target: Cell, openings: Openings, cell: Cell) -> (i32, i32) {
    let dx = cell.x() as i32 - target.x() as i32;
    let dy = cell.y() as i32 - target.y() as i32;
    let open = (dx == 0 && dy == 0)
        || dx > 0 && openings.has(Direction::Right)
        || dx < 0 && openings.has(Direction::Left)
        || dy > 0 && openings.has(Direction::Down)
        || dy < 0 && openings.has(Direction::Up);
    (dx.abs() + dy.abs(), i32::from(!open))
}

/// The value of a cell in the thesis's example: the target in the middle of the board, open to the left and below.
pub(crate) fn example_value<C: Criterion>(cell: Cell) -> i32 {
    let target = Some((Cell::at(3, 3), Shape::L.openings(2)));
    C::value(&Outlook { target, lead: 0, homecomings: 0 }.at(cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heat<C: Criterion>() -> Vec<i32> {
        Cell::all().map(example_value::<C>).collect()
    }

    // Figures 3.4 to 3.6 of the thesis.

    #[test]
    fn distances_are_the_printed_ones() {
        #[rustfmt::skip]
        let printed = [
             9, 10, 11, 10,  9,  8,  7,
            10, 11, 12, 11, 10,  9,  8,
            11, 12, 13, 12, 11, 10,  9,
            12, 13, 14, 15, 12, 11, 10,
            11, 12, 13, 14, 13, 12, 11,
            10, 11, 12, 13, 12, 11, 10,
             9, 10, 11, 12, 11, 10,  9,
        ];
        assert_eq!(heat::<Distance>(), printed);
    }

    #[test]
    fn static_values_are_the_printed_ones() {
        #[rustfmt::skip]
        let printed = [
             95, 100, 115, 100,  95,  80,  75,
            100, 110, 120, 110, 100,  90,  80,
            115, 120, 135, 120, 115, 100,  95,
            120, 130, 140, 150, 120, 110, 100,
            115, 120, 135, 140, 135, 120, 115,
            100, 110, 120, 130, 120, 110, 100,
             95, 100, 115, 120, 115, 100,  95,
        ];
        assert_eq!(heat::<Static>(), printed);
    }

    #[test]
    fn slide_values_are_the_printed_ones() {
        #[rustfmt::skip]
        let printed = [
            190, 205, 230, 205, 190, 165, 150,
            205, 220, 245, 220, 205, 180, 165,
            230, 245, 270, 245, 230, 205, 190,
            245, 260, 285, 300, 245, 220, 205,
            230, 245, 270, 285, 270, 245, 230,
            205, 220, 245, 260, 245, 220, 205,
            190, 205, 230, 245, 230, 205, 190,
        ];
        assert_eq!(heat::<Slide>(), printed);
    }

    /// With the default threshold only the target ends the search, and the target always does.
    #[test]
    fn only_the_target_exceeds_the_threshold() {
        fn check<C: Criterion>() {
            let threshold: i32 = C::THRESHOLD.parse().unwrap();
            for target in Cell::all() {
                for (shape, rotation) in [(Shape::I, 0), (Shape::L, 3), (Shape::T, 1)] {
                    let target = Some((target, shape.openings(rotation)));
                    let outlook = Outlook { target, lead: 0, homecomings: 0 };
                    for cell in Cell::all() {
                        let at = outlook.at(cell);
                        assert_eq!(C::value(&at) > threshold, at.arrived);
                    }
                }
            }
            let beside = Outlook { target: None, lead: 0, homecomings: 0 };
            assert!(Cell::all().all(|cell| C::value(&beside.at(cell)) <= 10));
        }
        check::<Inference>();
        check::<Distance>();
        check::<Static>();
        check::<Slide>();
    }
}
