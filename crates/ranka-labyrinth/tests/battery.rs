//! Labyrinth against the battery, for two, three and four players, and its golden files.

use ranka_battery::{
    Battery, battery, check_perft_file, check_playthrough, decisions_do_not_leak, playthrough,
};
use ranka_core::{Position, Seat};
use ranka_labyrinth::{Labyrinth, Phase, State};

/// Every agent, with every parameter somewhere off its default; searches are kept small.
const AGENTS: [&str; 21] = [
    "random",
    "flat-mc:playouts=10",
    "uct:playouts=10,worlds=3",
    "ismcts:playouts=10",
    "random-original",
    "saboteur",
    "saboteur:factor=1,entries=legal",
    "big-brain:preset=source",
    "big-brain:preset=thesis,budget=3",
    "big-brain:dedupe=transposition,entries=legal,budget=4",
    "big-brain:fallback=explored-node,budget=2",
    "inference:budget=3",
    "distance:budget=3,ties=random",
    "static:budget=3",
    "hybrid:budget=2,entries=source8",
    "slide:budget=3,target=turn-start",
    "inference:ties=random,threshold=5,budget=2",
    "champion:playouts=30",
    "level:rank=4",
    "partner",
    "partner:person=2,method=select",
];

fn rounds(rules: &str) -> Battery<'static, Labyrinth> {
    Battery::of(rules).games(2).invariant(invariant).plies(4_000)
}

/// All 50 tiles are there, pawns and cards too, and home is a corner.
fn invariant(state: &State) {
    let mut pieces: Vec<_> = state.board().tiles().iter().map(|tile| tile.piece()).collect();
    pieces.push(state.board().extra().piece());
    let treasures = pieces.iter().filter(|piece| piece.treasure().is_some()).count();
    assert_eq!((pieces.len(), treasures), (50, 24));
    for seat in Seat::all(state.seats()) {
        assert!(ranka_labyrinth::Cell::CORNERS.contains(&state.home(seat)));
        if state.phase() != Phase::Over && state.cards().pile(seat).is_empty() {
            assert!(state.phase() == Phase::Move || state.pawn(seat) != state.home(seat), "{seat:?} is home");
        }
    }
}

/// Short games, so that a battery sees beginnings, ends and few worlds.
#[test]
fn short_games_stand_the_battery() {
    for rules in [
        "cards-per-player=2,ply-cap=60",
        "players=3,cards-per-player=1,ply-cap=0,return-home=off,first=random",
        "players=4,cards-per-player=1,shuffle=max-region-4,ply-cap=41,homes=3120",
        "open-hands=on,cards-per-player=3,ply-cap=50,homes=20,first=1",
    ] {
        battery(&rounds(rules).agents(&["random"]));
    }
}

fn whole_games_stand_the_battery(players: u64) {
    let rules = format!("players={players},ply-cap=80");
    battery(&rounds(&rules).agents(&AGENTS).agent_games(players));
}

#[test]
fn two_stand_the_battery() {
    whole_games_stand_the_battery(2);
}

#[test]
fn three_stand_the_battery() {
    whole_games_stand_the_battery(3);
}

#[test]
fn four_stand_the_battery() {
    whole_games_stand_the_battery(4);
}

#[test]
fn the_champion_stands_the_battery() {
    let champion = ["champion:playouts=100", "champion:playouts=1"];
    for rules in [
        "ply-cap=40",
        "players=3,cards-per-player=2,ply-cap=60",
        "players=4,cards-per-player=1,ply-cap=60",
        "cards-per-player=1,return-home=off,open-hands=on",
    ] {
        battery(&rounds(rules).agents(&champion).agent_games(1));
        decisions_do_not_leak(&rounds(rules).games(10).seed(4).agents(&champion).agent_games(4));
    }
}

#[test]
fn perft() {
    check_perft_file::<Labyrinth>("tests/labyrinth.perft");
}

#[test]
fn playthroughs() {
    for (name, rules) in [
        ("two", "ply-cap=30"),
        ("three", "players=3,cards-per-player=1,return-home=off,ply-cap=24"),
        ("four", "players=4,cards-per-player=2,shuffle=max-region-3,ply-cap=20"),
    ] {
        check_playthrough(format!("tests/playthroughs/{name}.txt"), &playthrough::<Labyrinth>(rules, 1));
    }
}

#[test]
fn lessons_can_be_learned_from() {
    ranka_battery::lessons_teach::<Labyrinth>();
}
