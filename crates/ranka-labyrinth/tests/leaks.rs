//! What lies face down stays there: however the hidden piles are permuted, a seat sees the same, may do the same
//! and decides the same. The battery asks this of random games; here the games are played well, so that cards are
//! found and people are on their way home.

mod common;

use ranka_core::{
    Actor, AgentKind, AgentSpec, Game, Look, Maker, Notation, Picture, Position, Rng, Roster, Seat,
    SeatObserver, Seed, Settings, Table, View,
};
use ranka_labyrinth::{Action, Labyrinth, State};
use ranka_levels::Levelled as _;
use ranka_search::draw_world;
use std::collections::BTreeSet;
use std::sync::Arc;

fn recruit(game: &Labyrinth, spec: &str) -> Arc<dyn Maker<Labyrinth>> {
    game.recruit(&AgentSpec::parse(spec)).expect("a known agent").1
}

/// The states of a game in which everybody plays by static tile priority.
fn states(game: &Labyrinth, seed: u64) -> Vec<State> {
    let mut table = Table::new(*game, game.start(&mut Rng::new(Seed::new(seed))), Seed::new(0));
    let maker = recruit(game, "static:budget=10");
    for seat in Seat::all(game.seats()) {
        table.sit(seat, maker.seat(seat, Seed::new(seed)).expect("a seat"), Seed::new(seed));
    }
    let mut states = Vec::new();
    while !table.actor().is_over() {
        states.push(*table.state());
        let thought = table.think(&Settings::default(), None).expect("an answer");
        table.act(thought.choice).expect("a legal action");
    }
    states
}

/// Everything that a seat is shown of a state and every agent's decision there.
fn shown(game: &Labyrinth, makers: &[Arc<dyn Maker<Labyrinth>>], state: &State, seat: Seat) -> Vec<String> {
    let view = game.view(state, seat);
    let mut choices = Vec::new();
    view.choices(&mut choices);
    let mut shown = vec![
        format!("{view:?}"),
        game.write_view(&view, seat),
        game.picture(&view, &Look::from(seat), None),
        game.sketch(&view, seat),
        format!("{choices:?}"),
    ];
    if state.mover() == seat {
        for maker in makers {
            let mut table = Table::new(*game, *state, Seed::new(0));
            table.sit(seat, maker.seat(seat, Seed::new(1)).expect("a seat"), Seed::new(1));
            shown.push(format!("{:?}", table.think(&Settings::default(), None)));
        }
    }
    shown
}

#[test]
fn hidden_piles_do_not_show() {
    for players in 2..=4 {
        let game = common::game(&format!("players={players}"));
        let kinds: Vec<_> = Labyrinth::agents().into_iter().filter(AgentKind::has_defaults).collect();
        // Searches by playouts decide as much from a few.
        let spec = |kind: &AgentKind<Labyrinth>| {
            let few = kind.params.iter().any(|param| param.key == "playouts");
            format!("{}{}", kind.name, if few { ":playouts=10" } else { "" })
        };
        let makers: Vec<_> = kinds.iter().map(|kind| recruit(&game, &spec(kind))).collect();
        let (mut compared, mut homeward, mut found) = (0, 0, 0);
        for seed in 0..2 {
            for state in states(&game, seed).iter().step_by(7) {
                homeward += Seat::all(players).filter(|&s| state.cards().current(s).is_none()).count();
                found += Seat::all(players).map(|s| state.cards().found(s).len()).sum::<usize>();
                for seat in Seat::all(players) {
                    let mut rng = Rng::new(Seed::new(seed));
                    let other = game.view(state, seat).sample(&mut rng);
                    if other == *state {
                        continue;
                    }
                    let [truth, twin] = [state, &other].map(|s| shown(&game, &makers, s, seat));
                    for (one, two) in truth.iter().zip(&twin) {
                        assert_eq!(one, two, "{seat:?} of {players} can tell {state:?} from {other:?}");
                    }
                    // The same from the truth's side: the piles do differ, so somebody else sees the difference.
                    assert!(Seat::all(players).any(|s| other.cards().pile(s) != state.cards().pile(s)));
                    compared += 1;
                }
            }
        }
        assert!(compared > 20 && found > 20 && homeward > 0, "{compared} {found} {homeward}");
    }
}

