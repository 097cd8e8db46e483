//! Text: what is written reads back as the same, and what is spoilt never panics.

use crate::Battery;
use crate::battery::{legal, listed};
use crate::mutate::mutate;
use crate::place::at;
use ranka_core::{Notation, NotationError, Position, Rng, Seat, View};
use std::fmt::Debug;

/// States, every seat's views and actions read back as what was written and write back as what was read;
/// each is one line, and an action one word.
pub fn notation_round_trips<G: Notation>(b: &Battery<'_, G>) {
    let game = &b.game;
    b.at_every_position(|place| {
        let state = place.state();
        round_trip("state", state, &|s| game.write_state(s), &|text| game.read_state(text));
        for seat in place.seats() {
            let view = game.view(state, seat);
            let what = format!("view of {seat:?}");
            round_trip(&what, &view, &|v| game.write_view(v, seat), &|text| game.read_view(text, seat));
        }
        for action in legal(state) {
            round_trip("action", &action, &|&a| game.write_action(a), &|text| game.read_action(text));
            let text = game.write_action(action);
            let one_word = !text.is_empty() && !text.contains(char::is_whitespace);
            assert!(one_word, "action {text:?} is not one word");
        }
    });
}

fn round_trip<T: PartialEq + Debug>(
    what: &str,
    value: &T,
    write: &dyn Fn(&T) -> String,
    read: &dyn Fn(&str) -> Result<T, NotationError>,
) {
    let text = write(value);
    assert!(!text.contains(['\n', '\r']), "the {what} {text:?} is not one line");
    assert_eq!(text.trim(), text, "the {what} {text:?} begins or ends with space");
    let back = read(&text).unwrap_or_else(|error| panic!("the {what} does not read back: {error}"));
    assert!(back == *value, "the {what} {text:?} reads back as {back:?}, not {value:?}");
    assert_eq!(write(&back), text, "the {what} writes differently when it is read back");
}

/// How many positions' notations are spoilt, and how often each.
const SPOILT: u64 = 60;
const TIMES: usize = 60;

/// Spoilt notation never panics. It is either refused with a place within the text and a reason, or taken
/// for something that is as good as any: it round trips, a state can be played on, and a view can be
/// sampled.
pub fn mutated_notation_is_safe<G: Notation>(b: &Battery<'_, G>) {
    let game = &b.game;
    b.at_some_positions(
        SPOILT,
        |_| true,
        |place| {
            let (state, mut rng) = (place.state(), place.rng());
            let good = game.write_state(state);
            spoil(&good, &mut rng, |text, rng| {
                if let Some(state) = taken(text, &|text| game.read_state(text)) {
                    round_trip("state", &state, &|s| game.write_state(s), &|text| game.read_state(text));
                    play_on(state, rng);
                }
            });
            for seat in place.seats() {
                let good = game.write_view(&game.view(state, seat), seat);
                let read = |text: &str| game.read_view(text, seat);
                spoil(&good, &mut rng, |text, rng| {
                    if let Some(view) = taken(text, &read) {
                        round_trip("view", &view, &|v| game.write_view(v, seat), &read);
                        stands_for_something(game, &view, seat, rng);
                    }
                });
            }
            let actions = legal(state);
            if !actions.is_empty() {
                let good = game.write_action(rng.pick(&actions));
                spoil(&good, &mut rng, |text, _| {
                    if let Some(action) = taken(text, &|text| game.read_action(text)) {
                        round_trip("action", &action, &|&a| game.write_action(a), &|t| game.read_action(t));
                        // The position must be able to say what it thinks of anything that can be written.
                        let _ = (state.is_legal(action), game.refusal(state, action));
                    }
                });
            }
        },
    );
}

fn spoil(good: &str, rng: &mut Rng, mut check: impl FnMut(&str, &mut Rng)) {
    for i in 0..TIMES {
        let text = if i == 0 { String::new() } else { mutate(good, rng) };
        at(|| format!("reading {text:?}"), || check(&text, rng));
    }
}

/// What `text` was taken for. If it was refused, the error must be of use.
fn taken<T>(text: &str, read: &dyn Fn(&str) -> Result<T, NotationError>) -> Option<T> {
    let error = match read(text) {
        Ok(value) => return Some(value),
        Err(error) => error,
    };
    let columns = 1..=text.chars().count() + 1;
    assert!(columns.contains(&error.column), "the error is at column {} of the text", error.column);
    assert!(!error.problem.is_empty(), "the error gives no reason");
    None
}

/// A state that is taken is one that the rules allow, so one can play on from it.
fn play_on<P: Position>(mut state: P, rng: &mut Rng) {
    for _ in 0..200 {
        let list = listed(&state);
        let over = state.actor().is_over();
        assert_eq!(list.is_empty(), over, "taken for a state with no actions although it is not over");
        if over {
            state.outcome();
            return;
        }
        let action = if state.actor().seat().is_some() { rng.pick(&list) } else { state.draw(rng) };
        state.apply(action);
    }
}

/// A view that is taken is what a seat sees of some state.
fn stands_for_something<G: Notation>(game: &G, view: &G::View, seat: Seat, rng: &mut Rng) {
    view.choices(&mut Vec::new());
    let state = view.sample(rng);
    let seen = game.view(&state, seat);
    assert!(seen == *view, "taken for a view of nothing: a sample of it shows {seen:?}");
}
