//! What the end of a playout is worth, and how the position from which it began shifts that.

use crate::counting::Count;
use crate::obstruction::Reading;
use crate::{Colour, State};
use ranka_core::{Position, Seat, Sheet};
use ranka_search::Values;
use std::f64::consts::PI;

/// What a final difference of scores is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Worth {
    /// ½ + arctan(slope · difference)/π: the paper's equation (1).
    Arctan {
        /// The slope, 0.1 in the paper.
        slope: f64,
    },
    /// 1 for a win, ½ for a draw, 0 for a loss.
    Outcome,
}

impl Worth {
    pub(crate) fn of(self, difference: f64) -> f64 {
        match self {
            Worth::Arctan { slope } => 0.5 + (difference * slope).atan() / PI,
            Worth::Outcome if difference == 0.0 => 0.5,
            Worth::Outcome => f64::from(u8::from(difference > 0.0)),
        }
    }
}

/// Which position is tested for obstruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tested {
    /// Where the tree ends and the playout begins.
    Leaf,
    /// The position that is thought about.
    Root,
    /// The position after the action that is considered.
    Child,
    /// Every position of the playout within the plies concerned; the mean counts.
    Playout,
}

/// The proposed evaluation: as long as the opponent's longest line is not obstructed, the difference counts for
/// less, by `middle` from ply `from` and by `late` from ply `turning` until ply `until`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Obstruction {
    pub(crate) reading: Reading,
    pub(crate) tested: Tested,
    /// Whether the ply number is that of the root, whatever position is tested.
    pub(crate) root_ply: bool,
    /// Whether only the searching player's values are shifted and the other's are not its complement.
    pub(crate) own_nodes: bool,
    pub(crate) from: usize,
    pub(crate) turning: usize,
    pub(crate) until: usize,
    pub(crate) middle: f64,
    pub(crate) late: f64,
}

impl Obstruction {
    fn penalty_at(&self, ply: usize) -> f64 {
        if !(self.from..=self.until).contains(&ply) {
            0.0
        } else if ply < self.turning {
            self.middle
        } else {
            self.late
        }
    }

    /// What the difference loses in a position.
    fn penalty(&self, state: &State, ply: usize, opponent: Colour) -> f64 {
        let penalty = self.penalty_at(ply);
        if penalty == 0.0 { 0.0 } else { penalty * self.reading.freedom(state, opponent) }
    }
}

/// Early in the game, closing small loops in the opponent's colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SmallLoop {
    /// Points for each of the opponent's tiles that is lost to longer lines.
    pub(crate) weight: f64,
    /// The most tiles of a small loop.
    pub(crate) most: usize,
    /// The last ply at which it counts.
    pub(crate) until: usize,
}

impl SmallLoop {
    /// The tiles of a colour in small loops, or in lines that one tile would close to such: both ends point into the
    /// same cell.
    fn lost_tiles(&self, state: &State, colour: Colour) -> u32 {
        let small = |length: u8, ends: Option<[_; 2]>| match ends {
            None => usize::from(length) <= self.most,
            Some([one, two]) => one == two && usize::from(length) < self.most,
        };
        let lines = state.board().ends(colour).filter(|&(length, ends)| small(length, ends));
        lines.map(|(length, _)| u32::from(length)).sum()
    }
}

/// How a searching seat judges: the worth of the final difference, shifted by what was seen on the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Evaluation {
    pub(crate) worth: Worth,
    pub(crate) obstruction: Option<Obstruction>,
    pub(crate) small_loop: Option<SmallLoop>,
    /// Points for each lost end of the opponent's best line, and against each of one's own.
    pub(crate) counting: Option<f64>,
}

impl Evaluation {
    /// The paper's equation (1) and nothing else.
    pub(crate) const PLAIN: Evaluation = Evaluation {
        worth: Worth::Arctan { slope: 0.1 },
        obstruction: None,
        small_loop: None,
        counting: None,
    };

    /// Whether it looks at positions on the way.
    pub(crate) fn shifts(&self) -> bool {
        self.obstruction.is_some() || self.small_loop.is_some() || self.counting.is_some()
    }

