//! No leak over time: what a seat's agent hears and decides depends on what the seat may know alone.

use crate::Battery;
use crate::agents::seated;
use crate::place::Place;
use ranka_core::{
    Actor, Agent, Complete, Fault, Game, Maker, Notation, Position, Random, Rng, Seat, Settings, Table,
    Thinking, Thought, Told, View,
};
use std::sync::{Arc, Mutex};

/// How many positions are searched for actions that should be hidden.
const SEARCHED: u64 = 60;

/// When different actions lead to different states that a seat cannot tell apart, the seat is not told which
/// of them was taken either.
///
/// Unless the difference has another explanation: where the worlds of a view can be listed, being told of one
/// action must not rule out a state that the view afterwards still allows.
pub fn hidden_actions_stay_hidden<G: Notation>(b: &Battery<'_, G>) {
    b.at_some_positions(
        SEARCHED,
        |state| !state.actor().is_over(),
        |place| {
            let state = place.state();
            for seat in place.seats().filter(|&seat| state.actor() != Actor::Seat(seat)) {
                let after: Vec<_> = crate::battery::legal(state)
                    .into_iter()
                    .map(|action| (action, after(state, action)))
                    .map(|(action, next)| (action, b.game.view(&next, seat), next))
                    .collect();
                let worlds = b.game.view(state, seat).worlds().unwrap_or_default();
                for (i, (one, view, _)) in after.iter().enumerate() {
                    for (two, _, next) in after[..i].iter().filter(|other| other.1 == *view) {
                        let explained = after[i].2 == *next
                            || b.game.seen(state, *one, seat) == b.game.seen(state, *two, seat)
                            || worlds.iter().any(|w| w.is_legal(*one) && self::after(w, *one) == *next);
                        assert!(
                            explained,
                            "{seat:?} sees no difference between {} and {} but is told which it was",
                            b.game.write_action(*one),
                            b.game.write_action(*two)
                        );
                    }
                }
            }
        },
    );
}

fn after<P: Position>(position: &P, action: P::Action) -> P {
    let mut next = position.clone();
    next.apply(action);
    next
}

/// At a given position, an agent decides the same on the truth's view as on a sample's.
pub fn decisions_do_not_leak<G: Complete>(b: &Battery<'_, G>) {
    let hides = |state: &G::State, seat| lookalike(&b.game, state, seat, Rng::new(b.root())).is_some();
    for (spec, maker) in b.recruits() {
        b.at_some_positions(
            8 * b.agent_games,
            |state| state.actor().seat().is_some_and(|seat| hides(state, seat)),
            |place| {
                let seat = place.actor().seat().expect("a seat is to act");
                let Some(sample) = lookalike(&b.game, place.state(), seat, place.rng()) else { return };
                let [truth, other] = [place.state(), &sample].map(|state| {
                    let mut table = Table::new(b.game.clone(), state.clone(), b.root());
                    table.sit(seat, seated(maker.as_ref(), seat, b.root()), b.root());
                    thought(&mut table)
                });
                assert_eq!(
                    truth,
                    other,
                    "{spec} decides otherwise when the truth is {}, which {seat:?} may not know",
                    b.game.write_state(&sample)
                );
            },
        );
    }
}

/// Another state that looks the same to `seat`, if a few samples find one.
fn lookalike<G: Notation>(game: &G, state: &G::State, seat: Seat, mut rng: Rng) -> Option<G::State> {
    let view = game.view(state, seat);
    (0..8).map(|_| view.sample(&mut rng)).find(|sample| sample != state)
}

/// From two states that a seat cannot tell apart, the same actions are played as long as it still cannot:
/// its agent is told the same and decides the same all the way.
pub fn histories_do_not_leak<G: Complete>(b: &Battery<'_, G>) {
    // Listening costs little, so there is much of it.
    let listener: Arc<dyn Maker<G>> = Arc::new(Random);
    let agents = b.recruits().into_iter().map(|(spec, maker)| (spec, maker, 4 * b.agent_games));
    for (spec, maker, places) in [("a random player", listener, 100)].into_iter().chain(agents) {
        let not_over = |state: &G::State| !state.actor().is_over();
        b.at_some_positions(places, not_over, |place| {
            for seat in place.seats() {
                twins(b, place, seat, spec, maker.as_ref());
            }
        });
    }
}

/// How many decisions of a history are compared.
const DECISIONS: u32 = 3;

fn twins<G: Complete>(
    b: &Battery<'_, G>,
    place: &Place<'_, '_, G>,
    seat: Seat,
    spec: &str,
    maker: &dyn Maker<G>,
) {
    let Some(sample) = lookalike(&b.game, place.state(), seat, place.rng()) else { return };
    let heard = [Arc::new(Mutex::new(String::new())), Arc::default()];
    let mut tables = [(place.state(), &heard[0]), (&sample, &heard[1])].map(|(state, heard)| {
        let inner = seated(maker, seat, b.root());
        let mut table = Table::new(b.game.clone(), state.clone(), b.root());
        table.sit(seat, Box::new(Listener { inner, heard: Arc::clone(heard) }), b.root());
        table
    });
    let mut decisions = 0;
    for &action in &place.line.actions[place.index..] {
        let [truth, other] = &mut tables;
        if decisions < DECISIONS && truth.actor() == Actor::Seat(seat) {
            decisions += 1;
            assert_eq!(
                thought(truth),
                thought(other),
                "{spec} at {seat:?} has the same history but decides otherwise in {}",
                b.game.write_state(other.state())
            );
        }
        // What is legal, or what comes of it, may tell the two apart by rights.
        let both = truth.replay(action).is_ok() && other.replay(action).is_ok();
        if !both || truth.view(seat) != other.view(seat) {
            return;
        }
        let [truth_heard, other_heard] = [&heard[0], &heard[1]].map(|heard| last(heard));
        assert_eq!(
            truth_heard,
            other_heard,
            "{seat:?} is told of {} in different words in {}",
            b.game.write_action(action),
            b.game.write_state(other.state())
        );
    }
}

fn thought<G: Game>(table: &mut Table<G>) -> String {
    format!("{:?}", table.think(&Settings::default(), None))
}

fn last(heard: &Mutex<String>) -> String {
    heard.lock().expect("nobody panics while listening").clone()
}

/// An agent that remembers the last thing it was told, word for word.
struct Listener<G: Game> {
    inner: Box<dyn Agent<G>>,
    heard: Arc<Mutex<String>>,
}

impl<G: Game> Agent<G> for Listener<G> {
    fn think(
        &mut self,
        view: &G::View,
        thinking: &mut Thinking<'_, G::Action>,
    ) -> Result<Thought<G::Action>, Fault> {
        self.inner.think(view, thinking)
    }

    fn told(&mut self, event: &Told<'_, G>) {
        *self.heard.lock().expect("nobody panics while listening") = format!("{event:?}");
        self.inner.told(event);
    }
}
