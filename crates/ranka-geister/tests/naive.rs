//! The packed games of thought against the plain ones, value by value.
#![allow(clippy::unwrap_used)]

mod common;

use common::{endgame, evaluation, game, midgames, values};
use ranka_core::{Game, Position, Rng, Seat, Seed};
use ranka_geister::State;
use ranka_geister::duel::Duel;
use ranka_geister::naive::Board;

fn compare(state: &State, depth: u32) {
    let game = game();
    let seat = state.actor().seat().unwrap();
    let view = game.view(state, seat);
    let purple = Duel::purple(&view);
    if purple.actor().is_over() {
        return;
    }
    for static_exit in [true, false] {
        let naive = Board::of(&view, |_| 'p').root(depth, static_exit);
        assert_eq!(values(&purple, depth, evaluation(static_exit)), naive, "purple, {state:?}");
    }
    let is_red = |square: usize| state.ghosts(seat.other()).any(|(at, red)| at.index() == square && red);
    let naive = Board::of(&view, |square| if is_red(square) { 'r' } else { 'b' }).root(depth, true);
    let place = |index: usize| if seat == Seat::FIRST { index } else { 35 - index };
    let reds = (0..36).filter(|&i| is_red(i)).fold(0, |set: u64, i| set | 1 << place(i));
    assert_eq!(values(&Duel::coloured(&view, reds), depth, evaluation(true)), naive, "coloured, {state:?}");
    // Beliefs that know everything are colours, and beliefs that know nothing are purple.
    assert_eq!(values(&Duel::judged(&view, reds, !reds), depth, evaluation(true)), naive);
    let purple = values(&purple, depth, evaluation(true));
    assert_eq!(values(&Duel::judged(&view, 0, 0), depth, evaluation(true)), purple);
}

#[test]
fn every_value_is_the_naive_one() {
    let mut rng = Rng::new(Seed::new(1));
    for _ in 0..150 {
        compare(&endgame(&mut rng, 2), 4);
    }
    for _ in 0..20 {
        compare(&endgame(&mut rng, 1), 5);
    }
    for state in midgames(60, 2) {
        compare(&state, 3);
    }
}