    /// Whether it looks at every position of a playout.
    pub(crate) fn watches_playouts(&self) -> bool {
        self.obstruction.is_some_and(|obstruction| obstruction.tested == Tested::Playout)
    }

    /// The values of a finished game for all seats; `me` searches, and `shift` is added to its difference.
    pub(crate) fn values(&self, end: &State, me: Seat, shift: f64) -> Values {
        let mut values = [0.0; 4];
        // A deadlock is a draw, whatever the lines are worth.
        let drawn = end.board().restricted();
        for seat in Seat::all(end.seats()) {
            let difference = if drawn { 0.0 } else { f64::from(end.margin(seat)) };
            let shift = if seat == me { shift } else { 0.0 };
            values[seat.index()] = self.worth.of(difference + shift);
        }
        let own_nodes = self.obstruction.is_some_and(|obstruction| obstruction.own_nodes);
        if end.seats() == 2 && !own_nodes {
            values[me.other().index()] = 1.0 - values[me.index()];
        }
        values
    }
}

/// Judging from one root: what is known of it, and what was seen since.
#[derive(Clone, Debug)]
pub(crate) struct Bench {
    pub(crate) evaluation: Evaluation,
    me: Seat,
    root_ply: usize,
    /// The penalty of the root, or of each of its children by the code of the action.
    root_penalty: f64,
    child_penalties: Vec<(u32, f64)>,
    shift: f64,
    /// Penalties seen in the playout so far.
    seen: (f64, u32),
}

impl Bench {
    pub(crate) fn new(evaluation: Evaluation) -> Bench {
        Bench {
            evaluation,
            me: Seat::FIRST,
            root_ply: 0,
            root_penalty: 0.0,
            child_penalties: Vec::new(),
            shift: 0.0,
            seen: (0.0, 0),
        }
    }

    /// Begins a search from `root` for the seat to act in it.
    pub(crate) fn begin(&mut self, root: &State) {
        self.me = root.mover();
        self.root_ply = root.plies();
        self.child_penalties.clear();
        let Some(obstruction) = self.evaluation.obstruction else { return };
        if obstruction.tested == Tested::Root {
            self.root_penalty = obstruction.penalty(root, root.plies(), opponent(root, self.me));
        }
        if obstruction.tested == Tested::Child {
            let mut actions = Vec::new();
            root.actions(&mut actions);
            for action in actions {
                let mut child = root.clone();
                child.apply(action);
                let ply = if obstruction.root_ply { root.plies() } else { child.plies() };
                let penalty = obstruction.penalty(&child, ply, opponent(&child, self.me));
                self.child_penalties.push((action.code(), penalty));
            }
        }
    }

    /// A playout begins here.
    pub(crate) fn leaf(&mut self, leaf: &State) {
        self.seen = (0.0, 0);
        self.shift = 0.0;
        if !self.evaluation.shifts() {
            return;
        }
        let opponent = opponent(leaf, self.me);
        if let Some(obstruction) = self.evaluation.obstruction {
            self.shift -= match obstruction.tested {
                Tested::Leaf => {
                    let ply = if obstruction.root_ply { self.root_ply } else { leaf.plies() };
                    obstruction.penalty(leaf, ply, opponent)
                }
                Tested::Root => self.root_penalty,
                Tested::Child => {
                    let first = leaf.played().get(self.root_ply).map(|action| action.code());
                    let child = self.child_penalties.iter().find(|(code, _)| Some(*code) == first);
                    child.map_or(0.0, |&(_, penalty)| penalty)
                }
                Tested::Playout => 0.0,
            };
        }
        if let Some(small_loop) = self.evaluation.small_loop
            && leaf.plies() <= small_loop.until
        {
            self.shift += small_loop.weight * f64::from(small_loop.lost_tiles(leaf, opponent));
        }
        if let Some(weight) = self.evaluation.counting {
            let count = Count::of(leaf);
            self.shift += weight * (count.lost_ends(opponent) - count.lost_ends(leaf.colour(self.me)));
        }
    }

