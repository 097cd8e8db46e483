//! What can be measured in a game of Labyrinth, and the thesis's maps of values.

use crate::Labyrinth;
use crate::action::Action;
use crate::agents::{Distance, Slide, Static, example_value};
use crate::maze::Cell;
use ranka_core::{Exhibit, Measure, Measured, Per, Seat, Sheet, Story};

/// How many turns `seat` has taken; the two actions of a turn are one.
fn turns(story: &Story<'_, Labyrinth>, seat: Seat) -> f64 {
    let pushes = story.decisions.iter().zip(&story.played.actions);
    let own = pushes.filter(|(decision, action)| decision.seat == seat && matches!(action, Action::Push(_)));
    own.count() as f64
}

/// The cards that `seat` has not found.
fn cards_left(story: &Story<'_, Labyrinth>, seat: Seat) -> f64 {
    story.played.last.cards().pile(seat).len() as f64
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
                take: |story| {
                    let longest = Seat::all(story.seats()).map(|seat| turns(story, seat)).fold(0.0, f64::max);
                    vec![longest]
                },
            },
            Measure {
                name: "turns",
                help: "the seat's own turns",
                per: Per::Seat,
                take: |story| story.by_seat(|seat| turns(story, seat)),
            },
            Measure {
                name: "cards-left",
                help: "cards that the seat had not found at the end",
                per: Per::Seat,
                take: |story| story.by_seat(|seat| cards_left(story, seat)),
            },
            Measure {
                name: "winning-seat",
                help: "the number of the seat that won, from 1; nothing for a draw",
                per: Per::Game,
                take: |story| {
                    let scores = story.played.outcome.scores();
                    let winner = scores.iter().position(|&score| score >= 1.0);
                    vec![winner.map_or(f64::NAN, |seat| (seat + 1) as f64)]
                },
            },
        ]
    }

    fn exhibits() -> Vec<Exhibit<Labyrinth>> {
        vec![
            Exhibit {
                name: "map-distance",
                help: "travel distance's value of each cell, for a target in the middle open to the left and below",
                compute: |_| map(example_value::<Distance>),
            },
            Exhibit {
                name: "map-static",
                help: "the same of static tile priority",
                compute: |_| map(example_value::<Static>),
            },
            Exhibit {
                name: "map-slide",
                help: "the same of slide direction",
                compute: |_| map(example_value::<Slide>),
            },
        ]
    }
}
