//! What can be measured in a game of Tantrix. Flags are 0 or 1 by ply and seat, so that figures can count them within any plies.

use crate::Tantrix;
use crate::agents::paper_curves;
use crate::log::{longest, obstructed};
use crate::state::Phase;
use ranka_core::{Actor, ComputedTable, FinishedGame, Measure, Measured, Per, Position, Seat};

pub use crate::log::{LineLog, PlyLog, SeatLog, log};

/// What the laboratory needs of one ply: far less than a log, since it is taken of thousands of games.
struct Step {
    mover: Seat,
    seats: Vec<SeatStep>,
}

struct SeatStep {
    longest: usize,
    points: i32,
    obstructed: u8,
    /// Whether its longest line has grown, in tiles and in points.
    grew: [bool; 2],
}

/// The unit in which a longest line grows.
const TILES: usize = 0;
const POINTS: usize = 1;

impl Step {
    fn all(finished: &FinishedGame<'_, Tantrix>) -> Vec<Step> {
        let mut state = finished.played.start.clone();
        let mut before = vec![(0, 0); state.seats()];
        let mut steps = Vec::new();
        for &action in &finished.played.actions {
            let actor = state.actor();
            state.apply(action);
            let Actor::Seat(mover) = actor else { continue };
            let seats = Seat::all(state.seats()).zip(&mut before).map(|(seat, before)| {
                let (longest, points) = (longest(&state, seat), state.score(seat));
                let grew = [longest > before.0, points > before.1];
                *before = (longest, points);
                SeatStep { longest, points, obstructed: obstructed(&state, seat).unwrap_or(0), grew }
            });
            steps.push(Step { mover, seats: seats.collect() });
        }
        steps
    }

    fn of(&self, seat: Seat) -> &SeatStep {
        &self.seats[seat.index()]
    }

    /// Who grew: 0 nobody, 1 who placed the tile, 2 somebody else, 3 both.
    fn growth(&self, unit: usize) -> u8 {
        let other = Seat::all(self.seats.len()).any(|seat| seat != self.mover && self.of(seat).grew[unit]);
        u8::from(self.of(self.mover).grew[unit]) + 2 * u8::from(other)
    }
}

fn by_ply(finished: &FinishedGame<'_, Tantrix>, number: impl Fn(&Step) -> f64) -> Vec<f64> {
    Step::all(finished).iter().map(number).collect()
}

fn by_ply_and_seat(finished: &FinishedGame<'_, Tantrix>, number: impl Fn(&Step, Seat) -> f64) -> Vec<f64> {
    let steps = Step::all(finished);
    steps.iter().flat_map(|step| Seat::all(step.seats.len()).map(|seat| number(step, seat))).collect()
}

fn yes(yes: bool) -> f64 {
    f64::from(u8::from(yes))
}

fn any_grew(step: &Step, unit: usize) -> f64 {
    yes(step.growth(unit) > 0)
}

fn grew(step: &Step, seat: Seat, unit: usize) -> f64 {
    yes(step.of(seat).grew[unit])
}

fn own_growth(step: &Step, seat: Seat, unit: usize) -> f64 {
    yes(step.mover == seat && step.growth(unit) > 0)
}

fn own_grew(step: &Step, seat: Seat, unit: usize) -> f64 {
    yes(step.mover == seat && step.of(seat).grew[unit])
}

