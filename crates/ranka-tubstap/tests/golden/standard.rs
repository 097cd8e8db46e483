//! Section 6.4: the standard agent's choices, and danger.

use crate::common::{game, shared_maps, small};
use ranka_core::{
    AgentSpec, GameSeeds, Notation, Position, Rng, Roster, Seat, Seed, Settings, Thinking, Thought, play,
};
use ranka_tubstap::{Action, State, Tubstap};
use std::sync::atomic::AtomicBool;

fn think(agent: &str, state: &State, seed: u64) -> Thought<Action> {
    let (_, maker) = game("").recruit(&AgentSpec::parse(agent)).unwrap();
    let cancel = AtomicBool::new(false);
    let mut thinking = Thinking::new(Rng::new(Seed::new(seed)), None, &cancel);
    maker.seat(Seat::FIRST, Seed::new(seed)).unwrap().think(state, &mut thinking).unwrap()
}

/// The considered attacks as `action=value`.
fn considered(state: &State) -> Vec<String> {
    let thought = think("standard", state, 1);
    thought.candidates.iter().map(|candidate| format!("{}={}", candidate.action, candidate.value)).collect()
}

fn choice(state: &State) -> String {
    think("standard", state, 1).choice.to_string()
}

fn after(state: &State, action: &str) -> State {
    let mut next = state.clone();
    let act = game("").read_action(action).unwrap();
    assert!(state.is_legal(act));
    next.apply(act);
    next
}

#[test]
fn g3() {
    let start = small("G3");
    assert_eq!(considered(&start), ["0@6,2>2=42", "0@5,3>2=42"]);
    assert_eq!(choice(&start), "0@6,2>2");
    assert_eq!([start.danger(0), start.danger(1)], [7, 10]);
    let next = after(&start, "0@6,2>2");
    assert_eq!(choice(&next), "1@3,4");
}

#[test]
fn g4() {
    let start = small("G4");
    assert_eq!(considered(&start), ["0@2,1>2=50", "0@2,3>4=50", "1@2,1>2=50", "1@2,3>4=50"]);
    assert_eq!(choice(&start), "0@2,1>2");
    assert_eq!([start.danger(0), start.danger(1)], [4, 10]);
    let next = after(&start, "0@2,1>2");
    assert_eq!(choice(&next), "1@2,3>4");
}

#[test]
fn g5() {
    let start = small("G5");
    assert_eq!(considered(&start), ["0@1,2>2=70", "0@1,2>3=70", "1@4,1>3=10"]);
    assert_eq!(choice(&start), "0@1,2>2");
    let next = after(&start, "0@1,2>2");
    assert_eq!(considered(&next), ["1@3,1>2=30", "1@2,2>2=30", "1@3,3>2=30", "1@4,1>3=17"]);
    assert_eq!(choice(&next), "1@3,1>2");
}

/// Each first action of a pair with the best sum: the cannon's shot (70) makes the infantry's attack worth 30. An
/// infantry that has moved up is in danger, which makes its enemies worth more to the cannon.
#[test]
fn pairs_add_up() {
    let thought = think("pair", &small("G5"), 1);
    let pairs: Vec<String> = thought
        .candidates
        .iter()
        .map(|candidate| format!("{:?}={}", candidate.pv, candidate.value))
        .collect();
    assert_eq!(
        pairs,
        [
            "[0@1,2>2, 1@3,1>2]=100",
            "[0@1,2>3, 1@4,1>3]=82",
            "[1@4,1>3, 0@1,2>2]=115",
            "[0@2,2, 1@4,1>3]=17",
            "[1@2,2, 0@1,2>3]=126",
        ]
    );
    assert_eq!(thought.choice.to_string(), "1@2,2");
}

/// The last unit of a turn acts as the standard agent's does, also where its best attack is worth less than none.
#[test]
fn a_pair_of_one_is_the_standard_agent() {
    let state = game("")
        .read_state(
            "grid=0000000/0111110/0111110/0000000 units=0:I:r:1,1:10:0;1:I:b:3,1:10:0;2:U:b:5,2:10:0 turn=0 \
             limit=20 threshold=10 first=r",
        )
        .unwrap();
    assert_eq!(considered(&state), ["0@2,1>1=-10", "0@3,2>1=-10"]);
    assert_eq!(think("pair", &state, 1), think("standard", &state, 1));
    for name in ["G3", "G4", "G5"] {
        let start = small(name);
        let next = after(&start, &choice(&start));
        assert_eq!(think("pair", &next, 3), think("standard", &next, 3), "{name}");
    }
}

/// The first side's score in so many games.
fn score(rules: &str, agents: [&str; 2], games: u64) -> f64 {
    let game: Tubstap = game(rules);
    let makers = agents.map(|spec| game.recruit(&AgentSpec::parse(spec)).unwrap().1);
    let played = (0..games).map(|number| {
        let seeds = GameSeeds::of(Seed::new(1), number, 0);
        let players =
            [0, 1].map(|seat| (makers[seat].seat(Seat::new(seat), seeds.agent(seat)).unwrap(), seat));
        play(&game, &seeds, players.into(), &Settings::default(), &mut |_, _| {}).outcome.score(Seat::FIRST)
    });
    played.sum()
}

#[test]
fn mirror_matches_on_the_original_maps() {
    let Some(folder) = shared_maps() else { return };
    let rules = |name: &str| format!("map=\"{}\"", folder.join(name).display());
    let mirror = ["standard"; 2];
    assert_eq!(score(&rules("map01.tbsmap"), mirror, 20), 20.0, "the first side wins every game on map01");
    assert_eq!(score(&rules("map02.tbsmap"), mirror, 20), 0.0, "the second side wins every game on map02");
}

/// The experiment tubstap-2015/strength asks the same with 2000 playouts and many more games.
#[test]
fn uct_beats_standard_from_both_sides_of_map01() {
    let Some(folder) = shared_maps() else { return };
    let rules = format!("map=\"{}\"", folder.join("map01.tbsmap").display());
    let first = score(&rules, ["uct:playouts=500", "standard"], 4);
    let second = 4.0 - score(&rules, ["standard", "uct:playouts=500"], 4);
    assert!(first + second >= 6.0, "{first} as the first side and {second} as the second, of 4 each");
}