    /// A position of the playout.
    pub(crate) fn pass(&mut self, state: &State) {
        if let Some(obstruction) = self.evaluation.obstruction
            && (obstruction.from..=obstruction.until).contains(&state.plies())
        {
            let ply = if obstruction.root_ply { self.root_ply } else { state.plies() };
            self.seen.0 += obstruction.penalty(state, ply, opponent(state, self.me));
            self.seen.1 += 1;
        }
    }

    /// The values of where the playout ended.
    pub(crate) fn values(&self, end: &State) -> Values {
        let (sum, count) = self.seen;
        let seen = if count > 0 { sum / f64::from(count) } else { 0.0 };
        self.evaluation.values(end, self.me, self.shift - seen)
    }
}

/// The paper's three evaluations of a final difference of −20 to 20 points.
pub(crate) fn paper_curves() -> Sheet {
    let obstruction = super::options::recommended_obstruction();
    let (from, turning, until) = (obstruction.from, obstruction.turning, obstruction.until);
    let columns = [
        "difference in points".to_owned(),
        "(1) obstructed, or any other ply".to_owned(),
        format!("(2) not obstructed, plies {from}–{}", turning - 1),
        format!("(3) not obstructed, plies {turning}–{until}"),
    ];
    let penalties = [0.0, obstruction.middle, obstruction.late];
    let worth = |difference: f64| penalties.map(|penalty| Evaluation::PLAIN.worth.of(difference - penalty));
    let row = |difference: i32| {
        let difference = f64::from(difference);
        std::iter::once(difference).chain(worth(difference)).collect()
    };
    Sheet { columns: columns.to_vec(), rows: (-20..=20).map(row).collect() }
}

/// The colour of the strongest opponent, the first of equals.
fn opponent(state: &State, me: Seat) -> Colour {
    let others = Seat::all(state.seats()).filter(|&seat| seat != me);
    let strongest =
        others.reduce(|best, next| if state.score(next) > state.score(best) { next } else { best });
    state.colour(strongest.expect("nobody plays alone"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_core::Notation as _;

    #[test]
    fn the_equations_give_the_published_values() {
        let worth = Worth::Arctan { slope: 0.1 };
        for (difference, values) in [
            (0.0, [0.5, 0.4372, 0.3280]),
            (5.0, [0.6476, 0.5928, 0.4683]),
            (10.0, [0.75, 0.7148, 0.6211]),
            (-5.0, [0.3524, 0.3056, 0.2349]),
        ] {
            for (penalty, value) in [0.0, 2.0, 6.0].into_iter().zip(values) {
                assert!((worth.of(difference - penalty) - value).abs() < 5e-5, "{difference} - {penalty}");
            }
        }
        assert_eq!([-3.0, 0.0, 0.5].map(|difference| Worth::Outcome.of(difference)), [0.0, 0.5, 1.0]);
    }

    #[test]
    fn only_small_loops_are_lost() {
        let board =
            "board=1@0,0/2;2@1,0/0;3@0,1/0 hands=4,5;6,7 bag=8 colours=R,Y mover=0 freed=0 phase=free";
        let state = crate::Tantrix::standard(2).read_state(board).expect("the smallest loop");
        let lost = |most| SmallLoop { weight: 1.0, most, until: 19 }.lost_tiles(&state, Colour::Yellow);
        assert_eq!([lost(2), lost(3), lost(6)], [0, 3, 3]);
        // Two of the three: one more tile at the cell that both ends point into would close a loop of three.
        let open = board.replace(";3@0,1/0", "").replace("bag=8", "bag=3,8");
        let state = crate::Tantrix::standard(2).read_state(&open).expect("two tiles of it");
        let lost = |most| SmallLoop { weight: 1.0, most, until: 19 }.lost_tiles(&state, Colour::Yellow);
        assert_eq!([lost(2), lost(3)], [0, 2]);
    }

    #[test]
    fn penalties_hold_in_their_plies() {
        let obstruction = crate::agents::options::recommended_obstruction();
        let at = [19, 20, 29, 30, 40, 41].map(|ply| obstruction.penalty_at(ply));
        assert_eq!(at, [0.0, 2.0, 2.0, 6.0, 6.0, 0.0]);
    }
}