/// The one thing that the original program leaks: a seat's view must not hold the others' current cards.
#[test]
fn only_the_own_current_card_is_seen() {
    for players in 2..=4 {
        let game = common::game(&format!("players={players}"));
        let state = game.start(&mut Rng::new(Seed::new(3)));
        for seat in Seat::all(players) {
            let text = game.write_view(&game.view(&state, seat), seat);
            let cards = text.split(' ').find_map(|field| field.strip_prefix("cards=")).expect("the cards");
            for (other, pile) in Seat::all(players).zip(cards.split(';')) {
                let known = pile.split('+').filter(|&card| card != "?").count();
                assert_eq!(known, usize::from(other == seat), "{text}");
            }
            assert_eq!(game.view(&state, seat).shown().cards().unseen().len(), 23);
            assert!(game.read_view(&game.write_state(&state), seat).is_err(), "a state is no view");
        }
    }
}

/// Worlds that are drawn for a search respect what the walks told for certain, and leave nothing else out.
#[test]
fn nobody_is_thought_to_be_after_what_it_stood_on() {
    let game = common::game("players=3");
    let (viewer, other) = (Seat::FIRST, Seat::SECOND);
    let (mut ruled_out, mut told) = (BTreeSet::new(), 0);
    let mut rng = Rng::new(Seed::new(8));
    let mut state = game.start(&mut rng);
    let mut observer = SeatObserver::new(&game, viewer);
    while state.actor() != Actor::Over {
        let before = state;
        let action = state.random_action(&mut rng, &mut Vec::new());
        state.apply(action);
        observer.follow(&game, &before, action, &state);
        if let (Action::Move(cell), Actor::Seat(seat)) = (action, before.actor())
            && seat == other
        {
            if state.cards().found(other).len() > before.cards().found(other).len() {
                ruled_out.clear();
            } else {
                ruled_out.extend(state.board().tiles()[cell.index()].treasure());
            }
            if ruled_out.is_empty() {
                continue;
            }
            told += 1;
            let view = game.view(&state, viewer);
            let target = |state: &State| state.cards().current(other).and_then(|card| card.treasure());
            let drawn: BTreeSet<_> = (0..400)
                .filter_map(|_| target(&draw_world(&view, |world| observer.allows(world), &mut rng)))
                .collect();
            let possible = view.shown().cards().unseen().into_iter().filter(|t| !ruled_out.contains(t));
            assert_eq!(drawn, possible.collect());
        }
    }
    assert!(told > 10, "{told} turns after which something was known");
}

/// Looking back, one sees what others were after whose cards have come to light since, and nothing else.
#[test]
fn hindsight_knows_what_was_found_since() {
    let game = common::game("players=3");
    let states = states(&game, 5);
    let (then, now) = (&states[0], states.last().expect("a long game"));
    for seat in Seat::all(3) {
        let view = Labyrinth::in_hindsight(&game.view(then, seat), &game.view(now, seat));
        assert_eq!(Labyrinth::in_hindsight(&view, &game.view(then, seat)), view);
        for other in Seat::all(3) {
            let piles = [then, view.shown()].map(|state| state.cards().pile(other).to_vec());
            let found = now.cards().found(other).len();
            let known = if other == seat { found + 1 } else { found }.min(piles[0].len());
            assert_eq!(piles[0][..known], piles[1][..known]);
            assert!(piles[1][known..].iter().all(|card| card.treasure().is_none()), "{piles:?}");
            assert!(found > 0);
        }
    }
}