impl Measured for Tantrix {
    fn measures() -> Vec<Measure<Tantrix>> {
        let measure = |name, help, per, take| Measure { name, help, per, take };
        vec![
            measure("final-points", "the seat's score at the end", Per::Seat, |finished| {
                finished.by_seat(|seat| f64::from(finished.played.last.score(seat)))
            }),
            measure("margin", "the seat's score at the end less the best other", Per::Seat, |finished| {
                finished.by_seat(|seat| f64::from(finished.played.last.margin(seat)))
            }),
            measure("forced-plies", "plies that filled a forced space", Per::Seat, |finished| {
                let mut forced = vec![0.0; finished.seats()];
                let mut state = finished.played.start.clone();
                for &action in &finished.played.actions {
                    if let (Actor::Seat(seat), Phase::Forced) = (state.actor(), state.phase()) {
                        forced[seat.index()] += 1.0;
                    }
                    state.apply(action);
                }
                forced
            }),
            measure(
                "obstructed-plies",
                "plies 10 to 45 with an obstructed end of the seat's longest line",
                Per::Seat,
                |finished| {
                    let steps = Step::all(finished);
                    let middle = || steps.iter().take(45).skip(9);
                    let count =
                        |seat: Seat| middle().filter(|step| step.seats[seat.index()].obstructed > 0).count();
                    finished.by_seat(|seat| count(seat) as f64)
                },
            ),
            measure("longest", "tiles of the seat's longest line", Per::PlySeat, |finished| {
                by_ply_and_seat(finished, |step, seat| step.of(seat).longest as f64)
            }),
            measure("points", "the seat's score so far", Per::PlySeat, |finished| {
                by_ply_and_seat(finished, |step, seat| f64::from(step.of(seat).points))
            }),
            measure(
                "obstructed",
                "obstructed ends of the seat's longest line: 0, 1 or 2",
                Per::PlySeat,
                |finished| by_ply_and_seat(finished, |step, seat| f64::from(step.of(seat).obstructed)),
            ),
            measure(
                "obstructed-any",
                "1 if an end of the seat's longest line is obstructed, else 0",
                Per::PlySeat,
                |finished| by_ply_and_seat(finished, |step, seat| yes(step.of(seat).obstructed > 0)),
            ),
            measure("obstructed-both", "1 if both ends of it are, else 0", Per::PlySeat, |finished| {
                by_ply_and_seat(finished, |step, seat| yes(step.of(seat).obstructed > 1))
            }),
            measure(
                "growth",
                "whose longest line grew: 0 nobody's, 1 the mover's, 2 another's, 3 both",
                Per::Ply,
                |finished| by_ply(finished, |step| f64::from(step.growth(TILES))),
            ),
            measure(
                "growth-of-mover",
                "the same at the plies of the seat that moved",
                Per::PlySeat,
                |finished| {
                    let of = |step: &Step, seat: Seat| {
                        if step.mover == seat { f64::from(step.growth(TILES)) } else { f64::NAN }
                    };
                    by_ply_and_seat(finished, of)
                },
            ),
            measure("placed", "1 if the seat placed the tile, else 0", Per::PlySeat, |finished| {
                by_ply_and_seat(finished, |step, seat| yes(step.mover == seat))
            }),
            measure("any-grew", "1 if any longest line grew, else 0", Per::Ply, |finished| {
                by_ply(finished, |step| any_grew(step, TILES))
            }),
            measure("grew", "1 if the seat's longest line grew, else 0", Per::PlySeat, |finished| {
                by_ply_and_seat(finished, |step, seat| grew(step, seat, TILES))
            }),
            measure(
                "own-growth",
                "1 if the seat placed the tile and any longest line grew, else 0",
                Per::PlySeat,
                |finished| by_ply_and_seat(finished, |step, seat| own_growth(step, seat, TILES)),
            ),
            measure(
                "own-grew",
                "1 if the seat placed the tile and its longest line grew, else 0",
                Per::PlySeat,
                |finished| by_ply_and_seat(finished, |step, seat| own_grew(step, seat, TILES)),
            ),
            measure("any-grew-points", "as any-grew, by points", Per::Ply, |finished| {
                by_ply(finished, |step| any_grew(step, POINTS))
            }),
            measure("grew-points", "as grew, by points", Per::PlySeat, |finished| {
                by_ply_and_seat(finished, |step, seat| grew(step, seat, POINTS))
            }),
            measure("own-growth-points", "as own-growth, by points", Per::PlySeat, |finished| {
                by_ply_and_seat(finished, |step, seat| own_growth(step, seat, POINTS))
            }),
            measure("own-grew-points", "as own-grew, by points", Per::PlySeat, |finished| {
                by_ply_and_seat(finished, |step, seat| own_grew(step, seat, POINTS))
            }),
        ]
    }

    fn computed_tables() -> Vec<ComputedTable<Tantrix>> {
        vec![ComputedTable {
            name: "evaluation",
            help: "what a final difference of −20 to 20 points is worth by the equations (1), (2) and (3)",
            compute: |_| paper_curves(),
        }]
    }
}
