//! The figures of the Purple Piece paper as positions, with the value of every step, and the worked examples of
//! the specification (E1 to E3, E6 and E8).
#![allow(clippy::unwrap_used)]

use ranka_core::{
    Actor, AgentSpec, Game, Notation, Params, Position, Rng, Roster, Seat, Seed, Settings, Table, Thought,
};
use ranka_geister::duel::{Duel, LeafEvaluation, Purple, PurpleEvaluation, WIN};
use ranka_geister::eacp::{Ask, Eacp};
use ranka_geister::{Action, Geister, State, View};
use ranka_search::{AlphaBeta, DepthUnit, Limits, Root, Transpositions};

const E1: &str = "uu1B2/6/R5/6/6/6 1 rrrbbbRRRBBB 40";
const E2: &str = "2uu2/2B1R1/5B/6/6/6 1 rrrbbbRRRBB 40";
const E3: &str = "6/6/5B/6/uu4/1R4 1 rrrbbbRRRBBB 40";

fn game() -> Geister {
    Geister::new(&Params::defaults(Geister::options())).unwrap()
}

fn view(text: &str) -> View {
    game().read_view(text, Seat::FIRST).unwrap()
}

fn evaluation(static_exit: bool) -> PurpleEvaluation {
    PurpleEvaluation { leaf: LeafEvaluation::BluesAndDistance, static_exit }
}

fn name(action: Action) -> String {
    game().write_action(action)
}

/// A value as the specification writes it.
fn spelled(value: i32) -> String {
    match value {
        _ if value > WIN / 2 => format!("WIN@{}", WIN - value),
        _ if value < -WIN / 2 => format!("LOSS@{}", WIN + value),
        _ => value.to_string(),
    }
}

/// Every step in the order of generation with its value.
fn purple(text: &str, static_exit: bool) -> Vec<(String, String)> {
    let table = Transpositions::with_entries(1 << 12);
    let mut search: AlphaBeta<Duel<Purple>, PurpleEvaluation> =
        AlphaBeta::new(evaluation(static_exit), DepthUnit::Action, table);
    let root = Duel::purple(&view(text));
    let found = search.search(&root, Root::Values, 5..=5, Limits::NONE, &mut |_| ()).unwrap();
    let told = |hop: ranka_geister::duel::Hop, value| (name(hop.on_board(Seat::FIRST)), spelled(value));
    found.actions.iter().map(|scored| told(scored.action, scored.value)).collect()
}

fn eacp(text: &str, static_exit: bool) -> Vec<(String, String)> {
    let mut eacp = Eacp::new(evaluation(static_exit), 1 << 12);
    let steps = eacp.steps(&view(text), 5, Ask::Values, Limits::NONE).unwrap();
    steps.iter().map(|&(hop, value)| (name(hop.on_board(Seat::FIRST)), spelled(value))).collect()
}

/// Compares a table `step value, step value, …` with what was found; all steps must be there.
fn assert_values(found: Vec<(String, String)>, wanted: &str) {
    let mut wanted: Vec<(String, String)> = wanted
        .split(", ")
        .map(|pair| pair.split_once(' ').unwrap())
        .map(|(step, value)| (step.to_owned(), value.to_owned()))
        .collect();
    let mut found = found;
    wanted.sort();
    found.sort();
    assert_eq!(found, wanted);
}

fn thought(agent: &str, view: &str) -> Thought<Action> {
    let game = game();
    let seen = game.read_view(view, Seat::FIRST).unwrap();
    let (_, maker) = game.recruit(&AgentSpec::parse(agent)).unwrap();
    let state = ranka_core::View::sample(&seen, &mut Rng::new(Seed::new(1)));
    let mut table = Table::new(game, state, Seed::new(1));
    table.sit(Seat::FIRST, maker.seat(Seat::FIRST, Seed::new(1)).unwrap(), Seed::new(1));
    table.think(&Settings::default(), None).unwrap()
}

/// What each agent plays: purple ones the right step, EACP the wrong one.
fn assert_choices(text: &str, right: &str, wrong: &str) {
    for agent in ["purple-max", "purple-max:explain=on", "purple-dfpn", "naotti-1.1:dfpn=7", "suspicion"] {
        assert_eq!(name(thought(agent, text).choice), right, "{agent}");
    }
    for agent in ["naotti-1.1", "naotti-1.1:cut=off", "naotti-1.1:static-exit=off", "naotti-1.0"] {
        assert_eq!(name(thought(agent, text).choice), wrong, "{agent}");
    }
}

#[test]
fn e1_figure_4_the_quick_capture_is_a_trap() {
    assert_values(purple(E1, true), "d1e1 WIN@4, a3a2 WIN@6, a3b3 WIN@6, a3a4 WIN@6, d1d2 1006, d1c1 LOSS@2");
    assert_values(purple(E1, false), "d1e1 WIN@4, a3a2 1008, a3b3 1006, a3a4 1006, d1d2 1006, d1c1 LOSS@2");
    assert_values(eacp(E1, false), "d1e1 WIN@4, a3a2 WIN@3, a3b3 6, a3a4 6, d1d2 6, d1c1 LOSS@2");
    assert_values(eacp(E1, true), "d1e1 WIN@4, a3a2 WIN@3, a3b3 WIN@6, a3a4 WIN@6, d1d2 6, d1c1 LOSS@2");
    assert_choices(E1, "d1e1", "a3a2");
}

