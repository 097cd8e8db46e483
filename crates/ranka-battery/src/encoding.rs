//! Encodings: arrays that say the same of the same, nothing of what is hidden, and every action its number.

use crate::Battery;
use crate::battery::listed;
use crate::place::{Line, Place};
use ranka_core::{Actor, Encoding, Notation, Position, Rng, Seat, SeatObserver, Symmetry, View, seen_by};
use std::collections::HashSet;

/// In every position every seat's observation is finite and overwrites whatever was there; every choice of the acting
/// seat has a number of its own, and the number means the choice.
pub fn encodings_agree<G: Notation + Encoding>(b: &Battery<'_, G>) {
    let layout = b.game.layout();
    let names: HashSet<&String> = layout.planes.iter().collect();
    assert_eq!(names.len(), layout.planes.len(), "two planes have the same name");
    for Symmetry { observation, actions } in b.game.symmetries() {
        assert!(is_permutation(&observation, layout.observation_len()), "a symmetry of observations is none");
        assert!(is_permutation(&actions, layout.actions()), "a symmetry of actions is none");
    }
    let mut arrays = [0.0, f32::NAN].map(|before| vec![before; layout.observation_len()]);
    b.observed(|place, observers| {
        let state = place.state();
        for observer in observers {
            arrays.iter_mut().for_each(|array| observer.observe(&b.game, state, array));
            let [one, two] = &arrays;
            assert!(one == two, "what {:?} observes depends on what the array held", observer.seat());
            assert!(one.iter().all(|number| number.is_finite()), "{:?} observes no number", observer.seat());
        }
        if let Actor::Seat(seat) = state.actor() {
            let view = b.game.view(state, seat);
            let mut numbers = HashSet::new();
            for action in listed(state) {
                let text = || b.game.write_action(action);
                let Some(index) = b.game.action_index(&view, seat, action) else {
                    panic!("{} has no number", text())
                };
                assert!(index < layout.actions(), "{} has number {index}: too large", text());
                assert!(numbers.insert(index), "{} has number {index} like another action", text());
                let read = b.game.indexed_action(&view, seat, index);
                assert_eq!(read, Some(action), "number {index} of {} means something else", text());
            }
            assert_eq!(b.game.indexed_action(&view, seat, layout.actions()), None, "there are more actions");
        }
    });
}

/// In as many positions of random play every action of the acting seat, listed or not, has a number. Quicker than
/// [`encodings_agree`], for the many positions that a bounded space of actions must be tried on.
///
/// # Panics
/// If an action has none.
pub fn actions_have_numbers<G: Notation + Encoding>(b: &Battery<'_, G>, positions: u64) {
    let (count, mut left) = (b.game.layout().actions(), positions);
    let (mut actions, mut scratch) = (Vec::new(), Vec::new());
    for number in 0.. {
        let mut rng = Rng::new(b.root().child("numbered play").at(number));
        let mut state = b.game.start(&mut rng);
        loop {
            let action = match state.actor() {
                Actor::Over => break,
                Actor::Chance => state.draw(&mut rng),
                Actor::Seat(seat) => {
                    let Some(fewer) = left.checked_sub(1) else { return };
                    left = fewer;
                    let view = seen_by(&b.game, &state, seat);
                    actions.clear();
                    state.actions(&mut actions);
                    state.unlisted(&mut actions);
                    for &action in &actions {
                        let index = b.game.action_index(&view, seat, action);
                        assert!(
                            index.is_some_and(|index| index < count),
                            "{}, game {number}: {} has number {index:?} of {count} in {}",
                            b.name(),
                            b.game.write_action(action),
                            b.game.write_state(&state)
                        );
                    }
                    state.random_action(&mut rng, &mut scratch)
                }
            };
            state.apply(action);
        }
    }
}

/// What a seat knows for certain from the past never rules out the truth.
pub fn observers_allow_the_truth<G: Notation + Encoding>(b: &Battery<'_, G>) {
    b.observed(|place, observers| {
        for observer in observers {
            assert!(
                observer.allows(place.state()),
                "what {:?} was told rules out the truth",
                observer.seat()
            );
        }
    });
}

/// From two states that a seat cannot tell apart, the same actions are played as long as it still cannot: it observes
/// the same, bit by bit. Returns how many observations were compared.
pub fn encodings_do_not_leak<G: Notation + Encoding>(b: &Battery<'_, G>) -> u64 {
    let mut compared = 0;
    let mut arrays = [0, 1].map(|_| vec![0.0; b.game.layout().observation_len()]);
    b.observed(|place, observers| {
        for observer in observers {
            let mut rng = place.rng();
            let view = b.game.view(place.state(), observer.seat());
            let Some(twin) = (0..8).map(|_| view.sample(&mut rng)).find(|sample| sample != place.state())
            else {
                continue;
            };
            compared += follow_twins(place, observer, twin, &mut arrays);
        }
    });
    compared
}

/// How far the twins are followed.
const FOLLOWED: usize = 4;

fn follow_twins<G: Notation + Encoding>(
    place: &Place<'_, '_, G>,
    observer: &SeatObserver<G>,
    mut twin: G::State,
    arrays: &mut [Vec<f32>; 2],
) -> u64 {
    let (game, seat) = (place.game(), observer.seat());
    let (mut observer, mut twin_observer) = (observer.clone(), observer.clone());
    let mut compared = 0;
    for (index, state) in place.line.states.iter().enumerate().skip(place.index).take(FOLLOWED) {
        observer.observe(game, state, &mut arrays[0]);
        twin_observer.observe(game, &twin, &mut arrays[1]);
        let same = arrays[0].iter().zip(&arrays[1]).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same, "{seat:?} observes a difference to {}", game.write_state(&twin));
        compared += 1;
        let Some(&action) = place.line.actions.get(index).filter(|&&action| twin.is_legal(action)) else {
            break;
        };
        let (before, after) = (twin.clone(), &place.line.states[index + 1]);
        twin.apply(action);
        // What comes of it may tell the two apart by rights.
        if game.view(&twin, seat) != game.view(after, seat) {
            break;
        }
        observer.follow(game, state, action, after);
        twin_observer.follow(game, &before, action, &twin);
    }
    compared
}

fn is_permutation(from: &[u32], len: usize) -> bool {
    from.len() == len
        && from.iter().all(|&i| (i as usize) < len)
        && from.iter().collect::<HashSet<_>>().len() == len
}

impl<G: Notation + Encoding> Battery<'_, G> {
    /// Visits every position of the random games with what each seat has seen so far.
    fn observed(&self, mut check: impl FnMut(&Place<'_, '_, G>, &[SeatObserver<G>])) {
        for line in self.lines() {
            let mut observers: Vec<SeatObserver<G>> =
                Seat::all(self.game.seats()).map(|seat| SeatObserver::new(&self.game, seat)).collect();
            let Line { states, actions, .. } = &line;
            for index in 0..states.len() {
                let place = Place { battery: self, line: &line, index };
                place.check(|| check(&place, &observers));
                if let Some(&action) = actions.get(index) {
                    for observer in &mut observers {
                        observer.follow(&self.game, &states[index], action, &states[index + 1]);
                    }
                }
            }
        }
    }
}
