//! Measures, against lines played by hand.
#![allow(clippy::unwrap_used)]

use ranka_core::{
    Actor, Agent, Candidate, Decision, Fault, FinishedGame, Game, GameSeeds, Measured, Notation, Position,
    Seed, Settings, Thinking, Thought, play,
};
use ranka_geister::duel::WIN;
use ranka_geister::{Action, Geister, State};
use std::collections::BTreeMap;

/// Plays what it is told, `?` for a step from a position that it takes for lost, and gives up at the end.
struct Reader(Vec<&'static str>);

impl Agent<Geister> for Reader {
    fn think(
        &mut self,
        _: &<Geister as Game>::View,
        _: &mut Thinking<'_, Action>,
    ) -> Result<Thought<Action>, Fault> {
        if self.0.is_empty() {
            return Err(Fault::Resigned);
        }
        let text = self.0.remove(0);
        let action = Geister { plies: 200 }.read_action(text.trim_end_matches('?')).unwrap();
        let value = if text.ends_with('?') { f64::from(4 - WIN) } else { 0.0 };
        let candidates = vec![Candidate::valued(action, value)];
        Ok(Thought { candidates, ..Thought::plain(action) })
    }
}

/// The measures that are not zero for both seats, when these lines are played.
fn measured(lines: [&'static str; 2]) -> BTreeMap<&'static str, Vec<f64>> {
    let readers = lines.map(|line| Box::new(Reader(line.split(' ').collect())) as Box<dyn Agent<Geister>>);
    let agents = readers.into_iter().zip(0..).collect();
    let game = Geister { plies: 200 };
    let mut decisions = Vec::new();
    let seeds = GameSeeds::of(Seed::new(0), 0, 0);
    let played = play(&game, &seeds, agents, &Settings::default(), &mut |state: &State, thought| {
        let Actor::Seat(seat) = state.actor() else { panic!("somebody decides") };
        decisions.push(Decision::of(seat, thought));
    });
    let finished = FinishedGame { game: &game, played: &played, decisions: &decisions };
    let measures = Geister::measures();
    let taken = measures.iter().map(|measure| (measure.name, (measure.take)(&finished)));
    taken.filter(|(_, numbers)| numbers.iter().any(|&x| x != 0.0)).collect()
}

// First: A B C D (b5 to e5) red, E to H blue. Second: A B C D (e2 to b2) red.
#[test]
fn approaches_and_flights_are_told_by_colour() {
    // b3 has the enemy on b2 beside it; so has c3 its one on c2, and going there keeps the ghost near.
    let near = measured(["set:ABCD b5b4 b4b3 b3c3 c3c4", "set:ABCD e2f2 f2e2 e2f2 f2e2"]);
    assert_eq!(near, BTreeMap::from([("approach-red", vec![1.0, 0.0]), ("flee-red", vec![1.0, 0.0])]));
    let blue = measured(["set:EFGH b5b4 b4b3 b3a3", "set:EFGH e2e3 e3e4 e4f4"]);
    assert_eq!(blue, BTreeMap::from([("approach-blue", vec![1.0, 1.0]), ("flee-blue", vec![1.0, 1.0])]));
}

#[test]
fn captures_and_lost_positions_do_not_count() {
    // The ghost on b4 takes the only enemy beside it: it would otherwise have fled.
    let capture = measured(["set:ABCD b5b4 b4b3", "set:EFGH b2b3 e2f2"]);
    assert_eq!(capture, BTreeMap::from([("approach-blue", vec![0.0, 1.0]), ("taken-blue", vec![1.0, 0.0])]));
    let lost = measured(["set:ABCD b5b4? b4b3? b3a3?", "set:EFGH e2f2 f2e2 e2f2"]);
    assert_eq!(lost, BTreeMap::from([("lost-approach-red", vec![1.0, 0.0])]));
}