#[test]
fn e2_figure_6_the_red_ghost_blocks() {
    assert_values(
        purple(E2, true),
        "e2e1 WIN@6, f3f2 2008, c2b2 2008, c2d2 2007, c2c3 2006, e2f2 1011, e2e3 1009, e2d2 1009, f3f4 1009, \
         f3e3 1009, c2c1 LOSS@1",
    );
    let without = purple(E2, false);
    assert!(without.iter().all(|(_, value)| !value.starts_with("WIN")), "{without:?}");
    for known in [("e2e1", "1011"), ("f3f2", "2008")] {
        assert!(without.contains(&(known.0.to_owned(), known.1.to_owned())), "{known:?} of {without:?}");
    }
    let eacp = eacp(E2, true);
    for known in [("e2e1", "WIN@6"), ("f3f2", "WIN@4")] {
        assert!(eacp.contains(&(known.0.to_owned(), known.1.to_owned())), "{known:?} of {eacp:?}");
    }
    assert_choices(E2, "e2e1", "f3f2");
}

#[test]
fn e3_figure_7_the_red_ghost_guards_the_exit() {
    let lost = "f3f2 LOSS@3, f3f4 LOSS@3, f3e3 LOSS@3, b6c6 LOSS@3, b6b5 LOSS@1";
    assert_values(purple(E3, true), &format!("b6a6 WIN@6, {lost}"));
    assert_values(purple(E3, false), &format!("b6a6 998, {lost}"));
    for (static_exit, guard) in [(true, "WIN@6"), (false, "-2")] {
        let eacp = eacp(E3, static_exit);
        for known in [("f3f2", "WIN@4"), ("b6a6", guard), ("b6c6", "LOSS@3"), ("b6b5", "LOSS@1")] {
            assert!(eacp.contains(&(known.0.to_owned(), known.1.to_owned())), "{known:?} of {eacp:?}");
        }
    }
    assert_choices(E3, "b6a6", "f3f2");
}

#[test]
fn e6_figure_9_the_last_red_ghost_is_a_gift() {
    let game = game();
    let mut state = game.read_state("6/3b2/6/3B2/r5/1R4 2 rrrbbbRRRBBB 49").unwrap();
    for (ply, action) in [(50, "a5a6"), (51, "b6a6")] {
        assert_eq!(state.actor(), Actor::Seat(Seat::new((ply - 1) % 2)), "ply {ply}");
        let action = game.read_action(action).unwrap();
        assert!(state.is_legal(action));
        state.apply(action);
        assert_eq!(state.ply(), ply as u32);
    }
    assert_eq!(state.outcome().scores(), [0.0, 1.0]);
    assert_eq!(game.write_state(&state), "6/3b2/6/3B2/6/R5 - rrrbbbRRRBBBr 51");
}

/// The start after these set-ups.
fn start(first: &str, second: &str) -> State {
    let game = game();
    let mut state = game.start(&mut Rng::new(Seed::new(1)));
    for letters in [first, second] {
        state.apply(game.read_action(&format!("set:{letters}")).unwrap());
    }
    state
}

#[test]
fn e8_values_of_the_start() {
    let game = game();
    for reds in ["ABCD", "EFGH", "BCFG"] {
        let root = Duel::purple(&game.view(&start(reds, "ABCD"), Seat::FIRST));
        let table = Transpositions::with_entries(1 << 14);
        let mut search = AlphaBeta::new(evaluation(true), DepthUnit::Action, table);
        for (depth, value) in [(1, 4001), (2, 4000), (3, 4001), (4, 4000), (5, 4001), (6, 4000)] {
            let found = search.search(&root, Root::Best, depth..=depth, Limits::NONE, &mut |_| ()).unwrap();
            assert_eq!(found.actions[0].value, value, "{reds} at depth {depth}");
            if depth == 5 {
                assert_eq!(name(found.best().action.on_board(Seat::FIRST)), "b5b4");
            }
        }
    }
}

#[test]
fn the_start_and_its_set_ups_are_written_as_specified() {
    let game = game();
    let mut state = game.start(&mut Rng::new(Seed::new(1)));
    assert_eq!(game.write_state(&state), "6/6/6/6/6/6 1 - 0");
    state.apply(game.read_action("set:ABCD").unwrap());
    assert_eq!(game.write_state(&state), "6/6/6/6/1RRRR1/1BBBB1 2 - 0");
    let second = game.view(&state, Seat::SECOND);
    assert_eq!(game.write_view(&second, Seat::SECOND), "6/6/6/6/1UUUU1/1UUUU1 2 - 0");
    state.apply(game.read_action("set:ABEF").unwrap());
    assert_eq!(
        game.write_state(&state),
        "1bbrr1/1bbrr1/6/6/1RRRR1/1BBBB1 1 - 0 b5c5d5e5b6c6d6e6,e2d2c2b2e1d1c1b1"
    );
}
