//! What can be measured in a game of Geister: how the ghosts of each colour are moved, and which are taken.

use crate::Geister;
use crate::action::Action;
use crate::duel::WIN;
use crate::square::{Bits, Square, neighbours};
use crate::state::State;
use ranka_core::{Actor, Decision, FinishedGame, Measure, Measured, Per, Position as _, Seat};

/// What a step does to the ghost that takes it, as the paper's table 5 counts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// It had no enemy beside it and has one.
    Approach,
    /// It had one and has none.
    Flight,
}

impl Manner {
    /// The manner of a step onto an empty square; nothing if the ghost is as near to enemies as before.
    fn of(from: Square, to: Square, enemies: Bits) -> Option<Manner> {
        let beside = |square: Square| neighbours(square.bit()) & enemies != 0;
        match (beside(from), beside(to)) {
            (false, true) => Some(Manner::Approach),
            (true, false) => Some(Manner::Flight),
            _ => None,
        }
    }
}

/// Whether the agent took its position for lost: what is done then tells nothing of its habits.
fn despairs(decision: &Decision) -> bool {
    decision.value.is_some_and(|value| value < -f64::from(WIN) / 2.0)
}

/// The steps onto empty squares that `seat` took in this manner with ghosts of this colour, in positions that it
/// took for lost or in all others.
fn steps(finished: &FinishedGame<'_, Geister>, seat: Seat, manner: Manner, red: bool, lost: bool) -> f64 {
    let mut count = 0;
    let mut state = finished.played.start;
    for (&action, decision) in finished.played.actions.iter().zip(finished.decisions) {
        if state.actor() == Actor::Seat(seat)
            && let Action::Step { from, to } = action
        {
            let enemies = state.open.ghosts[seat.other().index()];
            let is_red = state.reds[seat.index()] & from.bit() != 0;
            let counts = enemies & to.bit() == 0 && is_red == red && despairs(decision) == lost;
            count += u32::from(counts && Manner::of(from, to, enemies) == Some(manner));
        }
        state.apply(action);
    }
    f64::from(count)
}

/// How many ghosts of this colour `seat` has taken from the other.
fn taken(last: &State, seat: Seat, red: bool) -> f64 {
    f64::from(last.open.captured.count(seat.other(), red))
}

impl Measured for Geister {
    fn measures() -> Vec<Measure<Geister>> {
        use Manner::{Approach, Flight};
        vec![
            Measure {
                name: "approach-red",
                help: "steps that bring a red ghost beside an enemy, unless it takes one or all seems lost",
                per: Per::Seat,
                take: |finished| finished.by_seat(|seat| steps(finished, seat, Approach, true, false)),
            },
            Measure {
                name: "approach-blue",
                help: "the same of blue ghosts",
                per: Per::Seat,
                take: |finished| finished.by_seat(|seat| steps(finished, seat, Approach, false, false)),
            },
            Measure {
                name: "flee-red",
                help: "steps that take a red ghost away from all enemies beside it, unless all seems lost",
                per: Per::Seat,
                take: |finished| finished.by_seat(|seat| steps(finished, seat, Flight, true, false)),
            },
            Measure {
                name: "flee-blue",
                help: "the same of blue ghosts",
                per: Per::Seat,
                take: |finished| finished.by_seat(|seat| steps(finished, seat, Flight, false, false)),
            },
            Measure {
                name: "lost-approach-red",
                help: "approaches of red ghosts in positions that the seat's search takes for lost",
                per: Per::Seat,
                take: |finished| finished.by_seat(|seat| steps(finished, seat, Approach, true, true)),
            },
            Measure {
                name: "lost-approach-blue",
                help: "the same of blue ghosts",
                per: Per::Seat,
                take: |finished| finished.by_seat(|seat| steps(finished, seat, Approach, false, true)),
            },
            Measure {
                name: "taken-red",
                help: "red ghosts of the other that the seat took",
                per: Per::Seat,
                take: |finished| finished.by_seat(|seat| taken(&finished.played.last, seat, true)),
            },
            Measure {
                name: "taken-blue",
                help: "blue ghosts of the other that the seat took",
                per: Per::Seat,
                take: |finished| finished.by_seat(|seat| taken(&finished.played.last, seat, false)),
            },
        ]
    }
}
