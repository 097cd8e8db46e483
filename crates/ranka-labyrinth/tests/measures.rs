//! Measures, against what the end of a game shows, and the maps of values.
#![allow(clippy::unwrap_used)]

mod common;

use ranka_core::{
    Actor, AgentSpec, Decision, FinishedGame, Game, GameSeeds, Measured, Position, Roster, Seat, Seed,
    Settings, play,
};
use ranka_labyrinth::{Labyrinth, State};
use std::collections::BTreeMap;

/// All measures of a game between the same agents.
fn measured(rules: &str, agent: &str) -> (BTreeMap<&'static str, Vec<f64>>, State) {
    let game = common::game(rules);
    let (_, maker) = game.recruit(&AgentSpec::parse(agent)).unwrap();
    let seated = Seat::all(game.seats()).map(|seat| (maker.seat(seat, Seed::new(1)).unwrap(), seat.index()));
    let mut decisions = Vec::new();
    let seeds = GameSeeds::of(Seed::new(1), 0, 0);
    let played = play(&game, &seeds, seated.collect(), &Settings::default(), &mut |state, thought| {
        let Actor::Seat(seat) = state.actor() else { panic!("somebody decides") };
        decisions.push(Decision::of(seat, thought));
    });
    let finished = FinishedGame { game: &game, played: &played, decisions: &decisions };
    let taken = Labyrinth::measures().into_iter().map(|measure| (measure.name, (measure.take)(&finished)));
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
    for computed_table in Labyrinth::computed_tables() {
        let sheet = (computed_table.compute)(&common::game(""));
        assert_eq!((sheet.columns.len(), sheet.rows.len()), (7, 7));
        assert!(sheet.rows.iter().all(|row| row.len() == 7));
        // The target lies in the middle, and nothing is worth more.
        let most = sheet.rows.iter().flatten().fold(0.0, |a: f64, &b| a.max(b));
        assert_eq!(sheet.rows[3][3], most, "{}", computed_table.name);
    }
}
