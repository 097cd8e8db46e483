//! Copies, equality and hashes: a state is a value, and nothing else.

use crate::Battery;
use crate::battery::legal;
use ranka_core::{Keyed, Notation, Position, Rng};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Acting on a copy leaves the original alone, the same action on two copies gives the same, and so does
/// playing the game again from the same deal.
pub fn copies_are_independent<G: Notation>(b: &Battery<'_, G>) {
    b.at_every_position(|place| {
        let (state, original) = (place.state(), place.state().clone());
        let text = b.game.write_state(state);
        let before = (text.as_str(), hash(state));
        for action in legal(state) {
            let [one, two] = [state, &original].map(|copied| {
                let mut copy = copied.clone();
                copy.apply(action);
                copy
            });
            let name = || b.game.write_action(action);
            assert!(one == two, "{} does not do the same to two copies", name());
            assert_eq!(hash(&one), hash(&two), "{} gives equal states of different hash", name());
        }
        assert!(*state == original, "acting on a copy changes the original");
        assert_eq!(
            (b.game.write_state(state).as_str(), hash(state)),
            before,
            "acting on a copy changes the original"
        );
    });
    for line in b.lines() {
        let mut state = b.game.start(&mut Rng::new(b.seeds(line.number).deal));
        for (i, reached) in line.states.iter().enumerate() {
            let same = state == *reached && hash(&state) == hash(reached);
            assert!(
                same,
                "{}, random game {}: replayed to action {i} it is {}, not {}",
                b.name(),
                line.number,
                b.game.write_state(&state),
                b.game.write_state(reached)
            );
            if let Some(&action) = line.actions.get(i) {
                state.apply(action);
            }
        }
    }
}

/// How many states are compared with each other.
const COMPARED: u64 = 400;

/// States are equal exactly when their notation is, and equal states have equal hashes; the state that is
/// read back from its notation too, however it came about.
pub fn equality_agrees<G: Notation>(b: &Battery<'_, G>) {
    let mut seen: Vec<(G::State, String, u64)> = Vec::new();
    b.at_some_positions(
        COMPARED,
        |_| true,
        |place| {
            let state = place.state();
            let (text, hashed) = (b.game.write_state(state), hash(state));
            let read = b.game.read_state(&text).unwrap_or_else(|error| panic!("not read back: {error}"));
            assert!(*state == read, "the state read back from its notation is another");
            assert_eq!(hash(&read), hashed, "the state read back from its notation has another hash");
            for (other, other_text, other_hash) in &seen {
                let equal = state == other;
                assert_eq!(equal, text == *other_text, "equality and notation disagree about {other_text}");
                assert!(!equal || hashed == *other_hash, "equal to {other_text} but of another hash");
            }
            seen.push((state.clone(), text, hashed));
        },
    );
}

/// Keys are equal exactly when states are: over all positions of the random games, their neighbours, and the
/// same positions read back from notation.
pub fn keys_agree<G: Notation<State: Keyed>>(b: &Battery<'_, G>) {
    let mut known: HashMap<u64, G::State> = HashMap::new();
    let mut keys: HashMap<String, u64> = HashMap::new();
    b.at_every_position(|place| {
        let state = place.state();
        let neighbours = legal(state).into_iter().map(|action| {
            let mut next = state.clone();
            next.apply(action);
            next
        });
        for position in [state.clone()].into_iter().chain(neighbours) {
            let (text, key) = (b.game.write_state(&position), position.key());
            let read = b.game.read_state(&text).unwrap_or_else(|error| panic!("not read back: {error}"));
            assert_eq!(read.key(), key, "{text} has another key when it is read back");
            assert_eq!(*keys.entry(text.clone()).or_insert(key), key, "{text} has two keys");
            let other = known.entry(key).or_insert_with(|| position.clone());
            assert!(
                *other == position,
                "{text} and {} are different states of the same key",
                b.game.write_state(other)
            );
        }
    });
}
