//! Records: a finished game can be had again from its text.

use crate::Battery;
use crate::place::at;
use ranka_core::{Agent, EndReason, Notation, Position, Random, Record, RecordAgent, Seat, Settings, play};

/// A record of a random game replays to the same end, and a shortened one is refused.
pub fn records_replay<G: Notation>(b: &Battery<'_, G>) {
    let settings = Settings { ply_cap: u32::try_from(b.plies).unwrap_or(u32::MAX), ..Settings::default() };
    for number in 0..b.games {
        let place = || format!("{}, game {number} of random players", b.name());
        at(place, || {
            let seeds = b.seeds(number);
            let seats = Seat::all(b.game.seats());
            let player = |seat: Seat| -> (Box<dyn Agent<G>>, usize) { (Box::new(Random), seat.index()) };
            let played =
                play(&b.game, &seeds, seats.clone().map(player).collect(), &settings, &mut |_, _| {});
            assert_eq!(played.end.reason, EndReason::Rules, "the game ended by {:?}", played.end);
            let agent =
                |seat: Seat| RecordAgent { name: "random".to_owned(), version: 1, number: seat.index() };
            let mut record =
                Record::of(&b.game, &played, &b.rules, seats.map(agent).collect(), &seeds, &settings);

            let table = record.replay(&b.game).unwrap_or_else(|error| panic!("not replayed: {error}"));
            let mut end = played.start.clone();
            played.actions.iter().for_each(|&action| end.apply(action));
            assert!(*table.state() == end, "it replays to {}", b.game.write_state(table.state()));
            assert!(*table.actions() == played.actions, "it replays as {:?}", table.actions());
            assert_eq!(table.plies(), played.plies, "it replays with another number of plies");

            if !played.actions.is_empty() {
                record.actions.truncate(record.actions.rfind(' ').unwrap_or(0));
                assert!(record.replay(&b.game).is_err(), "without its last action it is still taken");
            }
        });
    }
}
