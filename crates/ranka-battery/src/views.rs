//! Views: they agree with the truth, and nothing in them goes beyond what may be known.

use crate::Battery;
use crate::battery::listed;
use crate::fit::assert_fits;
use crate::place::Place;
use ranka_core::{Actor, Complete, Look, Notation, Position, Seat, View};
use std::collections::HashSet;

/// Every seat's view knows who acts, and the acting seat's choices are the state's actions. The listed
/// worlds of a view are different states that all look like it, and the truth is among them.
pub fn views_agree<G: Notation>(b: &Battery<'_, G>) {
    b.at_every_position(|place| {
        let state = place.state();
        for seat in place.seats() {
            let view = b.game.view(state, seat);
            assert!(view == b.game.view(state, seat), "two views of {seat:?} of one state differ");
            assert_eq!(view.turn(), state.actor(), "the view of {seat:?} is wrong about who acts");
            if state.actor() == Actor::Seat(seat) {
                assert_eq!(choices(&view), listed(state), "{seat:?} has other choices than actions");
            }
            let Some(worlds) = view.worlds() else { continue };
            let mut different = HashSet::new();
            for world in &worlds {
                let text = || b.game.write_state(world);
                assert!(b.game.view(world, seat) == view, "world {} looks different to {seat:?}", text());
                assert!(different.insert(world), "world {} is listed twice for {seat:?}", text());
            }
            assert!(different.contains(state), "the truth is not among the worlds of {seat:?}");
        }
    });
}

/// How many samples of each view are compared with the truth.
const SAMPLES: usize = 3;

/// The truth and states sampled from a seat's view differ only in what the seat may not know, so it is shown
/// the same of both: view, choices, picture, sketch, click paths, what is foreseen and what moves. Samples are states like any
/// other, and a finished game has the same outcome in all of them.
pub fn samples_look_the_same<G: Complete>(b: &Battery<'_, G>) {
    b.at_every_position(|place| {
        let (state, mut rng) = (place.state(), place.rng());
        for seat in place.seats() {
            let view = b.game.view(state, seat);
            let truth = shown(place, seat, state);
            for _ in 0..SAMPLES {
                let sample = view.sample(&mut rng);
                let text = b.game.write_state(&sample);
                let seen = b.game.view(&sample, seat);
                assert!(
                    seen == view,
                    "the sample {text} looks different to {seat:?}: {seen:?}, not {view:?}"
                );
                if sample == *state {
                    continue;
                }
                for ((what, a), (_, b)) in truth.iter().zip(shown(place, seat, &sample)) {
                    let told = || format!("{seat:?} can tell the truth from {text} by the {what}");
                    assert!(*a == b, "{}: {}", told(), difference(a, &b));
                }
                assert_eq!(sample.actor(), state.actor(), "in the sample {text} somebody else acts");
                assert!(
                    b.game.read_state(&text).is_ok_and(|read| read == sample),
                    "the sample {text} does not read back"
                );
                if state.actor().is_over() {
                    assert_eq!(sample.outcome(), state.outcome(), "the sample {text} has another outcome");
                }
            }
        }
    });
}

/// Somebody without a seat knows nothing that any seat does not know: whatever else a seat takes for possible looks the
/// same to an onlooker, who has no choices.
pub fn onlookers_know_no_more_than_anybody<G: Complete>(b: &Battery<'_, G>) {
    b.at_every_position(|place| {
        let (state, mut rng) = (place.state(), place.rng());
        let Some(view) = b.game.onlooker(state) else { return };
        assert_eq!(view.turn(), state.actor(), "the onlooker is wrong about who acts");
        assert!(choices(&view).is_empty(), "an onlooker has choices");
        let shown = |view: &G::View, seat: Seat| {
            let foreseen: Vec<_> = place
                .next_seen(seat)
                .into_iter()
                .map(|action| (b.game.foresee(view, action), b.game.motion(view, action)))
                .collect();
            let picture = b.game.picture(view, &Look::from(Seat::FIRST), place.last_seen(seat));
            [format!("{view:?}"), format!("{foreseen:?}"), b.game.sketch(view, Seat::FIRST), picture]
        };
        for seat in place.seats() {
            let truth = shown(&view, seat);
            for _ in 0..SAMPLES {
                let sample = b.game.view(state, seat).sample(&mut rng);
                let seen = b.game.onlooker(&sample).expect("there is a view for onlookers in every position");
                for (a, other) in truth.iter().zip(shown(&seen, seat)) {
                    let text = b.game.write_state(&sample);
                    assert!(
                        *a == other,
                        "an onlooker can tell the truth from {text}: {}",
                        difference(a, &other)
                    );
                }
            }
        }
    });
}

/// Everything that `seat` is shown of `state`, by name.
fn shown<G: Complete>(place: &Place<'_, '_, G>, seat: Seat, state: &G::State) -> Vec<(&'static str, String)> {
    let game = place.game();
    let view = game.view(state, seat);
    let choices = choices(&view);
    let clicks: Vec<_> = choices.iter().map(|&action| game.clicks(&view, action)).collect();
    let foreseen: Vec<_> = choices
        .iter()
        .copied()
        .chain(place.next_seen(seat))
        .map(|action| (game.foresee(&view, action), game.motion(&view, action)))
        .collect();
    vec![
        ("view's notation", game.write_view(&view, seat)),
        ("choices", format!("{choices:?}")),
        ("picture", game.picture(&view, &Look::from(seat), place.last_seen(seat))),
        ("sketch", game.sketch(&view, seat)),
        ("click paths", format!("{clicks:?}")),
        ("foresight and motion", format!("{foreseen:?}")),
        ("view's fields", format!("{view:?}")),
    ]
}

/// The first difference of two texts, with a little of what is around it: a picture is long.
fn difference(a: &str, b: &str) -> String {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| text.chars().skip(same.saturating_sub(40)).take(80).collect::<String>();
    format!("…{}…, not …{}…", around(a), around(b))
}

/// Samples of a view are drawn uniformly from its worlds, where these can be listed.
pub fn samples_are_uniform<G: Notation>(b: &Battery<'_, G>) {
    let some_hidden = |state: &G::State| {
        let worlds = |seat| b.game.view(state, seat).worlds().map_or(0, |worlds| worlds.len());
        Seat::all(b.game.seats()).any(|seat| (2..=MOST_WORLDS).contains(&worlds(seat)))
    };
    b.at_some_positions(8, some_hidden, |place| {
        let mut rng = place.rng();
        for seat in place.seats() {
            let view = b.game.view(place.state(), seat);
            let worlds = view.worlds().unwrap_or_default();
            if !(2..=MOST_WORLDS).contains(&worlds.len()) {
                continue;
            }
            let mut counts = vec![0; worlds.len()];
            for _ in 0..20 * worlds.len() {
                let sample = view.sample(&mut rng);
                let world = worlds.iter().position(|world| *world == sample);
                counts[world.unwrap_or_else(|| {
                    panic!("the sample {} is none of {seat:?}'s worlds", b.game.write_state(&sample))
                })] += 1;
            }
            let even = vec![1.0 / worlds.len() as f64; worlds.len()];
            assert_fits(&format!("samples of {seat:?}'s view"), &counts, &even);
        }
    });
}

/// Beyond this many worlds, drawing often enough to judge takes too long.
const MOST_WORLDS: usize = 200;

fn choices<V: View>(view: &V) -> Vec<<V::State as Position>::Action> {
    let mut out = Vec::new();
    view.choices(&mut out);
    out
}
