//! Measures, against games counted by hand.
#![allow(clippy::unwrap_used)]

use ranka_core::{AgentSpec, FinishedGame, GameSeeds, Measured, Roster, Seat, Seed, Settings, play};
use ranka_kalah::Kalah;

#[test]
fn the_margin_is_what_the_stores_differ_by() {
    let game = Kalah::standard(4, 3);
    let (_, maker) = game.recruit(&AgentSpec::parse("random")).unwrap();
    let measures = Kalah::measures();
    let margin = measures.iter().find(|measure| measure.name == "margin").unwrap();
    let mut decided = 0;
    for pair in 0..20 {
        let seeds = GameSeeds::of(Seed::new(1), pair, 0);
        let seated =
            Seat::all(2).map(|seat| (maker.seat(seat, seeds.agent(seat.index())).unwrap(), seat.index()));
        let played = play(&game, &seeds, seated.collect(), &Settings::default(), &mut |_, _| ());
        let taken = (margin.take)(&FinishedGame { game: &game, played: &played, decisions: &[] });
        let [first, second] = [Seat::FIRST, Seat::SECOND].map(|seat| f64::from(played.last.store(seat)));
        assert_eq!(first + second, 24.0, "all seeds are in a store at the end");
        assert_eq!(taken, [first - second, second - first]);
        assert_eq!(played.outcome.score(Seat::FIRST) > 0.5, taken[0] > 0.0);
        decided += usize::from(taken[0] != 0.0);
    }
    assert!(decided > 10, "{decided} games of 20 were decided");
}
