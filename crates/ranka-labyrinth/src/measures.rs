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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::State;
    use ranka_core::{
        Actor, AgentSpec, Decision, Game, GameSeeds, Params, Position, Roster, Seed, Settings, play,
    };
    use std::collections::BTreeMap;

    /// All measures of a game between the same agents.
    fn measured(rules: &str, agent: &str) -> (BTreeMap<&'static str, Vec<f64>>, State) {
        let game = Labyrinth::new(&Params::parse(rules, Labyrinth::options()).unwrap()).unwrap();
        let (_, maker) = game.recruit(&AgentSpec::parse(agent)).unwrap();
        let seated =
            Seat::all(game.seats()).map(|seat| (maker.seat(seat, Seed::new(1)).unwrap(), seat.index()));
        let mut decisions = Vec::new();
        let seeds = GameSeeds::of(Seed::new(1), 0, 0);
        let played = play(&game, &seeds, seated.collect(), &Settings::default(), &mut |state, thought| {
            let Actor::Seat(seat) = state.actor() else { panic!("somebody decides") };
            decisions.push(Decision::of(seat, thought));
        });
        let story = Story { game: &game, played: &played, decisions: &decisions };
        let taken = Labyrinth::measures().into_iter().map(|measure| (measure.name, (measure.take)(&story)));
        (taken.collect(), played.last)
    }

    #[test]
    fn a_turn_is_a_push_with_or_without_its_move() {
        let (found, _) = measured("ply-cap=6", "random");
        assert_eq!((&found["rounds"], &found["turns"]), (&vec![2.0], &vec![2.0, 1.0]));
        assert!(found["winning-seat"][0].is_nan());
        let (found, _) = measured("ply-cap=6,first=1", "random");
        assert_eq!((&found["rounds"], &found["turns"]), (&vec![2.0], &vec![1.0, 2.0]));
        let (found, _) = measured("ply-cap=5,players=3", "random");
        assert_eq!((&found["rounds"], &found["turns"]), (&vec![1.0], &vec![1.0; 3]));
    }

    #[test]
    fn the_winner_has_no_cards_left_and_had_the_most_turns() {
        for first in 0..4 {
            let (found, last) = measured(&format!("players=4,first={first}"), "static");
            let winner = found["winning-seat"][0] as usize - 1;
            assert_eq!(Seat::new(winner), last.mover());
            assert_eq!(found["cards-left"][winner], 0.0);
            assert_eq!(found["rounds"], [found["turns"][winner]]);
            let left: Vec<f64> = Seat::all(last.seats()).map(|s| last.cards().pile(s).len() as f64).collect();
            assert_eq!(found["cards-left"], left);
            assert!(left.iter().any(|&left| left > 0.0));
        }
    }

    #[test]
    fn maps_have_a_line_for_each_row_of_the_board() {
        for exhibit in Labyrinth::exhibits() {
            let sheet = (exhibit.compute)(&Labyrinth::new(&Params::defaults(Labyrinth::options())).unwrap());
            assert_eq!((sheet.columns.len(), sheet.rows.len()), (7, 7));
            assert!(sheet.rows.iter().all(|row| row.len() == 7));
            // The target lies in the middle, and nothing is worth more.
            let most = sheet.rows.iter().flatten().fold(0.0, |a: f64, &b| a.max(b));
            assert_eq!(sheet.rows[3][3], most, "{}", exhibit.name);
        }
    }
}
