//! What can be measured in a game of Labyrinth, and the thesis's maps of values.

use crate::Labyrinth;
use crate::action::Action;
use crate::agents::{Distance, Slide, Static, example_value};
use crate::maze::Cell;
use ranka_core::{ComputedTable, FinishedGame, Measure, Measured, Per, Seat, Sheet};

/// How many turns `seat` has taken; the two actions of a turn are one.
fn turns(finished: &FinishedGame<'_, Labyrinth>, seat: Seat) -> f64 {
    let pushes = finished.decisions.iter().zip(&finished.played.actions);
    let own = pushes.filter(|(decision, action)| decision.seat == seat && matches!(action, Action::Push(_)));
    own.count() as f64
}

/// The cards that `seat` has not found.
fn cards_left(finished: &FinishedGame<'_, Labyrinth>, seat: Seat) -> f64 {
    finished.played.last.cards().pile(seat).len() as f64
}

/// The values of an example, row by row of the board.
fn map(value: fn(Cell) -> i32) -> Sheet {
    let row = |y: usize| (0..7).map(|x| f64::from(value(Cell::at(x, y)))).collect();
    Sheet { columns: (0..7).map(|x| x.to_string()).collect(), rows: (0..7).map(row).collect() }
}

impl Measured for Labyrinth {
    fn measures() -> Vec<Measure<Labyrinth>> {
        vec![
            Measure {
                name: "rounds",
                help: "turns of the player that had most of them: the winner's own turns",
                per: Per::Game,
                take: |finished| {
                    let longest =
                        Seat::all(finished.seats()).map(|seat| turns(finished, seat)).fold(0.0, f64::max);
                    vec![longest]
                },
            },
            Measure {
                name: "turns",
                help: "the seat's own turns",
                per: Per::Seat,
                take: |finished| finished.by_seat(|seat| turns(finished, seat)),
            },
            Measure {
                name: "cards-left",
                help: "cards that the seat had not found at the end",
                per: Per::Seat,
                take: |finished| finished.by_seat(|seat| cards_left(finished, seat)),
            },
            Measure {
                name: "winning-seat",
                help: "the number of the seat that won, from 1; nothing for a draw",
                per: Per::Game,
                take: |finished| {
                    let scores = finished.played.outcome.scores();
                    let winner = scores.iter().position(|&score| score >= 1.0);
                    vec![winner.map_or(f64::NAN, |seat| (seat + 1) as f64)]
                },
            },
        ]
    }

    fn computed_tables() -> Vec<ComputedTable<Labyrinth>> {
        vec![
            ComputedTable {
                name: "map-distance",
                help: "travel distance's value of each cell, for a target in the middle open to the left and below",
                compute: |_| map(example_value::<Distance>),
            },
            ComputedTable {
                name: "map-static",
                help: "the same of static tile priority",
                compute: |_| map(example_value::<Static>),
            },
            ComputedTable {
                name: "map-slide",
                help: "the same of slide direction",
                compute: |_| map(example_value::<Slide>),
            },
        ]
    }
}
